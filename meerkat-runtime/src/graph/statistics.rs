//! How full a graph is, in the terms of the papers' figures.

use super::adjacency::Adjacency;
use crate::device::DeviceBuffer;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{EMPTY_KEY, Graph, NEXT_LANE, NULL_SLAB, TOMBSTONE_KEY};
use crate::view::Atomic;
use crate::{Error, Vertex, Weight};
use meerkat_macros::kernel;

/// How full one orientation of a graph is (Awad et al., section 6: chain length,
/// memory utilisation).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Vertices, those without edges included.
    pub vertices: u64,
    /// Edges: keys that are neither empty nor deleted.
    pub edges: u64,
    /// Places of deleted edges.
    pub tombstones: u64,
    /// Slab lists; each begins with a slab of its own.
    pub slab_lists: u64,
    /// Slabs in lists.
    pub slabs: u64,
    /// Slabs that there is memory for.
    pub slab_capacity: u64,
    /// The most slabs in one list.
    pub longest_chain: u64,
    /// Places for keys in the slabs in lists.
    pub places: u64,
    /// Bytes that the first slabs of all lists would take if each vertex had an
    /// allocation of its own, in CUDA's units of 512 bytes (Meerkat, table 5).
    pub bytes_allocated_singly: u64,
    /// Bytes of device memory: slabs, dictionary, degrees, pool, update marks.
    pub bytes: u64,
}

impl Statistics {
    /// Slabs a list, on average.
    pub fn mean_chain(&self) -> f64 {
        self.slabs as f64 / self.slab_lists.max(1) as f64
    }

    /// The part of the places that hold edges: memory utilisation.
    pub fn occupancy(&self) -> f64 {
        self.edges as f64 / self.places.max(1) as f64
    }

    /// The part of the taken places that are tombstones.
    pub fn tombstone_share(&self) -> f64 {
        self.tombstones as f64 / (self.edges + self.tombstones).max(1) as f64
    }

    /// Bytes an edge, everything included; 0 without edges.
    pub fn bytes_per_edge(&self) -> f64 {
        if self.edges == 0 { 0.0 } else { self.bytes as f64 / self.edges as f64 }
    }
}

/// Where [`collect_statistics`] sums.
const EDGES: u32 = 0;
const TOMBSTONES: u32 = 1;
const SLABS: u32 = 2;
const LISTS: u32 = 3;
const UNITS: u32 = 4;

/// Counts what the slab lists hold: a warp takes its lanes' vertices in turn, a
/// lane each of a vertex's lists.
#[kernel]
fn collect_statistics<W: Weight>(
    graph: &Graph<W>,
    totals: &[Atomic<u64>],
    longest: &[Atomic<u32>],
) {
    let v = thread_id();
    let mut edges: u64 = 0;
    let mut tombstones: u64 = 0;
    let mut slabs: u64 = 0;
    let mut count: u64 = 0;
    let mut units: u64 = 0;
    if v < graph.vertices.len() {
        // Four slabs fill an allocation's unit of 512 bytes.
        units = ((graph.vertices[v].buckets + 3) / 4) as u64;
    }
    let mut most = 0u32;
    let mut work = warp_ballot(v < graph.vertices.len());
    while work != 0 {
        let owner = warp_dequeue(&mut work);
        let lists = graph.vertices[warp_broadcast(v, owner)];
        let mut bucket = lane_id();
        while bucket < lists.buckets {
            let mut chain = 0u32;
            let mut slab = lists.first + bucket;
            while slab != NULL_SLAB {
                for place in 0..NEXT_LANE {
                    let key = graph.slabs[slab].word(place).load();
                    if (W::KEY_LANES >> place) & 1 == 1 && key != EMPTY_KEY {
                        if key == TOMBSTONE_KEY {
                            tombstones += 1;
                        } else {
                            edges += 1;
                        }
                    }
                }
                chain += 1;
                slab = graph.slabs[slab].word(NEXT_LANE).load();
            }
            slabs += chain as u64;
            count += 1;
            most = most.max(chain);
            bucket += 32;
        }
    }
    let all_edges = warp_reduce_sum(edges);
    let all_tombstones = warp_reduce_sum(tombstones);
    let all_slabs = warp_reduce_sum(slabs);
    let all_lists = warp_reduce_sum(count);
    let all_units = warp_reduce_sum(units);
    let all_most = warp_reduce_max(most);
    if lane_id() == 0 {
        totals[EDGES].fetch_add(all_edges);
        totals[TOMBSTONES].fetch_add(all_tombstones);
        totals[SLABS].fetch_add(all_slabs);
        totals[LISTS].fetch_add(all_lists);
        totals[UNITS].fetch_add(all_units);
        longest[0].fetch_max(all_most);
    }
}

/// Finds the largest degree (high 32 bits) and, among equals, the smallest vertex of that
/// degree (`u32::MAX` less it, low).
#[kernel]
fn find_largest_degree(degrees: &[Atomic<u32>], largest: &[Atomic<u64>]) {
    let v = thread_id();
    let mut own: u64 = 0;
    if v < degrees.len() {
        own = (degrees[v].load() as u64) << 32 | (u32::MAX - v) as u64;
    }
    let most = warp_reduce_max(own);
    if lane_id() == 0 && most > largest[0].load() {
        largest[0].fetch_max(most);
    }
}

/// The vertex of the largest of these degrees, of equals the smallest. Synchronises.
pub(super) fn largest_of(degrees: &DeviceBuffer<Atomic<u32>>) -> Result<Option<Vertex>, Error> {
    let (device, vertices) = (degrees.device(), degrees.len() as u32);
    let largest = DeviceBuffer::<Atomic<u64>>::zeroed(device, 1)?;
    find_largest_degree::launch(device, vertices, degrees, &largest)?;
    let vertex = u32::MAX - largest.read(0, 1)?[0] as u32;
    Ok((vertex < vertices).then_some(vertex))
}

impl<W: Weight> Adjacency<W> {
    /// The vertex with the most neighbours, of equals the smallest; none in a graph without
    /// vertices. Synchronises.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn vertex_of_largest_degree(&self) -> Result<Option<Vertex>, Error> {
        largest_of(self.degrees())
    }

    /// How full it is: one pass over all slabs. Synchronises.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn statistics(&self) -> Result<Statistics, Error> {
        let device = self.device();
        let totals = DeviceBuffer::<Atomic<u64>>::zeroed(device, 5)?;
        let longest = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        collect_statistics::launch(device, self.vertex_count(), self, &totals, &longest)?;
        let totals = totals.to_vec()?;
        let of = |what: u32| totals[what as usize];
        Ok(Statistics {
            vertices: self.vertex_count().into(),
            edges: of(EDGES),
            tombstones: of(TOMBSTONES),
            slab_lists: of(LISTS),
            slabs: of(SLABS),
            slab_capacity: self.slab_capacity().into(),
            longest_chain: longest.read(0, 1)?[0].into(),
            places: of(SLABS) * u64::from(W::KEYS_PER_SLAB),
            bytes_allocated_singly: of(UNITS) * 512,
            bytes: self.bytes(),
        })
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        collect_statistics::info::<()>(),
        collect_statistics::info::<u32>(),
        find_largest_degree::info(),
    ]
}
