// The attribute of functions, on a struct.

use meerkat::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Node {
    parent: u32,
}

fn main() {}
