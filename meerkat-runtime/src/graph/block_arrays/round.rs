//! What an insertion works with, round by round: a batch of any size is inserted by so many edges
//! at a time, so it takes no memory of its size.

use super::layout::{LOCK, ROUND, Released};
use crate::Error;
use crate::device::{Device, DeviceBuffer};
use crate::frontier::Frontier;
use crate::launch::HostArg;
use crate::view::{Atomic, DeviceSlice};
use meerkat_macros::DeviceStruct;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The new keys of a list.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct Arrivals {
    pub(super) vertex: u32,
    /// Where they are in the round's `items`, and how many.
    pub(super) start: u32,
    pub(super) count: u32,
    /// The list as it is.
    pub(super) first: u32,
    pub(super) used: u32,
}

/// What becomes of a long list: the block that it moves to, and how many keys are new.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct Move {
    pub(super) to: u32,
    pub(super) count: u32,
}

/// A part of a long list, to be moved.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct Piece {
    /// Whose, by its place among the long lists; [`NO_PIECE`] if there is none.
    pub(super) arrivals: u32,
    pub(super) part: u32,
}

/// No piece.
pub(super) const NO_PIECE: u32 = u32::MAX;

/// The round as kernels see it.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub(super) struct Round {
    /// What becomes of each edge: its number among the new keys of its list, or a mark. What is no
    /// `NOTHING` at the end is new.
    pub(super) outcomes: DeviceSlice<Atomic<u32>>,
    /// The place in its list before which a new key goes.
    pub(super) places: DeviceSlice<Atomic<u32>>,
    /// The same of the items of long lists, where these are sorted.
    pub(super) sorted_places: DeviceSlice<Atomic<u32>>,
    /// A new key above, and which edge of the round it is below; those of a list together.
    pub(super) items: DeviceSlice<Atomic<u64>>,
    /// How many there are of all that follow, and of items.
    pub(super) lengths: DeviceSlice<Atomic<u32>>,
    pub(super) cursor: DeviceSlice<Atomic<u32>>,
    /// Lists that a lane inserts into, a tile, a warp, or a block.
    pub(super) tiny: Frontier<Arrivals>,
    pub(super) short: Frontier<Arrivals>,
    pub(super) medium: Frontier<Arrivals>,
    pub(super) long: Frontier<Arrivals>,
    /// What becomes of each long list.
    pub(super) moves: DeviceSlice<Atomic<Move>>,
    pub(super) pieces: DeviceSlice<Atomic<Piece>>,
    pub(super) piece_count: DeviceSlice<Atomic<u32>>,
    /// The edges that no lane has inserted alone, and blocks that lists have left.
    pub(super) left: Frontier<u32>,
    pub(super) released: Frontier<Released>,
    /// What marks the lists that a lane is at alone.
    pub(super) lock: u32,
    /// The lengths of those two in the round to come.
    pub(super) lengths_next: DeviceSlice<Atomic<u32>>,
}

/// The memory of rounds.
#[derive(Debug)]
pub(super) struct Rounds {
    /// How many edges a round takes.
    pub(super) edges: u32,
    /// How many pieces: of this number of keys, those of all lists.
    keys: u64,
    outcomes: DeviceBuffer<Atomic<u32>>,
    places: DeviceBuffer<Atomic<u32>>,
    sorted_places: DeviceBuffer<Atomic<u32>>,
    items: DeviceBuffer<Atomic<u64>>,
    arrivals: DeviceBuffer<Arrivals>,
    moves: DeviceBuffer<Atomic<Move>>,
    pieces: DeviceBuffer<Atomic<Piece>>,
    left: DeviceBuffer<u32>,
    released: DeviceBuffer<Released>,
    lengths: DeviceBuffer<Atomic<u32>>,
    /// How many rounds there were.
    done: AtomicUsize,
}

/// The words of the lengths that each round begins with.
const LENGTHS: usize = 6;
/// The limit that limits nothing.
const NO_LIMIT: usize = LENGTHS;
/// How many edges are left, and blocks that lists have left, of even rounds, and of odd ones: each
/// clears the other's.
const OF_TURNS: usize = LENGTHS + 1;
/// Keys of a piece.
pub(super) const PIECE: u32 = 1024;

impl Rounds {
    /// Rounds of this number of edges, in a graph of at most so many keys.
    pub(super) fn new(device: &Device, edges: u32, keys: u64) -> Result<Self, Error> {
        let lists = edges as usize;
        // A long list has one piece that is not full of its own keys, and one of new ones.
        let pieces = keys.div_ceil(PIECE.into()) as usize + 2 * lists;
        Ok(Rounds {
            edges,
            keys,
            outcomes: DeviceBuffer::zeroed(device, lists)?,
            places: DeviceBuffer::zeroed(device, lists)?,
            sorted_places: DeviceBuffer::zeroed(device, 2 * lists)?,
            // Those of long lists are padded to a power of two.
            items: DeviceBuffer::zeroed(device, 2 * lists)?,
            arrivals: DeviceBuffer::zeroed(device, 4 * lists)?,
            moves: DeviceBuffer::zeroed(device, lists)?,
            pieces: DeviceBuffer::of_bytes(device, pieces, u8::MAX)?,
            left: DeviceBuffer::zeroed(device, lists)?,
            released: DeviceBuffer::zeroed(device, lists)?,
            lengths: lengths(device)?,
            done: AtomicUsize::new(0),
        })
    }

    /// No limit: for kernels that ask for one.
    pub(super) fn no_limit(&self) -> DeviceSlice<Atomic<u32>> {
        self.lengths.view_of(NO_LIMIT..NO_LIMIT + 1)
    }

    /// Whether a round takes so many edges of a graph of so many keys.
    pub(super) fn serves(&self, edges: u32, keys: u64) -> bool {
        self.edges >= edges && self.keys >= keys
    }

    /// Bytes of device memory.
    pub(super) fn bytes(&self) -> u64 {
        let places = self.places.bytes() + self.sorted_places.bytes();
        let lists = self.outcomes.bytes() + places + self.items.bytes() + self.arrivals.bytes();
        let moves = self.moves.bytes() + self.pieces.bytes();
        lists + moves + self.left.bytes() + self.released.bytes() + self.lengths.bytes()
    }

    /// The blocks that lists have left in this round.
    pub(super) fn released(&self) -> Frontier<Released> {
        let word = self.lengths_of_turn(0) + 1;
        Frontier { items: self.released.view(), length: self.lengths.view_of(word..word + 1) }
    }

    /// Where the lengths of a round's turn are, of this one or of the next.
    fn lengths_of_turn(&self, later: usize) -> usize {
        OF_TURNS + (self.done.load(Ordering::Relaxed) + later) % 2 * 2
    }

    /// Goes on with the next round.
    pub(super) fn next(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn view(&self) -> Round {
        let lists = self.edges as usize;
        let (word, next) = (self.lengths_of_turn(0), self.lengths_of_turn(1));
        let arrivals = |which: usize| Frontier {
            items: self.arrivals.view_of(which * lists..(which + 1) * lists),
            length: self.lengths.view_of(which..which + 1),
        };
        Round {
            outcomes: self.outcomes.view(),
            places: self.places.view(),
            sorted_places: self.sorted_places.view(),
            items: self.items.view(),
            lengths: self.lengths.view_of(0..LENGTHS),
            cursor: self.lengths.view_of(5..6),
            tiny: arrivals(0),
            short: arrivals(1),
            medium: arrivals(2),
            long: arrivals(3),
            moves: self.moves.view(),
            pieces: self.pieces.view(),
            piece_count: self.lengths.view_of(4..5),
            left: Frontier {
                items: self.left.view(),
                length: self.lengths.view_of(word..word + 1),
            },
            released: self.released(),
            lock: LOCK | (self.done.load(Ordering::Relaxed) as u32 & 0x3ff) << ROUND,
            lengths_next: self.lengths.view_of(next..next + 2),
        }
    }
}

/// The lengths, and a word that limits nothing.
fn lengths(device: &Device) -> Result<DeviceBuffer<Atomic<u32>>, Error> {
    let mut words = [0; OF_TURNS + 4];
    words[NO_LIMIT] = u32::MAX;
    DeviceBuffer::from_slice(device, &words)
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl HostArg<Round> for &Rounds {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Round, Error> {
        self.outcomes.check_device(device)?;
        Ok(self.view())
    }
}
