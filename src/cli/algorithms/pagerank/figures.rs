//! Ranks as JSON and as a table.

use meerkat::algos::pagerank::Ranks;
use meerkat::runtime::Float;
use meerkat::runtime::read::VertexIds;
use serde::Serialize;

use crate::cli::algorithms::{Brief, Figures};
use crate::cli::input::VertexId;

/// How many vertices a ranking names.
const TOP: usize = 20;

/// Ranks in figures.
#[derive(Debug, PartialEq, Serialize)]
pub(in crate::cli::algorithms) struct PageRankFigures {
    iterations: u32,
    /// The sum of the changes of the last step.
    l1_last_step: f64,
    /// How far the ranks are from the fixed point, in the sum of all differences, at most.
    error_bound: f64,
    /// Of all ranks.
    sum: f64,
    /// Id and rank, the highest first; among equals the smaller id.
    top20: Vec<(VertexId<'static>, f64)>,
}

impl PageRankFigures {
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
            error_bound: found.error_bound,
            sum: ranks.iter().sum(),
            top20: order
                .into_iter()
                .map(|v| (VertexId::of(ids, v).into_owned(), ranks[v as usize]))
                .collect(),
        }
    }
}

impl Figures for PageRankFigures {
    fn answer(&self, _: u32) -> String {
        let Self { iterations, l1_last_step, error_bound, .. } = self;
        format!(
            "steps    {iterations}, the last of which changed {l1_last_step:.1e}\n\
             error    {error_bound:.1e} at most, in all ranks together\n"
        )
    }

    fn table(&self) -> String {
        let line = |(id, rank): &(VertexId, f64)| format!("{id:>11}  {rank:>11.9}\n");
        let top: String = self.top20.iter().take(10).map(line).collect();
        format!("\n{:>11}  {:>11}\n{top}", "vertex", "rank")
    }
}

impl Brief for PageRankFigures {
    fn brief(&self) -> String {
        let first = self.top20.first();
        let first = first.map_or(String::new(), |(id, rank)| format!(", {id} has {rank:.6}"));
        format!("{} steps{first}", self.iterations)
    }
}
