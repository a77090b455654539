//! What PageRank is asked for, and what it gives.

use meerkat_runtime::prelude::*;

/// Where the rank of a vertex without out-edges goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeadEnds {
    /// In equal parts to all vertices, as a random surfer who is stuck starts
    /// anew (Page et al.; what NetworkX, igraph and LDBC compute).
    #[default]
    Teleport,
    /// Every vertex has one more out-edge, to itself, so there is no dead end
    /// (the DF-P paper). The ranks are those of that graph.
    SelfLoops,
}

/// How the change of a step is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Norm {
    /// The sum of all changes.
    #[default]
    L1,
    /// The largest change.
    LInfinity,
}

/// When the iteration ends.
///
/// Ranks are within a tolerance if they are one step away from other ranks, and that step
/// changes them by less than the tolerance. Their distance from the fixed point, in the sum of
/// all changes, is then below `damping / (1 - damping)` times the sum of the step's changes:
/// see [`Ranks::error_bound`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// When a step changes the ranks by less than `tolerance`. It is an error if none of
    /// `max_iterations` steps does. Where all vertices take part, steps that are not
    /// expected to end the run do not measure their change: if the changes suddenly shrink
    /// faster, the run makes up to a third more steps than it needs.
    Change {
        /// The change that is small enough.
        tolerance: f64,
        /// How it is measured.
        norm: Norm,
        /// How many steps it may take.
        max_iterations: u32,
    },
    /// After exactly this many steps.
    Steps(u32),
}

/// How ranks are defined and when they are good enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The part of a rank that is passed on along edges; 0.85 is usual.
    pub damping: f64,
    /// Where the rank of dead ends goes.
    pub dead_ends: DeadEnds,
    /// When the iteration ends.
    pub stop: Stop,
}

impl Options {
    /// The same to an error: until no rank can be wrong by more, nor all of them together, which
    /// is what [`Ranks::error_bound`] says. It holds from scratch and after any number of batches,
    /// also where they make dead ends, and asks for more steps than most graphs need, about 25 at a
    /// damping of 0.85.
    /// Rounding comes on top: about 1e-13 in `f64`, and 1e-5 in `f32`.
    ///
    /// ```
    /// use meerkat_algos::pagerank::{Norm, Options, Stop};
    ///
    /// let Stop::Change { tolerance, norm, .. } = Options::default().to_error(1e-9).stop else {
    ///     unreachable!()
    /// };
    /// // The steps after one that changes the ranks by so much make up 5.7 times that.
    /// assert_eq!(norm, Norm::L1);
    /// assert!(tolerance > 1e-11 && tolerance < 2e-11);
    /// ```
    #[must_use]
    pub fn to_error(self, error: f64) -> Options {
        let max_iterations = match self.stop {
            Stop::Change { max_iterations, .. } => max_iterations,
            Stop::Steps(steps) => steps,
        };
        // Twice: the sum that ranks are divided by may be off by as much as they are. And what no
        // batch touched is divided by a smaller sum, where dead ends hold what they got before: of
        // `1 - damping`, at least.
        let untouched = (1.0 - self.damping) + self.damping / (1.0 - self.damping);
        let left_out = 2.0 * super::error_bound(self.damping, 1.0, 1) * untouched;
        let tolerance = error / left_out.max(1.0);
        Options { stop: Stop::Change { tolerance, norm: Norm::L1, max_iterations }, ..self }
    }
}

impl Default for Options {
    /// Damping 0.85, dead ends teleport, to an L1 change below 1e-12 in at most
    /// 1,000 steps.
    fn default() -> Self {
        let stop = Stop::Change { tolerance: 1e-12, norm: Norm::L1, max_iterations: 1000 };
        Options { damping: 0.85, dead_ends: DeadEnds::Teleport, stop }
    }
}

/// How ranks are brought up to date after a batch (Sahu, "DF* PageRank").
///
/// All keep the tolerance of [`Stop::Change`] over any number of batches. The local ones do
/// so without a pass over all vertices: a vertex remembers the rank that its out-neighbours
/// were last propagated. The rank that it then gets is compared with that one, not with the rank of
/// the step before, so small changes add up until they are propagated, and none is lost. Tolerances
/// of a method that would leave out more than [`Stop::Change`] allows count as what it allows.
/// Steps end once no rank changes by more than may be left out, also where a method would propagate smaller changes.
/// Where batches give the dead ends more rank than they had, what no batch touched may be off by
/// the tolerance divided by a sum below 1, `1 - damping` at least; [`Options::to_error`] counts on
/// that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// From scratch.
    Static,
    /// All vertices, from the ranks before.
    NaiveDynamic,
    /// Only vertices that the changed edges reach, from the ranks before.
    DynamicTraversal,
    /// At first only vertices with a changed in-edge, or an in-neighbour whose
    /// out-degree changed; then also the out-neighbours of those that change.
    DynamicFrontier {
        /// The relative change of a rank from which on out-neighbours follow, at most what
        /// the tolerance of [`Stop::Change`] allows.
        frontier_tolerance: f64,
    },
    /// The same, and a vertex whose rank hardly changes rests until an
    /// in-neighbour changes.
    DynamicFrontierPruning {
        /// The relative change of a rank from which on out-neighbours follow, at most what
        /// the tolerance of [`Stop::Change`] allows.
        frontier_tolerance: f64,
        /// The relative change of a rank up to which the vertex rests.
        prune_tolerance: f64,
    },
}

impl Method {
    /// The dynamic frontier with the paper's tolerance of 1e-6.
    pub const DF: Method = Method::DynamicFrontier { frontier_tolerance: 1e-6 };
    /// The dynamic frontier with pruning, with the paper's tolerances of 1e-6.
    pub const DF_P: Method =
        Method::DynamicFrontierPruning { frontier_tolerance: 1e-6, prune_tolerance: 1e-6 };

    /// Whether it needs to know the changed edges.
    pub(super) fn is_local(&self) -> bool {
        !matches!(self, Method::Static | Method::NaiveDynamic)
    }

    /// Whether it goes over to steps of all vertices where most are affected.
    pub(super) fn has_frontier(&self) -> bool {
        matches!(self, Method::DynamicFrontier { .. } | Method::DynamicFrontierPruning { .. })
    }
}

/// What decides who is affected by the next step.
#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Bounds {
    /// Up to this relative change nothing is propagated to out-neighbours.
    pub frontier_tolerance: f64,
    /// Up to this relative change the vertex itself rests.
    pub prune_tolerance: f64,
    /// Relative changes that may stay unpropagated, so that the tolerance is kept.
    pub residual: f64,
    /// Changes that may stay unpropagated, so that the tolerance is kept.
    pub most_residual: f64,
    /// Up to this relative change the numbers round.
    pub rounding: f64,
    /// The mark of what is listed.
    pub round: u32,
    /// How it is known that all changes may stay unpropagated, so that the steps end: 0 not at all, 1 from
    /// the step itself, 2 from the one before.
    pub ends: u32,
}

/// [`Bounds::ends`]: steps end when nobody is affected.
pub(super) const ENDS_NEVER: u32 = 0;
/// The step itself is measured.
pub(super) const ENDS_MEASURED: u32 = 1;
/// The step before said so: steps are made ahead of what the host knows, and not measured.
pub(super) const ENDS_AHEAD: u32 = 2;

impl Bounds {
    /// Every change may stay unpropagated.
    pub(super) const NONE: Bounds = Bounds {
        frontier_tolerance: f64::INFINITY,
        prune_tolerance: f64::INFINITY,
        residual: f64::INFINITY,
        most_residual: f64::INFINITY,
        rounding: 0.0,
        round: 0,
        ends: ENDS_NEVER,
    };

    /// What keeps the tolerance: see [`Method`].
    pub(super) fn of<R: Float>(options: &Options, model: &Model, vertices: u32) -> Self {
        let unit = if size_of::<R>() == 4 { f64::from(f32::EPSILON) } else { f64::EPSILON };
        let (mut residual, mut most_residual, mut ends) =
            (f64::INFINITY, f64::INFINITY, ENDS_MEASURED);
        let mut frontier_tolerance = f64::INFINITY;
        match options.stop {
            // Up to the part `damping` is unpropagated since all ranks were computed.
            Stop::Change { tolerance, norm: Norm::L1, .. } => {
                residual = tolerance * (1.0 - options.damping);
            }
            // Ranks are divided by their sum in the end, which is not below this.
            Stop::Change { tolerance, norm: Norm::LInfinity, .. } => {
                let least_sum = model.base * f64::from(vertices);
                most_residual =
                    if model.self_loops == 0 { tolerance * least_sum } else { tolerance };
            }
            Stop::Steps(_) => (frontier_tolerance, ends) = (0.0, ENDS_NEVER),
        }
        // Half a unit is off in every step, and what is off comes back as the damping says.
        let rounding = unit / (1.0 - options.damping);
        Bounds {
            frontier_tolerance: frontier_tolerance.min(residual),
            prune_tolerance: f64::NEG_INFINITY,
            residual,
            most_residual,
            rounding,
            round: 0,
            ends,
        }
    }
}

/// Ranks, and how they were reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks<R> {
    /// The rank of each vertex; their sum is 1 up to rounding.
    pub ranks: Vec<R>,
    /// How many steps it took.
    pub iterations: u32,
    /// The L1 norm of the change of the last step. Where a batch was followed locally, of the
    /// step of all vertices from the ranks that were propagated to their neighbours.
    pub l1_last_step: f64,
    /// How far the ranks are from the fixed point in the L1 norm, at most, up to rounding.
    pub error_bound: f64,
}

/// The equation as kernels see it: `rank[v] = base + dead_weight * rank of dead
/// ends + damping * received[v]`.
#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Model {
    /// What every vertex has whatever the edges.
    pub base: f64,
    /// The part of the dead ends' rank that every vertex gets.
    pub dead_weight: f64,
    /// The part of a rank that is passed on.
    pub damping: f64,
    /// How many loops every vertex has besides its edges: 0 or 1.
    pub self_loops: u32,
}

impl Model {
    pub(super) fn new(options: &Options, vertices: u32) -> Self {
        let n = f64::from(vertices);
        let (dead_weight, self_loops) = match options.dead_ends {
            DeadEnds::Teleport => (options.damping / n, 0),
            DeadEnds::SelfLoops => (0.0, 1),
        };
        let base = (1.0 - options.damping) / n;
        Model { base, dead_weight, damping: options.damping, self_loops }
    }

    /// Holds what the dead ends give where it is.
    pub(super) fn hold_dead_ends(&mut self, dead: f64) {
        self.base += self.dead_weight * dead;
        self.dead_weight = 0.0;
    }
}
