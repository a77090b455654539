//! A window that slides for long, on each container: three answers follow, two threads read epochs, the
//! memory of graph and window stays what it is, and graph and answers are exact at the end.
//! `benches/soak` is the same on large graphs, with times.

use super::support::devices::devices;
use super::support::say;
use meerkat::algos::bfs::{self, Bfs};
use meerkat::algos::pagerank::{self, Method, Options, PageRank};
use meerkat::algos::wcc::{self, Components};
use meerkat::prelude::*;
use meerkat::runtime::dynamic::{Answers, Epoch, Epochs, Tracked};
use meerkat::runtime::generate::Generator;
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::window::Window;
use meerkat::runtime::{BlockEdges, CompactEdges};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

/// Edges that arrive at a time.
const BATCH: u64 = 512;
/// Arrivals that are in the window.
const WINDOW: i64 = 16;
/// Steps from when it is full; `MEERKAT_SOAK_STEPS` says another number.
const STEPS: i64 = 160;
/// Steps from one epoch to the next.
const EPOCHS: i64 = 8;
const SOURCE: u32 = 1;
/// A few pages for each size of slabs.
const SOME_PAGES: u64 = 50 * (32 << 10);

type All = (Components, (Bfs, PageRank<f64>));
type Read = Epoch<(), DeviceBuffer<u32>>;

fn steps() -> i64 {
    let asked = std::env::var("MEERKAT_SOAK_STEPS").ok();
    asked.map_or(STEPS, |count| count.parse::<i64>().expect("a number of steps").max(8))
}

fn ranking() -> PageRank<f64> {
    let (frontier_tolerance, prune_tolerance) = (1e-6, 1e-6);
    let method = Method::DynamicFrontierPruning { frontier_tolerance, prune_tolerance };
    PageRank::new(Options::default(), method)
}

/// The edges of an arrival: those of the generator in turn, then of another seed.
fn arriving(generator: &Generator, device: &Device, number: i64) -> DeviceBuffer<Edge> {
    let parts = generator.edge_numbers() / BATCH;
    let (seed, first) = (number as u64 / parts, number as u64 % parts * BATCH);
    generator.edges_numbered(device, seed, first..first + BATCH).expect("edges")
}

/// Stops the readers when it goes, also where a step fails.
struct StopReaders<'a>(&'a AtomicBool);

impl Drop for StopReaders<'_> {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

/// Reads epochs until the end: how many it saw. The components of each are those of its graph.
fn read(epochs: &Epochs<Read>, is_over: &AtomicBool, seen: &AtomicU64) {
    let mut last = 0;
    while !is_over.load(SeqCst) {
        if let Some(epoch) = epochs.latest().filter(|epoch| epoch.batches() > last) {
            last = epoch.batches();
            let expected = wcc::labels(epoch.graph()).expect("labels");
            assert_eq!(epoch.answer().to_vec().expect("labels"), expected, "epoch {last}");
            seen.fetch_add(1, SeqCst);
        }
        std::thread::yield_now();
    }
}

/// Slides the window over so many arrivals: the memory after each step, once it is full.
fn slide<L: EdgeLists<Carried = ()>>(
    tracked: &mut Tracked<DynamicGraph<L>, All>,
    epochs: &Epochs<Read>,
) -> (Vec<u64>, Window<()>) {
    let device = tracked.graph().device().clone();
    let generator: Generator = "rmat:11".parse().expect("a generator");
    let mut window = Window::of(tracked.graph()).expect("a window");
    let mut bytes = Vec::new();
    for number in 0..WINDOW + steps() {
        let edges = arriving(&generator, &device, number);
        let slid = window
            .slide(number, number - WINDOW + 1, edges, |batch| tracked.apply(batch).map(drop));
        slid.expect("a step");
        if number % EPOCHS == 0 {
            let epoch = tracked.epoch_of(|tracked, readers| {
                let state = tracked.state()?.0.get()?;
                Answers::of(tracked.graph(), &tracked.algorithm().0, state)
                    .to_buffer()?
                    .moved_to(readers)
            });
            epochs.publish(epoch.expect("an epoch"));
        }
        if number >= WINDOW {
            bytes.push(tracked.graph().bytes() + window.bytes());
        }
    }
    (bytes, window)
}

#[track_caller]
fn check_answers<L: EdgeLists<Carried = ()>>(tracked: &Tracked<DynamicGraph<L>, All>) {
    let (labels, (tree, ranks)) = tracked.output().expect("answers");
    let graph = tracked.graph();
    graph.check_invariants().expect("invariants");
    assert_eq!(labels, wcc::labels(graph).expect("labels"));
    assert_eq!(tree.levels, bfs::levels(graph, SOURCE).expect("levels"));
    let scratch = pagerank::ranks::<f64, _>(graph, &Options::default()).expect("ranks");
    let error: f64 = ranks.ranks.iter().zip(&scratch.ranks).map(|(a, b)| (a - b).abs()).sum();
    assert!(error <= ranks.error_bound + scratch.error_bound, "ranks are {error} off");
}

fn soak<L: EdgeLists<Carried = ()>>() {
    for device in devices() {
        let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
        let graph = DynamicGraph::<L>::from_edges(&device, 1 << 11, &[], &options);
        let all = (Components, (Bfs::from_source(SOURCE), ranking()));
        let mut tracked = graph.expect("a graph").track(all).expect("tracked");
        let (epochs, is_over, seen) = (Epochs::new(), AtomicBool::new(false), AtomicU64::new(0));
        let (bytes, window) = std::thread::scope(|scope| {
            let readers: Vec<_> =
                (0..2).map(|_| scope.spawn(|| read(&epochs, &is_over, &seen))).collect();
            let stop = StopReaders(&is_over);
            let slid = slide(&mut tracked, &epochs);
            drop(stop);
            readers.into_iter().for_each(|reader| reader.join().expect("a reader"));
            slid
        });
        check_answers(&tracked);
        let edges = tracked.graph().edge_count().expect("a count");
        assert_eq!(edges, window.edge_count().expect("a count"));
        let most: Vec<_> = bytes
            .chunks(bytes.len().div_ceil(4))
            .map(|quarter| quarter.iter().copied().max().unwrap_or(0))
            .collect();
        // As much is wanted in each quarter; a page of slabs more or less is chance.
        let (first, last) = (most[1], most[most.len() - 1]);
        assert!(last * 50 <= first * 51 + SOME_PAGES, "memory grows: {most:?} bytes");
        assert!(seen.load(SeqCst) > 0, "nobody saw an epoch");
        say(&format!("{} steps, {edges} edges, {most:?} bytes, {seen:?} reads", steps()));
    }
}

#[test]
fn a_window_over_slabs_slides_for_long() {
    soak::<Adjacency>();
}

#[test]
fn a_window_over_compact_slabs_slides_for_long() {
    soak::<CompactEdges>();
}

#[test]
fn a_window_over_block_arrays_slides_for_long() {
    soak::<BlockEdges>();
}
