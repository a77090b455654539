//! PageRank: the stationary distribution of a surfer who follows out-edges and
//! now and then starts anew; static and dynamic.
//!
//! Result: `ranks[v]` with sum 1, in single or double precision.
//! Method: pull. In a step every vertex sums the shares of its in-neighbours as
//! they were before the step, until the change is within a tolerance.
//! Encoding: `shares[v]` is `v`'s rank by its out-degree, so that the sum over
//! in-edges reads one array.
//! Dead ends: their rank goes to all vertices, or every vertex has a self-loop.
//! After a batch: all vertices again, those that the changes reach, or a frontier
//! of those that still change.
//! Source: Meerkat, algorithms 5, 13 and 14; Sahu, "DF* PageRank:
//! Improved incrementally expanding approaches for updating PageRank on dynamic
//! graphs" (the dynamic methods, self-loops in closed form).

mod answers;
mod convergence;
mod distributed;
mod dynamic;
mod iterate;
mod model;
mod operators;
mod saved;
mod steps;

pub use distributed::PartOfRanks;
pub use dynamic::{PageRank, PageRankState};
use meerkat_runtime::ErrorKind;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
pub use model::{Bounds, DeadEnds, Method, Model, Norm, Options, Ranks, Stop};
use steps::Iteration;

/// The ranks of all vertices of a graph that keeps both orientations. A step
/// costs a pass over the in-edges; one that measures its change costs a pass over the
/// ranks besides, and synchronises.
///
/// # Errors
/// A damping outside [0, 1); an orientation that the graph does not keep; no
/// convergence within the steps allowed; the device fails.
pub fn ranks<R: Float, C: Container>(graph: &C, options: &Options) -> Result<Ranks<R>, Error> {
    check(options)?;
    let vertices = graph.vertex_count();
    if vertices == 0 {
        return Ok(Ranks { ranks: Vec::new(), iterations: 0, l1_last_step: 0.0, error_bound: 0.0 });
    }
    let model = Model::new(options, vertices);
    let mut iteration = Iteration::<R>::new(graph)?;
    iteration.restart(graph, model)?;
    let (iterations, last) = iteration.iterate_until_stop(graph, model, &options.stop)?;
    let error_bound = error_bound(options.damping, last.l1, iterations);
    let ranks = iteration.ranks.to_vec()?;
    Ok(Ranks { ranks, iterations, l1_last_step: last.l1, error_bound })
}

/// How far ranks are from the fixed point if the step to them made this change: what is
/// missing are the steps after it, each smaller by the damping. Without a step nothing is known: two lists of
/// ranks whose sum is 1 are no farther apart than 2.
pub(super) fn error_bound(damping: f64, l1_last_step: f64, iterations: u32) -> f64 {
    if iterations == 0 { 2.0 } else { l1_last_step * damping / (1.0 - damping) }
}

fn check(options: &Options) -> Result<(), Error> {
    if (0.0..1.0).contains(&options.damping) {
        return Ok(());
    }
    Err(ErrorKind::Damping { damping: options.damping }.into())
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    [operators::kernels(), answers::kernels(), distributed::kernels()].concat()
}
