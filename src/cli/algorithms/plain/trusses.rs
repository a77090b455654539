//! Trusses in plain code, an edge at a time (Wang and Cheng, "Truss decomposition in massive
//! networks"): nothing of the library is used.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use meerkat::runtime::Edge;
use meerkat::runtime::read::SimpleGraph;

/// The edges of an undirected simple graph, ascending, and the neighbours of each vertex.
pub(in crate::cli::algorithms) struct Edges {
    edges: Vec<(u32, u32)>,
    /// Neighbours, ascending, each with the number of its edge.
    rows: Vec<Vec<(u32, usize)>>,
}

impl Edges {
    /// Those of a graph, whatever the directions of its arcs.
    pub(in crate::cli::algorithms) fn of(graph: &SimpleGraph) -> Self {
        Self::new(Self::ends_of(graph), graph.n as usize)
    }

    /// The ends of each, ascending.
    pub(in crate::cli::algorithms) fn ends_of(graph: &SimpleGraph) -> Vec<(u32, u32)> {
        let ends = graph.sources.iter().zip(&graph.destinations);
        let mut edges: Vec<_> = ends.map(|(&u, &v)| (u.min(v), u.max(v))).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    fn new(edges: Vec<(u32, u32)>, n: usize) -> Self {
        let mut rows = vec![Vec::new(); n];
        for (number, &(u, v)) in edges.iter().enumerate() {
            rows[u as usize].push((v, number));
            rows[v as usize].push((u, number));
        }
        rows.iter_mut().for_each(|row| row.sort_unstable());
        Self { edges, rows }
    }

    /// Some of them.
    pub(in crate::cli::algorithms) fn keep(&self, is_kept: impl Fn(usize) -> bool) -> Self {
        let kept = (0..self.edges.len()).filter(|&e| is_kept(e)).map(|e| self.edges[e]);
        Self::new(kept.collect(), self.rows.len())
    }

    /// The edges with these weights.
    pub(in crate::cli::algorithms) fn weighing(&self, weights: &[u32]) -> Vec<Edge<u32>> {
        let edges = self.edges.iter().zip(weights);
        edges.map(|(&(src, dst), &weight)| Edge { src, dst, weight }).collect()
    }

    /// The other two edges of each triangle over an edge.
    fn triangles(&self, edge: usize) -> Vec<(usize, usize)> {
        let (u, v) = self.edges[edge];
        let (mut a, mut b) = (&self.rows[u as usize][..], &self.rows[v as usize][..]);
        let mut found = Vec::new();
        while let (Some((first, after_a)), Some((second, after_b))) =
            (a.split_first(), b.split_first())
        {
            let order = first.0.cmp(&second.0);
            if order == Ordering::Equal {
                found.push((first.1, second.1));
            }
            a = if order == Ordering::Greater { a } else { after_a };
            b = if order == Ordering::Less { b } else { after_b };
        }
        found
    }

    /// How many triangles each edge is in.
    pub(in crate::cli::algorithms) fn support(&self) -> Vec<u32> {
        (0..self.edges.len()).map(|edge| self.triangles(edge).len() as u32).collect()
    }

    /// The trussness of each edge: that of least support goes first.
    pub(in crate::cli::algorithms) fn trussness(&self) -> Vec<u32> {
        let mut support = self.support();
        let mut queue: BTreeSet<_> = support.iter().copied().zip(0..).collect();
        let mut found = vec![0; self.edges.len()];
        let mut k = 2;
        while let Some((least, edge)) = queue.pop_first() {
            k = k.max(least + 2);
            found[edge] = k;
            for (first, second) in self.triangles(edge) {
                if found[first] == 0 && found[second] == 0 {
                    for other in [first, second] {
                        queue.remove(&(support[other], other));
                        support[other] -= 1;
                        queue.insert((support[other], other));
                    }
                }
            }
        }
        found
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
    }
}
