// A view of any address.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let view = DeviceSlice::<u32> { data: 8 as *mut u32, length: 64, elements: std::marker::PhantomData };
    println!("{} {}", device.name(), view[3]);
    Ok(())
}
