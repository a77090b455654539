//! The same operators over slab lists and over rows: what a container that can change costs
//! those who only read.
//!
//! ```text
//! cargo bench --bench containers -- --graph rmat:22 --device cuda
//! cargo bench --bench containers -- --json
//! ```
//!
//! Times are of the host's clock, in milliseconds, until the device has nothing left to do: the
//! median of the runs after a first one. `gather` sums a number of each in-neighbour, the pass of a
//! PageRank step; `bfs` starts at the first edge's source, `sssp` too, with lengths of 1 to 64. The
//! answers of both containers are compared. `slabs_to_rows` is the time over slab lists divided by
//! that over rows.

use std::error::Error;
use std::io::{self, Write};
use std::time::Instant;

use clap::Parser;
use meerkat_algos::{bfs, sssp};
use meerkat_benches::RunArgs;
use meerkat_runtime::generate::Generator;
use meerkat_runtime::prelude::*;
use serde::Serialize;

/// Time operators over slab lists and rows.
#[derive(Parser)]
struct Args {
    /// `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096`
    #[arg(long, default_value = "rmat:12")]
    graph: Generator,
    /// Timed runs of each, after one that is not timed
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    #[command(flatten)]
    run: RunArgs,
}

/// An operator or a search over both.
#[derive(Serialize)]
struct Row {
    what: &'static str,
    slabs_ms: f64,
    rows_ms: f64,
    slabs_to_rows: f64,
}

/// The sum of a number of each neighbour of `v`.
#[vertex_operator]
fn gather<G: Neighbors, R: Float>(v: Vertex, graph: &G, of: &[R], sums: &mut [R]) {
    let mut sum: R = R::ZERO;
    for_each_neighbor(graph, v, true, |src| sum += of[src]);
    sums[v] = sum;
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let device = args.run.device()?;
    let mut out = io::stdout().lock();
    let (bytes, rows) = measure(&args, &device)?;
    if args.run.json {
        for row in &rows {
            writeln!(out, "{}", serde_json::to_string(row)?)?;
        }
        return Ok(());
    }
    writeln!(out, "{}, {}", args.graph, device.description())?;
    writeln!(out, "bytes, out- and in-edges: slabs {}, rows {}", bytes.0, bytes.1)?;
    writeln!(out, "what             slabs ms      rows ms  slabs/rows")?;
    for Row { what, slabs_ms, rows_ms, slabs_to_rows } in rows {
        writeln!(out, "{what:<12} {slabs_ms:>12.3} {rows_ms:>12.3} {slabs_to_rows:>11.2}")?;
    }
    Ok(())
}

/// Bytes of slab lists and of rows, and what was timed.
type Measured = ((u64, u64), Vec<Row>);

fn measure(args: &Args, device: &Device) -> Result<Measured, Box<dyn Error>> {
    let both = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let n = args.graph.vertices();
    let edges = args.graph.edges::<()>(device, 0)?;
    let source = edges.read(0, 1)?[0].src;
    let slabs = SlabGraph::from_buffer(device, n, &edges, &both)?;
    drop(edges);
    let rows = RowGraph::of(&slabs)?;
    let bytes = (slabs.slab_count()? * 128 + u64::from(n) * 24, rows.bytes());
    let mut found = vec![
        gathered::<f32>("gather f32", args, &slabs, &rows)?,
        gathered::<f64>("gather f64", args, &slabs, &rows)?,
    ];
    let levels = (bfs::levels(&slabs, source)?, bfs::levels(&rows, source)?);
    if levels.0 != levels.1 {
        return Err("levels differ".into());
    }
    found.push(compared(
        "bfs",
        time(args, device, || bfs::levels_on_device(&slabs, source).map(drop))?,
        time(args, device, || bfs::levels_on_device(&rows, source).map(drop))?,
    ));
    drop((slabs, rows));
    let edges = args.graph.edges::<u32>(device, 0)?;
    let slabs = SlabGraph::from_buffer(device, n, &edges, &SlabOptions::DEFAULT)?;
    drop(edges);
    let rows = RowGraph::of(&slabs)?;
    if sssp::distances(&slabs, source)? != sssp::distances(&rows, source)? {
        return Err("distances differ".into());
    }
    found.push(compared(
        "sssp",
        time(args, device, || sssp::distances_on_device(&slabs, source).map(drop))?,
        time(args, device, || sssp::distances_on_device(&rows, source).map(drop))?,
    ));
    Ok((bytes, found))
}

fn gathered<R: Float>(
    what: &'static str,
    args: &Args,
    slabs: &SlabGraph,
    rows: &RowGraph,
) -> Result<Row, Box<dyn Error>> {
    let (device, n) = (slabs.device(), slabs.vertex_count());
    let numbers: Vec<R> = (0..n).map(|v| R::from_f64(f64::from(v % 8))).collect();
    let of = DeviceBuffer::<R>::from_slice(device, &numbers)?;
    let mut sums =
        [DeviceBuffer::zeroed(device, n as usize)?, DeviceBuffer::zeroed(device, n as usize)?];
    let [of_slabs, of_rows] = &mut sums;
    let row = compared(
        what,
        time(args, device, || {
            gather::launch(device, 0..n, slabs.in_edges()?, &of, &mut *of_slabs)
        })?,
        time(args, device, || gather::launch(device, 0..n, rows.in_edges()?, &of, &mut *of_rows))?,
    );
    // Sums of small whole numbers are exact in any order.
    if sums[0].to_vec()? != sums[1].to_vec()? {
        return Err("sums differ".into());
    }
    Ok(row)
}

fn compared(what: &'static str, slabs_ms: f64, rows_ms: f64) -> Row {
    Row { what, slabs_ms, rows_ms, slabs_to_rows: slabs_ms / rows_ms }
}

/// The median, in milliseconds.
fn time(
    args: &Args,
    device: &Device,
    mut run: impl FnMut() -> Result<(), meerkat_runtime::Error>,
) -> Result<f64, meerkat_runtime::Error> {
    let mut times = Vec::new();
    for _ in 0..=args.runs {
        device.synchronize()?;
        let start = Instant::now();
        run()?;
        device.synchronize()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let mut times = times.split_off(1);
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
