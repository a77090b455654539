//! Trusses in plain code, level by level (Wang and Cheng, "Truss decomposition in massive networks";
//! Kabir and Madduri, "Parallel k-truss decomposition on multicore systems"): nothing of the library
//! is used.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use meerkat::runtime::Edge;
use meerkat::runtime::read::SimpleGraph;
use rayon::prelude::*;

use super::firsts;

/// Neighbours, ascending, each with the number of its edge.
type Row = [(u32, u32)];

/// The edges of an undirected simple graph, ascending, and the neighbours of each vertex.
pub(in crate::cli::algorithms) struct Edges {
    edges: Vec<(u32, u32)>,
    /// Where the neighbours of each vertex begin, and where the last end.
    first: Vec<usize>,
    /// Neighbours, ascending, each with the number of its edge.
    neighbors: Vec<(u32, u32)>,
}

impl Edges {
    /// Those of a graph, whatever the directions of its arcs.
    pub(in crate::cli::algorithms) fn of(graph: &SimpleGraph) -> Self {
        Self::new(Self::ends_of(graph), graph.n as usize)
    }

    /// The ends of each, ascending.
    pub(in crate::cli::algorithms) fn ends_of(graph: &SimpleGraph) -> Vec<(u32, u32)> {
        let ends = graph.sources.par_iter().zip(&graph.destinations);
        let mut edges: Vec<_> = ends.map(|(&u, &v)| (u.min(v), u.max(v))).collect();
        edges.par_sort_unstable();
        edges.dedup();
        edges
    }

    fn new(edges: Vec<(u32, u32)>, n: usize) -> Self {
        let ends: Vec<_> = edges.iter().flat_map(|&(u, v)| [u, v]).collect();
        let first = firsts(n as u32, &ends);
        let (mut next, mut neighbors) = (first.clone(), vec![(0, 0); ends.len()]);
        for (&(u, v), number) in edges.iter().zip(0..) {
            for (at, other) in [(v, u), (u, v)] {
                neighbors[next[at as usize]] = (other, number);
                next[at as usize] += 1;
            }
        }
        let mut edges = Self { edges, first, neighbors };
        edges.sort_rows();
        edges
    }

    fn sort_rows(&mut self) {
        let mut rest = &mut self.neighbors[..];
        let rows: Vec<_> = self
            .first
            .windows(2)
            .map(|ends| rest.split_off_mut(..ends[1] - ends[0]).unwrap_or_default())
            .collect();
        rows.into_par_iter().for_each(<[_]>::sort_unstable);
    }

    /// Some of them.
    pub(in crate::cli::algorithms) fn keep(&self, is_kept: impl Fn(usize) -> bool) -> Self {
        let kept = (0..self.edges.len()).filter(|&e| is_kept(e)).map(|e| self.edges[e]);
        Self::new(kept.collect(), self.first.len() - 1)
    }

    /// The edges with these weights.
    pub(in crate::cli::algorithms) fn weighing(&self, weights: &[u32]) -> Vec<Edge<u32>> {
        let edges = self.edges.iter().zip(weights);
        edges.map(|(&(src, dst), &weight)| Edge { src, dst, weight }).collect()
    }

    fn row(&self, vertex: u32) -> &Row {
        &self.neighbors[self.first[vertex as usize]..self.first[vertex as usize + 1]]
    }

    /// The ends of an edge with their neighbours, the fewer first.
    fn rows_of(&self, edge: usize) -> (&Row, &Row) {
        let (u, v) = self.edges[edge];
        let (one, other) = (self.row(u), self.row(v));
        if one.len() <= other.len() { (one, other) } else { (other, one) }
    }

    /// How many neighbours are looked up to find all triangles over each edge.
    pub(in crate::cli::algorithms) fn lookups(&self) -> u64 {
        (0..self.edges.len()).into_par_iter().map(|e| self.rows_of(e).0.len() as u64).sum()
    }

    /// Calls with the other two edges of each triangle over an edge.
    fn for_each_triangle(&self, edge: usize, call: impl FnMut(usize, usize)) {
        let (few, many) = self.rows_of(edge);
        for_each_common(few, many, call);
    }

    /// How many triangles each edge is in. Edges go to the end with more neighbours, so that each triangle
    /// is found over one of its edges, and no vertex has many ahead.
    pub(in crate::cli::algorithms) fn support(&self) -> Vec<u32> {
        let n = self.first.len() as u32 - 1;
        let place = |v: u32| (self.row(v).len(), v);
        let row_ahead = |v| {
            let row = self.row(v).iter().copied();
            row.filter(|&(u, _)| place(u) > place(v)).collect::<Vec<_>>()
        };
        let ahead: Vec<_> = (0..n).into_par_iter().map(row_ahead).collect();
        let support: Vec<_> = self.edges.iter().map(|_| AtomicU32::new(0)).collect();
        ahead.par_iter().for_each(|row| {
            for &(u, edge) in row {
                let other = &ahead[u as usize];
                let (few, many) = if row.len() < other.len() { (row, other) } else { (other, row) };
                for_each_common(few, many, |one, other| {
                    for edge in [edge as usize, one, other] {
                        support[edge].fetch_add(1, Relaxed);
                    }
                });
            }
        });
        support.into_iter().map(AtomicU32::into_inner).collect()
    }

    /// The trussness of each edge.
    pub(in crate::cli::algorithms) fn trussness(&self) -> Vec<u32> {
        self.peel(u32::MAX)
    }

    /// Whether each edge is in the `k`-truss.
    pub(in crate::cli::algorithms) fn is_in_truss(&self, k: u32) -> Vec<bool> {
        self.peel(k).into_iter().map(|trussness| trussness >= k).collect()
    }

    /// The trussness of each edge that has less than `most`, and `most` of the others: edges in no more
    /// triangles than the level go first, and those that lose triangles to them.
    fn peel(&self, most: u32) -> Vec<u32> {
        let peeling = Peeling::new(self);
        let mut found = vec![most; self.edges.len()];
        let mut left: Vec<usize> = (0..self.edges.len()).collect();
        let mut level = 0;
        while !left.is_empty() && level + 2 < most {
            let support = |&edge: &usize| peeling.support[edge].load(Relaxed);
            // The next level that has an edge.
            level = left.par_iter().map(support).min().unwrap_or(0).max(level);
            if level + 2 >= most {
                break;
            }
            let mut going: Vec<_> =
                left.par_iter().copied().filter(|edge| support(edge) <= level).collect();
            while !going.is_empty() {
                going.iter().for_each(|&edge| found[edge] = level + 2);
                going = peeling.remove(&going, level);
            }
            left.retain(|&edge| !peeling.is_gone[edge].load(Relaxed));
        }
        found
    }
}

/// Calls with the edges to each neighbour that is in both rows: looks `few` up in `many`.
fn for_each_common(few: &Row, mut many: &Row, mut call: impl FnMut(usize, usize)) {
    for &(vertex, edge) in few {
        let at = many.partition_point(|&(other, _)| other < vertex);
        many = &many[at..];
        if let Some(&(_, other)) = many.first().filter(|(other, _)| *other == vertex) {
            call(edge as usize, other as usize);
        }
    }
}

/// Edges that go, some at a time.
struct Peeling<'a> {
    edges: &'a Edges,
    /// The triangles that each is in, of edges that are left; never below the level of one that goes.
    support: Vec<AtomicU32>,
    is_going: Vec<AtomicBool>,
    is_gone: Vec<AtomicBool>,
}

impl<'a> Peeling<'a> {
    fn new(edges: &'a Edges) -> Self {
        let flags = || (0..edges.edges.len()).map(|_| AtomicBool::new(false)).collect();
        let support = edges.support().into_iter().map(AtomicU32::new).collect();
        Peeling { edges, support, is_going: flags(), is_gone: flags() }
    }

    /// Removes edges; those that are in `level` triangles since, and were in more.
    fn remove(&self, going: &[usize], level: u32) -> Vec<usize> {
        going.par_iter().for_each(|&edge| self.is_going[edge].store(true, Relaxed));
        let follow = |&edge: &usize| {
            let mut fallen = Vec::new();
            self.edges.for_each_triangle(edge, |one, other| {
                if self.is_gone[one].load(Relaxed) || self.is_gone[other].load(Relaxed) {
                    return;
                }
                // Of two edges that go, the first takes the triangle from the third.
                for (loser, third) in [(one, other), (other, one)] {
                    let is_first = !self.is_going[third].load(Relaxed) || edge < third;
                    if is_first && !self.is_going[loser].load(Relaxed) && self.lose(loser, level) {
                        fallen.push(loser);
                    }
                }
            });
            fallen
        };
        let fallen = going.par_iter().flat_map_iter(follow).collect();
        going.par_iter().for_each(|&edge| self.is_gone[edge].store(true, Relaxed));
        fallen
    }

    /// Takes a triangle from an edge; whether it is in `level` of them now, and was in one more.
    fn lose(&self, edge: usize, level: u32) -> bool {
        let fewer = |support: u32| (support > level).then(|| support - 1);
        let before = self.support[edge].try_update(Relaxed, Relaxed, fewer);
        before == Ok(level + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_graphs_have_the_trussness_that_one_sees() {
        // A clique of 4, a triangle on one of its edges, and a tail.
        let edges = vec![(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (4, 5)];
        let edges = Edges::new(edges, 6);
        assert_eq!(edges.support(), [2, 2, 2, 2, 2, 3, 1, 1, 0]);
        assert_eq!(edges.trussness(), [4, 4, 4, 4, 4, 4, 3, 3, 2]);
        let truss = edges.keep(|e| edges.trussness()[e] >= 4);
        assert_eq!(truss.support(), [2; 6]);
        let in_truss = |k| edges.is_in_truss(k).into_iter().filter(|&is_in| is_in).count();
        assert_eq!([2, 3, 4, 5].map(in_truss), [9, 8, 6, 0]);
    }

    #[test]
    fn a_level_taken_at_once_is_an_edge_at_a_time() {
        let mut rng = fastrand::Rng::with_seed(17);
        for _ in 0..20 {
            let mut edges: Vec<_> = (0..400).map(|_| (rng.u32(0..40), rng.u32(0..40))).collect();
            edges.retain(|(u, v)| u < v);
            edges.sort_unstable();
            edges.dedup();
            let edges = Edges::new(edges, 40);
            assert_eq!(edges.trussness(), one_at_a_time(&edges));
        }
    }

    /// The edge in the fewest triangles goes, again and again.
    fn one_at_a_time(edges: &Edges) -> Vec<u32> {
        let mut found = vec![0; edges.edges.len()];
        let (mut left, mut k) = ((0..found.len()).collect::<Vec<_>>(), 2);
        while !left.is_empty() {
            let support = edges.keep(|edge| left.contains(&edge)).support();
            let (at, &least) = support.iter().enumerate().min_by_key(|(_, s)| **s).expect("edges");
            k = k.max(least + 2);
            found[left.remove(at)] = k;
        }
        found
    }
}
