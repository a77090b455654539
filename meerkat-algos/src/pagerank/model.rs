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

impl Default for Options {
    /// Damping 0.85, dead ends teleport, to an L1 change below 1e-12 in at most
    /// 1,000 steps.
    fn default() -> Self {
        let stop = Stop::Change { tolerance: 1e-12, norm: Norm::L1, max_iterations: 1000 };
        Options { damping: 0.85, dead_ends: DeadEnds::Teleport, stop }
    }
}

/// How ranks are brought up to date after a batch (Sahu, "DF* PageRank").
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
        /// The relative change of a rank from which on out-neighbours follow.
        frontier_tolerance: f64,
    },
    /// The same, and a vertex whose rank hardly changes rests until an
    /// in-neighbour changes.
    DynamicFrontierPruning {
        /// The relative change of a rank from which on out-neighbours follow.
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
}

/// What decides who is affected by the next step.
#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Bounds {
    /// Above this relative change out-neighbours are affected.
    pub frontier_tolerance: f64,
    /// Above this relative change the vertex itself is.
    pub prune_tolerance: f64,
    /// The mark of what is listed.
    pub round: u32,
}

/// Ranks, and how they were reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks<R> {
    /// The rank of each vertex; their sum is 1 up to rounding.
    pub ranks: Vec<R>,
    /// How many steps it took.
    pub iterations: u32,
    /// The L1 norm of the change of the last step.
    pub l1_last_step: f64,
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
