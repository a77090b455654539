//! The language's words as plain Rust: typed stubs that rustc checks operators
//! against, and a warp of one lane for those who call an operator directly.

use crate::DeviceType;
use crate::neighbors::{Neighbors, UpdatedNeighbors, neighbors_on_host};
use crate::ops::{Arithmetic, Integer, Order};
use crate::view::{Atomic, DeviceSlice};

/// A vertex, by its index in the graph.
pub type Vertex = u32;

/// The place of an edge operator's item in the list that it is launched over, from 0: its
/// second parameter, `fn f(edge: Edge<W>, at: Place, out: &mut [T])`, and the item's own
/// element of `out`.
pub type Place = u32;

/// A value that is the same in all lanes of the warp, as a parameter, a result
/// or a `let` of a kernel may declare. The checker holds it to that.
pub type Uniform<T> = T;

/// A value that is the same in all lanes of a tile of `N` lanes.
pub type TileUniform<const N: u32, T> = T;

/// The lane's number in its warp, 0 to 31.
pub fn lane_id() -> u32 {
    0
}

/// The thread's number in the launch.
pub fn thread_id() -> u32 {
    0
}

/// The warp's number in the launch.
pub fn global_warp_id() -> u32 {
    0
}

/// How many warps the launch has.
pub fn warp_count() -> u32 {
    1
}

/// A mask of the lanes below this one.
pub fn lanes_below() -> u32 {
    0
}

/// The block's number in the launch. How many threads a block has is the back
/// end's choice: 32 on the CPU, 256 on CUDA.
pub fn block_id() -> u32 {
    0
}

/// How many blocks the launch has.
pub fn block_count() -> u32 {
    1
}

/// How many threads a block has.
pub fn block_size() -> u32 {
    1
}

/// The thread's number in its block.
pub fn block_thread_id() -> u32 {
    0
}

/// The warp's number in its block.
pub fn block_warp_id() -> u32 {
    0
}

/// How many warps a block has.
pub fn block_warp_count() -> u32 {
    1
}

/// Waits for all threads of the block: what they wrote before it, all see after
/// it. Collective of the block.
pub fn block_barrier() {}

/// `N` atomics in memory that the threads of a block share, all zero. A kernel's
/// `let` declares it. Collective of the block; has no elements outside of a
/// launch.
pub fn block_shared<T: DeviceType, const N: u32>() -> DeviceSlice<Atomic<T>> {
    DeviceSlice::from_raw(0, 0)
}

/// Whether the predicate holds in any thread of the block. Collective of the
/// block.
pub fn block_any(predicate: bool) -> bool {
    predicate
}

/// Whether the predicate holds in every thread of the block. Collective of the
/// block.
pub fn block_all(predicate: bool) -> bool {
    predicate
}

/// The value of one thread of the block, in all of them. Collective of the block.
pub fn block_broadcast<T: DeviceType>(value: T, _thread: u32) -> T {
    value
}

/// The sum over the threads of the block below this one. Collective of the block.
pub fn block_scan_sum<T: DeviceType + Arithmetic>(value: T) -> T {
    T::sub(value, value)
}

/// The sum over the block. Collective of the block.
pub fn block_reduce_sum<T: DeviceType + Arithmetic>(value: T) -> T {
    value
}

/// The smallest over the block. Collective of the block.
pub fn block_reduce_min<T: DeviceType + Order>(value: T) -> T {
    value
}

/// The largest over the block. Collective of the block.
pub fn block_reduce_max<T: DeviceType + Order>(value: T) -> T {
    value
}

/// The bits set in any thread of the block. Collective of the block.
pub fn block_reduce_or<T: DeviceType + Integer>(value: T) -> T {
    value
}

/// What the lane wrote before it is seen by other lanes before what it writes after it,
/// and what it reads after it is no older than what it read before. Any lane.
pub fn memory_fence() {
    crate::atomics::fence();
}

/// The lanes whose predicate holds, a bit each. Collective.
pub fn warp_ballot(predicate: bool) -> u32 {
    predicate.into()
}

/// Whether the predicate holds in any lane. Collective.
pub fn warp_any(predicate: bool) -> bool {
    predicate
}

/// Waits for all lanes of the warp: what they wrote before it, all see after it.
/// Collective.
pub fn warp_barrier() {}

/// Whether the predicate holds in every lane. Collective.
pub fn warp_all(predicate: bool) -> bool {
    predicate
}

/// The value of one lane, in all of them. Collective.
pub fn warp_broadcast<T: DeviceType>(value: T, _lane: u32) -> T {
    value
}

/// The value of the lane that each lane names. Collective.
pub fn warp_shuffle<T: DeviceType>(value: T, _from: u32) -> T {
    value
}

/// The value of the lane whose number differs in `bits`. Collective.
pub fn warp_shuffle_xor<T: DeviceType>(value: T, _bits: u32) -> T {
    value
}

/// The value of the lane `distance` below. Collective.
pub fn warp_shuffle_up<T: DeviceType>(value: T, _distance: u32) -> T {
    value
}

/// The value of the lane `distance` above. Collective.
pub fn warp_shuffle_down<T: DeviceType>(value: T, _distance: u32) -> T {
    value
}

/// The sum over all lanes. Collective.
pub fn warp_reduce_sum<T: DeviceType + Arithmetic>(value: T) -> T {
    value
}

/// The smallest over all lanes. Collective.
pub fn warp_reduce_min<T: DeviceType + Order>(value: T) -> T {
    value
}

/// The largest over all lanes. Collective.
pub fn warp_reduce_max<T: DeviceType + Order>(value: T) -> T {
    value
}

/// The bits set in any lane. Collective.
pub fn warp_reduce_or<T: DeviceType + Integer>(value: T) -> T {
    value
}

/// Takes the lowest lane out of a ballot and returns its number. Collective.
pub fn warp_dequeue(queue: &mut u32) -> u32 {
    let lane = queue.trailing_zeros();
    *queue &= queue.wrapping_sub(1);
    lane
}

/// One of two values, both computed.
pub fn select<T: DeviceType>(condition: bool, then: T, otherwise: T) -> T {
    if condition { then } else { otherwise }
}

/// Visits the neighbours of `vertex`, the whole warp at each lane's vertex in
/// turn (Meerkat, algorithm 3). What the closure reads of the lane's own values
/// is broadcast; what it accumulates is reduced and handed back. Collective.
pub fn for_each_neighbor<G: Neighbors, F: FnMut(u32, G::Carried)>(
    graph: &G,
    vertex: u32,
    predicate: bool,
    mut visit: F,
) {
    if predicate {
        for (neighbor, weight) in neighbors_on_host(graph, vertex, None) {
            visit(neighbor, weight);
        }
    }
}

/// Visits the neighbours of `u` that are neighbours of `v`, too: those of `u` are walked, and
/// each asks the list of `v` that it belongs in. Collective.
pub fn for_each_common_neighbor<G: Neighbors, F: FnMut(u32, ())>(
    graph: &G,
    u: u32,
    v: u32,
    predicate: bool,
    mut visit: F,
) {
    if predicate {
        let of_v = neighbors_on_host(graph, v, None);
        for (neighbor, _) in neighbors_on_host(graph, u, None) {
            if of_v.iter().any(|&(other, _)| other == neighbor) {
                visit(neighbor, ());
            }
        }
    }
}

/// A neighbour of `vertex` that the test holds for, or `u32::MAX`. The walk ends once one
/// is found; which of several depends on the schedule and on how the lists lie. The closure
/// only looks. Collective.
pub fn find_neighbor<G: Neighbors, F: FnMut(u32, G::Carried) -> bool>(
    graph: &G,
    vertex: u32,
    predicate: bool,
    mut test: F,
) -> u32 {
    if !predicate {
        return u32::MAX;
    }
    let all = neighbors_on_host(graph, vertex, None);
    let found = all.into_iter().find(|&(neighbor, weight)| test(neighbor, weight));
    found.map_or(u32::MAX, |(neighbor, _)| neighbor)
}

/// [`for_each_neighbor`] of the neighbours in one slab list of the vertex: list
/// `bucket`, which counts from 0 to below
/// [`bucket_count`](crate::graph::bucket_count). Collective.
pub fn for_each_bucket<G: Neighbors, F: FnMut(u32, G::Carried)>(
    graph: &G,
    vertex: u32,
    bucket: u32,
    predicate: bool,
    mut visit: F,
) {
    if predicate {
        for (neighbor, weight) in neighbors_on_host(graph, vertex, Some(bucket)) {
            visit(neighbor, weight);
        }
    }
}

/// [`for_each_neighbor`] of the neighbours that were inserted since
/// [`SlabGraph::update_slab_pointers`](crate::SlabGraph::update_slab_pointers)
/// (Meerkat's UpdateIterator): lists without any are passed over. The launch
/// of an operator that says so is refused for a graph that does not track updates.
/// Collective.
pub fn for_each_updated_neighbor<G: UpdatedNeighbors, F: FnMut(u32, G::Carried)>(
    graph: &G,
    vertex: u32,
    predicate: bool,
    mut visit: F,
) {
    if predicate {
        for (neighbor, weight) in neighbors_on_host(&graph.updated(), vertex, None) {
            visit(neighbor, weight);
        }
    }
}

/// A tile: `N` neighbouring lanes of the warp, 4, 8 or 16, that work together.
#[derive(Clone, Copy, Debug)]
pub struct Tile<const N: u32>(());

/// The tile that the lane is in.
pub fn tile<const N: u32>() -> Tile<N> {
    Tile(())
}

impl<const N: u32> Tile<N> {
    /// The lane's number in its tile, 0 to `N - 1`.
    pub fn lane_id(self) -> u32 {
        0
    }

    /// The lanes whose predicate holds, a bit each. Collective of the tile.
    pub fn ballot(self, predicate: bool) -> u32 {
        predicate.into()
    }

    /// Whether the predicate holds in any lane. Collective of the tile.
    pub fn any(self, predicate: bool) -> bool {
        predicate
    }

    /// Whether the predicate holds in every lane. Collective of the tile.
    pub fn all(self, predicate: bool) -> bool {
        predicate
    }

    /// The value of one lane, in all of them. Collective of the tile.
    pub fn broadcast<T: DeviceType>(self, value: T, _lane: u32) -> T {
        value
    }

    /// The value of the lane that each lane names. Collective of the tile.
    pub fn shuffle<T: DeviceType>(self, value: T, _from: u32) -> T {
        value
    }

    /// The sum over the tile. Collective of the tile.
    pub fn reduce_sum<T: DeviceType + Arithmetic>(self, value: T) -> T {
        value
    }

    /// The smallest over the tile. Collective of the tile.
    pub fn reduce_min<T: DeviceType + Order>(self, value: T) -> T {
        value
    }

    /// The largest over the tile. Collective of the tile.
    pub fn reduce_max<T: DeviceType + Order>(self, value: T) -> T {
        value
    }

    /// The bits set in any lane. Collective of the tile.
    pub fn reduce_or<T: DeviceType + Integer>(self, value: T) -> T {
        value
    }

    /// Takes the lowest lane out of a ballot and returns its number.
    pub fn dequeue(self, queue: &mut u32) -> u32 {
        warp_dequeue(queue)
    }
}
