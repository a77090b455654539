//! One orientation of a slab graph: the slab lists that operators walk.

use super::build::Plan;
use super::insert::restore_edges;
use super::layout::Edge;
use super::options::{Endpoint, SlabOptions};
use super::pool::{Begun, FreeSlots, Pool, check_slab_count};
use super::search::search_edges;
use crate::device::{Device, DeviceBuffer, Words};
use crate::launch::HostArg;
use crate::slab::{Graph, SlabLists, UpdatePointer};
use crate::view::{Atomic, DeviceSlice, Slab};
use crate::{Error, ErrorKind, Weight};
use std::marker::PhantomData;

/// The neighbours of every vertex in one direction: what `&Graph<W>` of an
/// operator takes. See [`SlabGraph::in_edges`](super::SlabGraph::in_edges).
#[derive(Debug)]
pub struct Adjacency<W: Weight = ()> {
    device: Device,
    lists: DeviceBuffer<SlabLists>,
    degrees: DeviceBuffer<Atomic<u32>>,
    slabs: DeviceBuffer<Slab>,
    pool: Pool,
    pub(super) updates: DeviceBuffer<UpdatePointer>,
    pub(super) updated: DeviceBuffer<Atomic<u32>>,
    tracks_updates: bool,
    max_slabs: u32,
    average_degree: u32,
    most_lists: u32,
    /// Whether degrees are to be counted anew.
    pub(super) recounts: bool,
    /// What lists are laid out for: see [`SlabOptions::bucket_ratio`].
    pub(super) ratio: u32,
    /// Whether long lists may be laid out again between any two insertions.
    pub(super) lays_out_again: bool,
    /// Whether an insertion found a long list, as was last read.
    pub(super) has_long_lists: bool,
    weight: PhantomData<W>,
}

impl<W: Weight> Adjacency<W> {
    /// Empty lists for vertices of these degrees, which count `arcs` arcs; all of these are to
    /// be [`fill`](Self::fill)ed in, part by part. Synchronises.
    pub(super) fn planned(
        degrees: DeviceBuffer<Atomic<u32>>,
        arcs: u64,
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        let device = &degrees.device().clone();
        let plan = Plan::of_degrees::<W>(device, degrees, options)?;
        check_slab_limit(plan.slabs, options.max_slabs)?;
        let vertices = plan.lists.len() as u64;
        Ok(Adjacency {
            device: device.clone(),
            lists: plan.lists,
            degrees: plan.degrees,
            // EMPTY_KEY and NULL_SLAB alike are all ones.
            slabs: DeviceBuffer::growable(device, plan.slabs as usize, u8::MAX)?,
            pool: Pool::new(device, plan.heads as u32)?,
            updates: DeviceBuffer::zeroed(device, 0)?,
            updated: DeviceBuffer::zeroed(device, 0)?,
            tracks_updates: options.track_updates,
            max_slabs: options.max_slabs,
            average_degree: arcs.div_ceil(vertices.max(1)) as u32,
            most_lists: plan.most_lists,
            recounts: false,
            ratio: options.bucket_ratio::<W>(),
            lays_out_again: options.lays_out_again() && !options.track_updates,
            has_long_lists: false,
            weight: PhantomData,
        })
    }

    /// Takes back the deletion of edges.
    pub(super) fn queue_restorations(
        &self,
        edges: DeviceSlice<Edge<W>>,
        end: Endpoint,
    ) -> Result<(), Error> {
        let (threads, per_tile) = spread(&self.device, edges.len() as usize);
        restore_edges::launch(&self.device, threads, self, edges, per_tile, end.is_reversed())
    }

    pub(super) fn queue_searches(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: Endpoint,
        found: &DeviceBuffer<Atomic<u32>>,
    ) -> Result<(), Error> {
        let (threads, per_tile) = spread(&self.device, edges.len());
        search_edges::launch(&self.device, threads, self, edges, per_tile, end.is_reversed(), found)
    }

    /// The words of what insertions found: see [`note_found`](Self::note_found).
    pub(super) fn found(&self) -> Words<'_> {
        self.pool.found()
    }

    /// Whether an insertion found a long list, as was last read.
    pub(super) fn has_long_lists(&self) -> bool {
        self.has_long_lists
    }

    /// The vertices whose lists insertions found long; they are forgotten. Synchronises.
    pub(super) fn take_long_lists(&mut self) -> Result<Vec<u32>, Error> {
        self.has_long_lists = false;
        self.pool.take_long_lists()
    }

    /// Makes sure that there are so many slabs in a row that were never in use. Synchronises.
    pub(super) fn reserve_row(&mut self, slabs: u64) -> Result<(), Error> {
        let slabs = u32::try_from(slabs).map_err(|_| ErrorKind::TooManySlabs { slabs })?;
        if slabs <= self.slab_capacity() - self.begun()?.fresh {
            return Ok(());
        }
        // Insertions that need slabs come before shorter lists: half of what is left is theirs.
        let capacity = self.slab_capacity();
        let left = self.max_slabs.saturating_sub(capacity);
        check_slab_limit(u64::from(capacity) + 2 * u64::from(slabs), self.max_slabs)?;
        // Some more, since on the CPU all slabs move.
        let more = (self.slab_capacity() / 16).min(left / 2);
        self.reserve_slabs(slabs.max(more))
    }

    /// Slabs in a row, taken out of the pool for lists: the first. Synchronises.
    pub(super) fn take_row(&mut self, slabs: u32) -> Result<u32, Error> {
        let mut slots = self.free_slots()?;
        let first = slots.fresh;
        slots.fresh += slabs;
        self.begin_again(slots)?;
        Ok(first)
    }

    /// Which slabs were begun. Synchronises.
    pub(super) fn begun(&self) -> Result<Begun, Error> {
        self.pool.begun(self.slab_capacity())
    }

    /// Goes on with these slots, and with all slabs that follow. Takes no memory. Queued on CUDA.
    pub(super) fn begin_again(&mut self, slots: FreeSlots) -> Result<(), Error> {
        self.pool.begin_again(slots)
    }

    /// Gives a vertex other lists. Queued on CUDA.
    pub(super) fn set_lists(&mut self, vertex: u32, lists: SlabLists) -> Result<(), Error> {
        self.most_lists = self.most_lists.max(lists.buckets);
        self.lists.write(vertex as usize, &[lists])
    }

    /// Gives vertices from `first` on other lists, which are no more than they had. Queued on CUDA.
    pub(super) fn write_lists(&mut self, first: usize, lists: &[SlabLists]) -> Result<(), Error> {
        self.lists.write(first, lists)
    }

    /// Goes on after a lane found no slab. Takes no memory.
    pub(super) fn forget_exhaustion(&mut self) -> Result<(), Error> {
        self.pool.forget_exhaustion()
    }

    /// Doubles the slabs, or takes what the limit leaves, or what there is memory for.
    pub(super) fn grow_pool(&mut self) -> Result<(), Error> {
        let slabs = self.slab_capacity();
        let left = self.max_slabs.saturating_sub(slabs).max(1);
        let mut more = slabs.max(FEW_SLABS).min(left);
        loop {
            match self.reserve_slabs(more) {
                Err(error) if error.is_out_of_memory() && more > FEW_SLABS => {
                    more = (more / 4).max(FEW_SLABS);
                }
                done => return done,
            }
        }
    }

    /// Makes room for `more` overflow slabs; the others keep their numbers and, on
    /// CUDA, their place.
    pub(super) fn reserve_slabs(&mut self, more: u32) -> Result<(), Error> {
        let slabs = self.slab_capacity();
        let wanted = u64::from(slabs) + u64::from(more);
        check_slab_count(wanted)?;
        check_slab_limit(wanted, self.max_slabs)?;
        // All that takes memory comes first, and the slabs last: then nothing has changed if
        // there is none.
        let free = self.free_slots()?;
        let tracked = match self.tracks_updates {
            true => Some(self.grown_updates(wanted as u32)?),
            false => None,
        };
        // EMPTY_KEY and NULL_SLAB alike are all ones.
        self.slabs.grow(wanted as usize, u8::MAX)?;
        if let Some(tracked) = tracked {
            (self.updates, self.updated) = tracked;
        }
        self.pool.begin_again(free)
    }

    /// How many slabs are in use, heads and overflow. Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn slab_count(&self) -> Result<u32, Error> {
        self.pool.slabs_in_use(self.slab_capacity())
    }

    /// How many slabs there is memory for.
    pub(super) fn slab_capacity(&self) -> u32 {
        self.slabs.len() as u32
    }

    /// The slabs that the pool may hand out.
    pub(super) fn unused_slabs(&self) -> Result<Vec<u32>, Error> {
        self.pool.unused_slabs(self.slab_capacity())
    }

    pub(super) fn lists(&self) -> &DeviceBuffer<SlabLists> {
        &self.lists
    }

    pub(super) fn slabs(&self) -> &DeviceBuffer<Slab> {
        &self.slabs
    }

    /// Memory for the lists and degrees of this number of vertices.
    pub(super) fn reserve_dictionary(&mut self, vertices: usize) -> Result<(), Error> {
        self.lists.reserve(vertices)?;
        self.degrees.reserve(vertices)
    }

    /// The dictionary for this number of vertices, taken out: to be put back.
    pub(super) fn take_dictionary(
        &mut self,
        vertices: usize,
    ) -> Result<DeviceBuffer<SlabLists>, Error> {
        self.degrees.extend(vertices)?;
        self.lists.extend(vertices)?;
        let none = DeviceBuffer::zeroed(&self.device, 0)?;
        Ok(std::mem::replace(&mut self.lists, none))
    }

    pub(super) fn put_dictionary(&mut self, lists: DeviceBuffer<SlabLists>) {
        self.lists = lists;
    }

    /// Bytes of device memory.
    pub(super) fn bytes(&self) -> u64 {
        let buffers = self.lists.bytes() + self.degrees.bytes() + self.slabs.bytes();
        buffers + self.pool.bytes() + self.updates.bytes() + self.updated.bytes()
    }

    pub(super) fn vertex_count(&self) -> u32 {
        self.lists.len() as u32
    }

    /// How many neighbours each vertex has, as kernels read it.
    pub fn degrees(&self) -> &DeviceBuffer<Atomic<u32>> {
        &self.degrees
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        &self.device
    }
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<W: Weight> HostArg<Graph<W>> for &Adjacency<W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Graph<W>, Error> {
        self.slabs.check_device(device)?;
        Ok(Graph {
            vertices: self.lists.view(),
            degrees: self.degrees.view(),
            slabs: self.slabs.view(),
            pool: self.pool.counters.view(),
            free: self.pool.free.view(),
            fresh: self.pool.fresh,
            updates: self.updates.view(),
            updated: self.updated.view(),
            average_degree: self.average_degree,
            most_lists: self.most_lists,
            weight: PhantomData,
        })
    }
}

/// Slabs that are worth an allocation.
const FEW_SLABS: u32 = 64;

/// How many threads a kernel over edges takes, and how many edges each tile of 8
/// lanes: one while there are tiles to spare, and 8 at most.
pub(super) fn spread(device: &Device, edges: usize) -> (u32, u32) {
    let tiles = device.threads_at_once() / 8;
    let per_tile = edges.div_ceil(tiles.max(1)).clamp(1, 8);
    let threads = edges.div_ceil(per_tile) * 8;
    (u32::try_from(threads).unwrap_or(u32::MAX), per_tile as u32)
}

fn check_slab_limit(slabs: u64, limit: u32) -> Result<(), Error> {
    if slabs > u64::from(limit) {
        return Err(ErrorKind::SlabLimit { slabs, limit }.into());
    }
    Ok(())
}
