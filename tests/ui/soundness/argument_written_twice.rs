// One buffer as two `&mut [T]`.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

#[vertex_operator]
fn both(v: Vertex, one: &mut [u32], two: &mut [u32]) {
    one[v] = 1;
    two[v] = 2;
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let mut buffer = DeviceBuffer::<u32>::zeroed(&device, 64)?;
    both::launch(&device, 0..64, &mut buffer, &mut buffer)?;
    Ok(())
}
