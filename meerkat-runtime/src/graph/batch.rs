//! Batches of updates and what they mean.

use super::layout::Edge;
use super::search::NOT_FOUND;
use super::vertices::Ids;
use crate::read::Direction;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Device, DeviceBuffer, Error, ErrorKind, Weight, kernel};
use rayon::prelude::*;

/// One change of a graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Update<W: Weight = ()> {
    /// The edge is there from now on, with this weight.
    Insert(Edge<W>),
    /// The edge is gone from now on; its weight does not matter.
    Delete(Edge<W>),
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
    updates: Vec<Update<W>>,
}

impl<W: Weight> Batch<W> {
    /// No updates.
    pub fn new() -> Self {
        Batch { updates: Vec::new() }
    }

    /// Appends insertions.
    #[must_use]
    pub fn insert(mut self, edges: impl AsRef<[Edge<W>]>) -> Self {
        self.extend(edges.as_ref().iter().map(|&edge| Update::Insert(edge)));
        self
    }

    /// Appends deletions.
    #[must_use]
    pub fn delete(mut self, edges: impl AsRef<[Edge<W>]>) -> Self {
        self.extend(edges.as_ref().iter().map(|&edge| Update::Delete(edge)));
        self
    }

    /// Appends one update.
    pub fn push(&mut self, update: Update<W>) {
        self.updates.push(update);
    }

    /// The updates in order.
    pub fn updates(&self) -> &[Update<W>] {
        &self.updates
    }

    /// How many updates there are.
    pub fn len(&self) -> usize {
        self.updates.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.updates.is_empty()
    }

    /// Whether a graph of these vertices can take it.
    pub(super) fn check(&self, ids: &Ids) -> Result<(), Error> {
        check_length(self.updates.len())?;
        let edges = self.updates.par_iter().enumerate();
        let first = edges.find_map_first(|(index, update)| {
            let inserted = matches!(update, Update::Insert(_));
            refusal(ids, index, &update.edge(), inserted)
        });
        first.map_or(Ok(()), |kind| Err(kind.into()))
    }

    /// The last update of every edge; in an undirected graph, of both its arcs.
    pub(super) fn last_of_each_edge(&self, direction: Direction) -> LastUpdates<W> {
        let key = |index: usize| {
            let Edge { src, dst, .. } = self.updates[index].edge();
            let (a, b) = match direction {
                Direction::Directed => (src, dst),
                Direction::Undirected => (src.min(dst), src.max(dst)),
            };
            (a, b, index as u32)
        };
        let mut order: Vec<_> = (0..self.updates.len()).into_par_iter().map(key).collect();
        order.par_sort_unstable();
        let mut last = LastUpdates { deleted: Vec::new(), inserted: Vec::new() };
        for same in order.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
            let (src, dst, index) = same[same.len() - 1];
            last.push(self.updates[index as usize], src, dst);
            if direction == Direction::Undirected && src != dst {
                last.push(self.updates[index as usize], dst, src);
            }
        }
        last
    }
}

impl<W: Weight> Extend<Update<W>> for Batch<W> {
    fn extend<I: IntoIterator<Item = Update<W>>>(&mut self, updates: I) {
        self.updates.extend(updates);
    }
}

impl<W: Weight> FromIterator<Update<W>> for Batch<W> {
    fn from_iter<I: IntoIterator<Item = Update<W>>>(updates: I) -> Self {
        Batch { updates: updates.into_iter().collect() }
    }
}

impl<W: Weight> Update<W> {
    fn edge(&self) -> Edge<W> {
        match self {
            Update::Insert(edge) | Update::Delete(edge) => *edge,
        }
    }
}

/// What is left of a batch when every edge has one update: arcs to be gone and
/// arcs to be there.
pub(super) struct LastUpdates<W: Weight> {
    pub(super) deleted: Vec<Edge<W>>,
    pub(super) inserted: Vec<Edge<W>>,
}

impl<W: Weight> LastUpdates<W> {
    fn push(&mut self, update: Update<W>, src: u32, dst: u32) {
        match update {
            Update::Insert(Edge { weight, .. }) => self.inserted.push(Edge { src, dst, weight }),
            Update::Delete(Edge { weight, .. }) => self.deleted.push(Edge { src, dst, weight }),
        }
    }
}

/// What a batch changes in a graph, on the device: ascending by (source,
/// destination), no edge twice in a list, and in an undirected graph both arcs
/// of an edge.
///
/// The graph goes over to its new state by the deletions, then the insertions:
/// [`SlabGraph::apply_deletions`](super::SlabGraph::apply_deletions),
/// [`SlabGraph::apply_insertions`](super::SlabGraph::apply_insertions).
#[derive(Debug)]
pub struct Change<W: Weight = ()> {
    /// The edges that are there and will not be, or will have another weight;
    /// with the weight that they have.
    pub deleted: DeviceBuffer<Edge<W>>,
    /// The edges that are not there and will be, or have another weight; with
    /// the weight that they will have.
    pub inserted: DeviceBuffer<Edge<W>>,
}

impl<W: Weight> Change<W> {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.deleted.is_empty() && self.inserted.is_empty()
    }
}

/// The arcs of a change, on the host.
pub(super) struct Effect<W: Weight> {
    pub(super) deleted: Vec<Edge<W>>,
    pub(super) inserted: Vec<Edge<W>>,
}

impl<W: Weight> Effect<W> {
    /// What the updates do to edges that were looked up: for each arc the bits
    /// of its weight, or [`NOT_FOUND`].
    pub(super) fn new(last: LastUpdates<W>, found: (&[u64], &[u64])) -> Self {
        let with_old = |(edge, bits): (&Edge<W>, &u64)| {
            let is_there = *bits != NOT_FOUND;
            is_there.then(|| Edge { weight: W::from_bits(*bits as u32), ..*edge })
        };
        let mut deleted: Vec<_> = last.deleted.iter().zip(found.0).filter_map(with_old).collect();
        let is_new = |(edge, bits): &(&Edge<W>, &u64)| **bits != u64::from(edge.weight.to_bits());
        let news = last.inserted.iter().zip(found.1).filter(is_new);
        let mut inserted: Vec<_> = news.clone().map(|(edge, _)| *edge).collect();
        deleted.extend(news.filter_map(with_old));
        deleted.par_sort_unstable_by_key(|edge| (edge.src, edge.dst));
        // Mirrored arcs came in between.
        inserted.par_sort_unstable_by_key(|edge| (edge.src, edge.dst));
        Effect { deleted, inserted }
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

/// Whether these edges are in the range of a graph, and can be `inserted`.
pub(super) fn check_edges<W: Weight>(
    ids: &Ids,
    edges: &[Edge<W>],
    inserted: bool,
) -> Result<(), Error> {
    check_length(edges.len())?;
    let numbered = edges.par_iter().enumerate();
    let first = numbered.find_map_first(|(index, edge)| refusal(ids, index, edge, inserted));
    first.map_or(Ok(()), |kind| Err(kind.into()))
}

/// Finds the first edge outside `0..vertices`.
#[kernel]
pub fn find_outside<W: Weight>(edges: &[Edge<W>], vertices: u32, first: &[Atomic<u32>]) {
    let i = thread_id();
    if i < edges.len() && (edges[i].src >= vertices || edges[i].dst >= vertices) {
        first[0].fetch_min(i);
    }
}

/// Whether a graph can take these edges.
pub(super) fn check_on_device<W: Weight>(
    device: &Device,
    ids: &Ids,
    edges: &DeviceBuffer<Edge<W>>,
) -> Result<(), Error> {
    check_length(edges.len())?;
    if ids.has_deleted() {
        return check_edges(ids, &edges.to_vec()?, true);
    }
    let first = DeviceBuffer::filled(device, 1, u32::MAX)?;
    find_outside::launch(device, edges.len() as u32, edges, ids.count, &first)?;
    match first.read(0, 1)?[0] {
        u32::MAX => Ok(()),
        at => {
            let edge = edges.read(at as usize, 1)?[0];
            let refused = refusal(ids, at as usize, &edge, true);
            refused.map_or(Ok(()), |kind| Err(kind.into()))
        }
    }
}

/// Why a graph cannot take an edge, if it cannot.
fn refusal<W: Weight>(
    ids: &Ids,
    index: usize,
    edge: &Edge<W>,
    inserted: bool,
) -> Option<ErrorKind> {
    let Edge { src, dst, weight } = *edge;
    if src >= ids.count || dst >= ids.count {
        let last = ids.count.checked_sub(1).map_or("none".to_owned(), |last| last.to_string());
        return Some(ErrorKind::VertexOutOfRange { index, src, dst, last });
    }
    if !inserted {
        return None;
    }
    if let Some(vertex) = [src, dst].into_iter().find(|&id| ids.is_deleted(id)) {
        return Some(ErrorKind::VertexDeleted { index, src, dst, vertex });
    }
    (!weight.is_ordered()).then_some(ErrorKind::NanWeight { index, src, dst })
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
}
