//! Components over the ranks of a distributed graph.
//!
//! Every rank keeps the components of the whole graph. It joins what its own arcs join, and tells the
//! others the arcs that did so; all join those, and have the same components again. The arcs that
//! joined are the rank's part of a *certificate*: together they connect what the graph connects.
//! Exchange: an arc for each two components that a rank joins, so at most one for each vertex and
//! rank, to all ranks; or, where these are many, the component of each vertex, 4 bytes.
//! Insertion: the same of the new arcs. Deletion: if a certificate's arc leaves, components are
//! computed again; any other changes nothing.

use super::Components;
use super::forest::commonest_root;
use super::operators::{
    flatten, hook_all_neighbors, hook_inserted, hook_neighbors, hook_sample, isolate, unite,
};
use meerkat_runtime::communicator::{Plan, Transfer, exchange_into};
use meerkat_runtime::distributed::{DistributedAlgorithm, Part, PendingChange};
use meerkat_runtime::dynamic::check_fits;
use meerkat_runtime::graph::{EdgeLists, EdgeSet, HashedEdges, contains_edge};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// Notes that an arc of a certificate is among those that leave.
#[edge_operator]
fn find_lost<W: Weight>(edge: Edge<W>, leaving: &EdgeSet<W>, is_lost: &[Atomic<u32>]) {
    if contains_edge(leaving, edge.src, edge.dst) {
        is_lost[0].store(1);
    }
}

/// Joins the ends of an arc.
#[edge_operator]
fn unite_ends<W: Weight>(edge: Edge<W>, parent: &[Atomic<u32>]) {
    if edge.src < parent.len() && edge.dst < parent.len() {
        unite(parent, edge.src, edge.dst);
    }
}

/// Joins `v` with its component on each rank: those of all vertices on rank 0, then those on rank 1, and so on.
#[vertex_operator]
fn unite_labels(v: Vertex, of_ranks: &[Atomic<u32>], parent: &[Atomic<u32>]) {
    let mut at = v;
    while at < of_ranks.len() {
        unite(parent, v, of_ranks[at].load());
        at += parent.len();
    }
}

/// Whether ranks exchange the components of all vertices and not `arcs` that have joined any: a component takes
/// half the bytes of an arc, and vertices come in order.
fn is_dense(vertices: u32, ranks: usize, arcs: u64) -> bool {
    let labels = u64::from(vertices) * ranks as u64;
    // A kernel counts to one list behind the last.
    labels <= 4 * arcs && labels + u64::from(vertices) < u32::MAX.into()
}

/// The components of a distributed graph, as one rank has them.
#[derive(Debug)]
pub struct RankComponents<W: Weight> {
    /// As in the static form, of all vertices.
    parent: DeviceBuffer<Atomic<u32>>,
    /// The certificate: arcs of this rank that have joined components, fewer than there are vertices. The latest
    /// level are those that no other rank was told of.
    joined: LevelQueue<Edge<W>>,
}

impl<W: Weight> RankComponents<W> {
    fn new<L: EdgeLists<Carried = W>>(part: &Part<'_, L>) -> Result<Self, Error> {
        let (device, n) = (part.device(), part.vertex_count());
        part.edges().out_edges()?;
        Ok(RankComponents {
            parent: DeviceBuffer::zeroed(device, n as usize)?,
            joined: LevelQueue::new(device, n)?,
        })
    }

    /// Components and certificate from scratch. Collective.
    fn compute<L: EdgeLists<Carried = W>>(&mut self, part: &Part<'_, L>) -> Result<(), Error> {
        let begun = self.begin(part);
        self.join_all(part, begun)?;
        if part.edges().in_edges().is_err() {
            return Ok(());
        }
        let rest = self.hook_rest(part);
        self.join_all(part, rest)
    }

    /// Joins two edges of every own vertex; all edges where in-edges are not kept, for an edge out of the
    /// giant component is seen from inside only.
    fn begin<L: EdgeLists<Carried = W>>(&mut self, part: &Part<'_, L>) -> Result<(), Error> {
        let (device, own, out) = (part.device(), part.own(), part.edges().out_edges()?);
        let RankComponents { parent, joined } = self;
        joined.clear()?;
        isolate::launch(device, 0..part.vertex_count(), &*parent)?;
        match part.edges().in_edges() {
            Ok(_) => hook_sample::launch(device, own, out, &*parent, joined.next()),
            Err(_) => hook_all_neighbors::launch(device, own, out, false, &*parent, joined.next()),
        }
    }

    /// Joins all edges of own vertices outside the component that is largest by now.
    fn hook_rest<L: EdgeLists<Carried = W>>(&mut self, part: &Part<'_, L>) -> Result<(), Error> {
        let (device, own, edges) = (part.device(), part.own(), part.edges());
        let RankComponents { parent, joined } = self;
        flatten::launch(device, 0..part.vertex_count(), &*parent)?;
        // The same on all ranks, whose components are the same.
        let giant = commonest_root(device, parent)?;
        hook_neighbors::launch(
            device,
            own,
            edges.out_edges()?,
            false,
            giant,
            &*parent,
            joined.next(),
        )?;
        if edges.is_undirected() {
            return Ok(());
        }
        hook_neighbors::launch(device, own, edges.in_edges()?, true, giant, &*parent, joined.next())
    }

    /// Joins what any rank has joined, or the error that kept this rank from joining. Collective.
    fn join_all<L: EdgeLists<Carried = W>>(
        &mut self,
        part: &Part<'_, L>,
        own: Result<(), Error>,
    ) -> Result<(), Error> {
        let (n, communicator) = (part.vertex_count(), part.communicator());
        let counted = own.and_then(|()| Ok(((), self.joined.advance()? as usize)));
        let ((), plan) = Plan::gather(communicator, counted)?;
        let room = match is_dense(n, communicator.size(), plan.total()) {
            true => self.room_for_labels(part)?,
            false => None,
        };
        let united = match room {
            Some(room) => self.exchange_labels(part, room)?,
            None => self.exchange_arcs(part, &plan)?,
        };
        // A rank that could not would have other components than the rest.
        part.agree(united)
    }

    /// Joins what the arcs of all ranks join; whether that went well here. Collective.
    fn exchange_arcs<L: EdgeLists<Carried = W>>(
        &self,
        part: &Part<'_, L>,
        plan: &Plan,
    ) -> Result<Result<(), Error>, Error> {
        let (device, communicator) = (part.device(), part.communicator());
        let (joined, latest) = self.joined.latest();
        let mut all = DeviceBuffer::<Edge<W>>::zeroed(device, plan.received_in_all());
        exchange_into(communicator, plan, &mut all, |all| {
            vec![Transfer::new(joined, latest.start, all)]
        })?;
        Ok(all.and_then(|all| unite_ends::launch(device, &all, &self.parent)))
    }

    /// Room for the components of all vertices on all ranks, if every rank has that. Collective.
    fn room_for_labels<L: EdgeLists<Carried = W>>(
        &self,
        part: &Part<'_, L>,
    ) -> Result<Option<DeviceBuffer<Atomic<u32>>>, Error> {
        let labels = part.vertex_count() as usize * part.communicator().size();
        part.if_all_have(DeviceBuffer::zeroed(part.device(), labels).ok())
    }

    /// Joins each vertex with its components on all ranks; whether that went well here. Collective.
    fn exchange_labels<L: EdgeLists<Carried = W>>(
        &self,
        part: &Part<'_, L>,
        room: DeviceBuffer<Atomic<u32>>,
    ) -> Result<Result<(), Error>, Error> {
        let (device, n, communicator) = (part.device(), part.vertex_count(), part.communicator());
        let counts = vec![n as usize; communicator.size()];
        let plan = Plan::gather_of(communicator.rank(), counts);
        let mut all = flatten::launch(device, 0..n, &self.parent).map(|()| room);
        exchange_into(communicator, &plan, &mut all, |all| {
            vec![Transfer::new(&self.parent, 0, all)]
        })?;
        Ok(all.and_then(|all| unite_labels::launch(device, 0..n, &all, &self.parent)))
    }

    /// Whether an arc of the certificate has left the graph, on this rank: 1 or 0.
    fn count_lost(&self, change: PendingChange<'_, W>) -> Result<[u64; 1], Error> {
        let device = self.parent.device();
        let is_lost = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        for change in change.out.into_iter().chain(change.into) {
            if !change.deleted().is_empty() {
                // Fewer leave than there are in the certificate, and their table is small.
                let leaving = HashedEdges::of(change.deleted(), Direction::Directed)?;
                find_lost::launch(device, self.joined.all(), &leaving, &is_lost)?;
            }
        }
        Ok([is_lost.read(0, 1)?[0].into()])
    }

    fn hook_inserted(&mut self, change: PendingChange<'_, W>) -> Result<(), Error> {
        let RankComponents { parent, joined } = self;
        match change.out {
            Some(change) => {
                let inserted = change.inserted();
                hook_inserted::launch(inserted.device(), inserted, &*parent, joined.next())
            }
            None => Ok(()),
        }
    }
}

impl<L: EdgeLists> DistributedAlgorithm<L> for Components {
    type State = RankComponents<L::Carried>;
    /// The smallest vertex of each one's component.
    type Output = Vec<u32>;

    fn compute(&self, part: &Part<'_, L>) -> Result<Self::State, Error> {
        let mut state = part.agree(RankComponents::new(part))?;
        state.compute(part)?;
        Ok(state)
    }

    fn follow(
        &self,
        state: &mut Self::State,
        part: &Part<'_, L>,
        change: PendingChange<'_, L::Carried>,
    ) -> Result<(), Error> {
        part.agree(check_fits(state.parent.len(), part.edges()))?;
        if part.sums(state.count_lost(change))? != [0] {
            return state.compute(part);
        }
        let own = state.hook_inserted(change);
        state.join_all(part, own)
    }

    fn output(&self, state: &Self::State, part: &Part<'_, L>) -> Result<Vec<u32>, Error> {
        let (device, parent) = (part.device(), &state.parent);
        part.agree(check_fits(parent.len(), part.edges()))?;
        flatten::launch(device, 0..part.vertex_count(), parent)?;
        parent.to_vec()
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        unite_ends::info::<()>(),
        unite_labels::info(),
        find_lost::info::<()>(),
        find_lost::info::<u32>(),
    ]
}

#[cfg(test)]
mod tests {
    use super::is_dense;

    /// The walk over labels went on at the first vertices where its place wrapped.
    #[test]
    fn labels_that_a_kernel_does_not_count_go_as_arcs() {
        assert!(is_dense(1_000_000, 2, 500_000) && !is_dense(1_000_000, 2, 499_999));
        for (vertices, ranks) in [(1_500_000_000, 2), (900_000_000, 4), (500_000_000, 8)] {
            assert!(!is_dense(vertices, ranks, u64::from(vertices) * 8), "{vertices}, {ranks}");
        }
        assert!(is_dense(1_400_000_000, 2, 1_400_000_000));
    }
}
