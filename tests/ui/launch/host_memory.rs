// A `Vec` is not on the device.

use meerkat::prelude::*;

#[vertex_operator]
fn scale(v: Vertex, factor: f32, values: &mut [f32]) {
    values[v] = values[v] * factor;
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let mut values = vec![1.0f32; 64];
    scale::launch(&device, 0..64, 2.0, &mut values)?;
    Ok(())
}
