//! The file of results, one line a vertex: `id value` or `id value parent`.
//!
//! Values are as in LDBC Graphalytics' reference outputs. Parents are as in
//! GAPBS: the source is its own parent, and an unreached vertex has -1.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use meerkat::algos::tree::UNREACHED;
use meerkat::runtime::read::VertexIds;

use super::failure::Failure;

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
    pub(super) fn write<V: Display>(
        self,
        ids: &VertexIds,
        values: impl IntoIterator<Item = V>,
        parents: Option<&[u32]>,
    ) -> Result<(), Failure> {
        let Self { path, file } = self;
        empty(&file)
            .and_then(|()| write_lines(BufWriter::new(&file), ids, values, parents))
            .map_err(|cause| Failure::OutputBroken { path, cause })
    }
}

/// Empties a regular file; a pipe or a device has nothing to empty.
fn empty(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() { file.set_len(0) } else { Ok(()) }
}

fn write_lines<V: Display>(
    mut out: impl Write,
    ids: &VertexIds,
    values: impl IntoIterator<Item = V>,
    parents: Option<&[u32]>,
) -> io::Result<()> {
    for (vertex, value) in (0..).zip(values) {
        write!(out, "{} {value}", ids.id_of(vertex))?;
        match parents.map(|parents| parents[vertex as usize]) {
            Some(UNREACHED) => writeln!(out, " -1")?,
            Some(parent) => writeln!(out, " {}", ids.id_of(parent))?,
            None => writeln!(out)?,
        }
    }
    out.flush()
}
