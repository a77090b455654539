// A trait with a const parameter.

use meerkat::prelude::*;

#[device]
trait Scale<const BY: u32> {
    fn scale(self) -> u32;
}

fn main() {}
