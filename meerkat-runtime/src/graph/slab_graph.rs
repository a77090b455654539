//! The host's slab graph: what users own.

use super::MAX_VERTICES;
use super::adjacency::Adjacency;
use super::batch::{Batch, Change, Effect, check_edges, check_on_device};
use super::compact::Wear;
use super::layout::{Edge, Graph};
use super::options::{End, SlabOptions};
use super::vertices::Ids;
use crate::device::{Device, DeviceBuffer};
use crate::launch::HostArg;
use crate::read::Direction;
use crate::view::Atomic;
use crate::{Error, ErrorKind, Weight};
use rayon::prelude::*;

/// A graph in device memory, a slab hash per vertex. `W` is what edges carry:
/// `()`, `u32`, `i32` or `f32`. As an argument of a launch it is its out-edges.
#[derive(Debug)]
pub struct SlabGraph<W: Weight = ()> {
    device: Device,
    pub(super) ids: Ids,
    options: SlabOptions,
    pub(super) wear: Wear,
    out: Option<Adjacency<W>>,
    /// `None` also where the out-edges are the in-edges.
    into: Option<Adjacency<W>>,
}

impl<W: Weight> SlabGraph<W> {
    /// A graph of `vertices` vertices and the given edges: an edge that occurs
    /// several times is there once, with its last weight. Synchronises.
    ///
    /// # Errors
    /// An edge outside `0..vertices`, too many vertices, edges or slabs, a NaN, a
    /// load factor outside (0, 1], no memory.
    pub fn from_edges(
        device: &Device,
        vertices: u32,
        edges: &[Edge<W>],
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        check_vertices(vertices)?;
        options.check()?;
        check_edges(&Ids::new(vertices), edges, true)?;
        let last = W::IS_WEIGHTED.then(|| last_of_each(edges, options.direction));
        let edges = last.as_deref().unwrap_or(edges);
        let edges = DeviceBuffer::from_slice(device, edges)?;
        Self::of_checked(device, vertices, &edges, options)
    }

    /// [`from_edges`](Self::from_edges) of edges that are on the device already.
    /// With weights no edge may be named twice, in an undirected graph in neither
    /// direction: which of the weights it would get is open. NaN is not looked
    /// for. Synchronises.
    ///
    /// # Errors
    /// As [`from_edges`](Self::from_edges).
    pub fn from_buffer(
        device: &Device,
        vertices: u32,
        edges: &DeviceBuffer<Edge<W>>,
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        check_vertices(vertices)?;
        options.check()?;
        check_on_device(device, &Ids::new(vertices), edges)?;
        Self::of_checked(device, vertices, edges, options)
    }

    fn of_checked(
        device: &Device,
        vertices: u32,
        edges: &DeviceBuffer<Edge<W>>,
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        let build = |ends: &[End]| match ends {
            [] => Ok(None),
            _ => Adjacency::build(device, vertices, edges, ends, options).map(Some),
        };
        let arcs = edges.len() * options.out_ends().len().max(1);
        Ok(SlabGraph {
            device: device.clone(),
            ids: Ids::new(vertices),
            wear: Wear { laid_out: arcs as u64, ..Wear::default() },
            options: *options,
            out: build(options.out_ends())?,
            into: build(options.in_ends())?,
        })
    }

    /// Applies a batch and returns what it changed. Synchronises.
    ///
    /// Cost: a sort of the batch and a search for its edges, beside the changes
    /// themselves.
    ///
    /// # Errors
    /// As [`change_of`](Self::change_of) and
    /// [`apply_insertions`](Self::apply_insertions); the graph is as it was.
    pub fn apply(&mut self, batch: &Batch<W>) -> Result<Change<W>, Error> {
        let change = self.change_of(batch)?;
        self.replace_edges(&change).or_else(|error| {
            self.compact_for_room(error)?;
            self.replace_edges(&change)
        })?;
        self.compact_by_policy();
        Ok(change)
    }

    /// Both halves of a change, or none.
    fn replace_edges(&mut self, change: &Change<W>) -> Result<(), Error> {
        self.queue_change_deletions(change)?;
        self.insert_edges(change).or_else(|error| {
            self.undo_deletions(change)?;
            Err(error)
        })
    }

    /// What a batch would change; the graph stays as it is. Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph, a NaN, too many updates; no memory.
    pub fn change_of(&self, batch: &Batch<W>) -> Result<Change<W>, Error> {
        batch.check(&self.ids)?;
        let last = batch.last_of_each_edge(self.options.direction);
        let found = self.find(&[&last.deleted[..], &last.inserted[..]].concat())?;
        let (of_deleted, of_inserted) = found.split_at(last.deleted.len());
        let effect = Effect::new(last, (of_deleted, of_inserted));
        Ok(Change {
            deleted: DeviceBuffer::from_slice(&self.device, &effect.deleted)?,
            inserted: DeviceBuffer::from_slice(&self.device, &effect.inserted)?,
        })
    }

    /// The first half of a change: its edges are gone. Queued on CUDA.
    ///
    /// # Errors
    /// The device fails.
    pub fn apply_deletions(&mut self, change: &Change<W>) -> Result<(), Error> {
        self.queue_change_deletions(change)?;
        self.compact_by_policy();
        Ok(())
    }

    /// Takes [`apply_deletions`](Self::apply_deletions) of a change back; nothing
    /// was inserted since. It needs no memory, unless the graph was compacted by
    /// its policy in between. Queued on CUDA.
    ///
    /// # Errors
    /// The device fails.
    pub fn undo_deletions(&mut self, change: &Change<W>) -> Result<(), Error> {
        let edges = &change.deleted;
        let edge_count = edges.len() as u64;
        if self.wear.deleted < edge_count {
            // Compacted since: there are no tombstones to take.
            return self.each_orientation(|adjacency, end| adjacency.insert(edges, &[end]));
        }
        self.wear.deleted -= edge_count;
        self.each_orientation(|adjacency, end| adjacency.queue_restorations(edges, end))
    }

    /// The second half of a change: its edges are there. Synchronises.
    ///
    /// # Errors
    /// No memory, and then none of them is there; the device fails.
    pub fn apply_insertions(&mut self, change: &Change<W>) -> Result<(), Error> {
        self.insert_edges(change).or_else(|error| {
            self.compact_for_room(error)?;
            self.insert_edges(change)
        })?;
        self.compact_by_policy();
        Ok(())
    }

    /// Inserts the edges of a change, or none.
    fn insert_edges(&mut self, change: &Change<W>) -> Result<(), Error> {
        let edges = &change.inserted;
        let inserted = self.each_orientation(|adjacency, end| adjacency.insert(edges, &[end]));
        if inserted.is_err() {
            // Their places become tombstones.
            self.wear.deleted += edges.len() as u64;
            self.each_orientation(|adjacency, end| adjacency.queue_deletions(edges, end))?;
            return inserted;
        }
        self.wear.inserted += edges.len() as u64;
        Ok(())
    }

    fn queue_change_deletions(&mut self, change: &Change<W>) -> Result<(), Error> {
        self.wear.deleted += change.deleted.len() as u64;
        self.each_orientation(|adjacency, end| adjacency.queue_deletions(&change.deleted, end))
    }

    /// Does something to both orientations of arcs.
    pub(super) fn each_orientation(
        &mut self,
        mut act: impl FnMut(&mut Adjacency<W>, End) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Some(out) = &mut self.out {
            act(out, End::Source)?;
        }
        if let Some(into) = &mut self.into {
            act(into, End::Destination)?;
        }
        Ok(())
    }

    /// For each arc the bits of its weight, or `NOT_FOUND`.
    fn find(&self, arcs: &[Edge<W>]) -> Result<Vec<u64>, Error> {
        let arcs = DeviceBuffer::from_slice(&self.device, arcs)?;
        match self.any_orientation() {
            Some((adjacency, end)) => adjacency.find(&arcs, end),
            None => Ok(Vec::new()),
        }
    }

    /// One of the orientations kept; there is one in every graph.
    pub(super) fn any_orientation(&self) -> Option<(&Adjacency<W>, End)> {
        let out = self.out.as_ref().map(|out| (out, End::Source));
        out.or(self.into.as_ref().map(|into| (into, End::Destination)))
    }

    /// Inserts edges; one that is there already gets the new weight, and of one
    /// that is named several times the last counts. Synchronises.
    ///
    /// # Errors
    /// As [`apply`](Self::apply), and then nothing was inserted.
    pub fn insert(&mut self, edges: &[Edge<W>]) -> Result<(), Error> {
        self.apply(&Batch::new().insert(edges)).map(drop)
    }

    /// Deletes edges; one that is not there, or is named twice, does not matter.
    /// Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph, and then nothing was deleted; the device fails.
    pub fn delete(&mut self, edges: &[Edge<W>]) -> Result<(), Error> {
        self.apply(&Batch::new().delete(edges)).map(drop)
    }

    /// [`insert`](Self::insert) of edges that are on the device already, for speed:
    /// what it changed is not found out. With weights no edge may be named twice,
    /// in an undirected graph in neither direction: which of the weights it would
    /// get is open. NaN is not looked for. Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph, and then nothing was inserted. No memory: what
    /// fitted is in the graph, and the same call later completes it.
    pub fn insert_buffer(&mut self, edges: &DeviceBuffer<Edge<W>>) -> Result<(), Error> {
        check_on_device(&self.device, &self.ids, edges)?;
        let options = self.options;
        if let Some(out) = &mut self.out {
            out.insert(edges, options.out_ends())?;
        }
        if let Some(into) = &mut self.into {
            into.insert(edges, options.in_ends())?;
        }
        Ok(())
    }

    /// Queues an insertion as [`insert_buffer`](Self::insert_buffer) without
    /// waiting, of edges in the graph's range: nobody checks it.
    /// [`insert_buffer`](Self::insert_buffer) of the same edges completes it if
    /// the slabs did not suffice.
    ///
    /// # Errors
    /// The device fails.
    pub fn queue_insertions(&mut self, edges: &DeviceBuffer<Edge<W>>) -> Result<(), Error> {
        self.each_end(|adjacency, end| adjacency.queue_insertions(edges, end))
    }

    /// Queues the deletion of edges that are on the device already and, checked
    /// by nobody, in the graph's range. Deleting twice is deleting once.
    ///
    /// # Errors
    /// The device fails.
    pub fn queue_deletions(&mut self, edges: &DeviceBuffer<Edge<W>>) -> Result<(), Error> {
        self.each_end(|adjacency, end| adjacency.queue_deletions(edges, end))
    }

    /// Queues a search for edges that are on the device already and, checked by
    /// nobody, in the graph's range; `found` gets 1 or 0 for each.
    ///
    /// # Errors
    /// `found` is shorter than `edges`; the device fails.
    pub fn queue_searches(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        found: &DeviceBuffer<Atomic<u32>>,
    ) -> Result<(), Error> {
        if found.len() < edges.len() {
            let (index, length) = (edges.len() - 1, found.len());
            return Err(ErrorKind::OutOfBounds { index, length }.into());
        }
        match self.any_orientation() {
            Some((adjacency, end)) => adjacency.queue_searches(edges, end, found),
            None => Ok(()),
        }
    }

    fn each_end(&self, act: impl Fn(&Adjacency<W>, End) -> Result<(), Error>) -> Result<(), Error> {
        let out = self
            .out
            .iter()
            .flat_map(|out| self.options.out_ends().iter().map(move |end| (out, end)));
        let into = self
            .into
            .iter()
            .flat_map(|into| self.options.in_ends().iter().map(move |end| (into, end)));
        out.chain(into).try_for_each(|(adjacency, &end)| act(adjacency, end))
    }

    /// Makes room for `more` overflow slabs in each orientation, so that
    /// insertions need not. Synchronises.
    ///
    /// # Errors
    /// No memory, or more slabs than can be numbered; the graph is as it was.
    pub fn reserve_slabs(&mut self, more: u32) -> Result<(), Error> {
        self.each_orientation(|adjacency, _| adjacency.reserve_slabs(more))
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
        self.ids.count
    }

    /// How many edges there are; an undirected one counts as two arcs, a loop as
    /// one. Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn edge_count(&self) -> Result<u64, Error> {
        self.any_orientation().map_or(Ok(0), |(adjacency, _)| adjacency.arc_count())
    }

    /// The out-edges, to be passed as `&Graph<W>` to an operator.
    ///
    /// # Errors
    /// [`ErrorKind::OrientationMissing`] if the graph keeps in-edges only.
    pub fn out_edges(&self) -> Result<&Adjacency<W>, Error> {
        self.out.as_ref().ok_or_else(|| ErrorKind::OrientationMissing { wanted: "out" }.into())
    }

    /// The in-edges, to be passed as `&Graph<W>` to an operator: `for_each_neighbor`
    /// then visits the vertices from which edges come. In an undirected graph
    /// they are its out-edges.
    ///
    /// # Errors
    /// [`ErrorKind::OrientationMissing`] if the graph keeps out-edges only.
    pub fn in_edges(&self) -> Result<&Adjacency<W>, Error> {
        match self.options.direction {
            Direction::Undirected => self.out_edges(),
            Direction::Directed => {
                let into = self.into.as_ref();
                into.ok_or_else(|| ErrorKind::OrientationMissing { wanted: "in" }.into())
            }
        }
    }

    /// Whether the out-edges are the in-edges.
    pub(super) fn out_is_in(&self) -> bool {
        self.options.direction == Direction::Undirected
    }

    /// Goes on with other lists.
    pub(super) fn replace(&mut self, out: Option<Adjacency<W>>, into: Option<Adjacency<W>>) {
        (self.out, self.into) = (out, into);
    }

    /// Whether each of the edges is in the graph; weights do not matter.
    /// Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph; the device fails.
    pub fn contains(&self, edges: &[Edge<W>]) -> Result<Vec<bool>, Error> {
        check_edges(&self.ids, edges, false)?;
        let found = DeviceBuffer::zeroed(&self.device, edges.len())?;
        self.queue_searches(&DeviceBuffer::from_slice(&self.device, edges)?, &found)?;
        Ok(found.to_vec()?.into_iter().map(|found| found == 1).collect())
    }

    /// How many slabs are in use, heads and overflow, of both orientations.
    /// Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn slab_count(&self) -> Result<u64, Error> {
        let all = self.out.iter().chain(&self.into);
        all.map(|adjacency| adjacency.slab_count().map(u64::from)).sum()
    }
}

impl<W: Weight> HostArg<Graph<W>> for &SlabGraph<W> {
    fn pass(self, device: &Device) -> Result<Graph<W>, Error> {
        HostArg::pass(self.out_edges()?, device)
    }
}

fn check_vertices(vertices: u32) -> Result<(), Error> {
    if u64::from(vertices) > MAX_VERTICES {
        return Err(ErrorKind::TooManyVertices { count: vertices.into() }.into());
    }
    Ok(())
}

/// The last record of each edge: what a sequence of insertions leaves.
fn last_of_each<W: Weight>(edges: &[Edge<W>], direction: Direction) -> Vec<Edge<W>> {
    let key = |edge: &Edge<W>| match direction {
        Direction::Directed => (edge.src, edge.dst),
        Direction::Undirected => (edge.src.min(edge.dst), edge.src.max(edge.dst)),
    };
    let mut sorted = edges.to_vec();
    sorted.par_sort_by_key(key);
    sorted.reverse();
    sorted.dedup_by_key(|edge| key(edge));
    sorted
}
