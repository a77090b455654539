// A reference to a trait object.

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
fn far(from: &dyn Distance) -> u32 {
    3
}

#[device]
fn near(from: impl Distance) -> u32 {
    3
}

fn main() {}
