//! `meerkat bench memory`: what graphs take, as built, beside compressed rows.

use std::fmt;

use meerkat::runtime::{Device, Error, Weight};
use serde::Serialize;

use super::LayoutArgs;
use super::edges::{EdgeSample, Layout};
use super::figures::MemoryFigures;
use crate::cli::args::ExecutionArgs;
use crate::cli::container::{Blocks, Compact, DynamicContainer, Lists, Slabs};
use crate::cli::failure::Failure;
use crate::cli::input::{GraphSource, InputReport, ReadArgs};
use crate::cli::output::{self, GraphFigures, Report};
use crate::cli::progress::Progress;

const HELP: &str = "\
Examples:
  meerkat bench memory rmat:20 grid:1024x1024:30:10 soc-Slashdot0902.txt.gz
  meerkat bench memory rmat:20 --load-factor 0.9 --weighted --json
  meerkat bench memory rmat:20 --container compact

All that a graph takes as built: slabs or blocks, dictionary or records, degrees, pool. `rows`
are compressed sparse rows of 32-bit offsets and neighbours. Of slab lists, `heads` are the
first slabs of all lists in their one allocation; `singly`, if each vertex had its own, in
CUDA's units of 512 bytes; `linked`, the slabs after them that are in use.

The result in JSON: weights, load_factor, container (unless slabs) and graphs [{graph {name, n,
m_arcs}, input (of a file), memory {bytes, csr_bytes, bytes_per_edge, csr_bytes_per_edge,
occupancy, mean_chain, longest_chain, slabs; of slab lists bytes_of_heads,
bytes_of_heads_allocated_singly, bytes_of_linked_slabs}}].";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(in crate::cli) struct MemoryArgs {
    /// Graph files, or `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096:30:10`
    #[arg(value_name = "FILE|GENERATOR", required = true)]
    graphs: Vec<GraphSource>,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    layout: LayoutArgs,

    #[command(flatten)]
    execution: ExecutionArgs,
}

/// Builds the graphs one after another and gives the report.
pub(super) fn run(args: &MemoryArgs) -> Result<String, Failure> {
    let device = args.execution.open()?;
    let figures = match args.layout.container {
        DynamicContainer::Slabs => MemoryReport::of::<Slabs>(args, &device)?,
        DynamicContainer::Compact => MemoryReport::of::<Compact>(args, &device)?,
        DynamicContainer::Blocks => MemoryReport::of::<Blocks>(args, &device)?,
    };
    let text = figures.to_string();
    let report = Report::new("bench memory", figures).on(&device);
    Ok(output::render(&report, &text, args.execution.format()))
}

#[derive(Debug, Serialize)]
struct MemoryReport {
    weights: &'static str,
    load_factor: f32,
    #[serde(skip_serializing_if = "DynamicContainer::is_default")]
    container: DynamicContainer,
    graphs: Vec<Row>,
}

/// A graph and its memory.
#[derive(Debug, Serialize)]
struct Row {
    graph: GraphFigures,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<InputReport>,
    memory: MemoryFigures,
}

impl MemoryReport {
    fn of<L: Lists>(args: &MemoryArgs, device: &Device) -> Result<Self, Failure> {
        match args.layout.weighted {
            true => Self::new::<L, u32>(args, device, |number| number % 64 + 1),
            false => Self::new::<L, ()>(args, device, |_| ()),
        }
    }

    fn new<L: Lists, W: Weight>(
        args: &MemoryArgs,
        device: &Device,
        weight: fn(u32) -> W,
    ) -> Result<Self, Failure> {
        let row = |source| Row::new::<L, W>(source, args, device, weight);
        Ok(MemoryReport {
            weights: if W::IS_WEIGHTED { "u32" } else { "none" },
            load_factor: args.layout.load_factor,
            container: args.layout.container,
            graphs: args.graphs.iter().map(row).collect::<Result<_, _>>()?,
        })
    }
}

impl Row {
    fn new<L: Lists, W: Weight>(
        source: &GraphSource,
        args: &MemoryArgs,
        device: &Device,
        weight: fn(u32) -> W,
    ) -> Result<Self, Failure> {
        let progress = Progress::reading();
        let graph = EdgeSample::open(source, &args.read, device, &progress, weight)?;
        progress.work("building");
        let LayoutArgs { load_factor, container, .. } = args.layout;
        let layout = Layout { load_factor, ..Layout::DEFAULT };
        let memory = memory_of::<L, W>(&graph, layout, container, device)?;
        Ok(Row {
            graph: GraphFigures::named(graph.name, graph.vertices, memory.edges),
            input: graph.input,
            memory,
        })
    }
}

/// The memory of the graph of these edges, as built.
pub(super) fn memory_of<L: Lists, W: Weight>(
    graph: &EdgeSample<W>,
    layout: Layout,
    container: DynamicContainer,
    device: &Device,
) -> Result<MemoryFigures, Error> {
    let built = graph.build::<L>(layout, graph.direction, device)?;
    MemoryFigures::of(built.out_edges()?, container)
}

impl fmt::Display for MemoryReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { weights, load_factor, container, graphs } = self;
        match container {
            DynamicContainer::Slabs => write!(f, "load factor {load_factor}")?,
            other => write!(f, "{}", other.name())?,
        }
        writeln!(f, ", weights: {weights}")?;
        write!(f, "{:>10} {:>11} {:>7} {:>7}", "vertices", "arcs", "B/arc", "rows")?;
        write!(f, " {:>6} {:>6} {:>5}", "ratio", "full %", "chain")?;
        if container.is_default() {
            write!(f, " {:>9} {:>9} {:>9}", "heads MB", "singly MB", "linked MB")?;
        }
        writeln!(f, "  graph")?;
        for Row { graph, memory, .. } in graphs {
            write!(
                f,
                "{:>10} {:>11} {:>7.1} {:>7.1} {:>6.2} {:>6.0} {:>5.2}",
                graph.n,
                graph.m_arcs,
                memory.bytes_per_edge,
                memory.csr_bytes_per_edge,
                memory.bytes_per_edge / memory.csr_bytes_per_edge,
                100.0 * memory.occupancy,
                memory.mean_chain,
            )?;
            if let Some(heads) = &memory.heads {
                let mb = |bytes: u64| bytes as f64 / 1e6;
                let (first, linked) = (mb(heads.bytes_of_heads), mb(heads.bytes_of_linked_slabs));
                let singly = mb(heads.bytes_of_heads_allocated_singly);
                write!(f, " {first:>9.2} {singly:>9.2} {linked:>9.2}")?;
            }
            writeln!(f, "  {}", graph.name.as_deref().unwrap_or_default())?;
        }
        for input in graphs.iter().filter_map(|row| row.input.as_ref()) {
            write!(f, "\n{input}")?;
        }
        Ok(())
    }
}
