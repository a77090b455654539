//! Items and arguments of a launch: compared on the host, on every device and in every mode.

use super::support::devices::{devices, own_devices};
use super::{refused, ring};
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;

#[vertex_operator]
fn degrees(v: Vertex, graph: &Graph, out: &[Atomic<u32>]) {
    for_each_neighbor(graph, v, true, |_| {
        out[v].fetch_add(1);
    });
}

#[vertex_operator]
fn number(v: Vertex, out: &mut [u32]) {
    out[v] = v;
}

#[edge_operator]
fn sources(arc: Edge<()>, at: Place, out: &mut [u32]) {
    out[at] = arc.src;
}

#[test]
fn a_range_past_the_vertices_of_the_graph_is_refused() {
    for device in devices() {
        let graph = ring(&device, 100);
        let out = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 100).expect("memory");
        for range in [0..101, 100..101, 0..u32::MAX, u32::MAX - 1..u32::MAX] {
            let error = refused(degrees::launch(&device, range, &graph, &out), "the range");
            assert!(matches!(
                error.kind(),
                ErrorKind::ItemsOutOfRange { argument: "graph", length: 100, .. }
            ));
        }
        degrees::launch(&device, 0..100, &graph, &out).expect("all vertices");
        assert_eq!(out.to_vec().expect("memory"), [1; 100]);
    }
}

/// In the checked mode and with a bundle each loads its own.
#[test]
fn a_second_device_of_a_gpu_loads_no_kernel_that_is_there() {
    for (first, second) in devices().into_iter().zip(own_devices()) {
        for device in [&first, &second] {
            let graph = ring(device, 100);
            let out = DeviceBuffer::<Atomic<u32>>::zeroed(device, 100).expect("memory");
            degrees::launch(device, 0..100, &graph, &out).expect("a launch");
            assert_eq!(out.to_vec().expect("memory"), [1; 100]);
        }
        let is_checked = std::env::var_os("MEERKAT_CHECKED").is_some_and(|value| value != "0");
        let has_bundle = std::env::var_os("MEERKAT_BUNDLE").is_some_and(|value| !value.is_empty());
        if !is_checked && !has_bundle {
            assert_eq!(second.kernel_counters().bytes, 0);
        }
    }
}

#[test]
fn a_range_past_the_elements_of_a_written_slice_is_refused() {
    for device in devices() {
        let mut out = DeviceBuffer::<u32>::zeroed(&device, 64).expect("memory");
        let error = refused(number::launch(&device, 0..65, &mut out), "the range");
        assert!(matches!(
            error.kind(),
            ErrorKind::ItemsOutOfRange { argument: "out", last: 64, length: 64 }
        ));
        assert_eq!(out.to_vec().expect("memory"), [0; 64], "nothing was written");
        number::launch(&device, 10..64, &mut out).expect("what there is");
    }
}

#[test]
fn a_slice_shorter_than_the_edges_of_the_launch_is_refused() {
    for device in devices() {
        let arcs: Vec<_> = (0..40).map(|v| super::edge(v, 0)).collect();
        let arcs = DeviceBuffer::from_slice(&device, &arcs).expect("memory");
        let mut out = DeviceBuffer::<u32>::zeroed(&device, 39).expect("memory");
        let error = refused(sources::launch(&device, &arcs, &mut out), "the slice");
        assert!(matches!(
            error.kind(),
            ErrorKind::ItemsOutOfRange { argument: "out", last: 39, length: 39 }
        ));
    }
}

#[test]
#[allow(clippy::reversed_empty_ranges)]
fn a_range_that_ends_before_it_begins_has_no_items() {
    for device in devices() {
        let mut out = DeviceBuffer::<u32>::zeroed(&device, 4).expect("memory");
        number::launch(&device, 900..5, &mut out).expect("no items");
        number::launch(&device, 900..900, &mut out).expect("no items");
        assert_eq!(out.to_vec().expect("memory"), [0; 4]);
    }
}

#[test]
fn an_argument_of_another_device_is_refused() {
    for device in devices().into_iter().filter(Device::is_cuda) {
        let mut out = DeviceBuffer::<u32>::zeroed(&Device::cpu(), 4).expect("memory");
        let error = refused(number::launch(&device, 0..4, &mut out), "the other device's memory");
        assert!(matches!(error.kind(), ErrorKind::WrongDevice { .. }));
    }
    let (one, two) = (Device::cpu(), Device::cpu());
    let mut out = DeviceBuffer::<u32>::zeroed(&one, 4).expect("memory");
    number::launch(&two, 0..4, &mut out).expect("all CPU devices share their memory");
}
