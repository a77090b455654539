//! Writes a file beside its place, and renames it.

use super::element::SavedElement;
use super::{CHUNK, MAGIC, VERSION, fault};
use crate::{Error, ErrorKind};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What files that are not whole yet begin and end with; the rest is random.
pub(super) const UNFINISHED: (&str, &str) = (".meerkat-", ".part");

/// Where an algorithm writes its state, as arrays with names: see
/// [`SavedState`](crate::dynamic::SavedState). Names are free, each once.
#[derive(Debug)]
pub struct StateWriter {
    path: PathBuf,
    file: NamedTempFile,
    checksum: Sha256,
    /// What the names of sections begin with.
    within: String,
    /// The names there are.
    names: BTreeSet<String>,
    /// Elements of the latest section that are still to come.
    missing: u64,
}

/// Writes a file whole, or not at all: nothing is at `path` then but what was there before.
pub(crate) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut StateWriter) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut to = StateWriter::beside(path)?;
    write(&mut to)?;
    to.finish()
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl StateWriter {
    fn beside(path: &Path) -> Result<Self, Error> {
        let mut named = tempfile::Builder::new();
        named.prefix(UNFINISHED.0).suffix(UNFINISHED.1);
        // As any new file has them: the umask says who may read it.
        #[cfg(unix)]
        named.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = named.tempfile_in(folder_of(path)).map_err(|error| fault(path, error))?;
        let (path, within, checksum) = (path.to_owned(), String::new(), Sha256::new());
        let names = BTreeSet::new();
        let mut to = StateWriter { path, file, checksum, within, names, missing: 0 };
        to.bytes(&[MAGIC.as_slice(), &VERSION.to_le_bytes()].concat())?;
        Ok(to)
    }

    /// Writes an array.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`] if the file cannot be written, as where the disk is full;
    /// [`ErrorKind::BrokenInvariant`] if an array of that name is there already, which nobody could
    /// read back.
    pub fn array<T: SavedElement>(&mut self, name: &str, values: &[T]) -> Result<(), Error> {
        self.begin::<T>(name, values.len() as u64)?;
        self.append(values)
    }

    /// Writes a number.
    ///
    /// # Errors
    /// As [`array`](Self::array).
    pub fn number<T: SavedElement>(&mut self, name: &str, value: T) -> Result<(), Error> {
        self.array(name, &[value])
    }

    /// Writes a text.
    ///
    /// # Errors
    /// As [`array`](Self::array).
    pub fn text(&mut self, name: &str, text: &str) -> Result<(), Error> {
        self.array(name, text.as_bytes())
    }

    /// Writes arrays whose names begin with this one and a slash.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn within(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let length = self.within.len();
        self.within = format!("{}{name}/", self.within);
        let written = write(self);
        self.within.truncate(length);
        written
    }

    /// Begins an array of this many elements, which are then appended.
    pub(crate) fn begin<T: SavedElement>(&mut self, name: &str, count: u64) -> Result<(), Error> {
        self.check_complete()?;
        let name = format!("{}{name}", self.within);
        if !self.names.insert(name.clone()) {
            let what = format!("two arrays for a file have the name `{name}`");
            return Err(ErrorKind::BrokenInvariant { what }.into());
        }
        let mut header = (name.len() as u32).to_le_bytes().to_vec();
        header.extend_from_slice(name.as_bytes());
        header.extend_from_slice(&T::TAG.to_le_bytes());
        header.extend_from_slice(&count.to_le_bytes());
        self.missing = count;
        self.bytes(&header)
    }

    /// Appends elements to the array that was begun.
    pub(crate) fn append<T: SavedElement>(&mut self, values: &[T]) -> Result<(), Error> {
        self.missing = self.missing.wrapping_sub(values.len() as u64);
        let mut bytes = Vec::with_capacity(CHUNK.min(values.len() * T::SIZE));
        for values in values.chunks(CHUNK / T::SIZE) {
            bytes.clear();
            values.iter().for_each(|value| value.append_to(&mut bytes));
            self.bytes(&bytes)?;
        }
        Ok(())
    }

    fn check_complete(&self) -> Result<(), Error> {
        match self.missing {
            0 => Ok(()),
            missing => {
                let what = format!("a list for a file has other elements, {missing} too few");
                Err(ErrorKind::BrokenInvariant { what }.into())
            }
        }
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.checksum.update(bytes);
        self.file.write_all(bytes).map_err(|error| fault(&self.path, error))
    }

    fn finish(self) -> Result<(), Error> {
        self.check_complete()?;
        let StateWriter { path, mut file, checksum, .. } = self;
        let failed = |error: io::Error| fault(&path, error);
        file.write_all(&checksum.finalize()).map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        sync_folder(folder_of(&path)).map_err(failed)
    }
}

/// Until then the new name may be lost with the power.
fn sync_folder(folder: &Path) -> io::Result<()> {
    // Elsewhere folders cannot be opened as files.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
