//! Frontiers: the vertices or edges that the next step visits.
#![allow(unsafe_code)] // One write into a slot that an atomic handed out.

use crate::device::{Device, DeviceBuffer};
use crate::launch::{HostArg, VertexItems};
use crate::scalar::*;
use crate::view::{Atomic, DeviceSlice};
use crate::{DeviceStruct, DeviceType, Error, ErrorKind, device};
use std::ops::Range;

/// A frontier as kernels see it: a list and how much of it is taken.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct Frontier<T: DeviceType> {
    pub(crate) items: DeviceSlice<T>,
    pub(crate) length: DeviceSlice<Atomic<u32>>,
}

/// Appends the value of every lane whose predicate holds, with one atomic for
/// the warp (Meerkat, algorithm 3). What does not fit is counted and dropped,
/// and [`Frontiers::advance`] says so. Collective.
#[device]
pub fn warp_enqueue_frontier<T: DeviceType>(frontier: &Frontier<T>, value: T, predicate: bool) {
    let votes = warp_ballot(predicate);
    if votes != 0 {
        let mut first = 0u32;
        if lane_id() == 0 {
            first = frontier.length[0].fetch_add(votes.count_ones());
        }
        let slot = warp_broadcast(first, 0) + (votes & lanes_below()).count_ones();
        if predicate && slot < frontier.items.len() {
            // SAFETY: the atomic gave these slots to this warp, one to each lane.
            unsafe { frontier.items.write(slot, value) }
        }
    }
}

/// [`warp_enqueue_frontier`] for a lane on its own.
#[device]
pub fn lane_enqueue_frontier<T: DeviceType>(frontier: &Frontier<T>, value: T, predicate: bool) {
    if predicate {
        let slot = frontier.length[0].fetch_add(1);
        if slot < frontier.items.len() {
            // SAFETY: the atomic gave this slot to this lane.
            unsafe { frontier.items.write(slot, value) }
        }
    }
}

macro_rules! tile_enqueue_frontier {
    ($($name:ident $size:tt)*) => {$(
        /// [`warp_enqueue_frontier`] for the lanes of a tile. Collective of the tile.
        #[device]
        pub fn $name<T: DeviceType>(frontier: &Frontier<T>, value: T, predicate: bool) {
            let votes = tile::<$size>().ballot(predicate);
            if votes != 0 {
                let mut first = 0u32;
                let me = tile::<$size>().lane_id();
                if me == 0 {
                    first = frontier.length[0].fetch_add(votes.count_ones());
                }
                let below: u32 = votes & ((1u32 << me) - 1);
                let slot = tile::<$size>().broadcast(first, 0) + below.count_ones();
                if predicate && slot < frontier.items.len() {
                    // SAFETY: the atomic gave these slots to this tile, one to each lane.
                    unsafe { frontier.items.write(slot, value) }
                }
            }
        }
    )*};
}

tile_enqueue_frontier! {
    tile4_enqueue_frontier 4
    tile8_enqueue_frontier 8
    tile16_enqueue_frontier 16
}

/// The host's pair of frontiers: kernels visit the current one and fill the
/// next.
#[derive(Debug)]
pub struct Frontiers<T: DeviceType> {
    lists: [DeviceBuffer<T>; 2],
    lengths: [DeviceBuffer<Atomic<u32>>; 2],
    current: usize,
    length: u32,
}

impl<T: DeviceType> Frontiers<T> {
    /// A pair for up to `capacity` items each, starting from `first`.
    ///
    /// # Errors
    /// No memory; more first items than fit.
    pub fn new(device: &Device, capacity: u32, first: &[T]) -> Result<Self, Error> {
        let buffer = || DeviceBuffer::zeroed(device, capacity as usize);
        let length = || DeviceBuffer::zeroed(device, 1);
        let mut frontiers = Frontiers {
            lists: [buffer()?, buffer()?],
            lengths: [length()?, length()?],
            current: 0,
            length: first.len() as u32,
        };
        frontiers.lists[0].write(0, first)?;
        Ok(frontiers)
    }

    /// Forgets everything and starts from `first` again. Synchronises.
    ///
    /// # Errors
    /// More first items than fit; the device fails.
    pub fn restart(&mut self, first: &[T]) -> Result<(), Error> {
        self.lists[self.current].write(0, first)?;
        self.lengths[1 - self.current].fill(0)?;
        self.length = first.len() as u32;
        Ok(())
    }

    /// How many items the current frontier holds.
    pub fn len(&self) -> u32 {
        self.length
    }

    /// Whether there is nothing left to visit.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The items to visit: what an operator is launched for.
    pub fn current(&self) -> CurrentFrontier<'_, T> {
        CurrentFrontier { list: &self.lists[self.current], items: 0..self.length }
    }

    /// The items of the current frontier, in no order. Synchronises.
    ///
    /// # Errors
    /// The device fails, or a kernel queued before did.
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        self.lists[self.current].read(0, self.length as usize)
    }

    /// A copy of the current frontier, on the device.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn to_buffer(&self) -> Result<DeviceBuffer<T>, Error> {
        self.lists[self.current].first(self.length as usize)
    }

    /// Where kernels enqueue.
    pub fn next(&self) -> NextFrontier<'_, T> {
        let next = 1 - self.current;
        NextFrontier { list: &self.lists[next], length: &self.lengths[next] }
    }

    /// Makes the next frontier the current one, and returns its length.
    /// Synchronises.
    ///
    /// # Errors
    /// More was enqueued than fits; a kernel queued before failed.
    pub fn advance(&mut self) -> Result<u32, Error> {
        self.current = 1 - self.current;
        let enqueued = self.lengths[self.current].read(0, 1)?[0];
        let capacity = self.lists[self.current].len() as u32;
        if enqueued > capacity {
            return Err(ErrorKind::FrontierOverflow { enqueued, capacity }.into());
        }
        self.lengths[1 - self.current].fill(0)?;
        self.length = enqueued;
        Ok(enqueued)
    }
}

/// Items in the order in which they were found, level by level: kernels visit
/// the latest level and append the next. For searches that find an item at most
/// once; afterwards all of them are there as one list.
#[derive(Debug)]
pub struct LevelQueue<T: DeviceType> {
    list: DeviceBuffer<T>,
    length: DeviceBuffer<Atomic<u32>>,
    level: Range<u32>,
}

impl<T: DeviceType> LevelQueue<T> {
    /// An empty queue for up to `capacity` items over all levels.
    ///
    /// # Errors
    /// No memory.
    pub fn new(device: &Device, capacity: u32) -> Result<Self, Error> {
        let list = DeviceBuffer::zeroed(device, capacity as usize)?;
        Ok(LevelQueue { list, length: DeviceBuffer::zeroed(device, 1)?, level: 0..0 })
    }

    /// Forgets everything.
    ///
    /// # Errors
    /// The device fails.
    pub fn clear(&mut self) -> Result<(), Error> {
        self.level = 0..0;
        self.length.fill(0)
    }

    /// Makes what was appended the latest level, and returns its length.
    /// Synchronises.
    ///
    /// # Errors
    /// More was enqueued than fits; a kernel queued before failed.
    pub fn advance(&mut self) -> Result<u32, Error> {
        let enqueued = self.length.read(0, 1)?[0];
        let capacity = self.list.len() as u32;
        if enqueued > capacity {
            return Err(ErrorKind::FrontierOverflow { enqueued, capacity }.into());
        }
        self.level = self.level.end..enqueued;
        Ok(enqueued - self.level.start)
    }

    /// The latest level.
    pub fn current(&self) -> CurrentFrontier<'_, T> {
        CurrentFrontier { list: &self.list, items: self.level.clone() }
    }

    /// The items of all levels.
    pub fn all(&self) -> CurrentFrontier<'_, T> {
        CurrentFrontier { list: &self.list, items: 0..self.level.end }
    }

    /// A copy of the items of all levels, on the device.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn to_buffer(&self) -> Result<DeviceBuffer<T>, Error> {
        self.list.first(self.level.end as usize)
    }

    /// Where kernels append.
    pub fn next(&self) -> NextFrontier<'_, T> {
        NextFrontier { list: &self.list, length: &self.length }
    }
}

/// Items to visit: what an operator is launched for.
#[derive(Clone, Debug)]
pub struct CurrentFrontier<'a, T: DeviceType> {
    list: &'a DeviceBuffer<T>,
    items: Range<u32>,
}

impl HostArg<VertexItems> for CurrentFrontier<'_, u32> {
    fn pass(self, device: &Device) -> Result<VertexItems, Error> {
        let count = self.items.len() as u32;
        let list = HostArg::<DeviceSlice<u32>>::pass(self, device)?;
        Ok(VertexItems { list, first: 0, count })
    }
}

impl<T: DeviceType> HostArg<DeviceSlice<T>> for CurrentFrontier<'_, T> {
    fn pass(self, device: &Device) -> Result<DeviceSlice<T>, Error> {
        self.list.check_device(device)?;
        Ok(self.list.view_of(self.items.start as usize..self.items.end as usize))
    }
}

/// Where kernels enqueue.
#[derive(Clone, Copy, Debug)]
pub struct NextFrontier<'a, T: DeviceType> {
    list: &'a DeviceBuffer<T>,
    length: &'a DeviceBuffer<Atomic<u32>>,
}

impl<T: DeviceType> HostArg<Frontier<T>> for NextFrontier<'_, T> {
    fn pass(self, device: &Device) -> Result<Frontier<T>, Error> {
        self.list.check_device(device)?;
        Ok(Frontier { items: self.list.view(), length: self.length.view() })
    }
}
