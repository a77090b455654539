//! Compressed sparse rows: read only, and nothing beside the neighbours themselves. The
//! yardstick of containers that can change.

mod from_graph;
mod view;

pub use view::{Row, RowChunk, Rows};

use crate::device::{Device, DeviceBuffer};
use crate::graph::Csr;
use crate::launch::HostArg;
use crate::program::KernelInfo;
use crate::view::Slab;
use crate::{Error, ErrorKind, Neighbors, Weight};
use std::marker::PhantomData;

/// A graph in compressed sparse rows in device memory: 4 bytes a neighbour, as many for a weight,
/// and 8 a vertex. It cannot change. As an argument of a launch it is its out-edges.
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
/// let rows = RowGraph::of(&device, &slabs)?;
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
    arcs: u64,
    offsets: DeviceBuffer<u64>,
    keys: DeviceBuffer<Slab>,
    weights: DeviceBuffer<Slab>,
    ascends: bool,
    most_lists: u32,
    weight: PhantomData<W>,
}

impl<W: Weight> RowGraph<W> {
    /// A graph with these rows, one vertex a row. Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::BrokenCsr`] if offsets do not ascend from 0 to the number of neighbours, or
    /// weights are not as many; a neighbour outside the graph; no memory.
    pub fn from_csr(device: &Device, csr: &Csr<W>) -> Result<Self, Error> {
        let vertices = csr.check()?;
        if let Some(&outside) = csr.neighbors.iter().find(|&&dst| dst >= vertices) {
            return Err(ErrorKind::NoSuchVertex { vertex: outside, count: vertices }.into());
        }
        let rows = || csr.offsets.windows(2).map(|row| row[0] as usize..row[1] as usize);
        let ascends = rows().all(|row| csr.neighbors[row].is_sorted());
        let longest = rows().map(|row| row.len() as u64).max().unwrap_or(0);
        let bits: Vec<u32> = match W::IS_WEIGHTED {
            true => csr.weights.iter().map(|weight| weight.to_bits()).collect(),
            false => Vec::new(),
        };
        Ok(RowGraph {
            device: device.clone(),
            vertices,
            arcs: csr.neighbors.len() as u64,
            offsets: DeviceBuffer::from_slice(device, &csr.offsets)?,
            keys: from_graph::slabs(device, &csr.neighbors)?,
            weights: from_graph::slabs(device, &bits)?,
            ascends,
            most_lists: from_graph::most_lists(longest),
            weight: PhantomData,
        })
    }

    /// The rows of another graph's out-edges, in the order in which that walks them: made on the
    /// device, and left there. Cost: two passes over the edges, one over the vertices.
    /// Synchronises.
    ///
    /// # Errors
    /// The graph keeps in-edges only; no memory; the device fails.
    pub fn of<G: Neighbors<Carried = W>>(
        device: &Device,
        graph: impl HostArg<G>,
    ) -> Result<Self, Error> {
        from_graph::of(device, graph)
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
        self.arcs
    }

    /// Bytes of device memory.
    pub fn bytes(&self) -> u64 {
        let slabs = (self.keys.len() + self.weights.len()) as u64;
        self.offsets.len() as u64 * 8 + slabs * 128
    }
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<W: Weight> HostArg<Rows<W>> for &RowGraph<W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Rows<W>, Error> {
        self.offsets.check_device(device)?;
        Ok(Rows {
            offsets: self.offsets.view(),
            keys: self.keys.view(),
            weights: self.weights.view(),
            ascends: self.ascends.into(),
            average_degree: self.arcs.div_ceil(u64::from(self.vertices.max(1))) as u32,
            most_lists: self.most_lists,
            weight: PhantomData,
        })
    }
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    from_graph::kernels()
}
