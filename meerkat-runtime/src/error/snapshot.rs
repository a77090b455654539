//! Why a snapshot or a checkpoint cannot be written or read.

use std::io;

/// Why a file cannot be written, or is not what was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotFault {
    /// The file cannot be read or written: there is none, the disk is full.
    #[error("{0}")]
    File(#[from] io::Error),
    /// It does not begin as snapshots and checkpoints do.
    #[error("it is no snapshot or checkpoint of a graph")]
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
    /// It is a snapshot of a graph, which nothing followed.
    #[error("it has a graph and no algorithm's state; `load` the graph and `track` it")]
    NoState,
    /// It has the state of another algorithm, or of the same with other options.
    #[error(
        "it has the state of `{found}`, and `{wanted}` was asked for; ask for the former, or \
         `load` the graph and `track` it"
    )]
    Algorithm {
        /// Whose state it has.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// Its checksum is right, but what it says cannot be.
    #[error("its contents do not fit: {what}; it was written by another program")]
    State {
        /// What does not fit.
        what: String,
    },
}

impl SnapshotFault {
    /// The version of the format that is written and read.
    pub(crate) const VERSION: u32 = 2;
}
