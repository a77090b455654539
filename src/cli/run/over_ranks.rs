//! A run over ranks: each brings a part of the graph.

use meerkat::runtime::communicator::{Communicator, communicator_on};
use meerkat::runtime::distributed::{DistributedGraph, RankStatistics};
use meerkat::runtime::{Edge, EdgeLists, Error, SlabOptions, Weight};

use crate::cli::algorithms::Algorithm;
use crate::cli::args::Ranks;
use crate::cli::timing::{Span, timed};

/// What a run over ranks came to.
pub(super) struct OverRanks<T> {
    /// None if the algorithm does not run over ranks.
    pub(super) answer: Option<T>,
    pub(super) build: Span,
    /// Of each trial.
    pub(super) runs: Vec<Span>,
    pub(super) statistics: RankStatistics,
}

/// Builds a distributed graph and computes as often as asked: the last answer, and the times of rank 0,
/// which has waited for the others.
pub(super) fn compute_over_ranks<L: EdgeLists<Carried = W>, W: Weight, A: Algorithm<W>>(
    ranks: &Ranks,
    (vertices, edges, options): (u32, &[Edge<W>], &SlabOptions),
    algorithm: &A,
    trials: usize,
) -> Result<OverRanks<A::Answer>, Error> {
    let mut results = ranks.run(|own, device| {
        let (rank, count) = (own.rank(), own.size());
        let communicator = communicator_on(own, device)?;
        let own = &edges[edges.len() * rank / count..edges.len() * (rank + 1) / count];
        let ownership = ranks.ownership();
        let (graph, build) = timed(device, || {
            DistributedGraph::<L>::from_edges(
                communicator,
                device,
                vertices,
                own,
                options,
                ownership,
            )
        })?;
        let (part, mut runs, mut answer) = (graph.part()?, Vec::new(), None);
        while runs.len() < trials {
            graph.communicator().barrier()?;
            let compute = || algorithm.compute_over_ranks(&part).transpose();
            let (found, span) = timed(device, compute)?;
            runs.push(span);
            answer = found;
        }
        let statistics = graph.rank_statistics()?;
        Ok(OverRanks { answer, build, runs, statistics })
    })?;
    // All ranks have the whole answer: the first's is as good as any.
    Ok(results.swap_remove(0))
}
