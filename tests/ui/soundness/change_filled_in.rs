// What changes is found out by the graph.

#![forbid(unsafe_code)]

use meerkat::prelude::*;
use meerkat::runtime::Change;

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let mut graph = SlabGraph::<()>::from_edges(&device, 4, &[], &SlabOptions::DEFAULT)?;
    let none = || DeviceBuffer::zeroed(&device, 0);
    let outside = DeviceBuffer::from_slice(&device, &[Edge { src: 900, dst: 901, weight: () }])?;
    graph.apply_insertions(&Change { deleted: none()?, inserted: outside })?;
    Ok(())
}
