//! Sweeps: lists that take far more memory than their neighbours ask for are laid out again, some
//! vertices after others, so that no batch waits for the whole graph.
//!
//! ```text
//! arcs that left --waiting--> enough? --vertices next..next + n--> wasteful lists --lay out--> pool
//! ```

use super::change_counts::ChangeCounts;
use super::dynamic_graph::DynamicGraph;
use super::lists::{EdgeLists, Internal};
use crate::{Error, Vertex};
use std::ops::Range;
use std::time::Instant;

/// A sweep waits until so many arcs have left, in a large graph: what it costs is small then beside
/// what the batches cost.
const MOST_WAITING: u64 = 1 << 16;
/// The same in a small one: half of its vertices, and so many.
const FEW_WAITING: u64 = 1024;
/// A sweep looks at so many vertices, at most.
const MOST_VERTICES: u64 = 1 << 20;
/// A sweep lays out so many lists of an orientation, at most; of compact slabs so many hubs, and others beside
/// them.
pub(super) const MOST_LISTS: usize = 1 << 16;
/// The lists that a sweep lays out have so many arcs, unless there is one list alone; of compact slabs the hubs.
const MOST_ARCS: u64 = 1 << 22;

/// Keeps of some lists those that are laid out at once: one that is too long for that alone, or as
/// many of the others as fit.
pub(super) fn keep_at_once<T>(lists: &mut Vec<T>, degree: impl Fn(&T) -> u32) {
    let is_long = |list: &T| u64::from(degree(list)) > MOST_ARCS;
    if let Some(at) = lists.iter().position(is_long) {
        lists.swap(0, at);
        lists.truncate(1);
        return;
    }
    let mut arcs = 0;
    lists.retain(|list| {
        let with = arcs + u64::from(degree(list));
        let fits = with <= MOST_ARCS;
        arcs = if fits { with } else { arcs };
        fits
    });
}

impl ChangeCounts {
    /// How many vertices the next sweep is to look at: none before enough arcs have left.
    fn vertices_to_sweep(&self, vertices: u32) -> u32 {
        let waiting = self.unswept();
        match waiting < MOST_WAITING.min(u64::from(vertices) / 2 + FEW_WAITING) {
            true => 0,
            // An arc pays for a vertex.
            false => waiting.min(MOST_VERTICES).min(vertices.into()) as u32,
        }
    }
}

impl<L: EdgeLists> DynamicGraph<L> {
    /// Sweeps some vertices, if enough arcs have left since the last time. Where there is no
    /// memory, the lists stay, and are found again.
    pub(super) fn sweep_by_policy(&mut self) {
        let count = self.counts.vertices_to_sweep(self.vertex_count());
        if count == 0 {
            return;
        }
        self.counts.swept = self.counts.deleted;
        let first = if self.next_swept < self.vertex_count() { self.next_swept } else { 0 };
        let vertices = first..first.saturating_add(count).min(self.vertex_count());
        self.next_swept = vertices.end;
        let start = Instant::now();
        match self.sweep(vertices) {
            Ok(0) => {}
            Ok(lists) => {
                self.counters.layouts += 1;
                tracing::debug!(lists, ms = start.elapsed().as_secs_f64() * 1e3, "swept");
            }
            // An error of the device shows at the next call.
            Err(error) => tracing::warn!(%error, "lists stay as they are"),
        }
        self.counters.upkeep += start.elapsed();
    }

    /// Lays out the wasteful lists of some vertices: how many.
    fn sweep(&mut self, vertices: Range<Vertex>) -> Result<usize, Error> {
        let (mut lists_laid_out, mut failed) = (0, Ok(()));
        self.each_orientation(|lists, _| {
            // One that finds no memory does not cost the other its sweep.
            match lists.sweep(vertices.clone(), Internal::TOKEN) {
                Ok(count) => lists_laid_out += count,
                Err(error) => failed = Err(error),
            }
            Ok(())
        })?;
        // One that failed may have laid out some of its lists before.
        self.has_moved |= lists_laid_out > 0 || failed.is_err();
        failed.map(|()| lists_laid_out)
    }
}

#[cfg(test)]
mod tests;
