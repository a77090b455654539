//! `meerkat bench dynamic`: following batches against computing from scratch on
//! the same slab graph (Meerkat, section 6).

use meerkat::algos::bfs::Bfs;
use meerkat::algos::pagerank::{DeadEnds, Method, Norm, Options, PageRank, Ranks, Stop};
use meerkat::algos::sssp::Sssp;
use meerkat::algos::triangles::Triangles;
use meerkat::algos::wcc::Components;
use meerkat::runtime::oracle::Kind;
use meerkat::runtime::{Batch, Device, DynamicAlgorithm, Edge, Orientation, Update, Weight};
use serde::Serialize;

use super::super::failure::Failure;
use super::super::timed::Timed;
use super::super::timing::timed;
use super::args::{BatchesPlan, BenchPlan, Benched};
use super::table::Row;
use super::workload::{Workload, length, mix};

/// One algorithm following batches of one kind and size.
#[derive(Debug, Serialize)]
pub(super) struct DynamicRow {
    algorithm: Benched,
    kind: &'static str,
    batch_size: usize,
    batches: usize,
    /// How many of the updates insert an edge.
    insertions: usize,
    /// Of all batches: the graph's part, the algorithm's, and from scratch.
    graph_ms: f64,
    dynamic_ms: f64,
    static_ms: f64,
    /// Static over dynamic.
    speedup: f64,
    /// Of PageRank: how far a rank is from the one from scratch, at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    dynamic_runs_ms: Vec<f64>,
    static_runs_ms: Vec<f64>,
}

impl Row for DynamicRow {
    fn head() -> String {
        format!(
            "{:<10} {:<12} {:>10} {:>8} {:>12} {:>12} {:>12} {:>9} {:>8}",
            "algorithm",
            "kind",
            "batch",
            "batches",
            "graph ms",
            "dynamic ms",
            "static ms",
            "speedup",
            "error"
        )
    }

    fn line(&self) -> String {
        let Self { algorithm, kind, batch_size, batches, .. } = self;
        let Self { graph_ms, dynamic_ms, static_ms, speedup, error, .. } = self;
        let algorithm = algorithm.name();
        let error = error.map_or(String::new(), |error| format!("{error:.1e}"));
        let line = format!(
            "{algorithm:<10} {kind:<12} {batch_size:>10} {batches:>8} {graph_ms:>12.3} \
             {dynamic_ms:>12.3} {static_ms:>12.3} {speedup:>9.2} {error:>8}"
        );
        line.trim_end().to_owned()
    }
}

/// Every algorithm asked for, with every kind and size of batches.
pub(super) fn measure(
    plan: &BenchPlan,
    batches: &BatchesPlan,
    workload: &Workload,
    device: &Device,
) -> Result<Vec<DynamicRow>, Failure> {
    let source = workload.hub();
    let mut rows = Vec::new();
    for &algorithm in &plan.algorithms {
        for &kind in &batches.kinds {
            for &batch_size in &batches.sizes {
                let orientation = plan.orientation;
                let case =
                    Case { algorithm, kind, batch_size, batches, orientation, workload, device };
                rows.push(match algorithm {
                    Benched::Bfs => case.run(
                        |_| (),
                        |_| Bfs::from_source(source),
                        |a, b| equal(a.levels == b.levels),
                    )?,
                    Benched::Sssp => case.run(
                        length,
                        |_| Sssp::from_source(source),
                        |a, b| equal(a.distances == b.distances),
                    )?,
                    Benched::PageRank => {
                        let ranks = |role| ranks(role, batches.dead_ends);
                        case.run(|_| (), ranks, rank_error)?
                    }
                    Benched::Wcc => case.run(|_| (), |_| Components, |a, b| equal(a == b))?,
                    Benched::Triangles => {
                        case.run(|_| (), |_| Triangles, |a, b| equal(a.total == b.total))?
                    }
                });
            }
        }
    }
    Ok(rows)
}

/// PageRank to the tolerance that the DF-P paper measures it to.
pub(super) fn rank_options(dead_ends: DeadEnds) -> Options {
    let stop = Stop::Change { tolerance: 1e-10, norm: Norm::LInfinity, max_iterations: 1000 };
    Options { stop, dead_ends, ..Options::default() }
}

fn ranks(role: Role, dead_ends: DeadEnds) -> PageRank<f64> {
    let method = match role {
        Role::Follows => Method::DF_P,
        Role::FromScratch => Method::Static,
    };
    PageRank::new(rank_options(dead_ends), method)
}

/// Both are near the fixed point, and so near each other: how near.
fn rank_error(followed: &Ranks<f64>, scratch: &Ranks<f64>) -> Option<f64> {
    let both = followed.ranks.iter().zip(&scratch.ranks);
    let error = both.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    (error < LARGEST_ERROR).then_some(error)
}

/// Far above what is seen, and far below the rank of a hub.
const LARGEST_ERROR: f64 = 1e-7;

/// No error, if there is none.
fn equal(is_equal: bool) -> Option<f64> {
    is_equal.then_some(0.0)
}

/// What an algorithm is made for.
enum Role {
    Follows,
    FromScratch,
}

struct Case<'a> {
    algorithm: Benched,
    kind: Kind,
    batch_size: usize,
    batches: &'a BatchesPlan,
    orientation: Orientation,
    workload: &'a Workload,
    device: &'a Device,
}

impl Case<'_> {
    fn run<W: Weight, A: DynamicAlgorithm<W>>(
        &self,
        weight: impl Fn((u32, u32)) -> W,
        algorithm: impl Fn(Role) -> A,
        compare: impl Fn(&A::Output, &A::Output) -> Option<f64>,
    ) -> Result<DynamicRow, Failure> {
        let Split { start, batches } = self.split(weight);
        let graph = self.workload.build(&start, self.orientation, self.device)?;
        drop(start);
        let mut tracked = graph.track(Timed::new(algorithm(Role::Follows)))?;
        let fresh = algorithm(Role::FromScratch);
        // Memory and kernels are there before the clock runs.
        let mut state = fresh.compute(tracked.graph())?;
        let (mut graph_ms, mut dynamic_runs_ms, mut static_runs_ms) = (0.0, vec![], vec![]);
        let mut largest = 0.0f64;
        for batch in &batches {
            let before = tracked.algorithm().milliseconds();
            let (_, whole) = timed(self.device, || tracked.apply(batch))?;
            let dynamic_ms = tracked.algorithm().milliseconds() - before;
            graph_ms += (whole.work_ms - dynamic_ms).max(0.0);
            dynamic_runs_ms.push(dynamic_ms);
            let renew = || fresh.recompute(&mut state, tracked.graph());
            let ((), scratch) = timed(self.device, renew)?;
            static_runs_ms.push(scratch.work_ms);
            match compare(&tracked.output()?, &fresh.output(&state)?) {
                Some(error) => largest = largest.max(error),
                None => return Err(Failure::AnswersDiffer { algorithm: self.algorithm.name() }),
            }
        }
        let sum = |runs: &[f64]| runs.iter().sum::<f64>();
        let (dynamic_ms, static_ms) = (sum(&dynamic_runs_ms), sum(&static_runs_ms));
        Ok(DynamicRow {
            algorithm: self.algorithm,
            kind: match self.kind {
                Kind::Incremental => "incremental",
                Kind::Decremental => "decremental",
                Kind::Mixed => "mixed",
            },
            batch_size: self.batch_size,
            batches: batches.len(),
            insertions: batches.iter().map(insertions).sum(),
            graph_ms,
            dynamic_ms,
            static_ms,
            speedup: static_ms / dynamic_ms.max(1e-6),
            error: (self.algorithm == Benched::PageRank).then_some(largest),
            dynamic_runs_ms,
            static_runs_ms,
        })
    }

    /// Random edges of the graph: those that come are held back at first, those
    /// that go are there.
    fn split<W: Weight>(&self, weight: impl Fn((u32, u32)) -> W) -> Split<W> {
        let edge = |(src, dst)| Edge { src, dst, weight: weight((src, dst)) };
        let mut shuffled: Vec<_> = self.workload.each_once().collect();
        let moved = (self.batch_size * self.batches.count).min(shuffled.len());
        for at in 0..moved {
            let left = (shuffled.len() - at) as u64;
            let other = at + (((mix(at as u64 + 1) >> 32) * left) >> 32) as usize;
            shuffled.swap(at, other);
        }
        let (moving, staying) = shuffled.split_at(moved);
        // The part of a mixed batch that comes is spread over it.
        let inserted = usize::from(self.batches.inserted);
        let comes = |at: usize| match self.kind {
            Kind::Incremental => true,
            Kind::Decremental => false,
            Kind::Mixed => at * inserted % 100 < inserted,
        };
        let there = moving.iter().enumerate().filter(|(at, _)| !comes(*at)).map(|(_, arc)| *arc);
        let start = staying.iter().copied().chain(there).map(edge).collect();
        let update = |(at, &arc): (usize, &(u32, u32))| match comes(at) {
            true => Update::Insert(edge(arc)),
            false => Update::Delete(edge(arc)),
        };
        let updates: Vec<_> = moving.iter().enumerate().map(update).collect();
        let batches = updates.chunks(self.batch_size).map(|chunk| chunk.iter().copied().collect());
        Split { start, batches: batches.collect() }
    }
}

fn insertions<W: Weight>(batch: &Batch<W>) -> usize {
    batch.updates().filter(|update| matches!(update, Update::Insert(_))).count()
}

/// The edges to start from, and what then happens.
struct Split<W: Weight> {
    start: Vec<Edge<W>>,
    batches: Vec<Batch<W>>,
}
