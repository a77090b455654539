// An enum as a device struct.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
enum Color {
    Red,
    Blue,
}

fn main() {}
