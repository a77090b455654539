//! The same operators over slab lists, compact slabs and rows: what a container that can change
//! costs those who only read.
//!
//! ```text
//! cargo bench --bench containers -- --graph rmat:22 --device cuda
//! cargo bench --bench containers -- --json
//! ```
//!
//! Times are of the host's clock, in milliseconds, until the device has nothing left to do: the
//! median of the runs after a first one. `gather` sums a number of each in-neighbour, the pass of a
//! PageRank step; `bfs` starts at the first edge's source, `sssp` too, with lengths of 1 to 64. The
//! answers of all containers are compared.

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

/// An operator or a search over each.
#[derive(Serialize)]
struct Row {
    what: &'static str,
    slabs_ms: f64,
    compact_ms: f64,
    blocks_ms: f64,
    rows_ms: f64,
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
    let [slabs, compact, blocks, rows_bytes] = bytes;
    write!(out, "bytes, out- and in-edges: slabs {slabs}, compact {compact}, blocks {blocks}")?;
    writeln!(out, ", rows {rows_bytes}")?;
    writeln!(out, "what             slabs ms   compact ms    blocks ms      rows ms")?;
    for Row { what, slabs_ms, compact_ms, blocks_ms, rows_ms } in rows {
        write!(out, "{what:<12} {slabs_ms:>12.3} {compact_ms:>12.3}")?;
        writeln!(out, " {blocks_ms:>12.3} {rows_ms:>12.3}")?;
    }
    Ok(())
}

/// Bytes of slab lists, compact slabs and rows, and what was timed.
type Measured = ([u64; 4], Vec<Row>);

fn measure(args: &Args, device: &Device) -> Result<Measured, Box<dyn Error>> {
    let both = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let n = args.graph.vertices();
    let edges = args.graph.edges::<()>(device, 0)?;
    let source = edges.read(0, 1)?[0].src;
    let slabs = SlabGraph::from_buffer(device, n, &edges, &both)?;
    let compact = CompactGraph::from_buffers(device, n, &[&edges], &both)?;
    let blocks = BlockGraph::from_buffers(device, n, &[&edges], &both)?;
    drop(edges);
    let rows = RowGraph::of(&slabs)?;
    let slab_bytes = slabs.slab_count()? * 128 + u64::from(n) * 24;
    let bytes = [slab_bytes, compact.bytes(), blocks.bytes(), rows.bytes()];
    let mut found = vec![
        gathered_of::<f32>("gather f32", args, (&slabs, &compact, &blocks, &rows))?,
        gathered_of::<f64>("gather f64", args, (&slabs, &compact, &blocks, &rows))?,
    ];
    let levels = bfs::levels(&rows, source)?;
    if bfs::levels(&slabs, source)? != levels
        || bfs::levels(&compact, source)? != levels
        || bfs::levels(&blocks, source)? != levels
    {
        return Err("levels differ".into());
    }
    found.push(Row {
        what: "bfs",
        slabs_ms: time(args, device, || bfs::levels_on_device(&slabs, source).map(drop))?,
        compact_ms: time(args, device, || bfs::levels_on_device(&compact, source).map(drop))?,
        blocks_ms: time(args, device, || bfs::levels_on_device(&blocks, source).map(drop))?,
        rows_ms: time(args, device, || bfs::levels_on_device(&rows, source).map(drop))?,
    });
    drop((slabs, compact, blocks, rows));
    let edges = args.graph.edges::<u32>(device, 0)?;
    let slabs = SlabGraph::from_buffer(device, n, &edges, &SlabOptions::DEFAULT)?;
    drop(edges);
    // An edge that is named twice has one of its weights: the same one everywhere.
    let edges = slabs.to_edges()?;
    let compact = CompactGraph::from_edges(device, n, &edges, &SlabOptions::DEFAULT)?;
    let blocks = BlockGraph::from_edges(device, n, &edges, &SlabOptions::DEFAULT)?;
    drop(edges);
    let rows = RowGraph::of(&slabs)?;
    let distances = sssp::distances(&rows, source)?;
    if sssp::distances(&slabs, source)? != distances
        || sssp::distances(&compact, source)? != distances
        || sssp::distances(&blocks, source)? != distances
    {
        return Err("distances differ".into());
    }
    found.push(Row {
        what: "sssp",
        slabs_ms: time(args, device, || sssp::distances_on_device(&slabs, source).map(drop))?,
        compact_ms: time(args, device, || sssp::distances_on_device(&compact, source).map(drop))?,
        blocks_ms: time(args, device, || sssp::distances_on_device(&blocks, source).map(drop))?,
        rows_ms: time(args, device, || sssp::distances_on_device(&rows, source).map(drop))?,
    });
    Ok((bytes, found))
}

fn gathered_of<R: Float>(
    what: &'static str,
    args: &Args,
    (slabs, compact, blocks, rows): (&SlabGraph, &CompactGraph, &BlockGraph, &RowGraph),
) -> Result<Row, Box<dyn Error>> {
    let (device, n) = (slabs.device(), slabs.vertex_count());
    let numbers: Vec<R> = (0..n).map(|v| R::from_f64(f64::from(v % 8))).collect();
    let of = DeviceBuffer::<R>::from_slice(device, &numbers)?;
    let (slabs_ms, of_slabs) = gathered(args, slabs, &of)?;
    let (compact_ms, of_compact) = gathered(args, compact, &of)?;
    let (blocks_ms, of_blocks) = gathered(args, blocks, &of)?;
    let (rows_ms, of_rows) = gathered(args, rows, &of)?;
    // Sums of small whole numbers are exact in any order.
    if of_slabs != of_rows || of_compact != of_rows || of_blocks != of_rows {
        return Err("sums differ".into());
    }
    Ok(Row { what, slabs_ms, compact_ms, blocks_ms, rows_ms })
}

/// The time, and the sums.
fn gathered<C: Container, R: Float>(
    args: &Args,
    graph: &C,
    of: &DeviceBuffer<R>,
) -> Result<(f64, Vec<R>), Box<dyn Error>> {
    let (device, n) = (graph.device(), graph.vertex_count());
    let mut sums = DeviceBuffer::zeroed(device, n as usize)?;
    let ms = time(args, device, || gather::launch(device, 0..n, graph.in_edges()?, of, &mut sums))?;
    Ok((ms, sums.to_vec()?))
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
