//! Control flow that a back end gets wrong.

use super::{buffer, expect};
use meerkat::prelude::*;

// On the CPU the inner loop never ends: its lanes leave `'outer` by a mask, and
// a loop that all of its lanes leave together is not a masked one.
#[kernel]
fn outer_left_from_a_joint_loop(out: &mut [u32]) {
    let i = thread_id();
    let mut n = 0u32;
    'outer: while n < 100 {
        n += 1;
        if n > lane_id() {
            let mut k = 0u32;
            loop {
                k += 1;
                if k == 3 {
                    break 'outer;
                }
            }
        }
    }
    if i < out.len() {
        out[i] = n;
    }
}

#[test]
fn a_joint_loop_in_a_branch_leaves_a_parted_one_32_lanes() {
    let expected: Vec<u32> = (1..=32).collect();
    expect(&expected, |device, out| outer_left_from_a_joint_loop::launch(device, 32, out));
}

// The same for `return`.
#[device]
fn third_turn(x: u32) -> u32 {
    if x > 5 {
        let mut k = 0u32;
        loop {
            k += 1;
            if k == 3 {
                return k;
            }
        }
    }
    x
}

#[kernel]
fn returns_from_a_joint_loop(out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = third_turn(i);
    }
}

#[test]
fn a_joint_loop_in_a_branch_returns_32_lanes() {
    let expected: Vec<u32> = (0..32).map(|i| if i > 5 { 3 } else { i }).collect();
    expect(&expected, |device, out| returns_from_a_joint_loop::launch(device, 32, out));
}

#[device]
fn bump(calls: &[Atomic<u32>], at: u32) -> u32 {
    calls[at].fetch_add(1) + 1
}

// On the CPU both arms of an `if` within an expression run in all lanes.
#[kernel]
fn call_in_an_arm(calls: &[Atomic<u32>], out: &mut [u32]) {
    let i = thread_id();
    let x = 1u32 + (if i < 4 { bump(calls, i) } else { 0 });
    if i < out.len() {
        out[i] = x;
    }
}

#[device]
fn bumped_below_4(calls: &[Atomic<u32>], i: u32) -> u32 {
    return if i < 4 { bump(calls, i) } else { 0 };
}

// The same for the value of a `return`.
#[kernel]
fn call_in_a_returned_arm(calls: &[Atomic<u32>], out: &mut [u32]) {
    let i = thread_id();
    let x = 1 + bumped_below_4(calls, i);
    if i < out.len() {
        out[i] = x;
    }
}

#[test]
fn a_call_in_an_arm_runs_for_the_4_of_32_lanes_that_take_it() {
    let expected: Vec<u32> = (0..32).map(|i| if i < 4 { 2 } else { 1 }).collect();
    expect(&expected, |device, out| {
        call_in_an_arm::launch(device, 32, &buffer(device, &[0; 4]), out)
    });
    expect(&expected, |device, out| {
        call_in_a_returned_arm::launch(device, 32, &buffer(device, &[0; 4]), out)
    });
}

// On the CPU the second dequeue runs although the queue is empty, and traps.
#[kernel]
fn dequeue_in_an_arm(out: &mut [u32]) {
    let i = thread_id();
    let mut work = warp_ballot(lane_id() == 7);
    let first = if work != 0 { warp_dequeue(&mut work) } else { 32 };
    let second = if work != 0 { warp_dequeue(&mut work) } else { 32 };
    if i < out.len() {
        out[i] = first * 100 + second;
    }
}

#[test]
fn a_dequeue_in_an_arm_runs_only_where_it_is_taken() {
    expect(&[732; 32], |device, out| dequeue_in_an_arm::launch(device, 32, out));
}

// CUDA asks for the end of a range at every turn if it is a variable: 33.
#[kernel]
fn range_with_a_moving_end(out: &mut [u32]) {
    let i = thread_id();
    let mut n = 6u32;
    let mut turns = 0u32;
    for _turn in 0..n {
        n -= 1;
        turns += 1;
    }
    if i < out.len() {
        out[i] = turns * 10 + n;
    }
}

#[test]
fn the_end_of_a_range_is_computed_once() {
    expect(&[60; 32], |device, out| range_with_a_moving_end::launch(device, 32, out));
}

// Endless on CUDA; endless on the CPU where lanes part.
#[kernel]
fn range_to_the_last_value(out: &mut [u32]) {
    let i = thread_id();
    let mut turns = 0u32;
    for _k in 250u8..=255 {
        turns += 100;
    }
    let from = i as u8 + 200;
    for _k in from..=255 {
        turns += 1;
    }
    if i < out.len() {
        out[i] = turns;
    }
}

#[test]
fn a_closed_range_ends_at_the_last_value_of_its_type() {
    let expected: Vec<u32> = (0..32).map(|i| 600 + 56 - i).collect();
    expect(&expected, |device, out| range_to_the_last_value::launch(device, 32, out));
}

// CUDA: "label has already been defined".
#[kernel]
fn one_label_twice(out: &mut [u32]) {
    let i = thread_id();
    let mut n = 0u32;
    'rows: for a in 0..4u32 {
        for b in 0..4u32 {
            if a * b == 6 {
                break 'rows;
            }
            n += 1;
        }
    }
    'rows: for a in 0..4u32 {
        for b in 0..4u32 {
            if a * b == 6 {
                break 'rows;
            }
            n += 1;
        }
    }
    if i < out.len() {
        out[i] = n;
    }
}

#[test]
fn two_loops_have_one_label() {
    expect(&[22; 32], |device, out| one_label_twice::launch(device, 32, out));
}

// On the CPU a call runs before what stands to its left: 66.
#[kernel]
fn load_before_call(cells: &[Atomic<u32>], out: &mut [u32]) {
    let i = thread_id();
    if i < cells.len() {
        out[i] = cells[i].load() * 10 + bump(cells, i);
    }
}

#[test]
fn operands_are_computed_from_left_to_right_in_32_lanes() {
    expect(&[56; 32], |device, out| {
        load_before_call::launch(device, 32, &buffer(device, &[5; 32]), out)
    });
}

// On both: `work` is read after the dequeue has changed it.
#[kernel]
fn read_before_dequeue(out: &mut [u32]) {
    let i = thread_id();
    let mut work = warp_ballot(lane_id() >= 4);
    let x = work + warp_dequeue(&mut work);
    if i < out.len() {
        out[i] = x;
    }
}

#[test]
fn a_queue_left_of_its_dequeue_is_read_before_it() {
    expect(&[0xffff_fff0 + 4; 32], |device, out| read_before_dequeue::launch(device, 32, out));
}

// On both: a name before a pattern matched everything.
#[kernel]
fn bound_patterns(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    if i < a.len() {
        out[i] = match a[i] + 1 {
            n @ 1..=3 => n * 10,
            n @ (4 | 6) if n > 5 => n + 100,
            n @ 7 | n @ 9 => n + 200,
            n if n == 11 => n + 300,
            n => n + 1000,
        };
    }
}

#[test]
fn a_name_in_an_arm_is_bound_to_what_its_pattern_lets_in() {
    let a: Vec<u32> = (0..32).map(|x| x % 14).collect();
    let expected = a.iter().map(|&x| match x + 1 {
        n @ 1..=3 => n * 10,
        n @ 6 => n + 100,
        n @ (7 | 9) => n + 200,
        11 => 311,
        n => n + 1000,
    });
    let expected: Vec<u32> = expected.collect();
    expect(&expected, |device, out| bound_patterns::launch(device, 32, &buffer(device, &a), out));
}

pub(crate) fn kernels() -> Vec<meerkat::runtime::program::KernelInfo> {
    vec![
        outer_left_from_a_joint_loop::info(),
        returns_from_a_joint_loop::info(),
        call_in_an_arm::info(),
        call_in_a_returned_arm::info(),
        dequeue_in_an_arm::info(),
        range_with_a_moving_end::info(),
        range_to_the_last_value::info(),
        one_label_twice::info(),
        load_before_call::info(),
        read_before_dequeue::info(),
        bound_patterns::info(),
    ]
}
