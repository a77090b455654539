//! What an algorithm sees of a distributed graph on one rank.

use super::own_vertices::OwnVertices;
use super::partition::Partition;
use crate::communicator::{Communicator, agree, agree_on};
use crate::container::Container;
use crate::device::Device;
use crate::graph::{DynamicGraph, EdgeLists};
use crate::{Error, ErrorKind};

/// The edges of one rank as a container, in the ids of the whole graph: all out-edges and in-edges
/// of the vertices that it owns, and none of the others. So an operator that is launched for the
/// [own vertices](OwnVertices) does there what it does on one device.
#[derive(Clone, Copy, Debug)]
pub struct LocalEdges<'a, L: EdgeLists> {
    sides: [Option<&'a DynamicGraph<L>>; 2],
    device: &'a Device,
    vertices: u32,
    is_undirected: bool,
}

impl<'a, L: EdgeLists> LocalEdges<'a, L> {
    /// Of the lists of out-edges and of in-edges.
    ///
    /// # Errors
    /// Lists that are not of one number of vertices on one device.
    pub(super) fn new(
        sides: [Option<&'a DynamicGraph<L>>; 2],
        own: &'a OwnVertices,
        is_undirected: bool,
    ) -> Result<Self, Error> {
        let (device, vertices) = (own.device(), own.all());
        for side in sides.into_iter().flatten() {
            let (argument, launch) = (side.device().name(), device.name());
            if side.device() != device {
                return Err(ErrorKind::WrongDevice { argument, launch }.into());
            }
            if side.vertex_count() != vertices {
                let (vertices, of_graph) = (vertices as usize, side.vertex_count());
                return Err(ErrorKind::StateOfAnotherGraph { vertices, of_graph }.into());
            }
        }
        Ok(LocalEdges { sides, device, vertices, is_undirected })
    }

    fn out(&self) -> Result<&'a DynamicGraph<L>, Error> {
        self.sides[0].ok_or_else(|| ErrorKind::OrientationMissing { wanted: "out" }.into())
    }
}

// SAFETY: both sides are graphs of this number of vertices, by `new`, and containers themselves; they
// are borrowed, so nobody changes them.
#[allow(unsafe_code)]
unsafe impl<L: EdgeLists> Container for LocalEdges<'_, L> {
    type Carried = L::Carried;
    type View = L::View;
    type Edges<'b>
        = L::Arg<'b>
    where
        Self: 'b;

    fn device(&self) -> &Device {
        self.device
    }
    fn vertex_count(&self) -> u32 {
        self.vertices
    }
    fn out_edges(&self) -> Result<L::Arg<'_>, Error> {
        self.out()?.out_edges().map(L::arg)
    }
    fn in_edges(&self) -> Result<L::Arg<'_>, Error> {
        if self.is_undirected {
            return self.out()?.out_edges().map(L::arg);
        }
        let into = self.sides[1].ok_or(ErrorKind::OrientationMissing { wanted: "in" })?;
        into.in_edges().map(L::arg)
    }
    fn is_undirected(&self) -> bool {
        self.is_undirected
    }
    fn has_endless_lists(&self) -> bool {
        self.sides.iter().flatten().any(|side| side.has_endless_lists())
    }
}

/// A distributed graph as one rank sees it: its own edges, and the way to the other ranks.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a, L: EdgeLists> {
    pub(super) communicator: &'a dyn Communicator,
    pub(super) partition: Partition,
    pub(super) own: &'a OwnVertices,
    pub(super) edges: LocalEdges<'a, L>,
}

impl<'a, L: EdgeLists> Part<'a, L> {
    /// The way to the other ranks.
    pub fn communicator(&self) -> &'a dyn Communicator {
        self.communicator
    }

    /// Which rank owns which vertex.
    pub fn partition(&self) -> Partition {
        self.partition
    }

    /// The vertices of this rank.
    pub fn own(&self) -> &'a OwnVertices {
        self.own
    }

    /// The edges of these vertices.
    pub fn edges(&self) -> &LocalEdges<'a, L> {
        &self.edges
    }

    /// The device of this rank.
    pub fn device(&self) -> &'a Device {
        self.edges.device
    }

    /// How many vertices the whole graph has.
    pub fn vertex_count(&self) -> u32 {
        self.edges.vertices
    }

    /// How many arcs this rank has in its lists: room for a list of them. Not
    /// collective; synchronises.
    ///
    /// # Errors
    /// More than a list can have; the device fails.
    pub fn arc_count(&self) -> Result<u32, Error> {
        let counts = self.edges.sides.into_iter().flatten().map(|side| side.edge_count());
        let arcs = counts.collect::<Result<Vec<_>, _>>()?.into_iter().sum::<u64>();
        let length = usize::try_from(arcs).unwrap_or(usize::MAX);
        u32::try_from(arcs).map_err(|_| ErrorKind::BufferTooLong { length }.into())
    }

    /// Goes on if every rank can: see [`agree`].
    ///
    /// # Errors
    /// That of this rank, or of another.
    pub fn agree<T>(&self, own: Result<T, Error>) -> Result<T, Error> {
        agree(self.communicator, own)
    }

    /// What this rank has, if every rank has one: so all go on alike where one has no memory for it. Collective.
    ///
    /// # Errors
    /// As [`Communicator`].
    pub fn if_all_have<T>(&self, own: Option<T>) -> Result<Option<T>, Error> {
        let [ranks] = self.sums(Ok([own.is_some().into()]))?;
        Ok(own.filter(|_| ranks == self.communicator.size() as u64))
    }

    /// The sums of what all ranks have, which wrap, if every rank has any: see [`agree`]. Collective.
    ///
    /// Cost: one gather of host words.
    ///
    /// # Errors
    /// That of this rank, or of another.
    pub fn sums<const N: usize>(&self, own: Result<[u64; N], Error>) -> Result<[u64; N], Error> {
        let (_, all) = agree_on(self.communicator, own, N, |own| own.to_vec())?;
        let sum =
            |at| all.iter().skip(at).step_by(N).fold(0u64, |sum, &word| sum.wrapping_add(word));
        Ok(std::array::from_fn(sum))
    }
}
