// Distances compared.

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

#[device]
fn nearer<D: Distance>(a: D, b: D) -> D {
    if a < b { a } else { b }
}

fn main() {}
