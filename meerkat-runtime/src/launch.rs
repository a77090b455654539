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
    pub(crate) first: u32,
    pub(crate) count: u32,
}

impl VertexItems {
    /// All vertices of a graph of `count`.
    pub fn all(count: u32) -> Self {
        VertexItems { list: DeviceSlice::from_raw(0, 0), first: 0, count }
    }
}

/// How many vertices an operator was launched for.
#[device]
pub fn item_count(items: &VertexItems) -> Uniform<u32> {
    items.count
}

/// The `i`-th vertex an operator was launched for.
#[device]
pub fn vertex_item(items: &VertexItems, i: u32) -> u32 {
    if items.list.len() == 0 { items.first + i } else { items.list[i] }
}

impl HostArg<VertexItems> for Range<u32> {
    fn pass(self, _device: &Device) -> Result<VertexItems, Error> {
        let count = self.end.saturating_sub(self.start);
        Ok(VertexItems { list: DeviceSlice::from_raw(0, 0), first: self.start, count })
    }
}

/// How the neighbours of an operator's items are spread over lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Schedule {
    /// What suits the graph: a lane for each vertex where degrees are low, the
    /// warp elsewhere. (BFS on one H200: a road network of average degree 2.5
    /// took 45 ms by lanes and 108 ms by warps, a social network of average
    /// degree 11 took 2.8 ms and 1.0 ms.)
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

/// The average degree up to which a lane walks its own vertex.
const LOW_DEGREE: u32 = 4;

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

    /// The schedule itself, with `Auto` settled.
    #[doc(hidden)]
    pub fn for_degree(self, average: u32) -> Schedule {
        match self {
            Schedule::Auto if average <= LOW_DEGREE => Schedule::Thread,
            Schedule::Auto => Schedule::Warp,
            chosen => chosen,
        }
    }
}

/// How a kernel is launched: a schedule, and how exactly it computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LaunchOptions {
    pub(crate) schedule: Schedule,
    pub(crate) fast_math: bool,
}

impl From<Schedule> for LaunchOptions {
    fn from(schedule: Schedule) -> Self {
        LaunchOptions { schedule, fast_math: false }
    }
}

impl LaunchOptions {
    /// The schedule, with `Auto` settled.
    #[doc(hidden)]
    pub fn schedule_for(self, average_degree: u32) -> Schedule {
        self.schedule.for_degree(average_degree)
    }

    #[doc(hidden)]
    pub fn is_fast(self) -> bool {
        self.fast_math
    }
}

impl Schedule {
    /// Under this schedule, with floats that CUDA may fuse, flush and round as is
    /// fastest: the results differ from the CPU's, which computes as ever.
    pub fn fast_math(self) -> LaunchOptions {
        LaunchOptions { schedule: self, fast_math: true }
    }
}

/// A kernel with its type arguments, under a schedule, with fast floats or exact.
pub(crate) type KernelKey = (TypeId, Schedule, bool);

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

/// How many lanes an operator needs for its items.
#[doc(hidden)]
pub trait Items {
    fn count(&self) -> u32;
}

impl Items for VertexItems {
    fn count(&self) -> u32 {
        self.count
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
