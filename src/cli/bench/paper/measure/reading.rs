//! Breadth-first search and a sparse matrix times a vector, over block arrays and over rows.

use meerkat::algos::{bfs, spmv};
use meerkat::runtime::{Container, DeviceBuffer, Error, Orientation, RowGraph};

use crate::cli::algorithms::{Answers, levels_from};
use crate::cli::bench::algorithms::{StaticCase, StaticRow};
use crate::cli::bench::paper::experiment::Value;
use crate::cli::bench::paper::graphs::Dataset;
use crate::cli::bench::paper::lab::Lab;
use crate::cli::container::{Blocks, DynamicContainer, Graph};
use crate::cli::failure::Failure;

type Values = Result<Vec<Value>, Failure>;

/// How many times as fast as over rows the levels of all vertices are over block arrays.
pub(in crate::cli::bench::paper) fn searches(lab: &mut Lab<'_>, dataset: &Dataset) -> Values {
    over_rows(lab, dataset, "bfs", search, search)
}

fn search<C: Container<Carried = ()>>(
    case: &StaticCase<'_>,
    graph: &C,
    source: u32,
) -> Result<StaticRow, Error> {
    case.time("levels", || bfs::levels_on_device(graph, source).map(drop))
}

/// The same of products in single precision, without weights.
pub(in crate::cli::bench::paper) fn products(lab: &mut Lab<'_>, dataset: &Dataset) -> Values {
    over_rows(lab, dataset, "spmv", product, product)
}

fn product<C: Container<Carried = ()>>(
    case: &StaticCase<'_>,
    graph: &C,
    _source: u32,
) -> Result<StaticRow, Error> {
    let (device, n) = (graph.device(), graph.vertex_count() as usize);
    let x = DeviceBuffer::<f32>::from_slice(device, &vec![1.0; n])?;
    let mut y = DeviceBuffer::<f32>::zeroed(device, n)?;
    case.time("f32", || spmv::multiply(graph, &x, &mut y))
}

type BlockGraph = Graph<Blocks, ()>;
type Timed<C> = fn(&StaticCase<'_>, &C, u32) -> Result<StaticRow, Error>;

/// Times both, after the answers of both were compared with those of plain code.
fn over_rows(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    algorithm: &'static str,
    of_blocks: Timed<BlockGraph>,
    of_rows: Timed<RowGraph>,
) -> Values {
    let workload = lab.workload(dataset)?;
    let answers = lab.answers(dataset, &workload)?;
    let container = DynamicContainer::Blocks;
    lab.with_case((&workload, &answers), algorithm, container, |case| {
        let blocks = case.build::<Blocks, ()>(Orientation::Out)?;
        let rows = RowGraph::of(&blocks)?;
        let source = case.source(&blocks)?;
        case.check(|answers| {
            Ok(is_right(&blocks, source, answers)? && is_right(&rows, source, answers)?)
        })?;
        let (blocks, rows) = (of_blocks(case, &blocks, source)?, of_rows(case, &rows, source)?);
        let ms = |row: StaticRow| row.median_ms.unwrap_or(f64::NAN);
        Ok(vec![Value::new("block arrays", ms(rows) / ms(blocks))])
    })
}

/// Whether levels and degrees are those of plain code.
fn is_right<C: Container<Carried = ()>>(
    graph: &C,
    source: u32,
    answers: &Answers,
) -> Result<bool, Error> {
    let expected = answers.to("degrees", |graph| {
        let mut degrees = vec![0.0; graph.n as usize];
        graph.sources.iter().for_each(|&u| degrees[u as usize] += 1.0);
        degrees
    });
    let levels = levels_from(answers, source);
    Ok(bfs::levels(graph, source)? == *levels && degrees(graph)? == *expected)
}

/// The product by ones.
fn degrees<C: Container<Carried = ()>>(graph: &C) -> Result<Vec<f32>, Error> {
    let (device, n) = (graph.device(), graph.vertex_count() as usize);
    let x = DeviceBuffer::<f32>::from_slice(device, &vec![1.0; n])?;
    let mut y = DeviceBuffer::<f32>::zeroed(device, n)?;
    spmv::multiply(graph, &x, &mut y)?;
    y.to_vec()
}
