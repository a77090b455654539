//! A graph in numbers to watch.

use super::dynamic_graph::DynamicGraph;
use super::lists::EdgeLists;
use crate::Error;
use std::fmt;
use std::time::Duration;

/// What has happened to a graph since it was made. The host counts; nothing is asked of the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Batches that were applied.
    pub batches: u64,
    /// Batches that were refused, for whatever reason.
    pub refused: u64,
    /// Arcs that they brought; one that changes its weight leaves and comes.
    pub inserted: u64,
    /// Arcs that they took.
    pub deleted: u64,
    /// How often all lists were laid out anew.
    pub compactions: u64,
    /// How often the policy asked for that and there was no memory.
    pub put_off: u64,
    /// How often long lists were laid out again.
    pub layouts: u64,
    /// What all batches took, refused ones too, with the answers that follow and the upkeep.
    pub busy: Duration,
    /// What the longest took: the longest pause of who waits for a batch.
    pub longest: Duration,
    /// What compactions and layouts took of that, and those that were asked for.
    pub upkeep: Duration,
}

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
    /// What has happened.
    pub counters: Counters,
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
            counters: self.counters,
        })
    }
}

impl fmt::Display for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counters { batches, refused, inserted, deleted, compactions, .. } = self.counters;
        let Counters { put_off, layouts, busy, longest, upkeep, .. } = self.counters;
        let whole = [
            ("vertices", self.vertices),
            ("deleted_vertices", self.deleted_vertices),
            ("arcs", self.arcs),
            ("bytes", self.bytes),
            ("long_lists", self.has_long_lists.into()),
            ("batches_total", batches),
            ("batches_refused_total", refused),
            ("arcs_inserted_total", inserted),
            ("arcs_deleted_total", deleted),
            ("compactions_total", compactions),
            ("compactions_put_off_total", put_off),
            ("layouts_total", layouts),
        ];
        whole.iter().try_for_each(|(name, value)| writeln!(f, "meerkat_{name} {value}"))?;
        let times = [("busy", busy), ("longest_batch", longest), ("upkeep", upkeep)];
        times.iter().try_for_each(|(name, time)| {
            writeln!(f, "meerkat_{name}_seconds {}", time.as_secs_f64())
        })
    }
}
