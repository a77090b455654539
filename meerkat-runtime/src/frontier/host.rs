//! The host's side of frontiers: the lists, whose turn it is, and how long they are.

use super::arguments::{CurrentFrontier, NextFrontier};
use crate::device::{Device, DeviceBuffer};
use crate::view::Atomic;
use crate::{DeviceType, Error, ErrorKind, Vertex};

/// Above this, what all threads of a device enqueue at once might wrap the count.
const MOST_ITEMS: u32 = u32::MAX - (1 << 28);

/// Whether a list may be that long.
pub(super) fn check_capacity(capacity: u32) -> Result<(), Error> {
    if capacity > MOST_ITEMS {
        return Err(ErrorKind::BufferTooLong { length: capacity as usize }.into());
    }
    Ok(())
}

/// The host's pair of frontiers: kernels visit the current one and fill the
/// next.
#[derive(Debug)]
pub struct Frontiers<T: DeviceType> {
    lists: [DeviceBuffer<T>; 2],
    /// How much each round that is queued enqueues.
    lengths: DeviceBuffer<Atomic<u32>>,
    current: usize,
    length: u32,
    /// How many rounds to queue before looking.
    ahead: u32,
    /// How many items the rounds so far have visited.
    visited: u64,
}

impl<T: DeviceType> Frontiers<T> {
    /// A pair for up to `capacity` items each, starting from `first`.
    ///
    /// # Errors
    /// No memory; more first items than fit; a capacity above `u32::MAX - 2^28`.
    pub fn new(device: &Device, capacity: u32, first: &[T]) -> Result<Self, Error> {
        check_capacity(capacity)?;
        let buffer = || DeviceBuffer::zeroed(device, capacity as usize);
        let mut frontiers = Frontiers {
            lists: [buffer()?, buffer()?],
            lengths: DeviceBuffer::zeroed(device, device.tuning().rounds_ahead as usize)?,
            current: 0,
            length: first.len() as u32,
            ahead: 1,
            visited: 0,
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
        self.lengths.fill(0)?;
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
        CurrentFrontier { list: &self.lists[self.current], items: 0..self.length, length: None }
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
        self.next_of(0)
    }

    /// Makes the next frontier the current one, and returns its length.
    /// Synchronises.
    ///
    /// # Errors
    /// More was enqueued than fits, and then the current one is empty; a kernel queued
    /// before failed.
    pub fn advance(&mut self) -> Result<u32, Error> {
        let enqueued = self.lengths.read(0, 1)?[0];
        self.lengths.fill(0)?;
        self.swap_lists(1, enqueued)?;
        Ok(enqueued)
    }

    /// Where the kernels of a queued round enqueue.
    fn next_of(&self, round: u32) -> NextFrontier<'_, T> {
        let next = (self.current + 1 + round as usize) % 2;
        NextFrontier { list: &self.lists[next], length: &self.lengths, slot: round }
    }

    /// Makes the list that the last of some rounds filled the current one.
    fn swap_lists(&mut self, rounds: u32, enqueued: u32) -> Result<(), Error> {
        self.current = (self.current + rounds as usize) % 2;
        let capacity = self.lists[self.current].len() as u32;
        let fits = enqueued <= capacity;
        self.length = if fits { enqueued } else { 0 };
        if fits { Ok(()) } else { Err(ErrorKind::FrontierOverflow { enqueued, capacity }.into()) }
    }
}

impl Frontiers<Vertex> {
    /// Launches `step` for the current frontier, then for what that enqueued, and
    /// so on, until there is nothing left to visit or `goes_on`, asked with the
    /// number of rounds done and the length of the frontier, says no. Returns the
    /// number of rounds. `step` gets the number of its round, from 0, and may be
    /// called for a round again or in vain: it launches operators over the frontier
    /// that it is given and changes nothing else.
    ///
    /// Synchronises once in up to 32 rounds on CUDA, where rounds are queued ahead
    /// while the frontier is of one size: a queued round reads how much the one
    /// before it enqueued, and if that is more than it has threads for, visits
    /// nothing and is launched again.
    ///
    /// # Errors
    /// What `step` returns; more was enqueued than fits; a kernel failed.
    pub fn repeat(
        &mut self,
        goes_on: impl Fn(u32, u32) -> bool,
        mut step: impl FnMut(
            u32,
            CurrentFrontier<'_, Vertex>,
            NextFrontier<'_, Vertex>,
        ) -> Result<(), Error>,
    ) -> Result<u32, Error> {
        let mut done = 0;
        while self.length > 0 && goes_on(done, self.length) {
            let rounds = (1..self.ahead).take_while(|round| goes_on(done + round, self.length));
            let ahead = 1 + rounds.count() as u32;
            let threads = self.threads_ahead();
            for round in 0..ahead {
                let current = match round {
                    0 => self.current(),
                    _ => self.current_of(round, threads),
                };
                step(done + round, current, self.next_of(round))?;
            }
            done += self.look(ahead, threads)?;
        }
        Ok(done)
    }

    /// How many rounds are queued before the host looks.
    fn most_ahead(&self) -> u32 {
        self.lengths.len() as u32
    }

    fn threads_at_least(&self) -> u32 {
        self.lengths.device().tuning().threads_ahead
    }

    /// How many items all rounds of [`repeat`](Self::repeat) have visited.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// For how many items a round that is queued ahead has threads.
    fn threads_ahead(&self) -> u32 {
        let capacity = self.lists[0].len() as u32;
        self.length.saturating_mul(2).max(self.threads_at_least()).min(capacity)
    }

    /// What a round that is queued ahead visits.
    fn current_of(&self, round: u32, threads: u32) -> CurrentFrontier<'_, Vertex> {
        let list = &self.lists[(self.current + round as usize) % 2];
        CurrentFrontier { list, items: 0..threads, length: Some((&self.lengths, round - 1)) }
    }

    /// Waits for the queued rounds, and returns how many of them count: up to one
    /// that enqueued nothing, or more than the next had threads for.
    fn look(&mut self, ahead: u32, threads: u32) -> Result<u32, Error> {
        let enqueued = self.lengths.read(0, ahead as usize)?;
        self.lengths.fill(0)?;
        let stops = |&length: &u32| length == 0 || length > threads;
        let last = enqueued.iter().position(stops).unwrap_or(ahead as usize - 1);
        let (before, rounds) = (self.length, last as u32 + 1);
        let between: u64 = enqueued[..last].iter().map(|&length| u64::from(length)).sum();
        self.visited += u64::from(before) + between;
        self.swap_lists(rounds, enqueued[last])?;
        // Where a round visits about as much as the one before, more are queued; and
        // what ended after some rounds will end after as many the next time.
        let is_steady = self.length <= before.max(self.threads_at_least()).saturating_mul(2);
        self.ahead = match self.length {
            _ if !self.lists[0].device().is_cuda() => 1,
            0 => rounds.min(self.most_ahead()),
            _ if is_steady => (2 * ahead).min(self.most_ahead()),
            _ => 1,
        };
        Ok(rounds)
    }
}
