//! `meerkat bench ranks`: a graph over several devices beside the same graph on one of them.
//!
//! ```text
//! Generator -> phases: which updates each batch has
//!   -> one device:          alone   -> times, answers --|
//!   -> each rank: a share   of_rank -> times, answers --|-> rows, if the answers agree
//! ```

mod clock;
mod measure;
mod shares;

use std::num::NonZero;
use std::path::Path;

use meerkat::runtime::communicator::communicator_on;
use meerkat::runtime::generate::Generator;
use serde::Serialize;

use self::measure::{Measured, Plan, alone, of_rank};
use self::shares::phases;
use super::table::{self, Row};
use crate::cli::args::{ExecutionArgs, RanksArgs, from_one};
use crate::cli::failure::Failure;
use crate::cli::output::{DeviceReport, GraphFigures};

const HELP: &str = "\
Examples:
  meerkat bench ranks --graph rmat:24 --devices cuda:0,cuda:1
  meerkat bench ranks --graph uniform:50000000:400000000 --devices cuda:0,cuda:1 --batch 4194304 --followed 100000
  meerkat bench ranks --graph rmat:14 --ranks 2 --json

Exact batches, answers from scratch, and answers that follow batches, over the ranks and on the
first of the devices, in compact slabs of both orientations. Times are of the host's clock until
all devices have nothing left to do: the median of --rounds after one that warms up, of the slowest
rank; `times` is how many times as fast the ranks are. Updates lie on the devices already, and each
rank brings an equal part of a batch. Half of the updates that answers follow are deletions. On the
CPU all ranks share its cores.

The answers after all batches are compared: levels and components must be equal, ranks as near as
they say. Ranks follow by the dynamic frontier with pruning on one device, and over ranks by steps
of all vertices. MEERKAT_PROFILE=1 says where the time of one run more went, on all ranks together.

The result in JSON: rows [{what, one_ms, ranks_ms, times}].";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(in crate::cli) struct RanksBenchArgs {
    /// `rmat:24`, `uniform:50000000:400000000`, `grid:4096x4096:30:10`
    #[arg(long, short, value_name = "GENERATOR")]
    graph: Generator,

    #[command(flatten)]
    ranks: RanksArgs,

    /// Updates of a batch that nothing follows
    #[arg(long, value_name = "N", default_value = "65536",
          value_parser = from_one::<NonZero<u32>>, allow_negative_numbers = true)]
    batch: NonZero<u32>,

    /// Updates of a batch that answers follow
    #[arg(long, value_name = "N", default_value = "1000",
          value_parser = from_one::<NonZero<u32>>, allow_negative_numbers = true)]
    followed: NonZero<u32>,

    /// How often each figure is taken
    #[arg(long, value_name = "N", default_value = "5",
          value_parser = from_one::<NonZero<u32>>, allow_negative_numbers = true)]
    rounds: NonZero<u32>,

    #[command(flatten)]
    execution: ExecutionArgs,
}

/// What was timed, over the ranks and on one device.
#[derive(Debug, Serialize)]
struct RankRow {
    what: &'static str,
    one_ms: f64,
    ranks_ms: f64,
    times: f64,
}

impl Row for RankRow {
    fn head() -> String {
        format!("{:<16} {:>14} {:>12} {:>8}", "what", "one device ms", "ranks ms", "times")
    }
    fn line(&self) -> String {
        let RankRow { what, one_ms, ranks_ms, times } = self;
        format!("{what:<16} {one_ms:>14.3} {ranks_ms:>12.3} {times:>8.2}")
    }
}

/// Times all of it and gives the report.
pub(super) fn run(args: &RanksBenchArgs) -> Result<String, Failure> {
    if args.ranks.is_rank() {
        return Err(Failure::NoRanks);
    }
    let ranks = args.ranks.open(&args.execution.place, Path::new(""))?.ok_or(Failure::NoRanks)?;
    let devices = ranks.devices_of_threads().ok_or(Failure::NoRanks)?;
    let (first, count) = (&devices[0], devices.len());
    let (batch, followed) = (args.batch.get(), args.followed.get());
    let phases = phases(&args.graph, (batch, followed), args.rounds.get())?;
    let source = measure::hub(&args.graph, first)?;
    let (graph, rounds) = (args.graph, args.rounds.get());
    let plan = Plan { graph, ranks: count as u32, rounds, source, phases };
    let one = alone(&plan, first)?;
    let of_ranks = ranks.run(|own, device| {
        of_rank(&plan, communicator_on(own, device)?, device, ranks.ownership())
    })?;
    if !of_ranks.iter().all(|rank| rank.has_answers_of(&one)) {
        return Err(Failure::RanksDiffer { ranks: count });
    }
    let figures = GraphFigures::named(graph.to_string(), graph.vertices(), one.arcs);
    let on = DeviceReport::new(ranks.name(), ranks.description());
    let (rows, format) = (rows(&one, &of_ranks), args.execution.format());
    Ok(table::report("bench ranks", rows, figures, None, on, format))
}

fn rows(one: &Measured, of_ranks: &[Measured]) -> Vec<RankRow> {
    let row = |(at, &(what, one_ms)): (usize, &(&'static str, f64))| {
        let ranks_ms = of_ranks.iter().map(|rank| rank.times[at].1).fold(0.0, f64::max);
        RankRow { what, one_ms, ranks_ms, times: one_ms / ranks_ms }
    };
    one.times.iter().enumerate().map(row).collect()
}
