// Recursion in two steps.

use meerkat::prelude::*;

#[device]
fn even(n: u32) -> bool {
    if n == 0 {
        return true;
    }
    odd(n - 1)
}

#[device]
fn odd(n: u32) -> bool {
    if n == 0 {
        return false;
    }
    even(n - 1)
}

#[vertex_operator]
fn parity(v: Vertex, out: &mut [bool]) {
    out[v] = even(v);
}

fn main() {}
