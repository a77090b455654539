// The field's type is no device struct itself.

use meerkat::prelude::*;

#[derive(Clone, Copy)]
#[repr(C)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Site {
    at: Point,
    component: u32,
}

fn main() {}
