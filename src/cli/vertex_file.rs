//! The file of results, one line a vertex: `id depth` or `id depth parent`.
//!
//! Depths are as in LDBC Graphalytics' reference outputs, which write the
//! largest 64-bit integer for an unreached vertex. Parents are as in GAPBS: the
//! source is its own parent, and an unreached vertex has -1.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use meerkat::algos::bfs::UNREACHED;
use meerkat::runtime::read::VertexIds;

use super::failure::Failure;

/// LDBC's depth of an unreached vertex.
const UNREACHED_DEPTH: u64 = i64::MAX as u64;

/// A file that is open for writing, its former content still in it.
pub(super) struct VertexFile {
    path: PathBuf,
    file: File,
}

impl VertexFile {
    /// Opens before the work starts what cannot be opened after it.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let path = path.to_owned();
        match OpenOptions::new().write(true).create(true).truncate(false).open(&path) {
            Ok(file) => Ok(Self { path, file }),
            Err(cause) => Err(Failure::OutputRefused { path, cause }),
        }
    }

    /// Writes a line for every vertex, ascending by id.
    pub(super) fn write(
        self,
        ids: &VertexIds,
        levels: &[u32],
        parents: Option<&[u32]>,
    ) -> Result<(), Failure> {
        let Self { path, file } = self;
        empty(&file)
            .and_then(|()| write_lines(BufWriter::new(&file), ids, levels, parents))
            .map_err(|cause| Failure::OutputBroken { path, cause })
    }
}

/// Empties a regular file; a pipe or a device has nothing to empty.
fn empty(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() { file.set_len(0) } else { Ok(()) }
}

fn write_lines(
    mut out: impl Write,
    ids: &VertexIds,
    levels: &[u32],
    parents: Option<&[u32]>,
) -> io::Result<()> {
    for (vertex, &level) in (0..).zip(levels) {
        let reached = level != UNREACHED;
        let depth = if reached { u64::from(level) } else { UNREACHED_DEPTH };
        write!(out, "{} {depth}", ids.id_of(vertex))?;
        match parents {
            Some(parents) if reached => writeln!(out, " {}", ids.id_of(parents[vertex as usize]))?,
            Some(_) => writeln!(out, " -1")?,
            None => writeln!(out)?,
        }
    }
    out.flush()
}
