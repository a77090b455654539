//! Rows from another graph: degrees, where each row begins, and each neighbour to its place, all on
//! the device.
#![allow(unsafe_code)] // A view of the other graph, for three launches; see `rows`.

use super::offsets::{Offsets, Placed};
use super::view::offset_of;
use super::{RowEdges, Rows};
use crate::device::{Device, DeviceBuffer};
use crate::graph::{degrees_of, sum_of};
use crate::launch::HostArg;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::{Atomic, Slab, SlabWords};
use crate::{Error, Neighbors, Vertex, Weight};
use meerkat_macros::vertex_operator;
use std::marker::PhantomData;

/// Puts each neighbour of `v` into its row, as they are found.
#[vertex_operator]
fn copy_rows<G: Neighbors>(v: Vertex, graph: &G, taken: &[Atomic<u32>], rows: &Rows<G::Carried>) {
    for_each_neighbor(graph, v, true, |dst, weight| {
        let begin: u64 = offset_of(rows.narrow, rows.wide, v);
        let end: u64 = offset_of(rows.narrow, rows.wide, v + 1);
        let place = begin + taken[v].fetch_add(1) as u64;
        let (slab, lane) = ((place / 32) as u32, (place % 32) as u32);
        // A container may have said that there are fewer.
        if place < end {
            rows.keys[slab].word(lane).store(dst);
            if <G::Carried as Weight>::IS_WEIGHTED {
                rows.weights[slab].word(lane).store(weight.to_bits());
            }
        }
    });
}

/// The rows of another graph's edges.
pub(super) fn rows<W: Weight, G: Neighbors<Carried = W>>(
    device: &Device,
    graph: impl HostArg<G>,
) -> Result<RowEdges<W>, Error> {
    // SAFETY: the launches below are on this device, and end before this function does; the
    // caller has the graph until then.
    let graph: G = unsafe { graph.to_device_arg(device) }?;
    let on_host = graph.detached();
    let vertices = on_host.shape().vertices;
    let degrees = degrees_of(device, vertices, graph)?;
    let Placed { offsets, arcs, longest } = Offsets::of_degrees(&degrees)?;
    let weighted = if W::IS_WEIGHTED { arcs } else { 0 };
    let mut rows = RowEdges {
        vertices,
        arcs,
        offsets,
        keys: empty(device, arcs)?,
        weights: empty(device, weighted)?,
        ascends: false,
        has_no_repeats: false,
        most_lists: most_lists(longest.into()),
        weight: PhantomData,
    };
    let taken = DeviceBuffer::<Atomic<u32>>::zeroed(device, vertices as usize)?;
    copy_rows::launch(device, 0..vertices, graph, &taken, &rows)?;
    // What a container did not name, after all, is left as it was: vertex 0.
    rows.has_no_repeats = sum_of(&taken)? == arcs && on_host.has_no_repeats();
    Ok(rows)
}

/// The most lists that a row of this length has: its ends may lie within four words.
pub(super) fn most_lists(longest: u64) -> u32 {
    u32::try_from(longest.div_ceil(32) + 1).unwrap_or(u32::MAX)
}

/// Room for so many words.
pub(super) fn empty(device: &Device, words: u64) -> Result<DeviceBuffer<Slab>, Error> {
    DeviceBuffer::zeroed(device, usize::try_from(words.div_ceil(32)).unwrap_or(usize::MAX))
}

/// Words side by side, the last slab filled up.
pub(super) fn slabs(device: &Device, words: &[u32]) -> Result<DeviceBuffer<Slab>, Error> {
    let slabs = words.chunks(32).map(|chunk| {
        let mut slab = SlabWords([0; 32]);
        slab.0[..chunk.len()].copy_from_slice(chunk);
        slab
    });
    DeviceBuffer::from_slice(device, &slabs.collect::<Vec<_>>())
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    use crate::slab::Graph;
    vec![copy_rows::info::<Graph>(), copy_rows::info::<Graph<f32>>()]
}
