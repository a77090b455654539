// The attribute is forgotten above the trait.

use meerkat::prelude::*;

trait Score {
    const NONE: Self;
}

#[device]
impl Score for u32 {
    const NONE: u32 = u32::MAX;
}

fn main() {}
