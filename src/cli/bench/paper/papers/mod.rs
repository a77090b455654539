//! What each paper measured and found. Its figures are copied from its tables and text; a comment
//! says from where.

mod awad;
mod awad_graphs;
mod dfp;
mod dfp_graphs;
mod hornet;
mod meerkat;
mod meerkat_graphs;

use super::experiment::{Paper, Stated, Theirs};

/// The papers, in the order of the help.
pub(super) static PAPERS: [&Paper; 4] =
    [&meerkat::PAPER, &awad::PAPER, &dfp::PAPER, &hornet::PAPER];

/// A figure that is the same everywhere.
const fn stated(what: &'static str, figure: f64) -> Stated {
    between(what, figure, figure)
}

/// A range.
const fn between(what: &'static str, least: f64, most: f64) -> Stated {
    Stated { what, least, most }
}

/// The paper's figures of a series on a graph.
const fn theirs(
    graph: &'static str,
    series: &'static str,
    points: &'static [(f64, f64)],
) -> Theirs {
    Theirs { graph, series, points }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::cli::bench::paper::experiment::Part;
    use crate::cli::bench::paper::outcome::MEAN;

    #[test]
    fn parts_have_different_numbers_and_figures_belong_to_graphs() {
        for paper in PAPERS {
            let parts: HashSet<_> =
                paper.experiments.iter().map(|experiment| experiment.part.to_string()).collect();
            assert_eq!(parts.len(), paper.experiments.len(), "{}", paper.name);
            for experiment in paper.experiments {
                let is_graph = |name: &str| {
                    let is_mean = name == MEAN && experiment.mean.is_some();
                    is_mean || experiment.graphs.iter().any(|graph| graph.name == name)
                };
                for theirs in experiment.theirs {
                    let part: Part = experiment.part;
                    assert!(is_graph(theirs.graph), "{}, {part}: {}", paper.name, theirs.graph);
                    assert!(theirs.points.iter().all(|(_, figure)| *figure > 0.0));
                }
            }
        }
    }
}
