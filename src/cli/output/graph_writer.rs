//! A graph in a format that the readers understand.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use meerkat::runtime::graph::Direction;

/// The records of a graph, and what its file says of them.
pub(in crate::cli) struct Records<'a> {
    /// A line of comment.
    pub(in crate::cli) title: String,
    pub(in crate::cli) vertices: u32,
    pub(in crate::cli) direction: Direction,
    pub(in crate::cli) sources: &'a [u32],
    pub(in crate::cli) targets: &'a [u32],
    pub(in crate::cli) weights: Option<&'a [f64]>,
    /// The time of a record, as text.
    pub(in crate::cli) times: Option<&'a dyn Fn(usize) -> String>,
    /// The id of a vertex, where a format does not count from 1.
    pub(in crate::cli) id: &'a dyn Fn(u32) -> String,
}

/// How a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum GraphFormat {
    MatrixMarket,
    Dimacs,
    /// Column names, then records between commas or tabs.
    Csv(char),
    /// Records between blanks.
    EdgeList,
}

impl GraphFormat {
    /// The format that the ending of `path` names, or why it does not hold the graph;
    /// `way_out` says how the graph gets weights.
    pub(in crate::cli) fn for_path(
        path: &Path,
        has_weights: bool,
        way_out: &str,
    ) -> Result<Self, String> {
        let plain = match ending(path) == "gz" {
            true => path.with_extension(""),
            false => path.to_owned(),
        };
        match (ending(&plain).as_str(), has_weights) {
            ("mtx", _) => Ok(Self::MatrixMarket),
            ("gr", true) => Ok(Self::Dimacs),
            ("wel", true) => Ok(Self::EdgeList),
            (ending @ ("gr" | "wel"), false) => {
                Err(format!("arcs of a .{ending} file have weights; {way_out}"))
            }
            (ending @ ("e" | "v" | "graph" | "metis"), _) => {
                Err(format!("graphs are not written as .{ending}; write .mtx"))
            }
            ("csv", _) => Ok(Self::Csv(',')),
            ("tsv", _) => Ok(Self::Csv('\t')),
            _ => Ok(Self::EdgeList),
        }
    }

    /// Its name, as reports have it.
    pub(in crate::cli) fn name(self) -> &'static str {
        match self {
            Self::MatrixMarket => "matrix-market",
            Self::Dimacs => "dimacs",
            Self::Csv(_) => "csv",
            Self::EdgeList => "edge-list",
        }
    }

    /// Whether it says how many vertices there are, and counts them from 1.
    fn declares_vertices(self) -> bool {
        matches!(self, Self::MatrixMarket | Self::Dimacs)
    }

    /// Refuses what the file would lose: times, and vertices without edges.
    pub(in crate::cli) fn check(self, records: &Records<'_>) -> Result<(), String> {
        if !self.declares_vertices() {
            return check_vertices(records);
        }
        match records.times {
            None => Ok(()),
            Some(_) => Err(format!(
                "a {} file has no times; write .csv or .txt, or skip the times with `--columns \
                 source,target,-`",
                self.name()
            )),
        }
    }

    /// Writes the graph.
    pub(in crate::cli) fn write(self, to: &mut dyn Write, records: &Records<'_>) -> io::Result<()> {
        self.write_head(to, records)?;
        let undirected = records.direction == Direction::Undirected;
        for (at, (&u, &v)) in records.sources.iter().zip(records.targets).enumerate() {
            match self {
                // A symmetric matrix is its lower triangle.
                Self::MatrixMarket if undirected => {
                    records.write(to, "", ' ', from_one(u.max(v), u.min(v)), at)?;
                }
                Self::MatrixMarket => records.write(to, "", ' ', from_one(u, v), at)?,
                Self::Dimacs => {
                    records.write(to, "a ", ' ', from_one(u, v), at)?;
                    if undirected {
                        records.write(to, "a ", ' ', from_one(v, u), at)?;
                    }
                }
                Self::Csv(separator) => {
                    records.write(to, "", separator, ((records.id)(u), (records.id)(v)), at)?;
                }
                Self::EdgeList => {
                    records.write(to, "", ' ', ((records.id)(u), (records.id)(v)), at)?;
                }
            }
        }
        Ok(())
    }

    fn write_head(self, to: &mut dyn Write, records: &Records<'_>) -> io::Result<()> {
        let Records { title, vertices, .. } = records;
        let count = records.sources.len();
        let is_undirected = records.direction == Direction::Undirected;
        let direction = if is_undirected { "Undirected" } else { "Directed" };
        match self {
            Self::MatrixMarket => {
                let symmetry = if is_undirected { "symmetric" } else { "general" };
                writeln!(to, "%%MatrixMarket matrix coordinate {} {symmetry}", records.field())?;
                writeln!(to, "% {title}")?;
                writeln!(to, "{vertices} {vertices} {count}")
            }
            Self::Dimacs => {
                let arcs = if is_undirected { 2 * count } else { count };
                writeln!(to, "c {title}")?;
                writeln!(to, "p sp {vertices} {arcs}")
            }
            Self::Csv(separator) => {
                if is_undirected {
                    writeln!(to, "# Undirected graph")?;
                }
                writeln!(to, "{}", records.columns().join(&separator.to_string()))
            }
            Self::EdgeList => {
                writeln!(to, "# {direction} graph: {title}")?;
                writeln!(to, "# {}", records.columns().join(" "))
            }
        }
    }
}

impl Records<'_> {
    fn columns(&self) -> Vec<&'static str> {
        let weight = self.weights.map(|_| "weight");
        let time = self.times.map(|_| "time");
        ["source", "target"].into_iter().chain(weight).chain(time).collect()
    }

    /// The kind of the entries of a matrix.
    fn field(&self) -> &'static str {
        match self.weights {
            None => "pattern",
            Some(weights) if weights.iter().all(|weight| weight.fract() == 0.0) => "integer",
            Some(_) => "real",
        }
    }

    fn write(
        &self,
        to: &mut dyn Write,
        mark: &str,
        separator: char,
        (u, v): (impl Display, impl Display),
        at: usize,
    ) -> io::Result<()> {
        write!(to, "{mark}{u}{separator}{v}")?;
        if let Some(weights) = self.weights {
            write!(to, "{separator}{}", weights[at])?;
        }
        if let Some(times) = self.times {
            write!(to, "{separator}{}", times(at))?;
        }
        writeln!(to)
    }
}

/// Refuses vertices that an edge list would not have: it has those of its edges.
fn check_vertices(records: &Records<'_>) -> Result<(), String> {
    let mut has_edge = vec![false; records.vertices as usize];
    for &end in records.sources.iter().chain(records.targets) {
        has_edge[end as usize] = true;
    }
    match has_edge.iter().filter(|&&has_edge| !has_edge).count() {
        0 => Ok(()),
        isolated => Err(format!(
            "{isolated} of {} vertices have no edge, and an edge list would lose them; write \
             .mtx, or .gr if there are weights",
            has_edge.len()
        )),
    }
}

/// Ids as formats have them that count from 1.
fn from_one(u: u32, v: u32) -> (u64, u64) {
    (u64::from(u) + 1, u64::from(v) + 1)
}

fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}
