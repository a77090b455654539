//! Compact slabs and block arrays beside slabs of 128 bytes: edges inserted, searched for and deleted
//! in bulk, the build, memory.
//!
//! ```text
//! cargo bench --bench updated_lists -- --graph rmat:22 --device cuda
//! ```
//!
//! Batches lie on the device; times are between its events, the median of the runs after a first
//! one. One batch after another enters the graph, each is searched for, and each leaves; `existing`
//! searches for edges that the graph was built with. Every edge is found, and is not found any more.

use std::error::Error;
use std::io::{self, Write};

use clap::Parser;
use meerkat_benches::{RunArgs, median, median_ms};
use meerkat_runtime::BlockOptions;
use meerkat_runtime::generate::Generator;
use meerkat_runtime::graph::Compaction;
use meerkat_runtime::prelude::*;
use serde::Serialize;

/// Time updates of slabs, of compact slabs and of block arrays.
#[derive(Parser)]
struct Args {
    /// `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096`
    #[arg(long, default_value = "rmat:12")]
    graph: Generator,
    /// Edges of a batch
    #[arg(long, value_delimiter = ',', default_value = "1000,10000")]
    batches: Vec<u32>,
    /// Timed runs of each, after one that is not timed
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Neighbours of the least block
    #[arg(long, default_value_t = BlockOptions::DEFAULT.least)]
    least_block: u32,
    /// Neighbours of a block array
    #[arg(long, default_value_t = BlockOptions::DEFAULT.array)]
    block_array: u32,
    #[command(flatten)]
    run: RunArgs,
}

/// Rates of one container, in millions of edges a second.
#[derive(Serialize)]
struct Rates {
    container: &'static str,
    edges: u32,
    insert: f64,
    existing: f64,
    miss: f64,
    delete: f64,
}

type List = DeviceBuffer<Edge>;

/// What is timed of a container.
trait Updated {
    fn insert(&mut self, edges: &List) -> Result<(), meerkat_runtime::Error>;
    /// Whatever [`insert`](Self::insert) had no room for.
    fn complete(&mut self, edges: &List) -> Result<(), meerkat_runtime::Error>;
    fn delete(&mut self, edges: &List) -> Result<(), meerkat_runtime::Error>;
    fn search(
        &self,
        edges: &List,
        found: &DeviceBuffer<Atomic<u32>>,
    ) -> Result<(), meerkat_runtime::Error>;
}

macro_rules! updated {
    ($($graph:ident)*) => {$(
        impl Updated for $graph {
            fn insert(&mut self, edges: &List) -> Result<(), meerkat_runtime::Error> {
                self.queue_insertions(edges)
            }
            fn complete(&mut self, edges: &List) -> Result<(), meerkat_runtime::Error> {
                self.insert_buffer(edges)
            }
            fn delete(&mut self, edges: &List) -> Result<(), meerkat_runtime::Error> {
                self.delete_buffer(edges)
            }
            fn search(
                &self,
                edges: &List,
                found: &DeviceBuffer<Atomic<u32>>,
            ) -> Result<(), meerkat_runtime::Error> {
                self.queue_searches(edges, found)
            }
        }
    )*};
}

updated! { SlabGraph CompactGraph BlockGraph }

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let device = args.run.device()?;
    let n = args.graph.vertices();
    let edges = args.graph.edges::<()>(&device, 0)?;
    let block = BlockOptions { least: args.least_block, array: args.block_array };
    let options = SlabOptions { compaction: Compaction::OnDemand, block, ..SlabOptions::DEFAULT };
    let mut out = io::stdout().lock();

    let mut slabs = SlabGraph::from_buffer(&device, n, &edges, &options)?;
    let slabs_ms = median_ms(&device, args.runs, || {
        SlabGraph::from_buffer(&device, n, &edges, &options).map(drop)
    })?;
    let compact_ms = median_ms(&device, args.runs, || {
        CompactGraph::from_buffers(&device, n, &[&edges], &options).map(drop)
    })?;
    let mut compact = CompactGraph::from_buffers(&device, n, &[&edges], &options)?;
    let blocks_ms = median_ms(&device, args.runs, || {
        BlockGraph::from_buffers(&device, n, &[&edges], &options).map(drop)
    })?;
    let mut blocks = BlockGraph::from_buffers(&device, n, &[&edges], &options)?;
    let arcs = slabs.edge_count()?;
    let degrees = slabs.out_degrees()?;
    if compact.out_edges()?.degrees()?.to_vec()? != degrees
        || blocks.out_edges()?.degrees()?.to_vec()? != degrees
    {
        return Err("degrees differ".into());
    }
    let csr = 4 * (u64::from(n) + 1) + 4 * arcs;
    let of_csr = |bytes: u64| bytes as f64 / csr as f64;
    let slabs_bytes = slabs.slab_count()? * 128 + u64::from(n) * 12;
    if !args.run.json {
        writeln!(out, "{}, {arcs} arcs, {}", args.graph, device.description())?;
        write!(out, "build ms: slabs {slabs_ms:.2}, compact {compact_ms:.2}")?;
        writeln!(out, ", blocks {blocks_ms:.2}")?;
        let (a, b, c) = (of_csr(slabs_bytes), of_csr(compact.bytes()), of_csr(blocks.bytes()));
        writeln!(out, "bytes over CSR: slabs {a:.3}, compact {b:.3}, blocks {c:.3}")?;
        writeln!(out, "MEdge/s        edges     insert   existing       miss     delete")?;
    }
    let most = u64::from(args.batches.iter().copied().max().unwrap_or(0));
    compact.reserve(most * u64::from(args.runs + 1))?;
    blocks.reserve(most * u64::from(args.runs + 1))?;
    for (seed, &size) in (1..).zip(&args.batches) {
        let all = [
            rates("slabs", &args, &mut slabs, (size, 1000 * seed), &edges)?,
            rates("compact", &args, &mut compact, (size, 1000 * seed), &edges)?,
            rates("blocks", &args, &mut blocks, (size, 1000 * seed), &edges)?,
        ];
        for rates in all {
            if args.run.json {
                writeln!(out, "{}", serde_json::to_string(&rates)?)?;
                continue;
            }
            let Rates { container, edges, insert, existing, miss, delete } = rates;
            write!(out, "{container:<10} {edges:>9} {insert:>10.0} {existing:>10.0}")?;
            writeln!(out, " {miss:>10.0} {delete:>10.0}")?;
        }
    }
    Ok(())
}

fn rates(
    container: &'static str,
    args: &Args,
    graph: &mut impl Updated,
    (size, seed): (u32, u64),
    edges: &List,
) -> Result<Rates, Box<dyn Error>> {
    let device = edges.device().clone();
    let runs = 0..=u64::from(args.runs);
    let sample = |seed: u64| args.graph.sample::<()>(&device, seed, size);
    let batches: Vec<List> =
        runs.clone().map(|run| sample(seed + run)).collect::<Result<_, _>>()?;
    let others: Vec<List> =
        runs.clone().map(|run| sample(seed + 500 + run)).collect::<Result<_, _>>()?;
    let there: Vec<List> =
        runs.map(|run| existing(edges, seed + run, size)).collect::<Result<_, _>>()?;
    let found = DeviceBuffer::<Atomic<u32>>::zeroed(&device, size as usize)?;
    let rate = |times: Vec<f64>| f64::from(size) / median(&times) / 1e3;
    let all_found = || Ok::<_, Box<dyn Error>>(found.to_vec()?.iter().all(|&found| found == 1));

    let mut times = Vec::new();
    let mut left_out = 0;
    for batch in &batches {
        times.push(device.measure(|| graph.insert(batch))?);
        graph.search(batch, &found)?;
        left_out += found.to_vec()?.iter().filter(|&&found| found == 0).count();
        // Upkeep, which is not timed: lists that are long, and what there was no room for.
        graph.complete(batch)?;
        graph.search(batch, &found)?;
        if !all_found()? {
            return Err("an edge is missing".into());
        }
    }
    if left_out != 0 {
        let all = size as usize * batches.len();
        writeln!(
            io::stderr(),
            "{container}: {left_out} of {all} insertions found no room at first"
        )?;
    }
    let insert = rate(times);
    let mut times = Vec::new();
    for batch in &there {
        times.push(device.measure(|| graph.search(batch, &found))?);
        if !all_found()? {
            return Err("an edge is missing".into());
        }
    }
    let existing = rate(times);
    let mut times = Vec::new();
    for batch in &others {
        times.push(device.measure(|| graph.search(batch, &found))?);
    }
    let miss = rate(times);
    let mut times = Vec::new();
    for batch in &batches {
        times.push(device.measure(|| graph.delete(batch))?);
        graph.search(batch, &found)?;
        if found.to_vec()?.contains(&1) {
            return Err("a deleted edge is there".into());
        }
    }
    // What the graph was built with stays in it.
    graph.complete(edges)?;
    Ok(Rates { container, edges: size, insert, existing, miss, delete: rate(times) })
}

/// Some of a list of edges.
fn existing(edges: &List, seed: u64, count: u32) -> Result<List, meerkat_runtime::Error> {
    let picked = DeviceBuffer::<Atomic<u32>>::zeroed(edges.device(), 2 * count as usize)?;
    let device = edges.device();
    pick::launch(device, count, edges, seed, &picked)?;
    let words = picked.to_vec()?;
    let chosen: Vec<Edge> =
        words.chunks(2).map(|pair| Edge { src: pair[0], dst: pair[1], weight: () }).collect();
    DeviceBuffer::from_slice(device, &chosen)
}

/// Puts random edges of a list at even and odd places.
#[kernel]
fn pick(edges: &[Edge<()>], seed: u64, picked: &[Atomic<u32>]) {
    let i = thread_id();
    if 2 * i < picked.len() {
        let at = ((random_u32(seed, i as u64) as u64 * edges.len() as u64) >> 32) as u32;
        picked[2 * i].store(edges[at].src);
        picked[2 * i + 1].store(edges[at].dst);
    }
}
