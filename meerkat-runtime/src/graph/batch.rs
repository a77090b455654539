//! Batches of updates.

use super::layout::Edge;
use crate::{Error, ErrorKind, Weight};

/// One change of a graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Update<W: Weight = ()> {
    /// The edge is there from now on, with this weight.
    Insert(Edge<W>),
    /// The edge is gone from now on; its weight does not matter.
    Delete(Edge<W>),
}

/// Which updates a batch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UpdateKind {
    Insertions,
    Deletions,
    /// Both, or not known without reading them.
    Mixed,
}

/// Updates in order. A batch means what its updates mean one after another: the
/// last one of an edge decides, deleting what is not there does nothing, and
/// inserting what is there gives it the new weight.
///
/// ```
/// # use meerkat_runtime::graph::{Batch, Edge};
/// let edge = |src, dst| Edge { src, dst, weight: () };
/// let batch = Batch::new().delete([edge(0, 1)]).insert([edge(1, 2), edge(2, 0)]);
/// assert_eq!(batch.len(), 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch<W: Weight = ()> {
    // As devices take them: two arrays, each copied as it is.
    edges: Vec<Edge<W>>,
    /// For each update up to the last deletion whether it is one: 1 or 0.
    deletes: Vec<u8>,
}

impl<W: Weight> Batch<W> {
    /// No updates.
    pub fn new() -> Self {
        Batch { edges: Vec::new(), deletes: Vec::new() }
    }

    /// Appends insertions.
    #[must_use]
    pub fn insert(mut self, edges: impl AsRef<[Edge<W>]>) -> Self {
        self.edges.extend_from_slice(edges.as_ref());
        self
    }

    /// Appends deletions.
    #[must_use]
    pub fn delete(mut self, edges: impl AsRef<[Edge<W>]>) -> Self {
        let edges = edges.as_ref();
        if !edges.is_empty() {
            self.deletes.resize(self.edges.len(), 0);
            self.edges.extend_from_slice(edges);
            self.deletes.resize(self.edges.len(), 1);
        }
        self
    }

    /// Appends one update.
    pub fn push(&mut self, update: Update<W>) {
        match update {
            Update::Insert(edge) => self.edges.push(edge),
            Update::Delete(edge) => {
                self.deletes.resize(self.edges.len(), 0);
                self.edges.push(edge);
                self.deletes.push(1);
            }
        }
    }

    /// The updates in order.
    pub fn updates(&self) -> impl ExactSizeIterator<Item = Update<W>> {
        self.edges.iter().enumerate().map(|(at, &edge)| match self.deletes.get(at) {
            Some(1) => Update::Delete(edge),
            _ => Update::Insert(edge),
        })
    }

    /// The edges that the updates name, in order.
    pub fn edges(&self) -> &[Edge<W>] {
        &self.edges
    }

    /// For each update up to the last deletion whether it is one: 1 or 0.
    pub(super) fn deletes(&self) -> &[u8] {
        &self.deletes
    }

    /// Which updates there are.
    pub(super) fn kind(&self) -> UpdateKind {
        match self.deletes.is_empty() {
            true => UpdateKind::Insertions,
            // Flags end at the last deletion.
            false if self.deletes.len() == self.edges.len() && !self.deletes.contains(&0) => {
                UpdateKind::Deletions
            }
            false => UpdateKind::Mixed,
        }
    }

    /// How many updates there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }
}

impl<W: Weight> Extend<Update<W>> for Batch<W> {
    fn extend<I: IntoIterator<Item = Update<W>>>(&mut self, updates: I) {
        updates.into_iter().for_each(|update| self.push(update));
    }
}

impl<W: Weight> FromIterator<Update<W>> for Batch<W> {
    fn from_iter<I: IntoIterator<Item = Update<W>>>(updates: I) -> Self {
        let mut batch = Batch::new();
        batch.extend(updates);
        batch
    }
}

/// Kernels number the updates of a batch, and the arcs of undirected ones.
const MAX_UPDATES: usize = (1 << 31) - 1;

pub(super) fn check_length(updates: usize) -> Result<(), Error> {
    if updates > MAX_UPDATES {
        return Err(ErrorKind::BatchTooLong { updates }.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_of_2_to_the_31_updates_is_too_long_and_one_fewer_is_not() {
        let error = check_length(1 << 31).expect_err("too long");
        assert!(matches!(error.kind(), ErrorKind::BatchTooLong { updates: 0x8000_0000 }));
        assert!(check_length((1 << 31) - 1).is_ok());
    }

    #[test]
    fn a_batch_gives_its_updates_back_in_order() {
        let edge = |src| Edge { src, dst: 0, weight: () };
        let (insert, delete) = (|v| Update::Insert(edge(v)), |v| Update::Delete(edge(v)));
        let batch = Batch::new().insert([edge(0)]).delete([]).insert([edge(1)]).delete([edge(2)]);
        let updates = [insert(0), insert(1), delete(2), insert(3), delete(4)];
        let mut longer = batch;
        longer.extend(updates[3..].iter().copied());
        assert!(longer.updates().eq(updates));
        assert_eq!(longer, updates.into_iter().collect());
        assert_eq!(longer.deletes(), [0, 0, 1, 0, 1]);
    }
}
