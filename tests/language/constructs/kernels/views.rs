//! Device views: slices that go together.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// Distances from a source, and who was reached when.
#[device_view(ReachBuffers)]
pub struct Reach {
    /// Of each vertex.
    pub distances: &[Atomic<u32>],
    /// When a vertex was last listed.
    pub listed: &[Atomic<u32>],
    /// Added to each distance.
    pub tolls: &[u32],
    /// The number of this round.
    pub round: u32,
}

#[device]
impl Reach {
    /// Whether `v` gets nearer.
    pub fn improve(self, v: Vertex, distance: u32) -> bool {
        self.distances[v].fetch_min(distance + self.tolls[v]) > distance + self.tolls[v]
    }
}

/// Whether the caller is the first to list `v` in this round.
#[device]
fn is_first(reach: &Reach, v: Vertex) -> bool {
    reach.listed[v].swap(reach.round) != reach.round
}

/// One step from all who are listed.
#[vertex_operator]
pub fn step(v: Vertex, graph: &Graph<u32>, reach: &Reach, next: &Frontier<Vertex>) {
    for_each_neighbor(graph, v, true, |dst, weight| {
        let through: u32 = reach.distances[v].load() + weight;
        let lists = reach.improve(dst, through) && is_first(reach, dst);
        warp_enqueue_frontier(next, dst, lists);
    });
}

/// What a vertex pays.
#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
pub struct Fare {
    /// Before tolls.
    pub base: u32,
}

#[device]
impl Fare {
    /// With the toll of `v`: a slice is an argument of a method.
    pub fn with_toll(self, tolls: &[u32], v: Vertex) -> u32 {
        self.base + tolls[v]
    }
}

/// What each vertex pays.
#[vertex_operator]
pub fn fares(v: Vertex, reach: &Reach, base: &[u32], out: &mut [u32]) {
    let fare = Fare { base: base[v] };
    out[v] = fare.with_toll(&reach.tolls, v);
}

/// Rows of numbers, and what is added to each.
#[device_view(RowsOnHost)]
pub struct Rows<T: Number, const N: usize> {
    /// A row each.
    pub rows: &[T],
    /// To be added.
    pub more: [T; N],
}

/// The sum of a row and of what is added.
#[kernel]
pub fn sums<T: Number, const N: usize>(all: &Rows<T, N>, out: &mut [T]) {
    let i = thread_id();
    if i < out.len() {
        let mut sum = T::ZERO;
        for k in 0..N as u32 {
            sum += all.rows[i * N as u32 + k] + all.more[k];
        }
        out[i] = sum;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    let mut all: Vec<_> = Schedule::ALL.into_iter().map(step::info_with).collect();
    all.extend([fares::info(), sums::info::<u64, 4>(), sums::info::<f32, 1>()]);
    all
}
