//! The host's graph of compact slabs: what users own.

use super::edges::CompactEdges;
use super::layout::NO_KEY;
use super::view::Compact;
use crate::device::{Device, DeviceBuffer};
use crate::graph::batch::check_length;
use crate::graph::build::DegreeCount;
use crate::graph::change::last_of_each;
use crate::graph::ids::Ids;
use crate::graph::layout::Edge;
use crate::graph::options::{Endpoint, SlabOptions};
use crate::graph::validate::{check_insertions, check_range};
use crate::launch::HostArg;
use crate::view::Atomic;
use crate::{Direction, Error, ErrorKind, Weight};
use rayon::prelude::*;
use std::borrow::Borrow;

/// A graph in compact slabs: about the size of compressed sparse rows, and edges come and go in
/// bulk. As an argument of a launch it is its out-edges.
///
/// A vertex has a record of 16 or 32 bytes with its first neighbours; further ones are in slabs of
/// 16 to 128 bytes, those of a hub in buckets that a hash chooses.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::prelude::*;
///
/// let device = Device::auto();
/// let edge = |src, dst| Edge { src, dst, weight: () };
/// let edges = [edge(0, 1), edge(0, 2), edge(2, 0)];
/// let mut graph = CompactGraph::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT)?;
/// graph.delete_buffer(&DeviceBuffer::from_slice(&device, &[edge(0, 1)])?)?;
/// assert_eq!(graph.contains(&edges)?, [false, true, true]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct CompactGraph<W: Weight = ()> {
    device: Device,
    ids: Ids,
    options: SlabOptions,
    out: Option<CompactEdges<W>>,
    /// `None` also where the out-edges are the in-edges.
    into: Option<CompactEdges<W>>,
}

impl<W: Weight> CompactGraph<W> {
    /// A graph of `vertices` vertices and the given edges: an edge that occurs several times is
    /// there once, with its last weight. Of the options, direction and orientation count.
    /// Synchronises.
    ///
    /// # Errors
    /// An edge outside `0..vertices`, more than 2^31 - 1 vertices, too many edges, a NaN, no
    /// memory.
    pub fn from_edges(
        device: &Device,
        vertices: u32,
        edges: &[Edge<W>],
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        check_length(edges.len())?;
        check_vertices(vertices)?;
        let edges = DeviceBuffer::from_slice(device, edges)?;
        check_insertions(&Ids::new(device, vertices), &edges)?;
        let edges = if W::IS_WEIGHTED { last_of_each(&edges, options.direction)? } else { edges };
        Self::from_buffers(device, vertices, &[edges], options)
    }

    /// [`from_edges`](Self::from_edges) of edges that are on the device already, in lists of at
    /// most 2^31 - 1. With weights no edge may be named twice: which of the weights it would get
    /// is open. Synchronises.
    ///
    /// # Errors
    /// As [`from_edges`](Self::from_edges).
    pub fn from_buffers<B: Borrow<DeviceBuffer<Edge<W>>>>(
        device: &Device,
        vertices: u32,
        parts: &[B],
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        check_vertices(vertices)?;
        let ids = Ids::new(device, vertices);
        for edges in parts {
            edges.borrow().check_device(device)?;
            check_insertions(&ids, edges.borrow())?;
        }
        let (mut out, mut into) = (None, None);
        for mut count in DegreeCount::of_sides(device, vertices, options)? {
            parts.iter().try_for_each(|edges| count.add(edges.borrow()))?;
            let mut side = CompactEdges::planned(&count.degrees, count.arcs)?;
            parts.iter().try_for_each(|edges| side.insert(edges.borrow(), count.ends))?;
            let is_out = count.ends == options.out_ends();
            *(if is_out { &mut out } else { &mut into }) = Some(side);
        }
        Ok(CompactGraph { device: device.clone(), ids, options: *options, out, into })
    }

    /// A graph of these orientations.
    pub(crate) fn assembled(
        device: &Device,
        vertices: u32,
        options: SlabOptions,
        [out, into]: [Option<CompactEdges<W>>; 2],
    ) -> Self {
        CompactGraph { device: device.clone(), ids: Ids::new(device, vertices), options, out, into }
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// How many vertices there are, from 0.
    pub fn vertex_count(&self) -> u32 {
        self.ids.count()
    }

    /// The out-edges.
    ///
    /// # Errors
    /// [`ErrorKind::OrientationMissing`] if the graph keeps in-edges only.
    pub fn out_edges(&self) -> Result<&CompactEdges<W>, Error> {
        self.out.as_ref().ok_or_else(|| ErrorKind::OrientationMissing { wanted: "out" }.into())
    }

    /// The in-edges; in an undirected graph its out-edges.
    ///
    /// # Errors
    /// [`ErrorKind::OrientationMissing`] if the graph keeps out-edges only.
    pub fn in_edges(&self) -> Result<&CompactEdges<W>, Error> {
        if self.is_undirected() {
            return self.out_edges();
        }
        self.into.as_ref().ok_or_else(|| ErrorKind::OrientationMissing { wanted: "in" }.into())
    }

    /// Whether the in-edges are the out-edges.
    pub fn is_undirected(&self) -> bool {
        self.options.direction == Direction::Undirected
    }

    /// Inserts edges that are on the device; one that is there already gets the new weight. What
    /// it changed is not found out. With weights no edge may be named twice. Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph or a NaN, and then nothing was inserted. No memory: what fitted
    /// is in the graph, and the same call later completes it.
    pub fn insert_buffer(&mut self, edges: &DeviceBuffer<Edge<W>>) -> Result<(), Error> {
        edges.check_device(&self.device)?;
        check_insertions(&self.ids, edges)?;
        let options = self.options;
        if let Some(out) = &mut self.out {
            out.insert(edges, options.out_ends())?;
        }
        if let Some(into) = &mut self.into {
            into.insert(edges, options.in_ends())?;
        }
        Ok(())
    }

    /// Queues an insertion as [`insert_buffer`](Self::insert_buffer) without waiting: an edge
    /// outside the graph, or with NaN, is left out and nobody says so.
    /// [`insert_buffer`](Self::insert_buffer) of the same edges completes it if there was no room.
    ///
    /// # Errors
    /// The device fails.
    pub fn queue_insertions(&mut self, edges: &DeviceBuffer<Edge<W>>) -> Result<(), Error> {
        self.each_end(|side, end| side.queue_insertions(edges, end))
    }

    /// Deletes edges that are on the device; one that is not there, or is named twice, does not
    /// matter. Queued on CUDA.
    ///
    /// # Errors
    /// The device fails.
    pub fn delete_buffer(&mut self, edges: &DeviceBuffer<Edge<W>>) -> Result<(), Error> {
        self.each_end(|side, end| side.queue_deletions(edges, end))
    }

    /// Queues a search for edges that are on the device; `found` gets 1 or 0 for each, 0 for one
    /// outside the graph.
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
        match (&self.out, &self.into) {
            (Some(out), _) => out.queue_searches(edges, Endpoint::Source, found),
            (None, Some(into)) => into.queue_searches(edges, Endpoint::Destination, found),
            (None, None) => Ok(()),
        }
    }

    /// Whether each of the edges is in the graph; weights do not matter. Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph; the device fails.
    pub fn contains(&self, edges: &[Edge<W>]) -> Result<Vec<bool>, Error> {
        check_length(edges.len())?;
        let edges = DeviceBuffer::from_slice(&self.device, edges)?;
        check_range(&self.ids, &edges)?;
        let found = DeviceBuffer::zeroed(&self.device, edges.len())?;
        self.queue_searches(&edges, &found)?;
        Ok(found.to_vec()?.into_iter().map(|found| found == 1).collect())
    }

    /// All edges with their weights, ascending by (source, destination); of an undirected graph both
    /// arcs of each. Synchronises.
    ///
    /// # Errors
    /// More than 2^32 - 1 edges, no memory; the device fails.
    pub fn to_edges(&self) -> Result<Vec<Edge<W>>, Error> {
        let mut edges = match (&self.out, &self.into) {
            (Some(out), _) => out.arcs()?,
            (None, Some(into)) => {
                let mut arcs = into.arcs()?;
                arcs.iter_mut().for_each(|arc| std::mem::swap(&mut arc.src, &mut arc.dst));
                arcs
            }
            (None, None) => Vec::new(),
        };
        edges.par_sort_unstable_by_key(|edge| (edge.src, edge.dst));
        Ok(edges)
    }

    fn each_end(
        &self,
        act: impl Fn(&CompactEdges<W>, Endpoint) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let ends = [(&self.out, self.options.out_ends()), (&self.into, self.options.in_ends())];
        for (side, ends) in ends {
            if let Some(side) = side {
                ends.iter().try_for_each(|&end| act(side, end))?;
            }
        }
        Ok(())
    }

    /// Makes room for the slabs that so many more edges usually take, in each orientation, so that
    /// insertions need not. Synchronises.
    ///
    /// # Errors
    /// No memory; the graph is as it was.
    pub fn reserve(&mut self, edges: u64) -> Result<(), Error> {
        let mut sides = self.out.iter_mut().chain(&mut self.into);
        sides.try_for_each(|side| side.reserve(edges))
    }

    /// Bytes of device memory.
    pub fn bytes(&self) -> u64 {
        self.out.iter().chain(&self.into).map(CompactEdges::bytes).sum()
    }
}

/// Larger numbers are links.
pub(crate) fn check_vertices(vertices: u32) -> Result<(), Error> {
    if vertices >= NO_KEY {
        return Err(ErrorKind::TooManyCompactVertices { count: vertices.into() }.into());
    }
    Ok(())
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<W: Weight> HostArg<Compact<W>> for &CompactGraph<W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Compact<W>, Error> {
        // SAFETY: what the caller promises of the graph holds for its out-edges.
        unsafe { HostArg::to_device_arg(self.out_edges()?, device) }
    }
}
