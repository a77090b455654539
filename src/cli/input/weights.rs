//! The weights of edges: the file's, synthetic, or 1.

use clap::ValueEnum;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{Duplicates, GraphFile};

use super::Input;
use super::report::WeightSource;
use crate::cli::failure::Failure;

/// Where the weights come from, and which counts.
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct WeightsArgs {
    /// Where the weights come from [default: the file, or 1 where it has none]
    #[arg(long, short, value_name = "native|synthetic|unit")]
    weights: Option<WeightKind>,

    /// Which of several records of one arc gives its weight
    #[arg(long, value_name = "min|last", default_value = "min")]
    duplicates: DuplicatesArg,

    /// Add this to every weight of the file
    #[arg(long, value_name = "NUMBER", default_value = "0", allow_negative_numbers = true,
          value_parser = finite)]
    shift_weights: f64,
}

/// Where weights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WeightKind {
    /// The file.
    Native,
    /// 1 + (31 u + 17 v) mod 64 for the arc u -> v of the file's ids.
    Synthetic,
    /// 1 everywhere.
    Unit,
}

/// Which of several records of one arc gives its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DuplicatesArg {
    /// The smallest.
    Min,
    /// The last one of the file.
    Last,
}

/// Which numbers an algorithm takes for weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum WeightRange {
    /// Lengths of edges: 0 or more.
    Lengths,
    /// Entries of a matrix, which may be negative.
    All,
}

/// A weight for each arc or record, of the type that holds them all.
#[derive(Debug)]
pub(in crate::cli) enum Weights {
    /// 1 everywhere.
    Unit,
    Integers(Vec<u32>),
    Floats(Vec<f32>),
}

impl WeightsArgs {
    pub(in crate::cli) fn duplicates(&self) -> Duplicates {
        match self.duplicates {
            DuplicatesArg::Min => Duplicates::Min,
            DuplicatesArg::Last => Duplicates::Last,
        }
    }

    /// The kind, if the file has weights or not. A shift needs those of the file.
    fn kind(&self, file_has_weights: bool) -> WeightKind {
        self.weights.unwrap_or(match file_has_weights || self.shift_weights != 0.0 {
            true => WeightKind::Native,
            false => WeightKind::Unit,
        })
    }

    /// Whether the two arcs of an edge have weights of their own, as synthetic ones do.
    pub(in crate::cli) fn differ_by_arc(&self) -> bool {
        self.weights == Some(WeightKind::Synthetic)
    }

    /// The weight of each arc of the simple graph.
    pub(in crate::cli) fn of_arcs(
        &self,
        input: &mut Input,
        range: WeightRange,
    ) -> Result<Weights, Failure> {
        let graph = &input.graph;
        let ends = (&graph.sources[..], &graph.destinations[..]);
        let weights = self.of(input, ends, graph.weights.as_deref(), range)?;
        let has_weights = graph.weights.is_some();
        self.report(input, has_weights, input.report.has_times());
        Ok(weights)
    }

    /// The weight of each record of the file.
    pub(in crate::cli) fn of_records(
        &self,
        input: &mut Input,
        range: WeightRange,
    ) -> Result<Weights, Failure> {
        let file = &input.file;
        let ends = (&file.sources[..], &file.destinations[..]);
        let weights = self.of(input, ends, file.weights.as_deref(), range)?;
        let has_weights = file.weights.is_some();
        // A stream has times always, and says so.
        self.report(input, has_weights, false);
        Ok(weights)
    }

    fn of(
        &self,
        input: &Input,
        (sources, targets): (&[u32], &[u32]),
        native: Option<&[f64]>,
        range: WeightRange,
    ) -> Result<Weights, Failure> {
        match (self.kind(native.is_some()), native) {
            (WeightKind::Unit | WeightKind::Synthetic, _) if self.shift_weights != 0.0 => {
                Err(Failure::NothingToShift)
            }
            (WeightKind::Unit, _) => Ok(Weights::Unit),
            (WeightKind::Synthetic, _) if input.ids().is_text() => {
                Err(Failure::SyntheticOfText { graph: input.path.clone() })
            }
            (WeightKind::Synthetic, _) => {
                let id = |vertex| input.ids().id_of(vertex);
                let weight = |at: usize| synthetic((id(sources[at]), id(targets[at])));
                Ok(Weights::Integers((0..sources.len()).map(weight).collect()))
            }
            (WeightKind::Native, None) => Err(no_weights(input)),
            (WeightKind::Native, Some(weights)) => shifted(weights, self.shift_weights, range)
                .map_err(|(at, weight)| {
                    let id = |vertex| input.id(vertex).to_string();
                    let (src, dst) = (id(sources[at]), id(targets[at]));
                    let wanted = range.wanted();
                    Failure::BadWeight { graph: input.path.clone(), src, dst, weight, wanted }
                }),
        }
    }

    /// Says in the report where the weights come from.
    fn report(&self, input: &mut Input, has_weights: bool, has_unread_times: bool) {
        let (source, note) = match (self.kind(has_weights), self.weights) {
            (WeightKind::Native, _) => (WeightSource::Column, "of the file"),
            (WeightKind::Synthetic, _) => (WeightSource::Synthetic, "synthetic, from 1 to 64"),
            (WeightKind::Unit, Some(_)) => (WeightSource::Unit, "1 each, as asked"),
            (WeightKind::Unit, None) if has_unread_times => (
                WeightSource::Unit,
                "1 each: the third column was read as times; see `--columns source,target,weight`",
            ),
            (WeightKind::Unit, None) => (WeightSource::Unit, "1 each: the file has none"),
        };
        input.report = input.report.clone().with_weights(source, note);
    }
}

/// The weight of the arc u -> v of the file's ids, from 1 to 64.
fn synthetic((u, v): (u64, u64)) -> u32 {
    1 + (u.wrapping_mul(31).wrapping_add(v.wrapping_mul(17)) % 64) as u32
}

/// Records of edges as records of both arcs, one after the other: the same graph, each arc
/// with a weight of its own.
pub(in crate::cli) fn as_arcs(file: &mut GraphFile) -> Direction {
    let twice = |first: &[u32], second: &[u32]| {
        first.iter().zip(second).flat_map(|(&first, &second)| [first, second]).collect::<Vec<_>>()
    };
    let sources = twice(&file.sources, &file.destinations);
    file.destinations = twice(&file.destinations, &file.sources);
    file.sources = sources;
    file.weights = file.weights.take().map(doubled);
    file.times = file.times.take().map(doubled);
    Direction::Directed
}

fn doubled<T: Copy>(values: Vec<T>) -> Vec<T> {
    values.into_iter().flat_map(|value| [value, value]).collect()
}

fn no_weights(input: &Input) -> Failure {
    let hint = match input.report.has_times() {
        true => {
            "its third column was read as times, and `--columns source,target,weight` reads \
             weights; "
        }
        false => "",
    };
    Failure::NoWeights { graph: input.path.clone(), hint }
}

impl WeightRange {
    /// The numbers, in words.
    fn wanted(self) -> &'static str {
        match self {
            WeightRange::Lengths => "0 or more, and integers below 2^32 or 32-bit floats",
            WeightRange::All => "32-bit floats",
        }
    }
}

/// The weights of the file, each with `shift` added, or the place of the first out of range.
fn shifted(weights: &[f64], shift: f64, range: WeightRange) -> Result<Weights, (usize, f64)> {
    let all = || weights.iter().map(|weight| weight + shift);
    let integers = 0.0..=f64::from(u32::MAX);
    let (are_integers, allowed) = match range {
        WeightRange::Lengths => {
            let are_integers = all().all(|weight| weight.fract() == 0.0);
            let floats = 0.0..=f64::from(f32::MAX);
            (are_integers, if are_integers { integers } else { floats })
        }
        WeightRange::All => {
            let are_integers =
                all().all(|weight| weight.fract() == 0.0 && integers.contains(&weight));
            (are_integers, f64::from(f32::MIN)..=f64::from(f32::MAX))
        }
    };
    if let Some(refused) = all().enumerate().find(|(_, w)| !allowed.contains(w)) {
        return Err(refused);
    }
    Ok(match are_integers {
        true => Weights::Integers(all().map(|weight| weight as u32).collect()),
        false => Weights::Floats(all().map(|weight| weight as f32).collect()),
    })
}

fn finite(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or("give a number, and not an infinite one")
}
