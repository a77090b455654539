//! How the neighbours of an operator's items are spread over lanes, and how the code of a
//! kernel is made. What a launch takes where it is free to choose, `launch` says.

use std::fmt;
use std::str::FromStr;

/// How many threads a block has on CUDA; a warp is a block on the CPU.
#[doc(hidden)]
pub const BLOCK_THREADS: u32 = 256;

/// How the neighbours of an operator's items are spread over lanes. The answer is the
/// same under each.
///
/// The CPU back end runs `Warp` and `Thread`. The others, which take most of the time to
/// compile an operator, run there in builds with the feature `all-schedules`, for tests;
/// without it `Warp` runs in their place. On CUDA all are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Schedule {
    /// What suits device, graph and number of items, if the operator can be served by
    /// it, else `Warp`. On CUDA `Hybrid`; where all degrees are low, `Thread` for many
    /// items and `Warp` for few. On the CPU `Thread` where degrees are low or the walk
    /// writes nothing, else `Warp`.
    #[default]
    Auto,
    /// The warp walks its lanes' vertices one after another.
    Warp,
    /// Tiles of 16 lanes, each walking its lanes' vertices.
    Tile16,
    /// Tiles of 8 lanes: a slab in one 16-byte load a lane.
    Tile8,
    /// Tiles of 4 lanes: for low degrees.
    Tile4,
    /// Each lane walks its own vertex: for the lowest degrees.
    Thread,
    /// The block walks its threads' vertices one after another, a slab list to each
    /// warp: where all degrees are high.
    Block,
    /// The block walks its vertices of many slab lists, lanes their own of few
    /// neighbours unless that enqueues, then tiles of 8 lanes the rest: for power laws.
    Hybrid,
    /// Tiles of 8 lanes share out the slab lists of all vertices of the block
    /// (Meerkat, iteration scheme 2): for power laws, where what the closure
    /// accumulates may be added in any order.
    SlabList,
}

impl Schedule {
    /// All schedules but `Auto`.
    pub const ALL: [Schedule; 8] = [
        Schedule::Warp,
        Schedule::Tile16,
        Schedule::Tile8,
        Schedule::Tile4,
        Schedule::Thread,
        Schedule::Block,
        Schedule::Hybrid,
        Schedule::SlabList,
    ];

    /// Its name: `hybrid`, `tile8`.
    pub fn name(self) -> &'static str {
        match self {
            Schedule::Auto => "auto",
            Schedule::Warp => "warp",
            Schedule::Tile16 => "tile16",
            Schedule::Tile8 => "tile8",
            Schedule::Tile4 => "tile4",
            Schedule::Thread => "thread",
            Schedule::Block => "block",
            Schedule::Hybrid => "hybrid",
            Schedule::SlabList => "slab_list",
        }
    }

    /// Under this schedule, with floats that CUDA may fuse, flush and round as is
    /// fastest: the results differ from the CPU's, which computes as ever.
    pub fn fast_math(self) -> LaunchOptions {
        LaunchOptions {
            schedule: self,
            code: CodegenOptions { fast_math: true, ..CodegenOptions::default() },
            hubs_from: None,
        }
    }

    /// Under this schedule, with at most so many registers a thread on CUDA (16 to 255), so that a
    /// multiprocessor holds more threads: with 32 as many as it can, with 40 three fourths. For
    /// kernels that mostly wait for memory. Where a thread needs more registers, it keeps values in
    /// memory.
    pub fn registers(self, most: u8) -> LaunchOptions {
        let registers = Some(most.max(16));
        let code = CodegenOptions { registers, ..CodegenOptions::default() };
        LaunchOptions { schedule: self, code, hubs_from: None }
    }

    /// Under this schedule; where it is [`Hybrid`](Schedule::Hybrid) and blocks share hubs, many walk those of so
    /// many slab lists or more, in a launch of their own (up to 512 hubs). Without it those of 1,024
    /// lists, or of a 32nd of the longest: too long for one block where each neighbour is searched for.
    pub fn hubs_from(self, lists: u32) -> LaunchOptions {
        LaunchOptions { hubs_from: Some(lists), ..self.into() }
    }

    /// How many threads a launch starts for an item at most, where items are few.
    pub(crate) fn lanes_of_an_item(self) -> u32 {
        match self {
            Schedule::Warp | Schedule::Hybrid => 32,
            Schedule::Tile16 => 16,
            Schedule::Tile8 => 8,
            Schedule::Tile4 => 4,
            _ => 1,
        }
    }
}

/// By its name.
impl FromStr for Schedule {
    type Err = UnknownSchedule;

    fn from_str(name: &str) -> Result<Self, UnknownSchedule> {
        let mut all = Schedule::ALL.into_iter().chain([Schedule::Auto]);
        all.find(|schedule| schedule.name() == name).ok_or(UnknownSchedule(name.to_owned()))
    }
}

/// A name that no schedule has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSchedule(String);

impl fmt::Display for UnknownSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Schedule::ALL.iter().map(|schedule| schedule.name()).collect();
        write!(f, "`{}` is not a schedule: there are auto, {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownSchedule {}

/// How a kernel is launched: a schedule, and how its code is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LaunchOptions {
    pub(crate) schedule: Schedule,
    code: CodegenOptions,
    hubs_from: Option<u32>,
}

/// How the code of a kernel is made for CUDA.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CodegenOptions {
    pub(crate) fast_math: bool,
    /// The most registers of a thread.
    pub(crate) registers: Option<u8>,
}

impl From<Schedule> for LaunchOptions {
    fn from(schedule: Schedule) -> Self {
        LaunchOptions { schedule, code: CodegenOptions::default(), hubs_from: None }
    }
}

impl LaunchOptions {
    #[doc(hidden)]
    pub fn code(self) -> CodegenOptions {
        self.code
    }

    /// From how many slab lists on a hub is shared by many blocks, if that was said.
    #[doc(hidden)]
    pub fn shared_from(self) -> Option<u32> {
        self.hubs_from
    }
}
