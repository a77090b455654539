//! Which edges a graph cannot take: found on the device, before anything changes.

use super::batch::{UpdateKind, check_length};
use super::device_batch::DeviceBatch;
use super::ids::Ids;
use super::layout::Edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::{Atomic, DeviceSlice};
use crate::{DeviceBuffer, Error, ErrorKind, Weight};
use meerkat_macros::{device, kernel};

/// Whether an edge of a list is to be deleted, by the flags that a batch has.
#[device]
pub(super) fn is_deletion(deletes: &[u8], i: u32) -> bool {
    i < deletes.len() && deletes[i] == 1
}

/// Whether the bit of a vertex is set.
#[device]
fn is_marked(bits: &[Atomic<u32>], vertex: u32) -> bool {
    vertex / 32 < bits.len() && (bits[vertex / 32].load() >> (vertex % 32)) & 1 == 1
}

/// Finds the first edge outside `0..vertices`, or, if it is to be `inserted` and no
/// deletion, at a deleted vertex or with NaN: `limit` gets its place, if that is less than
/// it has. Places are counted from that of the `first` edge.
#[kernel]
fn find_refused<W: Weight>(
    edges: &[Edge<W>],
    first: u32,
    inserted: bool,
    deletes: &[u8],
    vertices: u32,
    deleted: &[Atomic<u32>],
    limit: &[Atomic<u32>],
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
            limit[0].fetch_min(first + i);
        }
    }
}

/// What a limit is before: no update is refused.
pub(crate) const NONE_REFUSED: u32 = u32::MAX;

/// Looks for an update that a graph of these vertices cannot take; `limit` gets the place of
/// the first. Queued on CUDA.
pub(super) fn queue_check<W: Weight>(
    ids: &Ids,
    updates: &DeviceBatch<W>,
    limit: DeviceSlice<Atomic<u32>>,
) -> Result<(), Error> {
    let DeviceBatch { edges, deletes, kind, .. } = updates;
    let (device, threads) = (edges.device(), edges.len() as u32);
    let inserted = *kind != UpdateKind::Deletions;
    let (count, deleted) = (ids.count(), ids.deleted_on_device());
    find_refused::launch(device, threads, edges, 0, inserted, deletes, count, deleted, limit)
}

/// [`queue_check`] of a part of a batch of updates of one kind, which begins at the `first`.
pub(super) fn queue_check_of_part<W: Weight>(
    ids: &Ids,
    (first, part): (u32, DeviceSlice<Edge<W>>),
    inserted: bool,
    limit: DeviceSlice<Atomic<u32>>,
) -> Result<(), Error> {
    let (count, deleted) = (ids.count(), ids.deleted_on_device());
    let (device, threads) = (deleted.device(), part.len().max(1));
    let none = DeviceBuffer::empty(device);
    find_refused::launch(device, threads, part, first, inserted, &none, count, deleted, limit)
}

/// Whether a graph can take these edges, to be inserted. Synchronises.
pub(super) fn check_insertions<W: Weight>(
    ids: &Ids,
    edges: &DeviceBuffer<Edge<W>>,
) -> Result<(), Error> {
    check_edges(ids, edges, true)
}

/// Whether these edges are in the range of a graph. Synchronises.
pub(super) fn check_range<W: Weight>(
    ids: &Ids,
    edges: &DeviceBuffer<Edge<W>>,
) -> Result<(), Error> {
    check_edges(ids, edges, false)
}

/// Whether a new graph of so many vertices can take these edges. Synchronises.
pub(crate) fn check_new_edges<W: Weight>(
    vertices: u32,
    edges: &DeviceBuffer<Edge<W>>,
) -> Result<(), Error> {
    check_insertions(&Ids::new(edges.device(), vertices), edges)
}

/// Whether a graph of these vertices can take the updates. Synchronises.
pub(super) fn check_updates<W: Weight>(ids: &Ids, updates: &DeviceBatch<W>) -> Result<(), Error> {
    let limit = DeviceBuffer::from_slice(updates.edges.device(), &[NONE_REFUSED])?;
    queue_check(ids, updates, limit.view())?;
    none_refused(ids, &updates.edges, limit.read(0, 1)?[0])
}

fn check_edges<W: Weight>(
    ids: &Ids,
    edges: &DeviceBuffer<Edge<W>>,
    inserted: bool,
) -> Result<(), Error> {
    check_length(edges.len())?;
    let (device, threads) = (edges.device(), edges.len() as u32);
    let limit = DeviceBuffer::from_slice(device, &[NONE_REFUSED])?;
    let (none, deleted) = (DeviceBuffer::empty(device), ids.deleted_on_device());
    let count = ids.count();
    find_refused::launch(device, threads, edges, 0, inserted, &none, count, deleted, limit.view())?;
    none_refused(ids, edges, limit.read(0, 1)?[0])
}

/// The error for what [`find_refused`] left of the limit. Synchronises if there is one.
pub(super) fn none_refused<W: Weight>(
    ids: &Ids,
    edges: &DeviceBuffer<Edge<W>>,
    limit: u32,
) -> Result<(), Error> {
    let index = limit as usize;
    if index >= edges.len() {
        return Ok(());
    }
    Err(refusal(ids, index, edges.read(index, 1)?[0]).into())
}

/// Why a graph cannot take an edge.
fn refusal<W: Weight>(ids: &Ids, index: usize, edge: Edge<W>) -> ErrorKind {
    let Edge { src, dst, .. } = edge;
    if src >= ids.count() || dst >= ids.count() {
        let vertices = match ids.count().checked_sub(1) {
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
