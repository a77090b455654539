//! Batches over ranks: all of them change, or none does.
//!
//! ```text
//! each rank: validate its part --> route --exchange--> transact the own out-edges
//!   --within: transact the own in-edges --within: agree --> an algorithm follows --> agree
//! ```
//!
//! So whatever fails, and wherever, each rank's lists go back as those of one device do.

use super::graph::{DistributedGraph, sides_of};
use super::own_vertices::OwnVertices;
use super::part::{LocalEdges, Part};
use super::partition::Partition;
use super::updates::{self, Outgoing};
use crate::communicator::{Communicator, agree};
use crate::graph::{BatchSource, Change, DeviceBatch, DynamicGraph, EdgeLists, Follower};
use crate::{Error, Weight};

/// What a batch has changed on one rank.
#[derive(Debug)]
pub struct DistributedChange<W: Weight = ()> {
    /// Of the out-edges of the own vertices, if the graph keeps out-edges.
    pub out: Option<Change<W>>,
    /// Of their in-edges, if it keeps those in lists of their own.
    pub into: Option<Change<W>>,
}

/// The same while the batch can still be taken back.
#[derive(Clone, Copy, Debug)]
pub struct PendingChange<'a, W: Weight = ()> {
    /// Of the out-edges of the own vertices, if the graph keeps out-edges.
    pub out: Option<&'a Change<W>>,
    /// Of their in-edges, if it keeps those in lists of their own.
    pub into: Option<&'a Change<W>>,
}

/// Who follows a batch on all ranks: it sees the graph as it is after the batch. `W` is what edges
/// carry.
pub(super) type Follow<'f, L, W> =
    dyn FnMut(&Part<'_, L>, PendingChange<'_, W>) -> Result<(), Error> + 'f;

impl<L: EdgeLists> DistributedGraph<L> {
    /// Applies a batch, of which each rank brings a part, with the meaning that it has on one device:
    /// the part of rank 0 comes first, and the last update of an edge decides. Returns what changed
    /// on this rank. Collective; synchronises.
    ///
    /// Cost: an exchange of the updates (8 bytes each, 12 with weights, twice where the graph keeps
    /// both orientations or is undirected), what one device does with the own ones, and some five gathers of
    /// host words.
    ///
    /// # Errors
    /// An update that the graph cannot take, on the rank that brings it, or no memory on any:
    /// all ranks' graphs are as they were. As [`Communicator`].
    pub fn apply(
        &mut self,
        batch: &impl BatchSource<L::Carried>,
    ) -> Result<DistributedChange<L::Carried>, Error> {
        self.transact(batch, None)
    }

    /// The transaction of a batch: all of it on all ranks, also what its follower does, or nothing.
    pub(super) fn transact(
        &mut self,
        batch: &impl BatchSource<L::Carried>,
        follow: Option<&mut Follow<'_, L, L::Carried>>,
    ) -> Result<DistributedChange<L::Carried>, Error> {
        let device = self.device().clone();
        let routed = batch.with_updates(&device, |updates| self.outgoing(updates));
        let sides = sides_of(&self.options, self.partition).len();
        let incoming = updates::exchange(&*self.communicator, &device, (&[], sides), routed)?;
        let is_undirected = self.is_undirected();
        let DistributedGraph { communicator, partition, own, out, into, .. } = self;
        let (communicator, partition) = (&**communicator, *partition);
        let mut end = End { communicator, partition, own, is_undirected, follow, has_voted: false };
        let mut incoming = incoming.into_iter();
        let out = out.as_mut().and_then(|out| Some((out, incoming.next()?)));
        let into = into.as_mut().and_then(|into| Some((into, incoming.next()?)));
        let applied = apply_sides(out, into, &mut end);
        match applied {
            Err(error) if !end.has_voted => agree(communicator, Err(error)),
            applied => applied,
        }
    }

    fn outgoing(
        &self,
        updates: &DeviceBatch<L::Carried>,
    ) -> Result<Vec<Outgoing<L::Carried>>, Error> {
        self.any_side()?.check_updates(updates)?;
        let sides = sides_of(&self.options, self.partition);
        sides.into_iter().map(|side| Outgoing::of(updates, side)).collect()
    }
}

/// The end of a transaction: all ranks have changed, and may follow.
struct End<'a, 'f, L: EdgeLists> {
    communicator: &'a dyn Communicator,
    partition: Partition,
    own: &'a OwnVertices,
    is_undirected: bool,
    follow: Option<&'a mut Follow<'f, L, L::Carried>>,
    has_voted: bool,
}

impl<L: EdgeLists> End<'_, '_, L> {
    fn reach(
        &mut self,
        sides: [Option<&DynamicGraph<L>>; 2],
        change: PendingChange<'_, L::Carried>,
    ) -> Result<(), Error> {
        self.has_voted = true;
        agree(self.communicator, Ok(()))?;
        let Some(follow) = &mut self.follow else { return Ok(()) };
        let (communicator, partition, own) = (self.communicator, self.partition, self.own);
        let edges = LocalEdges::new(sides, own, self.is_undirected)?;
        let followed = follow(&Part { communicator, partition, own, edges }, change);
        agree(communicator, followed)
    }
}

/// Lists of one orientation, and what is to change in them.
type Side<'a, L, W> = (&'a mut DynamicGraph<L>, DeviceBatch<W>);

/// Applies the own updates to the lists that there are, those of in-edges within those of out-edges.
fn apply_sides<L: EdgeLists>(
    out: Option<Side<'_, L, L::Carried>>,
    into: Option<Side<'_, L, L::Carried>>,
    end: &mut End<'_, '_, L>,
) -> Result<DistributedChange<L::Carried>, Error> {
    match (out, into) {
        (Some((out, batch)), into) => {
            let mut within = WithinOut { into, changed: None, end };
            let change = out.transact(&batch, &mut within)?;
            Ok(DistributedChange { out: Some(change), into: within.changed })
        }
        (None, Some((into, batch))) => {
            let change = into.transact(&batch, &mut WithinInto { out: None, end })?;
            Ok(DistributedChange { out: None, into: Some(change) })
        }
        (None, None) => Ok(DistributedChange { out: None, into: None }),
    }
}

/// The out-edges have changed, and the in-edges are to.
struct WithinOut<'a, 'b, 'f, L: EdgeLists> {
    into: Option<Side<'a, L, L::Carried>>,
    changed: Option<Change<L::Carried>>,
    end: &'a mut End<'b, 'f, L>,
}

impl<L: EdgeLists> Follower<L> for WithinOut<'_, '_, '_, L> {
    fn after_insertions(
        &mut self,
        out: &DynamicGraph<L>,
        change: &Change<L::Carried>,
    ) -> Result<(), Error> {
        match self.into.take() {
            Some((into, batch)) => {
                let mut within = WithinInto { out: Some((out, change)), end: &mut *self.end };
                self.changed = Some(into.transact(&batch, &mut within)?);
                Ok(())
            }
            None => {
                let change = PendingChange { out: Some(change), into: None };
                self.end.reach([Some(out), None], change)
            }
        }
    }
}

/// All lists have changed.
struct WithinInto<'a, 'b, 'f, L: EdgeLists> {
    out: Option<(&'a DynamicGraph<L>, &'a Change<L::Carried>)>,
    end: &'a mut End<'b, 'f, L>,
}

impl<L: EdgeLists> Follower<L> for WithinInto<'_, '_, '_, L> {
    fn after_insertions(
        &mut self,
        into: &DynamicGraph<L>,
        change: &Change<L::Carried>,
    ) -> Result<(), Error> {
        let (graph, out) = self.out.unzip();
        self.end.reach([graph, Some(into)], PendingChange { out, into: Some(change) })
    }
}
