// A device view of buffers that are gone.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

#[device_view(TreeBuffers)]
struct TreeView {
    distances: &[Atomic<u32>],
}

#[vertex_operator]
fn reset(v: Vertex, tree: &TreeView) {
    tree.distances[v].store(0);
}

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let distances = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 4)?;
    let buffers = TreeBuffers { distances: &distances };
    drop(distances);
    reset::launch(&device, 0..4, buffers)?;
    Ok(())
}
