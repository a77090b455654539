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
    vertices: &[Atomic<u32>],
    latest: &[u32],
    fanout: u32,
    seed: u64,
    sampled: &[Atomic<u32>],
    counts: &mut [u32],
    refused: &[Atomic<u32>],
) {
    let i = thread_id();
    if i < counts.len() {
        let v = vertices[i].load();
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

/// Walks have fewer steps: of the 64 bits of a counter the walk has 32, the step 24 and the draw 8.
pub(crate) const STEPS: u32 = 1 << 24;

/// How often a step of a walk draws before it weighs all neighbours.
const DRAWS: u32 = 255;

/// How likely a step to `next` is after one from `before`.
#[device]
fn likelihood<G: Neighbors>(
    graph: &G,
    before: u32,
    next: u32,
    back: f64,
    near: f64,
    far: f64,
) -> f64 {
    let mut likely: f64 = far;
    if next == before {
        likely = back;
    } else if has_edge(graph, before, next) {
        likely = near;
    }
    likely
}

/// Walks `length` steps from each start, to neighbours at random; where there is none the walk stays.
/// A step back is as likely as `back` says, a step to a neighbour of the vertex before as `near`, any
/// other as `far` (Grover and Leskovec, "node2vec", 2016): the largest of the three is 1. A step draws a
/// neighbour and takes it as often as it is likely; where no draw is taken all neighbours are weighed,
/// so steps are as likely as they are to be, whatever the three are.
#[kernel]
pub(crate) fn walk<G: Neighbors>(
    graph: &G,
    count: u32,
    starts: &[u32],
    length: u32,
    back: f64,
    near: f64,
    far: f64,
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
                let is_weighed = step > 0 && (back < 1.0 || near < 1.0 || far < 1.0);
                let mut next = at;
                let mut is_taken = false;
                let mut draw = 0u32;
                while draw < DRAWS && !is_taken {
                    let counter: u64 = (i as u64) << 32 | (step as u64) << 8 | draw as u64;
                    let words: [u32; 4] = random_words(seed, counter);
                    let drawn = random_neighbor(graph, at, words[0]);
                    is_taken = true;
                    if drawn != u32::MAX {
                        next = drawn;
                        if is_weighed {
                            let likely: f64 = likelihood(graph, before, drawn, back, near, far);
                            is_taken = fraction(words[1], words[2]) < likely;
                        }
                    }
                    draw += 1;
                }
                if !is_taken {
                    let mut total = 0.0f64;
                    for_each_neighbor(graph, at, true, |dst, _weight| {
                        total += likelihood(graph, before, dst, back, near, far);
                    });
                    let counter: u64 = (i as u64) << 32 | (step as u64) << 8 | DRAWS as u64;
                    let words: [u32; 4] = random_words(seed, counter);
                    let wanted: f64 = fraction(words[1], words[2]) * total;
                    let mut sum = 0.0f64;
                    let mut is_found = false;
                    for_each_neighbor(graph, at, true, |dst, _weight| {
                        sum += likelihood(graph, before, dst, back, near, far);
                        if sum > wanted && !is_found {
                            next = dst;
                            is_found = true;
                        }
                    });
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

/// A number from 0 to below 1 of two random words.
#[device]
fn fraction(high: u32, low: u32) -> f64 {
    let word: u64 = (high as u64) << 32 | low as u64;
    (word >> 11) as f64 * 1.110_223_024_625_156_5e-16
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![sample_neighbors::info::<Compact<u32>>(), walk::info::<Compact>()]
}
