// The kernels' view of a graph, beyond the graph.

#![forbid(unsafe_code)]

use meerkat::prelude::*;
use meerkat::runtime::launch::HostArg;

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let graph = SlabGraph::<()>::from_edges(&device, 4, &[], &SlabOptions::DEFAULT)?;
    let view: Graph = HostArg::to_device_arg(&graph, &device)?;
    drop(graph);
    println!("{view:?}");
    Ok(())
}
