// One buffer as `&[T]` and as `&mut [T]`.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

#[vertex_operator]
fn copy(v: Vertex, from: &[u32], to: &mut [u32]) {
    to[v] = from[v];
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let mut buffer = DeviceBuffer::<u32>::zeroed(&device, 64)?;
    copy::launch(&device, 0..64, &buffer, &mut buffer)?;
    Ok(())
}
