// A view is launched with what the host lends, not with buffers one by one.

use meerkat::prelude::*;

#[device_view(LevelBuffers)]
struct Levels {
    levels: &[Atomic<u32>],
    round: u32,
}

#[kernel]
fn mark(levels: &Levels) {
    levels.levels[thread_id()].store(levels.round);
}

#[kernel]
fn assign(levels: &Levels) {
    levels.round = 3;
}

fn launch(device: &Device, levels: &DeviceBuffer<Atomic<u32>>) -> Result<(), Error> {
    mark::launch(device, 4, levels)
}

fn main() {}
