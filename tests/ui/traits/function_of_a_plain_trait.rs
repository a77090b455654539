// The attribute is forgotten above the trait, which has a function.

use meerkat::prelude::*;

trait Lengthen {
    fn lengthen(self, by: u32) -> u32;
}

#[device]
impl Lengthen for u32 {
    fn lengthen(self, by: u32) -> u32 {
        self + by
    }
}

fn main() {}
