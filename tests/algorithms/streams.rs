//! Components and triangles through random and adversarial streams: after every
//! batch the answer that followed and a recomputation are those of plain programs.

use meerkat::algos::triangles::{TriangleCounts, Triangles};
use meerkat::algos::wcc::{Components, IncrementalComponents, Scheme};
use meerkat::prelude::*;
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::oracle::generate::Rng;
use meerkat::runtime::oracle::{Kind, Model};
use meerkat::runtime::{BlockEdges, CompactEdges};

use super::oracle;
use super::support::streams::{self, for_each_kind};

const WAYS: [(Direction, SlabOptions); 2] = [
    (Direction::Directed, SlabOptions::DEFAULT.oriented(Orientation::Both)),
    (Direction::Undirected, SlabOptions::DEFAULT.oriented(Orientation::Both)),
];

/// Both answers through sequences of a kind, half of them undirected.
#[track_caller]
pub(super) fn check<W, A, O>(
    name: &str,
    kind: Kind,
    algorithm: impl Fn() -> A,
    weight: impl Fn(&mut Rng) -> W,
    wrong: impl Fn(&Arcs, &O) -> Result<(), String>,
) where
    W: Weight + std::fmt::Debug,
    A: DynamicAlgorithm<SlabGraph<W>, Output = O>
        + DynamicAlgorithm<CompactGraph<W>, Output = O>
        + DynamicAlgorithm<BlockGraph<W>, Output = O>,
{
    let wrong = |model: &Model<W>, followed: &O, recomputed: &O| {
        let arcs = Arcs::of(model);
        wrong(&arcs, followed)?;
        wrong(&arcs, recomputed).map_err(|what| format!("from scratch: {what}"))
    };
    streams::check(name, kind, &WAYS, algorithm, weight, wrong);
}

/// The arcs of a model.
pub(super) struct Arcs {
    pub n: u32,
    pub arcs: Vec<(u32, u32)>,
}

impl Arcs {
    fn of<W: Weight>(model: &Model<W>) -> Self {
        let arcs = model.edges().iter().map(|edge| (edge.src, edge.dst)).collect();
        Arcs { n: model.vertices(), arcs }
    }
}

fn wrong_labels(graph: &Arcs, labels: &[u32]) -> Result<(), String> {
    let expected = oracle::component_labels(graph.n, &graph.arcs);
    match (0..expected.len()).find(|&v| labels[v] != expected[v]) {
        None => Ok(()),
        Some(v) => Err(format!("{v} is labelled {}, should be {}", labels[v], expected[v])),
    }
}

fn check_components<W: Weight + std::fmt::Debug>(kind: Kind, weight: impl Fn(&mut Rng) -> W) {
    let name = format!("components, {}", std::any::type_name::<W>());
    check(&name, kind, || Components, weight, |graph, labels| wrong_labels(graph, labels));
}

/// Out-edges with updates tracked, hashed and in one bucket a vertex.
fn check_scheme(kind: Kind, scheme: Scheme) {
    let tracking = SlabOptions { track_updates: true, ..SlabOptions::DEFAULT };
    let ways = [true, false].map(|hashing| SlabOptions { hashing, ..tracking });
    let ways = ways.map(|options| (Direction::Directed, options));
    let wrong = |model: &Model<()>, followed: &Vec<u32>, recomputed: &Vec<u32>| {
        let arcs = Arcs::of(model);
        wrong_labels(&arcs, followed).and_then(|()| wrong_labels(&arcs, recomputed))
    };
    let name = format!("components by {scheme:?}");
    let algorithm = || IncrementalComponents::new(scheme);
    streams::check_in::<Adjacency, _>(&name, kind, 1, &ways, &algorithm, &|_| (), &wrong);
    let of = |container| format!("{name} in {container}");
    let (compact, blocks, ways) = (of("compact slabs"), of("block arrays"), &ways[..1]);
    streams::check_in::<CompactEdges, _>(&compact, kind, 2, ways, &algorithm, &|_| (), &wrong);
    streams::check_in::<BlockEdges, _>(&blocks, kind, 2, ways, &algorithm, &|_| (), &wrong);
}

fn check_triangles<W: Weight + std::fmt::Debug>(kind: Kind, weight: impl Fn(&mut Rng) -> W) {
    let wrong = |graph: &Arcs, found: &TriangleCounts| {
        let expected = oracle::triangles_per_vertex(graph.n, &graph.arcs);
        if found.per_vertex != expected || 3 * found.total != expected.iter().sum::<u64>() {
            return Err(format!("{found:?}, should be {expected:?}"));
        }
        let degrees = oracle::neighbors(graph.n, &graph.arcs);
        match (0..degrees.len()).find(|&v| degrees[v].len() != found.degrees[v] as usize) {
            None => Ok(()),
            Some(v) => Err(format!("{v} has degree {}", found.degrees[v])),
        }
    };
    let name = format!("triangles, {}", std::any::type_name::<W>());
    check(&name, kind, || Triangles, weight, wrong);
}

for_each_kind! {
    components: |kind| check_components(kind, |_| ());
    components_do_not_look_at_weights: |kind| check_components(kind, |rng| rng.u32(0..3));
    components_naively: |kind| check_scheme(kind, Scheme::Naive);
    components_by_slab_iterator: |kind| check_scheme(kind, Scheme::SlabIterator);
    components_by_update_iterator: |kind| check_scheme(kind, Scheme::UpdateIterator);
    triangles: |kind| check_triangles(kind, |_| ());
    triangles_do_not_look_at_weights: |kind| check_triangles(kind, |rng| rng.f32());
}
