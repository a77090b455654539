//! Every construct of docs/LANGUAGE.md: a kernel, launched on every device,
//! against a plain Rust computation of the same.

#![allow(clippy::manual_is_multiple_of, clippy::precedence, reason = "as the kernels say it")]

pub(crate) mod kernels;

mod accumulations;
mod aggregated;
mod arrays;
mod atomics;
mod blocks;
mod branches;
mod choices;
mod containers;
mod fragments;
mod functions;
mod inference;
mod launches;
mod lookups;
mod loops;
mod methods;
mod numbers;
mod operators;
mod random;
mod reductions;
mod regressions_branch_results;
mod regressions_control;
mod regressions_literals;
mod regressions_names;
mod regressions_operators;
mod schedules;
mod structs;
mod tiles;
mod traits;
mod trap_lines;
mod traps;
mod tuples;
mod views;
mod walks;
mod warp;

use crate::support::devices::devices;
use meerkat::prelude::*;
use meerkat::runtime::DeviceType;
use std::fmt::Debug;

/// Launches on every device with a zeroed buffer as long as `expected`, and
/// compares what the kernel left in it.
#[track_caller]
fn expect<T: DeviceType + Debug + PartialEq>(
    expected: &[T],
    launch: impl Fn(&Device, &mut DeviceBuffer<T>) -> Result<(), Error>,
) {
    expect_by(expected, |a, b| a == b, launch);
}

/// [`expect`] with a comparison of its own.
#[track_caller]
fn expect_by<T: DeviceType + Debug>(
    expected: &[T],
    same: impl Fn(&T, &T) -> bool,
    launch: impl Fn(&Device, &mut DeviceBuffer<T>) -> Result<(), Error>,
) {
    for device in devices() {
        let mut out = DeviceBuffer::zeroed(&device, expected.len()).expect("memory");
        launch(&device, &mut out).unwrap_or_else(|error| panic!("{}: {error}", device.name()));
        let found = out.to_vec().unwrap_or_else(|error| panic!("{}: {error}", device.name()));
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            let on = device.name();
            assert!(same(found, expected), "{on}, item {i}: {found:?}, expected {expected:?}");
        }
    }
}

/// A buffer of these values.
fn buffer<E: meerkat::runtime::Element>(device: &Device, values: &[E::Value]) -> DeviceBuffer<E> {
    DeviceBuffer::from_slice(device, values).expect("memory")
}

/// The same numbers every time, from a multiplicative generator.
fn noise(seed: u32) -> impl Iterator<Item = u32> {
    let mut state = u64::from(seed) * 2 + 1;
    std::iter::repeat_with(move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    })
}

#[test]
fn kernels_of_regressions_compile_for_each_generation_of_gpus() {
    let kernels = [
        regressions_branch_results::kernels(),
        regressions_control::kernels(),
        regressions_literals::kernels(),
        regressions_names::kernels(),
        regressions_operators::kernels(),
    ];
    meerkat::testing::assert_all_compile(&kernels.concat());
}
