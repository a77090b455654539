//! Where rows begin.

use crate::Error;
use crate::device::{Device, DeviceBuffer};
use crate::view::DeviceSlice;

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
}
