//! A hub that grows and goes: what batches of edges at one vertex cost, as it gets more and more
//! of them, and loses them again; alone, and with an answer that follows.
//!
//! ```text
//! cargo bench --bench hub -- --graph rmat:22 --device cuda
//! cargo bench --bench hub -- --json
//! ```
//!
//! Searches are from the hub, and from vertex 0 of the undirected graph (`bfs far`, `sssp far`).
//! Times are of the host's clock, in milliseconds, from the call of `apply` until the device has
//! nothing left to do. The vertex is the last of the graph; its neighbours come in an order that has
//! nothing to do with how many edges they have themselves.
//! After the insertions and after the deletions each answer is compared with the one from scratch, and of the graph
//! alone the degree of the vertex with its neighbours.
//! `--changes` counts the answers that each batch has changed, outside of its time: what a search from the hub costs
//! goes with that.
//! `MEERKAT_PROFILE=1` says where the time of one batch of each kind went: of the first, or of
//! `--profiled N`.

use std::error::Error;
use std::io::{self, Write};
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use meerkat_algos::bfs::{Bfs, Tree};
use meerkat_algos::pagerank::{Method, Options, PageRank, Ranks};
use meerkat_algos::sssp::{ShortestPaths, Sssp};
use meerkat_algos::triangles::Triangles;
use meerkat_algos::wcc::Components;
use meerkat_benches::{RunArgs, followed_and_scratch};
use meerkat_runtime::device::profile;
use meerkat_runtime::dynamic::{VertexAnswers, Watch};
use meerkat_runtime::generate::{self, Generator};
use meerkat_runtime::graph::{Adjacency, Compaction};
use meerkat_runtime::prelude::*;
use meerkat_runtime::{BlockEdges, CompactEdges, Error as MeerkatError, Tracked};
use serde::Serialize;

const CLEARED: Duration = Duration::from_millis(500);

/// Time batches of edges at one vertex.
#[derive(Clone, Parser)]
struct Args {
    /// `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096`
    #[arg(long, default_value = "rmat:16")]
    graph: Generator,
    /// Batches of each kind
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    batches: u32,
    /// Edges in each
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    edges: u32,
    #[arg(long, value_enum, default_value = "slabs")]
    container: Held,
    /// These alone, such as `none` (the graph, with no answer that follows) or `triangles`
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    only: Vec<String>,
    /// Keep the lists that the graph was built with, for comparison
    #[arg(long)]
    keep_lists: bool,
    /// Count the answers that each batch changes, for `--json`
    #[arg(long)]
    changes: bool,
    /// Which batch `MEERKAT_PROFILE=1` is about
    #[arg(long, default_value_t = 0)]
    profiled: u32,
    #[command(flatten)]
    run: RunArgs,
}

impl Args {
    fn asks_for(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Held {
    Slabs,
    Compact,
    Blocks,
}

/// The times of one algorithm and kind of batches, in milliseconds, in order.
#[derive(Serialize)]
struct Row {
    algorithm: &'static str,
    kind: &'static str,
    edges: u32,
    batches_ms: Vec<f64>,
    /// How many answers each has changed, if that was asked for and there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed: Vec<usize>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let device = args.run.device()?;
    let mut out = io::stdout().lock();
    if !args.run.json {
        let Args { graph, batches, edges, container, .. } = &args;
        writeln!(out, "{graph}, {container:?}, {batches} batches of {edges} edges at a vertex")?;
        writeln!(out, "{}", device.description())?;
        writeln!(out, "algorithm  kind    first ms  2nd ms  median ms  most ms  last ms")?;
    }
    // Kernels are compiled over a small graph.
    rows(&Args { graph: "rmat:12".parse()?, batches: 4, edges: 1000, ..args.clone() }, &device)?;
    for row in rows(&args, &device)? {
        if args.run.json {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
            continue;
        }
        let Row { algorithm, kind, batches_ms: times, .. } = row;
        let mut sorted = times.clone();
        sorted.sort_by(f64::total_cmp);
        let (median, most) = (sorted[sorted.len() / 2], sorted[sorted.len() - 1]);
        let (first, second, last) =
            (times[0], times[times.len().min(2) - 1], times[times.len() - 1]);
        writeln!(
            out,
            "{algorithm:<10} {kind:<7} {first:>8.3} {second:>7.3} {median:>10.3} {most:>8.3} \
             {last:>8.3}"
        )?;
    }
    Ok(())
}

fn rows(args: &Args, device: &Device) -> Result<Vec<Row>, Box<dyn Error>> {
    match args.container {
        Held::Slabs => rows_of::<Adjacency, Adjacency<u32>>(args, device),
        Held::Compact => rows_of::<CompactEdges, CompactEdges<u32>>(args, device),
        Held::Blocks => rows_of::<BlockEdges, BlockEdges<u32>>(args, device),
    }
}

/// Over one container, without weights and, for shortest paths, with.
fn rows_of<L: EdgeLists<Carried = ()>, K: EdgeLists<Carried = u32>>(
    args: &Args,
    device: &Device,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let both = SlabOptions::DEFAULT.oriented(Orientation::Both);
    let undirected = SlabOptions::DEFAULT.undirected();
    let source = args.graph.vertices() - 1;
    let mut rows = Vec::new();
    if args.asks_for("none") {
        let graph = graph::<L>(args, device, &both)?;
        let degree = graph.out_degrees()?[source as usize];
        let mut alone = Alone { graph, degree };
        rows = follow(args, device, "none", &mut alone)?;
    }
    let (near, far) = (Bfs::from_source(source), Bfs::from_source(0));
    let is_level = |found: &Tree, expected: &Tree| found.levels == expected.levels;
    rows.extend(tracked::<L, _>(args, device, "bfs", &both, near, is_level)?);
    let is_near = |found: &ShortestPaths<u32>, expected: &ShortestPaths<u32>| {
        found.distances == expected.distances
    };
    rows.extend(tracked::<K, _>(args, device, "sssp", &both, Sssp::from_source(source), is_near)?);
    // The hub is no source here: what a batch changes does not depend on how large it is already.
    rows.extend(tracked::<L, _>(args, device, "bfs far", &undirected, far, is_level)?);
    let far = Sssp::from_source(0);
    rows.extend(tracked::<K, _>(args, device, "sssp far", &undirected, far, is_near)?);
    rows.extend(tracked::<L, _>(args, device, "wcc", &undirected, Components, PartialEq::eq)?);
    let tolerances = (1e-6, 1e-6);
    let (frontier_tolerance, prune_tolerance) = tolerances;
    let method = Method::DynamicFrontierPruning { frontier_tolerance, prune_tolerance };
    let ranks = PageRank::<f64>::new(Options::default(), method);
    let is_close = |found: &Ranks<f64>, expected: &Ranks<f64>| {
        let differences = found.ranks.iter().zip(&expected.ranks).map(|(a, b)| (a - b).abs());
        differences.sum::<f64>() <= found.error_bound + expected.error_bound + 1e-12
    };
    rows.extend(tracked::<L, _>(args, device, "pagerank", &both, ranks, is_close)?);
    rows.extend(tracked::<L, _>(args, device, "triangles", &undirected, Triangles, PartialEq::eq)?);
    Ok(rows)
}

/// What follows the batches, and can be compared with what it should be.
trait Followed<W: Weight> {
    fn apply(&mut self, batch: &Batch<W>) -> Result<(), MeerkatError>;
    /// How many answers have changed since the last call; none before the first, and where there are none.
    fn changed(&mut self) -> Result<Option<usize>, MeerkatError>;
    /// Whether it is right when the batches have brought so many neighbours of the vertex, or taken all of them.
    fn is_right(&mut self, hub: Vertex, neighbors: u32) -> Result<bool, MeerkatError>;
}

/// A graph that nobody follows.
struct Alone<L: EdgeLists> {
    graph: DynamicGraph<L>,
    /// How many neighbours the vertex had; some of them may be among those that come.
    degree: u32,
}

impl<L: EdgeLists> Followed<L::Carried> for Alone<L> {
    fn apply(&mut self, batch: &Batch<L::Carried>) -> Result<(), MeerkatError> {
        self.graph.apply(batch).map(drop)
    }
    fn changed(&mut self) -> Result<Option<usize>, MeerkatError> {
        Ok(None)
    }
    fn is_right(&mut self, hub: Vertex, neighbors: u32) -> Result<bool, MeerkatError> {
        let degree = self.graph.out_degrees()?[hub as usize];
        Ok((neighbors..=neighbors + self.degree).contains(&degree))
    }
}

/// An answer that follows.
struct Answer<L: EdgeLists, A: VertexAnswers<DynamicGraph<L>>, R> {
    tracked: Tracked<DynamicGraph<L>, A>,
    watch: Option<Watch<A::Value>>,
    is_equal: R,
}

impl<L: EdgeLists, A, R> Followed<L::Carried> for Answer<L, A, R>
where
    A: VertexAnswers<DynamicGraph<L>>,
    R: Fn(&A::Output, &A::Output) -> bool,
{
    fn apply(&mut self, batch: &Batch<L::Carried>) -> Result<(), MeerkatError> {
        self.tracked.apply(batch).map(drop)
    }
    fn changed(&mut self) -> Result<Option<usize>, MeerkatError> {
        let answers = self.tracked.answers()?;
        let Some(watch) = &mut self.watch else {
            self.watch = Some(Watch::from(&answers)?);
            return Ok(None);
        };
        Ok(Some(watch.changes_on_device(&answers)?.len()))
    }
    fn is_right(&mut self, _: Vertex, _: u32) -> Result<bool, MeerkatError> {
        let (found, expected) = followed_and_scratch(&mut self.tracked)?;
        Ok((self.is_equal)(&found, &expected))
    }
}

fn tracked<L: EdgeLists, A: VertexAnswers<DynamicGraph<L>>>(
    args: &Args,
    device: &Device,
    name: &'static str,
    options: &SlabOptions,
    algorithm: A,
    is_equal: impl Fn(&A::Output, &A::Output) -> bool,
) -> Result<Vec<Row>, Box<dyn Error>> {
    if !args.asks_for(name) {
        return Ok(Vec::new());
    }
    let tracked = graph::<L>(args, device, options)?.track(algorithm)?;
    follow(args, device, name, &mut Answer { tracked, watch: None, is_equal })
}

fn graph<L: EdgeLists>(
    args: &Args,
    device: &Device,
    options: &SlabOptions,
) -> Result<DynamicGraph<L>, MeerkatError> {
    let compaction = match args.keep_lists {
        true => Compaction::OnDemand,
        false => Compaction::Automatic,
    };
    let options = SlabOptions { compaction, ..*options };
    // An edge that is generated twice has one weight, both ways.
    let edges = generate::measured(&args.graph.edges::<()>(device, 0)?)?;
    DynamicGraph::from_buffer(device, args.graph.vertices(), &edges, &options)
}

fn follow<W: Weight>(
    args: &Args,
    device: &Device,
    algorithm: &'static str,
    followed: &mut dyn Followed<W>,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let (hub, edges) = (args.graph.vertices() - 1, args.edges);
    // Of generated graphs, some runs of numbers have more neighbours than others.
    let mut neighbors: Vec<_> = (0..hub).collect();
    fastrand::Rng::with_seed(0).shuffle(&mut neighbors);
    let of = |batch: u32| {
        let first = batch as usize * edges as usize;
        let of_batch = neighbors.iter().skip(first).take(edges as usize);
        of_batch.map(|&dst| Edge { src: hub, dst, weight: W::from_bits(1) })
    };
    device.synchronize()?;
    sleep(CLEARED);
    let mut each = |kind, there, batch: &dyn Fn(u32) -> Batch<W>| -> Result<Row, Box<dyn Error>> {
        let (mut batches_ms, mut changed) = (Vec::new(), Vec::new());
        if args.changes {
            followed.changed()?;
        }
        for number in 0..args.batches {
            let batch = batch(number);
            let is_shown = number == args.profiled && profile::is_asked_for();
            if is_shown {
                profile::begin();
            }
            let start = Instant::now();
            followed.apply(&batch)?;
            device.synchronize()?;
            batches_ms.push(start.elapsed().as_secs_f64() * 1e3);
            if is_shown {
                writeln!(io::stderr(), "{algorithm}, {kind}:\n{}", profile::end()?)?;
            }
            if args.changes {
                changed.extend(followed.changed()?);
            }
        }
        match followed.is_right(hub, there)? {
            true => Ok(Row { algorithm, kind, edges, batches_ms, changed }),
            false => Err(format!("{algorithm}, {kind}: what followed is wrong").into()),
        }
    };
    let all = hub.min(args.batches.saturating_mul(edges));
    let enter = each("insert", all, &|number| Batch::new().insert(of(number).collect::<Vec<_>>()))?;
    let leave = each("delete", 0, &|number| Batch::new().delete(of(number).collect::<Vec<_>>()))?;
    Ok(vec![enter, leave])
}
