//! What the user says: a paper, which of its tables and figures, on which graphs.

use std::num::NonZero;
use std::path::PathBuf;

use clap::ValueEnum;

use super::experiment::{Experiment, Paper};
use super::papers::PAPERS;
use crate::cli::args::{ExecutionArgs, from_one};
use crate::cli::failure::Failure;
use crate::cli::input::{DirectionArgs, GraphSource, ReadArgs};

const HELP: &str = "\
Examples:
  # Everything on tiny generated graphs, in less than a minute
  meerkat bench paper meerkat --quick --out figures

  # Two figures on graphs of the paper that lie in a folder
  meerkat bench paper meerkat --figure 7,8b --folder graphs --out figures --device cuda

  # A table on one file, for a script
  meerkat bench paper awad --table II --graphs road_usa.mtx.gz --out figures --json

Papers: meerkat (Concessao et al., 2023), awad (Awad et al., 2020), dfp (Sahu, 2024) and hornet
(Busato et al., 2018). Each table and figure becomes a JSON file and an SVG file in --out, and a
table here, the paper's figures beside ours.

A figure runs on the graphs of --graphs; else on those of the paper that lie in --folder by their
usual names (soc-LiveJournal1.mtx.gz); else on generated graphs of their kind and size. The report
says which were used, and where the paper's can be had. Those sizes are for a GPU with much memory,
and take hours; with --shrink 16 they are a 16th. On a CPU take --quick or --graphs. A graph that does
not fit is left out, and the report says so. Graph by graph all experiments run, and the files have what
was found so far. Batches that an algorithm follows end when all edges have
moved: a small graph has fewer of them. A temporal file is followed in the order of its times. Where a paper compares with Hornet, block arrays
of this library are measured, which are laid out as Hornet's. Answers are compared with plain
code or with a computation from scratch, and a wrong one is an error that names the experiment.";

/// Which tables and figures are measured, and where they go.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(in crate::cli) struct PaperArgs {
    /// The paper
    #[arg(value_name = "meerkat|awad|dfp|hornet")]
    pub(super) paper: PaperName,

    /// Tables to measure, by their numbers in the paper [default: all, if no figure is named]
    #[arg(long, value_name = "N,N,..", value_delimiter = ',')]
    pub(super) table: Vec<String>,

    /// Figures to measure; `8` is 8a and 8b [default: all, if no table is named]
    #[arg(long, value_name = "N,N,..", value_delimiter = ',')]
    pub(super) figure: Vec<String>,

    /// Graph files, or `rmat:22`, `uniform:10000000:80000000`, `grid:4096x4096:30:10`, in place of
    /// the paper's
    #[arg(long, short, value_name = "FILE|GENERATOR", num_args = 1..)]
    pub(super) graphs: Vec<GraphSource>,

    /// Folder with graphs of the paper, by their usual names
    #[arg(long, value_name = "DIR", conflicts_with = "graphs")]
    pub(super) folder: Option<PathBuf>,

    /// Folder for the JSON and SVG files; it is made if it is not there
    #[arg(long, short, value_name = "DIR")]
    pub(super) out: PathBuf,

    /// Run everything on tiny graphs with small batches: to see that all works
    #[arg(long)]
    pub(super) quick: bool,

    /// Generate graphs that are N times as small as the paper's; files and batches stay as they are
    #[arg(long, value_name = "N", default_value = "1", conflicts_with_all = ["quick", "graphs"],
          value_parser = from_one::<NonZero<u32>>, allow_negative_numbers = true)]
    pub(super) shrink: NonZero<u32>,

    #[command(flatten)]
    pub(super) direction: DirectionArgs,

    #[command(flatten)]
    pub(super) read: ReadArgs,

    #[command(flatten)]
    pub(super) execution: ExecutionArgs,
}

/// A paper, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PaperName {
    Meerkat,
    Awad,
    Dfp,
    Hornet,
}

impl PaperName {
    pub(super) fn paper(self) -> &'static Paper {
        let at = match self {
            Self::Meerkat => 0,
            Self::Awad => 1,
            Self::Dfp => 2,
            Self::Hornet => 3,
        };
        PAPERS[at]
    }
}

impl PaperArgs {
    pub(super) fn is_everything(&self) -> bool {
        self.table.is_empty() && self.figure.is_empty()
    }

    /// The experiments that are asked for; a number that there is not is refused.
    pub(super) fn experiments(&self, paper: &Paper) -> Result<Vec<&'static Experiment>, Failure> {
        let is_table = |experiment: &Experiment, number: &str| experiment.part.is_table(number);
        let is_figure = |experiment: &Experiment, number: &str| experiment.part.is_figure(number);
        for (kind, numbers, is_it) in [
            ("table", &self.table, &is_table as &dyn Fn(&Experiment, &str) -> bool),
            ("figure", &self.figure, &is_figure),
        ] {
            let is_there = |number: &str| paper.experiments.iter().any(|one| is_it(one, number));
            if let Some(number) = numbers.iter().find(|number| !is_there(number)) {
                return Err(unknown(paper, format!("{kind} {number}")));
            }
        }
        let is_asked = |experiment: &&Experiment| {
            self.is_everything()
                || self.table.iter().any(|number| is_table(experiment, number))
                || self.figure.iter().any(|number| is_figure(experiment, number))
        };
        Ok(paper.experiments.iter().filter(is_asked).collect())
    }
}

fn unknown(paper: &Paper, asked: String) -> Failure {
    let parts = paper.experiments.iter().map(|experiment| experiment.part.to_string());
    let known = parts.collect::<Vec<_>>().join(", ");
    Failure::UnknownExperiment { paper: paper.name, asked, known }
}
