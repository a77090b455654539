//! PageRank by the power iteration.

use meerkat::algos::pagerank::{DeadEnds, Options};
use meerkat::runtime::read::SimpleGraph;
use rayon::prelude::*;

use super::{Rows, firsts};

/// Steps after which the power iteration is at its end, as far as doubles tell: what is missing
/// shrinks by the damping in each.
pub(in crate::cli::algorithms) fn steps_to_the_end(damping: f64) -> u32 {
    (1e-18f64.ln() / damping.max(0.1).ln()).ceil() as u32
}

/// The ranks after `steps` steps of the power iteration, in double precision.
pub(in crate::cli::algorithms) fn power_iteration(
    graph: &SimpleGraph,
    options: &Options,
    steps: u32,
) -> Vec<f64> {
    let (out, into) = (Rows::new(graph), Incoming::new(graph));
    let (n, damping) = (out.len() as f64, options.damping);
    let has_loops = options.dead_ends == DeadEnds::SelfLoops;
    let degrees: Vec<_> =
        (0..out.len()).map(|v| out.arcs(v).len() + usize::from(has_loops)).collect();
    let dead: Vec<_> = (0..out.len()).filter(|&v| degrees[v] == 0).collect();
    let mut ranks = vec![1.0 / n; out.len()];
    for _ in 0..steps {
        let at_dead_ends = dead.iter().map(|&v| ranks[v]).sum::<f64>();
        let shares: Vec<_> =
            ranks.par_iter().zip(&degrees).map(|(rank, &degree)| rank / degree as f64).collect();
        let base = (1.0 - damping) / n + damping * at_dead_ends / n;
        ranks.par_iter_mut().enumerate().for_each(|(v, rank)| {
            let own = if has_loops { shares[v] } else { 0.0 };
            let sum = into.of(v).iter().fold(own, |sum, &u| sum + shares[u as usize]);
            *rank = base + damping * sum;
        });
    }
    ranks
}

/// The sources of arcs by their destination.
struct Incoming {
    first: Vec<usize>,
    sources: Vec<u32>,
}

impl Incoming {
    fn new(graph: &SimpleGraph) -> Self {
        let first = firsts(graph.n, &graph.destinations);
        let (mut next, mut sources) = (first.clone(), vec![0; graph.sources.len()]);
        for (&u, &v) in graph.sources.iter().zip(&graph.destinations) {
            sources[next[v as usize]] = u;
            next[v as usize] += 1;
        }
        Self { first, sources }
    }

    fn of(&self, vertex: usize) -> &[u32] {
        &self.sources[self.first[vertex]..self.first[vertex + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_vertices_share_what_a_dead_end_has() {
        let graph = SimpleGraph {
            n: 2,
            sources: vec![0],
            destinations: vec![1],
            weights: None,
            m_undirected: 1,
        };
        for (dead_ends, first) in
            [(DeadEnds::Teleport, 20.0 / 57.0), (DeadEnds::SelfLoops, 3.0 / 23.0)]
        {
            let options = Options { dead_ends, ..Options::default() };
            let ranks = power_iteration(&graph, &options, steps_to_the_end(options.damping));
            assert!((ranks[0] - first).abs() < 1e-15, "{dead_ends:?}: {ranks:?}");
            assert!((ranks[0] + ranks[1] - 1.0).abs() < 1e-15, "{dead_ends:?}: {ranks:?}");
        }
    }
}
