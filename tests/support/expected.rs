//! `expected.json`: answers that independent libraries computed.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A graph file and what is known of it.
#[derive(Debug, Deserialize)]
pub struct Graph {
    /// Beside the `expected.json`; `G.{v,e}` stands for the edge file `G.e`.
    file: String,
    pub directed: bool,
    pub n: u64,
    pub m_arcs: u64,
    pub m_undirected: u64,
    pub max_out_degree: u64,
    pub bfs: Vec<Bfs>,
    #[serde(default)]
    pub sssp_synthetic: Vec<Sssp>,
    #[serde(default)]
    pub sssp_native: Vec<Sssp>,
    /// `w`, or `rating+11`; none without weights.
    pub native_weights: Option<String>,
    pub wcc: Wcc,
    pub triangles: u64,
    pub pagerank: PageRank,
    pub temporal_prefixes: Option<Prefixes>,
}

/// Answers while a temporal graph grows.
#[derive(Debug, Deserialize)]
pub struct Prefixes {
    pub prefixes: Vec<Prefix>,
}

/// The graph of the first records by time.
#[derive(Debug, Deserialize)]
pub struct Prefix {
    pub records: usize,
    pub m_arcs: u64,
    pub bfs: Vec<BfsFigures>,
    pub sssp_synthetic: Vec<SsspFigures>,
    #[serde(default)]
    pub sssp_native: Vec<SsspFigures>,
    pub wcc: Wcc,
    pub triangles: u64,
    pub pagerank: PageRank,
}

/// The answer of a search for shortest paths.
#[derive(Debug, Deserialize, PartialEq)]
pub struct Sssp {
    pub rule: Rule,
    #[serde(flatten)]
    pub figures: SsspFigures,
}

#[derive(Debug, Deserialize, PartialEq)]
pub struct SsspFigures {
    pub source: u64,
    pub reached: u64,
    pub sum: f64,
    pub max: f64,
}

/// Weakly connected components over all vertices.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
pub struct Wcc {
    pub count: u32,
    pub largest: u32,
}

/// Ranks with damping 0.85 to an L1 change below 1e-12, dead ends spread evenly.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct PageRank {
    pub iterations: u32,
    pub sum: f64,
    /// Id and rank, by falling rank, among equals the smaller id first.
    pub top20: Vec<(u64, f64)>,
}

/// The answer of a breadth-first search.
#[derive(Debug, Deserialize, PartialEq)]
pub struct Bfs {
    pub rule: Rule,
    #[serde(flatten)]
    pub figures: BfsFigures,
}

/// How the source was chosen.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    LowestIdWithOutEdge,
    LargestOutDegree,
}

#[derive(Debug, Deserialize, PartialEq)]
pub struct BfsFigures {
    pub source: u64,
    pub reached: u64,
    pub max_depth: u64,
    pub sum_depth: u64,
    pub histogram: Vec<u64>,
}

/// The graphs of a folder by name, or `None` where it has no `expected.json`.
pub fn graphs_in(folder: &Path) -> Option<Vec<(String, PathBuf, Graph)>> {
    #[derive(Deserialize)]
    struct Expected {
        graphs: std::collections::BTreeMap<String, Graph>,
    }
    let path = folder.join("expected.json");
    if !path.exists() {
        return None;
    }
    let text = fs::read_to_string(&path).expect("expected.json can be read");
    let expected: Expected = serde_json::from_str(&text).expect("expected.json is as described");
    assert!(!expected.graphs.is_empty(), "{} names no graph", path.display());
    let graphs = expected.graphs.into_iter().map(|(name, graph)| {
        let file = folder.join(graph.file.replace("{v,e}", "e"));
        (name, file, graph)
    });
    Some(graphs.collect())
}
