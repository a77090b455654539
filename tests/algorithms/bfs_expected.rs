//! Breadth-first search on real graphs: the answers of independent libraries,
//! and the properties that make a tree a shortest-path tree.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::expected::{Bfs, BfsFigures, Graph, graphs_in};
use crate::support::{data_folder, devices, graphs_folder, say, skipped};
use meerkat::algos::bfs::{self, Tree, UNREACHED};
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

#[test]
fn published_outputs_of_ldbc_on_the_cpu() {
    check_ldbc_outputs(&Device::cpu());
}

#[test]
fn published_outputs_of_ldbc_on_cuda() {
    if let Some(device) = devices::cuda() {
        check_ldbc_outputs(&device);
    }
}

/// Both searches from both sources on every graph of the folder's `expected.json`.
fn check_folder(folder: &Path, device: &Device) {
    let Some(graphs) = graphs_in(folder) else {
        skipped(&format!("{} has no expected.json", folder.display()));
        return;
    };
    let mut failures = Vec::new();
    for (name, path, expected) in &graphs {
        let found = differences(path, expected, device);
        failures.extend(found.into_iter().map(|difference| format!("{name}: {difference}")));
    }
    let on = devices::label(device);
    let differ = failures.len();
    assert!(failures.is_empty(), "on {on}, {differ} differences:\n{}", failures.join("\n"));
    let mut report = format!("bfs levels and tree agree on {} graphs, on {on}:", graphs.len());
    for (name, _, expected) in &graphs {
        report += &format!("\n    {name}, on {}: {}", device.name(), searches(expected));
    }
    say(&report);
}

/// The searches on a graph in a few words.
fn searches(graph: &Graph) -> String {
    let search = |search: &Bfs| {
        let BfsFigures { source, reached, max_depth, .. } = search.figures;
        format!("{reached} vertices from {source} to depth {max_depth}")
    };
    graph.bfs.iter().map(search).collect::<Vec<_>>().join(", ")
}

fn differences(path: &Path, expected: &Graph, device: &Device) -> Vec<String> {
    let direction = if expected.directed { Direction::Directed } else { Direction::Undirected };
    let input = match Input::read(path, direction) {
        Ok(input) => input,
        Err(error) => return vec![error],
    };
    let graph = input.build(device);
    let rows = RowGraph::of(&graph).expect("rows");
    let compact = CompactGraph::of(&graph).expect("compact slabs");
    let blocks = BlockGraph::of(&graph).expect("block arrays");
    let mut differences = input.searched(&graph, expected, "slabs");
    differences.extend(input.searched(&rows, expected, "rows"));
    differences.extend(input.searched(&compact, expected, "compact slabs"));
    differences.extend(input.searched(&blocks, expected, "block arrays"));
    differences
}

/// Figures as `expected.json` defines them.
fn figures(source: u64, levels: &[u32]) -> BfsFigures {
    let mut by_depth = BTreeMap::<u64, u64>::new();
    for &level in levels.iter().filter(|&&level| level != UNREACHED) {
        *by_depth.entry(u64::from(level)).or_default() += 1;
    }
    let max_depth = by_depth.last_key_value().map_or(0, |(&depth, _)| depth);
    let at = |depth| by_depth.get(&depth).copied().unwrap_or(0);
    BfsFigures {
        source,
        reached: by_depth.values().sum(),
        max_depth,
        sum_depth: by_depth.iter().map(|(depth, vertices)| depth * vertices).sum(),
        histogram: (0..=max_depth).map(at).collect(),
    }
}

/// A graph file and its simple graph.
struct Input {
    file: GraphFile,
    simple: SimpleGraph,
    /// The arcs of vertex `v` are `first_arc[v]..first_arc[v + 1]`.
    first_arc: Vec<usize>,
}

impl Input {
    /// Where the searches of a graph in a container differ from what is expected.
    fn searched<C: Container>(&self, graph: &C, expected: &Graph, container: &str) -> Vec<String> {
        let mut differences = Vec::new();
        for search in &expected.bfs {
            let (wanted, rule) = (&search.figures, search.rule);
            let Some(source) = self.file.ids.vertex_of(wanted.source) else {
                differences.push(format!("has no vertex {}", wanted.source));
                continue;
            };
            let levels = bfs::levels(graph, source).expect("levels");
            let tree = bfs::tree(graph, source).expect("a tree");
            for (kind, levels) in [("levels", &levels), ("tree", &tree.levels)] {
                let found = figures(wanted.source, levels);
                if found != *wanted {
                    let case = format!("{container}, {kind}, {rule:?}");
                    differences.push(format!("{case}: {found:?}, expected {wanted:?}"));
                }
            }
            let flaws = self.tree_flaws(&tree, source).into_iter();
            differences.extend(flaws.map(|flaw| format!("{container}, tree, {rule:?}: {flaw}")));
        }
        differences
    }

    fn read(path: &Path, direction: Direction) -> Result<Self, String> {
        let file = read(path, &mut |_| {}).map_err(|error| error.to_string())?;
        let simple = file.simple(direction);
        let mut first_arc = vec![0];
        for out_degree in simple.out_degrees() {
            first_arc.push(first_arc[first_arc.len() - 1] + out_degree as usize);
        }
        Ok(Self { file, simple, first_arc })
    }

    fn build(&self, device: &Device) -> SlabGraph<()> {
        let arcs = self.simple.sources.iter().zip(&self.simple.destinations);
        let edges: Vec<_> = arcs.map(|(&src, &dst)| Edge { src, dst, weight: () }).collect();
        let options = SlabOptions::default();
        let graph = SlabGraph::<()>::from_edges(device, self.simple.n, &edges, &options);
        let graph = graph.expect("a slab graph");
        assert_eq!(graph.vertex_count(), self.simple.n);
        assert_eq!(graph.edge_count().expect("a count"), self.simple.m_arcs());
        graph
    }

    /// Where parents do not make a shortest-path tree; at most a few.
    fn tree_flaws(&self, tree: &Tree, source: u32) -> Vec<String> {
        let flaw = |v: u32| {
            let (level, parent) = (tree.levels[v as usize], tree.parents[v as usize]);
            let sound = match level {
                UNREACHED => parent == UNREACHED,
                0 => v == source && parent == source,
                _ => self.has_arc(parent, v) && tree.levels[parent as usize] == level - 1,
            };
            (!sound).then(|| format!("vertex {v} of level {level} has the parent {parent}"))
        };
        (0..self.simple.n).filter_map(flaw).take(3).collect()
    }

    fn has_arc(&self, u: u32, v: u32) -> bool {
        let Some(end) = self.first_arc.get(u as usize + 1) else { return false };
        self.simple.destinations[self.first_arc[u as usize]..*end].binary_search(&v).is_ok()
    }
}

/// Depth of every vertex against the `-BFS` files beside LDBC's graphs.
fn check_ldbc_outputs(device: &Device) {
    let mut edge_files = vec![
        graphs_folder().join("example-directed.e"),
        graphs_folder().join("test-bfs-directed.e"),
    ];
    let large = data_folder().join("ldbc");
    if large.exists() {
        let names = ["example-directed", "test-bfs-directed"];
        edge_files.extend(names.map(|name| large.join(name).join(name).with_extension("e")));
    }
    for path in &edge_files {
        let found = ldbc_depths(path, device);
        let output = path.with_extension("").display().to_string() + "-BFS";
        let published = fs::read_to_string(&output).expect("LDBC's output");
        for line in published.lines() {
            let (id, depth) = line.split_once(' ').expect("`id depth`");
            assert_eq!(found[&id.parse().expect("an id")], depth, "{output}: vertex {id}");
        }
        assert_eq!(published.lines().count(), found.len(), "{output}");
    }
    let on = devices::label(device);
    say(&format!("bfs levels equal {} published outputs of LDBC, on {on}", edge_files.len()));
}

/// The depth of every vertex as LDBC writes it; the source is vertex 1 in all.
fn ldbc_depths(path: &Path, device: &Device) -> BTreeMap<u64, String> {
    let input = Input::read(path, Direction::Directed).expect("LDBC's graph");
    let ids = &input.file.ids;
    let source = ids.vertex_of(1).expect("vertex 1");
    let levels = bfs::levels(&input.build(device), source).expect("levels");
    let depth = |level: u32| match level {
        UNREACHED => i64::MAX.to_string(),
        level => level.to_string(),
    };
    (0..).zip(levels).map(|(vertex, level)| (ids.id_of(vertex), depth(level))).collect()
}
