// An atomic is memory of a device.

#![forbid(unsafe_code)]

use meerkat::prelude::*;

fn main() {
    let pair = Atomic(std::cell::UnsafeCell::new(3u32));
    println!("{}", pair.load());
}
