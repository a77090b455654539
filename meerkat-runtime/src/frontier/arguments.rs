//! Frontiers as arguments of a launch.

use super::Frontier;
use crate::device::{Device, DeviceBuffer};
use crate::launch::{HostArg, VertexItems};
use crate::view::{Atomic, DeviceSlice};
use crate::{DeviceType, Error};
use std::ops::Range;

/// Items to visit: what an operator is launched for.
#[derive(Clone, Debug)]
pub struct CurrentFrontier<'a, T: DeviceType> {
    pub(super) list: &'a DeviceBuffer<T>,
    /// Where they are in the list; more than there are if `length` says how many.
    pub(super) items: Range<u32>,
    pub(super) length: Option<(&'a DeviceBuffer<Atomic<u32>>, u32)>,
}

impl<T: DeviceType> CurrentFrontier<'_, T> {
    /// Whether there is nothing to visit, as far as the host knows.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl HostArg<VertexItems> for CurrentFrontier<'_, u32> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<VertexItems, Error> {
        let count = self.items.len() as u32;
        let length =
            self.length.map(|(lengths, slot)| lengths.plain_view(slot as usize..slot as usize + 1));
        // SAFETY: what the caller promises of the items holds for their list.
        let list = unsafe { HostArg::<DeviceSlice<u32>>::to_device_arg(self, device) }?;
        let all = VertexItems::all(count);
        Ok(VertexItems { list, length: length.unwrap_or(all.length), ..all })
    }
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<T: DeviceType> HostArg<DeviceSlice<T>> for CurrentFrontier<'_, T> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<DeviceSlice<T>, Error> {
        self.list.check_device(device)?;
        Ok(self.list.view_of(self.items.start as usize..self.items.end as usize))
    }
}

/// Where kernels enqueue.
#[derive(Clone, Copy, Debug)]
pub struct NextFrontier<'a, T: DeviceType> {
    pub(super) list: &'a DeviceBuffer<T>,
    pub(super) length: &'a DeviceBuffer<Atomic<u32>>,
    pub(super) slot: u32,
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<T: DeviceType> HostArg<Frontier<T>> for NextFrontier<'_, T> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Frontier<T>, Error> {
        self.list.check_device(device)?;
        let slot = self.slot as usize;
        Ok(Frontier { items: self.list.view(), length: self.length.view_of(slot..slot + 1) })
    }
}
