// What the macro derives is written out, too.

use meerkat::prelude::*;

#[device_view(LevelsBuffers)]
#[derive(Clone, Copy)]
struct Levels {
    level: &[Atomic<u32>],
}

#[device_view(RanksBuffers)]
#[repr(C)]
struct Ranks {
    rank: &[f32],
}

fn main() {}
