//! `meerkat bench memory`: what slab graphs take, as built, beside compressed rows.

use std::fmt;

use meerkat::runtime::{Device, Weight};
use serde::Serialize;

use super::bench_graph::BenchGraph;
use super::bench_report::{GraphName, MemoryFigures};
use super::device;
use super::failure::Failure;
use super::graph_source::GraphSource;
use super::input_report::InputReport;
use super::output;
use super::plan::MemoryPlan;
use super::progress::Progress;

/// Builds the graphs one after another and gives the report.
pub(super) fn run(plan: &MemoryPlan) -> Result<String, Failure> {
    let report = match plan.weighted {
        true => MemoryReport::new(plan, |number| number % 64 + 1)?,
        false => MemoryReport::new(plan, |_| ())?,
    };
    Ok(output::render(&report, plan.format))
}

#[derive(Debug, Serialize)]
struct MemoryReport {
    weights: &'static str,
    load_factor: f32,
    graphs: Vec<Row>,
}

/// A graph and its memory.
#[derive(Debug, Serialize)]
struct Row {
    graph: GraphName,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<InputReport>,
    memory: MemoryFigures,
}

impl MemoryReport {
    fn new<W: Weight>(plan: &MemoryPlan, weight: fn(u32) -> W) -> Result<Self, Failure> {
        let device = device::open(plan.device)?;
        let row = |source| Row::new(source, plan, &device, weight);
        Ok(MemoryReport {
            weights: if W::IS_WEIGHTED { "u32" } else { "none" },
            load_factor: plan.load_factor,
            graphs: plan.graphs.iter().map(row).collect::<Result<_, _>>()?,
        })
    }
}

impl Row {
    fn new<W: Weight>(
        source: &GraphSource,
        plan: &MemoryPlan,
        device: &Device,
        weight: fn(u32) -> W,
    ) -> Result<Self, Failure> {
        let progress = Progress::reading();
        let graph = BenchGraph::open(source, &plan.read, device, &progress, weight)?;
        progress.work("building");
        let built = graph.build(plan.load_factor, graph.direction)?;
        let memory = MemoryFigures::of::<W>(&built.out_edges()?.statistics()?);
        Ok(Row {
            graph: GraphName { name: graph.name, n: graph.vertices, m: memory.edges },
            input: graph.input,
            memory,
        })
    }
}

impl fmt::Display for MemoryReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { weights, load_factor, graphs } = self;
        writeln!(f, "load factor {load_factor}, weights: {weights}")?;
        writeln!(
            f,
            "{:>10} {:>11} {:>7} {:>7} {:>6} {:>6} {:>5} {:>9} {:>9} {:>9}  graph",
            "vertices",
            "arcs",
            "B/arc",
            "rows",
            "ratio",
            "full %",
            "chain",
            "heads MB",
            "singly MB",
            "linked MB",
        )?;
        for Row { graph, memory, .. } in graphs {
            writeln!(
                f,
                "{:>10} {:>11} {:>7.1} {:>7.1} {:>6.2} {:>6.0} {:>5.2} {:>9.2} {:>9.2} {:>9.2}  {}",
                graph.n,
                graph.m,
                memory.bytes_per_edge,
                memory.csr_bytes_per_edge,
                memory.bytes_per_edge / memory.csr_bytes_per_edge,
                100.0 * memory.occupancy,
                memory.mean_chain,
                memory.bytes_of_heads as f64 / 1e6,
                memory.bytes_of_heads_allocated_singly as f64 / 1e6,
                memory.bytes_of_linked_slabs as f64 / 1e6,
                graph.name,
            )?;
        }
        for input in graphs.iter().filter_map(|row| row.input.as_ref()) {
            write!(f, "\n{input}")?;
        }
        Ok(())
    }
}
