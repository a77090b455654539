//! Whether ranks are right: compared with the power iteration of plain code, or with others of ours.

use std::cmp::Ordering::{Equal, Less};
use std::rc::Rc;

use meerkat::algos::pagerank::{DeadEnds, Options, Ranks};
use meerkat::runtime::Float;

use crate::cli::algorithms::plain::{Answers, power_iteration, steps_to_the_end};
use crate::cli::bench::Reference;

/// What is allowed for rounding in the sum of all ranks.
const ROUNDING: f64 = 1e-13;

/// How far the ranks are from those computed from scratch, if that is not more than both may be
/// from the fixed point.
pub(in crate::cli) fn rank_error(
    followed: &Ranks<f64>,
    scratch: &Ranks<f64>,
    reference: Reference,
) -> Option<f64> {
    let differences = || followed.ranks.iter().zip(&scratch.ranks).map(|(a, b)| (a - b).abs());
    let sum = differences().sum::<f64>();
    let most = followed.error_bound + scratch.error_bound + ROUNDING;
    let error = match reference {
        Reference::SameTolerance => differences().fold(0.0, f64::max),
        Reference::FixedPoint => sum,
    };
    (sum <= most).then_some(error)
}

/// The ranks after so many steps, by plain code.
pub(super) fn ranks_after(answers: &Answers, options: &Options, steps: u32) -> Rc<Vec<f64>> {
    let Options { damping, dead_ends, .. } = options;
    let question = format!("ranks after {steps} steps, {dead_ends:?}, damping {damping}");
    answers.to(question, |graph| power_iteration(graph, options, steps))
}

/// Whether ranks are those of plain code after as many steps, and as near to the fixed point as they say.
pub(super) fn is_fixed_point(found: &Ranks<f64>, answers: &Answers, options: &Options) -> bool {
    let at_the_end = ranks_after(answers, options, steps_to_the_end(options.damping));
    let (expected, left) = match options.dead_ends {
        DeadEnds::Teleport => (ranks_after(answers, options, found.iterations), 0.0),
        DeadEnds::SelfLoops => (at_the_end.clone(), left_by(found, options.damping)),
    };
    let differences = found.ranks.iter().zip(&*at_the_end).map(|(a, b)| (a - b).abs());
    first_wrong(found, &expected, left).is_none()
        && differences.sum::<f64>() <= found.error_bound + ROUNDING
}

/// What the steps after the last one change a rank by, at most.
pub(super) fn left_by<R: Float>(found: &Ranks<R>, damping: f64) -> f64 {
    found.l1_last_step * damping / (1.0 - damping)
}

/// The first vertex whose rank is further from the one expected than rounding and `left` explain.
pub(super) fn first_wrong<R: Float>(found: &Ranks<R>, expected: &[f64], left: f64) -> Option<u32> {
    // Sums in another order: a rounding error for each of the summands.
    let unit = if size_of::<R>() == 4 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let rounding = unit * f64::from(found.iterations.max(1)) * 64.0;
    // What is no number is wrong, too.
    let is_wrong = |(found, expected): (&R, &f64)| {
        let most = rounding * expected + left + f64::EPSILON;
        !matches!((found.to_f64() - expected).abs().partial_cmp(&most), Some(Less | Equal))
    };
    if found.ranks.len() != expected.len() {
        return Some(found.ranks.len().min(expected.len()) as u32);
    }
    (0..).zip(found.ranks.iter().zip(expected)).find(|(_, ranks)| is_wrong(*ranks)).map(|(v, _)| v)
}
