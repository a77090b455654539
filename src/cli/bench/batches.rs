//! The batches that a benchmark follows: which edges come, and which go.

use clap::ValueEnum;
use meerkat::runtime::{Batch, Edge, Update, Weight};
use serde::Serialize;

use super::workload::{ArcList, mix};

/// The updates of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// Insertions.
    Incremental,
    /// Deletions.
    Decremental,
    /// Both: half of each, or as `--inserted` says.
    Mixed,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Incremental => "incremental",
            Self::Decremental => "decremental",
            Self::Mixed => "mixed",
        }
    }
}

/// Batches of one kind and size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batches<'a> {
    pub(super) kind: Kind,
    pub(super) size: usize,
    pub(super) count: usize,
    /// Insertions in a hundred updates of a mixed batch.
    pub(super) inserted: u8,
    pub(super) choice: Choice<'a>,
}

/// Where the edges of batches come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice<'a> {
    /// Random edges of the graph: those that come are held back at first, those that go are there.
    OfTheGraph,
    /// Random pairs of vertices come, random edges of the graph go.
    RandomPairs,
    /// Records in their order: nine tenths are there at first, then the next ones come.
    Records(&'a [(u32, u32)]),
}

/// The edges to start from, and what then happens.
pub(super) struct Split<W: Weight> {
    pub(super) start: Vec<Edge<W>>,
    pub(super) batches: Vec<Batch<W>>,
}

impl Batches<'_> {
    /// The batches of a graph, and what is there before them.
    pub(super) fn split<W: Weight>(
        &self,
        graph: &ArcList,
        weight: impl Fn((u32, u32)) -> W,
    ) -> Split<W> {
        let edge = |(src, dst)| Edge { src, dst, weight: weight((src, dst)) };
        match self.choice {
            Choice::OfTheGraph => self.of_the_graph(graph, edge),
            Choice::RandomPairs => self.random_pairs(graph, edge),
            Choice::Records(records) => self.records(records, edge),
        }
    }

    /// How many updates there are in all, if there are edges enough.
    fn updates(&self) -> usize {
        self.size.saturating_mul(self.count)
    }

    /// Whether the update of this number inserts. Insertions are spread over a mixed batch.
    fn inserts(&self, at: usize) -> bool {
        let inserted = usize::from(self.inserted);
        match self.kind {
            Kind::Incremental => true,
            Kind::Decremental => false,
            Kind::Mixed => at * inserted % 100 < inserted,
        }
    }

    fn of_the_graph<W: Weight>(
        &self,
        graph: &ArcList,
        edge: impl Fn((u32, u32)) -> Edge<W>,
    ) -> Split<W> {
        let mut shuffled: Vec<_> = graph.each_once().collect();
        let moved = self.updates().min(shuffled.len());
        shuffle(&mut shuffled, moved);
        let (moving, staying) = shuffled.split_at(moved);
        let there = moving.iter().enumerate().filter(|(at, _)| !self.inserts(*at));
        let start = staying.iter().chain(there.map(|(_, arc)| arc)).map(|&arc| edge(arc)).collect();
        let update = |(at, &arc): (usize, &(u32, u32))| match self.inserts(at) {
            true => Update::Insert(edge(arc)),
            false => Update::Delete(edge(arc)),
        };
        let updates = moving.iter().enumerate().map(update).collect();
        Split { start, batches: self.chunks(updates) }
    }

    fn random_pairs<W: Weight>(
        &self,
        graph: &ArcList,
        edge: impl Fn((u32, u32)) -> Edge<W>,
    ) -> Split<W> {
        let mut shuffled: Vec<_> = graph.each_once().collect();
        let all = self.updates().min(shuffled.len());
        shuffle(&mut shuffled, all);
        let n = u64::from(graph.n);
        let end = |bits: u64| (((mix(bits) >> 32) * n) >> 32) as u32;
        let pair = |at: usize| (end(2 * at as u64 + 1), end(2 * at as u64 + 2));
        let update = |at: usize| match self.inserts(at) {
            true => Some(pair(at)).filter(|(u, v)| u != v).map(|arc| Update::Insert(edge(arc))),
            false => Some(Update::Delete(edge(shuffled[at]))),
        };
        let updates = (0..all).filter_map(update).collect();
        let start = graph.each_once().map(&edge).collect();
        Split { start, batches: self.chunks(updates) }
    }

    fn records<W: Weight>(
        &self,
        records: &[(u32, u32)],
        edge: impl Fn((u32, u32)) -> Edge<W>,
    ) -> Split<W> {
        let (there, later) = records.split_at(records.len() - records.len() / 10);
        let start = there.iter().map(|&arc| edge(arc)).collect();
        let next = later.iter().take(self.updates());
        Split { start, batches: self.chunks(next.map(|&arc| Update::Insert(edge(arc))).collect()) }
    }

    fn chunks<W: Weight>(&self, updates: Vec<Update<W>>) -> Vec<Batch<W>> {
        updates.chunks(self.size).map(|chunk| chunk.iter().copied().collect()).collect()
    }
}

/// Puts random elements in the first places.
fn shuffle(arcs: &mut [(u32, u32)], places: usize) {
    for at in 0..places {
        let left = (arcs.len() - at) as u64;
        let other = at + (((mix(at as u64 + 1) >> 32) * left) >> 32) as usize;
        arcs.swap(at, other);
    }
}

/// How many updates of a batch insert an edge.
pub(super) fn insertions<W: Weight>(batch: &Batch<W>) -> usize {
    batch.updates().filter(|update| matches!(update, Update::Insert(_))).count()
}
