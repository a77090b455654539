//! Weakly connected components: static, incremental and decremental.
//!
//! Result: `labels[v]` is the smallest vertex of `v`'s component, where an arc
//! connects whatever its direction.
//! Method: union-find over all arcs at once, without locks (union-async).
//! Encoding: `parent[v]` is a vertex of the same component that is not larger,
//! and a root is its own parent; a root hooks under a smaller one by one
//! `compare_and_swap`, and every search halves the path that it walks.
//! Source: Meerkat, section 6.4; Jayanti and Tarjan, "Concurrent disjoint set
//! union" (the union); Sutton et al., "Optimizing parallel graph connectivity
//! computation via subgraph sampling".

mod distributed;
mod dynamic;
mod forest;
mod incremental;
mod operators;
mod saved;

pub use distributed::RankComponents;
pub use dynamic::{Components, ComponentsState};
pub use incremental::{IncrementalComponents, IncrementalState, Scheme};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use operators::flatten;

/// The smallest vertex of each vertex's component, over any container. Synchronises twice.
///
/// Cost: two edges of every vertex, and all edges of those whom these do not
/// connect with most others; all edges of all where the graph keeps no in-edges.
///
/// # Errors
/// No memory; the device fails.
pub fn labels<C: Container>(graph: &C) -> Result<Vec<u32>, Error> {
    let (device, vertices) = (graph.device(), graph.vertex_count());
    let parent = DeviceBuffer::<Atomic<u32>>::zeroed(device, vertices as usize)?;
    forest::grow(graph, &parent, &Frontiers::new(device, vertices, &[])?)?;
    flatten::launch(device, 0..vertices, &parent)?;
    parent.to_vec()
}

/// Components in figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many there are; an isolated vertex is one.
    pub count: u32,
    /// Vertices of the largest.
    pub largest: u32,
}

/// The figures of [`labels`]: a pass over them on the host.
pub fn summary(labels: &[u32]) -> Summary {
    let mut sizes = vec![0u32; labels.len()];
    labels.iter().for_each(|&label| sizes[label as usize] += 1);
    let count = sizes.iter().filter(|&&size| size > 0).count() as u32;
    Summary { count, largest: sizes.into_iter().max().unwrap_or(0) }
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    [operators::kernels(), distributed::kernels()].concat()
}
