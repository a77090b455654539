// A frontier of any memory.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

fn make(items: DeviceSlice<u32>, length: DeviceSlice<Atomic<u32>>) -> Frontier<u32> {
    Frontier { items, length }
}

fn main() {
    let _ = make;
}
