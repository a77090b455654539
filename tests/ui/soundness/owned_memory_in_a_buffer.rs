// What owns memory has no copies.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let buffer = DeviceBuffer::<String>::zeroed(&device, 4)?;
    drop(buffer);
    Ok(())
}
