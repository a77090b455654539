//! Rows that are on the device already: checked there, and read where they are.

use super::Rows;
use super::from_graph::most_lists;
use crate::container::Container;
use crate::device::{Device, DeviceBuffer};
use crate::graph::{MAX_VERTICES, NONE_REFUSED};
use crate::launch::HostArg;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, ErrorKind, Weight};
use meerkat_macros::kernel;
use std::marker::PhantomData;

/// What is found of rows: the place of the first neighbour that is outside the graph or whose weight
/// is NaN, or [`NONE_REFUSED`], which no place is.
const REFUSED: u32 = 0;
/// Rows that end before they begin, or do not follow each other from the first neighbour to the last.
const BROKEN: u32 = 1;
/// How often a neighbour is not more than the one before it, in whatever row; and how often where a
/// row begins.
const DESCENTS: u32 = 2;
const ROWS_BELOW: u32 = 3;
/// The most neighbours of a row.
const LONGEST: u32 = 4;

/// Checks neighbours and their weights. For as many threads as neighbours.
#[kernel]
fn check_neighbors<W: Weight>(
    neighbors: &[u32],
    weights: &[W],
    vertices: u32,
    found: &[Atomic<u32>],
) {
    let i = thread_id();
    let mut descends = false;
    if i < neighbors.len() {
        let dst = neighbors[i];
        let mut is_refused = dst >= vertices;
        if W::IS_WEIGHTED {
            is_refused |= !W::is_ordered(weights[i]);
        }
        if is_refused {
            found[REFUSED].fetch_min(i);
        }
        descends = i > 0 && dst <= neighbors[i - 1];
    }
    let descents = warp_ballot(descends).count_ones();
    if lane_id() == 0 && descents != 0 {
        found[DESCENTS].fetch_add(descents);
    }
}

/// Checks where rows begin. For as many threads as rows.
#[kernel]
fn check_rows(offsets: &[u32], neighbors: &[u32], found: &[Atomic<u32>]) {
    let v = thread_id();
    let mut is_below = false;
    let mut length = 0u32;
    if v + 1 < offsets.len() {
        let begin = offsets[v];
        let end = offsets[v + 1];
        let is_first = v > 0 || begin == 0;
        let is_last = v + 2 < offsets.len() || end == neighbors.len();
        if begin > end || end > neighbors.len() || !is_first || !is_last {
            found[BROKEN].store(1);
        } else {
            length = end - begin;
            is_below = length != 0 && begin > 0 && neighbors[begin] <= neighbors[begin - 1];
        }
    }
    let longest = warp_reduce_max(length);
    let below = warp_ballot(is_below).count_ones();
    if lane_id() == 0 {
        if longest != 0 {
            found[LONGEST].fetch_max(longest);
        }
        if below != 0 {
            found[ROWS_BELOW].fetch_add(below);
        }
    }
}

/// Rows in buffers of somebody else, read where they are: a graph of its own, with out-edges, and
/// in-edges if it is given some. It cannot change, and neither can the buffers while it lives.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::prelude::*;
///
/// let device = Device::auto();
/// let offsets = DeviceBuffer::from_slice(&device, &[0, 2, 2, 3])?;
/// let neighbors = DeviceBuffer::from_slice(&device, &[1, 2, 0])?;
/// let none = DeviceBuffer::<()>::zeroed(&device, 0)?;
/// let rows = BorrowedRows::new(&offsets, &neighbors, &none)?;
/// assert_eq!((rows.vertex_count(), rows.edge_count()), (3, 3));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BorrowedRows<'a, W: Weight = ()> {
    out: BorrowedEdges<'a, W>,
    into: Option<BorrowedEdges<'a, W>>,
}

/// The borrowed rows of one orientation; as an argument of a launch, `&Rows<W>`.
#[derive(Clone, Copy, Debug)]
pub struct BorrowedEdges<'a, W: Weight = ()> {
    offsets: &'a DeviceBuffer<u32>,
    neighbors: &'a DeviceBuffer<u32>,
    weights: &'a DeviceBuffer<W>,
    ascends: bool,
    most_lists: u32,
}

impl<'a, W: Weight> BorrowedRows<'a, W> {
    /// A graph of rows that are on a device: `offsets` has where the row of each vertex begins, and
    /// at last how many neighbours there are; `weights` has one for each neighbour, and none where
    /// edges have none. Synchronises.
    ///
    /// An edge that is there twice is two: what algorithms count of it is not said. A graph that can
    /// change, made of these rows, has it once, with any of its weights.
    ///
    /// Cost: one pass over offsets and neighbours, which checks them. Nothing is copied.
    ///
    /// # Errors
    /// [`ErrorKind::BrokenCsr`] if offsets do not ascend from 0 to the number of neighbours, or
    /// weights are not as many; a neighbour outside the graph, a NaN; too many vertices; buffers of
    /// several devices.
    pub fn new(
        offsets: &'a DeviceBuffer<u32>,
        neighbors: &'a DeviceBuffer<u32>,
        weights: &'a DeviceBuffer<W>,
    ) -> Result<Self, Error> {
        let out = BorrowedEdges::checked(offsets, neighbors, weights)?;
        Ok(BorrowedRows { out, into: None })
    }

    /// The same graph with its in-edges, too: the transposed rows, which is the caller's to see to.
    /// For an undirected graph these are the out-edges. Synchronises, and costs as
    /// [`new`](Self::new).
    ///
    /// # Errors
    /// As [`new`](Self::new); [`ErrorKind::BrokenCsr`] if there are not as many vertices and
    /// neighbours as in the out-edges.
    pub fn with_in_edges(
        self,
        offsets: &'a DeviceBuffer<u32>,
        neighbors: &'a DeviceBuffer<u32>,
        weights: &'a DeviceBuffer<W>,
    ) -> Result<Self, Error> {
        offsets.check_device(self.device())?;
        let into = BorrowedEdges::checked(offsets, neighbors, weights)?;
        if offsets.len() != self.out.offsets.len() {
            return Err(ErrorKind::BrokenCsr { what: "offsets" }.into());
        }
        if neighbors.len() != self.out.neighbors.len() {
            return Err(ErrorKind::BrokenCsr { what: "neighbors" }.into());
        }
        Ok(BorrowedRows { out: self.out, into: Some(into) })
    }

    /// The device they are on.
    pub fn device(&self) -> &Device {
        self.out.offsets.device()
    }

    /// How many vertices there are, from 0.
    pub fn vertex_count(&self) -> u32 {
        self.out.vertices()
    }

    /// How many arcs there are.
    pub fn edge_count(&self) -> u64 {
        self.out.neighbors.len() as u64
    }
}

impl<'a, W: Weight> BorrowedEdges<'a, W> {
    fn checked(
        offsets: &'a DeviceBuffer<u32>,
        neighbors: &'a DeviceBuffer<u32>,
        weights: &'a DeviceBuffer<W>,
    ) -> Result<Self, Error> {
        let device = offsets.device();
        let weighted = if W::IS_WEIGHTED { neighbors.len() } else { 0 };
        if offsets.is_empty() {
            return Err(ErrorKind::BrokenCsr { what: "offsets" }.into());
        }
        if weights.len() != weighted {
            return Err(ErrorKind::BrokenCsr { what: "weights" }.into());
        }
        weights.check_device(device)?;
        let (arcs, vertices) = (neighbors.len() as u32, (offsets.len() - 1) as u32);
        if u64::from(vertices) > MAX_VERTICES {
            return Err(ErrorKind::TooManyVertices { count: vertices.into() }.into());
        }
        let found = DeviceBuffer::from_slice(device, &[NONE_REFUSED, 0, 0, 0, 0])?;
        check_neighbors::launch(device, arcs, neighbors, weights, vertices, &found)?;
        check_rows::launch(device, vertices, offsets, neighbors, &found)?;
        neighbors.clear_padding()?;
        weights.clear_padding()?;
        let found: Vec<u32> = found.to_vec()?;
        let of = |what: u32| found[what as usize];
        // Without a vertex no thread has looked.
        if of(BROKEN) != 0 || vertices == 0 && (arcs != 0 || offsets.read(0, 1)? != [0]) {
            return Err(ErrorKind::BrokenCsr { what: "offsets" }.into());
        }
        if of(REFUSED) != NONE_REFUSED {
            return Err(refused(offsets, neighbors, of(REFUSED))?.into());
        }
        let ascends = of(DESCENTS) == of(ROWS_BELOW);
        let most_lists = most_lists(of(LONGEST).into());
        Ok(BorrowedEdges { offsets, neighbors, weights, ascends, most_lists })
    }

    fn vertices(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }
}

// SAFETY: `new` refused neighbours outside the graph, and the buffers are borrowed.
#[allow(unsafe_code)]
unsafe impl<'a, W: Weight> Container for BorrowedRows<'a, W> {
    type Carried = W;
    type View = Rows<W>;
    type Edges<'b>
        = &'b BorrowedEdges<'a, W>
    where
        Self: 'b;

    fn device(&self) -> &Device {
        self.device()
    }
    fn vertex_count(&self) -> u32 {
        self.vertex_count()
    }
    fn out_edges(&self) -> Result<&BorrowedEdges<'a, W>, Error> {
        Ok(&self.out)
    }
    fn in_edges(&self) -> Result<&BorrowedEdges<'a, W>, Error> {
        self.into.as_ref().ok_or_else(|| ErrorKind::OrientationMissing { wanted: "in" }.into())
    }
    fn is_undirected(&self) -> bool {
        false
    }
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<W: Weight> HostArg<Rows<W>> for &BorrowedEdges<'_, W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Rows<W>, Error> {
        self.offsets.check_device(device)?;
        let arcs = self.neighbors.len() as u64;
        Ok(Rows {
            narrow: self.offsets.view(),
            wide: DeviceBuffer::empty(device).view(),
            keys: self.neighbors.slabs(),
            weights: self.weights.slabs(),
            ascends: self.ascends.into(),
            has_no_repeats: self.ascends.into(),
            average_degree: arcs.div_ceil(u64::from(self.vertices().max(1))) as u32,
            most_lists: self.most_lists,
            weight: PhantomData,
        })
    }
}

#[allow(unsafe_code)] // As above.
impl<W: Weight> HostArg<Rows<W>> for &BorrowedRows<'_, W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Rows<W>, Error> {
        // SAFETY: what the caller promises of the graph holds for its out-edges.
        unsafe { HostArg::to_device_arg(&self.out, device) }
    }
}

/// Why the neighbour at a place is refused, of rows that follow each other.
fn refused(
    offsets: &DeviceBuffer<u32>,
    neighbors: &DeviceBuffer<u32>,
    place: u32,
) -> Result<ErrorKind, Error> {
    let (index, count) = (place as usize, (offsets.len() - 1) as u32);
    let dst = neighbors.read(index, 1)?[0];
    if dst >= count {
        return Ok(ErrorKind::NoSuchVertex { vertex: dst, count });
    }
    let src = offsets.to_vec()?.partition_point(|&begin| begin <= place) as u32 - 1;
    Ok(ErrorKind::NanWeight { index, src, dst })
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![check_neighbors::info::<()>(), check_neighbors::info::<f32>(), check_rows::info()]
}

#[cfg(test)]
mod tests;
