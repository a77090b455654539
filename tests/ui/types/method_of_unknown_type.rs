// A method of what another method returns.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Node {
    distance: u32,
}

#[device]
impl Node {
    fn further(self) -> Node {
        Node { distance: self.distance + 1 }
    }
}

#[kernel]
fn walk(nodes: &mut [Node]) {
    let i = thread_id();
    nodes[i] = nodes[i].further().further();
}

fn main() {}
