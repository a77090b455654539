//! Breadth-first search: Meerkat on the CPU against `petgraph` and against a
//! plain queue, each the median of a few runs on one machine.
//!
//! ```text
//! cargo bench --bench bfs                                   # two graphs beside the repository
//! cargo bench --bench bfs -- --graph FILE --source 1 --json
//! ```
//!
//! Building the graphs is not timed. Meerkat and the queue give the level of
//! every vertex, `petgraph` visits in order of levels. `ratio` is Meerkat's time
//! over that of the faster of the two.

use std::collections::VecDeque;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Parser;
use meerkat::algos::bfs::{self, UNREACHED};
use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{SimpleGraph, read};
use meerkat::runtime::{Device, Edge, SlabGraph, SlabOptions};
use petgraph::csr::Csr;
use petgraph::visit::Bfs;
use serde::Serialize;

/// A road network of great depth and a social network of little.
const DEFAULT_GRAPHS: [&str; 2] =
    ["../shared/data/USA-road-FLA.mtx.gz", "../shared/data/soc-Slashdot0902.txt.gz"];
/// Where those are not.
const SMALL_GRAPH: &str = "tests/graphs/rome99.gr.gz";

/// The columns of a [`Row`], as wide as `print_row` makes them.
const HEADER: &str = "graph                                n      arcs  depth \
                      meerkat cpu meerkat cuda  petgraph     queue  ratio";

/// Time breadth-first searches.
#[derive(Parser)]
struct Args {
    /// Graph file; may be given again
    #[arg(long, value_name = "FILE")]
    graph: Vec<PathBuf>,
    /// Take records as edges, where the file does not say
    #[arg(long)]
    undirected: bool,
    /// Id to start from [default: the smallest with an out-edge]
    #[arg(long)]
    source: Option<u64>,
    /// Timed runs of each search, after one that is not timed
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Time Meerkat on the first CUDA device as well
    #[arg(long)]
    cuda: bool,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

/// The times of one graph.
#[derive(Serialize)]
struct Row {
    graph: String,
    n: u32,
    m_arcs: u64,
    source: u64,
    reached: usize,
    depth: u32,
    meerkat_cpu_ms: f64,
    meerkat_cuda_ms: Option<f64>,
    petgraph_ms: f64,
    queue_ms: f64,
    ratio: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let mut out = io::stdout().lock();
    if !args.json {
        writeln!(out, "median of {} runs, milliseconds", args.runs)?;
        writeln!(out, "{HEADER}")?;
    }
    for path in graphs(&args) {
        let row = measure(&path, &args)?;
        if args.json {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
            continue;
        }
        let cuda = row.meerkat_cuda_ms.map_or("-".to_owned(), |time| format!("{time:.2}"));
        writeln!(
            out,
            "{:<28} {:>9} {:>9} {:>6} {:>11.2} {cuda:>12} {:>9.2} {:>9.2} {:>6.1}",
            row.graph,
            row.n,
            row.m_arcs,
            row.depth,
            row.meerkat_cpu_ms,
            row.petgraph_ms,
            row.queue_ms,
            row.ratio,
        )?;
    }
    Ok(())
}

/// The graphs asked for, else those that are there.
fn graphs(args: &Args) -> Vec<PathBuf> {
    if !args.graph.is_empty() {
        return args.graph.clone();
    }
    let root = std::env::var_os("MEERKAT_TEST_ROOT")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let mut present: Vec<PathBuf> = DEFAULT_GRAPHS.iter().map(|graph| root.join(graph)).collect();
    present.retain(|graph| graph.exists());
    if present.is_empty() {
        present.push(root.join(SMALL_GRAPH));
    }
    present
}

fn measure(path: &Path, args: &Args) -> Result<Row, Box<dyn Error>> {
    let file = read(path, &mut |_| {})?;
    let directed = file.declared_directed.unwrap_or(!args.undirected);
    let graph = file.simple(if directed { Direction::Directed } else { Direction::Undirected });
    let source = match args.source {
        Some(id) => file.ids.vertex_of(id).ok_or("no vertex has the id of --source")?,
        None => *graph.sources.first().ok_or("no vertex has an out-edge")?,
    };
    let rows = Adjacency::new(&graph);
    let expected = rows.levels(source);
    let reached = expected.iter().filter(|&&level| level != UNREACHED).count();

    let queue_ms = median_ms(args.runs, || rows.levels(source));
    let petgraph_ms = {
        let csr = petgraph_csr(&graph)?;
        assert_eq!(petgraph_visits(&csr, source), reached, "petgraph reaches as many");
        median_ms(args.runs, || petgraph_visits(&csr, source))
    };
    let meerkat_cpu_ms = meerkat_ms(&Device::cpu(), &graph, source, &expected, args.runs)?;
    let meerkat_cuda_ms = match args.cuda {
        true => Some(meerkat_ms(&Device::cuda(0)?, &graph, source, &expected, args.runs)?),
        false => None,
    };
    Ok(Row {
        graph: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        n: graph.n,
        m_arcs: graph.m_arcs(),
        source: file.ids.id_of(source),
        reached,
        depth: expected.iter().copied().filter(|&level| level != UNREACHED).max().unwrap_or(0),
        meerkat_cpu_ms,
        meerkat_cuda_ms,
        petgraph_ms,
        queue_ms,
        ratio: meerkat_cpu_ms / petgraph_ms.min(queue_ms),
    })
}

/// The median time of `work`, which runs once before it is timed.
fn median_ms<T>(runs: u32, mut work: impl FnMut() -> T) -> f64 {
    std::hint::black_box(work());
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(work());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn meerkat_ms(
    device: &Device,
    graph: &SimpleGraph,
    source: u32,
    expected: &[u32],
    runs: u32,
) -> Result<f64, Box<dyn Error>> {
    let arcs = graph.sources.iter().zip(&graph.destinations);
    let edges: Vec<_> = arcs.map(|(&src, &dst)| Edge { src, dst, weight: () }).collect();
    let slabs = SlabGraph::<()>::from_edges(device, graph.n, &edges, &SlabOptions::default())?;
    assert_eq!(bfs::levels(&slabs, source)?, expected, "Meerkat's levels on {}", device.name());
    Ok(median_ms(runs, || bfs::levels(&slabs, source)))
}

/// The neighbours of all vertices, one after another: compressed sparse rows.
struct Adjacency {
    /// The neighbours of `v` are `neighbors[first[v]..first[v + 1]]`.
    first: Vec<usize>,
    neighbors: Vec<u32>,
}

impl Adjacency {
    fn new(graph: &SimpleGraph) -> Self {
        let mut first = vec![0];
        for out_degree in graph.out_degrees() {
            first.push(first[first.len() - 1] + out_degree as usize);
        }
        Self { first, neighbors: graph.destinations.clone() }
    }

    /// The textbook search.
    fn levels(&self, source: u32) -> Vec<u32> {
        let mut levels = vec![UNREACHED; self.first.len() - 1];
        let mut queue = VecDeque::from([source]);
        levels[source as usize] = 0;
        while let Some(u) = queue.pop_front() {
            let next = levels[u as usize] + 1;
            for &v in &self.neighbors[self.first[u as usize]..self.first[u as usize + 1]] {
                if levels[v as usize] == UNREACHED {
                    levels[v as usize] = next;
                    queue.push_back(v);
                }
            }
        }
        levels
    }
}

fn petgraph_csr(graph: &SimpleGraph) -> Result<Csr, Box<dyn Error>> {
    let arcs: Vec<(u32, u32)> =
        graph.sources.iter().copied().zip(graph.destinations.iter().copied()).collect();
    let mut csr = Csr::from_sorted_edges(&arcs).map_err(|error| format!("{error:?}"))?;
    // Isolated vertices at the end are in no arc.
    while csr.node_count() < graph.n as usize {
        csr.add_node(());
    }
    Ok(csr)
}

/// How many vertices `petgraph` visits.
fn petgraph_visits(csr: &Csr, source: u32) -> usize {
    let mut visits = 0;
    let mut search = Bfs::new(csr, source);
    while search.next(csr).is_some() {
        visits += 1;
    }
    visits
}
