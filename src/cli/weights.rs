//! The weights of a run: the file's, synthetic, or 1.

use std::path::Path;

use meerkat::runtime::Edge;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::GraphFile;

use super::args::WeightsArg;
use super::failure::Failure;
use super::input::Input;
use super::input_report::WeightSource;
use super::plan::WeightsPlan;

/// The arcs with weights of the type that holds them all.
pub(super) enum WeightedEdges {
    Integers(Vec<Edge<u32>>),
    Floats(Vec<Edge<f32>>),
}

/// The arcs of a graph with the weights asked for.
pub(super) fn weighted(input: &Input, plan: WeightsPlan) -> Result<WeightedEdges, Failure> {
    match kind_of(plan, input.graph.weights.is_some()) {
        WeightsArg::Unit => Ok(WeightedEdges::Integers(input.edges(|_| 1))),
        WeightsArg::Synthetic => {
            let id = |vertex: u32| input.ids.id_of(vertex);
            let (sources, destinations) = (&input.graph.sources, &input.graph.destinations);
            let weight =
                |arc: usize| synthetic(input.direction, id(sources[arc]), id(destinations[arc]));
            Ok(WeightedEdges::Integers(input.edges(weight)))
        }
        WeightsArg::Native => native(input, plan.shift),
    }
}

/// Where the weights come from. What is to be added to the file's needs them.
fn kind_of(plan: WeightsPlan, file_has_weights: bool) -> WeightsArg {
    plan.kind.unwrap_or(match file_has_weights || plan.shift != 0.0 {
        true => WeightsArg::Native,
        false => WeightsArg::Unit,
    })
}

/// What the report says of the weights.
pub(super) fn origin(input: &Input, plan: WeightsPlan) -> (WeightSource, &'static str) {
    let source = kind_of(plan, input.graph.weights.is_some());
    origin_of(source, plan, input.has_times)
}

fn origin_of(
    source: WeightsArg,
    plan: WeightsPlan,
    has_times: bool,
) -> (WeightSource, &'static str) {
    match (source, plan.kind) {
        (WeightsArg::Native, _) => (WeightSource::Column, "of the file"),
        (WeightsArg::Synthetic, _) => (WeightSource::Synthetic, "synthetic, from 1 to 64"),
        (WeightsArg::Unit, Some(_)) => (WeightSource::Unit, "1 each, as asked"),
        (WeightsArg::Unit, None) if has_times => (
            WeightSource::Unit,
            "1 each: the third column was read as times; see `--columns source,target,weight`",
        ),
        (WeightsArg::Unit, None) => (WeightSource::Unit, "1 each: the file has none"),
    }
}

/// What the report of a stream says of the weights of its records.
pub(super) fn record_origin(file: &GraphFile, plan: WeightsPlan) -> (WeightSource, &'static str) {
    // A stream has times always, and says so.
    origin_of(kind_of(plan, file.weights.is_some()), plan, false)
}

/// The weight of the arc u -> v of the file's ids, from 1 to 64. Both arcs of an edge have
/// the weight of the one that ascends, whichever way a record has it.
pub(super) fn synthetic(direction: Direction, u: u64, v: u64) -> u32 {
    let (u, v) = match direction {
        Direction::Directed => (u, v),
        Direction::Undirected => (u.min(v), u.max(v)),
    };
    1 + (u.wrapping_mul(31).wrapping_add(v.wrapping_mul(17)) % 64) as u32
}

fn native(input: &Input, shift: f64) -> Result<WeightedEdges, Failure> {
    let Some(weights) = &input.graph.weights else {
        return Err(no_weights(&input.path, input.has_times));
    };
    let refused = |arc: usize, weight| Failure::BadWeight {
        graph: input.path.clone(),
        src: input.ids.id_of(input.graph.sources[arc]),
        dst: input.ids.id_of(input.graph.destinations[arc]),
        weight,
    };
    match lengths(weights, shift) {
        Ok(Lengths::Integers(weights)) => {
            Ok(WeightedEdges::Integers(input.edges(|arc| weights[arc])))
        }
        Ok(Lengths::Floats(weights)) => Ok(WeightedEdges::Floats(input.edges(|arc| weights[arc]))),
        Err((arc, weight)) => Err(refused(arc, weight)),
    }
}

/// The weight of each record of a file, for a stream of them.
pub(super) fn record_weights(
    path: &Path,
    file: &GraphFile,
    direction: Direction,
    plan: WeightsPlan,
) -> Result<Lengths, Failure> {
    let records = || file.sources.iter().zip(&file.destinations);
    let id = |&vertex: &u32| file.ids.id_of(vertex);
    match (kind_of(plan, file.weights.is_some()), &file.weights) {
        (WeightsArg::Unit, _) => Ok(Lengths::Integers(vec![1; file.sources.len()])),
        (WeightsArg::Synthetic, _) => {
            let weight = |(u, v)| synthetic(direction, id(u), id(v));
            Ok(Lengths::Integers(records().map(weight).collect()))
        }
        (WeightsArg::Native, None) => Err(no_weights(path, file.times.is_some())),
        (WeightsArg::Native, Some(weights)) => {
            lengths(weights, plan.shift).map_err(|(record, weight)| Failure::BadWeight {
                graph: path.to_owned(),
                src: id(&file.sources[record]),
                dst: id(&file.destinations[record]),
                weight,
            })
        }
    }
}

fn no_weights(path: &Path, has_times: bool) -> Failure {
    let hint = match has_times {
        true => {
            "its third column was read as times, and `--columns source,target,weight` reads \
             weights; "
        }
        false => "",
    };
    Failure::NoWeights { graph: path.to_owned(), hint }
}

/// Weights as the type that holds them all.
pub(super) enum Lengths {
    Integers(Vec<u32>),
    Floats(Vec<f32>),
}

/// Weights that can be lengths, or the place of the first that cannot.
fn lengths(weights: &[f64], shift: f64) -> Result<Lengths, (usize, f64)> {
    let all = || weights.iter().map(|weight| weight + shift);
    let are_integers = all().all(|weight| weight.fract() == 0.0);
    let largest = if are_integers { u32::MAX.into() } else { f32::MAX.into() };
    if let Some(refused) = all().enumerate().find(|(_, w)| !(0.0..=largest).contains(w)) {
        return Err(refused);
    }
    Ok(match are_integers {
        true => Lengths::Integers(all().map(|weight| weight as u32).collect()),
        false => Lengths::Floats(all().map(|weight| weight as f32).collect()),
    })
}
