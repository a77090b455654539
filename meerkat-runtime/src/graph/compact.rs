//! Compaction: tombstones flushed, lists laid out anew for the degrees of today.

use super::adjacency::Adjacency;
use super::change_counts::ChangeCounts;
use super::options::{Compaction, Endpoint, SlabOptions};
use super::slab_graph::SlabGraph;
use crate::{Error, Weight};

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

impl<W: Weight> Adjacency<W> {
    /// The same edges in lists laid out anew.
    fn rebuilt(&self, options: &SlabOptions) -> Result<Self, Error> {
        let arcs = self.arcs()?;
        Self::build(self.device(), self.vertex_count(), &arcs, &[Endpoint::Source], options)
    }
}
