//! Numbers to watch, and what `tracing` is told.

use meerkat::algos::wcc::Components;
use meerkat::prelude::*;
use meerkat::runtime::cuda::{Arch, CubinCache, Images, Options, Source};
use meerkat::runtime::graph::Compaction;
use meerkat::runtime::{CompactEdges, MemoryFaults};
use meerkat::testing::nvrtc_is_present;
use std::cell::RefCell;
use std::fmt::{self, Write};
use std::sync::Once;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

thread_local! {
    /// What this thread was told, a line each, while it listens.
    static LINES: RefCell<Option<Vec<(Level, String)>>> = const { RefCell::new(None) };
}

/// Lets each thread that listens have its lines. There is one for all: what `tracing` remembers of
/// subscribers that come and go in several threads may lose events.
struct Told;

/// What the caller's thread is told meanwhile.
fn listen(act: impl FnOnce()) -> Vec<(Level, String)> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| tracing::subscriber::set_global_default(Told).expect("the first"));
    LINES.set(Some(Vec::new()));
    act();
    LINES.take().expect("it listens")
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, "{field}={value:?} ").expect("text");
    }
}

impl Subscriber for Told {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("meerkat_runtime")
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        LINES.with_borrow_mut(|lines| {
            if let Some(lines) = lines {
                let mut line = Line(String::new());
                event.record(&mut line);
                lines.push((*event.metadata().level(), line.0));
            }
        });
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

fn edge(src: u32, dst: u32) -> Edge {
    Edge { src, dst, weight: () }
}

fn star(leaves: u32) -> Vec<Edge> {
    (1..=leaves).map(|leaf| edge(0, leaf)).collect()
}

#[test]
fn what_happens_to_a_graph_is_counted_and_told() {
    let lines = listen(|| {
        let device = Device::cpu();
        let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
        let graph = CompactGraph::from_edges(&device, 1600, &[], &options).expect("a graph");
        let mut tracked = graph.track(Components).expect("tracked");
        tracked.apply(&Batch::new().insert(star(1200))).expect("applied");
        tracked.apply(&Batch::new().insert([edge(9, 1600)])).expect_err("outside");
        tracked.apply(&Batch::new().delete(star(1199))).expect("applied");
        tracked.delete_vertices(&[7]).expect("a vertex");
        tracked.compact().expect("compaction");
        let metrics = tracked.graph().metrics().expect("metrics");
        let counters = metrics.counters;
        assert_eq!((metrics.vertices, metrics.deleted_vertices, metrics.arcs), (1600, 1, 1));
        assert_eq!((counters.batches, counters.refused), (3, 1));
        assert_eq!((counters.inserted, counters.deleted), (1200, 1199));
        // By the policy, and when it was asked for.
        assert!(counters.compactions >= 2, "{counters:?}");
        assert!(counters.longest <= counters.busy && !counters.upkeep.is_zero());
        assert_eq!(metrics.bytes, tracked.graph().bytes());
        let shown = metrics.to_string();
        assert!(
            shown.starts_with("meerkat_vertices 1600\nmeerkat_deleted_vertices 1\n"),
            "{shown}"
        );
        assert!(shown.contains("\nmeerkat_batches_refused_total 1\n"), "{shown}");
        let is_number = |line: &str| {
            line.split_once(' ').is_some_and(|(_, value)| value.parse::<f64>().is_ok())
        };
        assert!(shown.lines().all(is_number), "{shown}");
    });
    let told = |level: Level, part: &str| {
        lines.iter().filter(|(own, line)| *own == level && line.contains(part)).count()
    };
    assert_eq!(told(Level::DEBUG, "message=applied inserted=1200 deleted=0"), 1, "{lines:?}");
    assert_eq!(told(Level::DEBUG, "message=refused error="), 1, "{lines:?}");
    assert!(told(Level::INFO, "message=compacted arcs=1 ") >= 1, "{lines:?}");
}

#[test]
fn compaction_without_memory_is_counted_and_told() {
    let lines = listen(|| {
        let faults = MemoryFaults::new();
        let device = Device::cpu().with_memory_faults(&faults);
        let options = SlabOptions { compaction: Compaction::Automatic, ..SlabOptions::DEFAULT };
        let gone = star(1100);
        let graph = DynamicGraph::<CompactEdges>::from_edges(&device, 1101, &gone, &options);
        let mut graph = graph.expect("a graph");
        // Memory runs out in the batch, which is refused then, or at last after it.
        let applied = (0..40).find(|&successes| {
            faults.fail_from(successes);
            let applied = graph.apply(&Batch::new().delete(&gone));
            faults.heal();
            applied.is_ok()
        });
        assert!(applied.is_some_and(|successes| successes > 0), "{applied:?}");
        assert_eq!((graph.counters().put_off, graph.counters().compactions), (1, 0));
        assert_eq!(graph.counters().refused, u64::from(applied.expect("a number")));
    });
    let told = lines.iter().filter(|(_, line)| line.contains("compaction is put off"));
    assert!(told.count() > 0, "{lines:?}");
}

#[test]
fn arcs_that_left_wait_for_a_sweep_or_a_compaction() {
    let device = Device::cpu();
    for (compaction, waiting) in [(Compaction::OnDemand, 2600), (Compaction::Automatic, 0)] {
        let options = SlabOptions { compaction, ..SlabOptions::DEFAULT };
        let mut graph =
            SlabGraph::from_edges(&device, 3000, &star(2999), &options).expect("a graph");
        let unswept = |graph: &SlabGraph| graph.metrics().expect("metrics").unswept_arcs;
        graph.delete(&star(100)).expect("deleted");
        assert_eq!(unswept(&graph), 100, "{compaction:?}");
        graph.delete(&star(2600)).expect("deleted");
        assert_eq!(unswept(&graph), waiting, "{compaction:?}");
        graph.compact().expect("compaction");
        assert_eq!(unswept(&graph), 0);
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_counted_and_told_once() {
    if !nvrtc_is_present() {
        return;
    }
    let file = tempfile::NamedTempFile::new().expect("a file");
    let images = Images::new(CubinCache::at(file.path()));
    let lines = listen(|| {
        for text in ["__global__ void one() {}", "__global__ void two() {}"] {
            let source = Source { name: "kernel.cu", text };
            let compiled = images.get(&source, &Options::new(Arch::new(9, 0)));
            assert!(!compiled.expect("an image").image().is_empty());
        }
    });
    let counters = images.counters();
    assert_eq!((counters.cached, counters.compiled, counters.not_kept), (0, 2, 2));
    let warnings: Vec<_> = lines.iter().filter(|(level, _)| *level == Level::WARN).collect();
    assert_eq!(warnings.len(), 1, "{lines:?}");
    assert!(warnings[0].1.contains("compiled kernels are not kept"), "{warnings:?}");
    assert!(warnings[0].1.contains(&file.path().display().to_string()), "{warnings:?}");
}
