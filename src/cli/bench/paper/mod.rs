//! `meerkat bench paper`: the tables and figures of a paper's evaluation, measured again.
//!
//! ```text
//! PAPERS -> Experiment --graphs--> Datasets --measure(Lab)--> Measured --outcome--> Outcome
//! Outcome --> JSON file, --draw--> SVG file, --text--> table of the terminal
//! ```
//!
//! `papers/` has what each paper measured and found, as data; `measure/` has what an experiment
//! runs, by way of the benchmarks beside this folder.

mod args;
mod draw;
mod experiment;
mod graphs;
mod lab;
mod measure;
mod measured;
mod outcome;
mod papers;
mod records;
mod text;

use std::path::Path;

use serde::Serialize;

pub(super) use self::args::PaperArgs;
use self::experiment::{Experiment, NotRun};
use self::graphs::Choice;
use self::lab::Lab;
use self::measured::Measured;
use self::outcome::Outcome;
use crate::cli::failure::Failure;
use crate::cli::output::{self, OutputFile, Report};
use crate::cli::progress::Progress;

/// Everything that was found.
#[derive(Debug, Serialize)]
struct Found<'a> {
    paper: &'static str,
    quick: bool,
    out: String,
    experiments: &'a [Outcome],
    not_run: Vec<LeftOut>,
}

/// What was left out, and why.
#[derive(Debug, Serialize)]
struct LeftOut {
    what: &'static str,
    needs: &'static str,
}

/// Measures all that is asked for, writes the files and gives the report.
pub(super) fn run(args: &PaperArgs) -> Result<String, Failure> {
    let paper = args.paper.paper();
    let experiments = args.experiments(paper)?;
    let out = &args.out;
    let refused = |cause| Failure::OutputRefused { path: out.clone(), cause };
    std::fs::create_dir_all(out).map_err(refused)?;
    let device = args.execution.open()?;
    let progress = Progress::reading();
    let given = (args.direction, &args.read);
    let mut lab = Lab::new(&device, &progress, args.quick, given);
    let choice = Choice {
        given: &args.graphs,
        folder: args.folder.as_deref(),
        quick: args.quick,
        shrink: args.shrink.get(),
    };
    let about = format!("{} ({})", device.name(), device.description());
    let nothing = |experiment: &'static Experiment| {
        Measured::nothing_of(experiment, choice.datasets(experiment.graphs))
    };
    let mut measured: Vec<_> = experiments.into_iter().map(nothing).collect();
    // All experiments on a graph, and then the next: they share what it took to make it.
    for used in graphs_of(&measured) {
        progress.about(&used);
        lab.forget();
        for one in &mut measured {
            let true = one.measure(&mut lab, paper, &used)? else { continue };
            let Some(outcome) = one.outcome(paper) else { continue };
            let report = Report::new("bench paper", &outcome).on(&device);
            write(out, &outcome.json_file, &output::json_line(&report))?;
            write(out, &outcome.svg_file, &drawing(&outcome, one.experiment, (out, &about))?)?;
        }
    }
    let outcomes: Vec<_> = measured.iter().filter_map(|one| one.outcome(paper)).collect();
    drop(lab);
    drop(progress);
    let not_run = if args.is_everything() { paper.not_run } else { &[] };
    let name = out.display().to_string();
    let text = text::of(paper, &outcomes, not_run, &name);
    let left_out = |&NotRun { what, needs }: &NotRun| LeftOut { what, needs };
    let found = Found {
        paper: paper.name,
        quick: args.quick,
        out: name,
        experiments: &outcomes,
        not_run: not_run.iter().map(left_out).collect(),
    };
    let report = Report::new("bench paper", found).on(&device);
    Ok(output::render(&report, &text, args.execution.format()))
}

/// The graphs of all experiments, each once, in the order in which they come first.
fn graphs_of(measured: &[Measured]) -> Vec<String> {
    let mut graphs = Vec::new();
    for used in measured.iter().flat_map(Measured::used) {
        if !graphs.contains(&used) {
            graphs.push(used);
        }
    }
    graphs
}

fn drawing(
    outcome: &Outcome,
    experiment: &Experiment,
    (out, device): (&Path, &str),
) -> Result<String, Failure> {
    let not_drawn = |cause| Failure::NotDrawn { path: out.join(&outcome.svg_file), cause };
    draw::draw(outcome, experiment.form, device).map_err(not_drawn)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
    OutputFile::at(&folder.join(name))?.write(|to| to.write_all(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use meerkat::algos::wcc::Components;
    use meerkat::runtime::{Device, SlabOptions};

    use super::experiment::{Form, Paper, Part, Value};
    use super::graphs::Dataset;
    use super::lab::Follow;
    use super::*;
    use crate::cli::algorithms::Answers;
    use crate::cli::bench::batches;
    use crate::cli::bench::batches::Kind;
    use crate::cli::bench::dynamic::RankSettings;
    use crate::cli::container::{DynamicContainer, Slabs};
    use crate::cli::input::{DirectionArgs, ReadArgs};

    type Measure = fn(&mut Lab<'_>, &Dataset) -> Result<Vec<Value>, Failure>;

    /// What is said of an experiment on a tiny graph.
    fn error_of(measure: Measure) -> Failure {
        let paper = Paper { name: "test", title: "", machine: "", experiments: &[], not_run: &[] };
        let experiment = Box::leak(Box::new(Experiment {
            part: Part::Figure("7a"),
            title: "",
            unit: "",
            form: Form::Bars,
            mean: None,
            graphs: &[],
            measure,
            ratio: None,
            theirs: &[],
            stated: &[],
            note: "",
        }));
        let (device, progress, read) = (Device::cpu(), Progress::reading(), ReadArgs::default());
        let given = (DirectionArgs::default(), &read);
        let mut lab = Lab::new(&device, &progress, true, given);
        let graphs = ["grid:5x5".parse().expect("a generator")];
        let choice = Choice { given: &graphs, folder: None, quick: true, shrink: 1 };
        let mut measured = Measured::nothing_of(experiment, choice.datasets(&[]));
        let used = graphs_of(std::slice::from_ref(&measured));
        measured.measure(&mut lab, &paper, &used[0]).expect_err("an error")
    }

    #[test]
    fn an_answer_that_differs_from_the_one_from_scratch_fails_by_the_name_of_the_experiment() {
        let failure = error_of(|lab, dataset| {
            let arcs = lab.arcs(dataset)?;
            let follow = Follow {
                algorithm: "wcc",
                kind: Kind::Incremental,
                size: 4,
                count: 2,
                inserted: None,
                ranks: RankSettings::DEFAULT,
            };
            let layout = SlabOptions::DEFAULT.oriented(meerkat::runtime::Orientation::Both);
            let choice = batches::Choice::OfTheGraph;
            let case = lab.dynamic_case(&arcs, follow, layout, choice);
            case.run_exact::<Slabs, (), _>(|_| (), || Components, |_, _| false)?;
            Ok(Vec::new())
        });
        let text = failure.to_string();
        let start = "Figure 7a of `test` on grid:5x5:0:0: wcc differs from its computation";
        assert!(text.starts_with(start), "{text}");
        assert_eq!(failure.exit_code(), 1);
    }

    #[test]
    fn an_answer_that_differs_from_serial_code_fails_by_the_name_of_the_experiment() {
        let failure = error_of(|lab, dataset| {
            let workload = lab.workload(dataset)?;
            let mut simple = workload.simple(lab.device)?;
            let entry = crate::cli::algorithms::named("triangles").expect("an algorithm");
            let container = DynamicContainer::Slabs;
            // An arc more for plain code: two triangles in a grid that has none.
            simple.sources.push(0);
            simple.destinations.push(6);
            let answers = Answers::of(simple);
            lab.with_case((&workload, &answers), "triangles", container, |case| {
                entry.bench_static(case)
            })?;
            Ok(Vec::new())
        });
        let text = failure.to_string();
        let start = "Figure 7a of `test` on grid:5x5:0:0: triangles differs from plain code";
        assert!(text.starts_with(start), "{text}");
    }
}
