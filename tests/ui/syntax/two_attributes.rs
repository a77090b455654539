// A function that is to be two things.

use meerkat::prelude::*;

#[kernel]
#[device]
fn f(x: &[u32]) {}

fn main() {}
