//! A folder of checkpoints.

use super::fault;
use super::writer::UNFINISHED;
use crate::error::SnapshotFault;
use crate::{Error, ErrorKind};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The checkpoints of one service, in a folder: numbered files, of which the last few are kept.
/// One process at a time writes into a folder; others may read there.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use meerkat_runtime::prelude::*;
/// use meerkat_runtime::saved::Checkpoints;
///
/// # let folder = tempfile::tempdir()?;
/// let device = Device::cpu();
/// let checkpoints = Checkpoints::in_folder(folder.path(), 3)?;
/// let read = |path: &std::path::Path| SlabGraph::<()>::load(&device, path);
/// assert!(checkpoints.latest(read)?.loaded.is_none());
///
/// let edge = Edge { src: 0, dst: 1, weight: () };
/// let graph = SlabGraph::from_edges(&device, 2, &[edge], &SlabOptions::DEFAULT)?;
/// checkpoints.save(|path| graph.save(path))?;
/// let graph = checkpoints.latest(read)?.loaded.ok_or("no graph")?;
/// assert_eq!(graph.to_edges()?, [edge]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    keep: usize,
    /// Who saves, one after another.
    saving: Arc<Mutex<()>>,
}

/// What was loaded from a folder.
#[derive(Debug)]
pub struct Latest<T> {
    /// What the last whole file has; nothing if there is none.
    pub loaded: Option<T>,
    /// Why those after it were left out: each names its file.
    pub skipped: Vec<Error>,
}

const NAME: (&str, &str) = ("checkpoint-", ".meerkat");

impl Checkpoints {
    /// Those in a folder, which is made if it is not there. The last `keep` are kept, one at
    /// least.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`] if the folder cannot be made or read.
    pub fn in_folder(folder: impl Into<PathBuf>, keep: usize) -> Result<Self, Error> {
        let (folder, keep, saving) = (folder.into(), keep.max(1), Arc::default());
        fs::create_dir_all(&folder).map_err(|error| fault(&folder, error))?;
        let checkpoints = Checkpoints { folder, keep, saving };
        checkpoints.numbers()?;
        Ok(checkpoints)
    }

    /// Has the next file written, then deletes the oldest ones. Returns where it is. What a killed
    /// process left half written is deleted first.
    ///
    /// # Errors
    /// Those of `write`: the files before it are all there. [`ErrorKind::Snapshot`] if the folder
    /// cannot be read.
    pub fn save(&self, write: impl FnOnce(&Path) -> Result<(), Error>) -> Result<PathBuf, Error> {
        let _alone = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        self.delete_unfinished()?;
        let before = self.numbers()?;
        let path = self.path(before.last().map_or(0, |last| last.saturating_add(1)));
        write(&path)?;
        if !path.is_file() {
            return Err(fault(&path, io::Error::from(io::ErrorKind::NotFound)));
        }
        for old in before.iter().rev().skip(self.keep - 1) {
            // The new one is there, whatever becomes of the old ones.
            if let Err(error) = fs::remove_file(self.path(*old)) {
                tracing::warn!(%error, number = old, "an old checkpoint could not be deleted");
            }
        }
        Ok(path)
    }

    /// Reads the last file that is whole: those that are damaged, cut short or cannot be read are
    /// skipped, and the reasons told.
    ///
    /// # Errors
    /// Any other of `read`, such as [`SnapshotFault::Algorithm`]: an older file would not fit
    /// either. [`ErrorKind::Snapshot`] if the folder cannot be read.
    pub fn latest<T>(
        &self,
        mut read: impl FnMut(&Path) -> Result<T, Error>,
    ) -> Result<Latest<T>, Error> {
        let mut skipped = Vec::new();
        for number in self.numbers()?.into_iter().rev() {
            match read(&self.path(number)) {
                Ok(loaded) => return Ok(Latest { loaded: Some(loaded), skipped }),
                Err(error) if is_not_whole(&error) => skipped.push(error),
                Err(error) => return Err(error),
            }
        }
        Ok(Latest { loaded: None, skipped })
    }

    /// The files, the oldest first.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`] if the folder cannot be read.
    pub fn paths(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(self.numbers()?.into_iter().map(|number| self.path(number)).collect())
    }

    fn delete_unfinished(&self) -> Result<(), Error> {
        for name in self.names().map_err(|error| fault(&self.folder, error))? {
            if name.starts_with(UNFINISHED.0) && name.ends_with(UNFINISHED.1) {
                let path = self.folder.join(name);
                match fs::remove_file(&path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(fault(&path, error));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{}{number:08}{}", NAME.0, NAME.1))
    }

    fn numbers(&self) -> Result<Vec<u64>, Error> {
        let names = self.names().map_err(|error| fault(&self.folder, error))?;
        let number = |name: &String| {
            let number = name.strip_prefix(NAME.0)?.strip_suffix(NAME.1)?.parse().ok()?;
            // Other ways to write a number are files of others.
            (self.path(number).file_name()? == name.as_str()).then_some(number)
        };
        let mut numbers: Vec<u64> = names.iter().filter_map(number).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            names.extend(entry?.file_name().into_string());
        }
        Ok(names)
    }
}

/// Whether an older file may be better.
fn is_not_whole(error: &Error) -> bool {
    use SnapshotFault::{Damaged, File, NoSnapshot};
    matches!(error.kind(), ErrorKind::Snapshot { cause: Damaged | File(_) | NoSnapshot, .. })
}
