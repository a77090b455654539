// A device struct written like a tuple struct.

use meerkat::prelude::*;

#[repr(C)]
#[derive(Clone, Copy, DeviceStruct)]
struct Pair {
    a: u32,
    b: f32,
}

#[vertex_operator]
fn f(v: Vertex, out: &mut [Pair]) {
    out[v] = Pair(v, 2.0);
}

fn main() {}
