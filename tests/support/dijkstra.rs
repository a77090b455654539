//! Shortest paths in plain Rust, one vertex after another: the independent
//! answer, and the properties of a shortest-path tree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use meerkat::runtime::{Edge, Weight};

/// A weight that the oracle adds up by itself.
pub trait Length: Weight {
    /// A sum of weights, and how far nothing is.
    type Sum: Copy + PartialOrd + std::fmt::Debug;
    const NOTHING: Self::Sum;
    const NEVER: Self::Sum;
    fn add(sum: Self::Sum, weight: Self) -> Self::Sum;
    /// Sorts as sums do.
    fn order(sum: Self::Sum) -> u64;
}

impl Length for () {
    type Sum = u32;
    const NOTHING: u32 = 0;
    const NEVER: u32 = u32::MAX;
    fn add(sum: u32, (): ()) -> u32 {
        sum + 1
    }
    fn order(sum: u32) -> u64 {
        sum.into()
    }
}

impl Length for u32 {
    type Sum = u32;
    const NOTHING: u32 = 0;
    const NEVER: u32 = u32::MAX;
    fn add(sum: u32, weight: u32) -> u32 {
        u32::try_from((u64::from(sum) + u64::from(weight)).min(0xffff_fffe)).expect("32 bits")
    }
    fn order(sum: u32) -> u64 {
        sum.into()
    }
}

impl Length for i32 {
    type Sum = u32;
    const NOTHING: u32 = 0;
    const NEVER: u32 = u32::MAX;
    fn add(sum: u32, weight: i32) -> u32 {
        <u32 as Length>::add(sum, u32::try_from(weight).expect("not negative"))
    }
    fn order(sum: u32) -> u64 {
        sum.into()
    }
}

impl Length for f32 {
    type Sum = f32;
    const NOTHING: f32 = 0.0;
    const NEVER: f32 = f32::INFINITY;
    fn add(sum: f32, weight: f32) -> f32 {
        (sum + weight).min(f32::MAX)
    }
    fn order(sum: f32) -> u64 {
        // The bits of a positive float sort as it does.
        sum.to_bits().into()
    }
}

/// Distances from `source` by Dijkstra's algorithm with a binary heap.
pub fn dijkstra<W: Length>(vertices: u32, edges: &[Edge<W>], source: u32) -> Vec<W::Sum> {
    let mut out = vec![Vec::new(); vertices as usize];
    edges.iter().for_each(|edge| out[edge.src as usize].push((edge.dst, edge.weight)));
    let mut distances = vec![W::NEVER; vertices as usize];
    distances[source as usize] = W::NOTHING;
    let mut heap = BinaryHeap::from([Reverse((W::order(W::NOTHING), source))]);
    while let Some(Reverse((order, v))) = heap.pop() {
        let distance = distances[v as usize];
        if order > W::order(distance) {
            continue;
        }
        for &(dst, weight) in &out[v as usize] {
            let through = W::add(distance, weight);
            if through < distances[dst as usize] {
                distances[dst as usize] = through;
                heap.push(Reverse((W::order(through), dst)));
            }
        }
    }
    distances
}

/// What is wrong with a tree: every parent must be tight, and every reached
/// vertex must hang below the source.
pub fn tree_flaws<W: Length>(
    edges: &[Edge<W>],
    source: u32,
    distances: &[W::Sum],
    parents: &[u32],
) -> Vec<String> {
    const NOBODY: u32 = u32::MAX;
    let weights: std::collections::HashMap<_, _> =
        edges.iter().map(|edge| ((edge.src, edge.dst), edge.weight)).collect();
    let flaw = |v: u32| {
        let (distance, parent) = (distances[v as usize], parents[v as usize]);
        let sound = if v == source {
            distance == W::NOTHING && parent == source
        } else if distance == W::NEVER {
            parent == NOBODY
        } else {
            let weight = weights.get(&(parent, v));
            weight.is_some_and(|&weight| W::add(distances[parent as usize], weight) == distance)
        };
        (!sound).then(|| format!("vertex {v} at {distance:?} has the parent {parent}"))
    };
    let mut flaws: Vec<_> = (0..parents.len() as u32).filter_map(flaw).take(3).collect();
    flaws.extend(cycle(parents, source).map(|v| format!("the parents of {v} run in a circle")));
    flaws
}

/// A vertex whose parents lead neither to the source nor out of the tree.
fn cycle(parents: &[u32], source: u32) -> Option<u32> {
    let (mut rooted, mut path) = (vec![false; parents.len()], Vec::new());
    for v in 0..parents.len() as u32 {
        let mut at = v;
        while at != source && at != u32::MAX && !rooted[at as usize] {
            path.push(at);
            if path.len() > parents.len() {
                return Some(v);
            }
            at = parents[at as usize];
        }
        path.drain(..).for_each(|v| rooted[v as usize] = true);
    }
    None
}
