// A method that changes its copy.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    distance: u32,
}

#[device]
impl Node {
    fn further(self) -> Node {
        self.distance += 1;
        self
    }
}

fn main() {}
