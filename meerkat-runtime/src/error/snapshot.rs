//! Why a snapshot of a graph cannot be written or read.

use std::io;

/// Why a file is no snapshot of the graph asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotFault {
    /// The file cannot be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// It does not begin as snapshots do.
    #[error("it is no snapshot of a slab graph")]
    NoSnapshot,
    /// It was written by another version.
    #[error("its format has version {0}, and this program reads version {version}", version = Self::VERSION)]
    Version(u32),
    /// Its edges carry something else.
    #[error("its edges carry `{found}`, and `{wanted}` was asked for")]
    Weight {
        /// What they carry.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// It was cut short or changed.
    #[error("it is damaged: its checksum or its length is wrong; write it again")]
    Damaged,
}

impl SnapshotFault {
    /// The version of the format that is written and read.
    pub(crate) const VERSION: u32 = 1;
}
