//! The answers by other methods, in plain Rust.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Neighbours of each vertex in the undirected simple graph.
pub(crate) fn neighbors(n: u32, arcs: &[(u32, u32)]) -> Vec<BTreeSet<u32>> {
    let mut found = vec![BTreeSet::new(); n as usize];
    for &(u, v) in arcs.iter().filter(|(u, v)| u != v) {
        found[u as usize].insert(v);
        found[v as usize].insert(u);
    }
    found
}

/// The smallest vertex of each one's component, by breadth-first searches.
pub(crate) fn component_labels(n: u32, arcs: &[(u32, u32)]) -> Vec<u32> {
    let neighbors = neighbors(n, arcs);
    let mut labels = vec![u32::MAX; n as usize];
    for start in 0..n {
        if labels[start as usize] != u32::MAX {
            continue;
        }
        labels[start as usize] = start;
        let mut queue = VecDeque::from([start]);
        while let Some(u) = queue.pop_front() {
            for &v in &neighbors[u as usize] {
                if labels[v as usize] == u32::MAX {
                    labels[v as usize] = start;
                    queue.push_back(v);
                }
            }
        }
    }
    labels
}

/// The triangles at each vertex: every pair of neighbours that are adjacent.
pub(crate) fn triangles_per_vertex(n: u32, arcs: &[(u32, u32)]) -> Vec<u64> {
    let neighbors = neighbors(n, arcs);
    let at = |of: &BTreeSet<u32>| {
        let closed = |v: &u32| of.intersection(&neighbors[*v as usize]).count() as u64;
        of.iter().map(closed).sum::<u64>() / 2
    };
    neighbors.iter().map(at).collect()
}

/// Ranks by Gauss-Seidel on the linear system without teleports of dead ends,
/// scaled to sum 1: the fixed point is the same (Del Corso, Gulli, Romani).
pub(crate) fn pagerank(n: u32, arcs: &[(u32, u32)], damping: f64, self_loops: bool) -> Vec<f64> {
    let mut arcs: BTreeSet<(usize, (u32, u32))> = arcs.iter().map(|&arc| (0, arc)).collect();
    if self_loops {
        arcs.extend((0..n).map(|v| (1, (v, v))));
    }
    let mut out_degrees = vec![0.0; n as usize];
    let mut in_neighbors = vec![Vec::new(); n as usize];
    for (_, (u, v)) in arcs {
        out_degrees[u as usize] += 1.0;
        in_neighbors[v as usize].push(u as usize);
    }
    let mut ranks = vec![1.0; n as usize];
    // Sums of many neighbours may go round by their last bits for ever.
    let (mut least, mut rounds) = (f64::INFINITY, 0);
    loop {
        let mut change: f64 = 0.0;
        for v in 0..n as usize {
            let received: f64 = in_neighbors[v].iter().map(|&u| ranks[u] / out_degrees[u]).sum();
            let rank = 1.0 - damping + damping * received;
            change = change.max((rank - ranks[v]).abs() / rank);
            ranks[v] = rank;
        }
        rounds = if change < least { 0 } else { rounds + 1 };
        least = least.min(change);
        if change < 1e-15 || (least < 1e-12 && rounds == 20) {
            break;
        }
    }
    let sum: f64 = ranks.iter().sum();
    ranks.into_iter().map(|rank| rank / sum).collect()
}

/// The trussness of each edge of the undirected simple graph, by its ends in ascending order: all
/// edges of too few triangles go at once, until there are none, for every `k`.
pub(crate) fn trussness(n: u32, arcs: &[(u32, u32)]) -> BTreeMap<(u32, u32), u32> {
    let mut left = neighbors(n, arcs);
    let mut found = BTreeMap::new();
    for k in 3.. {
        loop {
            let edges = (0..n).flat_map(|u| left[u as usize].range(u + 1..).map(move |&v| (u, v)));
            let triangles = |&(u, v): &(u32, u32)| {
                left[u as usize].intersection(&left[v as usize]).take(k as usize).count() as u32
            };
            let weak: Vec<_> = edges.filter(|edge| triangles(edge) + 2 < k).collect();
            if weak.is_empty() {
                break;
            }
            for (u, v) in weak {
                left[u as usize].remove(&v);
                left[v as usize].remove(&u);
                found.insert((u, v), k - 1);
            }
        }
        if left.iter().all(BTreeSet::is_empty) {
            break;
        }
    }
    found
}
