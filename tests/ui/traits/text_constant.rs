// A constant that is text.

use meerkat::prelude::*;

#[device]
trait Named {
    const NAME: &'static str;
    const LENGTH: u32;
}

#[device]
impl Named for u32 {
    const NAME: &'static str = "u32";
    const LENGTH: u32 = 3;
}

#[device]
fn letters<N: Named>(from: N) -> u32 {
    let name = N::NAME;
    N::LENGTH
}

fn main() {}
