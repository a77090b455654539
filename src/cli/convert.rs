//! `meerkat convert`: the records of a graph file in another format.

use std::path::PathBuf;

use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{Format, GraphFile, TimeUnit};
use serde::Serialize;

use super::args::ReportFormat;
use super::failure::Failure;
use super::input::{DirectionArgs, ReadArgs, STANDARD, VertexId, direction, load, name};
use super::output::{self, GraphFormat, OutputFile, Printed, Records, Report, counted};
use super::progress::Progress;
use super::stream::time;

const HELP: &str = "\
Examples:
  meerkat convert friends.csv friends.mtx.gz --undirected
  zcat roads.gr.gz | meerkat convert - roads.csv --format dimacs
  meerkat convert messages.txt messages.csv      # records, weights and times as they are

Every record is written, in the order of the file, with its weight and its time; an edge of a
METIS file, which has it in the lists of both ends, is written once. The ending
of the second file says its format, as in `meerkat generate`: .mtx, .gr, .csv, .tsv, .wel,
.el, .txt; .gz is compressed. Matrix Market and DIMACS number vertices from 1, in the order of
their ids; the others keep the ids. What a format cannot hold is refused: times in .mtx and
.gr, vertices without edges in the others.";

/// What the user says of a conversion.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct ConvertArgs {
    /// Graph file to read; `-` is the standard input
    #[arg(value_name = "FROM")]
    from: PathBuf,

    /// File to write; `-` is the standard output
    #[arg(value_name = "TO")]
    to: PathBuf,

    #[command(flatten)]
    direction: DirectionArgs,

    #[command(flatten)]
    read: ReadArgs,

    /// Unit of the times in the file, if they are numbers
    #[arg(long, value_name = "ns|us|ms|s|m|h|d", default_value = "s")]
    time_unit: TimeUnit,

    /// Print JSON instead of text; docs/COMMAND.md describes it
    #[arg(long, short)]
    json: bool,
}

/// What was written.
#[derive(Debug, Serialize)]
struct Converted {
    from: String,
    from_format: &'static str,
    file: String,
    format: &'static str,
    direction: &'static str,
    vertices: u32,
    records: usize,
}

/// Each edge once, of a file that has it from both ends; loops stay as they are.
fn keep_one_way(file: &mut GraphFile) {
    let ends = file.sources.iter().zip(&file.destinations);
    let kept: Vec<bool> = ends.map(|(source, target)| source <= target).collect();
    retain(&mut file.sources, &kept);
    retain(&mut file.destinations, &kept);
    if let Some(weights) = &mut file.weights {
        retain(weights, &kept);
    }
}

fn retain<T>(values: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    values.retain(|_| kept.next().is_some_and(|&kept| kept));
}

/// Converts and says what was written.
pub(super) fn run(args: &ConvertArgs) -> Result<Printed, Failure> {
    let progress = Progress::reading();
    let mut file = load(&args.from, &args.read.with_times(Some(args.time_unit)), &progress)?;
    let (direction, _) = direction(args.direction.direction(), &file);
    if file.format == Format::Metis && direction == Direction::Undirected {
        keep_one_way(&mut file);
    }
    let refused = |reason| Failure::Unwritable { path: args.to.clone(), reason };
    let way_out = "write .mtx or .csv, or read some with `--columns source,target,weight`";
    let format = GraphFormat::for_path(&args.to, file.weights.is_some(), way_out);
    let format = format.map_err(refused)?;
    let to = OutputFile::beside(&args.to, [&args.from])?;
    let scale = file.time_scale;
    let times = file.times.as_deref();
    let time = times.map(|times| move |at: usize| time(times[at], scale).to_string());
    let records = Records {
        title: name(&args.from).display().to_string(),
        vertices: file.ids.len(),
        direction,
        sources: &file.sources,
        targets: &file.destinations,
        weights: file.weights.as_deref(),
        times: time.as_ref().map(|time| time as &dyn Fn(usize) -> String),
        id: &|vertex| VertexId::of(&file.ids, vertex).field().into_owned(),
    };
    format.check(&records).map_err(refused)?;
    progress.work("writing");
    to.write(|to| format.write(to, &records))?;
    drop(progress);
    let is_stdout = args.to.as_os_str() == STANDARD;
    let to = if is_stdout { "standard output".into() } else { args.to.display().to_string() };
    let converted = Converted {
        from: name(&args.from).display().to_string(),
        from_format: file.format.name(),
        file: to,
        format: format.name(),
        direction: match direction {
            Direction::Directed => "directed",
            Direction::Undirected => "undirected",
        },
        vertices: file.ids.len(),
        records: file.sources.len(),
    };
    let text = format!(
        "{} ({}) -> {} ({}): {}, {}, {}\n",
        converted.from,
        converted.from_format,
        converted.file,
        converted.format,
        counted(converted.vertices, "vertices"),
        counted(converted.records as u64, "records"),
        converted.direction
    );
    let report = Report::new("convert", converted);
    let format = if args.json { ReportFormat::Json } else { ReportFormat::Text };
    let text = output::render(&report, &text, format);
    Ok(if is_stdout { Printed::Stderr(text) } else { Printed::Stdout(text) })
}
