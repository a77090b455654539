//! Compaction: tombstones flushed, lists laid out anew for the degrees of today.

use super::change_counts::ChangeCounts;
use super::convert::{ARCS_AT_ONCE, copied};
use super::dynamic_graph::DynamicGraph;
use super::lists::EdgeLists;
use super::options::{Compaction, SlabOptions};
use crate::Error;
use std::time::Instant;

impl<L: EdgeLists> DynamicGraph<L> {
    /// Lays all lists out anew for the degrees of today: tombstones go, each
    /// vertex gets what its degree asks for, lists are as short as after a build, and what is left of
    /// the memory is given back. Edges, weights and degrees stay; tracked updates begin anew. Synchronises.
    ///
    /// Cost: a build, and meanwhile memory for a second graph and a list of up to 2^26 edges; in compact
    /// slabs a pass over the edges, and no list.
    ///
    /// # Errors
    /// No memory; the graph is as it was.
    pub fn compact(&mut self) -> Result<(), Error> {
        self.compact_in_parts(ARCS_AT_ONCE)
    }

    /// [`compact`](Self::compact) by way of lists of `most` arcs on the device.
    pub(super) fn compact_in_parts(&mut self, most: u64) -> Result<(), Error> {
        let (options, start, before) = (*self.options(), Instant::now(), self.bytes());
        let rebuilt = |lists: &L| rebuilt(lists, &options, most);
        let out = self.out_edges().ok().map(rebuilt).transpose()?;
        let into = match self.is_undirected() {
            true => None,
            false => self.in_edges().ok().map(rebuilt).transpose()?,
        };
        let updates = self.no_updates()?;
        let laid_out = self.edge_count()?;
        self.replace(out, into);
        self.updates = None;
        self.keep_updates(updates);
        self.counts = ChangeCounts { laid_out, ..ChangeCounts::default() };
        self.has_moved = true;
        self.counters.compactions += 1;
        self.counters.upkeep += start.elapsed();
        let (bytes, ms) = (self.bytes(), start.elapsed().as_secs_f64() * 1e3);
        tracing::info!(arcs = laid_out, bytes_before = before, bytes, ms, "compacted");
        Ok(())
    }

    /// Makes room by compaction after an insertion found none, where the policy
    /// allows it and there are tombstones; else, and of any other error, it is that again.
    pub(super) fn compact_for_room(&mut self, error: Error) -> Result<(), Error> {
        let is_worth_it =
            error.is_about_room() && self.is_compacted_by_policy() && self.counts.deleted > 0;
        if is_worth_it && self.compact().is_ok() { Ok(()) } else { Err(error) }
    }

    /// Lays the lists out again that insertions found long, unless there is no memory: then
    /// they stay, and are found again when they have grown. Synchronises where there are any.
    pub(super) fn lay_out_long_lists(&mut self) {
        if self.options().compaction != Compaction::Automatic {
            return;
        }
        if !self.orientations().any(L::has_long_lists) {
            return;
        }
        let start = Instant::now();
        let mut has_moved = false;
        // An error of the device shows at the next call; lists may have moved before.
        let laid_out = self.each_orientation(|lists, _| {
            if lists.has_long_lists() {
                has_moved |= lists.lay_out_long_lists()?;
            }
            Ok(())
        });
        self.counters.upkeep += start.elapsed();
        if laid_out.is_ok() && !has_moved {
            return;
        }
        self.has_moved = true;
        self.counters.layouts += 1;
        tracing::debug!(ms = start.elapsed().as_secs_f64() * 1e3, "long lists laid out again");
    }

    fn is_compacted_by_policy(&self) -> bool {
        let options = self.options();
        options.compaction == Compaction::Automatic && !options.track_updates
    }

    /// Compacts, or lays out long lists alone, if the policy says so and memory allows it.
    pub(super) fn compact_by_policy(&mut self) {
        if self.is_compacted_by_policy() && !self.counts.is_worth_compaction() {
            self.lay_out_long_lists();
            self.sweep_by_policy();
        }
        if self.is_compacted_by_policy()
            && self.counts.is_worth_compaction()
            && let Err(error) = self.compact()
        {
            self.counters.put_off += 1;
            tracing::warn!(%error, "compaction is put off");
            // Not before the graph has changed as much again.
            self.counts = ChangeCounts { laid_out: self.counts.arcs(), ..ChangeCounts::default() };
        }
    }
}

/// The same edges in lists laid out anew, by way of lists of `most` arcs.
fn rebuilt<L: EdgeLists>(lists: &L, options: &SlabOptions, most: u64) -> Result<L, Error> {
    let mut rebuilt: L = copied(lists.copied_degrees()?, lists.arg(), options, most)?;
    if options.track_updates {
        rebuilt.track_updates()?;
    }
    Ok(rebuilt)
}
