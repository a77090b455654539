//! A graph and what happens to it.

use super::Model;
use crate::Direction;
use crate::Weight;
use crate::graph::{Batch, Edge, Update};
use std::fmt::{self, Debug};

/// A graph to start from and batches of updates.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence<W: Weight = ()> {
    /// How many vertices the graph has.
    pub vertices: u32,
    /// Whether an edge is one arc or two.
    pub direction: Direction,
    /// The edges before the first batch.
    pub start: Vec<Edge<W>>,
    /// The batches.
    pub batches: Vec<Batch<W>>,
}

impl<W: Weight> Sequence<W> {
    /// How many updates there are, the edges of the start included.
    pub fn updates(&self) -> usize {
        self.start.len() + self.batches.iter().map(Batch::len).sum::<usize>()
    }

    /// The model of the start.
    pub(super) fn start_model(&self) -> Model<W> {
        let mut model = Model::new(self.vertices, self.direction);
        model.apply(&Batch::new().insert(&self.start));
        model
    }

    /// The same with another vertex wherever `from` is.
    pub(super) fn renamed(&self, from: u32, to: u32) -> Self {
        let vertex = |v| if v == from { to } else { v };
        let edge = |edge: &Edge<W>| Edge { src: vertex(edge.src), dst: vertex(edge.dst), ..*edge };
        let update = |update: &Update<W>| match update {
            Update::Insert(inserted) => Update::Insert(edge(inserted)),
            Update::Delete(deleted) => Update::Delete(edge(deleted)),
        };
        Sequence {
            start: self.start.iter().map(edge).collect(),
            batches: self
                .batches
                .iter()
                .map(|batch| batch.updates().map(|old| update(&old)).collect())
                .collect(),
            ..*self
        }
    }

    /// Whether an edge of it starts or ends there.
    pub(super) fn names(&self, vertex: u32) -> bool {
        self.edges().any(|edge| edge.src == vertex || edge.dst == vertex)
    }

    /// The largest vertex that is named.
    pub(super) fn largest_vertex(&self) -> Option<u32> {
        self.edges().map(|edge| edge.src.max(edge.dst)).max()
    }

    fn edges(&self) -> impl Iterator<Item = &Edge<W>> {
        self.start.iter().chain(self.batches.iter().flat_map(Batch::edges))
    }
}

/// As a person would write it down: `+ 1 -> 2` inserts, `- 1 -> 2` deletes.
impl<W: Weight + Debug> fmt::Display for Sequence<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = match self.direction {
            Direction::Directed => "directed",
            Direction::Undirected => "undirected",
        };
        write!(f, "  {} vertices, {direction}\n  start  ", self.vertices)?;
        self.start.iter().try_for_each(|edge| write!(f, " {}", Shown(edge)))?;
        for (number, batch) in (1..).zip(&self.batches) {
            write!(f, "\n  batch {number}")?;
            for update in batch.updates() {
                match update {
                    Update::Insert(edge) => write!(f, " + {}", Shown(&edge))?,
                    Update::Delete(edge) => write!(f, " - {}", Shown(&edge))?,
                }
            }
        }
        writeln!(f)
    }
}

struct Shown<'a, W: Weight>(&'a Edge<W>);

impl<W: Weight + Debug> fmt::Display for Shown<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Edge { src, dst, weight } = self.0;
        write!(f, "{src} -> {dst}")?;
        if W::IS_WEIGHTED { write!(f, " ({weight:?})") } else { Ok(()) }
    }
}
