//! Slabs that lists have left go back to the pool: they are the first that lanes take.

use super::edges::CompactEdges;
use super::layout::*;
use super::pool::{CLASSES, FREE_AT_ONCE};
use super::take::*;
use super::view::Compact;
use crate::device::{DeviceBuffer, read_together};
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Weight};
use meerkat_macros::kernel;

/// Slabs that some lists have left, each of them empty.
#[derive(Debug)]
pub(super) struct Left {
    /// Their links.
    links: DeviceBuffer<u32>,
    /// How many there are.
    length: DeviceBuffer<Atomic<u32>>,
}

impl Left {
    /// None yet, and room for so many.
    pub(super) fn with_room(device: &crate::Device, slabs: usize) -> Result<Self, Error> {
        let links = DeviceBuffer::zeroed(device, slabs)?;
        Ok(Left { links, length: DeviceBuffer::zeroed(device, 1)? })
    }

    pub(super) fn view(&self) -> Frontier<u32> {
        Frontier { items: self.links.view(), length: self.length.view() }
    }
}

/// Counts the slabs of each class that lists have left.
#[kernel]
fn count_left(left: &[u32], length: &[Atomic<u32>], counts: &[Atomic<u32>]) {
    let i = thread_id();
    let mut class = NONE;
    if i < left.len() && i < length[0].load() {
        class = class_of(left[i]);
    }
    for of in 0..LARGEST + 1 {
        let votes = warp_ballot(class == of);
        if lane_id() == 0 && votes != 0 {
            counts[of].fetch_add(votes.count_ones());
        }
    }
}

/// Lists the slabs of a class that may be taken: of its first slots those that no lane took, and what
/// lists have left.
#[kernel]
fn list_free_slabs<W: Weight>(
    graph: &Compact<W>,
    class: u32,
    slots: u32,
    left: &[u32],
    length: &[Atomic<u32>],
    free: &Frontier<u32>,
) {
    let i = thread_id();
    let mut slab = NONE;
    if i < slots {
        let counter = (class * COUNTERS + i % COUNTERS) * STRIDE;
        if i / COUNTERS >= graph.counters[counter].load() {
            slab = slab_of_slot(graph, class, i);
        }
    } else if i - slots < left.len().min(length[0].load()) {
        let link = left[i - slots];
        if class_of(link) == class {
            slab = number_of(link);
        }
    }
    warp_enqueue_frontier(free, slab, slab != NONE);
}

impl<W: Weight> CompactEdges<W> {
    /// Takes slabs back. Where there is no memory for that, they are not used again before the next
    /// compaction, and nothing is lost. Synchronises.
    pub(super) fn give_back(&mut self, left: &Left) -> Result<(), Error> {
        match self.list_free(left) {
            Err(error) if error.is_about_room() => {
                self.pool.has_lost = true;
                Ok(())
            }
            done => done,
        }
    }

    fn list_free(&mut self, left: &Left) -> Result<(), Error> {
        let Left { links, length } = left;
        if links.is_empty() {
            return Ok(());
        }
        let device = self.device.clone();
        let counts = DeviceBuffer::<Atomic<u32>>::zeroed(&device, CLASSES)?;
        count_left::launch(&device, links.len() as u32, links, length, &counts)?;
        let words = read_together(&[(&counts, 0..CLASSES), self.pool.asked()])?;
        let (counts, asked) = words.split_at(CLASSES);
        let begun = self.pool.begun(asked);
        let free = begun.each_ref().map(|begun| begun.left as usize);
        let free: [usize; CLASSES] = std::array::from_fn(|of| free[of] + counts[of] as usize);
        // How many slots lanes passed over is up to their order; the memory is not to be.
        let room = free.iter().sum::<usize>().next_multiple_of(FREE_AT_ONCE);
        let list = DeviceBuffer::<u32>::zeroed(&device, room)?;
        let lengths = DeviceBuffer::<Atomic<u32>>::zeroed(&device, CLASSES)?;
        let mut first = 0;
        for (class, (begun, count)) in begun.iter().zip(free).enumerate() {
            let of_class = Frontier {
                items: list.view_of(first..first + count),
                length: lengths.view_of(class..class + 1),
            };
            first += count;
            let (class, slots) = (class as u32, begun.slots as u32);
            let threads = slots + links.len() as u32;
            list_free_slabs::launch(
                &device, threads, &*self, class, slots, links, length, of_class,
            )?;
        }
        self.pool.begin_again(list, free.map(|count| count as u32), begun.map(|own| own.fresh))
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![count_left::info(), list_free_slabs::info::<()>()]
}
