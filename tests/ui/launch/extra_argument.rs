// The count is the range's already.

use meerkat::prelude::*;

#[vertex_operator]
fn scale(v: Vertex, factor: f32, values: &mut [f32]) {
    values[v] = values[v] * factor;
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let mut values = DeviceBuffer::<f32>::zeroed(&device, 64)?;
    scale::launch(&device, 64, 0..64, 2.0, &mut values)?;
    Ok(())
}
