// A generic function called for a type without the trait.

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
fn twice<D: Distance>(from: D) -> D {
    from.lengthen(1).lengthen(1)
}

#[kernel]
fn walk(out: &mut [f64]) {
    let i = thread_id();
    out[i] = twice(1.5f64);
}

fn main() {}
