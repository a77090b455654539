//! A graph over several GPUs beside the same graph on one of them: exact batches, answers from
//! scratch, and answers that follow batches.
//!
//! ```text
//! cargo bench --bench ranks -- --graph rmat:24 --device cuda --ranks 2
//! cargo bench --bench ranks -- --json
//! ```
//!
//! Times are of the host's clock, in milliseconds, until all devices have nothing left to do: the
//! median of the runs after a first one, of the slowest rank. `times` is how many times as fast the
//! ranks are as one device. On a CPU all ranks share its cores. Updates lie on the devices already; each rank brings an
//! equal part of a batch. The answers after all batches are compared: levels and components must be equal, ranks
//! as near as they say. Ranks follow by the dynamic frontier with pruning on one device, and over ranks by steps of all
//! vertices. `MEERKAT_PROFILE=1` says where the time of one run more went, of all ranks together; of batches
//! the last is that run.

use std::error::Error;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::Parser;
use meerkat_algos::bfs::{Bfs, Tree};
use meerkat_algos::pagerank::{Method, Options, PageRank, Ranks, Stop};
use meerkat_algos::wcc::Components;
use meerkat_benches::{RunArgs, are_near};
use meerkat_runtime::communicator::{
    Communicator, Reduction, communicator_on, first_cause, run_ranks,
};
use meerkat_runtime::device::profile;
use meerkat_runtime::distributed::{DistributedAlgorithm, DistributedGraph, Ownership};
use meerkat_runtime::generate::Generator;
use meerkat_runtime::prelude::*;
use meerkat_runtime::{CompactEdges, DeviceBatch, Error as MeerkatError};
use serde::Serialize;

type Alone = DynamicGraph<CompactEdges>;
type Part = DistributedGraph<CompactEdges>;

const WAIT: Duration = Duration::from_secs(300);
/// Steps of PageRank that are timed at once.
const STEPS: u32 = 20;

/// Time a graph over ranks beside one device.
#[derive(Clone, Parser)]
struct Args {
    /// `rmat:24`, `uniform:50000000:400000000`
    #[arg(long, default_value = "rmat:12")]
    graph: Generator,
    /// How many GPUs, or ranks on the CPU
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..))]
    ranks: u32,
    /// Timed runs of each, after one that is not timed
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..))]
    runs: u32,
    /// Updates of a batch that nothing follows
    #[arg(long, default_value_t = 1 << 12)]
    batch: u32,
    /// Updates of a batch that answers follow, half of them deletions
    #[arg(long, default_value_t = 1000)]
    followed: u32,
    #[command(flatten)]
    run: RunArgs,
}

/// What was timed, in milliseconds.
#[derive(Clone, Copy)]
struct Time {
    what: &'static str,
    ms: f64,
}

#[derive(Serialize)]
struct Row {
    what: &'static str,
    one_ms: f64,
    ranks_ms: f64,
    times: f64,
}

/// The times of a device or a rank, and the answers after all batches.
struct Measured {
    times: Vec<Time>,
    levels: Vec<u32>,
    labels: Vec<u32>,
    ranks: Ranks<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let devices = devices(&args)?;
    let phases = phases(&args)?;
    let mut out = io::stdout().lock();
    if !args.run.json {
        writeln!(out, "{}, {} of {}", args.graph, devices.len(), devices[0].description())?;
        writeln!(out, "what               one device ms     ranks ms    times")?;
    }
    let source = hub(&args, &devices[0])?;
    let one = alone(&args, &devices[0], source, &phases)?;
    let ranks = run_ranks(devices.len(), WAIT, |threads| {
        let device = &devices[threads.rank()];
        of_rank(&args, communicator_on(threads, device)?, (device, source), &phases)
    });
    let ranks = first_cause(ranks)?;
    compare(&one, &ranks)?;
    for (at, Time { what, ms: one_ms }) in one.times.iter().copied().enumerate() {
        let ranks_ms = ranks.iter().map(|rank| rank.times[at].ms).fold(0.0, f64::max);
        let row = Row { what, one_ms, ranks_ms, times: one_ms / ranks_ms };
        match args.run.json {
            true => writeln!(out, "{}", serde_json::to_string(&row)?)?,
            false => {
                writeln!(out, "{what:<16} {one_ms:>15.3} {ranks_ms:>12.3} {:>8.2}", row.times)?
            }
        }
    }
    Ok(())
}

fn devices(args: &Args) -> Result<Vec<Device>, MeerkatError> {
    let first = args.run.device()?;
    match first.is_cuda() {
        true => (0..args.ranks as usize).map(Device::cuda).collect(),
        false => Ok(vec![first; args.ranks as usize]),
    }
}

fn compare(one: &Measured, ranks: &[Measured]) -> Result<(), Box<dyn Error>> {
    for rank in ranks {
        let (found, expected) = (&rank.ranks, &one.ranks);
        let most_off = found.error_bound + expected.error_bound;
        let is_near = are_near(&found.ranks, &expected.ranks, most_off);
        if rank.levels != one.levels || rank.labels != one.labels || !is_near {
            return Err("the answers over ranks are not those of one device".into());
        }
    }
    Ok(())
}

/// When everybody is there, and how long something takes.
struct Clock<'a> {
    device: &'a Device,
    runs: u32,
    /// Whether it is that of one device, or of the first rank.
    is_first: bool,
    meet: &'a dyn Fn() -> Result<(), MeerkatError>,
}

impl Clock<'_> {
    fn time(&self, act: impl FnOnce() -> Result<(), MeerkatError>) -> Result<f64, MeerkatError> {
        self.device.synchronize()?;
        (self.meet)()?;
        let start = Instant::now();
        act()?;
        self.device.synchronize()?;
        (self.meet)()?;
        Ok(start.elapsed().as_secs_f64() * 1e3)
    }

    fn median(
        &self,
        what: &'static str,
        mut act: impl FnMut() -> Result<(), MeerkatError>,
    ) -> Result<Time, MeerkatError> {
        self.time(&mut act)?;
        let times = (0..self.runs).map(|_| self.time(&mut act)).collect::<Result<_, _>>()?;
        if profile::is_asked_for() {
            self.show(what, act)?;
        }
        Ok(Time { what, ms: median(times) })
    }

    /// Says where the time of a run goes.
    fn show(
        &self,
        what: &str,
        act: impl FnOnce() -> Result<(), MeerkatError>,
    ) -> Result<(), MeerkatError> {
        self.device.synchronize()?;
        (self.meet)()?;
        if self.is_first {
            profile::begin();
        }
        let ms = self.time(act)?;
        if self.is_first {
            // Who does not read it has the table all the same.
            let _ = writeln!(io::stderr(), "{what}, {ms:.3} ms:\n{}", profile::end()?);
        }
        (self.meet)()
    }

    /// Of batches, each of which is applied once; the first does not count.
    fn batches(
        &self,
        what: &'static str,
        batches: &[DeviceBatch],
        mut apply: impl FnMut(&DeviceBatch) -> Result<(), MeerkatError>,
    ) -> Result<Time, MeerkatError> {
        let shown = usize::from(profile::is_asked_for());
        let (timed, shown) = batches.split_at(batches.len() - shown);
        let times = timed.iter().map(|batch| self.time(|| apply(batch)));
        let times: Vec<_> = times.collect::<Result<_, _>>()?;
        shown.iter().try_for_each(|batch| self.show(what, || apply(batch)))?;
        Ok(Time { what, ms: median(times[1..].to_vec()) })
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Which of the parts of all edges and updates somebody brings.
struct Share {
    of: u32,
    ranks: std::ops::Range<u32>,
}

impl Share {
    fn edges(&self, args: &Args, device: &Device) -> Result<DeviceBuffer<Edge>, MeerkatError> {
        let (all, of) = (args.graph.edge_numbers(), u64::from(self.of));
        let at = |rank: u32| all * u64::from(rank) / of;
        args.graph.edges_numbered(device, 0, at(self.ranks.start)..at(self.ranks.end))
    }

    /// One batch to begin with, and one for each run: new pairs come, or edges of the graph go, or both.
    fn batches(&self, args: &Args, device: &Device, phase: Phase) -> Batches {
        let Phase { insertions, deletions, seed, from } = phase;
        let part = |all: u32, rank: u32| u64::from(all) * u64::from(rank) / u64::from(self.of);
        let batch = |turn: u64| {
            let (mut edges, mut deletes) = (Vec::new(), Vec::new());
            let (first, seed) =
                (from + turn * u64::from(deletions), seed + turn * u64::from(self.of));
            for rank in self.ranks.clone() {
                let come = (part(insertions, rank + 1) - part(insertions, rank)) as u32;
                let sample = args.graph.sample::<()>(device, seed + u64::from(rank), come)?;
                edges.extend(sample.to_vec()?);
                deletes.resize(edges.len(), 0);
                let go = first + part(deletions, rank)..first + part(deletions, rank + 1);
                edges.extend(args.graph.edges_numbered::<()>(device, 0, go)?.to_vec()?);
                deletes.resize(edges.len(), 1);
            }
            let edges = DeviceBuffer::from_slice(device, &edges)?;
            match (insertions, deletions) {
                (_, 0) => Ok(DeviceBatch::insertions(edges)),
                (0, _) => Ok(DeviceBatch::deletions(edges)),
                _ => DeviceBatch::mixed(edges, DeviceBuffer::from_slice(device, &deletes)?),
            }
        };
        (0..=u64::from(args.runs)).map(batch).collect()
    }
}

type Batches = Result<Vec<DeviceBatch>, MeerkatError>;

/// What each batch of a phase has.
#[derive(Clone, Copy)]
struct Phase {
    insertions: u32,
    deletions: u32,
    seed: u64,
    /// The number of the first edge that goes.
    from: u64,
}

/// Insertions, deletions, and the two that are followed: no edge goes twice.
fn phases(args: &Args) -> Result<[Phase; 4], Box<dyn Error>> {
    let (batch, half) = (args.batch, args.followed / 2);
    let turns = u64::from(args.runs) + 1;
    let (gone, more) = (turns * u64::from(batch), turns * u64::from(half));
    let (needed, there) = (gone + 2 * more, args.graph.edge_numbers());
    if needed > there {
        let message = format!("{needed} edges are to go, and {} has {there}", args.graph);
        return Err(message.into());
    }
    let phase = |insertions, deletions, seed, from| Phase { insertions, deletions, seed, from };
    Ok([
        phase(batch, 0, 1000, 0),
        phase(0, batch, 0, 0),
        phase(half, half, 2000, gone),
        phase(half, half, 3000, gone + more),
    ])
}

fn options() -> SlabOptions {
    SlabOptions::DEFAULT.oriented(Orientation::Both)
}

/// The vertex of the largest out-degree.
fn hub(args: &Args, device: &Device) -> Result<Vertex, MeerkatError> {
    let edges = args.graph.edges::<()>(device, 0)?;
    let graph = Alone::from_buffer(device, args.graph.vertices(), &edges, &SlabOptions::DEFAULT)?;
    Ok(graph.out_edges()?.vertex_of_largest_degree()?.unwrap_or(0))
}

fn steps() -> PageRank<f64> {
    PageRank::new(Options { stop: Stop::Steps(STEPS), ..Options::default() }, Method::Static)
}

fn following() -> PageRank<f64> {
    PageRank::new(Options::default(), Method::DF_P)
}

/// On one device.
fn alone(
    args: &Args,
    device: &Device,
    source: Vertex,
    [insertions, deletions, of_components, of_ranks]: &[Phase; 4],
) -> Result<Measured, MeerkatError> {
    let share = Share { of: args.ranks, ranks: 0..args.ranks };
    let clock = Clock { device, runs: args.runs, is_first: true, meet: &|| Ok(()) };
    let edges = share.edges(args, device)?;
    let mut graph = Alone::from_buffer(device, args.graph.vertices(), &edges, &options())?;
    drop(edges);
    let search = Bfs::from_source(source);
    let mut times = vec![
        clock.median("20 steps, f64", || DynamicAlgorithm::compute(&steps(), &graph).map(drop))?,
        clock.median("bfs", || DynamicAlgorithm::compute(&search, &graph).map(drop))?,
        clock.median("wcc", || DynamicAlgorithm::compute(&Components, &graph).map(drop))?,
    ];
    let come = share.batches(args, device, *insertions)?;
    times.push(clock.batches("insertions", &come, |batch| graph.apply(batch).map(drop))?);
    let go = share.batches(args, device, *deletions)?;
    times.push(clock.batches("deletions", &go, |batch| graph.apply(batch).map(drop))?);
    let mixed = share.batches(args, device, *of_components)?;
    let mut tracked = graph.track(Components)?;
    times.push(clock.batches("wcc follows", &mixed, |batch| tracked.apply(batch).map(drop))?);
    let (labels, graph) = (tracked.output()?, tracked.into_parts().0);
    let mixed = share.batches(args, device, *of_ranks)?;
    let mut tracked = graph.track(following())?;
    times.push(clock.batches("ranks follow", &mixed, |batch| tracked.apply(batch).map(drop))?);
    let (ranks, graph) = (tracked.output()?, tracked.into_parts().0);
    let Tree { levels, .. } = meerkat_algos::bfs::tree(&graph, source)?;
    Ok(Measured { times, levels, labels, ranks })
}

/// As one of several ranks.
fn of_rank(
    args: &Args,
    communicator: std::rc::Rc<dyn Communicator>,
    (device, source): (&Device, Vertex),
    [insertions, deletions, of_components, of_ranks]: &[Phase; 4],
) -> Result<Measured, MeerkatError> {
    let rank = communicator.rank() as u32;
    let share = Share { of: args.ranks, ranks: rank..rank + 1 };
    let meeting = communicator.clone();
    let meet = || meeting.all_reduce(&mut [0], Reduction::Sum);
    let clock = Clock { device, runs: args.runs, is_first: rank == 0, meet: &meet };
    let (n, edges) = (args.graph.vertices(), share.edges(args, device)?);
    let mut graph = Part::from_buffer(communicator, n, edges, &options(), Ownership::Hash)?;
    let search = Bfs::from_source(source);
    let mut times = vec![
        clock.median("20 steps, f64", || {
            DistributedAlgorithm::compute(&steps(), &graph.part()?).map(drop)
        })?,
        clock.median("bfs", || DistributedAlgorithm::compute(&search, &graph.part()?).map(drop))?,
        clock.median("wcc", || {
            DistributedAlgorithm::compute(&Components, &graph.part()?).map(drop)
        })?,
    ];
    let come = share.batches(args, device, *insertions)?;
    times.push(clock.batches("insertions", &come, |batch| graph.apply(batch).map(drop))?);
    let go = share.batches(args, device, *deletions)?;
    times.push(clock.batches("deletions", &go, |batch| graph.apply(batch).map(drop))?);
    let mixed = share.batches(args, device, *of_components)?;
    let mut tracked = graph.track(Components)?;
    times.push(clock.batches("wcc follows", &mixed, |batch| tracked.apply(batch).map(drop))?);
    let (labels, graph) = (tracked.output()?, tracked.into_graph());
    let mixed = share.batches(args, device, *of_ranks)?;
    let mut tracked = graph.track(following())?;
    times.push(clock.batches("ranks follow", &mixed, |batch| tracked.apply(batch).map(drop))?);
    let (ranks, graph) = (tracked.output()?, tracked.into_graph());
    let part = graph.part()?;
    let state = DistributedAlgorithm::compute(&search, &part)?;
    let Tree { levels, .. } = DistributedAlgorithm::output(&search, &state, &part)?;
    Ok(Measured { times, levels, labels, ranks })
}
