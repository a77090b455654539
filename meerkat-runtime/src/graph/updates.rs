//! Which neighbours a batch brought: Meerkat's update tracking (section 3.4).
//!
//! Keys fill a slab list from the front and deletion leaves their places taken,
//! so what was inserted since some moment lies after one place of each list.
//! That place is kept for every list, with a mark for the lists that have more
//! after it.

use super::adjacency::Adjacency;
use super::dynamic_graph::DynamicGraph;
use super::lists::EdgeLists;
use crate::device::DeviceBuffer;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::{EMPTY_KEY, Graph, NEXT_LANE, NULL_SLAB, UpdatePointer};
use crate::view::Atomic;
use crate::{Error, ErrorKind, Weight};
use meerkat_macros::kernel;

/// The mark of a list that was emptied: its updates begin at its first slab.
pub(super) const BEGIN_AGAIN: u32 = 2;

/// Marks the lists of every vertex.
#[kernel]
fn mark_lists<W: Weight>(graph: &Graph<W>) {
    let v = thread_id();
    if v < graph.vertices.len() {
        let lists = graph.vertices[v];
        for bucket in 0..lists.buckets {
            graph.updated[lists.first + bucket].store(1);
        }
    }
}

/// Points from slab number `from` on to the first place of each slab.
#[kernel]
fn begin_updates(pointers: &mut [UpdatePointer], from: u32) {
    let i = thread_id();
    if i >= from && i < pointers.len() {
        pointers[i] = UpdatePointer { slab: i, lane: 0 };
    }
}

/// Points to the first place of the lists that were emptied.
#[kernel]
fn begin_again(updated: &[Atomic<u32>], pointers: &mut [UpdatePointer]) {
    let i = thread_id();
    if i < pointers.len() && updated[i].load() == BEGIN_AGAIN {
        pointers[i] = UpdatePointer { slab: i, lane: 0 };
        updated[i].store(0);
    }
}

/// Moves the pointers of marked lists to after their last key, and takes the marks
/// away.
#[kernel]
fn advance_updates<W: Weight>(graph: &Graph<W>, pointers: &mut [UpdatePointer]) {
    let i = thread_id();
    if i < pointers.len() && graph.updated[i].load() == 1 {
        let mut slab = pointers[i].slab;
        let mut empty = NEXT_LANE;
        let mut next = slab;
        while empty == NEXT_LANE && next != NULL_SLAB {
            slab = next;
            next = graph.slabs[slab].word(NEXT_LANE).load();
            let mut place = 0u32;
            while place < NEXT_LANE && empty == NEXT_LANE {
                let is_key = (W::KEY_LANES >> place) & 1 == 1;
                if is_key && graph.slabs[slab].word(place).load() == EMPTY_KEY {
                    empty = place;
                }
                place += 1;
            }
        }
        pointers[i] = UpdatePointer { slab, lane: empty };
        graph.updated[i].store(0);
    }
}

impl<L: EdgeLists> DynamicGraph<L> {
    /// Begins a new set of updates: `for_each_updated_neighbor` visits what is
    /// inserted from now on. In slabs one thread a slab, queued on CUDA, unless long lists are laid
    /// out again. Other containers keep updates apart, in lists for all vertices that are made anew:
    /// for that it synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::UpdatesNotTracked`] unless [`SlabOptions::track_updates`] is
    /// on; no memory, and then the updates are those of before; the device fails.
    ///
    /// [`SlabOptions::track_updates`]: super::SlabOptions::track_updates
    pub fn update_slab_pointers(&mut self) -> Result<(), Error> {
        if !self.options().track_updates {
            return Err(ErrorKind::UpdatesNotTracked.into());
        }
        self.each_orientation(|lists, _| lists.advance_updates())?;
        self.begin_updates()?;
        // No list has updates now, so none is lost.
        self.lay_out_long_lists();
        Ok(())
    }
}

impl<W: Weight> Adjacency<W> {
    /// Begins to track updates, none so far.
    pub(super) fn track_updates(&mut self) -> Result<(), Error> {
        (self.updates, self.updated) = self.grown_updates(self.slab_capacity())?;
        mark_lists::launch(self.device(), self.vertex_count(), &*self)?;
        self.advance_updates()
    }

    /// A pointer and a mark for each of this number of slabs, those that there are as they are.
    pub(super) fn grown_updates(
        &self,
        slabs: u32,
    ) -> Result<(DeviceBuffer<UpdatePointer>, DeviceBuffer<Atomic<u32>>), Error> {
        let before = self.updated.len() as u32;
        let updated = self.updated.grown(slabs as usize, 0)?;
        let mut pointers = self.updates.grown(slabs as usize, 0)?;
        begin_updates::launch(self.device(), slabs, &mut pointers, before)?;
        Ok((pointers, updated))
    }

    pub(super) fn begin_updates_again(&mut self) -> Result<(), Error> {
        let (device, threads) = (self.device().clone(), self.updates.len() as u32);
        begin_again::launch(&device, threads, &self.updated, &mut self.updates)
    }

    pub(super) fn advance_updates(&mut self) -> Result<(), Error> {
        // Kernels get the pointers either to read or to write.
        let none = DeviceBuffer::empty(self.device());
        let mut pointers = std::mem::replace(&mut self.updates, none);
        let threads = pointers.len() as u32;
        let done = advance_updates::launch(self.device(), threads, &*self, &mut pointers);
        self.updates = pointers;
        done
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        mark_lists::info::<()>(),
        begin_updates::info(),
        begin_again::info(),
        advance_updates::info::<()>(),
        advance_updates::info::<u32>(),
    ]
}
