//! Compact slabs beside an ordered map: built, grown, deleted from, with hubs.

use crate::support::{devices, say};
use meerkat::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type Map<W> = BTreeMap<(u32, u32), W>;

/// What an edge carries in a test.
trait Sample: Weight + PartialEq + std::fmt::Debug {
    fn of(number: u32) -> Self;
}

impl Sample for () {
    fn of(_: u32) {}
}

impl Sample for u32 {
    fn of(number: u32) -> u32 {
        // Any bits, those of marks included.
        if number.is_multiple_of(5) { u32::MAX } else { number.wrapping_mul(0x9e37_79b9) }
    }
}

impl Sample for f32 {
    fn of(number: u32) -> f32 {
        number as f32 / 4.0 - 9.0
    }
}

struct Case<W: Weight> {
    device: Device,
    graph: CompactGraph<W>,
    map: Map<W>,
    direction: Direction,
}

impl<W: Sample> Case<W> {
    fn new(device: &Device, vertices: u32, edges: &[Edge<W>], options: SlabOptions) -> Self {
        let graph = CompactGraph::from_edges(device, vertices, edges, &options).expect("a graph");
        let (device, direction) = (device.clone(), options.direction);
        let mut case = Case { device, graph, map: Map::new(), direction };
        edges.iter().for_each(|edge| case.put(edge));
        case
    }

    fn arcs(&self, edge: &Edge<W>) -> Vec<(u32, u32)> {
        match self.direction {
            Direction::Directed => vec![(edge.src, edge.dst)],
            Direction::Undirected => vec![(edge.src, edge.dst), (edge.dst, edge.src)],
        }
    }

    fn put(&mut self, edge: &Edge<W>) {
        for arc in self.arcs(edge) {
            self.map.insert(arc, edge.weight);
        }
    }

    fn insert(&mut self, edges: &[Edge<W>]) {
        let list = DeviceBuffer::from_slice(&self.device, edges).expect("memory");
        self.graph.insert_buffer(&list).expect("room");
        edges.iter().for_each(|edge| self.put(edge));
    }

    fn delete(&mut self, edges: &[Edge<W>]) {
        let list = DeviceBuffer::from_slice(&self.device, edges).expect("memory");
        self.graph.delete_buffer(&list).expect("no error");
        for edge in edges {
            for arc in self.arcs(edge) {
                self.map.remove(&arc);
            }
        }
    }

    #[track_caller]
    fn check(&self, step: &str) {
        let edges = self.graph.to_edges().expect("no error");
        let found: Vec<_> = edges.iter().map(|e| ((e.src, e.dst), e.weight)).collect();
        let wanted: Vec<_> = self.map.iter().map(|(&arc, &weight)| (arc, weight)).collect();
        assert_eq!(found.len(), wanted.len(), "{step} on {}", self.device.name());
        assert!(found == wanted, "{step} on {}", self.device.name());
        // Those that are there, and some that may not be.
        let asked: Vec<_> = edges
            .iter()
            .step_by(7)
            .flat_map(|e| [(e.src, e.dst), (e.dst, e.src), (e.src, e.dst / 2)])
            .map(|(src, dst)| Edge { src, dst, weight: W::of(0) })
            .collect();
        let there = self.graph.contains(&asked).expect("no error");
        for (edge, is_there) in asked.iter().zip(there) {
            let is_wanted = self.map.contains_key(&(edge.src, edge.dst));
            assert_eq!(is_there, is_wanted, "{edge:?}, {step} on {}", self.device.name());
        }
    }
}

/// Edges in which low vertices are hubs; each once.
fn skewed<W: Sample>(random: &mut fastrand::Rng, vertices: u32, count: usize) -> Vec<Edge<W>> {
    let mut one = || {
        let src = (vertices as f32 * random.f32().powi(4)) as u32;
        let dst = random.u32(0..vertices);
        (src.min(dst), src.max(dst))
    };
    let arcs: BTreeSet<_> = (0..count).map(|_| one()).collect();
    let mut edges: Vec<_> = arcs
        .into_iter()
        .map(|(src, dst)| Edge { src, dst, weight: W::of(src * 31 + dst + count as u32) })
        .collect();
    random.shuffle(&mut edges);
    edges
}

fn grow_and_shrink<W: Sample>(device: &Device, options: SlabOptions, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let vertices = 1500;
    for first in [0, 900, 9000] {
        let built = skewed(&mut random, vertices, first);
        let mut case = Case::<W>::new(device, vertices, &built, options);
        case.check("built");
        for step in 0..5 {
            let more = skewed(&mut random, vertices, 500 << step);
            case.insert(&more);
            case.check(&format!("{first} edges, inserted in step {step}"));
            let mut gone = skewed(&mut random, vertices, 300);
            gone.extend(more.iter().step_by(3).copied());
            case.delete(&gone);
            case.check(&format!("{first} edges, deleted in step {step}"));
        }
    }
}

#[test]
fn lists_grow_from_records_to_hubs_and_lose_edges_again() {
    for device in devices::devices() {
        for (seed, orientation) in (0..).zip([Orientation::Out, Orientation::In, Orientation::Both])
        {
            let options = SlabOptions::DEFAULT.oriented(orientation);
            grow_and_shrink::<()>(&device, options, seed);
            grow_and_shrink::<u32>(&device, options, seed + 10);
        }
        grow_and_shrink::<()>(&device, SlabOptions::DEFAULT.undirected(), 3);
        grow_and_shrink::<f32>(&device, SlabOptions::DEFAULT.undirected(), 13);
        say(&format!("compact slabs grow and shrink, on {}", device.name()));
    }
}

#[test]
fn a_hub_of_200_000_edges_grows_by_batches() {
    for device in devices::devices() {
        let edge = |dst: u32| Edge { src: 7, dst, weight: () };
        let mut case = Case::<()>::new(&device, 300_000, &[], SlabOptions::DEFAULT);
        for batch in 0..20 {
            let edges: Vec<_> = (0..10_000).map(|i| edge(batch * 10_000 + i)).collect();
            case.insert(&edges);
        }
        case.check("grown");
    }
}
