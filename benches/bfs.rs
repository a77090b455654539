//! Breadth-first search: Meerkat on the CPU against `petgraph` and against a
//! plain queue.
//!
//! ```text
//! cargo bench --bench bfs                                   # two graphs beside the repository
//! cargo bench --bench bfs -- --graph FILE --source 1 --json
//! ```
//!
//! Times are the least of a few runs, in milliseconds. Meerkat and the queue give the level
//! of every vertex, `petgraph` visits in order of levels. `ratio` is Meerkat's time
//! over that of the faster of the two, without reading and building.

use std::collections::VecDeque;
use std::error::Error;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;

use clap::Parser;
use meerkat_algos::bfs::{self, UNREACHED};
use meerkat_benches::{Input, InputArgs, Rows, least_ms};
use meerkat_runtime::read::SimpleGraph;
use meerkat_runtime::{Device, SlabGraph, SlabOptions};
use petgraph::csr::Csr;
use petgraph::visit::Bfs;
use serde::Serialize;

/// A road network of great depth and a social network of little.
const DEFAULT_GRAPHS: [&str; 2] =
    ["../shared/data/USA-road-FLA.mtx.gz", "../shared/data/soc-Slashdot0902.txt.gz"];

/// The columns of a [`Row`], as wide as `print_row` makes them.
const HEADER: &str = "graph                                n      arcs  depth |     read \
                      | meerkat build      cpu      cuda | petgraph    queue | ratio";

/// Time breadth-first searches.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Id to start from [default: the smallest with an out-edge]
    #[arg(long)]
    source: Option<u64>,
    /// Time Meerkat on the first CUDA device as well
    #[arg(long)]
    cuda: bool,
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
    read_ms: f64,
    meerkat_build_ms: f64,
    meerkat_cpu_ms: f64,
    meerkat_cuda_ms: Option<f64>,
    petgraph_ms: f64,
    queue_ms: f64,
    ratio: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    args.input.table(&DEFAULT_GRAPHS, HEADER, |path| measure(path, &args), print_row)
}

fn print_row(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    let cuda = row.meerkat_cuda_ms.map_or("-".to_owned(), |time| format!("{time:.2}"));
    writeln!(
        out,
        "{:<28} {:>9} {:>9} {:>6} | {:>8.1} | {:>13.1} {:>8.2} {cuda:>9} | {:>8.2} {:>8.2} | \
         {:>5.2}",
        row.graph,
        row.n,
        row.m_arcs,
        row.depth,
        row.read_ms,
        row.meerkat_build_ms,
        row.meerkat_cpu_ms,
        row.petgraph_ms,
        row.queue_ms,
        row.ratio,
    )
}

fn measure(path: &Path, args: &Args) -> Result<Row, Box<dyn Error>> {
    let input = args.input.read(path)?;
    let graph = &input.graph;
    let source = match args.source {
        Some(id) => input.ids.vertex_of(id).ok_or("no vertex has the id of --source")?,
        None => *graph.sources.first().ok_or("no vertex has an out-edge")?,
    };
    let rows = Rows::new(&graph.out_degrees(), graph.destinations.clone());
    let expected = levels(&rows, graph.n, source);
    let reached = expected.iter().filter(|&&level| level != UNREACHED).count();
    let csr = petgraph_csr(graph)?;
    assert_eq!(petgraph_visits(&csr, source), reached, "petgraph reaches as many");
    let (slabs, meerkat_build_ms) = build(&input, &Device::cpu(), source, &expected)?;

    let [meerkat_cpu_ms, petgraph_ms, queue_ms] = least_ms(
        args.input.runs,
        [
            &mut || {
                black_box(bfs::levels(&slabs, source)?);
                Ok(())
            },
            &mut || {
                black_box(petgraph_visits(&csr, source));
                Ok(())
            },
            &mut || {
                black_box(levels(&rows, graph.n, source));
                Ok(())
            },
        ],
    )?;
    let meerkat_cuda_ms = match args.cuda {
        true => Some(cuda_ms(&input, source, &expected, args.input.runs)?),
        false => None,
    };
    Ok(Row {
        n: graph.n,
        m_arcs: graph.m_arcs(),
        source: input.ids.id_of(source),
        reached,
        depth: expected.iter().copied().filter(|&level| level != UNREACHED).max().unwrap_or(0),
        graph: input.name,
        read_ms: input.read_ms,
        meerkat_build_ms,
        meerkat_cpu_ms,
        meerkat_cuda_ms,
        petgraph_ms,
        queue_ms,
        ratio: meerkat_cpu_ms / petgraph_ms.min(queue_ms),
    })
}

/// The graph on a device, whose levels are as expected; and the time it took to build.
fn build(
    input: &Input,
    device: &Device,
    source: u32,
    expected: &[u32],
) -> Result<(SlabGraph<()>, f64), Box<dyn Error>> {
    let (slabs, build_ms) = input.slabs(device, &SlabOptions::default())?;
    assert_eq!(bfs::levels(&slabs, source)?, expected, "Meerkat's levels on {}", device.name());
    Ok((slabs, build_ms))
}

fn cuda_ms(input: &Input, source: u32, expected: &[u32], runs: u32) -> Result<f64, Box<dyn Error>> {
    let (slabs, _) = build(input, &Device::cuda(0)?, source, expected)?;
    let [ms] = least_ms(
        runs,
        [&mut || {
            black_box(bfs::levels(&slabs, source)?);
            Ok(())
        }],
    )?;
    Ok(ms)
}

/// The textbook search.
fn levels(rows: &Rows, n: u32, source: u32) -> Vec<u32> {
    let mut levels = vec![UNREACHED; n as usize];
    let mut queue = VecDeque::from([source]);
    levels[source as usize] = 0;
    while let Some(u) = queue.pop_front() {
        let next = levels[u as usize] + 1;
        for &v in rows.neighbors(u) {
            if levels[v as usize] == UNREACHED {
                levels[v as usize] = next;
                queue.push_back(v);
            }
        }
    }
    levels
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
