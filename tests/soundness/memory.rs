//! Memory of devices, as the host reads and writes it.

use super::support::devices::devices;
use super::{refused, ring};
use meerkat::prelude::*;
use meerkat::runtime::{Blocks, ErrorKind};

#[kernel]
fn count_up(rounds: u32, out: &[Atomic<u64>]) {
    let i = thread_id();
    if i < out.len() {
        for _ in 0..rounds {
            out[i].fetch_add(4294967297);
        }
    }
}

#[test]
fn what_is_past_the_end_is_neither_read_nor_written() {
    for device in devices() {
        let mut buffer = DeviceBuffer::<u32>::zeroed(&device, 8).expect("memory");
        let refusals = [
            refused(buffer.read(0, 9), "9 of 8"),
            refused(buffer.read(8, 1), "the ninth"),
            refused(buffer.read(usize::MAX, 2), "what wraps"),
            refused(buffer.write(7, &[1, 2]), "the ninth"),
            refused(buffer.write(usize::MAX, &[1]), "what wraps"),
        ];
        for error in refusals {
            assert!(matches!(error.kind(), ErrorKind::OutOfBounds { .. }), "{error}");
        }
        assert_eq!(buffer.to_vec().expect("memory"), [0; 8]);
    }
}

#[test]
fn a_buffer_that_no_u32_can_index_is_not_made() {
    for device in devices() {
        let error = refused(DeviceBuffer::<u8>::zeroed(&device, 1 << 33), "the length");
        assert!(matches!(error.kind(), ErrorKind::BufferTooLong { .. }), "{error}");
    }
}

/// Half of a value was read where the host copied bytes while a kernel wrote words.
#[test]
fn atomics_are_read_whole_while_a_kernel_of_another_thread_writes_them() {
    for device in devices() {
        let out = DeviceBuffer::<Atomic<u64>>::zeroed(&device, 4096).expect("memory");
        std::thread::scope(|scope| {
            let kernel = scope.spawn(|| count_up::launch(&device, 4096, 2000, &out));
            while !kernel.is_finished() {
                for value in out.to_vec().expect("memory") {
                    assert_eq!(value >> 32, value & 0xffff_ffff, "half of it was written");
                }
            }
            kernel.join().expect("no panic").expect("the launch");
        });
        assert_eq!(out.to_vec().expect("memory"), vec![4294967297 * 2000; 4096]);
    }
}

#[test]
fn memory_that_is_dropped_while_its_kernel_is_queued_is_freed_after_it() {
    for device in devices() {
        for _ in 0..50 {
            let out = DeviceBuffer::<Atomic<u64>>::zeroed(&device, 4096).expect("memory");
            count_up::launch(&device, 4096, 20, &out).expect("the launch");
            drop(out);
            let zeros = DeviceBuffer::<u64>::zeroed(&device, 4096).expect("memory");
            assert!(zeros.to_vec().expect("memory").iter().all(|&value| value == 0));
        }
    }
}

/// A file says that an edge ends outside the graph.
#[test]
fn a_snapshot_with_an_edge_outside_the_graph_is_refused() {
    for device in devices() {
        let graph = ring(&device, 10);
        let file = tempfile::NamedTempFile::new().expect("a file");
        graph.save(file.path()).expect("the snapshot");
        let whole = std::fs::read(file.path()).expect("the file");
        for at in (0..whole.len()).step_by(4) {
            let mut bytes = whole.clone();
            let end = (at + 4).min(bytes.len());
            bytes[at..end].fill(0xff);
            std::fs::write(file.path(), &bytes).expect("the file");
            // Refused, or (what no check can see) another graph that is sound.
            if let Ok(graph) = SlabGraph::<()>::load(&device, file.path()) {
                graph.check_invariants().expect("invariants");
            }
        }
    }
}

/// An allocation of one byte was taken for one of 16 EiB.
#[test]
fn a_buffer_longer_than_any_memory_is_refused() {
    for device in devices() {
        let error =
            refused(DeviceBuffer::<[u64; 1 << 29]>::zeroed(&device, u32::MAX as usize), "2^64");
        assert!(error.is_out_of_memory(), "{error}");
        let error =
            refused(DeviceBuffer::<[u64; 1 << 30]>::zeroed(&device, u32::MAX as usize), "more");
        assert!(error.is_out_of_memory(), "{error}");
    }
}

/// A graph as a struct of one's own would keep it.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
struct Kept {
    number: u32,
    graph: Blocks,
}

/// A graph that was kept on the device was read after it was dropped.
#[test]
fn a_view_that_a_kernel_would_keep_has_no_place_in_device_memory() {
    for device in devices() {
        let refusals = [
            refused(Frontiers::<Kept>::new(&device, 1, &[]), "a frontier of views"),
            refused(DeviceBuffer::<Blocks>::zeroed(&device, 1), "a buffer of views"),
            refused(DeviceBuffer::<[Kept; 2]>::from_slice(&device, &[]), "arrays of views"),
        ];
        for error in refusals {
            assert!(matches!(error.kind(), ErrorKind::ViewStored { .. }), "{error}");
            assert!(error.to_string().contains("pass graphs"), "{error}");
        }
    }
}
