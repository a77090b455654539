//! A graph that runs: edges arrive in batches, and leave when they are old, for as long as is asked.
//!
//! ```text
//! cargo bench -p meerkat-benches --bench soak -- --graph rmat:22 --device cuda --seconds 60 --follow all \
//!     --picture soak.svg --series soak.json
//! ```
//!
//! The window is filled first, and everything in it replaced once: then memory has found its size. From
//! there on each step is a batch of what arrives and what leaves; answers follow, and two threads read
//! epochs, copies of the graph with an answer. At the end graph and answers are compared with the window's
//! edges and with answers from scratch. Times are of the host's clock, from the arrival on the device to the answer there, and to the epoch in the steps that end in one.

mod draw;

use std::error::Error;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use meerkat_algos::bfs::{self, Bfs};
use meerkat_algos::pagerank::{self, Method, Options, PageRank};
use meerkat_algos::wcc::{self, Components};
use meerkat_benches::{RunArgs, ms_since};
use meerkat_runtime::device::profile;
use meerkat_runtime::dynamic::{Answers, Epoch, Epochs, Tracked};
use meerkat_runtime::generate::Generator;
use meerkat_runtime::graph::Adjacency;
use meerkat_runtime::prelude::*;
use meerkat_runtime::window::Window;
use meerkat_runtime::{BlockEdges, CompactEdges};
use serde::{Deserialize, Serialize};

/// Slide a window over a stream of edges
#[derive(Parser)]
struct Args {
    /// `rmat:22`, `uniform:10000000:80000000`
    #[arg(long, default_value = "rmat:12")]
    graph: Generator,
    /// Edges that arrive at a time
    #[arg(long, default_value_t = 1 << 12, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Arrivals that are in the window
    #[arg(long, default_value_t = 16)]
    window: i64,
    /// Steps from one epoch that readers get to the next; 0: none
    #[arg(long, default_value_t = 16)]
    epochs: i64,
    /// Threads that read epochs
    #[arg(long, default_value_t = 2)]
    readers: u32,
    /// How long to go on once the window was full, and full of others
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    #[arg(long, value_enum, default_value = "compact")]
    container: Held,
    /// Whose answers follow
    #[arg(long, value_enum, default_value = "wcc")]
    follow: Follow,
    /// Draw what each step took and the memory after it, as SVG
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Draw the steps of an earlier run, that it wrote as JSON, and run nothing
    #[arg(long, value_name = "FILE", requires = "picture")]
    drawn_from: Option<PathBuf>,
    /// Write the same as JSON
    #[arg(long, value_name = "FILE")]
    series: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Held {
    Slabs,
    Compact,
    Blocks,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Follow {
    Wcc,
    /// Components, breadth-first search and PageRank
    All,
}

/// How long a reader waits between its looks.
const READ_EVERY: Duration = Duration::from_millis(1);

/// What a step took, once all that was in the first full window has left.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Step {
    /// When it ended, since the first that counts.
    seconds: f64,
    ms: f64,
    bytes: u64,
}

/// What a run came to.
#[derive(Debug, Serialize)]
struct Row {
    container: String,
    follow: String,
    steps: usize,
    edges_in_window: u64,
    median_ms: f64,
    most_of_99_in_100_ms: f64,
    longest_ms: f64,
    reads: u64,
    bytes_least: u64,
    bytes_most: u64,
    compactions: u64,
    layouts: u64,
    /// Of a step on average: with the graph and who follows, and what upkeep took of that.
    mean_ms: f64,
    graph_ms: f64,
    upkeep_ms: f64,
}

type Flawed = Result<(), Box<dyn Error>>;

fn main() -> Flawed {
    let args = Args::parse();
    if let Some(path) = &args.drawn_from {
        let steps: Vec<Step> = serde_json::from_reader(BufReader::new(File::open(path)?))?;
        return keep(&args, &steps);
    }
    let row = match args.container {
        Held::Slabs => of_container::<Adjacency>(&args),
        Held::Compact => of_container::<CompactEdges>(&args),
        Held::Blocks => of_container::<BlockEdges>(&args),
    }?;
    let mut out = io::stdout().lock();
    match args.run.json {
        true => writeln!(out, "{}", serde_json::to_string(&row)?)?,
        false => writeln!(out, "{}, {row:#?}", args.graph)?,
    }
    Ok(())
}

fn of_container<L: EdgeLists<Carried = ()>>(args: &Args) -> Result<Row, Box<dyn Error>> {
    let device = args.run.device()?;
    let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let graph = DynamicGraph::<L>::from_edges(&device, args.graph.vertices(), &[], &options)?;
    let source = args.graph.edges_numbered::<()>(&device, 0, 0..1)?.to_vec()?[0].src;
    match args.follow {
        Follow::Wcc => soak(args, graph.track((Components, Nothing))?, |_| Ok(())),
        Follow::All => {
            let method =
                Method::DynamicFrontierPruning { frontier_tolerance: 1e-6, prune_tolerance: 1e-6 };
            let ranks = PageRank::<f64>::new(Options::default(), method);
            let rest = graph.track((Components, (Bfs::from_source(source), ranks)))?;
            soak(args, rest, |tracked| {
                let (_, (tree, ranks)) = tracked.output()?;
                if tree.levels != bfs::levels(tracked.graph(), source)? {
                    return Err("levels are wrong".into());
                }
                let scratch = pagerank::ranks::<f64, _>(tracked.graph(), &Options::default())?;
                let each = ranks.ranks.iter().zip(&scratch.ranks).map(|(a, b)| (a - b).abs());
                let (error, bound) = (each.sum::<f64>(), ranks.error_bound + scratch.error_bound);
                if error > bound { Err(format!("ranks are {error} off").into()) } else { Ok(()) }
            })
        }
    }
}

/// An algorithm that answers nothing.
struct Nothing;

impl<C: Container> DynamicAlgorithm<C> for Nothing {
    type State = ();
    type Output = ();
    fn compute(&self, _: &C) -> Result<(), meerkat_runtime::Error> {
        Ok(())
    }
    fn on_delete(
        &self,
        (): &mut (),
        _: &C,
        _: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), meerkat_runtime::Error> {
        Ok(())
    }
    fn on_insert(
        &self,
        (): &mut (),
        _: &C,
        _: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), meerkat_runtime::Error> {
        Ok(())
    }
    fn output(&self, (): &()) -> Result<(), meerkat_runtime::Error> {
        Ok(())
    }
}

/// The edges of arrival `number`: those of the generator in turn, then of another seed.
fn arriving(
    args: &Args,
    device: &Device,
    number: u64,
) -> Result<DeviceBuffer<Edge>, Box<dyn Error>> {
    let batch = u64::from(args.batch);
    let parts = (args.graph.edge_numbers() / batch).max(1);
    let first = number % parts * batch;
    let last = (first + batch).min(args.graph.edge_numbers());
    Ok(args.graph.edges_numbered(device, number / parts, first..last)?)
}

/// Writes what was asked for of the steps.
fn keep(args: &Args, steps: &[Step]) -> Flawed {
    if let Some(path) = &args.series {
        serde_json::to_writer(BufWriter::new(File::create(path)?), steps)?;
    }
    let Some(path) = &args.picture else { return Ok(()) };
    let (graph, batch, container, follow) = (&args.graph, args.batch, args.container, args.follow);
    let title = format!("{graph}, {batch} edges in and out a step, {container:?}, {follow:?}");
    draw::draw(path, &title, steps)
}

fn soak<L: EdgeLists<Carried = ()>, A: DynamicAlgorithm<DynamicGraph<L>>>(
    args: &Args,
    mut tracked: Tracked<DynamicGraph<L>, (Components, A)>,
    check: impl Fn(&Tracked<DynamicGraph<L>, (Components, A)>) -> Flawed,
) -> Result<Row, Box<dyn Error>> {
    let device = tracked.graph().device().clone();
    let mut window = Window::of(tracked.graph())?;
    let (mut steps, mut number) = (Vec::<Step>::new(), 0i64);
    let epochs: Epochs<Epoch<(), DeviceBuffer<u32>>> = Epochs::new();
    let (is_over, reads) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut counted = *tracked.graph().counters();
    std::thread::scope(|scope| -> Flawed {
        for _ in 0..args.readers {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    let epoch = epochs.latest();
                    let read = epoch.and_then(|epoch| {
                        let labels = epoch.answer().to_vec().ok()?;
                        (labels.len() == epoch.graph().vertex_count() as usize).then_some(())
                    });
                    reads.fetch_add(u64::from(read.is_some()), Relaxed);
                    std::thread::sleep(READ_EVERY);
                }
            });
        }
        let slid = (|| -> Flawed {
            let mut settled = None;
            while settled.is_none_or(|settled: Instant| settled.elapsed().as_secs() < args.seconds)
            {
                let edges = arriving(args, &device, number as u64)?;
                device.synchronize()?;
                let start = Instant::now();
                let oldest = number - args.window + 1;
                window.slide(number, oldest, edges, |batch| tracked.apply(batch).map(drop))?;
                if args.epochs != 0 && number % args.epochs == 0 {
                    epochs.publish(tracked.epoch_of(|tracked, readers| {
                        let state = tracked.state()?.0.get()?;
                        Answers::of(tracked.graph(), &tracked.algorithm().0, state)
                            .to_buffer()?
                            .moved_to(readers)
                    })?);
                }
                device.synchronize()?;
                if let Some(settled) = settled {
                    let bytes = tracked.graph().bytes() + window.bytes();
                    let seconds = settled.elapsed().as_secs_f64();
                    steps.push(Step { seconds, ms: ms_since(start), bytes });
                } else if number >= 2 * args.window {
                    settled = Some(Instant::now());
                    if profile::is_asked_for() {
                        profile::begin();
                    }
                    counted = *tracked.graph().counters();
                }
                if number % 64 == 0 {
                    let ms = ms_since(start);
                    writeln!(io::stderr(), "step {number}: {ms:.1} ms")?;
                }
                number += 1;
            }
            Ok(())
        })();
        is_over.store(true, Relaxed);
        slid
    })?;
    if profile::is_asked_for() {
        writeln!(io::stderr(), "{}", profile::end()?)?;
    }
    if let Some(epoch) = epochs.latest()
        && epoch.answer().to_vec()? != wcc::labels(epoch.graph())?
    {
        return Err("the answer of an epoch is wrong".into());
    }
    let arcs = tracked.graph().edge_count()?;
    if arcs != window.edge_count()? {
        return Err(format!("{arcs} arcs, and {} in the window", window.edge_count()?).into());
    }
    if tracked.output()?.0 != wcc::labels(tracked.graph())? {
        return Err("components are wrong".into());
    }
    check(&tracked)?;
    keep(args, &steps)?;
    let mut times: Vec<_> = steps.iter().map(|step| step.ms).collect();
    let bytes = || steps.iter().map(|step| step.bytes);
    times.sort_by(f64::total_cmp);
    let at = |hundredths: usize| times[(times.len() - 1) * hundredths / 100];
    let (counters, count) = (tracked.graph().counters(), times.len() as f64);
    let a_step = |after: Duration, before: Duration| (after - before).as_secs_f64() * 1e3 / count;
    Ok(Row {
        container: format!("{:?}", args.container),
        follow: format!("{:?}", args.follow),
        steps: times.len(),
        edges_in_window: arcs,
        median_ms: at(50),
        most_of_99_in_100_ms: at(99),
        longest_ms: at(100),
        reads: reads.into_inner(),
        bytes_least: bytes().min().unwrap_or(0),
        bytes_most: bytes().max().unwrap_or(0),
        compactions: counters.compactions - counted.compactions,
        layouts: counters.layouts - counted.layouts,
        mean_ms: times.iter().sum::<f64>() / count,
        graph_ms: a_step(counters.busy, counted.busy),
        upkeep_ms: a_step(counters.upkeep, counted.upkeep),
    })
}
