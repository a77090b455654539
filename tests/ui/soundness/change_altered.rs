// A change is read, not written.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let graph = SlabGraph::<()>::from_edges(&device, 4, &[], &SlabOptions::DEFAULT)?;
    let mut change = graph.change_of(&Batch::new())?;
    change.inserted = DeviceBuffer::from_slice(&device, &[Edge { src: 900, dst: 901, weight: () }])?;
    Ok(())
}
