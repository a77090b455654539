//! How a graph that batches change is laid out and which edges it keeps.

use crate::Direction;
use crate::{Error, ErrorKind, Weight};

/// Which lists of neighbours a directed graph keeps. An undirected graph is the same both
/// ways and has one set of lists, whatever is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// The out-neighbours of each vertex.
    #[default]
    Out,
    /// The in-neighbours of each vertex.
    In,
    /// Both, kept in step: twice the memory, and every update is done twice.
    Both,
}

/// When a graph is compacted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compaction {
    /// By [`SlabGraph::compact`](super::SlabGraph::compact) alone.
    OnDemand,
    /// Also by itself, at the end of a batch that leaves four times the edges that the lists were
    /// laid out for, or a quarter of them, and when an insertion finds no room. Before that the lists
    /// of a vertex that has outgrown them are laid out again, and, as edges leave, lists that take more
    /// than twice the memory that they need: some vertices after others, 2^20 at most in a batch, and
    /// lists of 2^22 edges or one list. None of it while updates are tracked, but for outgrown lists by
    /// [`update_slab_pointers`](super::SlabGraph::update_slab_pointers). If there is no
    /// memory for it, it is left for later.
    #[default]
    Automatic,
}

/// How a graph that batches change lays out its lists, and which edges it keeps: of any container. Slabs alone
/// look at `load_factor` and `hashing`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlabOptions {
    /// How full the buckets of a vertex are to be, in (0, 1]. Fewer, fuller
    /// buckets save memory; more, emptier ones shorten the chains.
    pub load_factor: f32,
    /// Whether a vertex spreads its neighbours over several buckets, by hash.
    /// Without, it has one slab list.
    pub hashing: bool,
    /// Whether an edge is one arc, or two that the graph keeps alike.
    pub direction: Direction,
    /// Which neighbours a directed graph keeps.
    pub orientation: Orientation,
    /// Whether the graph keeps track of what was inserted since the last
    /// [`update_slab_pointers`](super::SlabGraph::update_slab_pointers), for
    /// `for_each_updated_neighbor`: in slabs 12 bytes a slab and a store an insertion; in other
    /// containers lists apart, and a second insertion.
    pub track_updates: bool,
    /// When the lists are laid out anew.
    pub compaction: Compaction,
    /// The most slabs of 128 bytes that an orientation may have.
    pub max_slabs: u32,
    /// The sizes of blocks, of a [`BlockGraph`](crate::BlockGraph).
    pub block: BlockOptions,
}

/// How block arrays are laid out (Busato et al., sections III and IV).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockOptions {
    /// Neighbours of the least block: a power of two, 4 or more. Others have twice as many, four
    /// times, and so on.
    pub least: u32,
    /// Neighbours of a block array, a power of two: of a size of which no block is left, at least so
    /// many places are
    /// added. Up to the default a build takes the blocks that its lists need and no others. Larger
    /// arrays are taken whole, by a build and by a compaction, too, as in the paper: up to `array`
    /// places of each size are empty then. If whole arrays do not fit, it takes what is needed.
    pub array: u32,
}

impl BlockOptions {
    /// Blocks of 4 neighbours and more, in arrays of 4096.
    pub const DEFAULT: BlockOptions = BlockOptions { least: 4, array: 1 << 12 };
    /// As the paper compares with cuSTINGER: blocks of 8 and more, in arrays of 2^21.
    pub const CUSTINGER: BlockOptions = BlockOptions { least: 8, array: 1 << 21 };
    /// As the paper compares with AIM: blocks of 256 and more, in arrays of 2^22.
    pub const AIM: BlockOptions = BlockOptions { least: 256, array: 1 << 22 };

    pub(super) fn check(&self) -> Result<(), Error> {
        let BlockOptions { least, array } = *self;
        let are_powers = least.is_power_of_two() && array.is_power_of_two();
        match are_powers && (4..=MOST_OF_LEAST).contains(&least) {
            true => Ok(()),
            false => Err(ErrorKind::BlockSizes { least, array }.into()),
        }
    }
}

impl Default for BlockOptions {
    /// [`BlockOptions::DEFAULT`].
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The least block has no more places.
const MOST_OF_LEAST: u32 = 1 << 16;

impl SlabOptions {
    /// Load factor 0.7 with hashing, as in the papers; directed, out-edges only.
    pub const DEFAULT: SlabOptions = SlabOptions {
        load_factor: 0.7,
        hashing: true,
        direction: Direction::Directed,
        orientation: Orientation::Out,
        track_updates: false,
        compaction: Compaction::Automatic,
        max_slabs: super::MAX_VERTICES as u32,
        block: BlockOptions::DEFAULT,
    };

    /// The same for an undirected graph.
    #[must_use]
    pub const fn undirected(self) -> Self {
        SlabOptions { direction: Direction::Undirected, ..self }
    }

    /// The same with this orientation.
    #[must_use]
    pub const fn oriented(self, orientation: Orientation) -> Self {
        SlabOptions { orientation, ..self }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        if self.load_factor > 0.0 && self.load_factor <= 1.0 {
            // A file has them, too, whatever the container.
            return self.block.check();
        }
        Err(ErrorKind::LoadFactor { load_factor: self.load_factor }.into())
    }

    /// 1024 times how many keys a slab list is laid out for; 0 for one list a
    /// vertex.
    pub(super) fn bucket_ratio<W: Weight>(&self) -> u32 {
        let keys = (W::KEYS_PER_SLAB as f32 * self.load_factor).max(1.0);
        if self.hashing { (keys * 1024.0) as u32 } else { 0 }
    }

    /// Whether lists that have grown long are laid out again.
    pub(super) fn lays_out_again(&self) -> bool {
        self.hashing && self.compaction == Compaction::Automatic
    }

    /// The ends of edges whose lists hold the out-edges; none if they are not
    /// kept.
    pub(super) fn out_ends(&self) -> &'static [Endpoint] {
        match (self.direction, self.orientation) {
            (Direction::Undirected, _) => &[Endpoint::Source, Endpoint::Destination],
            (Direction::Directed, Orientation::In) => &[],
            (Direction::Directed, _) => &[Endpoint::Source],
        }
    }

    /// The ends of edges whose lists hold the in-edges, where those are lists of
    /// their own.
    pub(super) fn in_ends(&self) -> &'static [Endpoint] {
        match (self.direction, self.orientation) {
            (Direction::Undirected, _) | (Direction::Directed, Orientation::Out) => &[],
            (Direction::Directed, _) => &[Endpoint::Destination],
        }
    }

    /// The ends of edges whose lists are kept together, by the first of them.
    pub(super) fn ends_of(&self, first: Endpoint) -> &'static [Endpoint] {
        match first {
            Endpoint::Source => self.out_ends(),
            Endpoint::Destination => self.in_ends(),
        }
    }
}

impl Default for SlabOptions {
    /// [`SlabOptions::DEFAULT`].
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The end of an edge in whose list the other end is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// Where it starts.
    Source,
    /// Where it ends.
    Destination,
}

impl Endpoint {
    /// The `reversed` flag that kernels take.
    pub(super) fn is_reversed(self) -> bool {
        self == Endpoint::Destination
    }
}
