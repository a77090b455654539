//! Rows that are on the device already: checked and copied there.

use super::from_graph::{empty, most_lists};
use super::offsets::Offsets;
use super::{RowEdges, RowGraph, Rows};
use crate::device::DeviceBuffer;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, ErrorKind, Weight};
use meerkat_macros::kernel;
use std::marker::PhantomData;

/// What is found of rows: a neighbour outside the graph, or `u32::MAX`.
const OUTSIDE: u32 = 0;
/// Rows that end before they begin, or do not follow each other from the first neighbour to the last.
const BROKEN: u32 = 1;
/// How often a neighbour is less than the one before it, in whatever row; and how often where a row
/// begins.
const DESCENTS: u32 = 2;
const ROWS_BELOW: u32 = 3;
/// The most neighbours of a row.
const LONGEST: u32 = 4;

/// Copies neighbours and their weights, and checks neighbours. For as many threads as neighbours.
#[kernel]
fn copy_neighbors<W: Weight>(
    neighbors: &[u32],
    weights: &[W],
    rows: &Rows<W>,
    vertices: u32,
    found: &[Atomic<u32>],
) {
    let i = thread_id();
    let mut descends = false;
    if i < neighbors.len() {
        let dst = neighbors[i];
        rows.keys[i / 32].word(i % 32).store(dst);
        if W::IS_WEIGHTED {
            rows.weights[i / 32].word(i % 32).store(weights[i].to_bits());
        }
        if dst >= vertices {
            found[OUTSIDE].fetch_min(dst);
        }
        descends = i > 0 && dst < neighbors[i - 1];
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
            is_below = length != 0 && begin > 0 && neighbors[begin] < neighbors[begin - 1];
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

impl<W: Weight> RowGraph<W> {
    /// A graph of rows that are on a device: `offsets` has where the row of each vertex begins, and
    /// at last how many neighbours there are; `weights` has one for each neighbour, and none where
    /// edges have none. It has out-edges only. Synchronises.
    ///
    /// Cost: a copy of the neighbours and weights on the device, while which all is checked; nothing
    /// goes by way of the host.
    ///
    /// # Errors
    /// As [`from_csr`](Self::from_csr); buffers of several devices.
    pub fn from_buffers(
        offsets: DeviceBuffer<u32>,
        neighbors: &DeviceBuffer<u32>,
        weights: &DeviceBuffer<W>,
    ) -> Result<Self, Error> {
        let device = offsets.device().clone();
        let (arcs, rows) = (neighbors.len() as u32, offsets.len() as u64);
        let weighted = if W::IS_WEIGHTED { neighbors.len() } else { 0 };
        if rows == 0 {
            return Err(ErrorKind::BrokenCsr { what: "offsets" }.into());
        }
        if weights.len() != weighted {
            return Err(ErrorKind::BrokenCsr { what: "weights" }.into());
        }
        let vertices = (rows - 1) as u32;
        let mut out = RowEdges {
            vertices,
            arcs: arcs.into(),
            offsets: Offsets::narrow(offsets),
            keys: empty(&device, arcs.into())?,
            weights: empty(&device, weighted as u64)?,
            ascends: false,
            most_lists: 0,
            weight: PhantomData,
        };
        let found = DeviceBuffer::from_slice(&device, &[u32::MAX, 0, 0, 0, 0])?;
        copy_neighbors::launch(&device, arcs, neighbors, weights, &out, vertices, &found)?;
        check_rows::launch(&device, vertices, &out.offsets.narrow, neighbors, &found)?;
        let found: Vec<u32> = found.to_vec()?;
        let of = |what: u32| found[what as usize];
        if of(BROKEN) != 0 || (vertices == 0 && arcs != 0) {
            return Err(ErrorKind::BrokenCsr { what: "offsets" }.into());
        }
        if of(OUTSIDE) != u32::MAX {
            let outside = of(OUTSIDE);
            return Err(ErrorKind::NoSuchVertex { vertex: outside, count: vertices }.into());
        }
        out.ascends = of(DESCENTS) == of(ROWS_BELOW);
        out.most_lists = most_lists(of(LONGEST).into());
        Ok(RowGraph { device, vertices, out: Some(out), into: None, is_undirected: false })
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![copy_neighbors::info::<()>(), copy_neighbors::info::<f32>(), check_rows::info()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;

    fn graph(offsets: &[u32], neighbors: &[u32]) -> Result<RowGraph<f32>, Error> {
        let device = Device::cpu();
        let weights: Vec<f32> = neighbors.iter().map(|&dst| dst as f32).collect();
        RowGraph::from_buffers(
            DeviceBuffer::from_slice(&device, offsets)?,
            &DeviceBuffer::from_slice(&device, neighbors)?,
            &DeviceBuffer::from_slice(&device, &weights)?,
        )
    }

    #[test]
    fn rows_on_the_device_are_taken_as_they_are() -> Result<(), Error> {
        let (offsets, neighbors) = ([0, 3, 3, 5], [0, 1, 2, 2, 0]);
        let found = graph(&offsets, &neighbors)?;
        let out = found.out_edges()?;
        assert_eq!((found.vertex_count(), found.edge_count(), out.most_lists), (3, 5, 2));
        let words = out.keys.to_vec()?[0].0;
        assert_eq!(words[..5], neighbors);
        assert_eq!(out.weights.to_vec()?[0].0[..5], [0.0, 1.0, 2.0, 2.0, 0f32].map(f32::to_bits));
        Ok(())
    }

    #[test]
    fn rows_ascend_where_each_does_whatever_the_next_begins_with() -> Result<(), Error> {
        for (offsets, neighbors, ascends) in [
            (vec![0, 3, 3, 5], vec![0, 1, 2, 0, 2], true),
            (vec![0, 3, 3, 5], vec![0, 1, 2, 2, 0], false),
            (vec![0, 3, 3, 5], vec![0, 2, 1, 0, 2], false),
            (vec![0, 0, 0, 5], vec![0, 1, 1, 2, 2], true),
            (vec![0, 0], vec![], true),
            (vec![0], vec![], true),
        ] {
            let found = graph(&offsets, &neighbors)?;
            assert_eq!(found.out_edges()?.ascends, ascends, "{offsets:?} {neighbors:?}");
        }
        Ok(())
    }

    #[test]
    fn broken_rows_on_the_device_are_refused() {
        for (offsets, neighbors) in [
            (vec![], vec![]),
            (vec![0], vec![0]),
            (vec![0, 1], vec![0, 0]),
            (vec![1, 2], vec![0, 0]),
            (vec![0, 2, 1, 2], vec![0, 0]),
            (vec![0, 7, 2], vec![0, 0]),
            (vec![0, 0, u32::MAX], vec![0, 0]),
        ] {
            let refused = graph(&offsets, &neighbors).expect_err("broken offsets");
            let is_broken = matches!(refused.kind(), ErrorKind::BrokenCsr { what: "offsets" });
            assert!(is_broken, "{offsets:?}: {refused}");
        }
        let refused = graph(&[0, 1, 2], &[1, 2]).expect_err("a neighbour outside");
        let is_outside = matches!(refused.kind(), ErrorKind::NoSuchVertex { vertex: 2, count: 2 });
        assert!(is_outside, "{refused}");
    }
}
