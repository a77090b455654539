//! `meerkat generate`: a synthetic graph, from the device to a file.

use std::path::PathBuf;

use meerkat::runtime::Edge;
use meerkat::runtime::generate::Generator;
use serde::Serialize;

use super::args::{PlaceArgs, ReportFormat};
use super::failure::Failure;
use super::input::{GraphSource, STANDARD};
use super::output::{self, GraphFormat, OutputFile, Printed, Records, Report};

const EXAMPLES: &str = "\
Examples:
  meerkat generate rmat:18 --output rmat-18.mtx.gz
  meerkat generate uniform:10000:80000 --seed 7 --output uniform.txt
  meerkat generate grid:512x512:30:10 --output grid.mtx

rmat:SCALE[:EDGES]                     2^SCALE vertices and 16 edges each, or EDGES in all
uniform:VERTICES:EDGES                 both ends are any vertex
grid:WIDTHxHEIGHT[:DROPPED:DIAGONALS]  undirected; of 1000 edges DROPPED are left out, and of
                                       1000 cells DIAGONALS have a diagonal

The ending of the file says its format: .mtx Matrix Market, .gr DIMACS (with --weighted),
.csv and .tsv with a header, .wel (with --weighted), .el, .txt and others an edge list; .gz
is compressed. `meerkat` reads each back as the same graph. An edge list has no vertices
without edges: a graph that has some is refused, and .mtx or .gr holds it. Repeats and
self-loops of rmat and uniform are kept.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct GenerateArgs {
    /// Family and size of the graph
    #[arg(value_name = "GENERATOR")]
    graph: GraphSource,

    /// File to write; `-` is the standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Another seed gives another graph
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Give each edge a weight from 1 to 64
    #[arg(long)]
    weighted: bool,

    #[command(flatten)]
    place: PlaceArgs,

    /// Print JSON instead of text; docs/COMMAND.md describes it
    #[arg(long, short)]
    json: bool,
}

/// What was written.
#[derive(Debug, Serialize)]
struct Generated {
    file: String,
    format: &'static str,
    generator: String,
    seed: u64,
    vertices: u32,
    records: usize,
}

/// Writes the graph and says what it is.
pub(super) fn run(args: &GenerateArgs) -> Result<Printed, Failure> {
    let GraphSource::Generated(generator) = &args.graph else {
        return Err(Failure::NoGenerator);
    };
    let refused = |reason| Failure::Unwritable { path: args.output.clone(), reason };
    let format = GraphFormat::for_path(&args.output, args.weighted, "add --weighted");
    let format = format.map_err(refused)?;
    let file = OutputFile::at(&args.output)?;
    let edges = generator.edges::<u32>(&args.place.open()?, args.seed)?.to_vec()?;
    write(args, generator, format, file, &edges)?;
    let is_stdout = args.output.as_os_str() == STANDARD;
    let name = if is_stdout { "standard output".into() } else { args.output.display().to_string() };
    let report = Report::new(
        "generate",
        Generated {
            file: name.clone(),
            format: format.name(),
            generator: generator.to_string(),
            seed: args.seed,
            vertices: generator.vertices(),
            records: edges.len(),
        },
    );
    let (n, seed, count) = (generator.vertices(), args.seed, edges.len());
    let text = format!("{name}: {generator} of seed {seed}, {n} vertices, {count} edges\n");
    let format = if args.json { ReportFormat::Json } else { ReportFormat::Text };
    let text = output::render(&report, &text, format);
    Ok(if is_stdout { Printed::Stderr(text) } else { Printed::Stdout(text) })
}

fn write(
    args: &GenerateArgs,
    generator: &Generator,
    format: GraphFormat,
    file: OutputFile,
    edges: &[Edge<u32>],
) -> Result<(), Failure> {
    let sources: Vec<u32> = edges.iter().map(|edge| edge.src).collect();
    let targets: Vec<u32> = edges.iter().map(|edge| edge.dst).collect();
    let weights: Option<Vec<f64>> =
        args.weighted.then(|| edges.iter().map(|edge| edge.weight.into()).collect());
    let records = Records {
        title: generator.to_string(),
        vertices: generator.vertices(),
        direction: generator.direction(),
        sources: &sources,
        targets: &targets,
        weights: weights.as_deref(),
        times: None,
        id: &|vertex| vertex.to_string(),
    };
    let refused = |reason| Failure::Unwritable { path: args.output.clone(), reason };
    format.check(&records).map_err(refused)?;
    file.write(|to| format.write(to, &records))
}
