//! A hub that grows and goes: what batches of edges at one vertex cost, as it gets more and more
//! of them, and loses them again; alone, and with an answer that follows.
//!
//! ```text
//! cargo bench --bench hub -- --graph rmat:22 --device cuda
//! cargo bench --bench hub -- --json
//! ```
//!
//! Times are of the host's clock, in milliseconds, from the call of `apply` until the device has
//! nothing left to do. The vertex is the last of the graph, and its neighbours are the first.

use std::error::Error;
use std::io::{self, Write};
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Parser;
use meerkat_algos::bfs::Bfs;
use meerkat_algos::wcc::Components;
use meerkat_benches::RunArgs;
use meerkat_runtime::generate::Generator;
use meerkat_runtime::graph::Compaction;
use meerkat_runtime::{
    Batch, Device, Edge, Error as MeerkatError, Orientation, SlabGraph, SlabOptions,
};
use serde::Serialize;

const CLEARED: Duration = Duration::from_millis(500);

/// Time batches of edges at one vertex.
#[derive(Clone, Parser)]
struct Args {
    /// `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096`
    #[arg(long, default_value = "rmat:16")]
    graph: Generator,
    /// Batches of each kind
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    batches: u32,
    /// Edges in each
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    edges: u32,
    /// Keep the lists that the graph was built with, for comparison
    #[arg(long)]
    keep_lists: bool,
    #[command(flatten)]
    run: RunArgs,
}

/// The times of one algorithm and kind of batches, in milliseconds, in order.
#[derive(Serialize)]
struct Row {
    algorithm: &'static str,
    kind: &'static str,
    edges: u32,
    batches_ms: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let device = args.run.device()?;
    let mut out = io::stdout().lock();
    if !args.run.json {
        let Args { graph, batches, edges, .. } = &args;
        writeln!(out, "{graph}, {batches} batches of {edges} edges at a vertex")?;
        writeln!(out, "{}", device.description())?;
        writeln!(out, "algorithm  kind    first ms  2nd ms  median ms  most ms  last ms")?;
    }
    // Kernels are compiled over a small graph.
    rows(&Args { graph: "rmat:12".parse()?, batches: 4, edges: 1000, ..args.clone() }, &device)?;
    for row in rows(&args, &device)? {
        if args.run.json {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
            continue;
        }
        let Row { algorithm, kind, batches_ms: times, .. } = row;
        let mut sorted = times.clone();
        sorted.sort_by(f64::total_cmp);
        let (median, most) = (sorted[sorted.len() / 2], sorted[sorted.len() - 1]);
        let (first, second, last) =
            (times[0], times[times.len().min(2) - 1], times[times.len() - 1]);
        writeln!(
            out,
            "{algorithm:<10} {kind:<7} {first:>8.3} {second:>7.3} {median:>10.3} {most:>8.3} \
             {last:>8.3}"
        )?;
    }
    Ok(())
}

fn rows(args: &Args, device: &Device) -> Result<Vec<Row>, MeerkatError> {
    let both = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let undirected = SlabOptions::DEFAULT.undirected();
    let mut alone = graph(args, device, &both)?;
    let mut rows = follow(args, device, "none", |batch| alone.apply(batch).map(drop))?;
    let source = args.graph.vertices() - 1;
    let mut bfs = graph(args, device, &both)?.track(Bfs::from_source(source))?;
    rows.extend(follow(args, device, "bfs", |batch| bfs.apply(batch).map(drop))?);
    let mut wcc = graph(args, device, &undirected)?.track(Components)?;
    rows.extend(follow(args, device, "wcc", |batch| wcc.apply(batch).map(drop))?);
    Ok(rows)
}

fn graph(args: &Args, device: &Device, options: &SlabOptions) -> Result<SlabGraph, MeerkatError> {
    let compaction = match args.keep_lists {
        true => Compaction::OnDemand,
        false => Compaction::Automatic,
    };
    let options = SlabOptions { compaction, ..*options };
    SlabGraph::from_buffer(device, args.graph.vertices(), &args.graph.edges(device, 0)?, &options)
}

fn follow(
    args: &Args,
    device: &Device,
    algorithm: &'static str,
    mut apply: impl FnMut(&Batch) -> Result<(), MeerkatError>,
) -> Result<Vec<Row>, MeerkatError> {
    let (hub, edges) = (args.graph.vertices() - 1, args.edges);
    let of =
        |batch: u32| (0..edges).map(move |at| batch * edges + at).filter(move |&dst| dst < hub);
    let of = |batch| of(batch).map(|dst| Edge { src: hub, dst, weight: () });
    device.synchronize()?;
    sleep(CLEARED);
    let mut each = |kind, batch: &dyn Fn(u32) -> Batch| -> Result<Row, MeerkatError> {
        let mut batches_ms = Vec::new();
        for number in 0..args.batches {
            let batch = batch(number);
            let start = Instant::now();
            apply(&batch)?;
            device.synchronize()?;
            batches_ms.push(start.elapsed().as_secs_f64() * 1e3);
        }
        Ok(Row { algorithm, kind, edges, batches_ms })
    };
    let enter = each("insert", &|number| Batch::new().insert(of(number).collect::<Vec<_>>()))?;
    let leave = each("delete", &|number| Batch::new().delete(of(number).collect::<Vec<_>>()))?;
    Ok(vec![enter, leave])
}
