// What a device view cannot be, or cannot hold.

use meerkat::prelude::*;

#[device_view]
struct Unnamed {
    levels: &[Atomic<u32>],
}

#[device_view(TupleBuffers)]
struct Tuple(u32, f32);

#[device_view(WrittenBuffers)]
struct Written {
    levels: &mut [u32],
}

#[device_view(LentBuffers)]
struct Lent<'a> {
    levels: &'a [u32],
}

#[device_view(WholeBuffers)]
struct Whole {
    graph: &Graph<u32>,
}

#[device_view(RoundsBuffers)]
struct Rounds {
    first: u32,
    last: u32,
}

#[device_view(ChoiceBuffers)]
enum Choice {
    Near,
}

fn main() {}
