// Uniform values, but lanes disagree about which one to return.

use meerkat::prelude::*;

#[device]
fn mode(degree: u32, small: Uniform<u32>, large: Uniform<u32>) -> Uniform<u32> {
    if degree > 32 {
        return large;
    }
    small
}

fn main() {}
