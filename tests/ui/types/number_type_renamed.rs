// An alias of the name of a number type: CUDA has its own.

use meerkat::prelude::*;

#[allow(non_camel_case_types)]
type u32 = u64;

#[kernel]
fn widen(out: &mut [u32]) {
    let i = thread_id();
    out[i] = 1 << 40;
}

fn main() {}
