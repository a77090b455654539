//! The figures of `meerkat bench updates` and `memory`, as JSON and as tables.

use std::fmt;

use meerkat::runtime::graph::Statistics;
use meerkat::runtime::{EdgeLists, Error, Weight};
use serde::Serialize;

use crate::cli::container::DynamicContainer;

/// Everything that was measured of updates.
#[derive(Debug, Serialize)]
pub(super) struct UpdateFigures {
    pub(super) weights: &'static str,
    pub(super) load_factor: f32,
    #[serde(skip_serializing_if = "DynamicContainer::is_default")]
    pub(super) container: DynamicContainer,
    pub(super) build: EdgeRate,
    pub(super) memory: MemoryFigures,
    pub(super) batches: Vec<BatchFigures>,
    pub(super) vertices: Vec<VertexFigures>,
}

/// The median time of something done to edges.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct EdgeRate {
    pub(super) ms: f64,
    pub(super) medge_per_s: f64,
}

impl EdgeRate {
    pub(super) fn new(ms: f64, edges: u64) -> Self {
        Self { ms, medge_per_s: edges as f64 / ms.max(1e-9) / 1e3 }
    }
}

/// The median time of something done to vertices.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct VertexRate {
    ms: f64,
    pub(super) mvertex_per_s: f64,
}

impl VertexRate {
    pub(super) fn new(ms: f64, vertices: u32) -> Self {
        Self { ms, mvertex_per_s: f64::from(vertices) / ms.max(1e-9) / 1e3 }
    }
}

/// The times of batches of one size.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct BatchFigures {
    pub(super) updates: u32,
    pub(super) insert: EdgeRate,
    pub(super) query: EdgeRate,
    pub(super) miss: EdgeRate,
    pub(super) delete: EdgeRate,
    #[serde(flatten)]
    pub(super) exact: Option<ExactFigures>,
}

/// The times of batches that say what they changed.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct ExactFigures {
    pub(super) apply: EdgeRate,
    pub(super) apply_device: EdgeRate,
    pub(super) apply_pinned: EdgeRate,
}

/// The time to delete this number of vertices at once, with this number of arcs.
#[derive(Debug, Serialize)]
pub(super) struct VertexFigures {
    pub(super) vertices: u32,
    pub(super) edges: u64,
    pub(super) delete: VertexRate,
}

/// The memory of the graph as built, beside compressed sparse rows.
#[derive(Debug, Serialize)]
pub(super) struct MemoryFigures {
    #[serde(skip)]
    pub(super) edges: u64,
    pub(super) bytes: u64,
    pub(super) csr_bytes: u64,
    pub(super) bytes_per_edge: f64,
    pub(super) csr_bytes_per_edge: f64,
    pub(super) occupancy: f64,
    pub(super) mean_chain: f64,
    longest_chain: u64,
    slabs: u64,
    #[serde(flatten)]
    pub(super) heads: Option<HeadFigures>,
}

/// The memory of slab lists by first slabs and further ones.
#[derive(Debug, Serialize)]
pub(super) struct HeadFigures {
    pub(super) bytes_of_heads: u64,
    pub(super) bytes_of_heads_allocated_singly: u64,
    pub(super) bytes_of_linked_slabs: u64,
}

impl HeadFigures {
    fn of(found: &Statistics) -> Self {
        HeadFigures {
            bytes_of_heads: 128 * found.slab_lists,
            bytes_of_heads_allocated_singly: found.bytes_allocated_singly,
            bytes_of_linked_slabs: 128 * (found.slabs - found.slab_lists),
        }
    }
}

impl MemoryFigures {
    pub(super) fn of<L: EdgeLists>(lists: &L, container: DynamicContainer) -> Result<Self, Error> {
        let found = lists.statistics()?;
        // 32-bit offsets if they suffice, 32-bit neighbours, and weights if there are any.
        let words = if L::Carried::IS_WEIGHTED { 2 } else { 1 };
        let offset = if found.edges < 1 << 32 { 4 } else { 8 };
        let csr_bytes = offset * (found.vertices + 1) + 4 * words * found.edges;
        Ok(Self {
            edges: found.edges,
            bytes: found.bytes,
            csr_bytes,
            bytes_per_edge: found.bytes_per_edge(),
            csr_bytes_per_edge: csr_bytes as f64 / found.edges.max(1) as f64,
            occupancy: found.occupancy(),
            mean_chain: found.mean_chain(),
            longest_chain: found.longest_chain,
            slabs: found.slabs,
            heads: (container == DynamicContainer::Slabs).then(|| HeadFigures::of(&found)),
        })
    }
}

impl fmt::Display for UpdateFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let build = &self.build;
        writeln!(f, "build     {:.2} ms, {:.0} MEdge/s", build.ms, build.medge_per_s)?;
        if !self.batches.is_empty() {
            let names = ["insert", "query", "miss", "delete", "apply", "device", "pinned"];
            write!(f, "{:>9}", "MEdge/s")?;
            names.iter().try_for_each(|name| write!(f, " {name:>9}"))?;
            writeln!(f)?;
        }
        for batch in &self.batches {
            let BatchFigures { updates, insert, query, miss, delete, exact } = batch;
            write!(f, "{updates:>9}")?;
            let exact = exact.map(|of| [of.apply, of.apply_device, of.apply_pinned]);
            let rates =
                [*insert, *query, *miss, *delete].into_iter().chain(exact.into_iter().flatten());
            rates.into_iter().try_for_each(|rate| write!(f, " {:>9.0}", rate.medge_per_s))?;
            writeln!(f)?;
        }
        for VertexFigures { vertices, edges, delete } in &self.vertices {
            writeln!(
                f,
                "{vertices} vertices with {edges} arcs deleted in {:.2} ms, {:.1} MVertex/s",
                delete.ms, delete.mvertex_per_s,
            )?;
        }
        Ok(())
    }
}
