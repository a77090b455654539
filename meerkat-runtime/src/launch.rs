//! Launches: arguments from the host's owners to the kernels' views, then the
//! CUDA driver or the warps of the CPU.

use crate::device::Device;
use crate::device_type::DeviceType;
use crate::lanes::Warp;
use crate::lanes::trap::Trap;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::DeviceSlice;
use crate::{Atomic, DeviceStruct, Error, ErrorKind, TileUniform, Uniform, Vertex, device};
use rayon::prelude::*;
use std::any::TypeId;
use std::ffi::c_void;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What a launcher accepts for a kernel's parameter of type `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an argument for a kernel's parameter of type `{T}`",
    note = "`&[T]` takes `&DeviceBuffer<T>`, `&[Atomic<T>]` takes `&DeviceBuffer<Atomic<T>>`, \
            `&Graph<W>` takes `&SlabGraph<W>`, a value takes itself"
)]
pub trait HostArg<T> {
    /// The parameter's value for a launch on `device`.
    ///
    /// # Errors
    /// The argument lives on another device.
    fn pass(self, device: &Device) -> Result<T, Error>;
}

/// What a launcher accepts for `&mut [T]`: memory that nobody else can see.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an argument for a kernel's parameter `&mut [T]`",
    note = "pass `&mut` of a `DeviceBuffer<T>`"
)]
pub trait HostArgMut<T> {
    /// The parameter's value for a launch on `device`.
    ///
    /// # Errors
    /// The argument lives on another device.
    fn pass(self, device: &Device) -> Result<T, Error>;
}

impl<T: DeviceType> HostArg<T> for T {
    fn pass(self, _device: &Device) -> Result<T, Error> {
        Ok(self)
    }
}

/// The vertices that an operator is launched for: a list, or a range.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct VertexItems {
    pub(crate) list: DeviceSlice<Vertex>,
    /// How many there are, where only the device knows; else empty.
    pub(crate) length: DeviceSlice<u32>,
    pub(crate) first: u32,
    /// How many there are; where only the device knows, how many there may be.
    pub(crate) count: u32,
    /// Every so many threads one has an item, as a power of two: few items are spread
    /// over many groups of lanes.
    pub(crate) spread: u32,
    /// How many blocks share the hubs among the same items.
    #[doc(hidden)]
    pub replicas: u32,
}

impl VertexItems {
    /// All vertices of a graph of `count`.
    pub fn all(count: u32) -> Self {
        let (list, length) = (DeviceSlice::from_raw(0, 0), DeviceSlice::from_raw(0, 0));
        VertexItems { list, length, first: 0, count, spread: 0, replicas: 1 }
    }
}

/// How many vertices an operator was launched for. None if they are more than it
/// has threads for: then the host launches it again.
#[device]
pub fn item_count(items: &VertexItems) -> Uniform<u32> {
    let mut count = items.count;
    if items.length.len() != 0 {
        let length = items.length[0];
        count = select(length <= count, length, 0u32);
    }
    count
}

/// Which item the thread has: past the last for a thread that has none.
#[doc(hidden)]
#[device]
pub fn item_place(items: &VertexItems) -> u32 {
    let thread = block_id() / items.replicas * block_size() + block_thread_id();
    let between: u32 = thread & ((1u32 << items.spread) - 1);
    select(between == 0, thread >> items.spread, u32::MAX)
}

/// Which of the blocks that share the same hubs this is.
#[doc(hidden)]
#[device]
pub fn replica(items: &VertexItems) -> Uniform<u32> {
    block_id() % items.replicas
}

/// The `i`-th vertex an operator was launched for.
#[device]
pub fn vertex_item(items: &VertexItems, i: u32) -> u32 {
    if items.list.len() == 0 { items.first + i } else { items.list[i] }
}

impl HostArg<VertexItems> for Range<u32> {
    fn pass(self, _device: &Device) -> Result<VertexItems, Error> {
        let count = self.end.saturating_sub(self.start);
        Ok(VertexItems { first: self.start, ..VertexItems::all(count) })
    }
}

/// How the neighbours of an operator's items are spread over lanes.
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
    /// The block walks its vertices of many slab lists, then tiles of 8 lanes the
    /// rest: for power laws.
    Hybrid,
    /// Tiles of 8 lanes share out the slab lists of all vertices of the block
    /// (Meerkat, iteration scheme 2): for power laws, where what the closure
    /// accumulates may be added in any order.
    SlabList,
}

/// How many threads a block has on CUDA; a warp is a block on the CPU.
#[doc(hidden)]
pub const BLOCK_THREADS: u32 = 256;

/// The thread of the block that a slab list belongs to: the last whose own lists
/// start no later. Collective of the tile.
#[doc(hidden)]
#[device]
pub fn slab_list_owner(starts: &[Atomic<u32>], list: TileUniform<8, u32>) -> TileUniform<8, u32> {
    let mut low = 0u32;
    let mut high = block_size();
    while high - low > 1 {
        let middle = (low + high) / 2;
        if starts[middle].load() <= list {
            low = middle;
        } else {
            high = middle;
        }
    }
    tile::<8>().broadcast(low, 0)
}

/// The average degree up to which a lane walks its own vertex, unless some vertex has
/// more slab lists than a few.
const LOW_DEGREE: u32 = 4;
const FEW_LISTS: u32 = 8;

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

    /// How many lanes work for an item at a time; of the block's schedules, as many as
    /// leave a tile or two for each.
    fn lanes_of_an_item(self) -> u32 {
        match self {
            Schedule::Warp | Schedule::Hybrid => 32,
            Schedule::Tile16 => 16,
            Schedule::Tile8 => 8,
            Schedule::Tile4 => 4,
            _ => 1,
        }
    }
}

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
        if self.schedule != Schedule::Auto {
            return self.schedule;
        }
        let best = shape.best(device);
        if fitting.contains(&best) { best } else { Schedule::Warp }
    }

    #[doc(hidden)]
    pub fn code(self) -> Code {
        self.code
    }
}

impl Schedule {
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
}

/// A kernel with its type arguments, under a schedule, and how its code is made.
pub(crate) type KernelKey = (TypeId, Schedule, Code);

/// The error for a schedule that an operator cannot be served by.
#[doc(hidden)]
pub fn unfit(kernel: &str, schedule: Schedule, why: &str) -> Result<(), Error> {
    let (kernel, why) = (kernel.to_owned(), why.to_owned());
    Err(ErrorKind::ScheduleUnfit { kernel, schedule, why }.into())
}

/// Whether the graph says which of its neighbours are updates.
#[doc(hidden)]
pub fn tracked<W: crate::Weight>(graph: &crate::Graph<W>) -> Result<(), Error> {
    if graph.updates.len() == 0 && graph.vertices.len() != 0 {
        return Err(ErrorKind::UpdatesNotTracked.into());
    }
    Ok(())
}

/// What an operator is launched for.
#[doc(hidden)]
pub trait Items {
    fn count(&self) -> u32;

    /// How many threads it takes under a schedule, after few items have been spread
    /// over more threads than they are. With `shares_hubs`, also over blocks that
    /// share the hubs.
    fn spread(&mut self, _device: &Device, _schedule: Schedule, _shares_hubs: bool) -> u32 {
        self.count()
    }
}

/// How many blocks of replicas there are at most.
const MOST_REPLICAS: u32 = 64;

impl Items for VertexItems {
    fn count(&self) -> u32 {
        self.count
    }

    fn spread(&mut self, device: &Device, schedule: Schedule, shares_hubs: bool) -> u32 {
        if !device.is_cuda() || self.count == 0 {
            return self.count;
        }
        let room = device.threads_at_once() as u32;
        let group = schedule.lanes_of_an_item();
        let each = (room / self.count).clamp(1, group);
        self.spread = each.ilog2();
        let threads = self.count.saturating_mul(1 << self.spread);
        if !shares_hubs {
            return threads;
        }
        let blocks = threads.div_ceil(BLOCK_THREADS);
        self.replicas = (room / BLOCK_THREADS / blocks).clamp(1, MOST_REPLICAS);
        blocks * self.replicas * BLOCK_THREADS
    }
}

impl<T: DeviceType> Items for DeviceSlice<T> {
    fn count(&self) -> u32 {
        self.len()
    }
}

/// A parameter as the driver takes it.
#[doc(hidden)]
pub fn argument<T>(value: &mut T) -> *mut c_void {
    std::ptr::from_mut(value).cast()
}

/// Runs a kernel over `threads` threads: queues it on CUDA, completes it on the
/// CPU.
///
/// # Errors
/// The program does not compile or launch; a lane trapped (CPU).
#[doc(hidden)]
pub fn run(
    device: &Device,
    key: KernelKey,
    info: &dyn Fn() -> KernelInfo,
    threads: u32,
    arguments: &mut [*mut c_void],
    lanes: &(dyn Fn(&Warp) + Sync),
) -> Result<(), Error> {
    if threads == 0 {
        return Ok(());
    }
    match device.cuda_device() {
        Some(cuda) => cuda.launch(key, info, threads, arguments),
        None => run_on_cpu(threads, lanes).map_err(|trap| trap_error(&info(), &trap)),
    }
}

/// Few warps run on the calling thread: waking others costs more.
const WARPS_INLINE: u32 = 8;

fn run_on_cpu(threads: u32, lanes: &(dyn Fn(&Warp) + Sync)) -> Result<(), Box<Trap>> {
    let warps = threads.div_ceil(32);
    let all = || {
        if warps <= WARPS_INLINE {
            (0..warps).for_each(|id| lanes(&Warp::new(id, warps)));
        } else {
            let run = |id| lanes(&Warp::new(id, warps));
            (0..warps).into_par_iter().with_min_len(WARPS_INLINE as usize).for_each(run);
        }
    };
    match catch_unwind(AssertUnwindSafe(all)) {
        Ok(()) => Ok(()),
        Err(payload) => match payload.downcast::<Trap>() {
            Ok(trap) => Err(trap),
            Err(other) => resume_unwind(other),
        },
    }
}

fn trap_error(info: &KernelInfo, trap: &Trap) -> Error {
    ErrorKind::Trap {
        kernel: info.name().to_owned(),
        file: trap.file,
        line: trap.line,
        what: trap.fault.to_string(),
    }
    .into()
}
