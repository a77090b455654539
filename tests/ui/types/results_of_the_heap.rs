// Results that only the host can have; their callers are right.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    id: u32,
}

#[device]
impl Node {
    fn name(self) -> String {
        format!("node {}", self.id)
    }
}

#[device]
fn both<T: Number>(a: T, b: T) -> Vec<T> {
    vec![a, b]
}

#[kernel]
fn print(nodes: &[Node], out: &mut [u32]) {
    let i = thread_id();
    let name = nodes[i].name();
    let ids = both(nodes[i].id, i);
    out[i] = i;
}

fn main() {}
