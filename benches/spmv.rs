//! Sparse matrix times vector over slab lists, compact slabs, block arrays and rows.
//!
//! ```text
//! cargo bench -p meerkat-benches --bench spmv -- --graph rmat:22 --device cuda
//! cargo bench -p meerkat-benches --bench spmv -- --device cuda --schedules auto,tile8,warp
//! cargo bench -p meerkat-benches --bench spmv -- --device cuda --rows FOLDER
//! ```
//!
//! Times are between events of the device, in milliseconds: the median of the runs after a first
//! one, of the product alone. Without weights each entry is 1; weights are lengths of 1 to 64, as
//! `u32`. The products of all containers are compared. Rows are those of the block arrays, so both
//! ascend.
//!
//! With `--rows` each matrix goes into a folder with its times under the first schedule, for
//! `scripts/compare-cusparse`.

use std::error::Error;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Parser;
use meerkat_algos::spmv::{self, Entry};
use meerkat_benches::{RunArgs, is_same_product, median_ms};
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
    /// Write the rows that were timed, and the times, to `none/` and `u32/` in this folder
    #[arg(long, value_name = "FOLDER")]
    rows: Option<PathBuf>,
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
    for (number, &schedule) in args.schedules.iter().enumerate() {
        let device = device.clone().with_schedule(schedule);
        let name = schedule.name();
        let folder = args.rows.as_deref().filter(|_| number == 0);
        let [a, b] = measure::<()>(&args, &device, (name, "none"), folder)?;
        let [c, d] = measure::<u32>(&args, &device, (name, "u32"), folder)?;
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
        let rows = RowGraph::of(&blocks)?;
        Ok(Containers { slabs, compact, blocks, rows })
    }
}

/// In single and in double precision.
fn measure<W: Weight + Entry<f32> + Entry<f64>>(
    args: &Args,
    device: &Device,
    names: (&'static str, &'static str),
    folder: Option<&Path>,
) -> Result<[Row; 2], Box<dyn Error>> {
    let matrix = Containers::<W>::new(args, device)?;
    let times = [
        timed::<f32, W>(args, &matrix, names, ("f32", f32::EPSILON.into()))?,
        timed::<f64, W>(args, &matrix, names, ("f64", f64::EPSILON))?,
    ];
    if let Some(folder) = folder {
        matrix.write(args, &folder.join(names.1), &times)?;
    }
    Ok(times)
}

fn timed<T: Float, W: Weight + Entry<T>>(
    args: &Args,
    matrix: &Containers<W>,
    (schedule, weights): (&'static str, &'static str),
    (precision, unit): (&'static str, f64),
) -> Result<Row, Box<dyn Error>> {
    let Containers { slabs, compact, blocks, rows } = matrix;
    let x = vector::<T>(slabs.device(), slabs.vertex_count())?;
    let (slabs_ms, of_slabs) = multiplied(args, slabs, &x)?;
    let (compact_ms, of_compact) = multiplied(args, compact, &x)?;
    let (blocks_ms, of_blocks) = multiplied(args, blocks, &x)?;
    let (rows_ms, of_rows) = multiplied(args, rows, &x)?;
    let degrees = slabs.out_degrees()?;
    for other in [of_compact, of_blocks, of_rows] {
        if !is_same_product(&degrees, unit, &of_slabs, &other) {
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
    let ms = median_ms(device, args.runs, || spmv::multiply(matrix, x, &mut y))?;
    Ok((ms, y.to_vec()?))
}

/// The vector that is multiplied: from 0 to 1.
fn vector<T: Float>(device: &Device, n: u32) -> Result<DeviceBuffer<T>, meerkat_runtime::Error> {
    let numbers: Vec<T> = (0..n).map(|v| T::from_f64(random_f64(1, v.into()))).collect();
    DeviceBuffer::from_slice(device, &numbers)
}

/// What `matrix.json` says of the files beside it, which are little-endian.
#[derive(Serialize)]
struct Matrix<'a> {
    graph: String,
    device: String,
    /// Rows, and columns.
    n: u32,
    entries: u64,
    weights: &'a str,
    times: &'a [Row],
}

impl<W: Weight + Entry<f64>> Containers<W> {
    /// Writes rows, vector and product: `offsets.u64`, `columns.u32`, with weights `weights.u32`,
    /// `x.f64`, `y.f64`; and `matrix.json`.
    fn write(&self, args: &Args, folder: &Path, times: &[Row]) -> Result<(), Box<dyn Error>> {
        let (device, n) = (self.blocks.device(), self.blocks.vertex_count());
        let csr = self.blocks.to_csr()?;
        let x = vector::<f64>(device, n)?;
        let (_, y) = multiplied(args, &self.rows, &x)?;
        fs::create_dir_all(folder)?;
        write_file(&folder.join("offsets.u64"), csr.offsets.iter().map(|at| at.to_le_bytes()))?;
        write_file(&folder.join("columns.u32"), csr.neighbors.iter().map(|v| v.to_le_bytes()))?;
        if W::IS_WEIGHTED {
            let bits = csr.weights.iter().map(|weight| weight.to_bits().to_le_bytes());
            write_file(&folder.join("weights.u32"), bits)?;
        }
        write_file(&folder.join("x.f64"), x.to_vec()?.iter().map(|x| x.to_le_bytes()))?;
        write_file(&folder.join("y.f64"), y.iter().map(|y| y.to_le_bytes()))?;
        let (graph, device) = (args.graph.to_string(), device.description());
        let entries = csr.neighbors.len() as u64;
        let weights = times.first().map_or("none", |row| row.weights);
        let matrix = Matrix { graph, device, n, entries, weights, times };
        Ok(fs::write(folder.join("matrix.json"), serde_json::to_string_pretty(&matrix)?)?)
    }
}

/// Writes numbers one after another.
fn write_file<const N: usize>(
    path: &Path,
    numbers: impl Iterator<Item = [u8; N]>,
) -> io::Result<()> {
    let mut file = BufWriter::new(fs::File::create(path)?);
    for number in numbers {
        file.write_all(&number)?;
    }
    file.flush()
}
