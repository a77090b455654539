//! The thresholds that are measured, with which values and on what.

use meerkat::runtime::Tuning;

/// A threshold.
pub(super) struct Threshold {
    pub(super) name: &'static str,
    pub(super) of: fn(&mut Tuning) -> &mut u32,
    pub(super) values: &'static [u32],
    /// The algorithms that it matters to.
    pub(super) algorithms: &'static [&'static str],
}

/// The threshold of a field: its values, and what it matters to.
macro_rules! threshold {
    ($field:ident, $values:expr, $algorithms:expr) => {
        Threshold {
            name: stringify!($field),
            of: |tuning| &mut tuning.$field,
            values: &$values,
            algorithms: $algorithms,
        }
    };
}

const LEVELS: &[&str] = &["bfs"];
const DISTANCES: &[&str] = &["sssp"];
const BOTH: &[&str] = &["bfs", "sssp"];

/// In this order: those that later ones build on come first.
pub(super) const THRESHOLDS: &[Threshold] = &[
    threshold!(rounds_ahead, [4, 8, 16, 32], BOTH),
    threshold!(threads_ahead, [1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15], BOTH),
    threshold!(large_level, [8, 16, 32, 64, 128], LEVELS),
    threshold!(forward_cost, [1, 2, 4, 8], LEVELS),
    threshold!(rounds_out_of_order, [2, 4, 8, 16, 32], DISTANCES),
    threshold!(idle_frontier, [1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15], DISTANCES),
    threshold!(pace, [0, 2, 4, 8, 16], LEVELS),
    threshold!(torn_levels, [4, 8, 16, 32, 64, 128], LEVELS),
    threshold!(torn_distances, [1, 2, 4, 8], DISTANCES),
    threshold!(torn_deep, [1, 2, 4, 8], LEVELS),
    threshold!(torn_cuts, [40, 80, 160, 320, 640], LEVELS),
];
