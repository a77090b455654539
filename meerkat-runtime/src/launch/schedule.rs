//! What chooses a schedule, and how the code of a kernel is made.

use crate::device::Device;
use crate::{Error, ErrorKind};
use std::fmt;
use std::str::FromStr;

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
        }
    }

    /// Under this schedule, at full occupancy on CUDA: with at most 32 registers a thread,
    /// so that each multiprocessor holds as many threads as it can. For kernels that mostly
    /// wait for memory. Where a thread needs more registers, it keeps values in memory.
    pub fn max_occupancy(self) -> LaunchOptions {
        LaunchOptions {
            schedule: self,
            code: CodegenOptions { max_occupancy: true, ..CodegenOptions::default() },
        }
    }

    /// Whether it has been compiled for the device.
    fn runs_on(self, device: &Device) -> bool {
        let is_native = matches!(self, Schedule::Warp | Schedule::Thread);
        is_native || device.is_cuda() || cfg!(feature = "all-schedules")
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

/// The average degree up to which a lane walks its own vertex, unless some vertex has
/// more slab lists than a few.
const LOW_DEGREE: u32 = 4;
const FEW_LISTS: u32 = 8;

/// What `Schedule::Auto` goes by.
#[doc(hidden)]
pub struct Load {
    pub average_degree: u32,
    pub most_lists: u32,
    pub items: u32,
    /// Whether the CPU runs the operator's lanes one after another under `Thread`: its walk
    /// only looks.
    pub walks_alone: bool,
}

impl Load {
    fn best(&self, device: &Device) -> Schedule {
        let is_low = self.average_degree <= LOW_DEGREE;
        if !device.is_cuda() {
            let by_lanes = is_low || self.walks_alone;
            return if by_lanes { Schedule::Thread } else { Schedule::Warp };
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
    code: CodegenOptions,
}

/// How the code of a kernel is made for CUDA.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CodegenOptions {
    pub(crate) fast_math: bool,
    /// At most as many registers as leave a multiprocessor full of threads.
    pub(crate) max_occupancy: bool,
}

impl From<Schedule> for LaunchOptions {
    fn from(schedule: Schedule) -> Self {
        LaunchOptions { schedule, code: CodegenOptions::default() }
    }
}

impl LaunchOptions {
    /// The schedule, with `Auto` settled; `fitting` are those but `Warp`, which all fit.
    #[doc(hidden)]
    pub fn schedule_for(self, device: &Device, shape: Load, fitting: &[Schedule]) -> Schedule {
        if self.schedule != Schedule::Auto {
            // One that does not fit is refused, whatever was compiled.
            let runs = self.schedule.runs_on(device) || !fitting.contains(&self.schedule);
            return if runs { self.schedule } else { Schedule::Warp };
        }
        let wanted = match device.schedule() {
            Schedule::Auto => shape.best(device),
            asked_for => asked_for,
        };
        let fits = fitting.contains(&wanted) && wanted.runs_on(device);
        if fits { wanted } else { Schedule::Warp }
    }

    #[doc(hidden)]
    pub fn code(self) -> CodegenOptions {
        self.code
    }
}

/// The error for a schedule that an operator cannot be served by.
#[doc(hidden)]
pub fn unsupported(kernel: &str, schedule: Schedule, why: &str) -> Result<(), Error> {
    let (kernel, why) = (kernel.to_owned(), why.to_owned());
    Err(ErrorKind::UnsupportedSchedule { kernel, schedule, why }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// Neighbours get the numbers of the order in which they are visited.
    #[vertex_operator]
    fn stamp(v: Vertex, graph: &Graph, clock: &[Atomic<u32>], stamps: &[Atomic<u32>]) {
        for_each_neighbor(graph, v, true, |dst| {
            stamps[dst].store(clock[0].fetch_add(1));
        });
    }

    fn stamps(device: &Device, schedule: Schedule) -> Result<Vec<u32>, Error> {
        let edge = |i: u32| Edge { src: i % 32, dst: 32 + i, weight: () };
        let edges: Vec<_> = (0..96).map(edge).collect();
        let graph = SlabGraph::from_edges(device, 128, &edges, &SlabOptions::DEFAULT)?;
        let clock = DeviceBuffer::zeroed(device, 1)?;
        let stamps = DeviceBuffer::zeroed(device, 128)?;
        stamp::launch_with(schedule, device, 0..32, &graph, &clock, &stamps)?;
        stamps.to_vec()
    }

    /// A warp visits the neighbours of one vertex after those of another; lanes on their
    /// own take turns.
    #[test]
    fn operators_of_a_device_run_under_its_schedule() -> Result<(), Error> {
        let cpu = Device::cpu;
        let by = |schedule| stamps(&cpu(), schedule);
        assert_ne!(by(Schedule::Warp)?, by(Schedule::Thread)?);
        for schedule in [Schedule::Warp, Schedule::Thread] {
            let found = stamps(&cpu().with_schedule(schedule), Schedule::Auto)?;
            assert_eq!(found, by(schedule)?, "{schedule:?}");
        }
        Ok(())
    }

    fn chosen(options: LaunchOptions, device: &Device, fitting: &[Schedule]) -> Schedule {
        let shape = Load { average_degree: 16, most_lists: 1, items: 100, walks_alone: false };
        options.schedule_for(device, shape, fitting)
    }

    #[test]
    fn auto_is_what_the_device_was_asked_for_where_that_fits() {
        let fitting = [Schedule::Tile8, Schedule::Hybrid];
        for asked_for in Schedule::ALL {
            let device = Device::cpu().with_schedule(asked_for);
            let expected = if fitting.contains(&asked_for) { asked_for } else { Schedule::Warp };
            assert_eq!(chosen(Schedule::Auto.into(), &device, &fitting), expected);
            assert_eq!(chosen(Schedule::Auto.max_occupancy(), &device, &fitting), expected);
            assert_eq!(chosen(Schedule::Tile4.into(), &device, &fitting), Schedule::Tile4);
        }
    }

    #[test]
    fn names_of_9_schedules_are_read_back() {
        for schedule in Schedule::ALL.into_iter().chain([Schedule::Auto]) {
            assert_eq!(schedule.name().parse(), Ok(schedule));
        }
        let error = "hybird".parse::<Schedule>().expect_err("no such name").to_string();
        assert!(error.starts_with("`hybird` is not a schedule: there are auto, warp, "), "{error}");
    }
}
