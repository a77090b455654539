// A trait implemented for the device.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    distance: u32,
}

#[device]
impl Default for Node {
    fn default() -> Self {
        Node { distance: 0 }
    }
}

fn main() {}
