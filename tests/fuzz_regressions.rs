//! What the fuzzer found, each cut down to a kernel of its own.

#![allow(clippy::identity_op, clippy::precedence, reason = "kernels say what the fuzzer said")]

mod support;

use meerkat::prelude::*;
use support::devices::devices;

type Launch =
    fn(&Device, u32, &DeviceBuffer<Atomic<u32>>, &mut DeviceBuffer<u32>) -> Result<(), Error>;

/// Launches 32 lanes with a zeroed cell each, on every device.
#[track_caller]
fn expect(launch: Launch, expected: impl Fn(u32) -> u32) {
    for device in devices() {
        let own = DeviceBuffer::zeroed(&device, 256).expect("memory");
        let mut out = DeviceBuffer::zeroed(&device, 256).expect("memory");
        launch(&device, 32, &own, &mut out).expect("the launch");
        let found = out.read(0, 32).expect("memory");
        let expected: Vec<_> = (0..32).map(&expected).collect();
        assert_eq!(found, expected, "{}", device.name());
    }
}

#[device]
fn bump(me: u32, own: &[Atomic<u32>]) -> u32 {
    own[me].fetch_add(1);
    own[me].load()
}

#[kernel]
fn load_then_call(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    out[me] = own[me].load() * 10 + bump(me, own);
}

#[test]
fn an_operand_is_read_before_a_later_call_changes_it() {
    expect(|d, n, own, out| load_then_call::launch(d, n, own, out), |_| 1);
}

#[kernel]
fn call_in_an_arm(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    out[me] = if me > 3 { bump(me, own) } else { 0 };
    out[me] = own[me].load();
}

#[test]
fn only_the_lanes_of_an_arm_make_its_call() {
    expect(|d, n, own, out| call_in_an_arm::launch(d, n, own, out), |i| u32::from(i > 3));
}

#[kernel]
fn read_then_dequeue(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut queue = warp_ballot(true);
    let value = (queue & 1) * 10 + warp_dequeue(&mut queue);
    out[me] = value;
}

#[test]
fn a_queue_is_read_before_it_is_dequeued() {
    expect(|d, n, own, out| read_then_dequeue::launch(d, n, own, out), |_| 10);
}

#[kernel]
fn add_then_reduce(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    out[me] = own[me].fetch_add(1) + warp_reduce_sum(own[me].fetch_add(10));
}

#[test]
fn an_atomic_goes_before_the_collective_on_its_right() {
    expect(|d, n, own, out| add_then_reduce::launch(d, n, own, out), |_| 32);
}

#[kernel]
fn continue_from_within(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut n = 0u32;
    'outer: while n < 2 {
        n += 1;
        if me > 3 {
            let mut k = 0u32;
            loop {
                k += 1;
                if k == 3 {
                    continue 'outer;
                }
            }
        }
    }
    out[me] = n;
}

#[test]
fn lanes_leave_an_inner_loop_for_an_outer_one() {
    expect(|d, n, own, out| continue_from_within::launch(d, n, own, out), |_| 2);
}

#[kernel]
fn up_to_the_largest(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let from = 250u8 + (me & 3) as u8;
    let mut n = 0u32;
    for _turn in from..=255u8 {
        n += 1;
    }
    out[me] = n;
}

#[test]
fn a_range_that_ends_at_the_largest_number_ends() {
    expect(|d, n, own, out| up_to_the_largest::launch(d, n, own, out), |i| 6 - (i & 3));
}

#[kernel]
fn moving_bound(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut bound = me & 3;
    let mut n = 0u32;
    for _turn in 0..bound {
        bound = 7;
        n += 1;
    }
    out[me] = n + bound * 100;
}

#[test]
fn a_range_is_settled_before_its_loop() {
    let expected = |i| (i & 3) + if i & 3 > 0 { 700 } else { 0 };
    expect(|d, n, own, out| moving_bound::launch(d, n, own, out), expected);
}

#[device]
fn chosen(x: u32) -> u32 {
    if x > 3 { x + 1 } else { x }
}

#[kernel]
fn branch_as_result(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    out[me] = chosen(me);
}

#[test]
fn a_function_ends_with_a_branch_that_parts_lanes() {
    expect(|d, n, own, out| branch_as_result::launch(d, n, own, out), |i| i + u32::from(i > 3));
}

#[kernel]
fn signs(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let x = me as f32;
    let y = -(-x) + -(-2.0f32);
    let small = (me as i16 & 7).min(3i16 | 4);
    out[me] = y as u32 * 100 + small as u32;
}

#[test]
fn two_signs_are_no_decrement_and_narrow_operands_have_one_minimum() {
    expect(|d, n, own, out| signs::launch(d, n, own, out), |i| (i + 2) * 100 + (i & 7));
}

#[kernel]
fn promoted(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let x = 200u8 | (me as u8 & 1);
    let sum = ((x & 254) + (x | 8)) >> 1u32;
    out[me] = sum as u32 + (!(x ^ x)) as u32 * 1000;
}

#[test]
fn narrow_operands_are_not_computed_as_int() {
    let expected = |i: u32| {
        let x = 200u8 | (i as u8 & 1);
        u32::from((x & 254).wrapping_add(x | 8) >> 1) + 255_000
    };
    expect(|d, n, own, out| promoted::launch(d, n, own, out), expected);
}

#[kernel]
fn one_label_twice(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut n = 0u32;
    'outer: while n < 10 {
        loop {
            n += 3;
            if n > me {
                break 'outer;
            }
            continue 'outer;
        }
    }
    'outer: loop {
        loop {
            n += 1;
            if n > 20 {
                break 'outer;
            }
        }
    }
    out[me] = n;
}

#[test]
fn two_loops_of_a_function_may_have_one_label() {
    expect(|d, n, own, out| one_label_twice::launch(d, n, own, out), |_| 21);
}
