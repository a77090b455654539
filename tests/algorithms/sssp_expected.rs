//! Shortest paths on real graphs: the answers of independent libraries.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::dijkstra::{Length, tree_flaws};
use crate::support::expected::{Graph, Sssp, SsspFigures, graphs_in};
use crate::support::{data_folder, devices, graphs_folder, say, skipped};
use meerkat::algos::sssp::{self, PathWeight};
use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{GraphFile, SimpleGraph, read};
use meerkat::runtime::{
    BlockGraph, CompactGraph, Container, Device, Edge, RowGraph, SlabGraph, SlabOptions,
};

#[test]
fn graphs_of_the_repository_on_the_cpu() {
    check_folder(&graphs_folder(), &Device::cpu());
}

#[test]
fn graphs_of_the_repository_on_cuda() {
    if let Some(device) = devices::cuda() {
        check_folder(&graphs_folder(), &device);
    }
}

#[test]
fn large_graphs_on_the_cpu() {
    check_folder(&data_folder(), &Device::cpu());
}

#[test]
fn large_graphs_on_cuda() {
    if let Some(device) = devices::cuda() {
        check_folder(&data_folder(), &device);
    }
}

/// Every search of every graph of the folder's `expected.json`.
fn check_folder(folder: &Path, device: &Device) {
    let Some(graphs) = graphs_in(folder) else {
        skipped(&format!("{} has no expected.json", folder.display()));
        return;
    };
    let (mut failures, mut searches) = (Vec::new(), 0);
    for (name, path, expected) in &graphs {
        let input = Input::read(path, expected);
        let found = input.differences(expected, device);
        searches += expected.sssp_synthetic.len() + expected.sssp_native.len();
        failures.extend(found.into_iter().map(|difference| format!("{name}: {difference}")));
    }
    let on = devices::label(device);
    let differ = failures.len();
    assert!(failures.is_empty(), "on {on}, {differ} differences:\n{}", failures.join("\n"));
    say(&format!("sssp agrees with {searches} answers on {} graphs, on {on}", graphs.len()));
}

struct Input {
    file: GraphFile,
    simple: SimpleGraph,
}

impl Input {
    fn read(path: &Path, expected: &Graph) -> Self {
        let direction = if expected.directed { Direction::Directed } else { Direction::Undirected };
        let file = read(path, &mut |_| {}).expect("a graph");
        let simple = file.simple(direction);
        Self { file, simple }
    }

    fn edges<W: PathWeight>(&self, weight: impl Fn(usize) -> W) -> Vec<Edge<W>> {
        let arcs = self.simple.sources.iter().zip(&self.simple.destinations).enumerate();
        arcs.map(|(arc, (&src, &dst))| Edge { src, dst, weight: weight(arc) }).collect()
    }

    /// 1 + (u * 31 + v * 17) mod 64 of the file's ids.
    fn synthetic(&self, arc: usize) -> u32 {
        let id = |vertex| self.file.ids.id_of(vertex);
        let (u, v) = (id(self.simple.sources[arc]), id(self.simple.destinations[arc]));
        1 + u32::try_from((u * 31 + v * 17) % 64).expect("below 64")
    }

    fn differences(&self, expected: &Graph, device: &Device) -> Vec<String> {
        let synthetic = self.edges(|arc| self.synthetic(arc));
        let mut differences = self.searches(&expected.sssp_synthetic, &synthetic, device);
        let shift = match expected.native_weights.as_deref() {
            Some("rating+11") => 11.0,
            _ => 0.0,
        };
        if let (Some(weights), false) = (&self.simple.weights, expected.sssp_native.is_empty()) {
            let weight = |arc: usize| weights[arc] + shift;
            let native = if (0..weights.len()).all(|arc| weight(arc).fract() == 0.0) {
                let edges = self.edges(|arc| weight(arc) as u32);
                self.searches(&expected.sssp_native, &edges, device)
            } else {
                let edges = self.edges(|arc| weight(arc) as f32);
                self.searches(&expected.sssp_native, &edges, device)
            };
            differences.extend(native);
        }
        differences
    }

    /// Distances from every source, and a tree from the first.
    fn searches<W>(&self, searches: &[Sssp], edges: &[Edge<W>], device: &Device) -> Vec<String>
    where
        W: PathWeight + Length<Sum = <W as PathWeight>::Distance>,
        <W as PathWeight>::Distance: Into<f64>,
    {
        let options = SlabOptions::default();
        let graph = SlabGraph::from_edges(device, self.simple.n, edges, &options).expect("a graph");
        let rows = RowGraph::of(&graph).expect("rows");
        let compact = CompactGraph::of(&graph).expect("compact slabs");
        let blocks = BlockGraph::of(&graph).expect("block arrays");
        let mut differences = self.searched(&graph, searches, edges, "slabs");
        differences.extend(self.searched(&rows, searches, edges, "rows"));
        differences.extend(self.searched(&compact, searches, edges, "compact slabs"));
        differences.extend(self.searched(&blocks, searches, edges, "block arrays"));
        differences
    }

    /// Where the searches of a graph in a container differ from what is expected.
    fn searched<C: Container>(
        &self,
        graph: &C,
        searches: &[Sssp],
        edges: &[Edge<C::Carried>],
        container: &str,
    ) -> Vec<String>
    where
        C::Carried: PathWeight + Length<Sum = <C::Carried as PathWeight>::Distance>,
        <C::Carried as PathWeight>::Distance: Into<f64>,
    {
        let mut differences = Vec::new();
        for (number, Sssp { figures: wanted, .. }) in searches.iter().enumerate() {
            let source = self.file.ids.vertex_of(wanted.source).expect("the source");
            let distances = sssp::distances(graph, source).expect("distances");
            if number == 0 {
                let tree = sssp::tree(graph, source).expect("a tree");
                let flaws = tree_flaws(edges, source, &tree.distances, &tree.parents);
                differences.extend(flaws.into_iter().map(|flaw| format!("{container}: {flaw}")));
                if tree.distances != distances {
                    differences.push(format!("{container}: the tree has other distances"));
                }
            }
            let found = figures::<C::Carried>(wanted.source, &distances);
            if !agree(&found, wanted) {
                differences.push(format!("{container}: {found:?}, expected {wanted:?}"));
            }
        }
        differences
    }
}

fn figures<W: PathWeight>(source: u64, distances: &[W::Distance]) -> SsspFigures
where
    W::Distance: Into<f64>,
{
    let reached = || distances.iter().filter(|&&d| d != W::UNREACHED).map(|&d| d.into());
    SsspFigures {
        source,
        reached: reached().count() as u64,
        sum: reached().sum(),
        max: reached().fold(0.0, f64::max),
    }
}

/// Integers exactly; decimal fractions as near as 32-bit floats can come.
fn agree(found: &SsspFigures, wanted: &SsspFigures) -> bool {
    let near = |a: f64, b: f64| if b.fract() == 0.0 { a == b } else { (a - b).abs() <= 1e-6 * b };
    let same = (found.source, found.reached) == (wanted.source, wanted.reached);
    same && near(found.sum, wanted.sum) && near(found.max, wanted.max)
}

#[test]
fn published_outputs_of_ldbc() {
    let folder = data_folder().join("ldbc");
    if !folder.exists() {
        skipped(&format!("{} is not there", folder.display()));
        return;
    }
    for device in devices::devices() {
        for name in ["example-directed", "test-sssp-directed"] {
            let path = folder.join(name).join(name);
            let found = ldbc_distances(&path.with_extension("e"), &device);
            let published = fs::read_to_string(path.display().to_string() + "-SSSP");
            let published = published.expect("LDBC's output");
            for line in published.lines() {
                let (id, wanted) = line.split_once(' ').expect("`id distance`");
                let found = f64::from(found[&id.parse().expect("an id")]);
                let wanted: f64 = wanted.parse().expect("a distance or `infinity`");
                // LDBC's own rule asks for 1e-4.
                let agrees = found == wanted || (found - wanted).abs() <= 1e-6 * wanted;
                assert!(agrees, "{name}, vertex {id}: {found}, published {wanted}");
            }
            assert_eq!(published.lines().count(), found.len());
        }
        say(&format!("sssp equals 2 published outputs of LDBC, on {}", devices::label(&device)));
    }
}

/// The distance of every vertex from vertex 1.
fn ldbc_distances(path: &Path, device: &Device) -> BTreeMap<u64, f32> {
    let file = read(path, &mut |_| {}).expect("LDBC's graph");
    let simple = file.simple(Direction::Directed);
    let weights = simple.weights.as_ref().expect("weights");
    let arcs = simple.sources.iter().zip(&simple.destinations).zip(weights);
    let edges: Vec<_> =
        arcs.map(|((&src, &dst), &weight)| Edge { src, dst, weight: weight as f32 }).collect();
    let graph = SlabGraph::from_edges(device, simple.n, &edges, &SlabOptions::default());
    let source = file.ids.vertex_of(1).expect("vertex 1");
    let distances = sssp::distances(&graph.expect("a graph"), source).expect("distances");
    (0..).zip(distances).map(|(vertex, distance)| (file.ids.id_of(vertex), distance)).collect()
}
