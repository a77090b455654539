//! The vertex that a search starts from.

use std::path::Path;

use meerkat::runtime::read::{SimpleGraph, VertexIds};

use super::args::SourceArg;
use super::failure::Failure;
use super::input::Input;

/// The vertex that `source` names in a graph.
pub(super) fn find(source: SourceArg, input: &Input) -> Result<u32, Failure> {
    find_in(source, &input.path, &input.graph, &input.ids)
}

/// The vertex that `source` names in the graph of the file `path`.
pub(super) fn find_in(
    source: SourceArg,
    path: &Path,
    graph: &SimpleGraph,
    ids: &VertexIds,
) -> Result<u32, Failure> {
    match source {
        SourceArg::Id(id) => ids.vertex_of(id).ok_or_else(|| Failure::UnknownSource {
            graph: path.to_owned(),
            id,
            first: ids.id_of(0),
            last: ids.id_of(ids.len() - 1),
        }),
        SourceArg::Lowest => lowest(graph).ok_or_else(|| no_arcs(path)),
        SourceArg::MaxDegree => max_degree(graph).ok_or_else(|| no_arcs(path)),
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
}
