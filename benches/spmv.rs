//! Sparse matrix times vector over slab lists, compact slabs, block arrays and rows.
//!
//! ```text
//! cargo bench -p meerkat-benches --bench spmv -- --graph rmat:22 --device cuda
//! cargo bench -p meerkat-benches --bench spmv -- --device cuda --schedules auto,tile8,warp
//! ```
//!
//! Times are between events of the device, in milliseconds: the median of the runs after a first
//! one, of the product alone. Without weights each entry is 1; weights are lengths of 1 to 64, as
//! `u32`. The products of all containers are compared.

use std::error::Error;
use std::io::{self, Write};

use clap::Parser;
use meerkat_algos::spmv::{self, Entry};
use meerkat_benches::RunArgs;
use meerkat_runtime::generate::Generator;
use meerkat_runtime::prelude::*;
use serde::Serialize;

/// Time sparse matrix times vector.
#[derive(Parser)]
struct Args {
    /// `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096`
    #[arg(long, default_value = "rmat:12")]
    graph: Generator,
    /// Schedules to time: `auto`, `hybrid`, `tile8`, `warp`, ..
    #[arg(long, value_delimiter = ',', default_value = "auto")]
    schedules: Vec<Schedule>,
    /// Timed runs of each, after one that is not timed
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    #[command(flatten)]
    run: RunArgs,
}

/// The times of one matrix.
#[derive(Serialize)]
struct Row {
    schedule: &'static str,
    weights: &'static str,
    precision: &'static str,
    slabs_ms: f64,
    compact_ms: f64,
    blocks_ms: f64,
    rows_ms: f64,
    /// Entries of the matrix.
    entries: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let device = args.run.device()?;
    let mut out = io::stdout().lock();
    if !args.run.json {
        writeln!(out, "{}, {}", args.graph, device.description())?;
        writeln!(
            out,
            "schedule   weights numbers     slabs ms   compact ms    blocks ms      rows ms  entries"
        )?;
    }
    for &schedule in &args.schedules {
        let device = device.clone().with_schedule(schedule);
        let name = schedule.name();
        let [a, b] = measure::<()>(&args, &device, (name, "none"))?;
        let [c, d] = measure::<u32>(&args, &device, (name, "u32"))?;
        for row in [a, b, c, d] {
            print(&mut out, &row, args.run.json)?;
        }
    }
    Ok(())
}

fn print(out: &mut impl Write, row: &Row, json: bool) -> Result<(), Box<dyn Error>> {
    if json {
        return Ok(writeln!(out, "{}", serde_json::to_string(row)?)?);
    }
    let Row { schedule, weights, precision, slabs_ms, compact_ms, blocks_ms, rows_ms, entries } =
        row;
    Ok(writeln!(
        out,
        "{schedule:<10} {weights:<7} {precision:<7} {slabs_ms:>12.3} {compact_ms:>12.3} \
         {blocks_ms:>12.3} {rows_ms:>12.3}  {entries}"
    )?)
}

/// A matrix in each container.
struct Containers<W: Weight> {
    slabs: SlabGraph<W>,
    compact: CompactGraph<W>,
    blocks: BlockGraph<W>,
    rows: RowGraph<W>,
}

impl<W: Weight> Containers<W> {
    fn new(args: &Args, device: &Device) -> Result<Self, meerkat_runtime::Error> {
        let n = args.graph.vertices();
        let edges = args.graph.edges::<W>(device, 0)?;
        let slabs = SlabGraph::from_buffer(device, n, &edges, &SlabOptions::DEFAULT)?;
        drop(edges);
        let compact = CompactGraph::of(&slabs)?;
        let blocks = BlockGraph::of(&slabs)?;
        let rows = RowGraph::of(&slabs)?;
        Ok(Containers { slabs, compact, blocks, rows })
    }
}

/// In single and in double precision.
fn measure<W: Weight + Entry<f32> + Entry<f64>>(
    args: &Args,
    device: &Device,
    names: (&'static str, &'static str),
) -> Result<[Row; 2], Box<dyn Error>> {
    let matrix = Containers::<W>::new(args, device)?;
    Ok([
        timed::<f32, W>(args, &matrix, names, ("f32", f32::EPSILON.into()))?,
        timed::<f64, W>(args, &matrix, names, ("f64", f64::EPSILON))?,
    ])
}

fn timed<T: Float, W: Weight + Entry<T>>(
    args: &Args,
    matrix: &Containers<W>,
    (schedule, weights): (&'static str, &'static str),
    (precision, unit): (&'static str, f64),
) -> Result<Row, Box<dyn Error>> {
    let Containers { slabs, compact, blocks, rows } = matrix;
    let numbers: Vec<T> =
        (0..slabs.vertex_count()).map(|v| T::from_f64(random_f64(1, v.into()))).collect();
    let x = DeviceBuffer::<T>::from_slice(slabs.device(), &numbers)?;
    let (slabs_ms, of_slabs) = multiplied(args, slabs, &x)?;
    let (compact_ms, of_compact) = multiplied(args, compact, &x)?;
    let (blocks_ms, of_blocks) = multiplied(args, blocks, &x)?;
    let (rows_ms, of_rows) = multiplied(args, rows, &x)?;
    let degrees = slabs.out_degrees()?;
    for ((degree, expected), others) in
        degrees.into_iter().zip(of_slabs).zip(of_compact.into_iter().zip(of_blocks).zip(of_rows))
    {
        // All products are positive, so what rounding may differ by is relative to the sum.
        let expected = expected.to_f64();
        let most = f64::from(degree + 1) * unit * expected;
        let is_close = |y: T| (y.to_f64() - expected).abs() <= most;
        let ((of_compact, of_blocks), of_rows) = others;
        if ![of_compact, of_blocks, of_rows].into_iter().all(is_close) {
            return Err("products differ".into());
        }
    }
    let entries = slabs.edge_count()?;
    Ok(Row { schedule, weights, precision, slabs_ms, compact_ms, blocks_ms, rows_ms, entries })
}

/// The median time, and the product.
fn multiplied<T: Float, C: Container<Carried: Entry<T>>>(
    args: &Args,
    matrix: &C,
    x: &DeviceBuffer<T>,
) -> Result<(f64, Vec<T>), meerkat_runtime::Error> {
    let device = matrix.device();
    let mut y = DeviceBuffer::zeroed(device, x.len())?;
    let mut run = || device.measure(|| spmv::multiply(matrix, x, &mut y));
    run()?;
    let mut times = (0..args.runs).map(|_| run()).collect::<Result<Vec<_>, _>>()?;
    times.sort_by(f64::total_cmp);
    Ok((times[times.len() / 2], y.to_vec()?))
}
