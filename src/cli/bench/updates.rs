//! `meerkat bench updates`: batches of insertions, searches and deletions in a container,
//! deletions of vertices, the build.

use std::num::NonZero;

use meerkat::runtime::{Device, Weight};

use super::LayoutArgs;
use super::edges::{EdgeSample, Layout};
use super::figures::UpdateFigures;
use super::update_plan::Plan;
use crate::cli::args::{ExecutionArgs, from_one};
use crate::cli::container::{Blocks, Compact, DynamicContainer, Lists, Slabs};
use crate::cli::failure::Failure;
use crate::cli::input::{GraphSource, ReadArgs};
use crate::cli::output::{self, GraphFigures, Report};
use crate::cli::progress::Progress;

const HELP: &str = "\
Examples:
  meerkat bench updates --graph rmat:22 --device cuda:0
  meerkat bench updates --graph uniform:10000000:80000000 --weighted --device cuda:0 --json
  meerkat bench updates --graph soc-Slashdot0902.txt.gz --batches 1000,10000
  meerkat bench updates --graph rmat:22 --container compact --device cuda:0

Each figure is the median of --rounds, after one that warms up. Batches lie on the device,
times are between its events. One batch after another enters the graph, which grows; then each
is searched for; then others of the same kind are (`miss`); then each leaves. `apply` is the
exact form, on the graph as built, in wall time, from a batch in host memory to what it changed;
`device` is the same of a batch that is on the device, and `pinned` of batches in pinned memory,
each copied while the one before is applied. Vertices are deleted from the undirected graph of
the same edges.

The result in JSON: weights, load_factor, container (unless slabs), build {ms, medge_per_s},
memory {..} as `bench memory` has it, batches [{updates, insert, query, miss, delete, apply, apply_device,
apply_pinned: {ms, medge_per_s}}] and vertices [{vertices, edges,
delete {ms, mvertex_per_s}}].";

/// Sizes that a GPU is measured with, and a CPU in less than a minute.
const CUDA_BATCHES: [u32; 4] = [1 << 16, 1 << 18, 1 << 20, 1 << 22];
const CPU_BATCHES: [u32; 3] = [1000, 10_000, 100_000];
const CUDA_VERTICES: [u32; 2] = [1 << 16, 1 << 20];
const CPU_VERTICES: [u32; 2] = [1000, 10_000];

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(in crate::cli) struct UpdatesArgs {
    /// Graph file, or `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096:30:10`
    #[arg(long, short, value_name = "FILE|GENERATOR")]
    graph: GraphSource,

    #[command(flatten)]
    read: ReadArgs,

    /// Updates a batch [default: 65536,262144,1048576,4194304; on a CPU 1000,10000,100000]
    #[arg(long, short, value_name = "N,N,..", value_delimiter = ',',
          value_parser = from_one::<NonZero<u32>>, allow_negative_numbers = true)]
    batches: Vec<NonZero<u32>>,

    /// Vertices to delete at once [default: 65536,1048576; on a CPU 1000,10000]
    #[arg(long, value_name = "N,N,..", value_delimiter = ',',
          value_parser = from_one::<NonZero<u32>>, allow_negative_numbers = true)]
    vertices: Vec<NonZero<u32>>,

    /// How often each figure is taken
    #[arg(long, value_name = "N", default_value = "5",
          value_parser = from_one::<NonZero<u32>>, allow_negative_numbers = true)]
    rounds: NonZero<u32>,

    #[command(flatten)]
    layout: LayoutArgs,

    #[command(flatten)]
    execution: ExecutionArgs,
}

/// Takes all figures and gives the report.
pub(super) fn run(args: &UpdatesArgs) -> Result<String, Failure> {
    match args.layout.container {
        DynamicContainer::Slabs => run_in::<Slabs>(args),
        DynamicContainer::Compact => run_in::<Compact>(args),
        DynamicContainer::Blocks => run_in::<Blocks>(args),
    }
}

fn run_in<L: Lists>(args: &UpdatesArgs) -> Result<String, Failure> {
    match args.layout.weighted {
        true => report::<L, u32>(args, |number| number % 64 + 1),
        false => report::<L, ()>(args, |_| ()),
    }
}

/// The sizes that were given, or those of the device.
fn sizes(given: &[NonZero<u32>], device: &Device, cuda: &[u32], cpu: &[u32]) -> Vec<u32> {
    match given {
        [] if device.is_cuda() => cuda.to_vec(),
        [] => cpu.to_vec(),
        given => given.iter().map(|size| size.get()).collect(),
    }
}

/// What is asked for.
fn plan(args: &UpdatesArgs, device: &Device) -> Plan {
    let LayoutArgs { load_factor, container, .. } = args.layout;
    Plan {
        batches: sizes(&args.batches, device, &CUDA_BATCHES, &CPU_BATCHES),
        vertices: sizes(&args.vertices, device, &CUDA_VERTICES, &CPU_VERTICES),
        exactly: true,
        rounds: args.rounds.get(),
        container,
        layout: Layout { load_factor, ..Layout::DEFAULT },
    }
}

/// Takes all figures, as JSON or as text.
fn report<L: Lists, W: Weight>(
    args: &UpdatesArgs,
    weight: fn(u32) -> W,
) -> Result<String, Failure> {
    let (device, progress) = (args.execution.open()?, Progress::reading());
    let graph = EdgeSample::open(&args.graph, &args.read, &device, &progress, weight)?;
    let figures = plan(args, &device).measure_in::<L, W>(&graph, &device, &progress)?;
    drop(progress);
    let (name, n, m_arcs) = (graph.name, graph.vertices, figures.memory.edges);
    let UpdateFigures { weights, load_factor, container, .. } = figures;
    let (on, about) = (device.name(), device.description());
    let layout = match container {
        DynamicContainer::Slabs => format!("load factor {load_factor}"),
        other => other.name().to_owned(),
    };
    let mut text = format!("{on} ({about}), {layout}, weights: {weights}\n");
    text += &format!("{name}: {n} vertices, {m_arcs} arcs\n");
    if let Some(input) = &graph.input {
        text += &input.to_string();
    }
    text += &figures.to_string();
    let report = Report {
        input: graph.input,
        graph: Some(GraphFigures::named(name, n, m_arcs)),
        ..Report::new("bench updates", figures).on(&device)
    };
    Ok(output::render(&report, &text, args.execution.format()))
}
