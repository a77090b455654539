// A struct of one's own with the name of the graph's.

use meerkat::prelude::*;

mod road {
    use meerkat::prelude::*;

    #[derive(Clone, Copy, DeviceStruct)]
    #[repr(C)]
    pub struct Edge {
        pub from: u32,
        pub to: u32,
    }
}

#[kernel]
fn turn(roads: &mut [road::Edge]) {
    let i = thread_id();
    let Edge { from, to } = roads[i];
    roads[i] = Edge { from: to, to: from };
}

fn main() {}
