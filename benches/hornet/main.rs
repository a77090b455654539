//! The evaluation of Hornet (Busato et al., HPEC 2018, section IV) with block arrays: memory, update
//! rates, breadth-first search and products beside rows, and the maximal k-truss.
//!
//! ```text
//! cargo bench -p meerkat-benches --bench hornet -- --graph rmat:22 --device cuda
//! cargo bench -p meerkat-benches --bench hornet -- --figure 5,6 --graph rmat:22 --device cuda --json
//! ```
//!
//! | figure | file | what |
//! | --- | --- | --- |
//! | 4 | `memory.rs` | how full blocks and block arrays are; bytes over CSR and COO |
//! | 5, 6 | `rates.rs` | edges inserted and deleted a second, as compared with cuSTINGER and AIM |
//! | 7, 8 | `reading.rs` | breadth-first search, and matrix times vector, over rows and blocks |
//! | 9 | `truss.rs` | edges deleted a second until the maximal k-truss is left |
//!
//! Times are between events of the device, the medians of the runs after a first one. Answers are
//! checked. A line that begins with `paper` is what the paper says of its own runs on one P100, with
//! its own graphs: no number of this program.

mod memory;
mod rates;
mod reading;
mod truss;

use std::error::Error;
use std::io::{self, StdoutLock, Write};

use clap::Parser;
use meerkat_benches::RunArgs;
use meerkat_runtime::generate::Generator;
use meerkat_runtime::prelude::*;
use meerkat_runtime::{BlockOptions, Error as MeerkatError};
use serde::Serialize;

/// Measure what Hornet's figures show.
#[derive(Parser)]
struct Args {
    /// Figures of the paper, 4 to 9; all of them if none is named
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u8).range(4..=9))]
    figure: Vec<u8>,
    /// `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096`
    #[arg(long, default_value = "rmat:12")]
    graph: Generator,
    /// Edges of a batch: powers of ten up to 10^7, on the CPU up to 10^4, if none is named
    #[arg(long, value_delimiter = ',')]
    batches: Vec<u32>,
    /// Timed runs of each, after one that is not timed
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    #[command(flatten)]
    run: RunArgs,
}

/// What a figure works with.
struct Bench {
    args: Args,
    device: Device,
    out: StdoutLock<'static>,
}

/// Where blocks begin and how large arrays are, by name.
const SETTINGS: [(&str, BlockOptions); 3] = [
    ("default", BlockOptions::DEFAULT),
    ("custinger", BlockOptions::CUSTINGER),
    ("aim", BlockOptions::AIM),
];

/// A line of a figure's table.
trait Line: Serialize {
    fn text(&self) -> String;
}

/// A line as JSON.
#[derive(Serialize)]
struct Object<'a, L> {
    figure: u8,
    graph: String,
    #[serde(flatten)]
    line: &'a L,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let device = args.run.device()?;
    let mut bench = Bench { args, device, out: io::stdout().lock() };
    if !bench.args.run.json {
        writeln!(bench.out, "{}, {}", bench.args.graph, bench.device.description())?;
    }
    let figures = match &bench.args.figure[..] {
        [] => (4..=9).collect(),
        named => named.to_vec(),
    };
    for figure in figures {
        bench.measure(figure)?;
    }
    Ok(())
}

impl Bench {
    fn measure(&mut self, figure: u8) -> Result<(), Box<dyn Error>> {
        match figure {
            4 => memory::measure(self),
            5 => rates::measure(self, figure, "custinger"),
            6 => rates::measure(self, figure, "aim"),
            7 => reading::searches(self),
            8 => reading::products(self),
            _ => truss::measure(self),
        }
    }

    /// Prints what stands above a table, if one is printed.
    fn head(&mut self, figure: u8, title: &str, paper: &str, columns: &str) -> io::Result<()> {
        if self.args.run.json {
            return Ok(());
        }
        writeln!(self.out, "\nFigure {figure}: {title}\npaper, one P100: {paper}\n{columns}")
    }

    /// Prints a line of a table.
    fn line<L: Line>(&mut self, figure: u8, line: &L) -> Result<(), Box<dyn Error>> {
        if !self.args.run.json {
            return Ok(writeln!(self.out, "{}", line.text())?);
        }
        let object = Object { figure, graph: self.args.graph.to_string(), line };
        Ok(writeln!(self.out, "{}", serde_json::to_string(&object)?)?)
    }

    /// The edges that the graph is built from.
    fn edges(&self) -> Result<DeviceBuffer<Edge>, MeerkatError> {
        self.args.graph.edges::<()>(&self.device, 0)
    }

    /// The graph in block arrays; `None` if it does not fit.
    fn blocks(
        &self,
        edges: &DeviceBuffer<Edge>,
        block: BlockOptions,
    ) -> Result<Option<BlockGraph>, MeerkatError> {
        let options = SlabOptions { block, ..SlabOptions::DEFAULT };
        let n = self.args.graph.vertices();
        if_it_fits(BlockGraph::from_buffers(&self.device, n, &[edges], &options))
    }
}

/// What there is room for; `None` is an answer, too.
fn if_it_fits<T>(made: Result<T, MeerkatError>) -> Result<Option<T>, MeerkatError> {
    match made {
        Ok(made) => Ok(Some(made)),
        Err(error) if error.is_about_room() => Ok(None),
        Err(error) => Err(error),
    }
}
