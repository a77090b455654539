// A method with a name that numbers have already.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    distance: u32,
}

#[device]
impl Node {
    fn min(self, other: Node) -> Node {
        if other.distance < self.distance { other } else { self }
    }
}

fn main() {}
