//! The host's side of oriented graphs.

use super::rows::{Oriented, Row, add_degrees, count_ends, fill_rows, list_rows, place_rows};
use super::tally::{CornerBuffers, Tally, TotalBuffers};
use super::triangles::{PLACES, PLACES_OF_WARP, count_by_blocks, count_by_warps};
use crate::container::Container;
use crate::device::{Device, DeviceBuffer};
use crate::frontier::LevelQueue;
use crate::graph::{degrees_of, sum_of};
use crate::launch::HostArg;
use crate::view::{Atomic, Slab};
use crate::{DeviceType, Error, ErrorKind, Vertex};

/// How long the rows are that each kernel takes at once.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest row that a warp takes.
    pub warp: u32,
    /// The longest part of a row that a block takes.
    pub block: u32,
}

impl Limits {
    /// Sets of a warp a quarter full at most, those of a block half.
    pub const DEFAULT: Limits = Limits { warp: PLACES_OF_WARP / 4, block: PLACES / 2 };
}

/// Most vertices that a warp takes from the counter at once.
const MOST_TAKEN: u32 = 16;
/// How many threads count where a device runs fewer at once.
const LEAST_THREADS: u32 = 1 << 11;

/// The oriented graph of a graph in any container, as it was when it was asked for; passed as
/// `&Oriented` to kernels.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::oriented::OrientedGraph;
/// use meerkat_runtime::prelude::*;
///
/// let device = Device::auto();
/// let edges = [(0, 1), (1, 2), (2, 0), (2, 3)].map(|(src, dst)| Edge { src, dst, weight: () });
/// let graph = SlabGraph::from_edges(&device, 4, &edges, &SlabOptions::DEFAULT)?;
/// let oriented = OrientedGraph::of(&graph)?;
/// let (total, corners) = (DeviceBuffer::zeroed(&device, 1)?, DeviceBuffer::zeroed(&device, 4)?);
/// oriented.count_shared_neighbors(&corners, &total)?;
/// assert_eq!((total.to_vec()?, corners.to_vec()?), (vec![1], vec![1, 1, 1, 0]));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct OrientedGraph {
    rows: DeviceBuffer<Row>,
    keys: DeviceBuffer<Slab>,
    limits: Limits,
    /// The vertices with rows longer than a warp takes.
    long: LevelQueue<Vertex>,
    /// There are no more edges.
    most_edges: u64,
}

impl OrientedGraph {
    /// Orients the edges of a graph, whatever the directions of its arcs; loops and
    /// weights are left out. Synchronises.
    ///
    /// Cost: a walk over the graph, and its degrees; of a directed one a search for the opposite of half
    /// the arcs and, if it keeps out-edges only, another walk. 4 to 8 bytes an edge, and
    /// 8 a vertex.
    ///
    /// # Errors
    /// The graph keeps in-edges only; no memory; the device fails.
    pub fn of<C: Container>(graph: &C) -> Result<Self, Error> {
        Self::within(graph, Limits::DEFAULT)
    }

    /// [`of`](Self::of) with other [`Limits`], for tests.
    #[doc(hidden)]
    pub fn within<C: Container>(graph: &C, limits: Limits) -> Result<Self, Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let (out, mirrored) = (graph.out_edges()?, graph.is_undirected());
        let degrees = match mirrored {
            true => degrees_of(device, vertices, out)?,
            false => degrees_both_ways(graph)?,
        };
        // Whom `k` edges leave has `k` neighbours with `k` arcs each, at both ends.
        let ends = sum_of(&degrees)?;
        let longest = u32::try_from(ends.isqrt()).unwrap_or(u32::MAX);
        let next = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        let mut rows = DeviceBuffer::zeroed(device, vertices as usize)?;
        place_rows::launch(device, vertices, &degrees, longest, &next, &mut rows)?;
        let keys = DeviceBuffer::zeroed(device, next.read(0, 1)?[0].div_ceil(8) as usize)?;
        let long = LevelQueue::new(device, vertices)?;
        let most_edges = ends / 2;
        let mut oriented = OrientedGraph { rows, keys, limits, long, most_edges };
        let (all, lengths) = (0..vertices, DeviceBuffer::zeroed(device, vertices as usize)?);
        fill_rows::launch(device, all, out, mirrored, &degrees, longest, &lengths, &oriented)?;
        let OrientedGraph { rows, long, .. } = &mut oriented;
        let limit = limits.warp;
        list_rows::launch(device, vertices, &degrees, longest, &lengths, limit, rows, long.next())?;
        long.advance()?;
        Ok(oriented)
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        self.rows.device()
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// At least as many as there are edges.
    pub(super) fn most_edges(&self) -> u64 {
        self.most_edges
    }

    /// How many slabs the rows are in.
    pub(super) fn key_slabs(&self) -> usize {
        self.keys.len()
    }

    /// Counts, for every edge, the out-neighbours that its ends share: each of these closes
    /// a triangle. Adds their number to the first of `total` and, unless `corners` is
    /// empty, one for each to its three corners there. Queued on CUDA.
    ///
    /// Cost: for every edge a look at each out-neighbour of its higher end, in memory of
    /// the block.
    ///
    /// # Errors
    /// `total` is empty, or `corners` has fewer elements than there are vertices; no
    /// memory; the device fails.
    pub fn count_shared_neighbors(
        &self,
        corners: &DeviceBuffer<Atomic<u64>>,
        total: &DeviceBuffer<Atomic<u64>>,
    ) -> Result<(), Error> {
        check_room(total, 1)?;
        if corners.is_empty() {
            let none = DeviceBuffer::empty(self.device());
            return self.count(TotalBuffers { none: &none }, total);
        }
        check_room(corners, self.vertex_count() as usize)?;
        self.count(CornerBuffers { corners }, total)
    }

    /// Adds the number of triangles to the first of `total`, and tallies them. Queued on CUDA.
    pub(super) fn count<T: Tally + DeviceType>(
        &self,
        tally: impl HostArg<T> + Copy,
        total: &DeviceBuffer<Atomic<u64>>,
    ) -> Result<(), Error> {
        let (device, vertices, limits) = (self.device(), self.vertex_count(), self.limits);
        let threads =
            u32::try_from(device.threads_at_once()).unwrap_or(u32::MAX).max(LEAST_THREADS);
        let taken = (vertices / (threads / 32)).clamp(1, MOST_TAKEN);
        let next = || DeviceBuffer::<Atomic<u32>>::zeroed(device, 1);
        let (limit, long) = (limits.block, self.long.all());
        if !long.is_empty() {
            count_by_blocks::launch(device, threads, self, long, limit, &next()?, tally, total)?;
        }
        let (limit, most) = (limits.warp, vertices.div_ceil(taken).saturating_mul(32));
        let threads = threads.min(most);
        count_by_warps::launch(device, threads, self, limit, taken, &next()?, tally, total)
    }
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl HostArg<Oriented> for &OrientedGraph {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Oriented, Error> {
        // SAFETY: what the caller promises of the graph holds for its rows.
        let rows = unsafe { (&self.rows).to_device_arg(device) }?;
        // SAFETY: and for its keys.
        let keys = unsafe { (&self.keys).to_device_arg(device) }?;
        Ok(Oriented { rows, keys })
    }
}

/// The arcs at each vertex, in and out.
fn degrees_both_ways<C: Container>(graph: &C) -> Result<DeviceBuffer<Atomic<u32>>, Error> {
    let (device, vertices, out) = (graph.device(), graph.vertex_count(), graph.out_edges()?);
    let degrees = DeviceBuffer::zeroed(device, vertices as usize)?;
    match graph.in_edges() {
        Ok(into) => add_degrees::launch(device, 0..vertices, out, into, &degrees)?,
        Err(_) => count_ends::launch(device, 0..vertices, out, &degrees)?,
    }
    Ok(degrees)
}

/// Whether an array has this many elements.
fn check_room(array: &DeviceBuffer<Atomic<u64>>, wanted: usize) -> Result<(), Error> {
    let length = array.len();
    if length < wanted {
        return Err(ErrorKind::OutOfBounds { index: wanted - 1, length }.into());
    }
    Ok(())
}
