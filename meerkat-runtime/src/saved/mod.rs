//! Files of named arrays: snapshots of a graph, and checkpoints of a graph with the state of the
//! algorithms that follow it.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `MEERKAT` and a zero |
//! | 4 | version, 2 |
//! | | sections, one after the other |
//! | 32 | SHA-256 of everything before |
//!
//! A section is an array:
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | length of the name |
//! | | the name, as in `state/0/levels` |
//! | 4 | type of the elements: 0 `u8`, 1 `u32`, 2 `u64`, 3 `i64`, 4 `f32`, 5 `f64` |
//! | 8 | number of elements |
//! | | the elements |
//!
//! All numbers are little-endian. A file is written beside its place, synchronised with the disk,
//! and then renamed, so that a process which is killed leaves the file before. Before anything is
//! read from it, the checksum of all of it is compared.

mod checkpoints;
mod element;
mod reader;
mod writer;

pub use checkpoints::{Checkpoints, Latest};
pub use element::SavedElement;
pub use reader::StateReader;
pub use writer::StateWriter;
pub(crate) use writer::write_file;

use crate::error::SnapshotFault;
use crate::{Error, ErrorKind};
use std::path::Path;

const MAGIC: &[u8; 8] = b"MEERKAT\0";
const VERSION: u32 = SnapshotFault::VERSION;
/// Bytes before the sections.
const HEADER: u64 = 8 + 4;
const CHECKSUM: u64 = 32;
/// Bytes that are read or written at a time.
const CHUNK: usize = 1 << 20;

/// The error of a file.
pub(crate) fn fault(path: &Path, cause: impl Into<SnapshotFault>) -> Error {
    ErrorKind::Snapshot { path: path.to_owned(), cause: cause.into() }.into()
}
