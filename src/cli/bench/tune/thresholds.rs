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

const LEVELS: &[&str] = &["bfs"];
const DISTANCES: &[&str] = &["sssp"];
const BOTH: &[&str] = &["bfs", "sssp"];

/// In this order: those that later ones build on come first.
pub(super) const THRESHOLDS: &[Threshold] = &[
    Threshold {
        name: "rounds_ahead",
        of: |tuning| &mut tuning.rounds_ahead,
        values: &[4, 8, 16, 32],
        algorithms: BOTH,
    },
    Threshold {
        name: "threads_ahead",
        of: |tuning| &mut tuning.threads_ahead,
        values: &[1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15],
        algorithms: BOTH,
    },
    Threshold {
        name: "large_level",
        of: |tuning| &mut tuning.large_level,
        values: &[8, 16, 32, 64, 128],
        algorithms: LEVELS,
    },
    Threshold {
        name: "forward_cost",
        of: |tuning| &mut tuning.forward_cost,
        values: &[1, 2, 4, 8],
        algorithms: LEVELS,
    },
    Threshold {
        name: "rounds_out_of_order",
        of: |tuning| &mut tuning.rounds_out_of_order,
        values: &[2, 4, 8, 16, 32],
        algorithms: DISTANCES,
    },
    Threshold {
        name: "idle_frontier",
        of: |tuning| &mut tuning.idle_frontier,
        values: &[1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15],
        algorithms: DISTANCES,
    },
    Threshold {
        name: "wave",
        of: |tuning| &mut tuning.wave,
        values: &[0, 8, 16, 32, 64, 128],
        algorithms: LEVELS,
    },
    Threshold {
        name: "torn_levels",
        of: |tuning| &mut tuning.torn_levels,
        values: &[4, 8, 16, 32, 64, 128],
        algorithms: LEVELS,
    },
    Threshold {
        name: "torn_distances",
        of: |tuning| &mut tuning.torn_distances,
        values: &[1, 2, 4, 8],
        algorithms: DISTANCES,
    },
    Threshold {
        name: "torn_deep",
        of: |tuning| &mut tuning.torn_deep,
        values: &[1, 2, 4, 8],
        algorithms: LEVELS,
    },
    Threshold {
        name: "torn_cuts",
        of: |tuning| &mut tuning.torn_cuts,
        values: &[40, 80, 160, 320, 640],
        algorithms: LEVELS,
    },
];
