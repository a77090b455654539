// What a method returns, not used.

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

#[kernel]
fn walk(out: &mut [u32]) {
    let i = thread_id();
    let mut near = i;
    near.lengthen(1)
}

fn main() {}
