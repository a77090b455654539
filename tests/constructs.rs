//! Every construct of docs/LANGUAGE.md: a kernel, launched on every device,
//! against a plain Rust computation of the same.

#![allow(clippy::manual_is_multiple_of, clippy::precedence, reason = "as the kernels say it")]

#[path = "constructs/kernels/mod.rs"]
mod kernels;
mod support;

#[path = "constructs/accumulations.rs"]
mod accumulations;
#[path = "constructs/aggregated.rs"]
mod aggregated;
#[path = "constructs/arrays.rs"]
mod arrays;
#[path = "constructs/atomics.rs"]
mod atomics;
#[path = "constructs/blocks.rs"]
mod blocks;
#[path = "constructs/branches.rs"]
mod branches;
#[path = "constructs/choices.rs"]
mod choices;
#[path = "constructs/fragments.rs"]
mod fragments;
#[path = "constructs/functions.rs"]
mod functions;
#[path = "constructs/inference.rs"]
mod inference;
#[path = "constructs/launches.rs"]
mod launches;
#[path = "constructs/lookups.rs"]
mod lookups;
#[path = "constructs/loops.rs"]
mod loops;
#[path = "constructs/methods.rs"]
mod methods;
#[path = "constructs/numbers.rs"]
mod numbers;
#[path = "constructs/operators.rs"]
mod operators;
#[path = "constructs/random.rs"]
mod random;
#[path = "constructs/reductions.rs"]
mod reductions;
#[path = "constructs/regressions_branch_results.rs"]
mod regressions_branch_results;
#[path = "constructs/regressions_control.rs"]
mod regressions_control;
#[path = "constructs/regressions_literals.rs"]
mod regressions_literals;
#[path = "constructs/regressions_names.rs"]
mod regressions_names;
#[path = "constructs/regressions_operators.rs"]
mod regressions_operators;
#[path = "constructs/schedules.rs"]
mod schedules;
#[path = "constructs/structs.rs"]
mod structs;
#[path = "constructs/tiles.rs"]
mod tiles;
#[path = "constructs/traits.rs"]
mod traits;
#[path = "constructs/trap_lines.rs"]
mod trap_lines;
#[path = "constructs/traps.rs"]
mod traps;
#[path = "constructs/tuples.rs"]
mod tuples;
#[path = "constructs/views.rs"]
mod views;
#[path = "constructs/walks.rs"]
mod walks;
#[path = "constructs/warp.rs"]
mod warp;

use meerkat::prelude::*;
use meerkat::runtime::DeviceType;
use std::fmt::Debug;
use support::devices::devices;

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
