//! A graph in numbers to watch.

use super::counters::Counters;
use super::dynamic_graph::DynamicGraph;
use super::lists::EdgeLists;
use crate::Error;
use crate::cuda::ImageCounters;
use std::fmt;

/// A graph in numbers: made by [`DynamicGraph::metrics`]. Shown, it is a line for each, as
/// Prometheus reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metrics {
    /// Ids of vertices, those of deleted ones included.
    pub vertices: u64,
    /// Of which are deleted.
    pub deleted_vertices: u64,
    /// Arcs, as [`DynamicGraph::edge_count`] counts them.
    pub arcs: u64,
    /// Bytes of device memory of the lists.
    pub bytes: u64,
    /// Whether lists are known to be long, and wait for a new layout.
    pub has_long_lists: bool,
    /// About how many arcs left since a sweep last began, or a compaction: upkeep that waits. Where no
    /// policy sweeps, with [`Compaction::OnDemand`](super::Compaction::OnDemand) or while updates are
    /// tracked, all since the last compaction.
    pub unswept_arcs: u64,
    /// What has happened.
    pub counters: Counters,
    /// Where the compiled kernels of its device came from, for whatever graph they were.
    pub kernels: ImageCounters,
}

impl<L: EdgeLists> DynamicGraph<L> {
    /// What has happened to the graph. Free.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The graph in numbers. Synchronises.
    ///
    /// Cost: a sum over the vertices. How full the lists are, their
    /// [`statistics`](super::Adjacency::statistics) say, for a pass over the graph.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn metrics(&self) -> Result<Metrics, Error> {
        Ok(Metrics {
            vertices: self.vertex_count().into(),
            deleted_vertices: self.ids.deleted_count().into(),
            arcs: self.edge_count()?,
            bytes: self.bytes(),
            has_long_lists: self.orientations().any(L::has_long_lists),
            unswept_arcs: self.counts.unswept(),
            counters: self.counters,
            kernels: self.device().kernel_counters(),
        })
    }
}

impl fmt::Display for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counters { batches, refused, inserted, deleted, compactions, .. } = self.counters;
        let Counters { put_off, layouts, busy, longest, upkeep, .. } = self.counters;
        let ImageCounters { bundled, cached, compiled, not_kept, evicted, bytes, .. } =
            self.kernels;
        let whole = [
            ("vertices", self.vertices),
            ("deleted_vertices", self.deleted_vertices),
            ("arcs", self.arcs),
            ("bytes", self.bytes),
            ("long_lists", self.has_long_lists.into()),
            ("unswept_arcs", self.unswept_arcs),
            ("batches_total", batches),
            ("batches_refused_total", refused),
            ("arcs_inserted_total", inserted),
            ("arcs_deleted_total", deleted),
            ("compactions_total", compactions),
            ("compactions_put_off_total", put_off),
            ("layouts_total", layouts),
            ("kernels_bundled_total", bundled),
            ("kernels_cached_total", cached),
            ("kernels_compiled_total", compiled),
            ("kernels_not_kept_total", not_kept),
            ("kernel_cache_evicted_total", evicted),
            ("kernel_bytes_total", bytes),
        ];
        whole.iter().try_for_each(|(name, value)| writeln!(f, "meerkat_{name} {value}"))?;
        let times = [("busy", busy), ("longest_batch", longest), ("upkeep", upkeep)];
        times.iter().try_for_each(|(name, time)| {
            writeln!(f, "meerkat_{name}_seconds {}", time.as_secs_f64())
        })
    }
}
