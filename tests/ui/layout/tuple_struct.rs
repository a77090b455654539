// Fields need names on both sides.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Pair(u32, u32);

fn main() {}
