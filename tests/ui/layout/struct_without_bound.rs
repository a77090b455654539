// A type parameter of a struct of which nothing is asked.

use meerkat::prelude::*;

#[repr(C)]
#[derive(Clone, Copy, DeviceStruct)]
struct Pair<T> {
    a: T,
}

#[vertex_operator]
fn f(v: Vertex, out: &mut [Pair<u32>]) {
    out[v] = Pair { a: v };
}

fn main() {}
