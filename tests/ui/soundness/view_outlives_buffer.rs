// A view that would point to freed memory.

#![forbid(unsafe_code)]

use meerkat::prelude::*;
use meerkat::runtime::launch::HostArg;

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let buffer = DeviceBuffer::<u32>::zeroed(&device, 64)?;
    let view: DeviceSlice<u32> = HostArg::to_device_arg(&buffer, &device)?;
    drop(buffer);
    println!("{}", view[3]);
    Ok(())
}
