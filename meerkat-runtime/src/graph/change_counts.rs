//! How much a graph has changed since its slab lists were laid out.

/// How many arcs changed since the lists were laid out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ChangeCounts {
    /// Arcs that the lists were laid out for.
    pub(super) laid_out: u64,
    pub(super) inserted: u64,
    pub(super) deleted: u64,
}

/// Batches too small to be worth a new layout.
const FEW: u64 = 1024;

impl ChangeCounts {
    /// Whether a new layout is worth its cost.
    pub(super) fn is_worth_compaction(&self) -> bool {
        let arcs = (self.laid_out + self.inserted).saturating_sub(self.deleted);
        self.deleted > arcs + FEW || arcs > 4 * self.laid_out + FEW
    }
}
