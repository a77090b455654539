// A method of a struct without `#[device]`, under a name that numbers have.

use meerkat::prelude::*;

#[repr(C)]
#[derive(Clone, Copy, DeviceStruct)]
struct Point {
    x: u32,
}

impl Point {
    fn min(self, other: Point) -> Point {
        if other.x < self.x { other } else { self }
    }
}

#[vertex_operator]
fn f(v: Vertex, all: &[Point], out: &mut [Point]) {
    out[v] = out[v].min(all[v]);
}

fn main() {}
