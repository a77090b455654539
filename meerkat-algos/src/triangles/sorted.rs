//! Triangles by intersecting lists that ascend: where these are short, two of them are merged
//! sooner than an oriented copy is made.
//!
//! An edge `v, w` with `w < v` counts the vertices below `w` that both lists have, so each
//! triangle counts once, at the edge of its two higher corners. A lane merges the beginnings of two
//! lists and stops where either is past `w`; nothing is kept but sums.

use meerkat_runtime::neighbors::word_of;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// Chunks of the longest list that lanes merge: the others of its warp wait for them. (One H200,
/// uniform graphs: at degree 32 merging took 0.98 of the time of sets, at 64 1.07.)
pub(super) const MOST_CHUNKS: u32 = 3;
/// How many words add up the total, a power of two: lanes would wait for one.
const PARTS: u32 = 1024;

/// What is at a place without a neighbour, and behind the last list; a neighbour is one more than
/// its number.
const NOBODY: u64 = 0;
const END: u64 = 1 << 40;

/// The neighbour at a place of the lists of a vertex, 32 places a list.
#[device]
fn neighbor_at<G: Neighbors>(graph: &G, lists: G::Lists, place: u32) -> u64 {
    if place / 32 >= graph.count_lists(lists) {
        return END;
    }
    let chunk = graph.first_chunk(lists, place / 32);
    let quad: [u32; 4] = graph.read_quad(chunk, place % 32 / 4);
    let word: u32 = word_of(quad, place % 4);
    if graph.is_neighbor_at(chunk, place % 32, word) { word as u64 + 1 } else { NOBODY }
}

/// How many neighbours below `limit` two vertices share; each has a corner more, if there are any.
#[device]
fn shared_below<G: Neighbors>(
    graph: &G,
    one: u32,
    other: u32,
    limit: u32,
    corners: &[Atomic<u64>],
) -> u64 {
    let first = graph.lists_of(one);
    let second = graph.lists_of(other);
    let mut i = 0u32;
    let mut j = 0u32;
    let mut a: u64 = neighbor_at(graph, first, 0);
    let mut b: u64 = neighbor_at(graph, second, 0);
    let mut found = 0u64;
    while a <= limit as u64 && b <= limit as u64 {
        let goes_on = a <= b;
        let other_goes_on = b <= a;
        if a == b && a != NOBODY {
            found += 1;
            if corners.len() != 0 {
                corners[(a - 1) as u32].fetch_add(1);
            }
        }
        if goes_on {
            i += 1;
            a = neighbor_at(graph, first, i);
        }
        if other_goes_on {
            j += 1;
            b = neighbor_at(graph, second, j);
        }
    }
    found
}

/// Counts the triangles of which `v` is the highest corner.
#[vertex_operator]
fn count_below<G: Neighbors>(v: Vertex, graph: &G, corners: &[Atomic<u64>], total: &[Atomic<u64>]) {
    let mut found = 0u64;
    for_each_neighbor(graph, v, true, |w| {
        if w < v {
            let shared: u64 = shared_below(graph, v, w, w, corners);
            if shared != 0 && corners.len() != 0 {
                corners[w].fetch_add(shared);
            }
            found += shared;
        }
    });
    if found != 0 {
        total[v % PARTS].fetch_add(found);
        if corners.len() != 0 {
            corners[v].fetch_add(found);
        }
    }
}

/// Adds one to the three `corners` of each triangle, unless there are none; how many triangles
/// there are. Of an undirected graph whose lists ascend. Synchronises.
pub(super) fn count_sorted<C: Container>(
    graph: &C,
    corners: &DeviceBuffer<Atomic<u64>>,
) -> Result<u64, Error> {
    let (device, all) = (graph.device(), 0..graph.vertex_count());
    let total = DeviceBuffer::zeroed(device, PARTS as usize)?;
    count_below::launch(device, all, graph.out_edges()?, corners, &total)?;
    Ok(total.to_vec()?.iter().sum())
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    Schedule::ALL.map(count_below::info_with::<Blocks>).to_vec()
}
