// One buffer, to read anywhere and to write.

use meerkat::prelude::*;

#[kernel]
fn shift(from: &[u32], to: &mut [u32]) {
    let i = thread_id();
    to[i] = from[i + 1];
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let mut values = DeviceBuffer::<u32>::zeroed(&device, 64)?;
    shift::launch(&device, 63, &values, &mut values)?;
    Ok(())
}
