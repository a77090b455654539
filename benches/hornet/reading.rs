//! Figures 7 and 8: breadth-first search, and a sparse matrix times a vector, over compressed sparse
//! rows and over block arrays.
//!
//! Rows have the neighbours of a vertex in no order, and both have out-edges only. A search starts at the
//! source of the first edge; traversed edges are the out-edges of all vertices that it reaches. A
//! product is `meerkat_algos::spmv`, of a matrix without weights.

use std::error::Error;

use meerkat_algos::bfs::{self, UNREACHED};
use meerkat_algos::spmv::{self, Entry};
use meerkat_benches::{is_same_product, median_ms};
use meerkat_runtime::prelude::*;
use meerkat_runtime::{BlockOptions, Error as MeerkatError};
use serde::Serialize;

use crate::{Bench, Line};

/// A search over both.
#[derive(Serialize)]
struct Search {
    source: u32,
    reached: u64,
    edges: u64,
    rows_ms: f64,
    blocks_ms: f64,
    /// Millions of traversed edges a second.
    rows_mteps: f64,
    blocks_mteps: f64,
    /// How many times as fast as over rows.
    speedup: f64,
}

/// A product over both.
#[derive(Serialize)]
struct Product {
    precision: &'static str,
    entries: u64,
    rows_ms: f64,
    blocks_ms: f64,
    /// How many times as fast as over rows.
    speedup: f64,
}

/// A graph in both containers.
struct Graphs {
    rows: RowGraph,
    blocks: BlockGraph,
    /// The source of the first edge.
    source: u32,
}

impl Graphs {
    fn new(bench: &Bench) -> Result<Self, Box<dyn Error>> {
        let edges = bench.edges()?;
        let blocks = bench.blocks(&edges, BlockOptions::DEFAULT)?.ok_or("blocks do not fit")?;
        let rows = RowGraph::of(&blocks)?;
        Ok(Graphs { rows, blocks, source: edges.read(0, 1)?[0].src })
    }
}

pub(crate) fn searches(bench: &mut Bench) -> Result<(), Box<dyn Error>> {
    let paper = "blocks up to 10 % faster than CSR";
    let columns =
        "    source    reached      edges    rows ms  blocks ms rows MTEPS blocks MTEPS  speedup";
    bench.head(7, "breadth-first search, levels", paper, columns)?;
    let line = search(bench, &Graphs::new(bench)?)?;
    bench.line(7, &line)
}

fn search(bench: &Bench, graphs: &Graphs) -> Result<Search, Box<dyn Error>> {
    let &Graphs { ref rows, ref blocks, source } = graphs;
    let levels = bfs::levels(rows, source)?;
    if bfs::levels(blocks, source)? != levels {
        return Err("levels differ".into());
    }
    let degrees = blocks.out_degrees()?;
    let reached = || levels.iter().zip(&degrees).filter(|&(&level, _)| level != UNREACHED);
    let edges = reached().map(|(_, &degree)| u64::from(degree)).sum();
    let (device, runs) = (&bench.device, bench.args.runs);
    let rows_ms = median_ms(device, runs, || bfs::levels_on_device(rows, source).map(drop))?;
    let blocks_ms = median_ms(device, runs, || bfs::levels_on_device(blocks, source).map(drop))?;
    let mteps = |ms: f64| edges as f64 / ms / 1e3;
    Ok(Search {
        source,
        reached: reached().count() as u64,
        edges,
        rows_ms,
        blocks_ms,
        rows_mteps: mteps(rows_ms),
        blocks_mteps: mteps(blocks_ms),
        speedup: rows_ms / blocks_ms,
    })
}

pub(crate) fn products(bench: &mut Bench) -> Result<(), Box<dyn Error>> {
    let paper = "10 to 100 times as fast as DCSR";
    let columns = "numbers    entries    rows ms  blocks ms  speedup";
    bench.head(8, "sparse matrix times vector, without weights", paper, columns)?;
    let graphs = Graphs::new(bench)?;
    let single = product::<f32>(bench, &graphs, ("f32", f32::EPSILON.into()))?;
    bench.line(8, &single)?;
    let double = product::<f64>(bench, &graphs, ("f64", f64::EPSILON))?;
    bench.line(8, &double)
}

fn product<T: Float>(
    bench: &Bench,
    graphs: &Graphs,
    (precision, unit): (&'static str, f64),
) -> Result<Product, Box<dyn Error>>
where
    (): Entry<T>,
{
    let Graphs { rows, blocks, .. } = graphs;
    let numbers: Vec<T> =
        (0..rows.vertex_count()).map(|v| T::from_f64(random_f64(1, v.into()))).collect();
    let x = DeviceBuffer::<T>::from_slice(&bench.device, &numbers)?;
    let (rows_ms, of_rows) = multiplied(bench, rows, &x)?;
    let (blocks_ms, of_blocks) = multiplied(bench, blocks, &x)?;
    if !is_same_product(&blocks.out_degrees()?, unit, &of_rows, &of_blocks) {
        return Err("products differ".into());
    }
    let (entries, speedup) = (rows.edge_count(), rows_ms / blocks_ms);
    Ok(Product { precision, entries, rows_ms, blocks_ms, speedup })
}

/// The median time, and the product.
fn multiplied<T: Float, C: Container<Carried = ()>>(
    bench: &Bench,
    matrix: &C,
    x: &DeviceBuffer<T>,
) -> Result<(f64, Vec<T>), MeerkatError>
where
    (): Entry<T>,
{
    let mut y = DeviceBuffer::zeroed(&bench.device, x.len())?;
    let ms = median_ms(&bench.device, bench.args.runs, || spmv::multiply(matrix, x, &mut y))?;
    Ok((ms, y.to_vec()?))
}

impl Line for Search {
    fn text(&self) -> String {
        let Search { source, reached, edges, rows_ms, blocks_ms, .. } = self;
        let Search { rows_mteps, blocks_mteps, speedup, .. } = self;
        format!(
            "{source:>10} {reached:>10} {edges:>10} {rows_ms:>10.3} {blocks_ms:>10.3} \
             {rows_mteps:>10.0} {blocks_mteps:>12.0} {speedup:>8.3}"
        )
    }
}

impl Line for Product {
    fn text(&self) -> String {
        let Product { precision, entries, rows_ms, blocks_ms, speedup } = self;
        format!("{precision:<7} {entries:>10} {rows_ms:>10.3} {blocks_ms:>10.3} {speedup:>8.3}")
    }
}
