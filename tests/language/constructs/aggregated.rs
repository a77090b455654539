//! `fetch_add_aggregated` is `fetch_add`: what is added, and what each lane finds.

use super::kernels::aggregated;
use super::{buffer, devices, expect, noise};
use meerkat::prelude::*;
use meerkat::testing::{assert_all_compile, nvrtc_is_present};
use std::collections::HashMap;

#[test]
fn odd_lanes_of_1000_take_each_ticket_once() {
    for device in devices() {
        let next = buffer::<Atomic<u32>>(&device, &[7]);
        let mut out = DeviceBuffer::zeroed(&device, 1000).unwrap();
        aggregated::tickets::launch(&device, 1000, &next, &mut out).unwrap();
        let out: Vec<u32> = out.to_vec().unwrap();
        assert!(out.iter().step_by(2).all(|&ticket| ticket == 0), "{device:?}");
        let mut taken: Vec<u32> = out.into_iter().skip(1).step_by(2).collect();
        taken.sort_unstable();
        assert!(taken.into_iter().eq(7..507), "{device:?}");
        assert_eq!(next.to_vec().unwrap(), [507], "{device:?}");
    }
}

#[test]
fn lanes_of_one_warp_find_the_sums_of_those_below() {
    let device = Device::cpu();
    let next = buffer::<Atomic<u32>>(&device, &[0]);
    let mut out = DeviceBuffer::zeroed(&device, 32).unwrap();
    aggregated::tickets::launch(&device, 32, &next, &mut out).unwrap();
    let expected: Vec<u32> = (0..32).map(|lane| if lane % 2 == 1 { lane / 2 } else { 0 }).collect();
    assert_eq!(out.to_vec().unwrap(), expected);
}

macro_rules! amount_tests {
    ($($name:ident $ty:ident $bits:literal;)*) => {$(
        /// In some order each lane of a cell found what those before it had left there.
        #[test]
        fn $name() {
            let which: Vec<u32> = noise(11).take(2000).map(|x| x % 5).collect();
            // No sum comes twice: all amounts of a cell together wrap once at most.
            let amount = |x: u32| ((x % (1 << 20)) as $ty) << ($bits - 32) | 1;
            let signed = |x: $ty| if $ty::MIN == 0 { x } else { x.wrapping_neg() };
            let by: Vec<$ty> = noise(12).take(2000).map(amount).map(signed).collect();
            let start: [$ty; 5] = [0, $ty::MAX, 3, $ty::MIN, 77];
            for device in devices() {
                let cells = buffer::<Atomic<$ty>>(&device, &start);
                let mut out = DeviceBuffer::zeroed(&device, 2000).unwrap();
                let (which_there, by_there) = (buffer(&device, &which), buffer(&device, &by));
                aggregated::$ty::amounts::launch(
                    &device, 2000, &cells, &which_there, &by_there, &mut out,
                )
                .unwrap();
                let (found, end) = (out.to_vec().unwrap(), cells.to_vec().unwrap());
                for cell in 0..5 {
                    let lanes = (0..2000).filter(|&i| which[i] as usize == cell);
                    let mut steps: HashMap<$ty, Vec<$ty>> = HashMap::new();
                    let mut total = start[cell];
                    for i in lanes {
                        steps.entry(found[i]).or_default().push(by[i]);
                        total = total.wrapping_add(by[i]);
                    }
                    assert_eq!(end[cell], total, "{device:?}, cell {cell}");
                    let mut value = start[cell];
                    let count = steps.values().map(Vec::len).sum::<usize>();
                    for step in 0..count {
                        let by = steps.remove(&value).unwrap_or_default();
                        assert_eq!(by.len(), 1, "{device:?}, cell {cell}, step {step}");
                        value = value.wrapping_add(by[0]);
                    }
                    assert_eq!(value, total, "{device:?}, cell {cell}");
                }
            }
        }
    )*};
}

amount_tests! {
    u32_amounts_of_2000_lanes_to_5_cells_have_an_order u32 32;
    i32_amounts_of_2000_lanes_to_5_cells_have_an_order i32 32;
    u64_amounts_of_2000_lanes_to_5_cells_have_an_order u64 64;
    i64_amounts_of_2000_lanes_to_5_cells_have_an_order i64 64;
}

#[test]
fn lanes_that_added_0_to_6_times_meet_again_as_a_warp() {
    let added = |lane: u32| (lane % 7) * (lane % 7 + 1) / 2;
    let expected: Vec<u32> =
        (0..1024).map(|i| (i / 32 * 32..i / 32 * 32 + 32).map(added).sum()).collect();
    expect(&expected, |device, out| {
        let cells = DeviceBuffer::<Atomic<u64>>::zeroed(device, 3)?;
        aggregated::rounds::launch(device, 1024, &cells, out)?;
        let total: u64 = cells.to_vec()?.iter().sum();
        // CUDA runs whole blocks of 256 threads: 1024 are four.
        assert_eq!(total, u64::from((0..1024).map(added).sum::<u32>()), "{}", device.name());
        Ok(())
    });
    let program = aggregated::rounds::info().cuda_program();
    assert!(program.starts_with("#define MEERKAT_TILES_AND_WARPS"), "the mask is no constant");
}

#[test]
fn histogram_of_5000_values_by_aggregated_adds_in_shared_memory() {
    let values: Vec<u32> = noise(3).take(5000).map(|x| if x % 3 == 0 { 5 } else { x }).collect();
    let mut expected = [0u32; 16];
    values.iter().for_each(|x| expected[(x % 16) as usize] += 1);
    for device in devices() {
        let bins = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 16).unwrap();
        let there = buffer(&device, &values);
        aggregated::shared_histogram::launch(&device, 5000, &there, &bins).unwrap();
        assert_eq!(bins.to_vec().unwrap(), expected, "{device:?}");
    }
}

#[test]
fn in_degrees_of_200_vertices_under_every_schedule() {
    let edges: Vec<Edge> = noise(9)
        .zip(noise(10))
        .take(3000)
        .map(|(a, b)| Edge { src: a % 200, dst: b % 13 * (b % 200) % 200, weight: () })
        .collect();
    let mut distinct: Vec<(u32, u32)> = edges.iter().map(|edge| (edge.src, edge.dst)).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let edges: Vec<Edge> =
        distinct.iter().map(|&(src, dst)| Edge { src, dst, weight: () }).collect();
    let mut expected = [0u32; 200];
    edges.iter().for_each(|edge| expected[edge.dst as usize] += 1);
    for device in devices() {
        let graph = SlabGraph::from_edges(&device, 200, &edges, &SlabOptions::DEFAULT).unwrap();
        for schedule in Schedule::ALL {
            let degrees = DeviceBuffer::zeroed(&device, 200).unwrap();
            aggregated::in_degrees::launch_with(schedule, &device, 0..200, &graph, &degrees)
                .unwrap();
            assert_eq!(degrees.to_vec().unwrap(), expected, "{device:?}, {schedule:?}");
        }
        let degrees = DeviceBuffer::zeroed(&device, 200).unwrap();
        let listed = buffer(&device, &edges);
        aggregated::listed_in_degrees::launch(&device, &listed, &degrees).unwrap();
        assert_eq!(degrees.to_vec().unwrap(), expected, "{device:?}");
    }
}

/// How often lanes are together is not the language's, so this looks at the instructions.
#[test]
fn an_aggregated_add_groups_lanes_by_address_and_has_one_atomic() {
    if !nvrtc_is_present() {
        return;
    }
    let ptx = aggregated::tickets::info().ptx().expect("it compiles");
    for instruction in ["activemask.b32", "match.any.sync.b64", "atom."] {
        let lines: Vec<_> = ptx.lines().filter(|line| line.contains(instruction)).collect();
        assert_eq!(lines.len(), 1, "{instruction}: {lines:?}");
    }
}

#[test]
fn aggregated_adds_compile_under_every_schedule_for_each_generation_of_gpus() {
    let operators = Schedule::ALL.map(aggregated::in_degrees::info_with);
    assert_all_compile(&[aggregated::kernels(), operators.to_vec()].concat());
}
