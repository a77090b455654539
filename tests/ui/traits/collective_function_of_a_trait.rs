// One type's function of a trait votes.

use meerkat::prelude::*;

#[device]
trait Least {
    fn least(self) -> u32;
}

#[device]
impl Least for u32 {
    fn least(self) -> u32 {
        warp_reduce_min(self)
    }
}

fn main() {}
