// The result is declared `u32`.

use meerkat::prelude::*;

#[device]
fn share(rank: f32, degree: u32) -> u32 {
    rank / degree as f32
}

fn main() {}
