//! What only the kernel can see.

use super::{checked_devices, refused};
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;

/// Everything that the macros write is there for crates without `unsafe`, too.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
struct Node {
    distance: u32,
    parent: u32,
}

#[device_view(TreeBuffers)]
struct TreeView {
    nodes: &[Atomic<Node>],
    offset: u32,
}

#[device]
fn nearer(one: Node, other: Node) -> Node {
    if one.distance < other.distance { one } else { other }
}

#[kernel]
fn relax(tree: &TreeView) {
    let i = thread_id();
    if i < tree.nodes.len() {
        let node = tree.nodes[i].load();
        let other = Node { distance: i + tree.offset, parent: 3 };
        tree.nodes[i].store(nearer(node, other));
    }
}

#[kernel]
fn at(from: &[u32], offset: u32, out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = from[i + offset];
    }
}

#[kernel]
fn own(out: &mut [u32]) {
    let i = thread_id();
    out[i] = 1;
}

#[kernel]
fn shuffled(from: u32, out: &mut [u32]) {
    let i = thread_id();
    let value = warp_shuffle(i, from);
    if i < out.len() {
        out[i] = value;
    }
}

#[kernel]
fn divided(by: u32, out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = i / by;
    }
}

#[test]
fn a_crate_that_forbids_unsafe_has_structs_views_and_kernels() {
    for device in checked_devices() {
        let far = Node { distance: 40, parent: 0 };
        let nodes = DeviceBuffer::<Atomic<Node>>::filled(&device, 64, far).expect("memory");
        let buffers = TreeBuffers { nodes: &nodes, offset: 0 };
        relax::launch(&device, 64, buffers).expect("the launch");
        let nodes = nodes.to_vec().expect("memory");
        let expected = |i: u32| if i <= 40 { (i, 3) } else { (40, 0) };
        let found: Vec<_> = nodes.iter().map(|node| (node.distance, node.parent)).collect();
        assert_eq!(found, (0..64).map(expected).collect::<Vec<_>>());
    }
}

#[test]
fn an_index_past_the_end_stops_the_launch() {
    for device in checked_devices() {
        let from = DeviceBuffer::<u32>::zeroed(&device, 32).expect("memory");
        let mut out = DeviceBuffer::<u32>::zeroed(&device, 32).expect("memory");
        for offset in [1, 1 << 30, u32::MAX - 40] {
            let error = refused(at::launch(&device, 32, &from, offset, &mut out), "the index");
            assert!(matches!(error.kind(), ErrorKind::Trap { .. }), "{error}");
        }
        at::launch(&device, 32, &from, 0, &mut out).expect("the device goes on");
    }
}

#[test]
fn threads_without_an_element_stop_the_launch() {
    for device in checked_devices() {
        let mut out = DeviceBuffer::<u32>::zeroed(&device, 100).expect("memory");
        let error = refused(own::launch(&device, 100, &mut out), "thread 100");
        assert!(matches!(error.kind(), ErrorKind::Trap { .. }), "{error}");
    }
}

#[test]
fn a_lane_that_there_is_not_stops_the_launch() {
    for device in checked_devices() {
        let mut out = DeviceBuffer::<u32>::zeroed(&device, 32).expect("memory");
        let error = refused(shuffled::launch(&device, 32, 32, &mut out), "lane 32");
        assert!(matches!(error.kind(), ErrorKind::Trap { .. }), "{error}");
    }
}

#[test]
fn a_division_by_zero_stops_the_launch() {
    for device in checked_devices() {
        let mut out = DeviceBuffer::<u32>::zeroed(&device, 32).expect("memory");
        let error = refused(divided::launch(&device, 32, 0, &mut out), "the division");
        assert!(matches!(error.kind(), ErrorKind::Trap { .. }), "{error}");
    }
}
