//! The host's graph that batches change: what users own, whatever holds its edges.

use super::adjacency::Adjacency;
use super::batch::check_length;
use super::build::DegreeCount;
use super::change::{Change, last_of_each};
use super::change_counts::ChangeCounts;
use super::counters::Counters;
use super::ids::Ids;
use super::layout::Edge;
use super::lists::{EdgeBuffer, EdgeLists, Internal};
use super::options::{Endpoint, SlabOptions};
use super::validate::check_insertions;
use super::version::Version;
use crate::Direction;
use crate::device::{Device, DeviceBuffer};
use crate::launch::HostArg;
use crate::slab::Graph;
use crate::{Error, ErrorKind, Weight};
use std::borrow::Borrow;
use std::fmt;

/// A graph in device memory, a slab hash per vertex. `W` is what edges carry:
/// `()`, `u32`, `i32` or `f32`. As an argument of a launch it is its out-edges.
///
/// Edges with several properties (a cost and a time) carry the row that is theirs in
/// arrays beside the graph. What is in those stays where it is while edges come, go and
/// are moved by a compaction. A [`PropertyGraph`](crate::properties::PropertyGraph) gives out the
/// rows by itself.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::prelude::*;
///
/// /// When the first of the edges that cost less than 2 leaves.
/// #[vertex_operator]
/// fn first(v: Vertex, graph: &Graph<u32>, cost: &[f32], time: &[u32], first: &mut [u32]) {
///     let mut earliest = u32::MAX;
///     for_each_neighbor(graph, v, true, |_, row| {
///         earliest = earliest.min(select(cost[row] < 2.0, time[row], u32::MAX));
///     });
///     first[v] = earliest;
/// }
///
/// let device = Device::auto();
/// let cost = DeviceBuffer::from_slice(&device, &[1.0f32, 5.0, 1.5])?;
/// let time = DeviceBuffer::from_slice(&device, &[30, 10, 20])?;
/// let edge = |dst, row| Edge { src: 0, dst, weight: row };
/// let mut graph = SlabGraph::from_edges(&device, 4, &[edge(1, 0), edge(2, 1)], &SlabOptions::DEFAULT)?;
/// graph.insert(&[edge(3, 2)])?;
/// let mut departure = DeviceBuffer::zeroed(&device, 4)?;
/// first::launch(&device, 0..4, &graph, &cost, &time, &mut departure)?;
/// assert_eq!(departure.to_vec()?, [20, u32::MAX, u32::MAX, u32::MAX]);
/// # Ok(())
/// # }
/// ```
pub type SlabGraph<W = ()> = DynamicGraph<Adjacency<W>>;

/// A graph in device memory that batches change, whatever holds its edges: a [`SlabGraph`], a
/// [`CompactGraph`](super::compact_slabs::CompactGraph) or a
/// [`BlockGraph`](super::block_arrays::BlockGraph). `L` are its lists in one orientation.
#[derive(Debug)]
pub struct DynamicGraph<L: EdgeLists> {
    device: Device,
    pub(super) ids: Ids,
    options: SlabOptions,
    pub(super) counts: ChangeCounts,
    pub(super) counters: Counters,
    /// Where the next sweep begins.
    pub(super) next_swept: crate::Vertex,
    /// Whether lists were laid out again since deletions were queued that may be taken back: places of
    /// tombstones may be gone.
    pub(super) has_moved: bool,
    pub(super) version: Version,
    /// Whether an insertion may have left an edge in the lists of one of its ends only: one that
    /// nobody waited for, or that found no memory.
    pub(super) may_be_partial: bool,
    /// The basis of the change whose deletions were applied and nothing since.
    pub(super) halfway: Option<Version>,
    pub(super) out: Option<L>,
    /// `None` also where the out-edges are the in-edges.
    pub(super) into: Option<L>,
    /// What came since a moment, if that is tracked and kept apart.
    pub(super) updates: Option<Box<UpdatesApart<L>>>,
}

/// The updates of a graph, kept apart: see `updates_apart.rs`.
pub(super) struct UpdatesApart<L: EdgeLists> {
    /// Its lists lie in the graph's own, for operators, unless something is done to them.
    pub(super) graph: DynamicGraph<L>,
    /// What the deletions that may be taken back have changed here.
    pub(super) gone: Option<Change<L::Carried>>,
}

impl<L: EdgeLists> fmt::Debug for UpdatesApart<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpdatesApart").finish_non_exhaustive()
    }
}

impl<L: EdgeLists> DynamicGraph<L> {
    /// A graph of `vertices` vertices and the given edges: an edge that occurs
    /// several times is there once, with its last weight. Synchronises.
    ///
    /// # Errors
    /// An edge outside `0..vertices`, too many vertices, edges or slabs, a NaN, a
    /// load factor outside (0, 1], no memory.
    pub fn from_edges(
        device: &Device,
        vertices: u32,
        edges: &[Edge<L::Carried>],
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        check::<L>(vertices, options)?;
        check_length(edges.len())?;
        let edges = DeviceBuffer::from_slice(device, edges)?;
        check_insertions(&Ids::new(device, vertices), &edges)?;
        let edges =
            if L::Carried::IS_WEIGHTED { last_of_each(&edges, options.direction)? } else { edges };
        Self::of_parts(device, vertices, &[&edges], options)
    }

    /// [`from_edges`](Self::from_edges) of edges that are on the device already.
    /// With weights no edge may be named twice, in an undirected graph in neither
    /// direction: which of the weights it would get is open. Synchronises.
    ///
    /// # Errors
    /// As [`from_edges`](Self::from_edges).
    pub fn from_buffer(
        device: &Device,
        vertices: u32,
        edges: &EdgeBuffer<L>,
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        Self::from_buffers(device, vertices, &[edges], options)
    }

    /// [`from_buffer`](Self::from_buffer) of edges in several lists, each of at most 2^31 - 1.
    /// Synchronises.
    ///
    /// # Errors
    /// As [`from_buffer`](Self::from_buffer); places of edges are those in their list.
    pub fn from_buffers<B: Borrow<EdgeBuffer<L>>>(
        device: &Device,
        vertices: u32,
        parts: &[B],
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        check::<L>(vertices, options)?;
        let ids = Ids::new(device, vertices);
        // Once: a `Borrow` may give another list each time, which nobody has checked.
        let parts: Vec<&EdgeBuffer<L>> = parts.iter().map(Borrow::borrow).collect();
        for edges in &parts {
            edges.check_device(device)?;
            check_insertions(&ids, edges)?;
        }
        Self::of_parts(device, vertices, &parts, options)
    }

    /// [`from_buffers`](Self::from_buffers) of lists that `part` makes, number 0 to
    /// `parts - 1`, one at a time: so a graph is built without a list of all its edges. Each is
    /// asked for twice and must have the same edges, in any order. With weights an edge may be
    /// named again with the same weight. Synchronises.
    ///
    /// # Errors
    /// As [`from_buffers`](Self::from_buffers); those of `part`; [`ErrorKind::PartsDiffer`] if
    /// the edges were others the second time.
    pub fn from_parts<B: Borrow<EdgeBuffer<L>>>(
        device: &Device,
        vertices: u32,
        parts: usize,
        mut part: impl FnMut(usize) -> Result<B, Error>,
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        check::<L>(vertices, options)?;
        let ids = Ids::new(device, vertices);
        let check = |edges: &EdgeBuffer<L>| {
            edges.check_device(device)?;
            check_insertions(&ids, edges)
        };
        let mut counts = DegreeCount::of_sides(device, vertices, options)?;
        for at in 0..parts {
            let owner = part(at)?;
            let edges = owner.borrow();
            check(edges)?;
            counts.iter_mut().try_for_each(|count| count.add(edges))?;
        }
        // The lists have room for what was counted: it is counted again, to be sure.
        let sides = counts.iter().map(|count| Side::<L>::planned(count, options));
        let mut sides = sides.collect::<Result<Vec<_>, _>>()?;
        let mut again = DegreeCount::of_sides(device, vertices, options)?;
        for at in 0..parts {
            let owner = part(at)?;
            let edges = owner.borrow();
            check(edges)?;
            again.iter_mut().try_for_each(|count| count.add(edges))?;
            sides.iter_mut().try_for_each(|side| side.lists.fill(edges, side.ends))?;
        }
        for (count, other) in counts.iter().zip(&again) {
            if !count.is_same(&other.degrees)? {
                return Err(ErrorKind::PartsDiffer.into());
            }
        }
        drop((counts, again));
        Self::of_sides(device, vertices, sides, options)
    }

    /// Of edges that were checked.
    pub(super) fn of_parts(
        device: &Device,
        vertices: u32,
        parts: &[&EdgeBuffer<L>],
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        // One side after the other, as each takes memory for its degrees.
        let mut sides = Vec::new();
        for mut count in DegreeCount::of_sides(device, vertices, options)? {
            parts.iter().try_for_each(|edges| count.add(edges))?;
            let mut side = Side::<L>::of_counted(count, options)?;
            parts.iter().try_for_each(|edges| side.lists.fill(edges, side.ends))?;
            sides.push(side);
        }
        Self::of_sides(device, vertices, sides, options)
    }

    fn of_sides(
        device: &Device,
        vertices: u32,
        sides: Vec<Side<L>>,
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        let (mut out, mut into) = (None, None);
        for Side { mut lists, ends, .. } in sides {
            lists.finish_filling()?;
            if options.track_updates {
                lists.track_updates()?;
            }
            let is_out = ends == options.out_ends();
            *(if is_out { &mut out } else { &mut into }) = Some(lists);
        }
        let mut graph = Self::of_lists(device, vertices, options, [out, into])?;
        graph.begin_updates()?;
        Ok(graph)
    }

    /// Of the lists of its orientations.
    pub(crate) fn of_lists(
        device: &Device,
        vertices: u32,
        options: &SlabOptions,
        [out, into]: [Option<L>; 2],
    ) -> Result<Self, Error> {
        let ids = Ids::new(device, vertices);
        let (counts, version) = (ChangeCounts::default(), Version::first());
        let (device, options) = (device.clone(), *options);
        let mut graph = DynamicGraph {
            device,
            ids,
            counts,
            counters: Counters::default(),
            next_swept: 0,
            has_moved: false,
            version,
            may_be_partial: false,
            halfway: None,
            options,
            out,
            into,
            updates: None,
        };
        graph.counts.laid_out = graph.edge_count()?;
        Ok(graph)
    }

    /// Notes that edges change: what was found out about them before does not hold any more.
    pub(super) fn advance_version(&mut self) {
        self.version.advance();
        self.halfway = None;
    }

    /// Does something to both orientations of arcs.
    pub(super) fn each_orientation(
        &mut self,
        mut act: impl FnMut(&mut L, Endpoint) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Some(out) = &mut self.out {
            act(out, Endpoint::Source)?;
        }
        if let Some(into) = &mut self.into {
            act(into, Endpoint::Destination)?;
        }
        Ok(())
    }

    /// The orientations kept: out-edges before in-edges.
    pub(crate) fn orientations(&self) -> impl Iterator<Item = &L> {
        self.out.iter().chain(&self.into)
    }

    /// One of the orientations kept; there is one in every graph.
    pub(super) fn any_orientation(&self) -> Option<(&L, Endpoint)> {
        let out = self.out.as_ref().map(|out| (out, Endpoint::Source));
        out.or(self.into.as_ref().map(|into| (into, Endpoint::Destination)))
    }

    /// Does something for every end whose lists are kept.
    pub(super) fn each_end(
        &self,
        act: impl Fn(&L, Endpoint) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let out = self
            .out
            .iter()
            .flat_map(|out| self.options.out_ends().iter().map(move |end| (out, end)));
        let into = self
            .into
            .iter()
            .flat_map(|into| self.options.in_ends().iter().map(move |end| (into, end)));
        out.chain(into).try_for_each(|(lists, &end)| act(lists, end))
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// How it was asked to be.
    pub fn options(&self) -> &SlabOptions {
        &self.options
    }

    /// How many ids of vertices there are, from 0; those of deleted vertices
    /// included.
    pub fn vertex_count(&self) -> u32 {
        self.ids.count()
    }

    /// How many edges there are; an undirected one counts as two arcs, a loop as
    /// one. Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn edge_count(&self) -> Result<u64, Error> {
        self.any_orientation().map_or(Ok(0), |(lists, _)| lists.arc_count())
    }

    /// The out-edges, to be passed to an operator: as `&Graph<W>` if they are in slabs,
    /// as `&G` of any container.
    ///
    /// # Errors
    /// [`ErrorKind::OrientationMissing`] if the graph keeps in-edges only.
    pub fn out_edges(&self) -> Result<&L, Error> {
        self.out.as_ref().ok_or_else(|| ErrorKind::OrientationMissing { wanted: "out" }.into())
    }

    /// The in-edges, to be passed to an operator: `for_each_neighbor`
    /// then visits the vertices from which edges come. In an undirected graph
    /// they are its out-edges.
    ///
    /// # Errors
    /// [`ErrorKind::OrientationMissing`] if the graph keeps out-edges only.
    pub fn in_edges(&self) -> Result<&L, Error> {
        match self.options.direction {
            Direction::Undirected => self.out_edges(),
            Direction::Directed => {
                let into = self.into.as_ref();
                into.ok_or_else(|| ErrorKind::OrientationMissing { wanted: "in" }.into())
            }
        }
    }

    /// Whether the out-edges are the in-edges.
    pub fn is_undirected(&self) -> bool {
        self.options.direction == Direction::Undirected
    }

    /// Goes on with other lists.
    pub(super) fn replace(&mut self, out: Option<L>, into: Option<L>) {
        (self.out, self.into) = (out, into);
    }

    /// Bytes of device memory of the lists.
    pub fn bytes(&self) -> u64 {
        self.orientations().map(L::bytes).sum()
    }
}

impl<W: Weight> SlabGraph<W> {
    /// How many slabs are in use, heads and overflow, of both orientations.
    /// Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn slab_count(&self) -> Result<u64, Error> {
        self.orientations().map(|adjacency| adjacency.slab_count().map(u64::from)).sum()
    }

    /// Makes room for `more` overflow slabs in each orientation, so that
    /// insertions need not. Synchronises.
    ///
    /// # Errors
    /// No memory, or more slabs than can be numbered; the graph is as it was.
    pub fn reserve_slabs(&mut self, more: u32) -> Result<(), Error> {
        self.each_orientation(|adjacency, _| adjacency.reserve_slabs(more))
    }
}

// One for each container, and none for all: so rustc says which graph it is and what it takes.
#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<W: Weight> HostArg<Graph<W>> for &SlabGraph<W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Graph<W>, Error> {
        // SAFETY: what the caller promises of the graph holds for its out-edges.
        unsafe { HostArg::to_device_arg(self.out_edges()?, device) }
    }
}

/// Lists that are being filled.
struct Side<L> {
    lists: L,
    ends: &'static [Endpoint],
}

impl<L: EdgeLists> Side<L> {
    fn of_counted(count: DegreeCount, options: &SlabOptions) -> Result<Self, Error> {
        let DegreeCount { degrees, ends, arcs } = count;
        Ok(Side { lists: L::planned(degrees, arcs, options, Internal::TOKEN)?, ends })
    }

    /// The same, of a count that is looked at again.
    fn planned(count: &DegreeCount, options: &SlabOptions) -> Result<Self, Error> {
        let degrees = count.degrees.first(count.degrees.len())?;
        Self::of_counted(DegreeCount { degrees, ends: count.ends, arcs: count.arcs }, options)
    }
}

fn check<L: EdgeLists>(vertices: u32, options: &SlabOptions) -> Result<(), Error> {
    L::check_vertices(vertices.into())?;
    options.check()
}
