// A method with what lanes share.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    level: u32,
}

#[device]
impl Node {
    fn next(self, step: Uniform<u32>) -> u32 {
        self.level + step
    }
    fn first() -> Uniform<u32> {
        0
    }
}

fn main() {}
