//! Searches from a source: their options, the source, and the parents that they find.

use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use meerkat::algos::tree::UNREACHED;
use meerkat::runtime::Orientation;
use meerkat::runtime::read::{SimpleGraph, VertexIds};

use crate::cli::failure::Failure;
use crate::cli::input::{Input, VertexId};

/// What the user says of a search.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct SearchArgs {
    /// Vertex to start from: an id of the file; `lowest`, the smallest id with an out-edge; or
    /// `max-degree`, the largest out-degree, among equals the smallest id
    #[arg(
        long,
        short,
        value_name = "ID|lowest|max-degree",
        default_value = "lowest",
        allow_negative_numbers = true
    )]
    source: SourceRule,

    /// Find parents as well, a third column of --output
    #[arg(long)]
    tree: bool,
}

/// A search from a vertex.
pub(super) struct Search {
    pub(super) source: u32,
    /// Whether parents are asked for.
    pub(super) tree: bool,
}

impl Search {
    /// The arcs that a search needs.
    pub(super) fn orientation(deletes: bool) -> Orientation {
        // In-edges pay only where edges go.
        if deletes { Orientation::Both } else { Orientation::Out }
    }
}

/// The vertex to start from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum SourceRule {
    /// An id of the file.
    Id(String),
    /// The smallest id with an out-edge.
    Lowest,
    /// The largest out-degree, among equals the smallest id.
    MaxDegree,
}

impl FromStr for SourceRule {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "lowest" => Self::Lowest,
            "max-degree" => Self::MaxDegree,
            id => Self::Id(id.to_owned()),
        })
    }
}

impl SearchArgs {
    /// The search in the graph of the whole file.
    pub(super) fn search(&self, input: &Input) -> Result<Search, Failure> {
        Ok(Search { source: self.find(input)?, tree: self.tree })
    }

    fn find(&self, input: &Input) -> Result<u32, Failure> {
        let (graph, ids) = (&input.graph, input.ids());
        match &self.source {
            SourceRule::Id(id) => ids.vertex_named(id).ok_or_else(|| Failure::UnknownSource {
                graph: input.path.clone(),
                id: id.clone(),
                first: input.id(0).to_string(),
                last: input.id(ids.len() - 1).to_string(),
            }),
            SourceRule::Lowest => lowest(graph).ok_or_else(|| no_arcs(&input.path)),
            SourceRule::MaxDegree => max_degree(graph).ok_or_else(|| no_arcs(&input.path)),
        }
    }
}

/// The smallest vertex with an out-edge. Vertices ascend as their ids do.
fn lowest(graph: &SimpleGraph) -> Option<u32> {
    graph.sources.first().copied()
}

/// The smallest vertex of the largest out-degree.
fn max_degree(graph: &SimpleGraph) -> Option<u32> {
    let out_edges = graph.sources.chunk_by(|a, b| a == b);
    // Of equals `max_by_key` takes the last, so look from the end.
    out_edges.rev().max_by_key(|arcs| arcs.len()).map(|arcs| arcs[0])
}

fn no_arcs(path: &Path) -> Failure {
    Failure::NoArcs { graph: path.to_owned() }
}

/// A parent after the value of its child: its id, or -1.
pub(super) fn write_parent(parent: u32, ids: &VertexIds, to: &mut dyn Write) -> io::Result<()> {
    match parent {
        UNREACHED => write!(to, " -1"),
        parent => write!(to, " {}", VertexId::of(ids, parent).field()),
    }
}

/// Whether every parent is at the other end of an arc to its child that is tight, as
/// `is_tight(parent, child, arc)` says; the source is its own parent.
pub(super) fn check_parents(
    input: &Input,
    source: u32,
    parents: &[u32],
    is_tight: impl Fn(u32, u32, usize) -> bool,
) -> Result<(), String> {
    let graph = &input.graph;
    let mut is_confirmed: Vec<bool> = parents.iter().map(|&parent| parent == UNREACHED).collect();
    is_confirmed[source as usize] = parents[source as usize] == source;
    for (arc, (&u, &v)) in graph.sources.iter().zip(&graph.destinations).enumerate() {
        if parents[v as usize] == u && is_tight(u, v, arc) {
            is_confirmed[v as usize] = true;
        }
    }
    match is_confirmed.iter().position(|confirmed| !confirmed) {
        None => Ok(()),
        Some(child) => {
            let (child, parent) = (input.id(child as u32), input.id(parents[child]));
            Err(format!("vertex {child} has the parent {parent}, not on a shortest path to it"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(arcs: &[(u32, u32)]) -> SimpleGraph {
        let (sources, destinations) = arcs.iter().copied().unzip();
        SimpleGraph { n: 9, sources, destinations, weights: None, m_undirected: 0 }
    }

    #[test]
    fn the_rules_skip_vertices_without_out_edges_and_break_ties_downwards() {
        let graph = graph(&[(2, 0), (3, 0), (3, 1), (5, 3), (5, 4), (7, 1)]);
        assert_eq!(lowest(&graph), Some(2));
        assert_eq!(max_degree(&graph), Some(3));
    }

    #[test]
    fn without_arcs_the_rules_find_no_source() {
        assert_eq!(lowest(&graph(&[])), None);
        assert_eq!(max_degree(&graph(&[])), None);
    }

    #[test]
    fn a_source_is_an_id_or_one_of_two_rules() {
        assert_eq!("alice".parse(), Ok(SourceRule::Id("alice".to_owned())));
        assert_eq!("-5".parse(), Ok(SourceRule::Id("-5".to_owned())));
        assert_eq!("lowest".parse(), Ok(SourceRule::Lowest));
        assert_eq!("max-degree".parse(), Ok(SourceRule::MaxDegree));
    }
}
