// What an argument is on the device is the run time's to say.

#![forbid(unsafe_code)]

use meerkat::prelude::*;
use meerkat::runtime::launch::HostArg;

struct Freed(DeviceSlice<u32>);

impl HostArg<DeviceSlice<u32>> for Freed {
    unsafe fn to_device_arg(self, _device: &Device) -> Result<DeviceSlice<u32>, Error> {
        Ok(self.0)
    }
}

fn main() {}
