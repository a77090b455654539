//! Figure 4: how full blocks and block arrays are, and bytes beside CSR and COO.
//!
//! The graph is built from the out-edges that the generator gives, without weights. CSR is 4 bytes
//! an arc and 4 a vertex, COO 8 an arc. Bytes are all that a container has on the device, what its
//! insertions work with included.

use std::error::Error;

use meerkat_runtime::prelude::*;
use meerkat_runtime::{BlockMemory, BlockOptions, Error as MeerkatError};
use serde::Serialize;

use crate::{Bench, Line, SETTINGS, if_it_fits};

const COLUMNS: &str = "container         least    array  blocks  arrays          bytes   xCSR   xCOO \
     |  records    lists    empty   tables  batches MB";

/// A container, and what it takes.
#[derive(Serialize)]
struct Row {
    container: String,
    /// Places of the least block and of an array.
    least: Option<u32>,
    array: Option<u32>,
    /// None if it does not fit.
    bytes: Option<u64>,
    of_csr: Option<f64>,
    of_coo: Option<f64>,
    /// Of block arrays.
    split: Option<Split>,
}

/// Where the memory of block arrays goes.
#[derive(Serialize)]
struct Split {
    block_utilization: f64,
    array_utilization: f64,
    keys: u64,
    places_in_lists: u64,
    places_in_arrays: u64,
    record_bytes: u64,
    list_bytes: u64,
    empty_bytes: u64,
    table_bytes: u64,
    batch_bytes: u64,
}

/// What CSR and COO take.
#[derive(Clone, Copy)]
struct Yardstick {
    arcs: u64,
    csr: f64,
    coo: f64,
}

pub(crate) fn measure(bench: &mut Bench) -> Result<(), Box<dyn Error>> {
    let paper = "blocks of dblp-2010 are 78 % full; almost half of cuSTINGER's memory; less than COO \
                 with the right array";
    bench.head(4, "memory of the built graph", paper, COLUMNS)?;
    let (edges, n) = (bench.edges()?, bench.args.graph.vertices());
    let (device, options) = (bench.device.clone(), SlabOptions::DEFAULT);
    let slabs = SlabGraph::from_buffer(&device, n, &edges, &options)?;
    let rows = RowGraph::of(&slabs)?;
    let size = Yardstick::new(n, rows.edge_count());
    bench.line(4, &plain("rows", Some(rows.bytes()), size))?;
    drop(rows);
    let compact = if_it_fits(CompactGraph::from_buffers(&device, n, &[&edges], &options))?;
    bench.line(4, &plain("compact", compact.map(|graph| graph.bytes()), size))?;
    bench.line(4, &plain("slabs", Some(slabs.bytes()), size))?;
    drop(slabs);
    for (name, block) in settings() {
        let row = of_blocks(&name, block, bench.blocks(&edges, block)?, size)?;
        bench.line(4, &row)?;
    }
    Ok(())
}

/// The settings of the bottom of the figure, then the arrays of its middle.
fn settings() -> Vec<(String, BlockOptions)> {
    let named = SETTINGS.map(|(name, block)| (name.to_owned(), block));
    let arrays = [16, 19, 22].map(|exponent| {
        let block = BlockOptions { array: 1 << exponent, ..BlockOptions::DEFAULT };
        (format!("arrays 2^{exponent}"), block)
    });
    named.into_iter().chain(arrays).collect()
}

impl Yardstick {
    fn new(n: u32, arcs: u64) -> Self {
        let coo = 8 * arcs;
        Yardstick { arcs, csr: (4 * arcs + 4 * u64::from(n)) as f64, coo: coo as f64 }
    }
}

/// A container without a split.
fn plain(container: &str, bytes: Option<u64>, size: Yardstick) -> Row {
    let over = |yardstick: f64| bytes.map(|bytes| bytes as f64 / yardstick);
    Row {
        container: container.to_owned(),
        least: None,
        array: None,
        bytes,
        of_csr: over(size.csr),
        of_coo: over(size.coo),
        split: None,
    }
}

/// Block arrays of some setting, if they fit.
fn of_blocks(
    name: &str,
    block: BlockOptions,
    graph: Option<BlockGraph>,
    size: Yardstick,
) -> Result<Row, Box<dyn Error>> {
    let split = graph.as_ref().map(memory_of).transpose()?;
    let bytes = graph.map(|graph| graph.bytes());
    if split.as_ref().is_some_and(|split| split.keys != size.arcs || Some(split.bytes()) != bytes) {
        return Err(format!("blocks, {name}: keys or bytes differ").into());
    }
    let (least, array) = (Some(block.least), Some(block.array));
    let row = plain(&format!("blocks, {name}"), bytes, size);
    Ok(Row { least, array, split: split.as_ref().map(Split::of), ..row })
}

fn memory_of(graph: &BlockGraph) -> Result<BlockMemory, MeerkatError> {
    graph.out_edges()?.memory()
}

impl Split {
    fn of(memory: &BlockMemory) -> Self {
        let &BlockMemory { keys, places_in_lists, places_in_arrays, .. } = memory;
        let &BlockMemory { record_bytes, list_bytes, empty_bytes, .. } = memory;
        let &BlockMemory { table_bytes, batch_bytes, .. } = memory;
        Split {
            block_utilization: memory.block_utilization(),
            array_utilization: memory.array_utilization(),
            keys,
            places_in_lists,
            places_in_arrays,
            record_bytes,
            list_bytes,
            empty_bytes,
            table_bytes,
            batch_bytes,
        }
    }
}

impl Line for Row {
    fn text(&self) -> String {
        let Row { container, bytes, of_csr, of_coo, split, .. } = self;
        let number = |of: Option<u32>| of.map_or(String::new(), |of| of.to_string());
        let start = format!("{container:<17} {:>5} {:>8}", number(self.least), number(self.array));
        let (Some(bytes), Some(of_csr), Some(of_coo)) = (bytes, of_csr, of_coo) else {
            return format!("{start}  does not fit");
        };
        let (full, parts) = split.as_ref().map_or_else(Default::default, Split::texts);
        format!("{start} {full:>15} {bytes:>14} {of_csr:>6.3} {of_coo:>6.3} |{parts}")
    }
}

impl Split {
    /// How full it is, in parts of a hundred, and its parts in megabytes.
    fn texts(&self) -> (String, String) {
        let (blocks, arrays) = (100.0 * self.block_utilization, 100.0 * self.array_utilization);
        let parts = [
            self.record_bytes,
            self.list_bytes,
            self.empty_bytes,
            self.table_bytes,
            self.batch_bytes,
        ];
        let parts = parts.map(|bytes| format!(" {:>8.2}", bytes as f64 / 1e6));
        (format!("{blocks:>5.1} % {arrays:>5.1} %"), parts.concat())
    }
}
