// Methods of a struct over the weight.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Held<W: Weight> {
    weight: W,
}

#[device]
impl<W: Weight> Held<W> {
    fn bits(self) -> u32 {
        self.weight.to_bits()
    }
}

fn main() {}
