// A function of the user's under a name of the language.

use meerkat::prelude::*;

mod other {
    pub fn lane_id() -> u32 {
        77
    }
}

#[kernel]
fn f(out: &mut [u32]) {
    out[thread_id()] = other::lane_id();
}

fn main() {}
