//! The blocks that no list has: a shelf for each size, as `take.rs` says. The host's side.

use super::edges::BlockEdges;
use super::layout::*;
use super::take::*;
use crate::device::{Device, DeviceBuffer, Words};
use crate::frontier::Frontier;
use crate::graph::options::BlockOptions;
use crate::view::{Atomic, Slab};
use crate::{Error, ErrorKind, Weight};

/// How many sizes there are.
pub(super) const SIZES: usize = CLASSES as usize;
/// Blocks are numbered in 16 bytes.
const MOST_QUADS: u64 = (1 << 32) - 8;
/// How many lists can be noted, at least.
const MOST_NOTED: u32 = 1 << 12;
/// Where blocks of a size were asked for up to so often in vain, it was for hubs that grow.
const FEW_HUBS: u64 = 4;
/// Up to here a stack has room for all blocks of its size.
const FEW_BLOCKS: u64 = 1 << 10;

/// The host's side of the pool.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) blocks: DeviceBuffer<Slab>,
    pub(super) shelves: DeviceBuffer<Atomic<u32>>,
    pub(super) free: DeviceBuffer<Atomic<u32>>,
    /// Lists that are noted, to be tidied.
    noted: DeviceBuffer<u32>,
    /// How many blocks of each class there are, in lists or not.
    pub(super) counts: [u64; SIZES],
    /// Quads that are blocks.
    used: u64,
    /// 128 bytes of blocks that there may be.
    limit: u32,
}

impl Pool {
    /// A pool of nothing, for the lists of so many vertices, of at most `limit` times 128 bytes.
    pub(super) fn new(device: &Device, vertices: u32, limit: u32) -> Result<Self, Error> {
        let most = MOST_NOTED.max(vertices / 32);
        Ok(Pool {
            blocks: DeviceBuffer::growable(device, 0, u8::MAX)?,
            shelves: DeviceBuffer::zeroed(device, NOTES as usize + 1)?,
            free: DeviceBuffer::empty(device),
            noted: DeviceBuffer::zeroed(device, most as usize)?,
            counts: [0; SIZES],
            used: 0,
            limit,
        })
    }

    /// Bytes of device memory.
    pub(super) fn bytes(&self) -> u64 {
        self.blocks.bytes() + self.table_bytes()
    }

    /// Those of all but blocks.
    pub(super) fn table_bytes(&self) -> u64 {
        self.shelves.bytes() + self.free.bytes() + self.noted.bytes()
    }

    /// The words that insertions leave: whether a lane found no block, the most keys of a list, and
    /// how many lists are noted.
    pub(super) fn found(&self) -> Words<'_> {
        (&self.shelves, EXHAUSTED as usize..NOTES as usize + 1)
    }

    /// Whether a lane found no block. Synchronises.
    pub(super) fn is_exhausted(&self) -> Result<bool, Error> {
        Ok(self.shelves.read(EXHAUSTED as usize, 1)?[0] != 0)
    }

    /// The lists that are noted, as lanes see them.
    pub(super) fn noted(&self) -> Frontier<u32> {
        let length = self.shelves.view_of(NOTES as usize..NOTES as usize + 1);
        Frontier { items: self.noted.view(), length }
    }

    /// How many lists are noted. Synchronises.
    pub(super) fn count_noted(&self) -> Result<u32, Error> {
        let most = self.noted.len() as u32;
        Ok(self.shelves.read(NOTES as usize, 1)?[0].min(most))
    }

    /// No list is noted from now on. Queued on CUDA.
    pub(super) fn forget_notes(&mut self) -> Result<(), Error> {
        self.shelves.write(NOTES as usize, &[0])
    }

    /// The words of a class's shelf, of those of all.
    pub(super) fn shelf(words: &[u32], class: usize) -> &[u32] {
        &words[class * STRIDE as usize..][..STRIDE as usize]
    }

    /// The words of all shelves. Synchronises.
    pub(super) fn shelves(&self) -> Result<Vec<u32>, Error> {
        self.shelves.read(0, EXHAUSTED as usize)
    }
}

/// For how many blocks a stack has room.
fn room_for(blocks: u64) -> u64 {
    if blocks <= FEW_BLOCKS { blocks } else { FEW_BLOCKS.max(blocks / 2) }
}

impl<W: Weight> BlockEdges<W> {
    /// Quads of a block of a class.
    pub(super) fn quads_of(&self, class: usize) -> u64 {
        let weights = if W::IS_WEIGHTED { 2 } else { 1 };
        weights << (self.least as usize - 2 + class)
    }

    /// Adds a block array of so many blocks to each class. If there is no memory, all is as it was.
    /// Synchronises.
    pub(super) fn map(&mut self, more: [u64; SIZES]) -> Result<(), Error> {
        let device = self.device.clone();
        count_taken::launch(&device, CLASSES, &*self)?;
        let mut words = self.pool.shelves()?;
        let mut counts = self.pool.counts;
        let mut used = self.pool.used;
        let mut first = [0; SIZES];
        for class in (0..SIZES).filter(|&class| more[class] != 0) {
            first[class] = used;
            let quads = more[class].saturating_mul(self.quads_of(class));
            used = used.saturating_add(quads).checked_next_multiple_of(8).unwrap_or(u64::MAX);
            counts[class] = counts[class].saturating_add(more[class]);
        }
        if used > MOST_QUADS {
            return Err(ErrorKind::TooManyBlocks { bytes: used.saturating_mul(16) }.into());
        }
        if used / 8 > u64::from(self.pool.limit) {
            let limit = self.pool.limit;
            return Err(ErrorKind::SlabLimit { slabs: used / 8, limit }.into());
        }
        // What nobody had of an array before goes onto the stack.
        let mut moved = [0u32; SIZES];
        let mut start = 0;
        let mut starts = [0u32; SIZES];
        let mut rooms = [0u32; SIZES];
        for class in 0..SIZES {
            let shelf = Pool::shelf(&words, class);
            let left = if more[class] == 0 { 0 } else { shelf[COUNT as usize] };
            moved[class] = shelf[HELD as usize] + left;
            let room = room_for(counts[class]).max(moved[class].into());
            (starts[class], rooms[class]) = (start as u32, room as u32);
            start += room;
        }
        let free = DeviceBuffer::<Atomic<u32>>::zeroed(&device, start as usize)?;
        if used / 8 > self.pool.blocks.len() as u64 {
            // On the CPU all blocks move.
            let spare = if device.is_cuda() { 0 } else { used / 32 };
            self.pool.blocks.grow((used / 8 + spare) as usize, u8::MAX)?;
        }
        for class in (0..SIZES).filter(|&class| moved[class] != 0) {
            let (start, count) = (starts[class], moved[class]);
            move_stack::launch(&device, count, &*self, class as u32, &free, start, count)?;
        }
        for class in 0..SIZES {
            let shelf = &mut words[class * STRIDE as usize..][..STRIDE as usize];
            shelf[HELD as usize] = moved[class];
            shelf[START as usize] = starts[class];
            shelf[ROOM as usize] = rooms[class];
            shelf[MISSING as usize] = 0;
            if more[class] != 0 {
                shelf[FRESH as usize] = first[class] as u32;
                shelf[COUNT as usize] = more[class] as u32;
            }
        }
        self.pool.shelves.write(0, &words)?;
        self.pool.shelves.write(EXHAUSTED as usize, &[0])?;
        (self.pool.free, self.pool.counts, self.pool.used) = (free, counts, used);
        Ok(())
    }

    /// Goes on after a lane found no block, with those that are left. Takes no memory. Queued on
    /// CUDA.
    pub(super) fn forget_exhaustion(&mut self) -> Result<(), Error> {
        count_taken::launch(&self.device, CLASSES, &*self)?;
        forget_missing::launch(&self.device, CLASSES, &*self)?;
        self.pool.shelves.write(EXHAUSTED as usize, &[0])
    }

    /// Adds the blocks that lists take when they are built: in whole arrays, if these are large and
    /// fit. Synchronises.
    pub(super) fn map_built(&mut self, needs: [u64; SIZES]) -> Result<(), Error> {
        match self.map(std::array::from_fn(|class| self.in_arrays(class, needs[class]))) {
            Err(error) if error.is_about_room() => self.map(needs),
            other => other,
        }
    }

    /// So many blocks of a class; with arrays that are larger than the default, those of as many
    /// arrays as this takes. A block that is larger than an array is one of its own.
    fn in_arrays(&self, class: usize, blocks: u64) -> u64 {
        let of_array = (self.array / self.places(class)).max(1);
        match self.array > BlockOptions::DEFAULT.array.into() {
            true => blocks.next_multiple_of(of_array),
            false => blocks,
        }
    }

    /// Goes on after a lane found no block, with what was asked for in vain and, if it fits, an
    /// eighth more; if the lane was to insert, with what it will ask for next, too. Synchronises.
    pub(super) fn grow(&mut self, inserts: bool) -> Result<(), Error> {
        let wanted = self.wanted();
        self.rounds_for(wanted)?;
        count_taken::launch(&self.device, CLASSES, &*self)?;
        let words = self.pool.shelves()?;
        forget_missing::launch(&self.device, CLASSES, &*self)?;
        let counts = self.pool.counts;
        let exact: [u64; SIZES] = std::array::from_fn(|class| {
            // A list asked in each round of the batch, but no more blocks are in use than lists.
            let missing = u64::from(Pool::shelf(&words, class)[MISSING as usize]);
            let unused = u64::from(self.vertices).saturating_sub(counts[class]);
            missing.min(unused.max(FEW_BLOCKS))
        });
        let ample = std::array::from_fn(|class| {
            let ahead = if inserts { self.ahead_of_hub(&words, &exact, class) } else { 0 };
            match exact[class] {
                0 => ahead,
                count => {
                    let more = count.max(self.array / self.places(class)) + counts[class] / 8;
                    self.in_arrays(class, more + ahead)
                }
            }
        });
        let grown = match self.map(ample) {
            Err(error) if error.is_about_room() => self.map(exact),
            other => other,
        };
        // A list that was too long for the rounds before asked for none.
        let keys = self.keys();
        grown.and_then(|()| match self.rounds.serves(0, keys) {
            true => Ok(()),
            false => self.rounds_for(wanted),
        })
    }

    /// Blocks of a class that a hub asks for next which found none of its size. A list of more than an array's
    /// places moves whenever keys are merged into it, so it needs two blocks of its size; and it is a hub that grows,
    /// so it will need two of the next size. Each time that it finds none, the batch is inserted twice. (Of a few hubs
    /// that found none each asks in every round of a batch, so it is not known how many they are: one is provided for.)
    fn ahead_of_hub(&self, words: &[u32], exact: &[u64; SIZES], class: usize) -> u64 {
        let is_hub =
            |class: usize| matches!(exact[class], 1..=FEW_HUBS) && self.places(class) > self.array;
        let wanted = match class.checked_sub(1).is_some_and(is_hub) {
            true => 2,
            false => u64::from(is_hub(class)),
        };
        let shelf = Pool::shelf(words, class);
        let there = u64::from(shelf[HELD as usize]) + u64::from(shelf[COUNT as usize]);
        wanted.saturating_sub(there)
    }

    /// Places of a block of a class.
    pub(super) fn places(&self, class: usize) -> u64 {
        1 << (self.least as usize + class)
    }

    /// Makes sure that the shelves have blocks for so many more edges, in sizes as there are now.
    /// Synchronises.
    pub(super) fn reserve_blocks(&mut self, edges: u64) -> Result<(), Error> {
        count_taken::launch(&self.device, CLASSES, &*self)?;
        let words = self.pool.shelves()?;
        let all: u64 = self.pool.counts.iter().sum();
        let more = std::array::from_fn(|class| {
            // Each edge may move a list to the next class, but there are no more lists than vertices.
            let below = if class == 0 { all.max(1) } else { self.pool.counts[class - 1] };
            let lists = edges.min(self.vertices.into());
            let wanted = edges.saturating_mul(below).div_ceil(all.max(1)).min(lists);
            let shelf = Pool::shelf(&words, class);
            let there = u64::from(shelf[HELD as usize]) + u64::from(shelf[COUNT as usize]);
            // A longer list gets more edges, and moves less often.
            (wanted >> class.saturating_sub(1)).saturating_sub(there)
        });
        self.map(more)
    }

    /// Puts blocks that lists have left onto the shelves, which are counted first: up to `most` of a
    /// list. Queued on CUDA.
    pub(super) fn put_back(&self, released: Frontier<Released>, most: u32) -> Result<(), Error> {
        count_taken::launch(&self.device, CLASSES, self)?;
        let threads = most.min(self.device.threads_at_once() as u32).max(32);
        put_back::launch(&self.device, threads, self, released)
    }
}
