// An item of an edge operator is a device struct.

use meerkat::prelude::*;

#[derive(Clone, Copy)]
#[repr(C)]
struct Path {
    from: u32,
    to: u32,
}

#[edge_operator]
fn mark(path: Path, marks: &[Atomic<u32>]) {
    marks[path.to].store(path.from);
}

fn main() {}
