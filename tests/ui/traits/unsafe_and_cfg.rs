// Words of host code around device traits.

use meerkat::prelude::*;

#[device]
unsafe trait Trusted {
    fn trust(self) -> u32;
}

#[device]
trait Counted {
    #[cfg(debug_assertions)]
    fn count(self) -> u32;
}

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    distance: u32,
}

#[device]
impl Node {
    fn further(self) -> u32 {
        let self_ = self.distance;
        self_ + 1
    }
}

fn main() {}
