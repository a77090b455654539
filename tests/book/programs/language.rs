//! The snippets of docs/LANGUAGE.md, in programs that run.

use meerkat::prelude::*;

const UNREACHED: u32 = u32::MAX;
const NONE: u32 = u32::MAX;

fn edges(pairs: &[(u32, u32)]) -> Vec<Edge> {
    pairs.iter().map(|&(src, dst)| Edge { src, dst, weight: () }).collect()
}

/// 0 -> 1 -> 2 -> 3, and 0 -> 2.
fn diamond(device: &Device) -> Result<SlabGraph, Error> {
    let edges = edges(&[(0, 1), (1, 2), (2, 3), (0, 2)]);
    SlabGraph::from_edges(device, 4, &edges, &SlabOptions::DEFAULT)
}

// ANCHOR: operator
#[vertex_operator]
fn visit(v: Vertex, graph: &Graph, level: u32, levels: &[Atomic<u32>], next: &Frontier<Vertex>) {
    for_each_neighbor(graph, v, true, |dst| {
        let discovered =
            levels[dst].load() == UNREACHED && levels[dst].fetch_min(level) == UNREACHED;
        warp_enqueue_frontier(next, dst, discovered);
    });
}
// ANCHOR_END: operator

mod views {
    use super::*;

    // ANCHOR: view
    #[device_view(TreeBuffers)]
    struct TreeView {
        distances: &[Atomic<u32>],
        queued: &[Atomic<u32>],
        round: u32,
    }

    #[device]
    impl TreeView {
        fn queues(self, v: Vertex) -> bool {
            self.queued[v].swap(self.round) != self.round
        }
    }

    #[vertex_operator]
    fn visit(v: Vertex, graph: &Graph, tree: &TreeView, next: &Frontier<Vertex>) {
        let through = tree.distances[v].load() + 1;
        for_each_neighbor(graph, v, true, |dst| {
            let is_nearer = tree.distances[dst].fetch_min(through) > through;
            warp_enqueue_frontier(next, dst, is_nearer && tree.queues(dst));
        });
    }
    // ANCHOR_END: view

    #[test]
    fn a_view_passes_three_arguments_as_one() -> Result<(), Error> {
        let device = Device::auto();
        let graph = diamond(&device)?;
        let mut d = DeviceBuffer::filled(&device, 4, UNREACHED)?;
        d.write(0, &[0])?;
        let q = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 4)?;
        let mut frontiers = Frontiers::new(&device, 4, &[0])?;
        let next = frontiers.next();
        // ANCHOR: view_launch
        let tree = TreeBuffers { distances: &d, queued: &q, round: 1 };
        visit::launch(&device, frontiers.current(), &graph, tree, next)?;
        // ANCHOR_END: view_launch
        assert_eq!(frontiers.advance()?, 2);
        assert_eq!(d.to_vec()?, [0, 1, 1, UNREACHED]);
        Ok(())
    }
}

mod operators {
    use super::*;

    #[test]
    fn a_search_of_two_levels_finds_two_and_one() -> Result<(), Error> {
        let device = Device::auto();
        let graph = diamond(&device)?;
        let levels = DeviceBuffer::from_slice(&device, &[0, UNREACHED, UNREACHED, UNREACHED])?;
        let mut frontiers = Frontiers::new(&device, 4, &[0])?;
        for (level, found) in [(1, 2), (2, 1)] {
            let (current, next) = (frontiers.current(), frontiers.next());
            visit::launch(&device, current, &graph, level, &levels, next)?;
            assert_eq!(frontiers.advance()?, found);
        }
        assert_eq!(levels.to_vec()?, [0, 1, 1, 2]);
        Ok(())
    }
}

#[allow(unreachable_pub, reason = "the page shows what a library has")]
mod reductions {
    use super::*;

    #[vertex_operator]
    fn find_nearest(v: Vertex, graph: &Graph<f32>, out: &mut [u32]) {
        // ANCHOR: nearest
        let mut nearest = ArgMin::<f32>::IDENTITY;
        for_each_neighbor(graph, v, true, |dst, weight| {
            nearest = nearest.join(ArgMin { key: weight, vertex: dst });
        });
        out[v] = nearest.vertex; // `u32::MAX` if there is no neighbour
        // ANCHOR_END: nearest
    }

    // ANCHOR: histogram
    #[derive(Clone, Copy, DeviceStruct)]
    #[repr(C)]
    pub struct Histogram {
        counts: [u32; 8],
    }

    #[device]
    impl Reduce for Histogram {
        const IDENTITY: Self = Histogram { counts: [0; 8] };

        fn join(self, other: Self) -> Self {
            let mut counts: [u32; 8] = self.counts;
            for i in 0..8u32 {
                counts[i] += other.counts[i];
            }
            Histogram { counts }
        }
    }
    // ANCHOR_END: histogram

    #[vertex_operator]
    fn count_degrees(v: Vertex, graph: &Graph, out: &mut [Histogram]) {
        let mut found = Histogram::IDENTITY;
        for_each_neighbor(graph, v, true, |dst| {
            let mut counts: [u32; 8] = [0u32; 8];
            counts[out_degree(graph, dst).min(7)] = 1;
            found = found.join(Histogram { counts });
        });
        out[v] = found;
    }

    #[test]
    fn walks_join_by_argmin_and_by_a_histogram() -> Result<(), Error> {
        let device = Device::auto();
        let edge = |src, dst, weight| Edge { src, dst, weight };
        let weighted = [edge(0, 1, 2.5f32), edge(0, 2, 0.5), edge(1, 2, 1.0)];
        let graph = SlabGraph::from_edges(&device, 3, &weighted, &SlabOptions::DEFAULT)?;
        let mut nearest = DeviceBuffer::zeroed(&device, 3)?;
        find_nearest::launch(&device, 0..3, &graph, &mut nearest)?;
        assert_eq!(nearest.to_vec()?, [2, 2, u32::MAX]);

        let graph = diamond(&device)?;
        let mut found = DeviceBuffer::zeroed(&device, 4)?;
        count_degrees::launch(&device, 0..4, &graph, &mut found)?;
        // Both neighbours of 0 have one neighbour.
        assert_eq!(found.to_vec()?[0].counts, [0, 2, 0, 0, 0, 0, 0, 0]);
        Ok(())
    }
}

mod traits {
    use super::*;

    // ANCHOR: distance
    /// A distance that a search keeps: a number, or a number and a parent.
    #[device]
    pub trait Distance {
        const UNREACHED: Self;
        fn lengthen(self, by: u32) -> Self;
        fn is_reached(self) -> bool;
        /// Types may have their own.
        fn doubled(self, by: u32) -> Self {
            self.lengthen(by).lengthen(by)
        }
    }

    #[device]
    impl Distance for u32 {
        const UNREACHED: u32 = u32::MAX;
        fn lengthen(self, by: u32) -> u32 {
            self.saturating_add(by)
        }
        fn is_reached(self) -> bool {
            self != Self::UNREACHED
        }
    }

    #[vertex_operator]
    fn relax<W: Weight, D: Distance>(v: Vertex, graph: &Graph<W>, best: &[Atomic<D>]) {
        for_each_neighbor(graph, v, true, |dst| {
            let through = best[v].load().lengthen(1);
            best[dst].fetch_min(through);
        });
    }
    // ANCHOR_END: distance

    #[test]
    fn a_generic_operator_takes_its_type_from_the_buffer() -> Result<(), Error> {
        let device = Device::auto();
        let graph = diamond(&device)?;
        let best = DeviceBuffer::from_slice(&device, &[0, UNREACHED, UNREACHED, UNREACHED])?;
        relax::launch(&device, 0..1, &graph, &best)?;
        assert_eq!(best.to_vec()?, [0, 1, 1, UNREACHED]);
        assert!(relax::info::<(), u32>().cuda_body().contains("relax"));
        assert!(!u32::UNREACHED.is_reached() && 3u32.doubled(2) == 7);
        Ok(())
    }
}

mod memory {
    use super::*;

    #[kernel]
    fn publish(key: &[Atomic<u32>], head: &[Atomic<u32>], found: &mut [u32]) {
        let i = thread_id();
        if i < found.len() {
            let (k, list) = (i + 7, i % 2);
            let new = i;
            // ANCHOR: publish
            key[new].store(k);
            head[list].store_release(new);
            // ANCHOR_END: publish
            // ANCHOR: acquire
            let first = head[list].load_acquire(); // another lane, of any block
            let mut seen = 0u32;
            if first != NONE {
                seen = key[first].load();
            }
            // ANCHOR_END: acquire
            found[i] = seen;
        }
    }

    #[kernel]
    fn double(lock: &[Atomic<u32>], value: &[Atomic<u32>], n: u32) {
        let i = thread_id();
        if i < n {
            let v = i % 3;
            // ANCHOR: lock
            let mut done = false;
            while !done {
                if lock[v].compare_and_swap(0, 1) == 0 {
                    memory_fence();
                    value[v].store(value[v].load() * 2);
                    lock[v].store_release(0);
                    done = true;
                }
            }
            // ANCHOR_END: lock
        }
    }

    fn check(device: &Device) -> Result<(), Error> {
        let key = DeviceBuffer::<Atomic<u32>>::zeroed(device, 64)?;
        let head = DeviceBuffer::filled(device, 2, NONE)?;
        let mut found = DeviceBuffer::zeroed(device, 64)?;
        publish::launch(device, 64, &key, &head, &mut found)?;
        // What a lane finds by the link is a key, never the zero from before.
        let is_a_key = |(i, &seen): (usize, &u32)| seen >= 7 && (seen - 7) % 2 == i as u32 % 2;
        assert!(found.to_vec()?.iter().enumerate().all(is_a_key));

        let lock = DeviceBuffer::<Atomic<u32>>::zeroed(device, 3)?;
        let value = DeviceBuffer::filled(device, 3, 1u32)?;
        double::launch(device, 12, &lock, &value, 12)?;
        assert_eq!(value.to_vec()?, [16; 3]);
        Ok(())
    }

    #[test]
    fn links_and_locks_hold_on_every_device_and_in_weak_memory() -> Result<(), Error> {
        check(&Device::auto())?;
        // ANCHOR: weak
        for seed in 0..1000 {
            let device = Device::cpu().with_weak_memory(seed);
            check(&device)?; // build, launch, compare
        }
        // ANCHOR_END: weak
        Ok(())
    }
}
