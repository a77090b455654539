// The body's `unsafe` says where; the function's would not.

use meerkat::prelude::*;

#[device]
unsafe fn put(out: &mut [u32], at: u32, value: u32) {
    unsafe { out.write(at, value) };
}

fn main() {}
