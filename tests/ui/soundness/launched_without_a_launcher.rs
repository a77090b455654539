// A kernel is run by its launcher.

#![forbid(unsafe_code)]

use meerkat::prelude::*;
use meerkat::runtime::launch;

#[vertex_operator]
fn nothing(v: Vertex, out: &mut [u32]) {
    out[v] = 0;
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let key = (std::any::TypeId::of::<u32>(), Schedule::Warp, launch::LaunchOptions::default().code());
    launch::run(&device, key, &|| nothing::info(), 32, &mut [], &|_| {})?;
    Ok(())
}
