//! One edge, to the answer: how long a batch of a single edge takes that breadth-first search
//! or components follow, one batch after another.
//!
//! ```text
//! cargo bench --bench single_edge -- --graph rmat:22 --device cuda
//! cargo bench --bench single_edge -- --json
//! ```
//!
//! Times are of the host's clock, in microseconds, from the call of `apply` until the device
//! has nothing left to do. Edges are of the graph's own family, not there before; each enters in
//! a batch, and then each leaves. A graph that was just built is left alone for half a second:
//! for so long a driver may clear what was freed. After the batches of a kind the answer is compared with the one
//! from scratch.

use std::error::Error;
use std::io::{self, Write};
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Parser;
use meerkat_algos::bfs::{Bfs, Tree};
use meerkat_algos::wcc::Components;
use meerkat_benches::{RunArgs, followed_and_scratch};
use meerkat_runtime::generate::Generator;
use meerkat_runtime::{
    Batch, Device, DynamicAlgorithm, Edge, Error as MeerkatError, Orientation, SlabGraph,
    SlabOptions,
};
use serde::Serialize;

const CLEARED: Duration = Duration::from_millis(500);

/// Time batches of one edge.
#[derive(Parser)]
struct Args {
    /// `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096`
    #[arg(long, default_value = "rmat:14")]
    graph: Generator,
    /// Batches of each kind
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    batches: u32,
    #[command(flatten)]
    run: RunArgs,
}

/// The times of one algorithm and kind of batches, in microseconds.
#[derive(Serialize)]
struct Row {
    algorithm: &'static str,
    kind: &'static str,
    batches: usize,
    least_us: f64,
    median_us: f64,
    /// Nine in ten take no longer.
    most_of_nine_in_ten_us: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let device = args.run.device()?;
    let mut out = io::stdout().lock();
    if !args.run.json {
        writeln!(out, "{}, one edge a batch, {}", args.graph, device.description())?;
        writeln!(out, "algorithm  kind      batches   least us  median us  9 in 10")?;
    }
    for row in rows(&args, &device)? {
        if args.run.json {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
        } else {
            let Row { algorithm, kind, batches, .. } = row;
            let Row { least_us, median_us, most_of_nine_in_ten_us, .. } = row;
            writeln!(
                out,
                "{algorithm:<10} {kind:<8} {batches:>8} {least_us:>10.0} {median_us:>10.0} \
                 {most_of_nine_in_ten_us:>8.0}"
            )?;
        }
    }
    Ok(())
}

fn rows(args: &Args, device: &Device) -> Result<Vec<Row>, Box<dyn Error>> {
    let both = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let edges = args.graph.edges::<()>(device, 0)?;
    let source = edges.read(0, 1)?[0].src;
    let is_level = |found: &Tree, expected: &Tree| found.levels == expected.levels;
    let directed = graph(args, device, &both)?;
    let mut rows = follow(args, directed, "bfs", Bfs::from_source(source), is_level)?;
    let undirected = graph(args, device, &SlabOptions::DEFAULT.undirected())?;
    rows.extend(follow(args, undirected, "wcc", Components, PartialEq::eq)?);
    Ok(rows)
}

fn graph(args: &Args, device: &Device, options: &SlabOptions) -> Result<SlabGraph, MeerkatError> {
    SlabGraph::from_buffer(device, args.graph.vertices(), &args.graph.edges(device, 0)?, options)
}

fn follow<A: DynamicAlgorithm<SlabGraph>>(
    args: &Args,
    graph: SlabGraph,
    name: &'static str,
    algorithm: A,
    is_equal: impl Fn(&A::Output, &A::Output) -> bool,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut tracked = graph.track(algorithm)?;
    let device = tracked.graph().device().clone();
    let new = args.graph.sample::<()>(&device, 1, args.batches + WARM_UP)?.to_vec()?;
    device.synchronize()?;
    sleep(CLEARED);
    let mut each = |kind, batch: fn(Edge) -> Batch| -> Result<Row, Box<dyn Error>> {
        let mut time = |batch: Batch| -> Result<f64, MeerkatError> {
            let start = Instant::now();
            tracked.apply(&batch)?;
            device.synchronize()?;
            Ok(start.elapsed().as_secs_f64() * 1e6)
        };
        let times: Result<Vec<_>, _> = new.iter().map(|&edge| time(batch(edge))).collect();
        let mut times = times?.split_off(WARM_UP as usize);
        let (found, expected) = followed_and_scratch(&mut tracked)?;
        if !is_equal(&found, &expected) {
            return Err(format!("{name}, {kind}: what followed is wrong").into());
        }
        times.sort_by(f64::total_cmp);
        let at = |tenths: usize| times[(times.len() - 1) * tenths / 10];
        let (batches, algorithm) = (times.len(), name);
        let (least_us, median_us, most_of_nine_in_ten_us) = (at(0), at(5), at(9));
        Ok(Row { algorithm, kind, batches, least_us, median_us, most_of_nine_in_ten_us })
    };
    let enter = each("insert", |edge| Batch::new().insert([edge]))?;
    let leave = each("delete", |edge| Batch::new().delete([edge]))?;
    Ok(vec![enter, leave])
}

/// Batches that come first: kernels are compiled then.
const WARM_UP: u32 = 10;
