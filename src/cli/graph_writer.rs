//! A generated graph in a format that the readers understand.

use std::io::{self, Write};
use std::path::Path;

use meerkat::runtime::generate::Generator;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::{Edge, Weight};

/// How a generated graph is written.
pub(super) struct GraphWriter<'a> {
    generator: &'a Generator,
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    MatrixMarket,
    Dimacs,
    /// Column names, then records between commas or tabs.
    Csv(char),
    /// Records between blanks.
    EdgeList,
}

impl<'a> GraphWriter<'a> {
    /// The format that the ending of `path` names, or why it does not hold the graph.
    pub(super) fn for_path(
        path: &Path,
        generator: &'a Generator,
        is_weighted: bool,
    ) -> Result<Self, String> {
        let plain = match ending(path) == "gz" {
            true => path.with_extension(""),
            false => path.to_owned(),
        };
        let format = match (ending(&plain).as_str(), is_weighted) {
            ("mtx", _) => Format::MatrixMarket,
            ("gr", true) => Format::Dimacs,
            ("wel", true) => Format::EdgeList,
            (ending @ ("gr" | "wel"), false) => {
                return Err(format!("arcs of a .{ending} file have weights; add --weighted"));
            }
            (ending @ ("e" | "v" | "graph" | "metis"), _) => {
                return Err(format!("graphs are not written as .{ending}; write .mtx"));
            }
            ("csv", _) => Format::Csv(','),
            ("tsv", _) => Format::Csv('\t'),
            _ => Format::EdgeList,
        };
        Ok(Self { generator, format })
    }

    /// Refuses vertices that the file would not have: an edge list has those of its edges.
    pub(super) fn check_vertices<W: Weight>(&self, edges: &[Edge<W>]) -> Result<(), String> {
        if matches!(self.format, Format::MatrixMarket | Format::Dimacs) {
            return Ok(());
        }
        let mut has_edge = vec![false; self.generator.vertices() as usize];
        for edge in edges {
            has_edge[edge.src as usize] = true;
            has_edge[edge.dst as usize] = true;
        }
        match has_edge.iter().filter(|&&has_edge| !has_edge).count() {
            0 => Ok(()),
            isolated => Err(format!(
                "{isolated} of {} vertices have no edge, and an edge list would lose them; write \
                 .mtx, or .gr with --weighted",
                has_edge.len()
            )),
        }
    }

    /// Writes the edges, each with what `number` makes of its weight.
    pub(super) fn write<W: Weight>(
        &self,
        to: &mut dyn Write,
        edges: &[Edge<W>],
        number: fn(W) -> Option<u32>,
    ) -> io::Result<()> {
        self.write_head::<W>(to, edges.len())?;
        for edge in edges {
            let (u, v, weight) = (edge.src, edge.dst, number(edge.weight));
            match (self.format, self.generator.direction()) {
                // A symmetric matrix is its lower triangle.
                (Format::MatrixMarket, Direction::Undirected) => {
                    record(to, "", ' ', from_one(u.max(v), u.min(v)), weight)?;
                }
                (Format::MatrixMarket, _) => record(to, "", ' ', from_one(u, v), weight)?,
                (Format::Dimacs, direction) => {
                    record(to, "a ", ' ', from_one(u, v), weight)?;
                    if direction == Direction::Undirected {
                        record(to, "a ", ' ', from_one(v, u), weight)?;
                    }
                }
                (Format::Csv(separator), _) => {
                    record(to, "", separator, (u.into(), v.into()), weight)?;
                }
                (Format::EdgeList, _) => record(to, "", ' ', (u.into(), v.into()), weight)?,
            }
        }
        Ok(())
    }

    fn write_head<W: Weight>(&self, to: &mut dyn Write, edges: usize) -> io::Result<()> {
        let (generator, n) = (self.generator, self.generator.vertices());
        let is_undirected = generator.direction() == Direction::Undirected;
        let further = if W::IS_WEIGHTED { Some("weight") } else { None };
        let names: Vec<_> = ["source", "target"].into_iter().chain(further).collect();
        match self.format {
            Format::MatrixMarket => {
                let field = if W::IS_WEIGHTED { "integer" } else { "pattern" };
                let symmetry = if is_undirected { "symmetric" } else { "general" };
                writeln!(to, "%%MatrixMarket matrix coordinate {field} {symmetry}")?;
                writeln!(to, "% {generator}")?;
                writeln!(to, "{n} {n} {edges}")
            }
            Format::Dimacs => {
                let arcs = if is_undirected { 2 * edges } else { edges };
                writeln!(to, "c {generator}")?;
                writeln!(to, "p sp {n} {arcs}")
            }
            Format::Csv(separator) => {
                if is_undirected {
                    writeln!(to, "# Undirected graph")?;
                }
                writeln!(to, "{}", names.join(&separator.to_string()))
            }
            Format::EdgeList => {
                let direction = if is_undirected { "Undirected" } else { "Directed" };
                writeln!(to, "# {direction} graph: {generator}")?;
                writeln!(to, "# {}", names.join(" "))
            }
        }
    }
}

/// Ids as formats have them that count from 1.
fn from_one(u: u32, v: u32) -> (u64, u64) {
    (u64::from(u) + 1, u64::from(v) + 1)
}

fn record(
    to: &mut dyn Write,
    mark: &str,
    separator: char,
    (u, v): (u64, u64),
    weight: Option<u32>,
) -> io::Result<()> {
    match weight {
        Some(weight) => writeln!(to, "{mark}{u}{separator}{v}{separator}{weight}"),
        None => writeln!(to, "{mark}{u}{separator}{v}"),
    }
}

fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}
