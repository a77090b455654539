//! How much a graph has changed since its slab lists were laid out.

/// How many arcs changed since the lists were laid out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ChangeCounts {
    /// Arcs that the lists were laid out for.
    pub(super) laid_out: u64,
    pub(super) inserted: u64,
    pub(super) deleted: u64,
    /// Of which sweeps have taken note.
    pub(super) swept: u64,
}

/// Batches too small to be worth a new layout.
const FEW: u64 = 1024;

impl ChangeCounts {
    /// How many arcs there are, about.
    pub(super) fn arcs(&self) -> u64 {
        (self.laid_out + self.inserted).saturating_sub(self.deleted)
    }

    /// How many arcs left that sweeps have not taken note of.
    pub(super) fn unswept(&self) -> u64 {
        self.deleted.saturating_sub(self.swept)
    }

    /// Whether the graph has become so much larger or smaller than what was laid out that all of it is
    /// worth a new layout.
    pub(super) fn is_worth_compaction(&self) -> bool {
        let arcs = self.arcs();
        arcs > 4 * self.laid_out + FEW || self.laid_out > 4 * arcs + FEW
    }
}
