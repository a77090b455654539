//! The file of results, one line a vertex: the id, and what the algorithm found for it.
//!
//! Values are as in LDBC Graphalytics' reference outputs. Parents are as in
//! GAPBS: the source is its own parent, and an unreached vertex has -1.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use meerkat::runtime::read::VertexIds;

use super::file::OutputFile;
use crate::cli::failure::Failure;
use crate::cli::input::{STANDARD, VertexId};

/// What the line of a vertex says after its id.
pub(in crate::cli) type VertexLines<'a> = dyn Fn(u32, &mut dyn Write) -> io::Result<()> + 'a;

/// Where results go.
pub(in crate::cli) struct VertexFile {
    file: OutputFile,
    is_stdout: bool,
}

impl VertexFile {
    /// The place `path`, if it can be written and is none of the files of `graph`.
    pub(in crate::cli) fn new(path: &Path, graph: &Path) -> Result<Self, Failure> {
        let file = OutputFile::beside(path, &files_of(graph))?;
        Ok(Self { file, is_stdout: path.as_os_str() == STANDARD })
    }

    /// Whether the standard output holds the results.
    pub(in crate::cli) fn is_stdout(&self) -> bool {
        self.is_stdout
    }

    /// Writes a line for every vertex, in the order of the ids.
    pub(in crate::cli) fn write(
        self,
        ids: &VertexIds,
        line: &VertexLines<'_>,
    ) -> Result<(), Failure> {
        self.file.write(|out| {
            for vertex in 0..ids.len() {
                write!(out, "{} ", VertexId::of(ids, vertex).field())?;
                line(vertex, out)?;
                writeln!(out)?;
            }
            Ok(())
        })
    }
}

/// The graph's file, and those that may be read beside it.
fn files_of(graph: &Path) -> Vec<PathBuf> {
    let beside = |ending: &str| {
        let packed = graph.extension().is_some_and(|ending| ending == "gz");
        let plain = if packed { graph.with_extension("") } else { graph.to_owned() };
        plain.extension().filter(|ending| *ending == "e")?;
        Some(plain.with_extension(ending))
    };
    let companions = ["v", "v.gz", "properties", "properties.gz"].map(beside);
    companions.into_iter().flatten().chain([graph.to_owned()]).collect()
}
