//! Where rows begin.

use crate::Error;
use crate::device::{Device, DeviceBuffer};
use crate::launch::{BLOCK_THREADS, whole_blocks};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::{Atomic, DeviceSlice};
use meerkat_macros::kernel;

/// What the degrees of the vertices of each block come to, and the largest of all.
#[kernel]
fn sum_blocks(degrees: &[Atomic<u32>], sums: &[Atomic<u64>], largest: &[Atomic<u32>]) {
    let i = thread_id();
    let mut degree = 0u32;
    if i < degrees.len() {
        degree = degrees[i].load();
    }
    let all = block_reduce_sum(degree as u64);
    if block_thread_id() == 0 {
        sums[block_id()].store(all);
    }
    let most = warp_reduce_max(degree);
    if lane_id() == 0 && most > largest[0].load() {
        largest[0].fetch_max(most);
    }
}

/// Writes where each row begins, and where the last one ends: those of each block after `firsts`.
#[kernel]
fn place_blocks(degrees: &[Atomic<u32>], firsts: &[u64], narrow: &mut [u32], wide: &mut [u64]) {
    let i = thread_id();
    let mut degree = 0u32;
    if i < degrees.len() {
        degree = degrees[i].load();
    }
    let first = firsts[block_id()] + block_scan_sum(degree as u64);
    if i < narrow.len() {
        narrow[i] = first as u32;
    }
    if i < wide.len() {
        wide[i] = first;
    }
}

/// Offsets of rows, and what they come to.
pub(super) struct Placed {
    pub(super) offsets: Offsets,
    pub(super) arcs: u64,
    /// How many arcs the longest row has.
    pub(super) longest: u32,
}

/// Where each row begins and the last one ends: in 32 bits, where these do.
#[derive(Debug)]
pub(super) struct Offsets {
    pub(super) narrow: DeviceBuffer<u32>,
    pub(super) wide: DeviceBuffer<u64>,
}

impl Offsets {
    pub(super) fn new(device: &Device, offsets: &[u64]) -> Result<Self, Error> {
        let narrow: Option<Vec<u32>> =
            offsets.iter().map(|&offset| u32::try_from(offset).ok()).collect();
        match narrow {
            Some(narrow) => Ok(Self::narrow(DeviceBuffer::from_slice(device, &narrow)?)),
            None => Ok(Self::wide(DeviceBuffer::from_slice(device, offsets)?)),
        }
    }

    /// Those of rows of these lengths: sums of blocks on the device, and the sums of these on the
    /// host. Synchronises.
    pub(super) fn of_degrees(degrees: &DeviceBuffer<Atomic<u32>>) -> Result<Placed, Error> {
        let device = degrees.device();
        // One more, for the end of the last.
        let count = degrees.len() + 1;
        let whole = whole_blocks(u32::try_from(count).unwrap_or(u32::MAX)) as usize;
        // As `block_size` has it.
        let block = if device.is_cuda() { BLOCK_THREADS as usize } else { 32 };
        let blocks = whole.div_ceil(block);
        let sums = DeviceBuffer::<Atomic<u64>>::zeroed(device, blocks)?;
        let largest = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        sum_blocks::launch(device, count as u32, degrees, &sums, &largest)?;
        let (mut firsts, mut arcs) = (sums.to_vec()?, 0u64);
        for first in &mut firsts {
            (*first, arcs) = (arcs, arcs + *first);
        }
        let fits = u32::try_from(arcs).is_ok();
        let firsts = DeviceBuffer::from_slice(device, &firsts)?;
        let mut narrow = DeviceBuffer::zeroed(device, if fits { count } else { 0 })?;
        let mut wide = DeviceBuffer::zeroed(device, if fits { 0 } else { count })?;
        place_blocks::launch(device, count as u32, degrees, &firsts, &mut narrow, &mut wide)?;
        let longest = largest.read(0, 1)?[0];
        Ok(Placed { offsets: Offsets { narrow, wide }, arcs, longest })
    }

    pub(super) fn narrow(narrow: DeviceBuffer<u32>) -> Self {
        let wide = DeviceBuffer::empty(narrow.device());
        Offsets { narrow, wide }
    }

    /// For offsets that 32 bits do not hold; smaller ones may be there, too.
    pub(super) fn wide(wide: DeviceBuffer<u64>) -> Self {
        let narrow = DeviceBuffer::empty(wide.device());
        Offsets { narrow, wide }
    }

    /// See [`DeviceBuffer::moved_to`].
    pub(super) fn moved_to(self, device: &Device) -> Result<Self, Error> {
        let (narrow, wide) = (self.narrow.moved_to(device)?, self.wide.moved_to(device)?);
        Ok(Offsets { narrow, wide })
    }

    /// Bytes of device memory.
    pub(super) fn bytes(&self) -> u64 {
        self.narrow.bytes() + self.wide.bytes()
    }

    /// As lanes see them: one of the two has no elements.
    pub(super) fn views(
        &self,
        device: &Device,
    ) -> Result<(DeviceSlice<u32>, DeviceSlice<u64>), Error> {
        self.narrow.check_device(device)?;
        Ok((self.narrow.view(), self.wide.view()))
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![sum_blocks::info(), place_blocks::info()]
}

#[cfg(test)]
mod tests {
    use super::super::{RowEdges, RowGraph};
    use super::*;
    use crate::graph::Csr;
    use crate::prelude::*;

    #[vertex_operator]
    fn sum_row<G: Neighbors>(v: Vertex, graph: &G, wanted: u32, sums: &mut [u32]) {
        let mut sum = 0u32;
        for_each_neighbor(graph, v, true, |dst| sum += dst);
        sums[v] = sum * 100 + out_degree(graph, v) * 2 + has_edge(graph, v, wanted) as u32;
    }

    #[test]
    fn rows_read_alike_with_offsets_of_32_and_of_64_bits() -> Result<(), Error> {
        let device = Device::cpu();
        let csr = Csr {
            offsets: vec![0, 3, 3, 10, 11],
            neighbors: vec![1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 0],
            weights: vec![(); 11],
        };
        let mut graph = RowGraph::from_csr(&device, &csr)?;
        let mut narrow = DeviceBuffer::zeroed(&device, 4)?;
        sum_row::launch(&device, 0..4, &graph, 2, &mut narrow)?;
        assert_eq!(narrow.to_vec()?, [607, 0, 915, 2]);
        let out: &mut RowEdges = graph.out.as_mut().expect("out-edges");
        assert!(!out.offsets.narrow.is_empty() && out.offsets.wide.is_empty());
        out.offsets = Offsets::wide(DeviceBuffer::from_slice(&device, &csr.offsets)?);
        let mut wide = DeviceBuffer::zeroed(&device, 4)?;
        sum_row::launch(&device, 0..4, &graph, 2, &mut wide)?;
        assert_eq!(wide.to_vec()?, narrow.to_vec()?);
        Ok(())
    }

    /// Offsets of these degrees, from the device and from here.
    fn check_offsets(degrees: &[u32]) -> Result<(), Error> {
        let mut expected = vec![0u64];
        expected.extend(degrees.iter().scan(0, |end, &degree| {
            *end += u64::from(degree);
            Some(*end)
        }));
        let on_device = DeviceBuffer::from_slice(&Device::cpu(), degrees)?;
        let placed = Offsets::of_degrees(&on_device)?;
        let narrow = placed.offsets.narrow.to_vec()?.into_iter().map(u64::from);
        let found: Vec<_> = narrow.chain(placed.offsets.wide.to_vec()?).collect();
        assert_eq!(found, expected);
        let longest = degrees.iter().copied().max().unwrap_or(0);
        assert_eq!((placed.arcs, placed.longest), (expected[degrees.len()], longest));
        Ok(())
    }

    #[test]
    fn offsets_of_0_to_1000_rows_are_the_sums_of_their_degrees() -> Result<(), Error> {
        for count in [0, 1, 255, 256, 257, 511, 512, 1000] {
            check_offsets(&(0..count).map(|row| row * 37 % 11).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    #[test]
    fn offsets_past_2_to_the_32_are_those_of_64_bits() -> Result<(), Error> {
        check_offsets(&[u32::MAX, 0, 1])?;
        check_offsets(&[7, u32::MAX - 7])?;
        check_offsets(&[u32::MAX - 3; 600])
    }
}
