//! Which ids are vertices.

use crate::device::{Device, DeviceBuffer};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Vertex};
use meerkat_macros::kernel;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which ids of a graph are vertices: on the host, and on the device for kernels that check
/// edges. A change costs what it changes.
#[derive(Debug)]
pub(super) struct Ids {
    count: u32,
    /// A bit for each id that was deleted; as far as any was.
    deleted: Vec<u32>,
    /// The deleted ids, the smallest first.
    free: BinaryHeap<Reverse<u32>>,
    /// The bits again.
    on_device: DeviceBuffer<Atomic<u32>>,
}

/// Turns the bits of some vertices, each of which is named once.
#[kernel]
fn flip_bits(vertices: &[Vertex], bits: &[Atomic<u32>]) {
    let i = thread_id();
    if i < vertices.len() {
        bits[vertices[i] / 32].fetch_xor(1u32 << (vertices[i] % 32));
    }
}

impl Ids {
    pub(super) fn new(device: &Device, count: u32) -> Self {
        let on_device = DeviceBuffer::empty(device);
        Ids { count, deleted: Vec::new(), free: BinaryHeap::new(), on_device }
    }

    /// How many ids there are, those of deleted vertices included.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    pub(super) fn is_deleted(&self, id: u32) -> bool {
        let word = self.deleted.get(id as usize / 32);
        word.is_some_and(|word| word >> (id % 32) & 1 == 1)
    }

    /// How many ids are deleted.
    pub(super) fn deleted_count(&self) -> u32 {
        self.free.len() as u32
    }

    /// Whether any id is deleted.
    pub(super) fn has_deleted(&self) -> bool {
        !self.free.is_empty()
    }

    /// A bit for each id that is deleted, as kernels read it; as far as there are any.
    pub(super) fn deleted_on_device(&self) -> &DeviceBuffer<Atomic<u32>> {
        &self.on_device
    }

    /// The deleted ids, ascending.
    pub(super) fn deleted(&self) -> Vec<u32> {
        let mut ids: Vec<_> = self.free.iter().map(|&Reverse(id)| id).collect();
        ids.sort_unstable();
        ids
    }

    /// Deletes ids, and returns each once, in the order of their mention; or the first that
    /// is no vertex, and then nothing has changed. On the host alone:
    /// [`publish`](Self::publish) follows.
    pub(super) fn delete(&mut self, ids: &[u32]) -> Result<Vec<u32>, u32> {
        if let Some(&id) = ids.iter().find(|&&id| id >= self.count || self.is_deleted(id)) {
            return Err(id);
        }
        self.deleted.resize((self.count as usize).div_ceil(32), 0);
        let mut gone = Vec::with_capacity(ids.len());
        for &id in ids {
            if !self.is_deleted(id) {
                self.flip(id);
                gone.push(id);
            }
        }
        self.free.extend(gone.iter().copied().map(Reverse));
        Ok(gone)
    }

    /// Takes a deletion back.
    pub(super) fn undelete(&mut self, gone: &[u32]) {
        gone.iter().for_each(|&id| self.flip(id));
        let deleted = std::mem::take(&mut self.free);
        self.free = deleted.into_iter().filter(|&Reverse(id)| self.is_deleted(id)).collect();
    }

    fn flip(&mut self, id: u32) {
        self.deleted[id as usize / 32] ^= 1 << (id % 32);
    }

    /// Memory for the bits on the device; then [`publish`](Self::publish) takes none.
    pub(super) fn reserve(&mut self) -> Result<(), Error> {
        self.on_device.extend((self.count as usize).div_ceil(32))
    }

    /// Turns the bits of some ids on the device, each of which was deleted or undeleted on
    /// the host. Queued on CUDA.
    pub(super) fn publish(&mut self, changed: &DeviceBuffer<Vertex>) -> Result<(), Error> {
        if changed.is_empty() {
            return Ok(());
        }
        let (device, threads) = (changed.device(), changed.len() as u32);
        flip_bits::launch(device, threads, changed, &self.on_device)
    }

    /// How many ids [`insert`](Self::insert) would use again.
    pub(super) fn reused(&self, count: u32) -> u32 {
        self.free.len().min(count as usize) as u32
    }

    /// `count` ids: the smallest deleted ones, then new ones. On the host alone:
    /// [`publish`](Self::publish) follows for the former.
    pub(super) fn insert(&mut self, count: u32) -> Vec<u32> {
        let reused = self.reused(count);
        let mut ids: Vec<u32> = Vec::with_capacity(count as usize);
        ids.extend((0..reused).filter_map(|_| self.free.pop()).map(|Reverse(id)| id));
        (0..ids.len()).for_each(|at| self.flip(ids[at]));
        let fresh = count - reused;
        ids.extend(self.count..self.count + fresh);
        self.count += fresh;
        ids
    }

    /// Takes an insertion back that has not been published; there were `count` ids before.
    pub(super) fn take_back(&mut self, inserted: &[u32], count: u32) {
        self.count = count;
        for &id in inserted.iter().filter(|&&id| id < count) {
            self.flip(id);
            self.free.push(Reverse(id));
        }
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![flip_bits::info()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_leaves_the_ids_as_they_were() {
        let mut ids = Ids::new(&Device::cpu(), 100);
        assert_eq!(ids.delete(&[40, 7, 40, 99]), Ok(vec![40, 7, 99]));
        assert_eq!(ids.delete(&[3, 7]), Err(7));
        assert_eq!(ids.delete(&[3, 100]), Err(100));
        let gone = ids.delete(&[3, 50]).expect("vertices");
        ids.undelete(&gone);
        assert_eq!(ids.deleted(), [7, 40, 99]);
        let inserted = ids.insert(5);
        assert_eq!(inserted, [7, 40, 99, 100, 101]);
        ids.take_back(&inserted, 100);
        assert_eq!((ids.deleted(), ids.count()), (vec![7, 40, 99], 100));
        assert!(ids.is_deleted(7) && !ids.is_deleted(3) && !ids.is_deleted(101));
        assert_eq!(ids.insert(2), [7, 40]);
        assert_eq!(ids.deleted(), [99]);
    }
}
