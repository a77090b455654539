//! Device code that samples neighbours and walks, for learning on graphs.

use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use meerkat_runtime::random::random_words;

/// Draws up to `fanout` neighbours of each vertex, all different, each set of them as likely as another
/// (algorithm R: Vitter, "Random sampling with a reservoir", 1985). Where `latest` has places, edges
/// whose weight is above it are left out. Neighbours of vertex `i` of the list come to the places from
/// `i * fanout` on; a vertex outside the graph has none, and `refused` gets its place.
#[kernel]
pub(crate) fn sample_neighbors<G: Neighbors>(
    graph: &G,
    count: u32,
    vertices: &[u32],
    latest: &[u32],
    fanout: u32,
    seed: u64,
    sampled: &[Atomic<u32>],
    counts: &mut [u32],
    refused: &[Atomic<u32>],
) {
    let i = thread_id();
    if i < counts.len() {
        let v = vertices[i];
        let mut seen = 0u32;
        if v < count {
            for_each_neighbor(graph, v, true, |dst, weight| {
                let mut is_taken = true;
                if i < latest.len() {
                    is_taken = weight.to_bits() <= latest[i];
                }
                if is_taken {
                    let mut place = seen;
                    if seen >= fanout {
                        let counter: u64 = (i as u64) << 32 | seen as u64;
                        place = random_below(seed, counter, seen + 1);
                    }
                    if place < fanout {
                        sampled[i * fanout + place].store(dst);
                    }
                    seen += 1;
                }
            });
        } else {
            refused[0].fetch_min(i);
        }
        counts[i] = seen.min(fanout);
    }
}

/// How often a step of a walk draws before it takes what it has: the chance to get there is below
/// 2^-40 unless weights of steps differ by more than 8.
const DRAWS: u32 = 256;

/// Walks `length` steps from each start, to neighbours at random; where there is none the walk stays.
/// A step back is as likely as `back` says, a step to a neighbour of the vertex before as `near`, any
/// other as `far` (Grover and Leskovec, "node2vec", 2016): the largest of the three is 1.
#[kernel]
pub(crate) fn walk<G: Neighbors>(
    graph: &G,
    count: u32,
    starts: &[u32],
    length: u32,
    back: f32,
    near: f32,
    far: f32,
    seed: u64,
    walks: &[Atomic<u32>],
    refused: &[Atomic<u32>],
) {
    let i = thread_id();
    if i < starts.len() {
        let mut at = starts[i];
        let mut before = at;
        let places = length + 1;
        if at < count {
            walks[i * places].store(at);
            for step in 0..length {
                let mut next = at;
                let mut draw = 0u32;
                while draw < DRAWS {
                    let counter: u64 = ((i as u64) << 32 | step as u64) * 256 + draw as u64;
                    let words: [u32; 4] = random_words(seed, counter);
                    let drawn = random_neighbor(graph, at, words[0]);
                    draw = DRAWS;
                    if drawn != u32::MAX {
                        next = drawn;
                        let mut likely = 1.0f32;
                        if step > 0 && (back < 1.0 || near < 1.0 || far < 1.0) {
                            likely = far;
                            if drawn == before {
                                likely = back;
                            } else if has_edge(graph, before, drawn) {
                                likely = near;
                            }
                        }
                        let chance: f32 = (words[1] >> 8) as f32 * 5.960_464_5e-8;
                        if chance >= likely {
                            draw = (counter & 255) as u32 + 1;
                        }
                    }
                }
                before = at;
                at = next;
                walks[i * places + step + 1].store(at);
            }
        } else {
            refused[0].fetch_min(i);
        }
    }
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![sample_neighbors::info::<Compact<u32>>(), walk::info::<Compact>()]
}
