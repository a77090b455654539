// The operator writes, so the buffer is borrowed mutably.

use meerkat::prelude::*;

#[vertex_operator]
fn scale(v: Vertex, factor: f32, values: &mut [f32]) {
    values[v] = values[v] * factor;
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let values = DeviceBuffer::<f32>::zeroed(&device, 64)?;
    scale::launch(&device, 0..64, 2.0, &values)?;
    Ok(())
}
