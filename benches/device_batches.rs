//! Exact batches that are in device memory, over compact slabs in both orientations: what `meerkat-python`'s `apply` of
//! tensors is compared with (`meerkat-python/benches/measure.py`, whose graphs and batches are as large).
//!
//! ```text
//! cargo bench --bench device_batches -- --graph uniform:125000:1000000 --device cuda
//! cargo bench --bench device_batches -- --json
//! ```
//!
//! Times are of the host's clock, in milliseconds: the median of pairs of batches, one that inserts edges and one that
//! deletes them again, from the call of `apply` until the device has nothing left to do; half of it, for each of the
//! two. After the batches the graph has as many edges as before.

use std::error::Error;
use std::io::{self, Write};
use std::time::Instant;

use clap::Parser;
use meerkat_benches::{RunArgs, ms_since};
use meerkat_runtime::generate::Generator;
use meerkat_runtime::graph::DeviceBatch;
use meerkat_runtime::{CompactGraph, Device, Orientation, SlabOptions};
use serde::Serialize;

const WARM_UP: usize = 2;

/// Time exact batches in device memory.
#[derive(Parser)]
struct Args {
    #[arg(long, default_value = "uniform:12500:100000")]
    graph: Generator,
    /// Edges in a batch, one size after another
    #[arg(long, value_delimiter = ',', default_value = "1048576,1",
          value_parser = clap::value_parser!(u32).range(1..))]
    edges: Vec<u32>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Serialize)]
struct Row {
    edges: u32,
    pairs: usize,
    median_ms: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let device = args.run.device()?;
    let mut out = io::stdout().lock();
    if !args.run.json {
        writeln!(out, "{}, exact batches in device memory, {}", args.graph, device.description())?;
        writeln!(out, "     edges   pairs  median ms")?;
    }
    for &edges in &args.edges {
        let row = measure(&args.graph, edges, &device)?;
        match args.run.json {
            true => writeln!(out, "{}", serde_json::to_string(&row)?)?,
            false => writeln!(out, "{:>10} {:>7} {:>10.4}", row.edges, row.pairs, row.median_ms)?,
        }
    }
    Ok(())
}

fn measure(generator: &Generator, edges: u32, device: &Device) -> Result<Row, Box<dyn Error>> {
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let start = generator.edges::<()>(device, 0)?;
    let mut graph = CompactGraph::from_buffer(device, generator.vertices(), &start, &options)?;
    drop(start);
    let new = || generator.sample::<()>(device, 1, edges);
    let (insert, delete) = (DeviceBatch::insertions(new()?), DeviceBatch::deletions(new()?));
    let pairs = if edges > 1 { 9 } else { 2001 };
    let (mut times, mut without) = (Vec::new(), 0);
    for pair in 0..pairs + WARM_UP {
        let start = Instant::now();
        for batch in [&insert, &delete] {
            graph.apply(batch)?;
            device.synchronize()?;
        }
        match pair.checked_sub(WARM_UP) {
            Some(_) => times.push(ms_since(start) / 2.0),
            // Edges that were there before have left with the others.
            None => without = graph.edge_count()?,
        }
    }
    if graph.edge_count()? != without {
        return Err("the graph has not the edges that it had before the batches".into());
    }
    times.sort_by(f64::total_cmp);
    Ok(Row { edges, pairs, median_ms: times[pairs / 2] })
}
