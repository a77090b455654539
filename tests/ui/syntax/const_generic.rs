// The width of a tile.

use meerkat::prelude::*;

#[kernel]
fn fold<const WIDTH: u32>(values: &mut [u32]) {
    let i = thread_id();
    values[i] = values[i] % WIDTH;
}

fn main() {}
