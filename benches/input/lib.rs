//! What the benches share: the graphs they read, compressed rows, clocks, and comparisons.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use meerkat_runtime::graph::Direction;
use meerkat_runtime::read::{SimpleGraph, VertexIds, read};
use meerkat_runtime::{
    Device, DynamicAlgorithm, DynamicGraph, Edge, EdgeLists, Error as MeerkatError, Float,
    SlabGraph, SlabOptions, Tracked,
};
use serde::Serialize;

/// Where the graphs beside the repository are not.
const SMALL_GRAPH: &str = "tests/graphs/rome99.gr.gz";

/// Where a bench of one program runs, and how it prints.
#[derive(Args, Clone, Copy, Debug)]
pub struct RunArgs {
    #[arg(long, value_enum, default_value_t = On::Cpu)]
    device: On,
    /// One JSON object a row
    #[arg(long)]
    pub json: bool,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum On {
    Cpu,
    Cuda,
}

impl RunArgs {
    /// The device that was asked for.
    ///
    /// # Errors
    /// No CUDA device.
    pub fn device(&self) -> Result<Device, MeerkatError> {
        match self.device {
            On::Cpu => Ok(Device::cpu()),
            On::Cuda => Device::cuda(0),
        }
    }
}

/// Which graphs to time, and how often.
#[derive(Args, Debug)]
pub struct InputArgs {
    /// Graph file, its path relative to the repository; may be given again
    #[arg(long, value_name = "FILE")]
    graph: Vec<PathBuf>,
    /// Take records as edges, where the file does not say
    #[arg(long)]
    undirected: bool,
    /// Timed runs of each program, after one that is not timed
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

impl InputArgs {
    fn paths(&self, default: &[&str]) -> Vec<PathBuf> {
        let root = std::env::var_os("MEERKAT_TEST_ROOT").map_or_else(
            || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/..")),
            PathBuf::from,
        );
        if !self.graph.is_empty() {
            return self.graph.iter().map(|graph| root.join(graph)).collect();
        }
        let mut present: Vec<PathBuf> = default.iter().map(|graph| root.join(graph)).collect();
        present.retain(|graph| graph.exists());
        if present.is_empty() {
            present.push(root.join(SMALL_GRAPH));
        }
        present
    }

    /// Measures the graphs asked for, else those of `default` that are there, and prints each
    /// as soon as it is done: below `header`, or in JSON.
    ///
    /// # Errors
    /// That of a measurement; the output is closed.
    pub fn table<R: Serialize>(
        &self,
        default: &[&str],
        header: &str,
        measure: impl Fn(&Path) -> Result<R, Box<dyn Error>>,
        print: impl Fn(&mut dyn Write, &R) -> io::Result<()>,
    ) -> Result<(), Box<dyn Error>> {
        let mut out = io::stdout().lock();
        if !self.json {
            writeln!(out, "{header}")?;
        }
        for path in self.paths(default) {
            let row = measure(&path)?;
            match self.json {
                true => writeln!(out, "{}", serde_json::to_string(&row)?)?,
                false => print(&mut out, &row)?,
            }
        }
        Ok(())
    }

    /// Reads a graph, and makes it simple.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self, path: &Path) -> Result<Input, Box<dyn Error>> {
        let start = Instant::now();
        let file = read(path, &mut |_| {})?;
        let directed = file.declared_directed.unwrap_or(!self.undirected);
        let graph = file.simple(if directed { Direction::Directed } else { Direction::Undirected });
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Input { name, ids: file.ids, graph, read_ms: ms_since(start) })
    }
}

/// A graph of a file.
#[derive(Debug)]
pub struct Input {
    /// The name of the file.
    pub name: String,
    /// The ids of its vertices.
    pub ids: VertexIds,
    /// Its arcs, without loops and repeated ones.
    pub graph: SimpleGraph,
    /// The time it took to read the file and to sort the arcs.
    pub read_ms: f64,
}

impl Input {
    /// The slab graph on a device, and the time it took to build.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn slabs(
        &self,
        device: &Device,
        options: &SlabOptions,
    ) -> Result<(SlabGraph<()>, f64), Box<dyn Error>> {
        let start = Instant::now();
        let arcs = self.graph.sources.iter().zip(&self.graph.destinations);
        let edges: Vec<_> = arcs.map(|(&src, &dst)| Edge { src, dst, weight: () }).collect();
        let slabs = SlabGraph::from_edges(device, self.graph.n, &edges, options)?;
        Ok((slabs, ms_since(start)))
    }
}

/// The neighbours of all vertices, one after another: compressed sparse rows.
#[derive(Debug)]
pub struct Rows {
    /// The neighbours of `v` are `neighbors[first[v]..first[v + 1]]`.
    first: Vec<usize>,
    neighbors: Vec<u32>,
}

impl Rows {
    /// The rows of vertices with these degrees, whose neighbours follow one another.
    pub fn new(degrees: &[u32], neighbors: Vec<u32>) -> Self {
        let mut first = vec![0];
        for &degree in degrees {
            first.push(first[first.len() - 1] + degree as usize);
        }
        Rows { first, neighbors }
    }

    /// The neighbours of a vertex.
    pub fn neighbors(&self, v: u32) -> &[u32] {
        &self.neighbors[self.first[v as usize]..self.first[v as usize + 1]]
    }
}

/// The least time of each of some programs, which take turns so that other work on the
/// machine slows all of them. Each runs once before it is timed.
///
/// # Errors
/// That of a program.
pub fn least_ms<const N: usize>(
    runs: u32,
    mut programs: [&mut dyn FnMut() -> Result<(), Box<dyn Error>>; N],
) -> Result<[f64; N], Box<dyn Error>> {
    let mut least = [f64::INFINITY; N];
    for run in 0..=runs {
        for (program, least) in programs.iter_mut().zip(&mut least) {
            let start = Instant::now();
            program()?;
            if run > 0 {
                *least = least.min(ms_since(start));
            }
        }
    }
    Ok(least)
}

/// The median of the times after the first, which is not counted.
pub fn median(times: &[f64]) -> f64 {
    let mut counted = times.get(1..).unwrap_or_default().to_vec();
    counted.sort_by(f64::total_cmp);
    counted.get(counted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The median time of some runs after a first one, in milliseconds: between events of the device,
/// on the CPU by its clock.
///
/// # Errors
/// Those of `work`; the device fails.
pub fn median_ms(
    device: &Device,
    runs: u32,
    mut work: impl FnMut() -> Result<(), MeerkatError>,
) -> Result<f64, MeerkatError> {
    let times: Result<Vec<_>, _> = (0..=runs).map(|_| device.measure(&mut work)).collect();
    Ok(median(&times?))
}

/// Whether two vectors are the same product of a matrix with rows of these lengths, but for what
/// rounding may differ by. All products are positive, so that is relative to the sum.
pub fn is_same_product<T: Float>(degrees: &[u32], unit: f64, one: &[T], other: &[T]) -> bool {
    one.len() == other.len()
        && degrees.iter().zip(one.iter().zip(other)).all(|(&degree, (one, other))| {
            let (one, other) = (one.to_f64(), other.to_f64());
            (one - other).abs() <= f64::from(degree + 1) * unit * one
        })
}

/// The answer that has followed, and the one from scratch.
///
/// # Errors
/// No memory; the device fails.
pub fn followed_and_scratch<L: EdgeLists, A: DynamicAlgorithm<DynamicGraph<L>>>(
    tracked: &mut Tracked<DynamicGraph<L>, A>,
) -> Result<(A::Output, A::Output), MeerkatError> {
    let algorithm = tracked.algorithm();
    let scratch = algorithm.output(&algorithm.compute(tracked.graph())?)?;
    Ok((tracked.output()?, scratch))
}

/// The milliseconds since then.
pub fn ms_since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
