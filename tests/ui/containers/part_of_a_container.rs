use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Ring {
    length: u32,
}

/// A ring that leaves out most of what a walk asks.
#[device]
impl Neighbors for Ring {
    type Carried = ();
    type Lists = u32;
    type Chunk = u32;

    fn degree_of(&self, _v: u32) -> u32 {
        1
    }
    fn lists_of(&self, v: u32) -> u32 {
        v
    }
    fn count_lists(&self, _v: u32) -> u32 {
        1
    }
}

fn main() {}
