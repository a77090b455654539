// Only kernels and operators are launched.

use meerkat::prelude::*;

#[device]
fn damp(value: f32) -> f32 {
    0.15 + 0.85 * value
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    damp::launch(&device, 64, 1.0)?;
    Ok(())
}
