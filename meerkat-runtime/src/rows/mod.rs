//! Compressed sparse rows: read only, and nothing beside the neighbours themselves. The
//! yardstick of containers that can change.

mod borrowed;
mod from_graph;
mod offsets;
mod view;

pub use borrowed::{BorrowedEdges, BorrowedRows};
pub use view::{Row, RowChunk, Rows};

use crate::container::Container;
use crate::device::{Device, DeviceBuffer};
use crate::graph::Csr;
use crate::launch::HostArg;
use crate::program::KernelInfo;
use crate::view::Slab;
use crate::{Error, ErrorKind, Weight};
use offsets::Offsets;
use std::marker::PhantomData;

/// A graph in compressed sparse rows in device memory: 4 bytes a neighbour, as many for a weight,
/// and 4 a vertex, 8 from 2^32 arcs on. It cannot change. As an argument of a launch it is its out-edges.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::prelude::*;
///
/// /// One operator, any container.
/// #[vertex_operator]
/// fn sum<G: Neighbors>(v: Vertex, graph: &G, sums: &mut [u32]) {
///     let mut sum = 0u32;
///     for_each_neighbor(graph, v, true, |dst| sum += dst);
///     sums[v] = sum;
/// }
///
/// let device = Device::auto();
/// let edge = |src, dst| Edge { src, dst, weight: () };
/// let edges = [edge(0, 1), edge(0, 2), edge(2, 0)];
/// let slabs = SlabGraph::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT)?;
/// let rows = RowGraph::of(&slabs)?;
/// let mut sums = DeviceBuffer::zeroed(&device, 3)?;
/// sum::launch(&device, 0..3, &slabs, &mut sums)?;
/// assert_eq!(sums.to_vec()?, [3, 0, 0]);
/// sum::launch(&device, 0..3, &rows, &mut sums)?;
/// assert_eq!(sums.to_vec()?, [3, 0, 0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RowGraph<W: Weight = ()> {
    device: Device,
    vertices: u32,
    out: Option<RowEdges<W>>,
    /// `None` also where the out-edges are the in-edges.
    into: Option<RowEdges<W>>,
    is_undirected: bool,
}

/// The rows of one orientation; as an argument of a launch, `&Rows<W>`.
#[derive(Debug)]
pub struct RowEdges<W: Weight = ()> {
    vertices: u32,
    arcs: u64,
    offsets: Offsets,
    keys: DeviceBuffer<Slab>,
    weights: DeviceBuffer<Slab>,
    ascends: bool,
    has_no_repeats: bool,
    most_lists: u32,
    weight: PhantomData<W>,
}

impl<W: Weight> RowGraph<W> {
    /// A graph with these rows, one vertex a row; it has out-edges only. Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::BrokenCsr`] if offsets do not ascend from 0 to the number of neighbours, or
    /// weights are not as many; a neighbour outside the graph, a NaN; no memory.
    pub fn from_csr(device: &Device, csr: &Csr<W>) -> Result<Self, Error> {
        let vertices = csr.check()?;
        if let Some(&outside) = csr.neighbors.iter().find(|&&dst| dst >= vertices) {
            return Err(ErrorKind::NoSuchVertex { vertex: outside, count: vertices }.into());
        }
        if let Some(index) = csr.weights.iter().position(|&weight| !W::is_ordered(weight)) {
            let src = csr.offsets.partition_point(|&begin| begin <= index as u64) as u32 - 1;
            return Err(ErrorKind::NanWeight { index, src, dst: csr.neighbors[index] }.into());
        }
        let rows = || csr.offsets.windows(2).map(|row| row[0] as usize..row[1] as usize);
        let longest = rows().map(|row| row.len() as u64).max().unwrap_or(0);
        let bits: Vec<u32> = match W::IS_WEIGHTED {
            true => csr.weights.iter().map(|weight| weight.to_bits()).collect(),
            false => Vec::new(),
        };
        let ascends = rows().all(|row| csr.neighbors[row].is_sorted_by(|one, next| one < next));
        let out = RowEdges {
            vertices,
            arcs: csr.neighbors.len() as u64,
            offsets: Offsets::new(device, &csr.offsets)?,
            keys: from_graph::slabs(device, &csr.neighbors)?,
            weights: from_graph::slabs(device, &bits)?,
            ascends,
            has_no_repeats: ascends,
            most_lists: from_graph::most_lists(longest),
            weight: PhantomData,
        };
        let device = device.clone();
        Ok(RowGraph { device, vertices, out: Some(out), into: None, is_undirected: false })
    }

    /// The rows of another graph, of the orientations that it keeps, each in no order:
    /// made on the device, and left there. Cost: two passes over the edges of each
    /// orientation. Synchronises.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn of<C: Container<Carried = W>>(graph: &C) -> Result<Self, Error> {
        let (device, is_undirected) = (graph.device(), graph.is_undirected());
        let out = graph.out_edges().ok();
        let into = graph.in_edges().ok().filter(|_| !is_undirected);
        Ok(RowGraph {
            device: device.clone(),
            vertices: graph.vertex_count(),
            out: out.map(|edges| from_graph::rows(device, edges)).transpose()?,
            into: into.map(|edges| from_graph::rows(device, edges)).transpose()?,
            is_undirected,
        })
    }

    /// See [`DeviceBuffer::moved_to`].
    pub(crate) fn moved_to(self, device: &Device) -> Result<Self, Error> {
        let moved = |edges: RowEdges<W>| edges.moved_to(device);
        Ok(RowGraph {
            device: device.clone(),
            out: self.out.map(moved).transpose()?,
            into: self.into.map(moved).transpose()?,
            ..self
        })
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// How many vertices there are, from 0.
    pub fn vertex_count(&self) -> u32 {
        self.vertices
    }

    /// How many edges there are; an undirected one counts as two arcs.
    pub fn edge_count(&self) -> u64 {
        self.out.as_ref().or(self.into.as_ref()).map_or(0, |edges| edges.arcs)
    }

    /// The rows of out-edges.
    ///
    /// # Errors
    /// [`ErrorKind::OrientationMissing`] if the graph keeps in-edges only.
    pub fn out_edges(&self) -> Result<&RowEdges<W>, Error> {
        self.out.as_ref().ok_or_else(|| ErrorKind::OrientationMissing { wanted: "out" }.into())
    }

    /// The rows of in-edges; in an undirected graph those of its out-edges.
    ///
    /// # Errors
    /// [`ErrorKind::OrientationMissing`] if the graph keeps out-edges only.
    pub fn in_edges(&self) -> Result<&RowEdges<W>, Error> {
        if self.is_undirected {
            return self.out_edges();
        }
        self.into.as_ref().ok_or_else(|| ErrorKind::OrientationMissing { wanted: "in" }.into())
    }

    /// Whether the in-edges are the out-edges.
    pub fn is_undirected(&self) -> bool {
        self.is_undirected
    }

    /// Bytes of device memory.
    pub fn bytes(&self) -> u64 {
        self.out.iter().chain(&self.into).map(RowEdges::bytes).sum()
    }
}

impl<W: Weight> RowEdges<W> {
    fn moved_to(self, device: &Device) -> Result<Self, Error> {
        let (keys, weights) = (self.keys.moved_to(device)?, self.weights.moved_to(device)?);
        Ok(RowEdges { keys, weights, offsets: self.offsets.moved_to(device)?, ..self })
    }

    fn bytes(&self) -> u64 {
        let slabs = (self.keys.len() + self.weights.len()) as u64;
        self.offsets.bytes() + slabs * 128
    }
}

// SAFETY: neighbours outside the graph are refused where rows are read, those of another container are
// inside by its own promise, and nothing changes them.
#[allow(unsafe_code)]
unsafe impl<W: Weight> Container for RowGraph<W> {
    type Carried = W;
    type View = Rows<W>;
    type Edges<'a> = &'a RowEdges<W>;

    fn device(&self) -> &Device {
        self.device()
    }
    fn vertex_count(&self) -> u32 {
        self.vertex_count()
    }
    fn out_edges(&self) -> Result<&RowEdges<W>, Error> {
        self.out_edges()
    }
    fn in_edges(&self) -> Result<&RowEdges<W>, Error> {
        self.in_edges()
    }
    fn is_undirected(&self) -> bool {
        self.is_undirected()
    }
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<W: Weight> HostArg<Rows<W>> for &RowEdges<W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Rows<W>, Error> {
        let (narrow, wide) = self.offsets.views(device)?;
        Ok(Rows {
            narrow,
            wide,
            keys: self.keys.view(),
            weights: self.weights.view(),
            ascends: self.ascends.into(),
            has_no_repeats: self.has_no_repeats.into(),
            average_degree: self.arcs.div_ceil(u64::from(self.vertices.max(1))) as u32,
            most_lists: self.most_lists,
            weight: PhantomData,
        })
    }
}

#[allow(unsafe_code)] // As above.
impl<W: Weight> HostArg<Rows<W>> for &RowGraph<W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Rows<W>, Error> {
        // SAFETY: what the caller promises of the graph holds for its out-edges.
        unsafe { HostArg::to_device_arg(self.out_edges()?, device) }
    }
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    [borrowed::kernels(), from_graph::kernels(), offsets::kernels()].concat()
}
