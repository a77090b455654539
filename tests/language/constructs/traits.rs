//! Device traits, generic structs, const parameters.

use super::kernels::traits::{self, PROGRAMS, Semiring, Tropical};
use super::{buffer, devices, expect};
use meerkat::prelude::*;

#[test]
fn programs_over_traits_compute_what_rust_computes() {
    let expected: Vec<u64> = PROGRAMS.iter().flat_map(|(_, program)| (0..4).map(program)).collect();
    assert!(PROGRAMS.len() >= 20);
    expect(&expected, |device, out| traits::traits::launch(device, expected.len() as u32, out));
}

#[test]
fn an_operator_over_a_trait_runs_under_every_schedule_that_fits() {
    let edges: Vec<_> =
        (0..90u32).map(|i| Edge { src: i % 9, dst: (i * 7 + 1) % 40, weight: i % 11 }).collect();
    let from: Vec<_> = (0..40).map(Tropical::of_bits).collect();
    let best: Vec<_> = from.iter().map(|own| own.plus(Tropical::ONE)).collect();
    let mut last = std::collections::BTreeMap::new();
    for edge in &edges {
        last.insert((edge.src, edge.dst), edge.weight);
    }
    let mut codes = vec![0u64; 40];
    for ((src, dst), weight) in last {
        let product = from[src as usize].times(from[dst as usize]);
        let sum = &mut codes[dst as usize];
        *sum = sum.wrapping_add(product.code()).wrapping_add(u64::from(weight));
    }
    // The list's schedule lends no values of a type parameter to other warps.
    for schedule in Schedule::ALL.into_iter().filter(|&one| one != Schedule::SlabList) {
        expect(&best, |device, out| {
            let graph = SlabGraph::from_edges(device, 40, &edges, &SlabOptions::default())?;
            let (from, found) = (buffer(device, &from), DeviceBuffer::zeroed(device, 40)?);
            traits::gather::launch_with(schedule, device, 0..40, &graph, &from, out, &found)?;
            assert_eq!(found.to_vec()?, codes, "{schedule:?} on {}", device.name());
            Ok(())
        });
    }
}

#[test]
fn a_kernel_with_a_const_parameter_is_one_for_each_value() {
    let expected: Vec<u64> = (0..40).map(|i| i * 8).collect();
    expect(&expected, |device, out| traits::strided::launch::<8>(device, 40, out));
    let names = [traits::strided::info::<3>(), traits::strided::info::<8>()];
    assert_eq!(names.map(|info| info.name().to_owned()), ["strided_3", "strided_8"]);
}

/// A function that calls itself by way of another of its type: only the whole program
/// shows it.
#[device]
trait Countdown {
    fn down(self) -> u32;
    fn step(self) -> u32;
}

#[device]
impl Countdown for u32 {
    fn down(self) -> u32 {
        if self == 0 { 0 } else { self.step() }
    }
    fn step(self) -> u32 {
        (self - 1).down() + 1
    }
}

#[kernel]
fn recursive(out: &mut [u32]) {
    let i = thread_id();
    out[i] = i.down();
}

#[test]
fn recursion_by_way_of_functions_of_types_is_refused_at_the_first_launch() {
    for device in devices() {
        let mut out = DeviceBuffer::zeroed(&device, 32).unwrap();
        let error = recursive::launch(&device, 32, &mut out).unwrap_err();
        assert!(error.to_string().contains("`Countdown_u32_down` calls itself"), "{error}");
        assert_eq!(out.to_vec().unwrap(), [0; 32]);
    }
}
