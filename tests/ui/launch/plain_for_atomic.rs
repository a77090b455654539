// The operator updates atomically, the buffer is a plain one.

use meerkat::prelude::*;

#[edge_operator]
fn count(edge: Edge<()>, degree: &[Atomic<u32>]) {
    degree[edge.src].fetch_add(1);
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let edges = DeviceBuffer::<Edge<()>>::zeroed(&device, 64)?;
    let degree = DeviceBuffer::<u32>::zeroed(&device, 64)?;
    count::launch(&device, &edges, &degree)?;
    Ok(())
}
