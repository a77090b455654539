//! Graph files as the tests of algorithms take them.

use std::path::Path;

use super::random::Random;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::graph::Orientation;
use meerkat::runtime::read::{GraphFile, SimpleGraph, read};
use meerkat::runtime::{Device, Edge, SlabGraph, SlabOptions, Weight};

/// A graph file and its simple graph.
pub struct Input {
    pub file: GraphFile,
    pub simple: SimpleGraph,
}

impl Input {
    /// Reads a file that is there.
    pub fn read(path: &Path, directed: bool) -> Self {
        let file = read(path, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
        let direction = if directed { Direction::Directed } else { Direction::Undirected };
        let simple = file.simple(direction);
        Self { file, simple }
    }

    /// The slab graph of the arcs.
    pub fn build(&self, device: &Device) -> SlabGraph<()> {
        slab_graph(device, self.simple.n, &self.arcs())
    }

    pub fn arcs(&self) -> Vec<(u32, u32)> {
        let arcs = self.simple.sources.iter().zip(&self.simple.destinations);
        arcs.map(|(&u, &v)| (u, v)).collect()
    }
}

/// The slab graph of some arcs, all of weight zero, in both orientations.
pub fn slab_graph<W: Weight>(device: &Device, n: u32, arcs: &[(u32, u32)]) -> SlabGraph<W> {
    let edge = |&(src, dst): &(u32, u32)| Edge { src, dst, weight: W::ZERO };
    let edges: Vec<_> = arcs.iter().map(edge).collect();
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    SlabGraph::from_edges(device, n, &edges, &options).expect("a slab graph")
}

/// Random arcs: half of them uniform, half of them between low numbers, so that
/// some vertices are hubs; repeats and self-loops are among them.
pub fn random_arcs(n: u32, count: u32, seed: u64) -> Vec<(u32, u32)> {
    let mut random = Random::new(seed);
    let hub = |random: &mut Random| {
        let limit = random.below(n) + 1;
        random.below(limit)
    };
    let arc = |i: u32| match i % 2 {
        0 => (random.below(n), random.below(n)),
        _ => (hub(&mut random), hub(&mut random)),
    };
    (0..count).map(arc).collect()
}
