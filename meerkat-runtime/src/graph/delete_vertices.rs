//! What deletion of vertices does to slab lists (Awad et al., algorithm 2): each is read
//! once, the arcs back are deleted from where they lead, and it is emptied.

use super::adjacency::{Adjacency, spread};
use super::delete::{ABSENT, DELETED, delete_edge};
use super::free_slots::GivenUp;
use super::layout::{NO_ITEM, item_of_tile};
use super::search::{keys_of, slab_list_of};
use super::updates::BEGIN_AGAIN;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, lane_enqueue_frontier, warp_enqueue_frontier};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{EMPTY_KEY, Graph, NO_KEY, NULL_SLAB, SlabLists};
use crate::view::{Atomic, DeviceSlice};
use crate::{Error, TileUniform, Uniform, Vertex, Weight};
use meerkat_macros::{DeviceStruct, device, kernel};

/// Sums the degrees of some vertices, and their lists.
#[kernel]
fn sum_lists<W: Weight>(graph: &Graph<W>, vertices: &[Vertex], totals: &[Atomic<u64>]) {
    let i = thread_id();
    let mut degree: u64 = 0;
    let mut lists: u64 = 0;
    if i < vertices.len() {
        degree = graph.degrees[vertices[i]].load() as u64;
        lists = graph.vertices[vertices[i]].buckets as u64;
    }
    let degrees = block_reduce_sum(degree);
    let all_lists = block_reduce_sum(lists);
    if block_thread_id() == 0 {
        totals[0].fetch_add(degrees);
        totals[1].fetch_add(all_lists);
    }
}

/// A slab list, and whose.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct ListOf {
    /// The vertex.
    pub vertex: u32,
    /// The list's first slab.
    pub head: u32,
}

/// Up to this number of lists, a vertex's own lane lists them.
const FEW_LISTS: u32 = 8;

/// Lists all slab lists of some vertices: those of few lists a round each, and those of
/// many by the warp, a lane each of their lists.
#[kernel]
fn take_lists<W: Weight>(graph: &Graph<W>, vertices: &[Vertex], taken: &Frontier<ListOf>) {
    let i = thread_id();
    let mut v = 0u32;
    let mut own = SlabLists { first: 0, buckets: 0 };
    if i < vertices.len() {
        v = vertices[i];
        own = graph.vertices[v];
    }
    let few = select(own.buckets <= FEW_LISTS, own.buckets, 0);
    let mut bucket: Uniform<u32> = 0u32;
    while warp_any(bucket < few) {
        let list = ListOf { vertex: v, head: own.first + bucket };
        warp_enqueue_frontier(taken, list, bucket < few);
        bucket += 1;
    }
    let mut work = warp_ballot(own.buckets > FEW_LISTS);
    while work != 0 {
        let owner = warp_dequeue(&mut work);
        let vertex = warp_broadcast(v, owner);
        let first = warp_broadcast(own.first, owner);
        let buckets = warp_broadcast(own.buckets, owner);
        let mut from: Uniform<u32> = 0u32;
        while from < buckets {
            let list = ListOf { vertex, head: first + from + lane_id() };
            warp_enqueue_frontier(taken, list, from + lane_id() < buckets);
            from += 32;
        }
    }
}

/// Empties slab lists and gives up all slabs of theirs but the first; if `mirrored`, the
/// arc back of each of their arcs leaves `back`. A tile takes `per_tile` lists, its
/// lanes' in turn.
///
/// Tiles may meet in a list: who empties it, and who deletes an arc from it. Either
/// order leaves it empty, since deletion swaps a key only, and what is given up is not
/// handed out before the launch is over. Degrees of the lists' vertices are left to
/// [`clear_degrees`].
#[kernel]
fn empty_lists<W: Weight>(
    graph: &Graph<W>,
    back: &Graph<W>,
    mirrored: bool,
    lists: &[ListOf],
    per_tile: u32,
    freed: &Frontier<u32>,
) {
    let me = tile::<8>().lane_id();
    let i = item_of_tile(lists.len(), per_tile);
    let mut own = ListOf { vertex: 0, head: NULL_SLAB };
    if i != NO_ITEM {
        own = lists[i];
        if graph.updated.len() != 0 {
            graph.updated[own.head].store(BEGIN_AGAIN);
        }
    }
    let mut work = tile::<8>().ballot(i != NO_ITEM);
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let vertex = tile::<8>().broadcast(own.vertex, lane);
        let head = tile::<8>().broadcast(own.head, lane);
        let mut slab = head;
        while slab != NULL_SLAB {
            let words = graph.slabs[slab].quad(me);
            if mirrored {
                let keys = keys_of::<W>(words, me);
                delete_back(back, keys[0], vertex);
                delete_back(back, keys[1], vertex);
                delete_back(back, keys[2], vertex);
                delete_back(back, keys[3], vertex);
            }
            for word in 0..4u32 {
                graph.slabs[slab].word(me * 4 + word).store(EMPTY_KEY);
            }
            lane_enqueue_frontier(freed, slab, me == 0 && slab != head);
            slab = tile::<8>().broadcast(words[3], 7);
        }
    }
}

/// Deletes the arc from each lane's neighbour, if that is one, to a vertex. Collective of
/// the tile.
#[device]
fn delete_back<W: Weight>(graph: &Graph<W>, neighbor: u32, vertex: TileUniform<8, u32>) {
    let me = tile::<8>().lane_id();
    let is_one = neighbor < NO_KEY;
    let mut head = NULL_SLAB;
    if is_one {
        head = slab_list_of(graph, neighbor, vertex);
    }
    let mut outcome = ABSENT;
    let mut work = tile::<8>().ballot(is_one);
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        let slab = tile::<8>().broadcast(head, lane);
        let deleted: TileUniform<8, u32> = delete_edge(graph, slab, vertex);
        if me == lane {
            outcome = deleted;
        }
    }
    if outcome == DELETED {
        graph.degrees[neighbor].fetch_sub(1);
    }
}

/// Makes the degrees of some vertices 0.
#[kernel]
fn clear_degrees(vertices: &[Vertex], degrees: &[Atomic<u32>]) {
    let i = thread_id();
    if i < vertices.len() {
        degrees[vertices[i]].store(0);
    }
}

/// The slab lists of some vertices, to be emptied.
pub struct TakenLists {
    /// How many arcs are in them.
    pub(super) arcs: u64,
    lists: DeviceBuffer<ListOf>,
    /// First slabs that are given up, too: of vertices that have got other lists.
    pub(super) heads: Vec<u32>,
    /// The slabs that were given up.
    freed: DeviceBuffer<u32>,
    /// Of both, and a word of 0.
    lengths: DeviceBuffer<Atomic<u32>>,
}

impl<W: Weight> Adjacency<W> {
    /// The lists of some vertices. Synchronises.
    pub(super) fn take_lists(&self, vertices: &DeviceBuffer<Vertex>) -> Result<TakenLists, Error> {
        let (device, threads) = (self.device(), vertices.len() as u32);
        let [arcs, lists] = self.sum_lists(vertices)?;
        let taken = TakenLists {
            arcs,
            lists: DeviceBuffer::zeroed(device, lists as usize)?,
            heads: Vec::new(),
            freed: DeviceBuffer::zeroed(device, self.slab_capacity() as usize)?,
            lengths: DeviceBuffer::zeroed(device, 3)?,
        };
        let listed = Frontier { items: taken.lists.view(), length: taken.lengths.view_of(0..1) };
        take_lists::launch(device, threads, self, vertices, listed)?;
        self.load_what_follows(taken.lengths.view_of(2..3))?;
        Ok(taken)
    }

    /// Has the kernels loaded, by launches that do nothing, that run when the lists are empty: a kernel
    /// takes memory when it is launched first.
    fn load_what_follows(&self, length: DeviceSlice<Atomic<u32>>) -> Result<(), Error> {
        let none = DeviceBuffer::<u32>::empty(self.device());
        clear_degrees::launch(self.device(), 32, &none, self.degrees())?;
        self.load_listing(Frontier { items: none.view(), length })?;
        self.load_insertion()
    }

    /// How many arcs some vertices have, and how many lists. Synchronises.
    pub(super) fn sum_lists(&self, vertices: &DeviceBuffer<Vertex>) -> Result<[u64; 2], Error> {
        let totals = DeviceBuffer::<Atomic<u64>>::zeroed(self.device(), 2)?;
        sum_lists::launch(self.device(), vertices.len() as u32, self, vertices, &totals)?;
        let totals = totals.read(0, 2)?;
        Ok([totals[0], totals[1]])
    }

    pub(super) fn empty_lists(
        &self,
        back: &Self,
        mirrored: bool,
        taken: &TakenLists,
    ) -> Result<(), Error> {
        let (threads, per_tile) = spread(self.device(), taken.lists.len());
        let freed = Frontier { items: taken.freed.view(), length: taken.lengths.view_of(1..2) };
        let (device, lists) = (self.device(), &taken.lists);
        empty_lists::launch(device, threads, self, back, mirrored, lists, per_tile, freed)
    }

    /// The degrees of emptied lists.
    pub(super) fn clear_degrees(&self, vertices: &DeviceBuffer<Vertex>) -> Result<(), Error> {
        clear_degrees::launch(self.device(), vertices.len() as u32, vertices, self.degrees())
    }

    /// The pool hands the slabs out again that were given up. Takes no memory that is not there.
    pub(super) fn reuse_slabs(&mut self, taken: TakenLists) -> Result<(), Error> {
        self.begin_updates_again()?;
        let count = taken.lengths.read(1, 1)?[0] as usize;
        let given_up = GivenUp { list: taken.freed, count, more: taken.heads };
        self.give_back(given_up, taken.lengths.view_of(2..3))
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        sum_lists::info::<()>(),
        clear_degrees::info(),
        take_lists::info::<()>(),
        empty_lists::info::<()>(),
    ]
}
