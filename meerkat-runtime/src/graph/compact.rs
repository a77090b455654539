//! Compaction: tombstones flushed, lists laid out anew for the degrees of today.

use super::slab_graph::SlabGraph;
use crate::{Error, Weight};

/// When a graph is compacted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compaction {
    /// By [`SlabGraph::compact`] alone.
    OnDemand,
    /// Also by itself, at the end of a batch that leaves more tombstones than
    /// edges, or four times the edges that the lists were laid out for, and when
    /// an insertion finds no room; not while updates are tracked. If there is no memory
    /// for it, it is left for later.
    #[default]
    Automatic,
}

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
    fn is_worth_compaction(&self) -> bool {
        let arcs = (self.laid_out + self.inserted).saturating_sub(self.deleted);
        self.deleted > arcs + FEW || arcs > 4 * self.laid_out + FEW
    }
}

impl<W: Weight> SlabGraph<W> {
    /// Lays the slab lists out anew for the degrees of today: tombstones go, each
    /// vertex gets the buckets that its degree asks for, chains are as short as
    /// after a build, and what is left of the memory is given back. Edges,
    /// weights and degrees stay; tracked updates begin anew. Synchronises.
    ///
    /// Cost: a build, and memory for a second graph and a list of its edges
    /// meanwhile.
    ///
    /// # Errors
    /// No memory; the graph is as it was.
    pub fn compact(&mut self) -> Result<(), Error> {
        let options = *self.options();
        let out = self.out_edges().ok().map(|out| out.rebuilt(&options)).transpose()?;
        let into = match self.out_is_in() {
            true => None,
            false => self.in_edges().ok().map(|into| into.rebuilt(&options)).transpose()?,
        };
        self.replace(out, into);
        self.counts = ChangeCounts { laid_out: self.edge_count()?, ..ChangeCounts::default() };
        Ok(())
    }

    /// Makes room by compaction after an insertion found none, where the policy
    /// allows it and there are tombstones; else it is the error again.
    pub(super) fn compact_for_room(&mut self, error: Error) -> Result<(), Error> {
        let is_worth_it = self.is_compacted_by_policy() && self.counts.deleted > 0;
        if is_worth_it && self.compact().is_ok() { Ok(()) } else { Err(error) }
    }

    fn is_compacted_by_policy(&self) -> bool {
        let options = self.options();
        options.compaction == Compaction::Automatic && !options.track_updates
    }

    /// Compacts if the policy says so and memory allows it.
    pub(super) fn compact_by_policy(&mut self) {
        if self.is_compacted_by_policy()
            && self.counts.is_worth_compaction()
            && self.compact().is_err()
        {
            // Not before the graph has changed as much again.
            self.counts = ChangeCounts {
                laid_out: self.counts.laid_out + self.counts.inserted,
                ..ChangeCounts::default()
            };
        }
    }
}
