//! `meerkat bench algorithms`: answers from scratch on the slab graph.

use meerkat::algos::bfs::{self, Bfs};
use meerkat::algos::pagerank::{DeadEnds, Method, Options, PageRank, Stop};
use meerkat::algos::sssp::{self, Sssp};
use meerkat::algos::triangles::{self, Triangles};
use meerkat::algos::wcc::Components;
use meerkat::runtime::Float;
use meerkat::runtime::{Device, DynamicAlgorithm, Error, SlabGraph, Weight};
use serde::Serialize;

use super::super::failure::Failure;
use super::super::timing::timed;
use super::args::{BenchPlan, Benched};
use super::dynamic::rank_options;
use super::table::{Row, median};
use super::workload::{Workload, length};

/// One algorithm's times.
#[derive(Debug, Serialize)]
pub(super) struct StaticRow {
    algorithm: Benched,
    variant: &'static str,
    median_ms: f64,
    /// Of PageRank: how many steps it takes, and how long each.
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step_ms: Option<f64>,
    /// Every run after the first, which compiles.
    runs_ms: Vec<f64>,
}

impl Row for StaticRow {
    fn head() -> String {
        format!(
            "{:<12} {:<12} {:>12} {:>12} {:>12} {:>6} {:>9}",
            "algorithm", "", "median ms", "least", "most", "steps", "a step"
        )
    }

    fn line(&self) -> String {
        let Self { algorithm, variant, median_ms, iterations, step_ms, runs_ms } = self;
        let least = runs_ms.iter().copied().fold(f64::INFINITY, f64::min);
        let most = runs_ms.iter().copied().fold(0.0, f64::max);
        let algorithm = algorithm.name();
        let steps = iterations.map_or(String::new(), |steps| steps.to_string());
        let step = step_ms.map_or(String::new(), |ms| format!("{ms:.3}"));
        let line = format!(
            "{algorithm:<12} {variant:<12} {median_ms:>12.3} {least:>12.3} {most:>12.3} \
             {steps:>6} {step:>9}"
        );
        line.trim_end().to_owned()
    }
}

/// Every algorithm asked for, `repeat` times.
pub(super) fn measure(
    plan: &BenchPlan,
    repeat: usize,
    workload: &Workload,
    device: &Device,
) -> Result<Vec<StaticRow>, Failure> {
    let mut rows = Vec::new();
    let source = workload.hub();
    for &algorithm in &plan.algorithms {
        let bench = Bench { algorithm, repeat, device };
        if algorithm == Benched::Sssp {
            let graph = workload.build(&workload.edges(length), plan.orientation, device)?;
            rows.push(
                bench.time("distances", || sssp::distances_on_device(&graph, source).map(drop))?,
            );
            rows.push(bench.time_tracked("tree", Sssp::from_source(source), &graph)?);
            continue;
        }
        let graph = workload.build(&workload.edges(|_| ()), plan.orientation, device)?;
        match algorithm {
            Benched::Bfs | Benched::Sssp => {
                rows.push(
                    bench.time("levels", || bfs::levels_on_device(&graph, source).map(drop))?,
                );
                rows.push(bench.time_tracked("tree", Bfs::from_source(source), &graph)?);
            }
            Benched::PageRank => {
                let exact = rank_options(DeadEnds::Teleport);
                let loops = rank_options(DeadEnds::SelfLoops);
                // The tolerance is below what single precision resolves.
                let steps = Options { stop: Stop::Steps(20), ..exact };
                rows.push(bench.time_ranks::<f64, _>("f64", exact, &graph)?);
                rows.push(bench.time_ranks::<f64, _>("f64, loops", loops, &graph)?);
                rows.push(bench.time_ranks::<f32, _>("f32", steps, &graph)?);
            }
            Benched::Wcc => rows.push(bench.time_tracked("", Components, &graph)?),
            Benched::Triangles => {
                rows.push(bench.time("total", || triangles::count(&graph).map(drop))?);
                rows.push(bench.time_tracked("per vertex", Triangles, &graph)?);
            }
        }
    }
    Ok(rows)
}

struct Bench<'a> {
    algorithm: Benched,
    repeat: usize,
    device: &'a Device,
}

impl Bench<'_> {
    /// The answer stays on the device.
    fn time(
        &self,
        variant: &'static str,
        mut run: impl FnMut() -> Result<(), Error>,
    ) -> Result<StaticRow, Error> {
        let mut runs_ms = Vec::new();
        for number in 0..=self.repeat {
            let ((), span) = timed(self.device, &mut run)?;
            if number > 0 {
                runs_ms.push(span.work_ms);
            }
        }
        let (algorithm, median_ms) = (self.algorithm, median(&runs_ms));
        Ok(StaticRow { algorithm, variant, median_ms, iterations: None, step_ms: None, runs_ms })
    }

    fn time_ranks<R: Float, W: Weight>(
        &self,
        variant: &'static str,
        options: Options,
        graph: &SlabGraph<W>,
    ) -> Result<StaticRow, Error> {
        let ranks = PageRank::<R>::new(options, Method::Static);
        let mut state = ranks.compute(graph)?;
        let row = self.time(variant, || ranks.recompute(&mut state, graph))?;
        let iterations = DynamicAlgorithm::<W>::output(&ranks, &state)?.iterations;
        let step_ms = row.median_ms / f64::from(iterations.max(1));
        Ok(StaticRow { iterations: Some(iterations), step_ms: Some(step_ms), ..row })
    }

    /// The computation alone, in memory that is there.
    fn time_tracked<W: Weight, A: DynamicAlgorithm<W>>(
        &self,
        variant: &'static str,
        algorithm: A,
        graph: &SlabGraph<W>,
    ) -> Result<StaticRow, Error> {
        let mut state = algorithm.compute(graph)?;
        self.time(variant, || algorithm.recompute(&mut state, graph))
    }
}
