//! A search's items as one list, level by level.

use super::arguments::{CurrentFrontier, NextFrontier};
use super::host::check_capacity;
use crate::device::{Device, DeviceBuffer};
use crate::view::Atomic;
use crate::{DeviceType, Error, ErrorKind};
use std::ops::Range;

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
    /// No memory; a capacity above `u32::MAX - 2^28`.
    pub fn new(device: &Device, capacity: u32) -> Result<Self, Error> {
        check_capacity(capacity)?;
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
        CurrentFrontier { list: &self.list, items: self.level.clone(), length: None }
    }

    /// The items of all levels.
    pub fn all(&self) -> CurrentFrontier<'_, T> {
        CurrentFrontier { list: &self.list, items: 0..self.level.end, length: None }
    }

    /// The list of all items, and where in it those of the latest level are.
    pub fn latest(&self) -> (&DeviceBuffer<T>, Range<usize>) {
        (&self.list, self.level.start as usize..self.level.end as usize)
    }

    /// The items of all levels, where they are.
    pub fn into_buffer(mut self) -> DeviceBuffer<T> {
        self.list.truncate(self.level.end as usize);
        self.list
    }

    /// Where kernels append.
    pub fn next(&self) -> NextFrontier<'_, T> {
        NextFrontier { list: &self.list, length: &self.length, slot: 0 }
    }
}
