// A wrong type in a generic function is reported once.

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
fn far<D: Distance>(from: D) -> D {
    from.lengthen(1.5)
}

fn main() {}
