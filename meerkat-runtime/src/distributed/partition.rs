//! Which rank owns which vertex.

use crate::Vertex;
use crate::random::mixed;
use meerkat_macros::{DeviceStruct, device};
use std::ops::Range;

/// How the vertices of a distributed graph are divided among the ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ownership {
    /// By hash, of four ids in a row: ranks are even whatever the ids, if there are many, and neighbours are
    /// anywhere. (Four, so that what a rank reads and writes of its own vertices are whole sectors of 32 bytes.)
    #[default]
    Hash,
    /// Each rank owns a range of ids: neighbours with near ids stay together, and ranks are as even
    /// as the ids are. Vertices that come later belong to the last rank.
    Range,
}

/// Which rank owns each vertex: on the host, and in kernels by [`owner_of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceStruct)]
#[repr(C)]
pub struct Partition {
    /// How many ranks there are.
    pub(super) ranks: u32,
    /// How many ids in a row a rank owns; 0 where a hash decides.
    pub(super) span: u32,
}

/// So many ids in a row have one owner, where a hash decides.
const ROW: u32 = 4;

/// The rank that owns a vertex.
#[device]
pub fn owner_of(partition: Partition, v: Vertex) -> u32 {
    if partition.span == 0 {
        let hash: u64 = mixed((v / ROW) as u64) >> 32;
        return ((hash * partition.ranks as u64) >> 32) as u32;
    }
    (v / partition.span).min(partition.ranks - 1)
}

impl Partition {
    /// Of so many vertices among so many ranks.
    pub(super) fn new(ownership: Ownership, vertices: u32, ranks: u32) -> Self {
        let span = match ownership {
            Ownership::Hash => 0,
            Ownership::Range => vertices.div_ceil(ranks).max(1),
        };
        Partition { ranks, span }
    }

    /// How it was made.
    pub fn ownership(&self) -> Ownership {
        if self.span == 0 { Ownership::Hash } else { Ownership::Range }
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.ranks as usize
    }

    /// The rank that owns a vertex.
    pub fn owner(&self, v: Vertex) -> usize {
        owner_of(*self, v) as usize
    }

    /// The ids of a rank, where it owns a range.
    pub(super) fn range(&self, rank: u32, vertices: u32) -> Range<Vertex> {
        let first = |rank: u32| u64::from(rank) * u64::from(self.span);
        let cut = |id: u64| id.min(u64::from(vertices)) as u32;
        let end = if rank + 1 == self.ranks { vertices } else { cut(first(rank + 1)) };
        cut(first(rank))..end
    }
}
