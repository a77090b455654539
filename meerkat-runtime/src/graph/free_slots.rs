//! Slabs that lanes take next: those of the slots that none took, listed on the device, and those that
//! lists gave up.

use super::adjacency::Adjacency;
use super::pool::{Begun, FreeSlots, counter_of, index_at_counter};
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::Graph;
use crate::view::{Atomic, DeviceSlice};
use crate::{Error, Weight};
use meerkat_macros::kernel;
use std::ops::Range;

/// Lists the slabs of the first slots that no lane took.
#[kernel]
fn list_free_slots<W: Weight>(graph: &Graph<W>, slots: u32, free: &Frontier<u32>) {
    let i = thread_id();
    let mut is_left = false;
    let mut slab = 0u32;
    if i < slots {
        is_left = index_at_counter(i) >= graph.pool[counter_of(i)].load();
        let given_back = graph.free.len();
        if i >= given_back {
            slab = graph.fresh + (i - given_back);
        } else if is_left {
            slab = graph.free[i];
        }
    }
    warp_enqueue_frontier(free, slab, is_left);
}

/// Slabs that lists gave up: the first of a list that has room for all slabs there are, and some more.
pub(super) struct GivenUp {
    pub(super) list: DeviceBuffer<u32>,
    pub(super) count: usize,
    pub(super) more: Vec<u32>,
}

impl<W: Weight> Adjacency<W> {
    /// The slots to go on with, of slabs that are in no list. Synchronises.
    pub(super) fn free_slots(&self) -> Result<FreeSlots, Error> {
        let begun = self.begun()?;
        let free = DeviceBuffer::zeroed(self.device(), begun.left)?;
        let length = DeviceBuffer::<Atomic<u32>>::zeroed(self.device(), 1)?;
        self.append_left(&begun, &free, 0..begun.left, length.view())?;
        Ok(FreeSlots { free, fresh: begun.fresh })
    }

    /// Takes back slabs that are empty again; where there is no memory, in the list of them. `length` is
    /// a word of 0. Synchronises.
    pub(super) fn give_back(
        &mut self,
        given_up: GivenUp,
        length: DeviceSlice<Atomic<u32>>,
    ) -> Result<(), Error> {
        let begun = self.begun()?;
        let GivenUp { mut list, count, more } = given_up;
        let from = count + more.len();
        let all = from + begun.left;
        let mut free = match list.with_room(count, all, 0) {
            Err(error) if error.is_out_of_memory() => {
                list.truncate(all);
                list
            }
            free => free?,
        };
        free.write(count, &more)?;
        self.append_left(&begun, &free, from..all, length)?;
        self.begin_again(FreeSlots { free, fresh: begun.fresh })
    }

    /// Has the kernel loaded that lists slabs, by a launch that does nothing.
    pub(super) fn load_listing(&self, nowhere: Frontier<u32>) -> Result<(), Error> {
        list_free_slots::launch(self.device(), 32, self, 0, nowhere)
    }

    /// Lists what is left of the slots that were begun at these places of a list.
    fn append_left(
        &self,
        begun: &Begun,
        list: &DeviceBuffer<u32>,
        places: Range<usize>,
        length: DeviceSlice<Atomic<u32>>,
    ) -> Result<(), Error> {
        let free = Frontier { items: list.view_of(places), length };
        list_free_slots::launch(self.device(), begun.slots, self, begun.slots, free)
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![list_free_slots::info::<()>()]
}
