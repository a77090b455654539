//! Launches: arguments from the host's owners to the kernels' views, and the items of
//! operators; then a schedule is chosen (`choice.rs`) and the kernel runs (`run.rs`).
#![allow(unsafe_code)] // Views leave their owners here; each block says for how long.

mod choice;
mod hubs;
mod run;

use crate::device::{Device, DeviceBuffer};
use crate::device_type::{DeviceType, Element};
use crate::neighbors::UpdatedNeighbors;
use crate::scalar::*;
#[doc(hidden)]
pub use crate::schedule::BLOCK_THREADS;
pub use crate::schedule::{LaunchOptions, Schedule};
use crate::slab::HUB_LISTS;
use crate::view::DeviceSlice;
use crate::{Atomic, Error, ErrorKind, TileUniform, Uniform, Vertex};
#[doc(hidden)]
pub use choice::{Load, record, unsupported};
#[doc(hidden)]
pub use hubs::Sharing;
use meerkat_macros::{DeviceStruct, device};
#[doc(hidden)]
pub use run::{argument, run, whole_blocks};
use std::ops::Range;

/// What a launcher accepts for a kernel's parameter of type `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an argument for a kernel's parameter of type `{T}`",
    note = "`&[T]` takes `&DeviceBuffer<T>`, `&[Atomic<T>]` takes `&DeviceBuffer<Atomic<T>>`, \
            `&Graph<W>` takes `&SlabGraph<W>`, a device view the struct that its attribute \
            names, a value itself; the items of a vertex operator are `0..n` (`u32`) or \
            `frontiers.current()`, those of an edge operator `&DeviceBuffer<Edge<W>>`"
)]
pub trait HostArg<T> {
    /// The parameter's value for a launch on `device`.
    ///
    /// # Errors
    /// The argument lives on another device.
    ///
    /// # Safety
    /// The value is used for a launch on this device alone, and while the launcher still
    /// has the argument: it is a view of memory that nothing else keeps alive.
    unsafe fn to_device_arg(self, device: &Device) -> Result<T, Error>;
}

/// What the view of a graph says on the host.
pub(crate) fn of_view<G: DeviceType, T>(
    device: &Device,
    graph: impl HostArg<G>,
    what: impl FnOnce(&G) -> T,
) -> Result<T, Error> {
    // SAFETY: the view is not launched, and what is told of it sees no memory.
    let view = unsafe { graph.to_device_arg(device) }?;
    Ok(what(&view.detached()))
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
    ///
    /// # Safety
    /// The value is used for a launch on this device alone, and while the launcher still
    /// has the argument: it is a view of memory that nothing else keeps alive.
    unsafe fn to_device_arg(self, device: &Device) -> Result<T, Error>;
}

impl<T: DeviceType> HostArg<T> for T {
    unsafe fn to_device_arg(self, _device: &Device) -> Result<T, Error> {
        match self.is_detached() {
            true => Err(ErrorKind::ViewStored { view: std::any::type_name::<T>() }.into()),
            false => Ok(self),
        }
    }
}

impl<E: Element> HostArg<DeviceSlice<E>> for &DeviceBuffer<E> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<DeviceSlice<E>, Error> {
        self.check_device(device)?;
        Ok(self.view())
    }
}

impl<E: Element> HostArgMut<DeviceSlice<E>> for &mut DeviceBuffer<E> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<DeviceSlice<E>, Error> {
        self.check_device(device)?;
        Ok(self.view())
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
    /// From how many slab lists on a hub is put off: it goes into `hubs`, for a second launch. Then
    /// `replicas` is 1, or each of them would list it.
    pub(crate) put_off_from: u32,
    pub(crate) hubs: DeviceSlice<Atomic<Vertex>>,
    /// How many hubs were put off.
    pub(crate) hub_count: DeviceSlice<Atomic<u32>>,
}

impl VertexItems {
    /// All vertices of a graph of `count`.
    pub fn all(count: u32) -> Self {
        let (list, length) = (DeviceSlice::from_raw(0, 0), DeviceSlice::from_raw(0, 0));
        let (hubs, hub_count) = (DeviceSlice::from_raw(0, 0), DeviceSlice::from_raw(0, 0));
        let (first, spread, replicas, put_off_from) = (0, 0, 1, u32::MAX);
        VertexItems { list, length, first, count, spread, replicas, put_off_from, hubs, hub_count }
    }
}

/// From how many lists on the block walks a vertex together under [`Schedule::Hybrid`]: fewer where items are spread,
/// for then a block has few of them, and a tile that walks 60 lists alone is what a launch waits for.
#[doc(hidden)]
#[device]
pub fn hub_lists(items: &VertexItems) -> Uniform<u32> {
    (HUB_LISTS >> items.spread.min(3)).max(1)
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
    place_of_thread(items, thread_id())
}

/// The same, where blocks share hubs: some of them have the same items.
#[doc(hidden)]
#[device]
pub fn shared_place(items: &VertexItems) -> u32 {
    place_of_thread(items, block_id() / items.replicas * block_size() + block_thread_id())
}

#[device]
fn place_of_thread(items: &VertexItems, thread: u32) -> u32 {
    let between: u32 = thread & ((1u32 << items.spread) - 1);
    select(between == 0, thread >> items.spread, u32::MAX)
}

/// Which of the blocks that share the same hubs this is.
#[doc(hidden)]
#[device]
pub fn replica(items: &VertexItems) -> Uniform<u32> {
    block_id() % items.replicas
}

/// Whether the blocks of this launch walk the hub at `place` of the items themselves, by the number of its
/// slab lists. Else it is put off.
#[doc(hidden)]
#[device]
pub fn keeps_hub(items: &VertexItems, place: u32, lists: u32) -> bool {
    let mut keeps = true;
    if lists >= items.put_off_from && items.hub_count[0].load() < items.hubs.len() {
        let free = items.hub_count[0].fetch_add(1);
        if free < items.hubs.len() {
            items.hubs[free].store(vertex_item(items, place));
            keeps = false;
        } else {
            // The second launch has the count for its length.
            items.hub_count[0].fetch_sub(1);
        }
    }
    keeps
}

/// The `i`-th vertex an operator was launched for.
#[device]
pub fn vertex_item(items: &VertexItems, i: u32) -> u32 {
    if items.list.len() == 0 { items.first + i } else { items.list[i] }
}

impl HostArg<VertexItems> for Range<u32> {
    unsafe fn to_device_arg(self, _device: &Device) -> Result<VertexItems, Error> {
        let count = self.end.saturating_sub(self.start);
        Ok(VertexItems { first: self.start, ..VertexItems::all(count) })
    }
}

/// The thread of the block that a slab list belongs to: the last whose own lists
/// start no later. Collective of the tile.
#[doc(hidden)]
#[device]
pub fn slab_list_owner(starts: &[Atomic<u32>], list: TileUniform<8, u32>) -> TileUniform<8, u32> {
    let mut low = 0u32;
    let mut high = block_size();
    while high - low > 1 {
        let middle = (low + high) / 2;
        if starts[middle].load_shared() <= list {
            low = middle;
        } else {
            high = middle;
        }
    }
    tile::<8>().broadcast(low, 0)
}

/// Whether the graph says which of its neighbours are updates.
#[doc(hidden)]
pub fn tracked<G: UpdatedNeighbors>(graph: &G) -> Result<(), Error> {
    let graph = graph.detached();
    if !graph.tracks_updates() && graph.shape().vertices != 0 {
        return Err(ErrorKind::UpdatesNotTracked.into());
    }
    Ok(())
}

/// An argument by name, and for how many vertices it has elements.
#[doc(hidden)]
pub type Extent = (&'static str, u32);

/// Whether arguments have elements up to the end of a range of items.
fn check_extents(end: u64, extents: &[Extent]) -> Result<(), Error> {
    match extents.iter().find(|(_, length)| end > u64::from(*length)) {
        Some(&(argument, length)) if end > 0 => {
            let (last, length) = (end - 1, length.into());
            Err(ErrorKind::ItemsOutOfRange { argument, last, length }.into())
        }
        _ => Ok(()),
    }
}

/// Whether each of some items is listed once.
fn check_distinct(mut items: Vec<Vertex>) -> Result<(), Error> {
    items.sort_unstable();
    match items.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(ErrorKind::RepeatedItem { item: pair[0] }.into()),
        None => Ok(()),
    }
}

/// What an operator is launched for.
#[doc(hidden)]
pub trait Items {
    fn count(&self) -> u32;

    /// Whether arguments have an element for each item, and, where an operator writes its
    /// own, no item is listed twice. On CUDA, lists are looked at in the checked mode alone.
    ///
    /// # Errors
    /// [`ErrorKind::ItemsOutOfRange`], [`ErrorKind::RepeatedItem`]; the device fails.
    fn check(&self, device: &Device, graphs: &[Extent], own: &[Extent]) -> Result<(), Error>;

    /// How many threads it takes under a schedule, after few items have been spread
    /// over more threads than they are.
    fn spread(&mut self, _device: &Device, _schedule: Schedule) -> u32 {
        self.count()
    }
}

impl Items for VertexItems {
    fn count(&self) -> u32 {
        self.count
    }

    fn check(&self, device: &Device, graphs: &[Extent], own: &[Extent]) -> Result<(), Error> {
        if self.list.len() == 0 {
            let end = u64::from(self.first) + u64::from(self.count);
            let end = if self.count == 0 { 0 } else { end };
            check_extents(end, graphs)?;
            return check_extents(end, own);
        }
        if own.is_empty() || !device.checks_lists() {
            return Ok(());
        }
        let mut count = self.count;
        if self.length.len() != 0 {
            // SAFETY: the launcher still has what the items view.
            let known = unsafe { device.read_view(&self.length) }?[0];
            count = if known <= count { known } else { 0 };
        }
        // SAFETY: as above.
        let mut items = unsafe { device.read_view(&self.list) }?;
        items.truncate(count as usize);
        check_distinct(items)
    }

    fn spread(&mut self, device: &Device, schedule: Schedule) -> u32 {
        if !device.is_cuda() || self.count == 0 {
            return self.count;
        }
        let each = (device.threads_at_once() as u32 / self.count).max(1);
        self.spread = each.min(schedule.lanes_of_an_item()).ilog2();
        self.count.saturating_mul(1 << self.spread)
    }
}

impl<T: DeviceType> Items for DeviceSlice<T> {
    fn count(&self) -> u32 {
        self.len()
    }

    fn check(&self, _device: &Device, _graphs: &[Extent], own: &[Extent]) -> Result<(), Error> {
        check_extents(self.len().into(), own)
    }
}

/// What the CPU back end has in builds with the feature `all-schedules` alone: the first
/// of the two, else the second.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "all-schedules")]
macro_rules! with_all_schedules {
    ({ $($with:tt)* } { $($without:tt)* }) => { $($with)* };
}

/// What the CPU back end has in builds with the feature `all-schedules` alone: the first
/// of the two, else the second.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "all-schedules"))]
macro_rules! with_all_schedules {
    ({ $($with:tt)* } { $($without:tt)* }) => { $($without)* };
}
