//! Thresholds whose best values are a machine's. No answer depends on them.
//!
//! ```text
//! meerkat tune --store--> tuning/NVIDIA-H200.json beside the compiled kernels --of_device--> Device
//! Device --tuning--> frontiers, searches, shortest-path trees
//! ```

use std::fs;
use std::io::{self, ErrorKind::InvalidData, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cuda::CubinCache;

/// Thresholds of a device. The usual ones were measured on an H200.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tuning {
    /// How many rounds are queued before the host looks, at most: 1 to 64. More waste launches
    /// at the end of a search.
    pub rounds_ahead: u32,
    /// For how many items a round that is queued ahead has threads, at least.
    pub threads_ahead: u32,
    /// A level of a breadth-first search is visited in passes over all vertices, if at least one in
    /// so many is on it.
    pub large_level: u32,
    /// In such a pass, how much more an edge costs that is followed forward, where others write, than
    /// one that is followed back.
    pub forward_cost: u32,
    /// Levels that follow insertions are computed again, once one vertex in so many gets nearer in one
    /// round; 0: they never are.
    pub wave: u32,
    /// How many rounds of a shortest-path tree go in any order, before the nearest go first.
    pub rounds_out_of_order: u32,
    /// A frontier below this size goes in any order, too: it leaves a GPU idle.
    pub idle_frontier: u32,
    /// Levels are computed again if deletions tear off one vertex in so many, of shallow subtrees.
    pub torn_levels: u32,
    /// Distances are.
    pub torn_distances: u32,
    /// Levels are, if one vertex in so many is torn off in deep subtrees,
    pub torn_deep: u32,
    /// by cuts at one vertex in so many.
    pub torn_cuts: u32,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning::DEFAULT
    }
}

impl Tuning {
    /// Of devices that nobody has measured.
    pub const DEFAULT: Tuning = Tuning {
        rounds_ahead: 32,
        threads_ahead: 1 << 13,
        large_level: 32,
        forward_cost: 2,
        wave: 0,
        rounds_out_of_order: 8,
        idle_frontier: 1 << 13,
        torn_levels: 16,
        torn_distances: 2,
        torn_deep: 2,
        torn_cuts: 160,
    };

    /// Where the thresholds of a device of this name are kept: beside the compiled kernels. None
    /// where these are not kept.
    pub fn path(device: &str) -> Option<PathBuf> {
        let cache = CubinCache::from_env().ok()?;
        Some(Self::path_in(cache.directory()?, device))
    }

    fn path_in(directory: &Path, device: &str) -> PathBuf {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._".contains(letter);
        let name: String =
            device.chars().map(|letter| if is_plain(letter) { letter } else { '-' }).collect();
        directory.join("tuning").join(format!("{name}.json"))
    }

    /// Those that are kept for a device of this name, or the usual ones. A file that cannot be read is a
    /// warning to `tracing`: who is slower than could be is not wrong.
    pub(super) fn of_device(device: &str) -> Tuning {
        let Some(path) = Self::path(device) else { return Tuning::DEFAULT };
        match Self::read(&path) {
            Ok(tuning) => tuning,
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    tracing::warn!(path = %path.display(), %error, "the usual thresholds are used");
                }
                Tuning::DEFAULT
            }
        }
    }

    /// Reads a file that was [stored](Self::store). A threshold that it does not name is the usual one.
    ///
    /// # Errors
    /// No such file; not JSON; no threshold of such a name, or one out of its range.
    pub fn read(path: &Path) -> io::Result<Tuning> {
        let tuning: Tuning = serde_json::from_str(&fs::read_to_string(path)?)
            .map_err(|error| io::Error::new(InvalidData, error))?;
        tuning.check().map_err(|what| io::Error::new(InvalidData, what))?;
        Ok(tuning)
    }

    /// Keeps the thresholds in a file, written beside it and renamed.
    ///
    /// # Errors
    /// The folder cannot be made, or the file not written.
    pub fn store(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.write_all(b"\n")?;
        file.persist(path)?;
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        if !(1..=64).contains(&self.rounds_ahead) {
            return Err(format!("rounds_ahead is {}, not 1 to 64", self.rounds_ahead));
        }
        let parts = [
            ("large_level", self.large_level),
            ("torn_levels", self.torn_levels),
            ("torn_distances", self.torn_distances),
            ("torn_deep", self.torn_deep),
            ("torn_cuts", self.torn_cuts),
        ];
        match parts.iter().find(|(_, part)| *part == 0) {
            Some((name, _)) => Err(format!("{name} is 0: one in how many?")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read_again() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = Tuning::path_in(folder.path(), "NVIDIA H200/x");
        assert!(path.ends_with("tuning/NVIDIA-H200-x.json"), "{path:?}");
        let tuning = Tuning { rounds_ahead: 64, wave: 16, ..Tuning::DEFAULT };
        tuning.store(&path)?;
        assert_eq!(Tuning::read(&path)?, tuning);
        Tuning::DEFAULT.store(&path)?;
        assert_eq!(Tuning::read(&path)?, Tuning::DEFAULT);
        Ok(())
    }

    #[test]
    fn a_file_with_what_is_no_threshold_is_refused_by_name() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("tuning.json");
        for (text, named) in [
            ("{\"rounds_ahed\": 3}", "rounds_ahed"),
            ("{\"rounds_ahead\": 65}", "rounds_ahead is 65"),
            ("{\"torn_cuts\": 0}", "torn_cuts is 0"),
            ("{\"wave\": -1}", "-1"),
            ("wave", "expected value"),
        ] {
            fs::write(&path, text)?;
            let error = Tuning::read(&path).expect_err(text).to_string();
            assert!(error.contains(named), "{text}: {error}");
        }
        fs::write(&path, "{\"wave\": 8}")?;
        assert_eq!(Tuning::read(&path)?, Tuning { wave: 8, ..Tuning::DEFAULT });
        Ok(())
    }
}
