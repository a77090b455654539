//! Random sequences of batches: after each of them the answer that followed is
//! the one of a plain program.

use meerkat::algos::triangles::{TriangleCounts, Triangles};
use meerkat::algos::wcc::Components;
use meerkat::prelude::*;

use super::oracle;
use super::support::devices;
use super::support::graphs::{random_arcs, slab_graph};
use super::support::random::Random;

#[test]
fn quick() {
    for seed in 0..200u64 {
        let mut random = Random::new(seed);
        let n = 1 + random.below(30);
        let device = devices::devices().remove(0);
        let mut arcs: std::collections::BTreeSet<(u32, u32)> =
            random_arcs(n, random.below(3 * n + 1), seed).into_iter().collect();
        let list: Vec<_> = arcs.iter().copied().collect();
        let graph = slab_graph::<()>(&device, n, &list);
        let mut tracked = graph.track((Components::new(), Triangles::new())).expect("tracked");
        for step in 0..8 {
            let mut batch = Batch::new();
            for _ in 0..random.below(12) {
                let (mut u, mut v) = (random.below(n), random.below(n));
                let edge = |(src, dst)| Edge { src, dst, weight: () };
                if random.below(2) == 0 {
                    let at = random.below(arcs.len().max(1) as u32) as usize;
                    (u, v) = arcs.iter().nth(at).copied().unwrap_or((u, v));
                    arcs.remove(&(u, v));
                    batch = batch.delete([edge((u, v))]);
                } else {
                    arcs.insert((u, v));
                    batch = batch.insert([edge((u, v))]);
                }
            }
            tracked.apply(&batch).expect("applied");
            let (labels, TriangleCounts { per_vertex, total, .. }) =
                tracked.output().expect("answers");
            let list: Vec<_> = arcs.iter().copied().collect();
            assert_eq!(labels, oracle::component_labels(n, &list), "{seed} {step}");
            assert_eq!(per_vertex, oracle::triangles_per_vertex(n, &list), "{seed} {step}");
            assert_eq!(3 * total, per_vertex.iter().sum::<u64>());
        }
    }
}
