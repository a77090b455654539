//! Launches: sizes and arguments.

use super::kernels::launches::{self, Settings};
use super::{buffer, devices, expect};
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;

#[test]
fn launches_of_0_1_31_32_33_and_1000_threads_run_each_thread_once() {
    for threads in [0u32, 1, 31, 32, 33, 1000] {
        let mut expected: Vec<u32> = (0..1000).map(|i| i * i + 1000).collect();
        expected[threads as usize..].fill(0);
        expect(&expected, |device, out| {
            let counter = buffer::<Atomic<u32>>(device, &[0]);
            launches::census::launch(device, threads, threads, &counter, out)?;
            assert_eq!(counter.to_vec()?, [threads], "{}", device.name());
            Ok(())
        });
    }
}

#[test]
fn parameters_of_7_types_arrive_by_value() {
    for (flag, enabled) in [(true, true), (false, true), (true, false)] {
        let sum = 200.0 - 5e9 + 0.125 + 0.5 + (1u64 << 50) as f64 - 9.0 + 4.0;
        let expected = [if flag && enabled { sum } else { 0.0 }; 3];
        expect(&expected, |device, out| {
            let settings = Settings { scale: 0.5, steps: 1 << 50, enabled };
            let edge = Edge { src: 3, dst: 4, weight: -9 };
            let (small, signed) = (200, -5_000_000_000);
            launches::by_value::launch(device, 3, small, signed, flag, 0.125, settings, edge, out)
        });
    }
}

#[test]
fn a_kernel_without_parameters_launches_with_100_threads() {
    for device in devices() {
        launches::nothing::launch(&device, 100).expect("a run");
        device.synchronize().expect("a wait");
    }
}

#[test]
fn a_kernel_that_a_macro_wrote_launches_with_32_threads() {
    expect(&[0x5555_5555; 32], |device, out| launches::even_lanes::launch(device, 32, out));
}

#[test]
fn empty_buffers_have_length_0() {
    for device in devices() {
        let mut empty = DeviceBuffer::<u32>::zeroed(&device, 0).expect("a buffer");
        let counter = buffer::<Atomic<u32>>(&device, &[0]);
        launches::census::launch(&device, 0, 0, &counter, &mut empty).expect("a run");
        assert!(empty.is_empty() && empty.to_vec().expect("a copy").is_empty());
    }
}

#[test]
fn buffers_refuse_reads_and_writes_past_their_end() {
    for device in devices() {
        let mut four = buffer::<u32>(&device, &[1, 2, 3, 4]);
        for error in [four.read(2, 3).expect_err("past"), four.write(4, &[9]).expect_err("past")] {
            let ErrorKind::OutOfBounds { index: 4, length: 4 } = error.kind() else {
                panic!("{error}")
            };
        }
        assert!(four.read(4, 0).expect("nothing").is_empty());
        assert_eq!(four.to_vec().expect("a copy"), [1, 2, 3, 4]);
    }
}

#[test]
fn an_argument_of_another_device_is_refused() {
    let devices = devices();
    let [cpu, cuda] = &devices[..] else { return };
    let counter = buffer::<Atomic<u32>>(cpu, &[0]);
    let mut out = DeviceBuffer::zeroed(cuda, 10).expect("memory");
    let error = launches::census::launch(cuda, 10, 10, &counter, &mut out).expect_err("refused");
    assert!(matches!(error.kind(), ErrorKind::WrongDevice { .. }), "{error}");
}
