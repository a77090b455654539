// The word `unsafe` in front of an `impl` for devices.

use meerkat::prelude::*;

#[device]
trait Trusted {
    fn trust(self) -> u32;
}

#[device]
unsafe impl Trusted for u32 {
    fn trust(self) -> u32 {
        self
    }
}

fn main() {}
