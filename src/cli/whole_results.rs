//! The answers of algorithms of the whole graph, in figures.

use std::fmt;

use meerkat::algos::pagerank::Ranks;
use meerkat::algos::wcc;
use meerkat::runtime::Float;
use meerkat::runtime::read::VertexIds;
use serde::Serialize;

use super::report::{Summary, grouped};

/// How many vertices a ranking names.
const TOP: usize = 20;

/// Components.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct WccResult {
    /// How many, isolated vertices included.
    count: u32,
    /// Vertices of the largest.
    largest: u32,
}

impl WccResult {
    pub(super) fn new(labels: &[u32]) -> Self {
        let wcc::Summary { count, largest } = wcc::summary(labels);
        Self { count, largest }
    }
}

impl Summary for WccResult {
    fn question(&self) -> String {
        String::new()
    }

    fn in_brief(&self) -> String {
        format!(
            "{} components, {} in the largest",
            grouped(self.count.into()),
            grouped(self.largest.into())
        )
    }

    fn answer(&self, n: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = 100.0 * f64::from(self.largest) / f64::from(n.max(1));
        let (count, largest) = (grouped(self.count.into()), grouped(self.largest.into()));
        writeln!(f, "found    {count} components")?;
        writeln!(f, "largest  {largest} vertices, {percent:.1} % of all")
    }
}

/// Triangles.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct TrianglesResult {
    /// Of the undirected simple graph, each once.
    pub(super) triangles: u64,
}

impl Summary for TrianglesResult {
    fn question(&self) -> String {
        String::new()
    }

    fn in_brief(&self) -> String {
        format!("{} triangles", grouped(self.triangles))
    }

    fn answer(&self, _n: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "found    {} triangles", grouped(self.triangles))
    }
}

/// Ranks.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct PageRankResult {
    iterations: u32,
    /// The sum of the changes of the last step.
    l1_last_step: f64,
    /// Of all ranks.
    sum: f64,
    /// Id and rank, the highest first; among equals the smaller id.
    top20: Vec<(u64, f64)>,
}

impl PageRankResult {
    pub(super) fn new<R: Float>(found: &Ranks<R>, ids: &VertexIds) -> Self {
        let ranks: Vec<f64> = found.ranks.iter().map(|&rank| rank.to_f64()).collect();
        let mut order: Vec<u32> = (0..ranks.len() as u32).collect();
        let falling =
            |a: &u32, b: &u32| ranks[*b as usize].total_cmp(&ranks[*a as usize]).then(a.cmp(b));
        if order.len() > TOP {
            order.select_nth_unstable_by(TOP, falling);
            order.truncate(TOP);
        }
        order.sort_unstable_by(falling);
        Self {
            iterations: found.iterations,
            l1_last_step: found.l1_last_step,
            sum: ranks.iter().sum(),
            top20: order.into_iter().map(|v| (ids.id_of(v), ranks[v as usize])).collect(),
        }
    }
}

impl Summary for PageRankResult {
    fn question(&self) -> String {
        String::new()
    }

    fn in_brief(&self) -> String {
        let first =
            self.top20.first().map_or(String::new(), |(id, rank)| format!(", {id} has {rank:.6}"));
        format!("{} steps{first}", self.iterations)
    }

    fn answer(&self, _n: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { iterations, l1_last_step, .. } = self;
        writeln!(f, "steps    {iterations}, the last of which changed {l1_last_step:.1e}")
    }

    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        writeln!(f, "{:>11}  {:>11}", "vertex", "rank")?;
        let mut top = self.top20.iter().take(10);
        top.try_for_each(|(id, rank)| writeln!(f, "{id:>11}  {rank:>11.9}"))
    }
}
