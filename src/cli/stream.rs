//! `meerkat stream`: file -> timeline -> batches -> tracked graph -> a line a
//! batch.

use std::ops::ControlFlow;

use meerkat::algos::bfs::Bfs;
use meerkat::algos::pagerank::{PageRank, Ranks};
use meerkat::algos::sssp::Sssp;
use meerkat::algos::triangles::{TriangleCounts, Triangles};
use meerkat::algos::wcc::Components;
use meerkat::runtime::Float;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{Duplicates, GraphFile, SimpleGraph, TimeScale};
use meerkat::runtime::timeline::Timeline;
use meerkat::runtime::{
    Batch, Device, DynamicAlgorithm, Error, Orientation, SlabGraph, SlabOptions, Weight,
};
use serde::Serialize;

use super::bfs_report::BfsResult;
use super::device;
use super::failure::Failure;
use super::input;
use super::input_report::InputReport;
use super::memory;
use super::output::{self, Lines};
use super::plan::{Format, Precision, RanksPlan, StreamPlan, StreamedAlgorithm, Window};
use super::progress::Progress;
use super::report::Summary;
use super::run_sssp::{SsspResult, distances_of};
use super::source;
use super::stream_report::{BatchReport, Totals, head};
use super::timed::Timed;
use super::timing::timed;
use super::weights::{Lengths, record_origin, record_weights};
use super::whole_results::{PageRankResult, TrianglesResult, WccResult};

/// Replays the file and writes a line after every batch.
pub(super) fn run(plan: &StreamPlan, lines: &mut Lines) -> Result<(), Failure> {
    let device = device::open(plan.device)?;
    let progress = Progress::reading();
    let mut file = input::load(&plan.graph, &progress)?;
    let name = input::name(&plan.graph.file);
    if file.times.is_none() {
        return Err(Failure::NoTimes { graph: name.to_owned() });
    }
    memory::check(&device, &plan.graph.file, &file)?;
    let (direction, origin) = input::direction(plan.graph.direction, &file);
    let whole = without_weights(&mut file, direction);
    let report = InputReport::new(name.display().to_string(), &file, &whole, (direction, origin))
        .with_times(file.time_scale.unit);
    let report = match plan.algorithm {
        StreamedAlgorithm::Sssp { weights, .. } => {
            let (source, note) = record_origin(&file, weights);
            report.with_weights(source, note)
        }
        _ => report,
    };
    let stream = Stream { plan, device, file: &file, whole, direction, report, progress };
    match plan.algorithm {
        StreamedAlgorithm::Bfs { source } => {
            let source = stream.source(source)?;
            let id = file.ids.id_of(source);
            let algorithm = || Bfs::from_source(source);
            stream.replay(|_| (), algorithm, |tree| BfsResult::new(id, &tree.levels), lines)
        }
        StreamedAlgorithm::Sssp { source, weights } => {
            let source = stream.source(source)?;
            let id = file.ids.id_of(source);
            let algorithm = || Sssp::from_source(source);
            match record_weights(name, &file, direction, weights)? {
                Lengths::Integers(weights) => {
                    let result = |paths: &_| SsspResult::new(id, &distances_of::<u32>(paths));
                    stream.replay(|record| weights[record], algorithm, result, lines)
                }
                Lengths::Floats(weights) => {
                    let result = |paths: &_| SsspResult::new(id, &distances_of::<f32>(paths));
                    stream.replay(|record| weights[record], algorithm, result, lines)
                }
            }
        }
        StreamedAlgorithm::Wcc => {
            let result = |labels: &Vec<u32>| WccResult::new(labels);
            stream.replay(|_| (), || Components, result, lines)
        }
        StreamedAlgorithm::Triangles => {
            let result = |counts: &TriangleCounts| TrianglesResult { triangles: counts.total };
            stream.replay(|_| (), || Triangles, result, lines)
        }
        StreamedAlgorithm::PageRank(ranks) => match ranks.precision {
            Precision::Single => stream.replay_ranks::<f32>(&ranks, lines),
            Precision::Double => stream.replay_ranks::<f64>(&ranks, lines),
        },
    }
}

/// The simple graph of all records. Their weights are put back.
fn without_weights(file: &mut GraphFile, direction: Direction) -> SimpleGraph {
    let weights = file.weights.take();
    let graph = file.simple(direction);
    file.weights = weights;
    graph
}

/// Writes what was read, as text or as the first JSON object.
fn write_input(
    report: InputReport,
    format: Format,
    lines: &mut Lines,
) -> Result<ControlFlow<()>, Failure> {
    #[derive(Serialize)]
    struct FirstLine {
        input: InputReport,
    }
    lines.write(&match format {
        Format::Text => format!("{report}\n"),
        Format::Json => output::json_line(&FirstLine { input: report }),
    })
}

struct Stream<'a> {
    plan: &'a StreamPlan,
    device: Device,
    file: &'a GraphFile,
    /// The simple graph of all records.
    whole: SimpleGraph,
    direction: Direction,
    report: InputReport,
    progress: Progress,
}

impl Stream<'_> {
    /// The source, by the rules on the graph of the whole file.
    fn source(&self, source: super::args::SourceArg) -> Result<u32, Failure> {
        source::find_in(source, input::name(&self.plan.graph.file), &self.whole, &self.file.ids)
    }

    /// What searches need beside the out-edges for deletions pays only where there
    /// are any.
    fn options(&self) -> SlabOptions {
        use StreamedAlgorithm::{Bfs, Sssp};
        let orientation = match (self.plan.algorithm, self.plan.window) {
            (Bfs { .. } | Sssp { .. }, Window::Growing) => Orientation::Out,
            _ => Orientation::Both,
        };
        SlabOptions { direction: self.direction, ..SlabOptions::DEFAULT.oriented(orientation) }
    }

    fn replay_ranks<R: Float>(self, plan: &RanksPlan, lines: &mut Lines) -> Result<(), Failure> {
        let ids = &self.file.ids;
        let algorithm = || PageRank::<R>::new(plan.options, plan.method);
        let result = |found: &Ranks<R>| PageRankResult::new(found, ids);
        self.replay(|_| (), algorithm, result, lines)
    }

    fn replay<W, A, R>(
        self,
        weight: impl Fn(usize) -> W,
        algorithm: impl Fn() -> A,
        result: impl Fn(&A::Output) -> R,
        lines: &mut Lines,
    ) -> Result<(), Failure>
    where
        W: Weight + PartialOrd,
        A: DynamicAlgorithm<W>,
        R: Summary + Serialize,
    {
        let plan = self.plan;
        let duplicates = match plan.algorithm {
            StreamedAlgorithm::Sssp { weights, .. } => weights.duplicates,
            _ => Duplicates::Min,
        };
        let timeline = Timeline::new(self.file, self.direction, duplicates, weight);
        let mut timeline =
            timeline.ok_or_else(|| Failure::NoTimes { graph: plan.graph.file.clone() })?;
        let scale = self.file.time_scale;
        let (n, options) = (self.file.ids.len(), self.options());
        let graph = SlabGraph::from_edges(&self.device, n, &[], &options)?;
        let mut tracked = graph.track(Timed::new(algorithm()))?;
        let batches = timeline.len().div_ceil(plan.batch_size);
        self.progress.batches(batches as u64);
        let mut totals = Totals::default();
        let mut flow = write_input(self.report, plan.format, lines)?;
        if flow.is_continue() {
            flow = lines.write_unless_json(plan.format, &head(plan.compares_static))?;
        }
        while flow.is_continue() && timeline.present().end < timeline.len() {
            let before = timeline.present();
            let batch = next_batch(&mut timeline, plan, scale);
            let algorithm_before = tracked.algorithm().milliseconds();
            let (change, whole) = timed(&self.device, || tracked.apply(&batch))?;
            let algorithm_ms = tracked.algorithm().milliseconds() - algorithm_before;
            let now = timeline.present();
            let report = BatchReport {
                batch: totals.batches + 1,
                updates: (now.start - before.start) + (now.end - before.end),
                deleted: change.deleted.len(),
                inserted: change.inserted.len(),
                m_arcs: timeline.arc_count() as u64,
                graph_ms: (whole.work_ms - algorithm_ms).max(0.0),
                algorithm_ms,
                static_ms: match plan.compares_static {
                    true => Some(from_scratch(algorithm(), tracked.graph())?),
                    false => None,
                },
                result: result(&tracked.output()?),
            };
            totals.add(&report);
            self.progress.batch(totals.batches as u64);
            flow = self.progress.suspend(|| lines.write(&report.line(plan.format)))?;
        }
        drop(self.progress);
        if flow.is_continue() {
            let _: ControlFlow<()> = lines.write_unless_json(plan.format, &totals.text())?;
        }
        Ok(())
    }
}

/// The next records enter, and what the window does not hold any more leaves.
fn next_batch<W: Weight + PartialOrd>(
    timeline: &mut Timeline<W>,
    plan: &StreamPlan,
    scale: TimeScale,
) -> Batch<W> {
    let mut batch = timeline.enter(plan.batch_size);
    let present = timeline.present();
    let expired = match plan.window {
        Window::Growing => 0,
        Window::Records(most) => present.len().saturating_sub(most),
        Window::Seconds(most) => {
            let newest = timeline.time(present.end - 1);
            let oldest = newest.saturating_sub(scale.ticks(most));
            present.take_while(|&record| timeline.time(record) < oldest).count()
        }
    };
    batch.extend(timeline.expire(expired).updates());
    batch
}

/// How long an answer takes without the one before.
fn from_scratch<W: Weight, A: DynamicAlgorithm<W>>(
    algorithm: A,
    graph: &SlabGraph<W>,
) -> Result<f64, Error> {
    let (_, span) = timed(graph.device(), || algorithm.compute(graph))?;
    Ok(span.work_ms)
}
