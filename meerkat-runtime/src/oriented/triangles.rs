//! All triangles of an oriented graph: the out-neighbours of a vertex go into a set in
//! memory of the block, and the rows of each of them pass by it.

use super::rows::{Oriented, Row, key_at};
use super::tally::{Corners, Supports, Tally, Total};
use crate::key_set::{KeySet, NO_PLACE, clear_set, find_key, find_keys, insert_key};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Uniform, Vertex};
use meerkat_macros::{device, kernel};

/// Words of a block's memory for sets, and as many for what they count.
pub(super) const PLACES: u32 = 4096;
/// Those of each warp, where warps have sets of their own. A block has 8 warps at most.
pub(super) const PLACES_OF_WARP: u32 = 512;

/// Puts keys `from..to` of a row into a set: those that a lane of its group has to.
#[device]
fn insert_keys(
    set: KeySet,
    places: &[Atomic<u32>],
    graph: &Oriented,
    row: Row,
    from: u32,
    to: u32,
    lane: u32,
    lanes: u32,
) {
    let mut i = from + lane;
    while i < to {
        insert_key(set, places, key_at(graph, row, i));
        i += lanes;
    }
}

/// How many of four words of a row, from `place` on, are in the set. If they are tallied, each
/// counts at its place of the set.
#[device]
fn count_in_set<T: Tally>(
    set: KeySet,
    places: &[Atomic<u32>],
    hits: &[Atomic<u32>],
    graph: &Oriented,
    row: Row,
    place: u32,
    tally: &T,
) -> u32 {
    let quad: u32 = row.quad + place / 4;
    let words: [u32; 4] = graph.keys[quad / 8].cached_quad(quad % 8);
    let there: [u32; 4] = find_keys(set, places, words);
    let mut found = 0u32;
    for k in 0..4u32 {
        // Behind the row's end there are zeros.
        if there[k] != NO_PLACE && place + k < row.length {
            found += 1;
            if T::KEEPS {
                hits[there[k]].fetch_add(1);
                tally.close(row.quad * 4 + place + k);
            }
        }
    }
    found
}

/// How many keys of the rows of the out-neighbours of one vertex a lane finds in the
/// set: those that fall to it among `tiles` tiles, of which its own has this `number`. A
/// tile goes over to its next row on its own, in the same loop, so tiles stay together.
/// Collective of the warp.
#[device]
fn pass_rows<T: Tally>(
    graph: &Oriented,
    of: Uniform<Row>,
    set: KeySet,
    places: &[Atomic<u32>],
    hits: &[Atomic<u32>],
    number: u32,
    tiles: Uniform<u32>,
    tally: &T,
) -> u64 {
    let part = tile::<8>().lane_id();
    let mut found = 0u64;
    let mut base: Uniform<u32> = 0u32;
    while base < of.length {
        let i = base + part * tiles + number;
        let mut neighbor = 0u32;
        let mut own = Row { quad: 0, length: 0 };
        if i < of.length {
            neighbor = key_at(graph, of, i);
            own = graph.rows[neighbor];
        }
        let mut work = tile::<8>().ballot(own.length != 0);
        let mut lane: TileUniform<8, u32> = 0u32;
        let mut row = Row { quad: 0, length: 0 };
        let mut place: TileUniform<8, u32> = 0u32;
        let mut closed = 0u32;
        while work != 0 || place < row.length {
            if place >= row.length {
                lane = tile::<8>().dequeue(&mut work);
                row = tile::<8>().broadcast(own, lane);
                place = 0;
            }
            let mine = place + part * 4;
            if mine < row.length {
                closed += count_in_set(set, places, hits, graph, row, mine, tally);
            }
            place += 32;
            if place >= row.length {
                found += closed as u64;
                if T::KEEPS {
                    let sum = tile::<8>().reduce_sum(closed);
                    if part == lane && sum != 0 {
                        tally.add_to_edge(of.quad * 4 + i, neighbor, sum);
                    }
                }
                closed = 0;
            }
        }
        base += tiles * 8;
    }
    found
}

/// Tallies what was counted at the places of keys `from..to` of a row: those that a lane of its
/// group has to. Makes the counts zero again.
#[device]
fn tally_hits<T: Tally>(
    set: KeySet,
    places: &[Atomic<u32>],
    hits: &[Atomic<u32>],
    graph: &Oriented,
    row: Row,
    from: u32,
    to: u32,
    lane: u32,
    lanes: u32,
    tally: &T,
) {
    let mut i = from + lane;
    while i < to {
        let key: u32 = key_at(graph, row, i);
        let at: u32 = find_key(set, places, key);
        let count = hits[at].load();
        if count != 0 {
            hits[at].store(0);
            tally.add_to_edge(row.quad * 4 + i, key, count);
        }
        i += lanes;
    }
}

/// Counts the triangles whose lowest corner has a row of 2 to `limit`; adds them to the
/// total and tallies them. Warps take `taken` vertices at a time, at most 32, from a counter.
#[kernel]
pub(super) fn count_by_warps<T: Tally>(
    graph: &Oriented,
    limit: u32,
    taken: u32,
    next: &[Atomic<u32>],
    tally: &T,
    total: &[Atomic<u64>],
) {
    let places = block_shared::<u32, PLACES>();
    let hits = block_shared::<u32, PLACES>();
    let me = lane_id();
    let mut found = 0u64;
    let mut first: Uniform<u32> = 0u32;
    while first < graph.rows.len() {
        let mut begin = 0u32;
        if me == 0 {
            begin = next[0].fetch_add(taken);
        }
        first = warp_broadcast(begin, 0);
        let v = first + me;
        let mut own = Row { quad: 0, length: 0 };
        if me < taken && v < graph.rows.len() {
            own = graph.rows[v];
        }
        let mut work = warp_ballot(own.length > 1 && own.length <= limit);
        while work != 0 {
            let lane = warp_dequeue(&mut work);
            let row = warp_broadcast(own, lane);
            let mine = block_warp_id() * PLACES_OF_WARP;
            let set = KeySet::with_room(mine, PLACES_OF_WARP, row.length);
            clear_set(set, &places, me, 32);
            warp_barrier();
            insert_keys(set, &places, graph, row, 0, row.length, me, 32);
            warp_barrier();
            let closed = pass_rows(graph, row, set, &places, &hits, me / 8, 4, tally);
            found += closed;
            warp_barrier();
            if T::KEEPS {
                let all = warp_reduce_sum(closed);
                // Most vertices of a sparse graph are in no triangle.
                if all != 0 {
                    tally_hits(set, &places, &hits, graph, row, 0, row.length, me, 32, tally);
                    if me == 0 {
                        tally.add_to_lowest(first + lane, all);
                    }
                    warp_barrier();
                }
            }
        }
    }
    let sum = warp_reduce_sum(found);
    if me == 0 && sum != 0 {
        total[0].fetch_add(sum);
    }
}

/// The same for the vertices of a list. A block takes one at a time, and its row in parts
/// of `limit`.
#[kernel]
pub(super) fn count_by_blocks<T: Tally>(
    graph: &Oriented,
    vertices: &[Vertex],
    limit: u32,
    next: &[Atomic<u32>],
    tally: &T,
    total: &[Atomic<u64>],
) {
    let places = block_shared::<u32, PLACES>();
    let hits = block_shared::<u32, PLACES>();
    let (me, size) = (block_thread_id(), block_size());
    let mut found = 0u64;
    let mut begin = 0u32;
    if me == 0 {
        begin = next[0].fetch_add(1);
    }
    let mut item = block_broadcast(begin, 0);
    while item < vertices.len() {
        let v = vertices[item];
        let row = graph.rows[v];
        let mut from = 0u32;
        while from < row.length {
            let to = (from + limit).min(row.length);
            let set = KeySet::with_room(0, PLACES, to - from);
            clear_set(set, &places, me, size);
            block_barrier();
            insert_keys(set, &places, graph, row, from, to, me, size);
            block_barrier();
            let tiles = size / 8;
            let closed = pass_rows(graph, row, set, &places, &hits, me / 8, tiles, tally);
            found += closed;
            block_barrier();
            if T::KEEPS {
                tally_hits(set, &places, &hits, graph, row, from, to, me, size, tally);
                let all = warp_reduce_sum(closed);
                if lane_id() == 0 && all != 0 {
                    tally.add_to_lowest(v, all);
                }
                block_barrier();
            }
            from = to;
        }
        if me == 0 {
            begin = next[0].fetch_add(1);
        }
        item = block_broadcast(begin, 0);
    }
    let sum = warp_reduce_sum(found);
    if lane_id() == 0 && sum != 0 {
        total[0].fetch_add(sum);
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        count_by_warps::info::<Total>(),
        count_by_blocks::info::<Total>(),
        count_by_warps::info::<Corners>(),
        count_by_blocks::info::<Corners>(),
        count_by_warps::info::<Supports>(),
        count_by_blocks::info::<Supports>(),
    ]
}
