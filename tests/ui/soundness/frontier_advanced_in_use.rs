// A frontier is not swapped while somebody has it.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

#[vertex_operator]
fn visit(v: Vertex, next: &Frontier<Vertex>) {
    warp_enqueue_frontier(next, v, true);
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let mut frontiers = Frontiers::<Vertex>::new(&device, 64, &[1])?;
    let next = frontiers.next();
    frontiers.advance()?;
    visit::launch(&device, 0..4, next)?;
    Ok(())
}
