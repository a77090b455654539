//! Figures 5 and 6: edges inserted and deleted a second, by the edges of a batch.
//!
//! A batch lies on the device. `insert_buffer` takes it: edges that are there already or twice in
//! the batch are left out, blocks and block arrays are added where there is none left, and nothing
//! is left to do. `delete_buffer` deletes the same edges. Lists of which a fourth is deleted are
//! closed up by the next insertion, in its time. So times include what the host does in between, as
//! the paper's do. `updated_lists` times the kernels alone, in a graph that has room.
//! Edges are random, as the graph's own: skewed for RMAT, else between any two vertices. Each batch
//! is searched for after its insertion and after its deletion. Before each size of batch the graph
//! is laid out anew, as it was built.

use std::error::Error;

use meerkat_benches::median;
use meerkat_runtime::prelude::*;
use meerkat_runtime::{BlockOptions, Error as MeerkatError};
use serde::Serialize;

use crate::{Bench, Line, SETTINGS, if_it_fits};

type List = DeviceBuffer<Edge>;

/// A batch's rates in millions of edges a second; none if it does not fit.
#[derive(Serialize)]
struct Row {
    setting: &'static str,
    least: u32,
    array: u32,
    edges: u32,
    insert: Option<f64>,
    delete: Option<f64>,
}

/// The times of a batch's runs.
#[derive(Default)]
struct Times {
    insert: Vec<f64>,
    delete: Vec<f64>,
}

pub(crate) fn measure(bench: &mut Bench, figure: u8, like: &str) -> Result<(), Box<dyn Error>> {
    let (title, paper) = match figure {
        5 => ("update rates as compared with cuSTINGER", "cuSTINGER is faster up to 10^4 edges"),
        _ => {
            ("update rates as compared with AIM", "up to 800 M edges/s; AIM up to 82 times slower")
        }
    };
    let columns = "blocks         least    array      edges  insert M/s  delete M/s";
    bench.head(figure, title, paper, columns)?;
    let edges = bench.edges()?;
    for (setting, block) in SETTINGS {
        if setting == like || setting == "default" {
            of_setting(bench, figure, (setting, block), &edges)?;
        }
    }
    Ok(())
}

/// All batches in one graph.
fn of_setting(
    bench: &mut Bench,
    figure: u8,
    (setting, block): (&'static str, BlockOptions),
    edges: &List,
) -> Result<(), Box<dyn Error>> {
    let mut graph = bench.blocks(edges, block)?;
    let arcs = graph.as_ref().map(BlockGraph::edge_count).transpose()?;
    for (seed, size) in (1..).zip(batches(bench)) {
        let times = match &mut graph {
            Some(graph) => times_of(bench, graph, (size, 1000 * seed))?,
            None => None,
        };
        let rate = |times: &Vec<f64>| f64::from(size) / median(times) / 1e3;
        let insert = times.as_ref().map(|times| rate(&times.insert));
        let delete = times.as_ref().map(|times| rate(&times.delete));
        let BlockOptions { least, array } = block;
        bench.line(figure, &Row { setting, least, array, edges: size, insert, delete })?;
        graph = restored(graph, edges)?;
        if graph.as_ref().map(BlockGraph::edge_count).transpose()? != arcs && graph.is_some() {
            return Err("the graph has not the edges that it was built with".into());
        }
    }
    Ok(())
}

fn batches(bench: &Bench) -> Vec<u32> {
    match (&bench.args.batches[..], bench.device.is_cuda()) {
        ([], true) => (0..=7).map(|exponent| 10u32.pow(exponent)).collect(),
        ([], false) => (0..=4).map(|exponent| 10u32.pow(exponent)).collect(),
        (named, _) => named.to_vec(),
    }
}

/// The graph as it was built; `None` if there is no room for that.
fn restored(graph: Option<BlockGraph>, edges: &List) -> Result<Option<BlockGraph>, MeerkatError> {
    let Some(mut graph) = graph else { return Ok(None) };
    let restored = graph.insert_buffer(edges).and_then(|()| graph.compact());
    Ok(if_it_fits(restored)?.map(|()| graph))
}

/// The times of batches of one size; `None` if one does not fit.
fn times_of(
    bench: &Bench,
    graph: &mut BlockGraph,
    (size, seed): (u32, u64),
) -> Result<Option<Times>, Box<dyn Error>> {
    let mut times = Times::default();
    for run in 0..=u64::from(bench.args.runs) {
        let sample = bench.args.graph.sample::<()>(&bench.device, seed + run, size);
        let Some(batch) = if_it_fits(sample)? else { return Ok(None) };
        if !update(bench, graph, &batch, &mut times)? {
            // What fitted leaves it again.
            graph.delete_buffer(&batch)?;
            return Ok(None);
        }
    }
    Ok(Some(times))
}

/// A batch enters the graph and leaves it, if it fits.
fn update(
    bench: &Bench,
    graph: &mut BlockGraph,
    batch: &List,
    times: &mut Times,
) -> Result<bool, Box<dyn Error>> {
    let device = &bench.device;
    let Some(ms) = if_it_fits(device.measure(|| graph.insert_buffer(batch)))? else {
        return Ok(false);
    };
    times.insert.push(ms);
    check(graph, batch, 1)?;
    times.delete.push(device.measure(|| graph.delete_buffer(batch))?);
    check(graph, batch, 0)?;
    Ok(true)
}

/// Each edge of a batch is in the graph, or none is.
fn check(graph: &BlockGraph, batch: &List, wanted: u32) -> Result<(), Box<dyn Error>> {
    let found = DeviceBuffer::<Atomic<u32>>::zeroed(batch.device(), batch.len())?;
    graph.queue_searches(batch, &found)?;
    match found.to_vec()?.iter().all(|&found| found == wanted) {
        true => Ok(()),
        false if wanted == 1 => Err("an edge is missing".into()),
        false => Err("a deleted edge is there".into()),
    }
}

impl Line for Row {
    fn text(&self) -> String {
        let Row { setting, least, array, edges, insert, delete } = self;
        let start = format!("{setting:<14} {least:>5} {array:>8} {edges:>10}");
        match (insert, delete) {
            (Some(insert), Some(delete)) => format!("{start} {insert:>11.3} {delete:>11.3}"),
            _ => format!("{start}  does not fit"),
        }
    }
}
