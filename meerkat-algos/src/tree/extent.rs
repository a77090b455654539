//! How far a search went when it was computed: what computing it again would cost.

use meerkat_runtime::Tuning;

/// Fewer vertices never have levels computed again: both cost launches alone.
pub(super) const FEW: u32 = 1 << 12;

/// What a search from scratch found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// How many levels.
    pub(crate) levels: u32,
    /// How many vertices on them.
    pub(crate) reached: u64,
}

impl Extent {
    /// Whether a relaxation that has visited so many vertices, each as often as it got nearer, in so many
    /// rounds is too slow to go on with.
    ///
    /// It may take as many rounds as there are levels: then each is to have about as many vertices as a level.
    /// (After ten thousand insertions on the roads of Florida each round has ten times as many, and there are as
    /// many rounds. On a grid it has twice as many, and following is faster.)
    pub(super) fn is_outpaced(self, rounds: u32, visited: u64, tuning: &Tuning) -> bool {
        let least = u64::from(FEW).max(self.reached / 16);
        let [levels, rounds, pace] = [self.levels, rounds, tuning.pace].map(u128::from);
        let [visits, reached] = [visited, self.reached].map(u128::from);
        pace > 0 && visited >= least && visits * levels > pace * rounds * reached
    }

    /// Whether cuts at so many edges of the tree tear off most of it: a vertex hangs on as many edges as its
    /// level says, half of all levels on average.
    pub(super) fn is_torn_by(self, cuts: u32) -> bool {
        self.reached >= FEW.into() && u64::from(cuts) * u64::from(self.levels / 2) >= self.reached
    }

    /// Whether passes over all vertices cost more than a search of these.
    pub(super) fn is_small_in(self, vertices: u32) -> bool {
        self.reached < u64::from(vertices / 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The roads of Florida, 10,000 edges inserted, and a grid of as many vertices.
    #[test]
    fn a_wave_over_roads_is_outpaced_and_one_over_a_grid_is_not() {
        let roads = Extent { levels: 1984, reached: 796_578 };
        let of = |rounds, visited| roads.is_outpaced(rounds, visited, &Tuning::DEFAULT);
        assert!(of(32, 170_000), "ten times as many as a level has");
        assert!(!of(5, 27_000), "it has only begun");
        assert!(!of(1600, 800_000), "as many as levels have");
        let never = Tuning { pace: 0, ..Tuning::DEFAULT };
        assert!(!roads.is_outpaced(32, 170_000, &never));
        let grid = Extent { levels: 1797, reached: 1_048_537 };
        assert!(!grid.is_outpaced(107, 110_000, &Tuning::DEFAULT));
        let shallow = Extent { levels: 8, reached: 2_000_000 };
        assert!(!shallow.is_outpaced(2, 900_000, &Tuning::DEFAULT));
        let tiny = Extent { levels: 1000, reached: 1000 };
        assert!(!tiny.is_outpaced(1, 4000, &Tuning::DEFAULT));
    }

    #[test]
    fn cuts_tear_a_deep_tree_off_and_not_a_shallow_one() {
        let roads = Extent { levels: 1984, reached: 796_578 };
        assert!(roads.is_torn_by(8000) && !roads.is_torn_by(800));
        assert!(!Extent { levels: 8, reached: 796_578 }.is_torn_by(8000));
        assert!(!Extent { levels: 1000, reached: 4000 }.is_torn_by(8000), "a small one");
        assert!(roads.is_small_in(1 << 23) && !roads.is_small_in(1_070_376));
    }
}
