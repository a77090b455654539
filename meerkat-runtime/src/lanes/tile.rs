//! Collectives of tiles: 4, 8, 16 or 32 neighbouring lanes of a warp.

use super::{Lanes, Warp, active};
use crate::device_type::DeviceType;
use crate::ops::{Arithmetic, Integer, Order};
use crate::trap::{self, Fault};

/// A mask of the lanes of the tile that `lane` is in.
#[inline(always)]
fn tile_mask<const N: u32>(lane: usize) -> u32 {
    let first = lane as u32 & !(N - 1);
    (u32::MAX >> (32 - N)) << first
}

impl Warp {
    #[track_caller]
    #[inline(always)]
    fn whole_tiles<const N: u32>(&self, mask: u32, name: &'static str) {
        for first in (0..32).step_by(N as usize) {
            let tile = tile_mask::<N>(first);
            if mask & tile != 0 && mask & tile != tile {
                trap::raise(Fault::PartialTile { name, size: N, mask });
            }
        }
    }

    /// The lanes of each tile whose predicate holds, a bit each from bit 0.
    #[track_caller]
    #[inline]
    pub fn tile_ballot<const N: u32>(&self, mask: u32, votes: u32) -> Lanes<u32> {
        self.whole_tiles::<N>(mask, "tile_ballot");
        Lanes::dense(|lane| (votes & tile_mask::<N>(lane)) >> (lane as u32 & !(N - 1)))
    }

    /// Whether the predicate holds in any lane of the tile.
    #[track_caller]
    #[inline]
    pub fn tile_any<const N: u32>(&self, mask: u32, votes: u32) -> Lanes<bool> {
        self.whole_tiles::<N>(mask, "tile_any");
        Lanes::dense(|lane| votes & tile_mask::<N>(lane) != 0)
    }

    /// Whether the predicate holds in every lane of the tile.
    #[track_caller]
    #[inline]
    pub fn tile_all<const N: u32>(&self, mask: u32, votes: u32) -> Lanes<bool> {
        self.whole_tiles::<N>(mask, "tile_all");
        Lanes::dense(|lane| votes & tile_mask::<N>(lane) == tile_mask::<N>(lane))
    }

    /// Takes the lowest lane out of each tile's ballot.
    #[track_caller]
    #[inline]
    pub fn tile_dequeue<const N: u32>(
        &self,
        mask: u32,
        mut take: impl FnMut(usize) -> u32,
    ) -> Lanes<u32> {
        self.whole_tiles::<N>(mask, "tile_dequeue");
        let mut lowest = Lanes::zeroed();
        // No closure: a trap in one would name this line, not the caller's.
        for lane in active(mask) {
            let queue = take(lane);
            if queue == 0 {
                trap::raise(Fault::NoSuchLane { name: "tile_dequeue", lane: N, lanes: N });
            }
            lowest[lane] = queue.trailing_zeros();
        }
        lowest
    }

    /// Each lane's choice of a lane of its tile, whose value it takes.
    #[track_caller]
    #[inline(always)]
    pub fn tile_gather<const N: u32, T: DeviceType>(
        &self,
        mask: u32,
        mut from: impl FnMut(usize) -> u32,
        mut value: impl FnMut(usize) -> T,
    ) -> Lanes<T> {
        self.whole_tiles::<N>(mask, "tile_broadcast");
        let mut result = Lanes::zeroed();
        for lane in active(mask) {
            let source = from(lane);
            if source >= N {
                trap::raise(Fault::NoSuchLane { name: "tile_broadcast", lane: source, lanes: N });
            }
            result[lane] = value((lane as u32 & !(N - 1) | source) as usize);
        }
        result
    }

    fn tile_butterfly<const N: u32, T: DeviceType>(
        mut values: Lanes<T>,
        join: impl Fn(T, T) -> T,
    ) -> Lanes<T> {
        let mut distance = N as usize / 2;
        while distance > 0 {
            let other = values;
            values = Lanes::dense(|lane| join(other[lane], other[lane ^ distance]));
            distance /= 2;
        }
        values
    }

    /// The sum over the tile.
    #[track_caller]
    pub fn tile_reduce_sum<const N: u32, T: DeviceType + Arithmetic>(
        &self,
        mask: u32,
        values: Lanes<T>,
    ) -> Lanes<T> {
        self.whole_tiles::<N>(mask, "tile_reduce_sum");
        Self::tile_butterfly::<N, T>(values, T::add)
    }

    /// The smallest over the tile.
    #[track_caller]
    pub fn tile_reduce_min<const N: u32, T: DeviceType + Order>(
        &self,
        mask: u32,
        values: Lanes<T>,
    ) -> Lanes<T> {
        self.whole_tiles::<N>(mask, "tile_reduce_min");
        Self::tile_butterfly::<N, T>(values, T::smaller)
    }

    /// The largest over the tile.
    #[track_caller]
    pub fn tile_reduce_max<const N: u32, T: DeviceType + Order>(
        &self,
        mask: u32,
        values: Lanes<T>,
    ) -> Lanes<T> {
        self.whole_tiles::<N>(mask, "tile_reduce_max");
        Self::tile_butterfly::<N, T>(values, T::larger)
    }

    /// The bits set in any lane of the tile.
    #[track_caller]
    pub fn tile_reduce_or<const N: u32, T: DeviceType + Integer>(
        &self,
        mask: u32,
        values: Lanes<T>,
    ) -> Lanes<T> {
        self.whole_tiles::<N>(mask, "tile_reduce_or");
        Self::tile_butterfly::<N, T>(values, |a, b| a | b)
    }
}
