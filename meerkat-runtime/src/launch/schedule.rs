//! What chooses a schedule, and how the code of a kernel is made.

use crate::device::Device;
use crate::{Error, ErrorKind};

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
    /// items and `Warp` for few. On the CPU `Warp`, and `Thread` where degrees are low.
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

    /// Under this schedule, with floats that CUDA may fuse, flush and round as is
    /// fastest: the results differ from the CPU's, which computes as ever.
    pub fn fast_math(self) -> LaunchOptions {
        LaunchOptions { schedule: self, code: Code { fast_math: true, ..Code::default() } }
    }

    /// Under this schedule, with at most 32 registers a thread, so that as many threads
    /// are resident as CUDA devices have places for: for kernels that mostly wait for
    /// memory. Where it needs more, a thread keeps values in memory.
    pub fn resident(self) -> LaunchOptions {
        LaunchOptions { schedule: self, code: Code { resident: true, ..Code::default() } }
    }

    /// How many lanes work for an item at a time; of the block's schedules, as many as
    /// leave a tile or two for each.
    pub(super) fn lanes_of_an_item(self) -> u32 {
        match self {
            Schedule::Warp | Schedule::Hybrid => 32,
            Schedule::Tile16 => 16,
            Schedule::Tile8 => 8,
            Schedule::Tile4 => 4,
            _ => 1,
        }
    }
}

/// The average degree up to which a lane walks its own vertex, unless some vertex has
/// more slab lists than a few.
const LOW_DEGREE: u32 = 4;
const FEW_LISTS: u32 = 8;

/// What `Schedule::Auto` goes by.
#[doc(hidden)]
pub struct Shape {
    pub average_degree: u32,
    pub most_lists: u32,
    pub items: u32,
}

impl Shape {
    fn best(&self, device: &Device) -> Schedule {
        let is_low = self.average_degree <= LOW_DEGREE;
        if !device.is_cuda() {
            return if is_low { Schedule::Thread } else { Schedule::Warp };
        }
        // A list at a time by one lane is slow, but the least work.
        let fills = u64::from(self.items) * 32 > device.threads_at_once() as u64;
        match (is_low && self.most_lists <= FEW_LISTS, fills) {
            (true, true) => Schedule::Thread,
            (true, false) => Schedule::Warp,
            (false, _) => Schedule::Hybrid,
        }
    }
}

/// How a kernel is launched: a schedule, and how its code is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LaunchOptions {
    schedule: Schedule,
    code: Code,
}

/// How the code of a kernel is made for CUDA.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Code {
    pub(crate) fast_math: bool,
    /// At most as many registers as leave a multiprocessor full of threads.
    pub(crate) resident: bool,
}

impl From<Schedule> for LaunchOptions {
    fn from(schedule: Schedule) -> Self {
        LaunchOptions { schedule, code: Code::default() }
    }
}

impl LaunchOptions {
    /// The schedule, with `Auto` settled.
    #[doc(hidden)]
    pub fn schedule_for(self, device: &Device, shape: Shape, fitting: &[Schedule]) -> Schedule {
        if self.schedule == Schedule::Auto {
            let best = shape.best(device);
            return if fitting.contains(&best) { best } else { Schedule::Warp };
        }
        // One that does not fit is refused, whatever was compiled.
        let is_native = matches!(self.schedule, Schedule::Warp | Schedule::Thread);
        let is_compiled = is_native || device.is_cuda() || cfg!(feature = "all-schedules");
        match is_compiled || !fitting.contains(&self.schedule) {
            true => self.schedule,
            false => Schedule::Warp,
        }
    }

    #[doc(hidden)]
    pub fn code(self) -> Code {
        self.code
    }
}

/// The error for a schedule that an operator cannot be served by.
#[doc(hidden)]
pub fn unfit(kernel: &str, schedule: Schedule, why: &str) -> Result<(), Error> {
    let (kernel, why) = (kernel.to_owned(), why.to_owned());
    Err(ErrorKind::ScheduleUnfit { kernel, schedule, why }.into())
}
