// A function that may have no answer.

use meerkat::prelude::*;

#[device]
fn first(x: &[u32], wanted: u32) -> Option<u32> {
    for i in 0..x.len() {
        if x[i] == wanted {
            return Some(i);
        }
    }
    None
}

fn main() {}
