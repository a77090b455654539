//! `meerkat stream`: file -> timeline -> batches -> tracked graph -> a line a batch.

mod followers;
mod over_ranks;
mod report;
mod timed_algorithm;
mod window;

use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, mpsc};

use meerkat::runtime::graph::{Adjacency, Direction};
use meerkat::runtime::read::{Duplicates, TimeUnit};
use meerkat::runtime::timeline::Timeline;
use meerkat::runtime::{
    BlockEdges, CompactEdges, Device, DynamicAlgorithm, DynamicGraph, EdgeLists, SlabOptions,
    Weight,
};

use serde::Serialize;

use self::followers::{Followed, Follower, OnDevice, OverRanks};
use self::over_ranks::{Rank, RankStream, RankTask};
pub(super) use self::report::time;
use self::report::{BatchFigures, BatchReport, BatchTimings, Totals, head};
pub(super) use self::timed_algorithm::Timed;
use self::window::{Batches, Window};
use super::algorithms::{DynamicArgs, DynamicTask, TrackedAlgorithm};
use super::args::{ExecutionArgs, FILES_HELP, Ranks, RanksArgs, ReportFormat, from_one};
use super::container::DynamicContainer;
use super::failure::Failure;
use super::input::{GraphArgs, Input, Keep, WeightsArgs, as_arcs};
use super::output::{
    self, DeviceReport, GraphFigures, Lines, Milliseconds, Report, SCHEMA, VertexFile,
};
use super::progress::Progress;

const HELP: &str = "\
The records are sorted by time, equal times in the order of the file. An arc is there while
at least one of its records is; self-loops are left out. The vertices are those of the whole
file from the start.

Times are numbers of --time-unit, fractions included, or ISO 8601 dates, which without an
offset are in UTC.

--output FILE writes the answer for every vertex as `meerkat run` does: the last one, or,
where the name has `{batch}` in it, one file for each batch.

--json prints an object for what was read and then an object a batch; docs/COMMAND.md
describes them.";

/// What the user says of a stream.
#[derive(Debug, clap::Args)]
pub(super) struct StreamArgs<A: clap::Args> {
    #[command(flatten)]
    graph: GraphArgs,

    #[command(flatten)]
    algorithm: A,

    #[command(flatten)]
    stream: StreamOptions,

    #[command(flatten)]
    ranks: RanksArgs,

    #[command(flatten)]
    execution: ExecutionArgs,
}

/// What every stream takes.
#[derive(Debug, clap::Args)]
struct StreamOptions {
    /// Unit of the times in the file, if they are numbers
    #[arg(long, value_name = "ns|us|ms|s|m|h|d", default_value = "s")]
    time_unit: TimeUnit,

    /// Records a batch
    #[arg(long, short, value_name = "N", default_value = "10000",
          value_parser = from_one::<NonZero<usize>>, allow_negative_numbers = true)]
    batch_size: NonZero<usize>,

    /// Keep the newest N records, or those of the last N seconds, minutes, hours or days
    #[arg(long, value_name = "N|Ns|Nm|Nh|Nd")]
    window: Option<Window>,

    /// Container of the edges: slabs, or compact slabs, which take less memory. The answers are the
    /// same
    #[arg(long, value_name = "CONTAINER", value_enum, default_value_t)]
    container: DynamicContainer,

    /// Compute every answer from scratch as well, and compare the times
    #[arg(long)]
    compare_static: bool,

    /// Write the answer for every vertex to a file; `{batch}` in its name makes a file a batch
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The subcommand of an algorithm.
pub(super) fn command<A: DynamicArgs>() -> clap::Command {
    let help = format!("{}\n\n{HELP}\n\n{FILES_HELP}", A::STREAM_HELP);
    let command = <StreamArgs<A> as clap::Args>::augment_args(clap::Command::new(A::NAME));
    A::stream_options(command).about(A::ABOUT).visible_aliases(A::ALIASES).after_help(help)
}

/// Replays the file and writes a line after every batch.
pub(super) fn run<A: DynamicArgs>(
    args: &StreamArgs<A>,
    lines: &mut Lines,
    device: Option<&Device>,
) -> Result<(), Failure> {
    if args.ranks.are_asked() && !A::RUNS_OVER_RANKS {
        return Err(Failure::NotOverRanks { what: A::NAME });
    }
    let ranks = args.ranks.open(&args.execution.place, &args.graph.file)?;
    let first = device.or(ranks.as_ref().and_then(Ranks::first_device));
    let device = first.cloned().map_or_else(|| args.execution.open(), Ok)?;
    let speaks = ranks.as_ref().is_none_or(Ranks::speaks);
    let progress = if speaks { Progress::reading() } else { Progress::hidden() };
    let mut silent = Lines::discarded();
    let lines = if speaks { lines } else { &mut silent };
    let options = args.graph.read.with_times(Some(args.stream.time_unit));
    let mut input = Input::read(&args.graph, &options, None, Keep::Records, &device, &progress)?;
    if input.file.times.is_none() {
        return Err(Failure::NoTimes { graph: input.path });
    }
    let unit = input.file.time_scale.unit;
    input.report = input.report.with_times(unit);
    let output = args.stream.output.as_deref().filter(|_| speaks);
    let output = output.map(|path| Output::new(path, &args.graph.file)).transpose()?;
    let weights = args.algorithm.weights();
    let mut records_each = 1;
    if weights.is_some_and(WeightsArgs::differ_by_arc) && input.direction == Direction::Undirected {
        input.direction = as_arcs(&mut input.file);
        records_each = 2;
    }
    let duplicates = weights.map_or(Duplicates::Min, WeightsArgs::duplicates);
    let weights = weights.map(|args| args.of_records(&mut input, A::WEIGHT_RANGE)).transpose()?;
    let stream = Stream {
        name: A::NAME,
        options: &args.stream,
        format: args.execution.format(),
        device: &device,
        ranks: ranks.as_ref(),
        input: &input,
        duplicates,
        records_each,
        output,
        progress,
        lines,
    };
    args.algorithm.start_dynamic(&input, weights, stream)
}

/// Where the answers go.
struct Output<'a> {
    path: &'a Path,
    graph: &'a Path,
    /// Of the last batch, if there is one file.
    last: Option<VertexFile>,
}

const BATCH: &str = "{batch}";

impl<'a> Output<'a> {
    /// The place, if it can be written.
    fn new(path: &'a Path, graph: &'a Path) -> Result<Self, Failure> {
        let mut output = Self { path, graph, last: None };
        if let Some(path) = output.of_some_batch(graph) {
            return Err(Failure::OutputIsInput { path });
        }
        let first = VertexFile::new(&output.of_batch(1), graph)?;
        if !output.is_each() {
            if first.is_stdout() {
                return Err(Failure::StreamOnStdout);
            }
            output.last = Some(first);
        }
        Ok(output)
    }

    fn is_each(&self) -> bool {
        self.path.to_string_lossy().contains(BATCH)
    }

    fn of_batch(&self, number: usize) -> PathBuf {
        match self.is_each() {
            true => self.path.to_string_lossy().replace(BATCH, &number.to_string()).into(),
            false => self.path.to_owned(),
        }
    }

    /// The path of a file, if it is that of some batch.
    fn of_some_batch(&self, file: &Path) -> Option<PathBuf> {
        let (path, file_name) = (self.path.to_string_lossy(), file.to_string_lossy());
        let (before, after) = path.split_once(BATCH)?;
        let number = file_name.strip_prefix(before)?.strip_suffix(after)?;
        let number = number.parse::<usize>().ok().filter(|&number| number > 0)?;
        (self.of_batch(number) == file).then(|| file.to_owned())
    }

    /// The file for the answer after a batch, if it is to be written.
    fn next(&mut self, number: usize, is_last: bool) -> Result<Option<VertexFile>, Failure> {
        match self.is_each() {
            true => VertexFile::new(&self.of_batch(number), self.graph).map(Some),
            false if is_last => Ok(self.last.take()),
            false => Ok(None),
        }
    }
}

/// A stream of records, and an algorithm that is to follow it.
struct Stream<'a> {
    name: &'static str,
    options: &'a StreamOptions,
    format: ReportFormat,
    device: &'a Device,
    ranks: Option<&'a Ranks>,
    input: &'a Input,
    duplicates: Duplicates,
    /// Records of the timeline for each of the file.
    records_each: usize,
    output: Option<Output<'a>>,
    progress: Progress,
    lines: &'a mut Lines,
}

/// What is going to happen: the result in the first JSON object.
#[derive(Debug, Serialize)]
struct Planned {
    batches: usize,
    batch_size: usize,
}

impl DynamicTask for Stream<'_> {
    type Output = ();

    fn perform<W: Weight + PartialOrd, A: TrackedAlgorithm<W>>(
        self,
        algorithm: &A,
        weight: impl Fn(usize) -> W,
    ) -> Result<(), Failure> {
        let (input, file) = (self.input, &self.input.file);
        let timeline = Timeline::new(file, input.direction, self.duplicates, weight);
        let timeline = timeline.ok_or_else(|| Failure::NoTimes { graph: input.path.clone() })?;
        let orientation = algorithm.orientation(self.options.window.is_some());
        let options = SlabOptions {
            direction: input.direction,
            ..SlabOptions::DEFAULT.oriented(orientation)
        };
        match self.options.container {
            DynamicContainer::Slabs => {
                self.follow::<_, _, Adjacency<W>>(algorithm, timeline, options)
            }
            DynamicContainer::Compact => {
                self.follow::<_, _, CompactEdges<W>>(algorithm, timeline, options)
            }
            DynamicContainer::Blocks => {
                self.follow::<_, _, BlockEdges<W>>(algorithm, timeline, options)
            }
        }
    }
}

impl Stream<'_> {
    /// Follows the batches on one container.
    fn follow<W, A, L>(
        self,
        algorithm: &A,
        timeline: Timeline<W>,
        options: SlabOptions,
    ) -> Result<(), Failure>
    where
        W: Weight + PartialOrd,
        A: TrackedAlgorithm<W>,
        L: EdgeLists<Carried = W> + 'static,
        A::Tracked: DynamicAlgorithm<DynamicGraph<L>, Output: Into<A::Answer>>,
    {
        if let Some(ranks) = self.ranks {
            return self.follow_over_ranks::<_, _, L>(ranks, algorithm, timeline, options);
        }
        let (device, compares) = (self.device, self.options.compare_static);
        let graph =
            DynamicGraph::<L>::from_edges(device, self.input.file.ids.len(), &[], &options)?;
        let tracked = graph.track(Timed::new(algorithm.tracked()))?;
        self.follow_batches(algorithm, timeline, &mut OnDevice { device, tracked, compares })
    }

    /// Follows the batches over ranks, each of which has a thread or a process.
    fn follow_over_ranks<W, A, L>(
        self,
        ranks: &Ranks,
        algorithm: &A,
        timeline: Timeline<W>,
        options: SlabOptions,
    ) -> Result<(), Failure>
    where
        W: Weight + PartialOrd,
        A: TrackedAlgorithm<W>,
        L: EdgeLists<Carried = W> + 'static,
    {
        let name = self.name;
        let task = RankTask {
            algorithm,
            vertices: self.input.file.ids.len(),
            options,
            ownership: ranks.ownership(),
            compares: self.options.compare_static,
        };
        if let Some((own, device)) = ranks.join()? {
            let rank = Rank::begin::<L, A>(own, device, &task)?;
            let mut rank = rank.ok_or(Failure::NotOverRanks { what: name })?;
            return self.follow_batches(algorithm, timeline, &mut rank);
        }
        let (senders, receivers): (Vec<_>, Vec<_>) =
            (0..ranks.count()).map(|_| mpsc::channel()).unzip();
        let (sender, followed) = mpsc::channel();
        let of_ranks = RankStream {
            task,
            batches: receivers.into_iter().map(Mutex::new).collect(),
            followed: Mutex::new(Some(sender)),
        };
        std::thread::scope(|scope| {
            // The threads have what rank 0 answers by: when they end, nobody waits for an answer.
            let threads =
                scope.spawn(move || ranks.run(|own, device| of_ranks.run::<L>(own, device)));
            let mut follower = OverRanks { batches: senders, followed: &followed };
            let done = self.follow_batches(algorithm, timeline, &mut follower);
            // Without batches the ranks end.
            drop(follower);
            let ended = threads.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            match ended?.contains(&false) {
                true => Err(Failure::NotOverRanks { what: name }),
                false => done,
            }
        })
    }

    /// Follows the batches, and writes a line after each.
    fn follow_batches<W: Weight + PartialOrd, A: TrackedAlgorithm<W>>(
        mut self,
        algorithm: &A,
        mut timeline: Timeline<W>,
        follower: &mut dyn Follower<W, A::Answer>,
    ) -> Result<(), Failure> {
        let batches = Batches {
            size: self.options.batch_size.get(),
            window: self.options.window,
            scale: self.input.file.time_scale,
            records_each: self.records_each,
        };
        self.progress.batches(batches.count(timeline.len()) as u64);
        let mut totals = Totals::default();
        let planned = Planned { batches: batches.count(timeline.len()), batch_size: batches.size };
        let mut flow = self.write_input(planned)?;
        while flow.is_continue() && timeline.present().end < timeline.len() {
            let number = totals.batches + 1;
            let before = timeline.present();
            let followed = follower.follow(batches.next(&mut timeline))?;
            let is_last = timeline.present().end == timeline.len();
            self.write_vertices(algorithm, &followed.answer, number, is_last)?;
            let report = self.report(algorithm, &timeline, (number, before), &followed);
            totals.add(&report);
            self.progress.batch(totals.batches as u64);
            let line = report.line(self.format);
            flow = self.progress.suspend(|| self.lines.write(&line))?;
        }
        drop(self.progress);
        if flow.is_continue() {
            let _: ControlFlow<()> = self.lines.write_unless_json(self.format, &totals.text())?;
        }
        Ok(())
    }

    /// Writes what was read, as text with the head of the table, or as the first JSON object.
    fn write_input(&mut self, planned: Planned) -> Result<ControlFlow<()>, Failure> {
        let device = match self.ranks {
            Some(ranks) => DeviceReport::new(ranks.name(), ranks.description()),
            None => DeviceReport::of(self.device),
        };
        let report = Report {
            algorithm: Some(self.name),
            device: Some(device),
            input: Some(self.input.report.clone()),
            ..Report::new("stream", planned)
        };
        let text = format!("{}\n{}", self.input.report, head(self.options.compare_static));
        self.lines.write(&output::render(&report, &text, self.format))
    }

    /// What is said of a batch, before which the records `before` were there.
    fn report<W: Weight + PartialOrd, A: TrackedAlgorithm<W>>(
        &self,
        algorithm: &A,
        timeline: &Timeline<W>,
        (number, before): (usize, Range<usize>),
        followed: &Followed<A::Answer>,
    ) -> BatchReport<A::Figures> {
        let now = timeline.present();
        let (ids, scale) = (self.input.ids(), self.input.file.time_scale);
        BatchReport {
            schema: SCHEMA,
            command: "stream",
            algorithm: self.name,
            batch: BatchFigures {
                number,
                updates: ((now.start - before.start) + (now.end - before.end)) / self.records_each,
                first_time: time(timeline.time(before.end), scale),
                last_time: time(timeline.time(now.end - 1), scale),
                deleted: followed.deleted,
                inserted: followed.inserted,
            },
            graph: GraphFigures {
                n: ids.len(),
                m_arcs: timeline.arc_count() as u64,
                ..GraphFigures::default()
            },
            result: algorithm.figures(&followed.answer, ids),
            timings_ms: BatchTimings {
                graph: Milliseconds(followed.graph_ms),
                algorithm: Milliseconds(followed.algorithm_ms),
                from_scratch: followed.from_scratch_ms.map(Milliseconds),
            },
        }
    }

    fn write_vertices<W: Weight, A: TrackedAlgorithm<W>>(
        &mut self,
        algorithm: &A,
        answer: &A::Answer,
        number: usize,
        is_last: bool,
    ) -> Result<(), Failure> {
        let Some(output) = &mut self.output else { return Ok(()) };
        let Some(file) = output.next(number, is_last)? else { return Ok(()) };
        let ids = self.input.ids();
        file.write(ids, &|vertex, to| algorithm.write_vertex(answer, ids, vertex, to))
    }
}
