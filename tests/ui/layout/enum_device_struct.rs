// An enum's invalid values would be undefined behaviour.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
enum State {
    New,
    Settled,
}

fn main() {}
