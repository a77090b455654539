// A tracked graph changes with its answer.

#![forbid(unsafe_code)]

use meerkat::prelude::*;
use meerkat::algos::bfs::Bfs;

fn main() -> Result<(), Error> {
    let device = Device::cpu();
    let graph = SlabGraph::<()>::from_edges(&device, 4, &[], &SlabOptions::DEFAULT)?;
    let tracked = graph.track(Bfs::from_source(0))?;
    tracked.graph().insert(&[Edge { src: 0, dst: 1, weight: () }])?;
    Ok(())
}
