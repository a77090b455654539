//! The file of results, one line a vertex: `id value` or `id value parent`.
//!
//! Values are as in LDBC Graphalytics' reference outputs. Parents are as in
//! GAPBS: the source is its own parent, and an unreached vertex has -1.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;

use meerkat::algos::tree::UNREACHED;
use meerkat::runtime::read::VertexIds;

use super::failure::Failure;
use super::output_file::OutputFile;
use super::plan::RunPlan;

/// Where results go.
pub(super) struct VertexFile(OutputFile);

impl VertexFile {
    /// The place that a plan asks for, if it can be written and is none of the files that
    /// are read.
    pub(super) fn of(plan: &RunPlan) -> Result<Option<Self>, Failure> {
        let Some(path) = &plan.output else { return Ok(None) };
        let graph = &plan.graph.file;
        let beside = |ending: &str| {
            let packed = graph.extension().is_some_and(|ending| ending == "gz");
            let plain = if packed { graph.with_extension("") } else { graph.clone() };
            plain.extension().filter(|ending| *ending == "e")?;
            Some(plain.with_extension(ending))
        };
        let companions = ["v", "v.gz", "properties", "properties.gz"].map(beside);
        let inputs: Vec<PathBuf> =
            companions.into_iter().flatten().chain([graph.clone()]).collect();
        OutputFile::beside(path, &inputs).map(|file| Some(Self(file)))
    }

    /// Writes a line for every vertex, ascending by id.
    pub(super) fn write<V: Display>(
        self,
        ids: &VertexIds,
        values: impl IntoIterator<Item = V>,
        parents: Option<&[u32]>,
    ) -> Result<(), Failure> {
        self.0.write(|out| write_lines(out, ids, values, parents))
    }
}

fn write_lines<V: Display>(
    out: &mut dyn Write,
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
    Ok(())
}
