//! Sparse matrix times dense vector for the command.

use std::fmt;
use std::io::{self, Write};
use std::rc::Rc;

use clap::ValueEnum;
use meerkat::algos::catalog;
use meerkat::algos::spmv::{self, Entry};
use meerkat::runtime::random::random_f64;
use meerkat::runtime::read::VertexIds;
use meerkat::runtime::{Container, DeviceBuffer, Error, Float, Orientation, Weight};
use serde::Serialize;

use super::plain::{Answers, Rows};
use super::precision::Precision;
use super::rounding::Bounds;
use super::{Algorithm, AlgorithmArgs, Figures, Task};
use crate::cli::bench::{StaticCase, StaticRow, length};
use crate::cli::container::Lists;
use crate::cli::failure::Failure;
use crate::cli::input::{Input, WeightRange, Weights, WeightsArgs};
use crate::cli::timing::timed;

const RUN_HELP: &str = "\
Examples:
  # The sum of each row
  meerkat run spmv --graph tests/graphs/rome99.gr.gz --verify

  # A random vector, in single precision, over compressed rows; y goes to a file
  meerkat run spmv --graph G.mtx --seed 7 --precision f32 --container rows --output y

y = A x: y[v] is the sum of weight * x[u] over the arcs v -> u. x is 1 everywhere, or with --seed
random from 0 to below 1. A is the matrix of the simple graph: entries of the diagonal are loops,
which are dropped, and of entries that are given twice --duplicates says which counts.

Without --weights the entries are the file's weights, or 1 where it has none. They may be negative:
if all are integers from 0 to 2^32 - 1 they are kept as such, else as 32-bit floats.

--output FILE writes `id y`.

The result in JSON: sum, norm, product_ms; sum is of all y[v], norm is the square root of the sum of
their squares, product_ms is the time of the last product alone, while `run` of the timings moves
x and y as well.";

/// What the user says of a product.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "SpMV")]
pub(super) struct SpmvArgs {
    /// Numbers of the vectors
    #[arg(long, value_name = "f32|f64", default_value = "f64")]
    precision: Precision,

    /// Multiply by random numbers from 0 to below 1, made of this seed, and not by ones
    #[arg(long, value_name = "SEED", allow_negative_numbers = true)]
    seed: Option<u64>,

    #[command(flatten)]
    weights: WeightsArgs,
}

impl SpmvArgs {
    fn start_in<R: Float + fmt::Display, T: Task>(
        &self,
        input: &Input,
        weights: Option<Weights>,
        task: T,
    ) -> Result<T::Output, Failure>
    where
        (): Entry<R>,
        u32: Entry<R>,
        f32: Entry<R>,
    {
        let product = Product::<R>::new(self, input.graph.n);
        match weights {
            Some(Weights::Floats(weights)) => task.perform::<f32, _>(&product, |at| weights[at]),
            Some(Weights::Integers(weights)) => task.perform::<u32, _>(&product, |at| weights[at]),
            Some(Weights::Unit) | None => task.perform::<(), _>(&product, |_| ()),
        }
    }
}

impl AlgorithmArgs for SpmvArgs {
    const ENTRY: &'static catalog::Algorithm = &catalog::SPMV;
    const RUN_HELP: &'static str = RUN_HELP;
    const RUNS_OVER_RANKS: bool = false;
    const WEIGHT_RANGE: WeightRange = WeightRange::All;

    fn weights(&self) -> Option<&WeightsArgs> {
        Some(&self.weights)
    }

    fn start<T: Task>(
        &self,
        input: &Input,
        weights: Option<Weights>,
        task: T,
    ) -> Result<T::Output, Failure> {
        match self.precision {
            Precision::F32 => self.start_in::<f32, T>(input, weights, task),
            Precision::F64 => self.start_in::<f64, T>(input, weights, task),
        }
    }

    fn bench_static<L: Lists>(case: &StaticCase<'_>) -> Result<Vec<StaticRow>, Failure> {
        let pattern = case.build::<L, ()>(Orientation::Out)?;
        let mut rows =
            vec![time::<f32, _>(case, "f32", &pattern)?, time::<f64, _>(case, "f64", &pattern)?];
        drop(pattern);
        let lengths = case.build::<L, u32>(Orientation::Out)?;
        rows.push(time::<f32, _>(case, "f32, lengths", &lengths)?);
        rows.push(time::<f64, _>(case, "f64, lengths", &lengths)?);
        Ok(rows)
    }
}

/// The product by ones, by plain code.
fn row_sums(answers: &Answers, has_lengths: bool) -> Rc<Vec<f64>> {
    answers.to(format!("row sums, lengths: {has_lengths}"), |graph| {
        let mut sums = vec![0.0; graph.n as usize];
        for (&u, &v) in graph.sources.iter().zip(&graph.destinations) {
            sums[u as usize] += if has_lengths { f64::from(length((u, v))) } else { 1.0 };
        }
        sums
    })
}

/// Times products by a vector of ones, after one was compared with what plain code has.
fn time<R: Float, C: Container<Carried: Entry<R>>>(
    case: &StaticCase<'_>,
    variant: &'static str,
    graph: &C,
) -> Result<StaticRow, Failure> {
    let (device, n) = (graph.device(), graph.vertex_count() as usize);
    let x = DeviceBuffer::from_slice(device, &vec![R::ONE; n])?;
    let mut y = DeviceBuffer::zeroed(device, n)?;
    case.check(|answers| {
        spmv::multiply(graph, &x, &mut y)?;
        let expected = row_sums(answers, C::Carried::IS_WEIGHTED);
        // Sums are whole, and exact as long as a number has digits enough.
        let unit = if size_of::<R>() == 4 { f64::from(f32::EPSILON) } else { 0.0 };
        let is_near = |(found, sum): (R, &f64)| {
            let lost = if *sum < f64::from(1 << 24) { 0.0 } else { unit * sum * sum.log2() };
            (found.to_f64() - sum).abs() <= lost
        };
        Ok(y.to_vec()?.into_iter().zip(&*expected).all(is_near))
    })?;
    Ok(case.time(variant, || spmv::multiply(graph, &x, &mut y))?)
}

/// A product by `x`.
struct Product<R> {
    precision: Precision,
    seed: Option<u64>,
    x: Vec<R>,
}

impl<R: Float> Product<R> {
    fn new(args: &SpmvArgs, n: u32) -> Self {
        let SpmvArgs { precision, seed, .. } = *args;
        let number = |v: u32| match seed {
            Some(seed) => R::from_f64(random_f64(seed, v.into())),
            None => R::ONE,
        };
        Self { precision, seed, x: (0..n).map(number).collect() }
    }
}

/// What a product found.
struct Multiplied<R> {
    y: Vec<R>,
    product_ms: f64,
    precision: Precision,
    seed: Option<u64>,
}

/// A weight as the plain code takes it: without the library's conversions.
trait PlainEntry {
    fn number(self) -> f64;
}

impl PlainEntry for () {
    fn number(self) -> f64 {
        1.0
    }
}

impl PlainEntry for u32 {
    fn number(self) -> f64 {
        self.into()
    }
}

impl PlainEntry for f32 {
    fn number(self) -> f64 {
        self.into()
    }
}

impl<R: Float + fmt::Display, W: Weight + Entry<R> + PlainEntry> Algorithm<W> for Product<R> {
    type Answer = Multiplied<R>;
    type Figures = SpmvFigures;

    fn orientation(&self, _: bool) -> Orientation {
        Orientation::Out
    }

    fn compute(
        &self,
        graph: &impl Container<Carried = W>,
        _: bool,
    ) -> Result<Multiplied<R>, Error> {
        let device = graph.device();
        let x = DeviceBuffer::from_slice(device, &self.x)?;
        let mut y = DeviceBuffer::zeroed(device, self.x.len())?;
        let ((), span) = timed(device, || spmv::multiply(graph, &x, &mut y))?;
        let Self { precision, seed, .. } = *self;
        Ok(Multiplied { y: y.to_vec()?, product_ms: span.work_ms, precision, seed })
    }

    fn figures(&self, answer: &Multiplied<R>, _: &VertexIds) -> SpmvFigures {
        SpmvFigures::new(answer)
    }

    fn write_vertex(
        &self,
        answer: &Multiplied<R>,
        _: &VertexIds,
        vertex: u32,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        write!(to, "{}", answer.y[vertex as usize])
    }

    fn verify(
        &self,
        answer: &Multiplied<R>,
        input: &Input,
        weight: &dyn Fn(usize) -> W,
    ) -> Result<(), String> {
        let rows = Rows::new(&input.graph);
        for (vertex, found) in (0..).zip(&answer.y) {
            let arcs = rows.arcs(vertex as usize);
            let bounds = Bounds::of_row::<R>(arcs.len());
            let products = arcs.map(|arc| weight(arc).number() * self.x[rows.target(arc)].to_f64());
            let (sum, magnitude) = products.fold((0.0, 0.0), |(sum, magnitude), product| {
                (sum + product, magnitude + product.abs())
            });
            if !bounds.allow(found.to_f64(), sum, magnitude) {
                let id = input.id(vertex);
                return Err(format!("vertex {id} has the sum {found}, expected {sum:e}"));
            }
        }
        Ok(())
    }
}

/// A product in figures.
#[derive(Debug, Serialize)]
pub(super) struct SpmvFigures {
    #[serde(skip)]
    precision: Precision,
    #[serde(skip)]
    seed: Option<u64>,
    /// Of all elements of the product; null in JSON if it is no number.
    sum: f64,
    /// The square root of the sum of their squares.
    norm: f64,
    /// Of the product alone: `x` and `y` are on the device.
    product_ms: f64,
}

impl SpmvFigures {
    fn new<R: Float>(found: &Multiplied<R>) -> Self {
        let numbers = || found.y.iter().map(|y| y.to_f64());
        let Multiplied { precision, seed, product_ms, .. } = *found;
        let norm = numbers().map(|y| y * y).sum::<f64>().sqrt();
        Self { precision, seed, sum: numbers().sum(), norm, product_ms }
    }
}

impl Figures for SpmvFigures {
    fn question(&self) -> String {
        let precision = self.precision.to_possible_value();
        let precision = precision.as_ref().map_or("", |value| value.get_name());
        match self.seed {
            Some(seed) => format!(" in {precision} by random numbers of seed {seed}"),
            None => format!(" in {precision} by ones"),
        }
    }

    fn answer(&self, _: u32) -> String {
        let Self { sum, norm, product_ms, .. } = self;
        format!("y        sum {sum}, norm {norm}\nproduct  {product_ms:.3} ms, x and y in place\n")
    }
}
