// A set of edges that are gone.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let edges = DeviceBuffer::from_slice(&device, &[Edge { src: 0, dst: 1, weight: () }])?;
    let set = HashedEdges::of(&edges, Direction::Directed)?;
    drop(edges);
    println!("{set:?}");
    Ok(())
}
