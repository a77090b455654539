//! PageRank: Meerkat on the CPU against a power iteration over compressed rows in plain
//! Rust, in one thread; both make the same steps in double precision.
//!
//! ```text
//! cargo bench --bench pagerank                              # graphs beside the repository
//! cargo bench --bench pagerank -- --graph FILE --iterations 100 --json
//! ```
//!
//! Times are the least of a few runs, in milliseconds. `ratio` compares the runs alone.
//! `scripts/compare-scipy` compares the command with SciPy.

use std::error::Error;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use clap::Parser;
use meerkat_algos::pagerank::{Options, Stop, ranks};
use meerkat_benches::{InputArgs, Rows, least_ms, ms_since};
use meerkat_runtime::{Device, Orientation, SlabOptions};
use serde::Serialize;

/// A web graph, a road network, a social network and a mesh.
const DEFAULT_GRAPHS: [&str; 4] = [
    "../shared/data/cnr-2000.mtx.gz",
    "../shared/data/USA-road-FLA.mtx.gz",
    "../shared/data/soc-Slashdot0902.txt.gz",
    "../shared/data/delaunay_n16.mtx.gz",
];
/// How far two ranks may be apart: sums are added up in another order.
const ROUNDING: f64 = 1e-12;

/// The columns of a [`Row`], as wide as `print_row` makes them.
const HEADER: &str = "graph                                n      arcs steps \
                      |     read | meerkat build      run | rows build      run | ratio";

/// Time PageRank.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Steps of each run
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
}

/// The times of one graph.
#[derive(Serialize)]
struct Row {
    graph: String,
    n: u32,
    m_arcs: u64,
    iterations: u32,
    read_ms: f64,
    meerkat_build_ms: f64,
    meerkat_run_ms: f64,
    rows_build_ms: f64,
    rows_run_ms: f64,
    ratio: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    args.input.table(&DEFAULT_GRAPHS, HEADER, |path| measure(path, &args), print_row)
}

fn print_row(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    writeln!(
        out,
        "{:<28} {:>9} {:>9} {:>5} | {:>8.1} | {:>13.1} {:>8.1} | {:>10.1} {:>8.1} | {:>5.2}",
        row.graph,
        row.n,
        row.m_arcs,
        row.iterations,
        row.read_ms,
        row.meerkat_build_ms,
        row.meerkat_run_ms,
        row.rows_build_ms,
        row.rows_run_ms,
        row.ratio,
    )
}

fn measure(path: &Path, args: &Args) -> Result<Row, Box<dyn Error>> {
    let input = args.input.read(path)?;
    let both = SlabOptions::default().oriented(Orientation::Both);
    let (slabs, meerkat_build_ms) = input.slabs(&Device::cpu(), &both)?;
    let start = Instant::now();
    let matrix = Matrix::new(&input.graph);
    let rows_build_ms = ms_since(start);

    let options = Options { stop: Stop::Steps(args.iterations), ..Options::default() };
    let expected = matrix.ranks(options.damping, args.iterations);
    let found = ranks::<f64, _>(&slabs, &options)?.ranks;
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < ROUNDING;
    assert!(found.iter().zip(&expected).all(close), "Meerkat's ranks of {}", input.name);

    let [meerkat_run_ms, rows_run_ms] = least_ms(
        args.input.runs,
        [
            &mut || {
                black_box(ranks::<f64, _>(&slabs, &options)?);
                Ok(())
            },
            &mut || {
                black_box(matrix.ranks(options.damping, args.iterations));
                Ok(())
            },
        ],
    )?;
    Ok(Row {
        n: input.graph.n,
        m_arcs: input.graph.m_arcs(),
        graph: input.name,
        iterations: args.iterations,
        read_ms: input.read_ms,
        meerkat_build_ms,
        meerkat_run_ms,
        rows_build_ms,
        rows_run_ms,
        ratio: meerkat_run_ms / rows_run_ms,
    })
}

/// The in-neighbours of every vertex, and the out-degrees.
struct Matrix {
    rows: Rows,
    out_degrees: Vec<u32>,
}

impl Matrix {
    fn new(graph: &meerkat_runtime::read::SimpleGraph) -> Self {
        let mut in_degrees = vec![0; graph.n as usize];
        for &destination in &graph.destinations {
            in_degrees[destination as usize] += 1;
        }
        let mut next = vec![0; graph.n as usize];
        for v in 1..next.len() {
            next[v] = next[v - 1] + in_degrees[v - 1];
        }
        let mut sources = vec![0; graph.sources.len()];
        for (&source, &destination) in graph.sources.iter().zip(&graph.destinations) {
            let place = &mut next[destination as usize];
            sources[*place as usize] = source;
            *place += 1;
        }
        Matrix { rows: Rows::new(&in_degrees, sources), out_degrees: graph.out_degrees() }
    }

    /// The textbook power iteration; the rank of dead ends goes to all vertices.
    fn ranks(&self, damping: f64, steps: u32) -> Vec<f64> {
        let n = self.out_degrees.len();
        let mut ranks = vec![1.0 / n as f64; n];
        let mut shares = vec![0.0; n];
        for _ in 0..steps {
            let mut dead = 0.0;
            for ((share, &rank), &degree) in shares.iter_mut().zip(&ranks).zip(&self.out_degrees) {
                *share = if degree == 0 { 0.0 } else { rank / f64::from(degree) };
                dead += if degree == 0 { rank } else { 0.0 };
            }
            let teleported = (1.0 - damping + damping * dead) / n as f64;
            for (v, rank) in (0..).zip(&mut ranks) {
                let received: f64 =
                    self.rows.neighbors(v).iter().map(|&u| shares[u as usize]).sum();
                *rank = teleported + damping * received;
            }
        }
        ranks
    }
}
