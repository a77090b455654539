// The number of threads is a `u32`.

use meerkat::prelude::*;

#[kernel]
fn clear(values: &mut [u32]) {
    let i = thread_id();
    if i < values.len() {
        values[i] = 0;
    }
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let mut values = DeviceBuffer::<u32>::zeroed(&device, 64)?;
    clear::launch(&device, values.len(), &mut values)?;
    Ok(())
}
