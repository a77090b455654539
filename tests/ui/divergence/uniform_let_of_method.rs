// A function of a type gives each lane its own value.

use meerkat::prelude::*;

#[device]
trait Level {
    fn level(self) -> u32;
}

#[device]
impl Level for u32 {
    fn level(self) -> u32 {
        self / 32
    }
}

#[kernel]
fn visit(key: u32, out: &[Atomic<u32>]) {
    let level: Uniform<u32> = key.level();
    out[0].fetch_or(warp_ballot(lane_id() < level));
}

fn main() {}
