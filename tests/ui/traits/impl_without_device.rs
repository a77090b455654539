// The attribute is forgotten above the impl.

use meerkat::prelude::*;

#[device]
trait Distance {
    const UNREACHED: Self;
    fn lengthen(self, by: u32) -> Self;
}

#[device]
impl Distance for u32 {
    const UNREACHED: u32 = u32::MAX;
    fn lengthen(self, by: u32) -> u32 {
        self + by
    }
}

impl Distance for f32 {
    const UNREACHED: f32 = f32::INFINITY;
    fn lengthen(self, by: u32) -> f32 {
        self + by as f32
    }
}

fn main() {}
