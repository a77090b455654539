// An edge operator takes edges.

use meerkat::prelude::*;

#[edge_operator]
fn count(edge: Edge<()>, degree: &[Atomic<u32>]) {
    degree[edge.src].fetch_add(1);
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let degree = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 64)?;
    count::launch(&device, 0..64, &degree)?;
    Ok(())
}
