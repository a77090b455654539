//! Which edges a graph cannot take: found on the device, before anything changes.

use super::batch::check_length;
use super::ids::Ids;
use super::layout::Edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{DeviceBuffer, Error, ErrorKind, Weight};
use meerkat_macros::{device, kernel};

/// Whether an edge of a list is to be deleted, by the flags that a batch has.
#[device]
pub(super) fn is_deletion(deletes: &[u8], i: u32) -> bool {
    i < deletes.len() && deletes[i] == 1
}

/// Whether the bit of a vertex is set.
#[device]
fn is_marked(bits: &[u32], vertex: u32) -> bool {
    vertex / 32 < bits.len() && (bits[vertex / 32] >> (vertex % 32)) & 1 == 1
}

/// Finds the first edge outside `0..vertices`, or, if it is to be `inserted` and no
/// deletion, at a deleted vertex or with NaN: `refused` gets `u32::MAX` less its
/// place, if that is more than it has.
#[kernel]
fn find_refused<W: Weight>(
    edges: &[Edge<W>],
    inserted: bool,
    deletes: &[u8],
    vertices: u32,
    deleted: &[u32],
    refused: &[Atomic<u32>],
) {
    let i = thread_id();
    if i < edges.len() {
        let edge = edges[i];
        let mut is_refused = edge.src >= vertices || edge.dst >= vertices;
        if !is_refused && inserted && !is_deletion(deletes, i) {
            let is_ordered: bool = W::is_ordered(edge.weight);
            is_refused =
                !is_ordered || is_marked(deleted, edge.src) || is_marked(deleted, edge.dst);
        }
        if is_refused {
            refused[0].fetch_max(u32::MAX - i);
        }
    }
}

/// Looks for an update of a batch that a graph of these vertices cannot take.
/// Queued on CUDA.
pub(super) fn queue_check<W: Weight>(
    ids: &Ids,
    edges: &DeviceBuffer<Edge<W>>,
    deletes: &DeviceBuffer<u8>,
    refused: &DeviceBuffer<Atomic<u32>>,
) -> Result<(), Error> {
    let (device, threads) = (edges.device(), edges.len() as u32);
    let deleted = DeviceBuffer::from_slice(device, ids.deleted_bits())?;
    find_refused::launch(device, threads, edges, true, deletes, ids.count, &deleted, refused)
}

/// Whether a graph can take these edges, to be inserted. Synchronises.
pub(super) fn check_insertions<W: Weight>(
    ids: &Ids,
    edges: &DeviceBuffer<Edge<W>>,
) -> Result<(), Error> {
    check_length(edges.len())?;
    let refused = DeviceBuffer::zeroed(edges.device(), 1)?;
    queue_check(ids, edges, &DeviceBuffer::zeroed(edges.device(), 0)?, &refused)?;
    none_refused(ids, edges, refused.read(0, 1)?[0])
}

/// Whether these edges are in the range of a graph. Synchronises.
pub(super) fn check_range<W: Weight>(
    ids: &Ids,
    edges: &DeviceBuffer<Edge<W>>,
) -> Result<(), Error> {
    check_length(edges.len())?;
    let (device, threads) = (edges.device(), edges.len() as u32);
    let refused = DeviceBuffer::zeroed(device, 1)?;
    let (deletes, deleted) = (DeviceBuffer::zeroed(device, 0)?, DeviceBuffer::zeroed(device, 0)?);
    find_refused::launch(device, threads, edges, false, &deletes, ids.count, &deleted, &refused)?;
    none_refused(ids, edges, refused.read(0, 1)?[0])
}

/// The error for what [`find_refused`] found. Synchronises if there is one.
pub(super) fn none_refused<W: Weight>(
    ids: &Ids,
    edges: &DeviceBuffer<Edge<W>>,
    refused: u32,
) -> Result<(), Error> {
    if refused == 0 {
        return Ok(());
    }
    let index = (u32::MAX - refused) as usize;
    Err(refusal(ids, index, edges.read(index, 1)?[0]).into())
}

/// Why a graph cannot take an edge.
fn refusal<W: Weight>(ids: &Ids, index: usize, edge: Edge<W>) -> ErrorKind {
    let Edge { src, dst, .. } = edge;
    if src >= ids.count || dst >= ids.count {
        let vertices = match ids.count.checked_sub(1) {
            Some(last) => format!("vertices 0 to {last}"),
            None => "no vertices".to_owned(),
        };
        return ErrorKind::VertexOutOfRange { index, src, dst, vertices };
    }
    match [src, dst].into_iter().find(|&id| ids.is_deleted(id)) {
        Some(vertex) => ErrorKind::VertexDeleted { index, src, dst, vertex },
        None => ErrorKind::NanWeight { index, src, dst },
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![find_refused::info::<()>(), find_refused::info::<f32>()]
}
