//! How much memory containers take after they have doubled in size, and how long a build takes: from
//! edges in no order, and from rows.
//!
//! ```text
//! cargo bench --bench growth -- --graph rmat:22 --device cuda
//! ```
//!
//! A graph is built of half of the edges, chosen by a hash of their place, and the others are inserted
//! in batches. `grown` leaves lists where they are until there is no room, `kept up` lays out again
//! what the graph finds too long between batches, and `compacted` is compacted at last. Bytes are those of
//! out-edges over 4 an arc and 4 a vertex. Build times are between events of the device (on the CPU
//! by its clock), medians, with the memory that a build takes and gives back.

use std::error::Error;
use std::io::{self, Write};

use clap::Parser;
use meerkat_benches::{RunArgs, median_ms};
use meerkat_runtime::generate::Generator;
use meerkat_runtime::graph::Compaction;
use meerkat_runtime::prelude::*;
use serde::Serialize;

/// Measure what containers take once they have doubled
#[derive(Parser)]
struct Args {
    /// `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096`
    #[arg(long, default_value = "rmat:12")]
    graph: Generator,
    /// Edges of a batch
    #[arg(long, default_value_t = 1 << 20, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Timed runs of each build, after one that is not timed
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    #[command(flatten)]
    run: RunArgs,
}

/// One container: milliseconds, and bytes over those of CSR.
#[derive(Serialize)]
struct Row {
    container: &'static str,
    from_edges_ms: f64,
    from_rows_ms: f64,
    built: f64,
    grown: f64,
    kept_up: f64,
    compacted: f64,
}

/// Edges on the host, in two halves, and all of them on the device.
struct Edges {
    first: Vec<Edge>,
    second: Vec<Edge>,
    all: DeviceBuffer<Edge>,
}

impl Edges {
    fn of(args: &Args, device: &Device) -> Result<Self, Box<dyn Error>> {
        let all = args.graph.edges::<()>(device, 0)?;
        let numbered = (0u64..).zip(all.to_vec()?);
        let is_first = |(i, _): &(u64, Edge)| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 0;
        let (first, second): (Vec<_>, Vec<_>) = numbered.partition(is_first);
        let edges = |half: Vec<(u64, Edge)>| half.into_iter().map(|(_, edge)| edge).collect();
        Ok(Edges { first: edges(first), second: edges(second), all })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let device = args.run.device()?;
    let edges = Edges::of(&args, &device)?;
    let rows = [
        measured::<meerkat_runtime::graph::Adjacency>("slabs", &args, &device, &edges)?,
        measured::<meerkat_runtime::CompactEdges>("compact", &args, &device, &edges)?,
        measured::<meerkat_runtime::BlockEdges>("blocks", &args, &device, &edges)?,
    ];
    let mut out = io::stdout().lock();
    if args.run.json {
        for row in &rows {
            writeln!(out, "{}", serde_json::to_string(row)?)?;
        }
        return Ok(());
    }
    writeln!(out, "{}, {}", args.graph, device.description())?;
    writeln!(out, "container    from edges ms  from rows ms   built   grown kept up compacted")?;
    for row in rows {
        let Row { container, from_edges_ms, from_rows_ms, built, .. } = row;
        write!(out, "{container:<12} {from_edges_ms:>13.2} {from_rows_ms:>13.2} {built:>7.3}")?;
        writeln!(out, " {:>7.3} {:>7.3} {:>9.3}", row.grown, row.kept_up, row.compacted)?;
    }
    Ok(())
}

fn measured<L: EdgeLists<Carried = ()>>(
    container: &'static str,
    args: &Args,
    device: &Device,
    edges: &Edges,
) -> Result<Row, Box<dyn Error>> {
    let n = args.graph.vertices();
    let build = || DynamicGraph::<L>::from_buffers(device, n, &[&edges.all], &SlabOptions::DEFAULT);
    let from_edges_ms = median_ms(device, args.runs, || build().map(drop))?;
    let graph = build()?;
    let arcs = graph.edge_count()?;
    let rows = RowGraph::of(&graph)?;
    let from_rows_ms = median_ms(device, args.runs, || DynamicGraph::<L>::of(&rows).map(drop))?;
    let csr = 4.0 * (f64::from(n) + 1.0 + arcs as f64);
    let of_csr = |graph: &DynamicGraph<L>| graph.bytes() as f64 / csr;
    let built = of_csr(&graph);
    drop((graph, rows));
    let left_alone = grown::<L>(args, device, edges, Compaction::OnDemand)?;
    let mut kept_up = grown::<L>(args, device, edges, Compaction::Automatic)?;
    if left_alone.edge_count()? != arcs || kept_up.edge_count()? != arcs {
        return Err("edges are missing".into());
    }
    let (grown, before) = (of_csr(&left_alone), of_csr(&kept_up));
    kept_up.compact()?;
    let compacted = of_csr(&kept_up);
    Ok(Row { container, from_edges_ms, from_rows_ms, built, grown, kept_up: before, compacted })
}

/// The graph of all edges, the second half of them inserted in batches.
fn grown<L: EdgeLists<Carried = ()>>(
    args: &Args,
    device: &Device,
    edges: &Edges,
    compaction: Compaction,
) -> Result<DynamicGraph<L>, Box<dyn Error>> {
    let options = SlabOptions { compaction, ..SlabOptions::DEFAULT };
    let n = args.graph.vertices();
    let mut graph = DynamicGraph::<L>::from_edges(device, n, &edges.first, &options)?;
    for batch in edges.second.chunks(args.batch as usize) {
        graph.insert_buffer(&DeviceBuffer::from_slice(device, batch)?)?;
    }
    Ok(graph)
}
