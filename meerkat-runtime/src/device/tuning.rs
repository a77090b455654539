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
use serde_json::{Map, Value};

use crate::cuda::{self, CubinCache};

/// How many rounds can be queued ahead.
const MOST_AHEAD: u32 = 32;

/// Thresholds of a device. The usual ones were measured on an H200.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tuning {
    /// How many rounds are queued before the host looks, at most: 1 to 32. More waste launches
    /// at the end of a search.
    pub rounds_ahead: u32,
    /// For how many items a round that is queued ahead has threads, at least.
    pub threads_ahead: u32,
    /// A level of a breadth-first search is visited in passes over all vertices, if at least one in
    /// so many is on it, or if it has so many edges that there are few such levels.
    pub large_level: u32,
    /// In such a pass, how much more an edge costs that is followed forward, where others write, than
    /// one that is followed back.
    pub forward_cost: u32,
    /// Levels that follow a batch are computed again, once the host sees that rounds have so many times as many
    /// vertices as the levels have; 0: they never are.
    pub pace: u32,
    /// How many rounds of a shortest-path tree go in any order, before the nearest go first.
    pub rounds_out_of_order: u32,
    /// A frontier below this size goes in any order, too: it leaves a GPU idle.
    pub idle_frontier: u32,
    /// Levels are computed again if deletions tear off one vertex in so many, of shallow subtrees.
    pub torn_levels: u32,
    /// Distances are computed again if deletions tear off one vertex in so many.
    pub torn_distances: u32,
    /// Levels are computed again if deletions tear off one vertex in so many of deep subtrees, by cuts
    /// at as many as `torn_cuts` says.
    pub torn_deep: u32,
    /// One vertex in so many: see `torn_deep`.
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
        pace: 4,
        rounds_out_of_order: 8,
        idle_frontier: 1 << 13,
        torn_levels: 16,
        torn_distances: 2,
        torn_deep: 2,
        torn_cuts: 320,
    };

    /// Of the CPU device. There a search from scratch waits for no launch: it costs what it visits, and so does
    /// following. (Roads of Florida and a grid: docs/BENCHMARKS.md, "Dynamic algorithms".)
    pub const CPU: Tuning = Tuning { pace: 2, torn_cuts: 1280, ..Tuning::DEFAULT };

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
    /// warning to `tracing`: searches are right with any.
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
        tuning.check().map(|()| tuning)
    }

    /// Keeps the thresholds that are not the usual ones in a file, written beside it and renamed.
    ///
    /// # Errors
    /// The folder cannot be made, or the file not written.
    pub fn store(&self, path: &Path) -> io::Result<()> {
        let text = serde_json::to_string_pretty(&self.fields_unlike(&Tuning::DEFAULT)?)?;
        cuda::store_beside(path, |file| file.write_all(text.as_bytes()))
    }

    /// The nearest thresholds that can be used.
    pub(super) fn usable(self) -> Tuning {
        Tuning {
            rounds_ahead: self.rounds_ahead.clamp(1, MOST_AHEAD),
            large_level: self.large_level.max(1),
            torn_levels: self.torn_levels.max(1),
            torn_distances: self.torn_distances.max(1),
            torn_deep: self.torn_deep.max(1),
            torn_cuts: self.torn_cuts.max(1),
            ..self
        }
    }

    fn check(&self) -> io::Result<()> {
        match self.fields_unlike(&self.usable())?.iter().next() {
            Some((name, value)) => {
                let what = format!("{name} is {value}, which is out of its range");
                Err(io::Error::new(InvalidData, what))
            }
            None => Ok(()),
        }
    }

    /// The thresholds that are other ones there.
    fn fields_unlike(&self, other: &Tuning) -> io::Result<Map<String, Value>> {
        let (own, others) = (serde_json::to_value(self)?, serde_json::to_value(other)?);
        let fields = own.as_object().into_iter().flatten();
        let unlike = fields.filter(|(name, value)| others.get(name.as_str()) != Some(*value));
        Ok(unlike.map(|(name, value)| (name.clone(), value.clone())).collect())
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
        let tuning = Tuning { rounds_ahead: 16, pace: 16, ..Tuning::DEFAULT };
        tuning.store(&path)?;
        assert_eq!(Tuning::read(&path)?, tuning);
        let text = fs::read_to_string(&path)?;
        assert!(!text.contains("torn_cuts"), "the usual value may be another one later: {text}");
        Tuning::DEFAULT.store(&path)?;
        assert_eq!(Tuning::read(&path)?, Tuning::DEFAULT);
        Ok(())
    }

    #[test]
    fn thresholds_that_cannot_be_used_become_the_nearest() {
        let none = Tuning { rounds_ahead: 0, large_level: 0, torn_cuts: 0, ..Tuning::DEFAULT };
        let usable = none.usable();
        assert_eq!((usable.rounds_ahead, usable.large_level, usable.torn_cuts), (1, 1, 1));
        assert_eq!(Tuning { rounds_ahead: u32::MAX, ..none }.usable().rounds_ahead, 32);
        assert_eq!(Tuning::DEFAULT.usable(), Tuning::DEFAULT);
        assert!(usable.check().is_ok() && none.check().is_err());
    }

    #[test]
    fn a_file_with_what_is_no_threshold_is_refused_by_name() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("tuning.json");
        for (text, named) in [
            ("{\"rounds_ahed\": 3}", "rounds_ahed"),
            ("{\"rounds_ahead\": 33}", "rounds_ahead is 33"),
            ("{\"torn_cuts\": 0}", "torn_cuts is 0"),
            ("{\"pace\": -1}", "-1"),
            ("pace", "expected value"),
        ] {
            fs::write(&path, text)?;
            let error = Tuning::read(&path).expect_err(text).to_string();
            assert!(error.contains(named), "{text}: {error}");
        }
        fs::write(&path, "{\"pace\": 8}")?;
        assert_eq!(Tuning::read(&path)?, Tuning { pace: 8, ..Tuning::DEFAULT });
        Ok(())
    }
}
