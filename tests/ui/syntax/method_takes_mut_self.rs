// A method that changes its value in place.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    distance: u32,
}

#[device]
impl Node {
    fn grow(&mut self) {
        self.distance += 1;
    }
}

fn main() {}
