//! Branches, short circuits and values of control flow.

use super::kernels::{branches, names};
use super::{buffer, expect};
use meerkat::prelude::*;

#[test]
fn short_circuits_of_256_lanes_call_only_where_needed() {
    let (mut calls, mut expected) = ([0u32; 6], Vec::new());
    for i in 0..256u32 {
        let mut count = |at: usize, answer: bool| {
            calls[at] += 1;
            answer
        };
        let and = i % 2 == 0 && count(0, i % 3 == 0);
        let or = i % 2 == 0 || count(1, i % 3 == 0);
        let nested = i % 2 == 0 && (i % 3 == 0 || count(2, i % 5 == 0) && count(3, i > 9));
        if i > 3 && count(4, i > 20) {
            count(5, true);
        }
        expected.push(u32::from(and) | u32::from(or) << 1 | u32::from(nested) << 2);
    }
    expect(&expected, |device, out| {
        let counters = buffer::<Atomic<u32>>(device, &[0; 6]);
        branches::short_circuits::launch(device, 256, &counters, out)?;
        assert_eq!(counters.to_vec()?, calls, "{}", device.name());
        Ok(())
    });
}

#[test]
fn a_bounds_test_guards_the_read_beside_it_in_64_lanes() {
    let a: Vec<u32> = (0..20).map(|i| if i == 0 { 7 } else { i }).collect();
    let expected: Vec<_> = (0..64).map(|i| u32::from((11..20).contains(&i) || i == 40)).collect();
    expect(&expected, |device, out| {
        branches::guarded_read::launch(device, 64, &buffer(device, &a), out)
    });
}

#[test]
fn branches_that_part_100_lanes_and_branches_that_do_not_nest() {
    for limit in [5, 15, 20, 60] {
        let expected: Vec<u32> = (0..100)
            .map(|i| match (limit > 10, i < limit) {
                (false, _) => i,
                (true, true) if limit == 20 => 111,
                (true, true) => 11 + if i % 2 == 0 { 1000 } else { 10_000 },
                (true, false) => 1 + if i < 2 * limit { 100_000 } else { 0 },
            })
            .collect();
        expect(&expected, |device, out| branches::nested::launch(device, 100, limit, out));
    }
}

#[test]
fn if_is_a_value_in_5_places_for_100_lanes() {
    for limit in [3u32, 9] {
        let expected: Vec<u32> = (0..100u32)
            .map(|i| {
                let branchy = match i {
                    _ if i % 2 == 0 => i / 2 * 10,
                    _ if i % 3 == 0 => 3,
                    _ => i + 1,
                };
                let factors = if limit > 5 { 1 } else { 2 } * if i > 5 { 100 } else { 200 };
                let chosen = if limit > 5 { 2 * limit + i } else { i };
                let block = (i + 1) * (i + 1);
                (i.min(limit) + factors)
                    .wrapping_add(1000u32.wrapping_mul(branchy))
                    .wrapping_add(100_000u32.wrapping_mul(chosen))
                    .wrapping_add(1_000_000u32.wrapping_mul(block))
            })
            .collect();
        expect(&expected, |device, out| branches::values::launch(device, 100, limit, out));
    }
}

#[test]
fn uniform_branches_of_2_warps_hold_collectives() {
    for limit in [3u32, 7] {
        let expected: Vec<u32> = (0..64u32)
            .map(|i| {
                let warp = i / 32 * 32;
                let modulus = if limit > 5 { limit } else { 2 };
                let bit = |lane: u32| u32::from((warp + lane) % modulus == 0) << lane;
                let votes = (0..32).map(bit).sum::<u32>();
                votes ^ if warp == 32 { 32 } else { 0 }
            })
            .collect();
        expect(&expected, |device, out| branches::uniform_branch::launch(device, 64, limit, out));
    }
}

#[test]
fn select_chooses_in_40_lanes() {
    let expected: Vec<u32> = (0..40u32)
        .map(|i| if i % 2 == 0 { i } else { i * 100 } + if i < 7 { 3 } else { 5 })
        .collect();
    expect(&expected, |device, out| branches::selects::launch(device, 40, out));
}

#[test]
fn shadowing_in_5_forms_is_rusts_in_33_lanes() {
    let n = 9u32;
    let expected: Vec<u32> = (0..33u32)
        .map(|i| {
            let x = i + n;
            let below = (0..x).map(|x| x + 1).sum::<u32>();
            x * 10 + x * 10 + 5 + below + x + 3 + 4
        })
        .collect();
    expect(&expected, |device, out| names::shadowing::launch(device, 33, n, out));
}

#[test]
fn variables_named_like_25_words_of_cpp_work() {
    let expected: Vec<u32> = (0..33u32)
        .map(|i| (1..=16).sum::<u32>() + 18 + 19 + 20 + 21 + 3 + 3 * 17 + 1000 + i.min(5))
        .collect();
    expect(&expected, |device, out| {
        names::keywords::launch(device, 33, 1000, &buffer(device, &[5]), out)
    });
}

#[test]
fn raw_identifiers_work_in_33_lanes() {
    let expected: Vec<u32> = (0..33).map(|i| i + 4).collect();
    expect(&expected, |device, out| names::raw::launch(device, 33, 4, out));
}

#[test]
fn a_variable_is_named_like_a_field_and_its_struct_under_8_schedules() {
    let edges = [Edge { src: 0, dst: 1, weight: () }, Edge { src: 1, dst: 2, weight: () }];
    for schedule in Schedule::ALL {
        expect(&[0, 7, 0], |device, out| {
            let graph = SlabGraph::from_edges(device, 3, &edges, &SlabOptions::default())?;
            let edges = DeviceBuffer::from_slice(device, &edges)?;
            let cells = DeviceBuffer::<Atomic<u32>>::zeroed(device, 3)?;
            names::like_a_field::launch_with(schedule, device, &edges, &graph, &cells)?;
            out.write(0, &cells.to_vec()?)
        });
    }
}
