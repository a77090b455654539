// Two views of what only one may write.

#![forbid(unsafe_code)]

use meerkat::prelude::*;
use meerkat::runtime::launch::HostArgMut;

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let mut buffer = DeviceBuffer::<u32>::zeroed(&device, 64)?;
    let mut one: DeviceSlice<u32> = HostArgMut::to_device_arg(&mut buffer, &device)?;
    let two: DeviceSlice<u32> = HostArgMut::to_device_arg(&mut buffer, &device)?;
    one[3] = two[3];
    Ok(())
}
