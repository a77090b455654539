// `&mut [T]` takes a buffer that nobody else has.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

#[vertex_operator]
fn copy(v: Vertex, from: &[u32], to: &mut [u32]) {
    to[v] = from[v];
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let (from, to) = (DeviceBuffer::<u32>::zeroed(&device, 64)?, DeviceBuffer::<u32>::zeroed(&device, 64)?);
    copy::launch(&device, 0..64, &from, &to)?;
    Ok(())
}
