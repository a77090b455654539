//! Plain graph code, to compare answers with: nothing of the library is used. What would take minutes
//! otherwise goes over the vertices with several threads.

mod answers;
mod ranks;
mod trusses;

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use meerkat::runtime::read::SimpleGraph;
use rayon::prelude::*;

pub(in crate::cli) use self::answers::Answers;
pub(super) use self::ranks::{power_iteration, steps_to_the_end};
pub(super) use self::trusses::Edges;

/// The arcs of a simple graph by source.
pub(super) struct Rows<'a> {
    first: Vec<usize>,
    targets: &'a [u32],
}

impl<'a> Rows<'a> {
    pub(super) fn new(graph: &'a SimpleGraph) -> Self {
        Self { first: firsts(graph.n, &graph.sources), targets: &graph.destinations }
    }

    pub(super) fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// The numbers of the arcs of a vertex.
    pub(super) fn arcs(&self, vertex: usize) -> std::ops::Range<usize> {
        self.first[vertex]..self.first[vertex + 1]
    }

    pub(super) fn neighbors(&self, vertex: usize) -> &'a [u32] {
        &self.targets[self.arcs(vertex)]
    }

    pub(super) fn target(&self, arc: usize) -> usize {
        self.targets[arc] as usize
    }
}

/// Where the arcs of each vertex begin among all that are in the order of these ends, and where the last end.
fn firsts(n: u32, ends: &[u32]) -> Vec<usize> {
    let mut first = vec![0; n as usize + 1];
    ends.iter().for_each(|&end| first[end as usize + 1] += 1);
    for vertex in 1..first.len() {
        first[vertex] += first[vertex - 1];
    }
    first
}

/// The level of each vertex from `source`, by a queue.
pub(super) fn levels(graph: &SimpleGraph, source: u32) -> Vec<Option<u32>> {
    let rows = Rows::new(graph);
    let mut levels = vec![None; rows.len()];
    levels[source as usize] = Some(0);
    let mut queue = VecDeque::from([source]);
    while let Some(vertex) = queue.pop_front() {
        let next = levels[vertex as usize].map(|level: u32| level + 1);
        for &neighbor in rows.neighbors(vertex as usize) {
            if levels[neighbor as usize].is_none() {
                levels[neighbor as usize] = next;
                queue.push_back(neighbor);
            }
        }
    }
    levels
}

/// The distance of each vertex from `source`, by Dijkstra's algorithm with a heap; `further`
/// is the distance after an arc. Distances are at least 0.
pub(super) fn distances<D: Copy + PartialOrd>(
    graph: &SimpleGraph,
    source: u32,
    zero: D,
    further: impl Fn(D, usize) -> D,
) -> Vec<Option<D>> {
    let rows = Rows::new(graph);
    let mut distances: Vec<Option<D>> = vec![None; rows.len()];
    distances[source as usize] = Some(zero);
    let mut queue = BinaryHeap::from([Reached { distance: zero, vertex: source as usize }]);
    while let Some(Reached { distance, vertex }) = queue.pop() {
        if distances[vertex].is_some_and(|shortest| shortest < distance) {
            continue;
        }
        for arc in rows.arcs(vertex) {
            let (target, distance) = (rows.target(arc), further(distance, arc));
            if distances[target].is_none_or(|shortest| distance < shortest) {
                distances[target] = Some(distance);
                queue.push(Reached { distance, vertex: target });
            }
        }
    }
    distances
}

/// An entry of a heap that gives the least distance first.
struct Reached<D> {
    distance: D,
    vertex: usize,
}

impl<D: PartialOrd> Ord for Reached<D> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.partial_cmp(&self.distance).unwrap_or(Ordering::Equal)
    }
}

impl<D: PartialOrd> PartialOrd for Reached<D> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<D: PartialOrd> PartialEq for Reached<D> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<D: PartialOrd> Eq for Reached<D> {}

/// The smallest vertex of each vertex's component, by union and find.
pub(super) fn components(graph: &SimpleGraph) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..graph.n).collect();
    for (&u, &v) in graph.sources.iter().zip(&graph.destinations) {
        let (u, v) = (root(&mut parent, u), root(&mut parent, v));
        parent[u.max(v) as usize] = u.min(v);
    }
    (0..graph.n).map(|vertex| root(&mut parent, vertex)).collect()
}

fn root(parent: &mut [u32], mut vertex: u32) -> u32 {
    while parent[vertex as usize] != vertex {
        parent[vertex as usize] = parent[parent[vertex as usize] as usize];
        vertex = parent[vertex as usize];
    }
    vertex
}

/// How many vertices a thread takes at once.
const TAKEN: usize = 64;
/// What the counts of all threads may take, in bytes.
const MEMORY: usize = 4 << 30;

/// The triangles that each vertex is a corner of, directions left out: every edge goes to the
/// end of the larger degree, and common ends of an edge's two corners are counted.
pub(super) fn triangles(graph: &SimpleGraph) -> Vec<u64> {
    let ahead = edges_ahead(graph);
    let next = AtomicUsize::new(0);
    // Each thread counts for itself: most triangles are at a few vertices.
    let count = |_| {
        let mut corners = vec![0; ahead.len()];
        let mut marked = vec![false; ahead.len()];
        loop {
            let from = next.fetch_add(TAKEN, Relaxed);
            if from >= ahead.len() {
                return corners;
            }
            for v in from..ahead.len().min(from + TAKEN) {
                triangles_of(v, &ahead, &mut marked, &mut corners);
            }
        }
    };
    let add = |mut sums: Vec<u64>, more: Vec<u64>| {
        sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        sums
    };
    let most = MEMORY / (ahead.len() * (size_of::<u64>() + size_of::<bool>())).max(1);
    let threads = (0..rayon::current_num_threads().min(most.max(1))).into_par_iter();
    threads.map(count).reduce_with(add).unwrap_or_default()
}

/// Those of which `v` is the corner that is ahead of none; nobody is marked before and after.
fn triangles_of(v: usize, ahead: &[Vec<u32>], marked: &mut [bool], corners: &mut [u64]) {
    ahead[v].iter().for_each(|&u| marked[u as usize] = true);
    for &u in &ahead[v] {
        for &w in ahead[u as usize].iter().filter(|&&w| marked[w as usize]) {
            [v, u as usize, w as usize].into_iter().for_each(|corner| corners[corner] += 1);
        }
    }
    ahead[v].iter().for_each(|&u| marked[u as usize] = false);
}

/// Each vertex's neighbours of a larger degree, or of the same and a larger number.
fn edges_ahead(graph: &SimpleGraph) -> Vec<Vec<u32>> {
    let mut neighbors = vec![Vec::new(); graph.n as usize];
    for (&u, &v) in graph.sources.iter().zip(&graph.destinations) {
        neighbors[u as usize].push(v);
        neighbors[v as usize].push(u);
    }
    neighbors.par_iter_mut().for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    let place = |v: u32| (neighbors[v as usize].len(), v);
    let ahead = |v: u32| {
        let list = neighbors[v as usize].iter().copied();
        list.filter(|&u| place(u) > place(v)).collect()
    };
    (0..graph.n).into_par_iter().map(ahead).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n: u32, arcs: &[(u32, u32)]) -> SimpleGraph {
        let (sources, destinations) = arcs.iter().copied().unzip();
        SimpleGraph { n, sources, destinations, weights: None, m_undirected: 0 }
    }

    #[test]
    fn small_graphs_have_the_answers_that_one_sees() {
        let graph = graph(6, &[(0, 1), (0, 2), (1, 2), (2, 3), (5, 4)]);
        assert_eq!(levels(&graph, 0), [Some(0), Some(1), Some(1), Some(2), None, None]);
        let weights = [9, 2, 1, 1, 1];
        let found = distances(&graph, 0, 0, |distance, arc| distance + weights[arc]);
        assert_eq!(found, [Some(0), Some(9), Some(2), Some(3), None, None]);
        assert_eq!(components(&graph), [0, 0, 0, 0, 4, 4]);
        assert_eq!(triangles(&graph), [1, 1, 1, 0, 0, 0]);
    }
}
