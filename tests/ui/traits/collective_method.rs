// A method that votes.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    distance: u32,
}

#[device]
impl Node {
    fn nearest(self) -> u32 {
        warp_reduce_min(self.distance)
    }
}

fn main() {}
