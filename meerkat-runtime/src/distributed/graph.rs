//! The distributed graph: what one rank holds of it.

use super::own_vertices::OwnVertices;
use super::part::{LocalEdges, Part};
use super::partition::{Ownership, Partition};
use super::updates::{self, Outgoing, Sides};
use crate::communicator::Communicator;
use crate::device::{Device, DeviceBuffer};
use crate::graph::{
    Batch, DeviceBatch, DynamicGraph, Edge, EdgeLists, Orientation, SlabOptions, check_new_edges,
    last_of_each,
};
use crate::{Direction, Error, ErrorKind, Weight};
use std::rc::Rc;

/// A graph whose vertices are divided among ranks: each rank has one of these, with all edges of the
/// vertices that it owns. `L` are the lists of the container that holds them, as of a
/// [`DynamicGraph`].
///
/// All ranks call the same methods in the same order: they are *collective*, unless they say
/// otherwise, and wait for all ranks. A method that fails on one rank fails on all, with that rank's
/// error there and [`ErrorKind::RefusedByRank`] on the others, and all ranks can go on. After
/// [`ErrorKind::RankLost`], [`ErrorKind::RankTimeout`] and [`ErrorKind::RanksOutOfStep`] they cannot.
///
/// Every rank knows all ids, and takes what its container takes for a vertex without edges for those
/// of other ranks: a slab of 128 bytes in a [`SlabGraph`](crate::SlabGraph), 16 bytes in a
/// [`CompactGraph`](crate::CompactGraph).
///
/// ```
/// use meerkat_runtime::communicator::{first_cause, run_ranks};
/// use meerkat_runtime::distributed::{DistributedGraph, Ownership};
/// use meerkat_runtime::{CompactEdges, prelude::*};
/// use std::{rc::Rc, time::Duration};
///
/// let counts = run_ranks(2, Duration::from_secs(60), |communicator| {
///     let (device, edge) = (Device::cpu(), |src, dst| Edge { src, dst, weight: () });
///     // Each rank brings a part of the edges, and of the batch.
///     let own = if communicator.rank() == 0 { vec![edge(0, 1)] } else { vec![edge(1, 2)] };
///     let (ranks, options) = (Rc::new(communicator), SlabOptions::DEFAULT);
///     let mut graph = DistributedGraph::<CompactEdges>::from_edges(
///         ranks, &device, 4, &own, &options, Ownership::Hash)?;
///     graph.apply(&Batch::new().insert(if graph.rank() == 1 { vec![edge(3, 0)] } else { vec![] }))?;
///     graph.edge_count()
/// });
/// assert_eq!(first_cause(counts)?, [3, 3]);
/// # use meerkat_runtime::communicator::Communicator;
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct DistributedGraph<L: EdgeLists> {
    pub(super) communicator: Rc<dyn Communicator>,
    pub(super) partition: Partition,
    pub(super) own: OwnVertices,
    pub(super) options: SlabOptions,
    /// The out-edges of the own vertices.
    pub(super) out: Option<DynamicGraph<L>>,
    /// Their in-edges, where those are lists of their own.
    pub(super) into: Option<DynamicGraph<L>>,
}

impl<L: EdgeLists> DistributedGraph<L> {
    /// A graph of `vertices` vertices and the edges that all ranks bring: of an edge that occurs
    /// several times the last counts, where the edges of rank 0 come first. `device` is this rank's.
    /// Synchronises.
    ///
    /// Cost: an exchange of all edges, and a build of the own lists.
    ///
    /// # Errors
    /// As [`DynamicGraph::from_edges`], on any rank; places of edges are those in this rank's list.
    /// [`ErrorKind::RanksOutOfStep`] where ranks differ in vertices, ownership, direction or orientation.
    pub fn from_edges(
        communicator: Rc<dyn Communicator>,
        device: &Device,
        vertices: u32,
        edges: &[Edge<L::Carried>],
        options: &SlabOptions,
        ownership: Ownership,
    ) -> Result<Self, Error> {
        let edges = Batch::new().insert(edges).to_device(device);
        Self::of_updates(communicator, device, vertices, edges, options, ownership)
    }

    /// [`from_edges`](Self::from_edges) of edges that are on the device already; in any order, and
    /// of several weights of one edge any counts.
    ///
    /// # Errors
    /// As [`from_edges`](Self::from_edges).
    pub fn from_buffer(
        communicator: Rc<dyn Communicator>,
        vertices: u32,
        edges: DeviceBuffer<Edge<L::Carried>>,
        options: &SlabOptions,
        ownership: Ownership,
    ) -> Result<Self, Error> {
        let device = edges.device().clone();
        let edges = Ok(DeviceBatch::insertions(edges));
        Self::of_updates(communicator, &device, vertices, edges, options, ownership)
    }

    fn of_updates(
        communicator: Rc<dyn Communicator>,
        device: &Device,
        vertices: u32,
        edges: Result<DeviceBatch<L::Carried>, Error>,
        options: &SlabOptions,
        ownership: Ownership,
    ) -> Result<Self, Error> {
        let (rank, ranks) = (communicator.rank(), communicator.size());
        let partition = Partition::new(ownership, vertices, ranks as u32);
        let sides = sides_of(options, partition);
        let outgoing = edges.and_then(|edges| {
            L::check_vertices(vertices.into())?;
            check_new_edges(vertices, edges.edges()?)?;
            sides.iter().map(|&side| Outgoing::of(&edges, side)).collect()
        });
        let terms = terms(vertices, ownership, options);
        let incoming = updates::exchange(&*communicator, device, (&terms, sides.len()), outgoing)?;
        let built = Self::built(device, vertices, &sides, incoming, options)
            .and_then(|built| Ok((built, OwnVertices::new(device, partition, rank, vertices)?)));
        let ([out, into], own) = crate::communicator::agree(&*communicator, built)?;
        Ok(DistributedGraph { communicator, partition, own, options: *options, out, into })
    }

    /// The lists of each orientation, of the arcs that lie in them.
    fn built(
        device: &Device,
        vertices: u32,
        sides: &[Sides],
        incoming: Vec<DeviceBatch<L::Carried>>,
        options: &SlabOptions,
    ) -> Result<[Option<DynamicGraph<L>>; 2], Error> {
        let mut built = [None, None];
        for (side, arcs) in sides.iter().zip(incoming) {
            let options = local_options(options, *side);
            let arcs = arcs.edges()?;
            let last;
            let arcs = match L::Carried::IS_WEIGHTED {
                true => {
                    last = last_of_each(arcs, Direction::Directed)?;
                    &last
                }
                false => arcs,
            };
            let graph = DynamicGraph::from_buffer(device, vertices, arcs, &options)?;
            built[usize::from(side.by_destination)] = Some(graph);
        }
        Ok(built)
    }

    /// The number of this rank. Not collective.
    pub fn rank(&self) -> usize {
        self.communicator.rank()
    }

    /// The way to the other ranks. Not collective.
    pub fn communicator(&self) -> &Rc<dyn Communicator> {
        &self.communicator
    }

    /// Which rank owns which vertex. Not collective.
    pub fn partition(&self) -> Partition {
        self.partition
    }

    /// The vertices of this rank. Not collective.
    pub fn own(&self) -> &OwnVertices {
        &self.own
    }

    /// The device of this rank. Not collective.
    pub fn device(&self) -> &Device {
        self.own.device()
    }

    /// How it was asked to be. Not collective.
    pub fn options(&self) -> &SlabOptions {
        &self.options
    }

    /// How many ids of vertices the whole graph has. Not collective.
    pub fn vertex_count(&self) -> u32 {
        self.own.all()
    }

    /// Whether the out-edges are the in-edges. Not collective.
    pub fn is_undirected(&self) -> bool {
        self.options.direction == Direction::Undirected
    }

    /// What an algorithm sees of it. Not collective.
    ///
    /// # Errors
    /// The lists do not fit each other, which is a bug of this crate.
    pub fn part(&self) -> Result<Part<'_, L>, Error> {
        let sides = [self.out.as_ref(), self.into.as_ref()];
        let edges = LocalEdges::new(sides, &self.own, self.is_undirected())?;
        let (communicator, partition) = (&*self.communicator, self.partition);
        Ok(Part { communicator, partition, own: &self.own, edges })
    }

    /// The lists that there are, out-edges first.
    pub(super) fn sides(&self) -> impl Iterator<Item = &DynamicGraph<L>> {
        self.out.iter().chain(&self.into)
    }

    /// Any of the lists; there are some in every graph.
    pub(super) fn any_side(&self) -> Result<&DynamicGraph<L>, Error> {
        let missing = || ErrorKind::OrientationMissing { wanted: "out" };
        self.sides().next().ok_or_else(|| missing().into())
    }
}

/// In which lists edges lie.
pub(super) fn sides_of(options: &SlabOptions, partition: Partition) -> Vec<Sides> {
    let out = Sides { partition, mirrored: false, by_destination: false };
    let into = Sides { by_destination: true, ..out };
    match (options.direction, options.orientation) {
        (Direction::Undirected, _) => vec![Sides { mirrored: true, ..out }],
        (Direction::Directed, Orientation::Out) => vec![out],
        (Direction::Directed, Orientation::In) => vec![into],
        (Direction::Directed, Orientation::Both) => vec![out, into],
    }
}

/// What all ranks have to ask for alike, in words.
fn terms(vertices: u32, ownership: Ownership, options: &SlabOptions) -> [u64; 4] {
    let orientation = match options.orientation {
        Orientation::Out => 0,
        Orientation::In => 1,
        Orientation::Both => 2,
    };
    let by_range = ownership == Ownership::Range;
    let undirected = options.direction == Direction::Undirected;
    [vertices.into(), by_range.into(), undirected.into(), orientation]
}

/// The options of the lists of one orientation: an undirected edge is an arc with each of its ends.
fn local_options(options: &SlabOptions, side: Sides) -> SlabOptions {
    let orientation = if side.by_destination { Orientation::In } else { Orientation::Out };
    SlabOptions { direction: Direction::Directed, orientation, ..*options }
}
