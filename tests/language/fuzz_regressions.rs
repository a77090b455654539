//! What the fuzzer found, each cut down to a kernel of its own.

#![allow(arithmetic_overflow, reason = "distances are masked")]
#![allow(clippy::identity_op, clippy::precedence, reason = "kernels say what the fuzzer said")]

use crate::support::devices::devices;
use meerkat::prelude::*;
use std::marker::PhantomData;

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

#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
struct Marked {
    number: u32,
    kind: PhantomData<f32>,
}

#[kernel]
fn mark(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let marked = Marked { kind: PhantomData, number: me * 2 };
    out[me] = marked.number;
}

/// NVRTC refused a field that CUDA's struct does not have.
#[test]
fn a_struct_with_a_phantom_field_is_made_in_a_kernel() {
    assert_eq!(size_of::<Marked>(), 4);
    expect(|d, n, own, out| mark::launch(d, n, own, out), |i| i * 2);
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
fn a_range_is_evaluated_before_its_loop() {
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

#[kernel]
fn effects_in_broadcast(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    // CUDA launches whole blocks, so each warp counts for itself.
    let warp = global_warp_id();
    let nothing = warp_broadcast(own[warp].fetch_add(1) & 0, 0);
    let together = warp_ballot(true) & 0;
    out[me] = own[warp].load() + nothing + together;
}

#[test]
fn every_lane_computes_what_is_broadcast() {
    expect(|d, n, own, out| effects_in_broadcast::launch(d, n, own, out), |_| 32);
}

#[kernel]
fn effects_in_shuffle(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let nothing = tile::<8>().shuffle(own[me].fetch_add(1) & 0, 3);
    out[me] = own[me].load() + nothing;
}

#[test]
fn every_lane_computes_what_its_tile_shuffles() {
    expect(|d, n, own, out| effects_in_shuffle::launch(d, n, own, out), |_| 1);
}

#[kernel]
fn effects_in_place(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut cells = [0u32; 4];
    cells[own[me].fetch_add(1) & 3] += 5;
    out[me] = own[me].load() * 100 + cells[0];
}

#[test]
fn a_place_is_evaluated_once() {
    expect(|d, n, own, out| effects_in_place::launch(d, n, own, out), |_| 105);
}

#[kernel]
fn name_matched(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let matched = 100u32;
    let value = match me & 31 {
        0 => matched,
        _ => 2u32,
    };
    out[me] = value;
}

#[test]
fn a_variable_may_be_called_matched() {
    expect(|d, n, own, out| name_matched::launch(d, n, own, out), |i| if i == 0 { 100 } else { 2 });
}

const LIMIT: u32 = 7;

#[kernel]
fn constant_pattern(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let value = match me {
        LIMIT => 1u32,
        _ => 2,
    };
    out[me] = value;
}

#[test]
fn a_pattern_may_name_a_constant() {
    expect(
        |d, n, own, out| constant_pattern::launch(d, n, own, out),
        |i| if i == 7 { 1 } else { 2 },
    );
}

#[kernel]
fn negative_patterns(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let x = me as i32 - 5;
    let value = match x {
        -5 => 1u32,
        -3..=-1 => 2,
        _ => 3,
    };
    out[me] = value;
}

#[test]
fn a_pattern_may_be_negative() {
    let expected = |i| match i {
        0 => 1,
        2..=4 => 2,
        _ => 3,
    };
    expect(|d, n, own, out| negative_patterns::launch(d, n, own, out), expected);
}

#[kernel]
fn arrays_by_any_name(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let cells = [1u32, 2, 3];
    let copy = cells;
    let uniform: Uniform<[u32; 2]> = [5, 6];
    let mut sum = copy[me % 3] + uniform[me & 1] * 10 + cells[2u32] * 100;
    if me > 3 {
        let cells = me;
        sum += cells * 1000;
    }
    out[me] = sum + cells[me % 3] * 100_000;
}

#[test]
fn an_array_may_be_copied_shadowed_uniform_and_indexed_with_a_suffix() {
    let expected = |i: u32| {
        let own = if i > 3 { i * 1000 } else { 0 };
        i % 3 + 1 + (5 + (i & 1)) * 10 + 300 + own + (i % 3 + 1) * 100_000
    };
    expect(|d, n, own, out| arrays_by_any_name::launch(d, n, own, out), expected);
}

#[kernel]
fn own_element_as_index(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut cells = [1u32, 0, 3, 2];
    cells[cells[1] & 3] |= me;
    cells[cells[2]] = cells[cells[3]] + 4;
    out[me] = cells[0] * 100 + cells[3];
}

#[test]
fn an_element_may_be_the_index_of_another() {
    expect(|d, n, own, out| own_element_as_index::launch(d, n, own, out), |i| (1 | i) * 100 + 7);
}

#[device]
fn half(x: u32) -> u32 {
    x / 2
}

#[kernel]
fn calls_not_always(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let plain = 1 + if me > 3 { me + half(me) } else { 0 };
    let own_first = 1 + if me > 3 { own[me].load() * 10 + bump(me, own) } else { 0 };
    if me > 7 && own[me].load() * 10 + bump(me, own) == 12 {
        own[me].fetch_add(100);
    }
    if me > 30 || own[me].load() + bump(me, own) > 1 {
        own[me].fetch_add(1000);
    }
    out[me] = if me > 3 { own[me].load() + half(me) } else { plain };
    out[me] += own_first * 10_000_000;
}

#[test]
fn what_may_not_run_may_have_operands_in_order() {
    let expected = |i: u32| {
        let bumped = u32::from(i > 3);
        let mut own = bumped;
        own += if i > 7 { 101 } else { 0 };
        own += if i > 30 { 1000 } else { 1 };
        own += if i <= 30 && own > 1 { 1000 } else { 0 };
        let value = if i > 3 { own + i / 2 } else { 1 };
        value + (1 + bumped) * 10_000_000
    };
    expect(|d, n, own, out| calls_not_always::launch(d, n, own, out), expected);
}

#[kernel]
fn call_in_a_condition_of_a_loop(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut turns = 0u32;
    while own[me].load() * 2 + bump(me, own) < me {
        turns += 1;
        if turns == 3 {
            continue;
        }
        turns += 10;
    }
    out[me] = turns;
}

#[test]
fn the_condition_of_a_loop_is_evaluated_in_every_turn() {
    let expected = |i: u32| {
        let (mut own, mut turns) = (0, 0);
        loop {
            let before = own;
            own += 1;
            if before * 2 + own >= i {
                return turns;
            }
            turns += 1;
            turns += if turns == 3 { 0 } else { 10 };
        }
    };
    expect(|d, n, own, out| call_in_a_condition_of_a_loop::launch(d, n, own, out), expected);
}

#[kernel]
fn branches_to_a_place(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    out[me] = if me > 3 {
        let x = own[me].fetch_add(1);
        x + 7
    } else {
        half(me)
    };
}

#[test]
fn branches_may_fill_a_place() {
    let expected = |i: u32| if i > 3 { 7 } else { i / 2 };
    expect(|d, n, own, out| branches_to_a_place::launch(d, n, own, out), expected);
}

#[kernel]
fn update_then_load(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    out[me] = own[me].fetch_add(1) * 10 + own[me].load();
    own[0].load();
    out[me] += own[me].fetch_add(1) * 1000 + warp_ballot(own[me].load() > 1) * 0;
}

#[test]
fn an_operand_changes_what_a_later_one_reads() {
    expect(|d, n, own, out| update_then_load::launch(d, n, own, out), |_| 1001);
}

#[kernel]
fn ends_of_loops(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut n = 0u32;
    for i in 0..(me & 7) {
        let i_end = i * 2;
        n += i_end;
    }
    let i_end = me & 7;
    let i_more = 2u32;
    for i in 0..(i_end + 1) {
        n += i;
    }
    for i in 0..=(i_end + i_more) {
        n += i;
    }
    out[me] = n;
}

#[test]
fn a_variable_may_be_called_i_end() {
    let expected = |i: u32| {
        let k = i & 7;
        (0..k).map(|j| j * 2).sum::<u32>() + (0..=k).sum::<u32>() + (0..=k + 2).sum::<u32>()
    };
    expect(|d, n, own, out| ends_of_loops::launch(d, n, own, out), expected);
}

#[device]
fn first_above(x: u32, limit: Uniform<u32>) -> u32 {
    for _turn in 0..(x & 3) {
        for i in 0..limit {
            if i > 2 {
                let found: TileUniform<8, u32> = i * 3;
                return found + x;
            }
        }
    }
    100
}

#[kernel]
fn loops_left_together(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut sum = 0u32;
    for i in 0u32..=5 {
        if i == me {
            break;
        }
        if i == 3 {
            continue;
        }
        sum += i;
    }
    out[me] = sum * 1000 + first_above(me, 5);
}

#[test]
fn a_range_stays_uniform_for_the_lanes_still_in_it() {
    let expected = |i: u32| {
        let sum: u32 = (0..i.min(6)).filter(|k| *k != 3).sum();
        sum * 1000 + if i & 3 > 0 { 9 + i } else { 100 }
    };
    expect(|d, n, own, out| loops_left_together::launch(d, n, own, out), expected);
}

#[device]
fn votes(x: u32) -> u32 {
    warp_ballot(x > 3)
}

#[kernel]
fn collective_guard(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let limit = warp_count();
    out[me] = match limit {
        0 => 0u32,
        n if votes(me) != (own[me].fetch_add(1) & 0) ^ n => own[me].load(),
        _ => 7,
    };
}

#[test]
fn a_guard_may_call_a_collective_that_all_lanes_reach() {
    expect(|d, n, own, out| collective_guard::launch(d, n, own, out), |_| 1);
}

#[device]
fn turns_until(x: u32, own: &[Atomic<u32>]) -> u32 {
    let limit: Uniform<u32> = 2;
    let mut turns = 0u32;
    'outer: for _turn in 0..(x & 3) {
        let mut i = 0u32;
        while own.len() / (510 - i) < limit {
            i += 255;
            turns += 1;
            if i > 255 {
                continue 'outer;
            }
        }
    }
    turns
}

#[kernel]
fn condition_without_lanes(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    out[me] = turns_until(me, own);
}

// The condition would divide by zero once all lanes have left the loop.
#[test]
fn a_condition_is_not_computed_for_no_lane() {
    expect(|d, n, own, out| condition_without_lanes::launch(d, n, own, out), |i| 2 * (i & 3));
}

#[kernel]
fn least_absolute(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let least = 0x8000_0000u32.wrapping_add(me & 1) as i32;
    let divisor = (warp_shuffle_down(i32::MAX, 31) - (me & 2) as i32) | 1;
    let negated = if least < 0 { -least } else { least };
    out[me] = (least.abs() % divisor) as u32 ^ (negated % divisor) as u32 * 3;
}

// CUDA 13.0's assembler takes `abs.s32` to be no less than 0.
#[test]
fn the_least_number_is_negative_when_it_is_made_absolute() {
    let expected = |i: u32| {
        let least = i32::MIN + (i & 1) as i32;
        let divisor = (i32::MAX - (i & 2) as i32) | 1;
        let rest = (least.wrapping_abs() % divisor) as u32;
        rest ^ rest.wrapping_mul(3)
    };
    expect(|d, n, own, out| least_absolute::launch(d, n, own, out), expected);
}

#[kernel]
fn least_negated(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let least = 0x8000u32.wrapping_add(me & 1) as i16;
    out[me] = (-least) as i32 as u32;
}

// CUDA 13.0's assembler widens `neg.s16` before it computes.
#[test]
fn the_least_i16_negated_is_itself() {
    let expected = |i: u32| if i & 1 == 0 { 0xffff_8000 } else { 0x7fff };
    expect(|d, n, own, out| least_negated::launch(d, n, own, out), expected);
}

#[kernel]
fn tiles_then_warp(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut work = tile::<8>().ballot(me % 3 == 0 || me < 4);
    let mut sum = 0u32;
    while work != 0 {
        let lane = tile::<8>().dequeue(&mut work);
        sum += tile::<8>().broadcast(me, lane) + 1;
    }
    out[me] = warp_reduce_sum(sum) ^ warp_shuffle_xor(sum, 9);
}

// CUDA 13.0's assembler takes tiles to be together again after their loop, and
// leaves out the wait before the warp's collective: the full mask must be unknown to it.
#[test]
fn collectives_of_the_warp_wait_for_tiles_that_went_apart() {
    let taken = |lane: u32| lane.is_multiple_of(3) || lane < 4;
    let sum = move |lane: u32| {
        let tile = lane / 8 * 8;
        (tile..tile + 8).filter(|lane| taken(*lane)).map(|lane| lane + 1).sum::<u32>()
    };
    let total: u32 = (0..32).map(sum).sum();
    let expected = move |i: u32| total ^ sum(i ^ 9);
    expect(|d, n, own, out| tiles_then_warp::launch(d, n, own, out), expected);
    let program = tiles_then_warp::info().cuda_program();
    assert!(program.starts_with("#define MEERKAT_TILES_AND_WARPS"), "the mask is no constant");
}

#[derive(Clone, Copy, Debug, Default, DeviceStruct)]
#[repr(C)]
struct Counter {
    step: u32,
}

#[device]
impl Counter {
    fn bumped(self, mut by: u32, own: &[Atomic<u32>], me: u32) -> u32 {
        by += own[me].fetch_add(self.step);
        by
    }
}

#[kernel]
fn method_with_a_slice(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let counter: Counter = Counter { step: 7 };
    out[me] = counter.bumped(me, own, me) * 100 + own[me].load();
}

#[test]
fn a_method_takes_slices_and_changes_its_parameters() {
    expect(|d, n, own, out| method_with_a_slice::launch(d, n, own, out), |i| i * 100 + 7);
}

#[derive(Clone, Copy, Debug, Default, DeviceStruct)]
#[repr(C)]
struct Distances {
    wide: u64,
    narrow: i8,
}

#[kernel]
fn distances_of_any_type(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let by = Distances { wide: (me & 7) as u64 + 1, narrow: 2 };
    let mut x = 3u32;
    x <<= by.wide - 1;
    out[me] = (x << by.narrow * 2) >> (by.wide - 1 + 1) << 1;
}

#[test]
fn a_distance_takes_its_literals_types_from_itself() {
    let shifted = |i: u32| 3 << (i & 7) << 4 >> ((i & 7) + 1) << 1;
    expect(|d, n, own, out| distances_of_any_type::launch(d, n, own, out), shifted);
}

#[kernel]
fn tuples_of_flags(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut pair = (me & 1 == 0 || me > 9, me as u8);
    if me > 20 {
        pair = ((me % 3 == 1) ^ pair.0, 7u8);
    }
    let (flag, _): (bool, u32) = ((me > 3) & pair.0, pair.1 as u32);
    out[me] = flag as u32 + pair.1 as u32 * 2;
}

#[test]
fn flags_in_tuples_stay_flags_and_parts_without_a_name_declare_nothing() {
    let expected = |i: u32| {
        let (mut flag, mut small) = (i & 1 == 0 || i > 9, i);
        if i > 20 {
            (flag, small) = ((i % 3 == 1) ^ flag, 7);
        }
        u32::from(i > 3 && flag) + small * 2
    };
    expect(|d, n, own, out| tuples_of_flags::launch(d, n, own, out), expected);
    // What C++ would not take is seen without a GPU.
    if meerkat::runtime::cuda::nvrtc::version().is_ok() {
        tuples_of_flags::info().ptx().expect("CUDA");
    }
}

#[kernel]
fn unused_choice(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let (_, first) = (select(me > 3, 7u32, own[me].fetch_add(5)), me);
    select(me > 9, own[me].fetch_add(first), 3);
    out[me] = own[me].load();
}

#[test]
fn operands_of_an_unused_select_act() {
    expect(|d, n, own, out| unused_choice::launch(d, n, own, out), |i| 5 + i);
}

#[kernel]
fn idle_tiles(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let first = warp_broadcast(own[me].fetch_add(lane_id()) + lane_id(), 3);
    let mut work = tile::<4>().ballot(own[me].load() % 3 == 1);
    while work != 0 {
        let _lane = tile::<4>().dequeue(&mut work);
    }
    out[me] = first * 1000 + warp_broadcast(work + me % 32, 21);
}

/// On a GPU the assembler had the second broadcast wait for nobody: the loop of tiles
/// was gone, what parted them was not, and the first broadcast had waited.
#[test]
fn a_collective_of_the_warp_waits_again_behind_an_idle_loop_of_tiles() {
    expect(|d, n, own, out| idle_tiles::launch(d, n, own, out), |_| 3021);
}

#[kernel]
fn numbers_of_the_other_kind(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let (half, whole) = (7.5 as u32, -7 as f64);
    out[me] = half + (whole * -2.0) as u32 + (-1.5 as i32 + 3) as u32 + me;
}

/// The copy that rustc checks left their types open.
#[test]
fn a_literal_under_a_cast_to_the_other_kind_is_what_rust_falls_back_to() {
    expect(|d, n, own, out| numbers_of_the_other_kind::launch(d, n, own, out), |i| 23 + i);
    if meerkat::runtime::cuda::nvrtc::version().is_ok() {
        numbers_of_the_other_kind::info().ptx().expect("CUDA");
    }
}

#[kernel]
fn literals_in_branches(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut sum = me;
    sum = if me > 3 {
        let pair = (me, -5);
        pair.0 + pair.1 as u32
    } else {
        sum
    };
    out[me] = sum;
}

/// The macro gave up on variables of the branches of what is assigned.
#[test]
fn variables_inside_an_assigned_choice_have_types() {
    let expected = |i: u32| if i > 3 { i.wrapping_sub(5) } else { i };
    expect(|d, n, own, out| literals_in_branches::launch(d, n, own, out), expected);
}

#[kernel]
fn array_of_literals(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let (mut items, big) = ([1, 2, 3], 1u64 << 40);
    let mut zeros = [0; 4];
    items[me % 2] = big;
    zeros[me % 4] += items[me % 2];
    out[me] = (items[2] + (zeros[me % 4] >> 38)) as u32;
}

/// It was taken for memory that other lanes may write.
#[test]
fn an_array_of_literals_is_the_lanes_own() {
    expect(|d, n, own, out| array_of_literals::launch(d, n, own, out), |_| 7);
}

#[kernel]
fn negative_distances(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let wide = u64::MAX;
    out[me] = (wide >> -4) as u32 + (wide >> (7 / -2)) as u32 + (me << !31);
}

/// The copy that rustc checks took such a distance for a `u32`.
#[test]
fn a_distance_of_literals_is_an_i32() {
    expect(|d, n, own, out| negative_distances::launch(d, n, own, out), |i| 15 + 7 + i);
}

type Wide = (u32, u64);

#[kernel]
fn parts_by_an_alias(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let (own, big): Wide = (me, 1 << 40);
    out[me] = own + (big >> 38) as u32;
}

/// Each part got a variable of its own, and the alias was forgotten: a wrong answer.
#[test]
fn an_alias_types_the_parts_of_a_tuple() {
    expect(|d, n, own, out| parts_by_an_alias::launch(d, n, own, out), |i| i + 4);
}

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Raw {
    r#type: u32,
}

#[vertex_operator]
fn raw_names_in_a_walk(v: Vertex, graph: &Graph<u32>, out: &mut [u32]) {
    let own = Raw { r#type: v };
    let mut r#struct = 0u32;
    for_each_neighbor(graph, v, true, |_dst, weight| r#struct += weight + own.r#type);
    out[v] = r#struct;
}

/// The macro made `own_r#type` and `r#struct_part` of them, and panicked.
#[test]
fn what_lanes_of_a_walk_share_may_have_a_raw_name() {
    for device in devices() {
        let edges = [(0, 1, 5), (0, 2, 7), (2, 0, 1)];
        let edges = edges.map(|(src, dst, weight)| Edge { src, dst, weight });
        let options = SlabOptions::DEFAULT;
        let graph = SlabGraph::from_edges(&device, 3, &edges, &options).expect("a graph");
        let mut out = DeviceBuffer::zeroed(&device, 3).expect("memory");
        raw_names_in_a_walk::launch(&device, 0..3, &graph, &mut out).expect("the launch");
        assert_eq!(out.to_vec().expect("memory"), [12, 0, 3], "{}", device.name());
    }
}

#[device]
fn twice(x: u8) -> u8 {
    x * 2
}

#[kernel]
fn typed_by_the_left_side(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let (mut turn, mut sum) = (0, 0);
    while turn < 4 {
        sum += ((u8::MAX - turn) - twice(turn.saturating_add(7))) as u32;
        turn += 1;
    }
    out[me] = sum;
}

#[test]
fn a_left_side_says_the_type_before_a_call_asks_for_it() {
    expect(|d, n, own, out| typed_by_the_left_side::launch(d, n, own, out), |_| 946);
}

#[kernel]
fn chosen_broadcast(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    out[me] = if out.len() == 0 { 7 } else { warp_broadcast(own[me].fetch_add(1) & 0, 3) };
    out[me] += own[me].load();
}

/// A choice that is the same in all lanes stood in the loop over the lanes, so that each
/// ran the collective for all: 32 additions to each cell on the CPU.
#[test]
fn a_chosen_collective_runs_once() {
    expect(|d, n, own, out| chosen_broadcast::launch(d, n, own, out), |_| 1);
}

#[device]
trait Twice {
    fn twice(self) -> Self;
}

#[device]
impl Twice for u32 {
    fn twice(self) -> u32 {
        self * 2
    }
}

#[device]
impl Twice for u16 {
    fn twice(self) -> u16 {
        self * 2
    }
}

#[device]
fn lowered(x: u32, by: u32) -> u32 {
    x - by
}

#[kernel]
fn typed_by_an_index(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let bits = !(0xffffffff << 3);
    own[(bits >> me) & 31].fetch_max(lowered(bits.saturating_add(me), me));
    let cell = 3;
    own[cell].fetch_max(cell.twice());
    for i in 0..2 {
        own[i + 4].fetch_max(lowered(i.twice(), i));
    }
    // None of these waits for a type.
    let mut turn = 1;
    own[turn].fetch_max(1);
    turn = lowered(turn.saturating_add(2), 2);
    own[2].fetch_max(lowered(turn.saturating_add(2), 1));
    let known: u32 = 6;
    own[known & 7].fetch_max(lowered(known.saturating_add(1), 6));
    let read = lowered(me, me);
    own[read & 7].fetch_max(lowered(read.saturating_add(1), read + 1));
    let bound = 8;
    if me > bound {
        out[me] = 1;
    } else if own[bound & 3].load() < bound && lowered(bound.twice(), 8) == 8 {
        out[me] = own[me].load();
    }
}

/// A call ran in front of the expression around it, and rustc met `bits.saturating_add(me)`
/// before `own[bits >> me]` said what `bits` is.
#[test]
fn an_index_says_the_type_before_a_call_asks_for_it() {
    let cell = |me| match me {
        0 | 1 | 3 | 7 => 7,
        2 => 2,
        5 | 6 => 1,
        _ => 0,
    };
    expect(
        |d, n, own, out| typed_by_an_index::launch(d, n, own, out),
        |me| if me > 8 { 1 } else { cell(me) },
    );
}

#[kernel]
fn typed_by_a_walk(graph: &Graph<u32>, out: &mut [u32]) {
    let me = thread_id();
    let (one, all) = (0x10 & 63, 0);
    let mut sum = 0;
    for_each_neighbor(graph, one, lowered(one.twice(), 32) == 0, |dst, weight| sum += dst + weight);
    let second = 1;
    for_each_common_neighbor(graph, all, second, second.leading_zeros() == 31, |w| sum += w);
    let (third, list) = (0, 0);
    for_each_bucket(graph, third, list, third.twice() == list.twice(), |dst| sum += dst);
    out[me] = sum;
}

/// The vertex of a walk stood after its condition, which needs its type.
#[test]
fn the_vertex_of_a_walk_says_the_type_before_its_condition_asks_for_it() {
    for device in devices() {
        let edges = [(0, 1, 5), (0, 2, 7), (1, 2, 1), (16, 3, 100)];
        let edges = edges.map(|(src, dst, weight)| Edge { src, dst, weight });
        let options = SlabOptions::DEFAULT;
        let graph = SlabGraph::from_edges(&device, 17, &edges, &options).expect("a graph");
        let mut out = DeviceBuffer::zeroed(&device, 256).expect("memory");
        typed_by_a_walk::launch(&device, 32, &graph, &mut out).expect("the launch");
        let found = out.read(0, 32).expect("memory");
        assert_eq!(found, [103 + 2 + 3; 32], "{}", device.name());
    }
}

#[device]
fn same<T: Number>(x: T) -> T {
    x
}

#[vertex_operator]
fn typed_in_a_closure(v: Vertex, graph: &Graph<u32>, sums: &[Atomic<u32>]) {
    let five = 5;
    for_each_neighbor(graph, v, true, |_dst| {
        sums[five & 15].fetch_add(lowered(five.count_ones(), 1));
    });
    let two = 2;
    let chosen = if v == 0 { sums[two & 15].fetch_add(lowered(two.twice(), 1)) } else { 0 };
    let one = same(1);
    sums[one & 15].fetch_add(lowered(one.twice(), 1) + chosen);
}

/// What the lanes of a walk share, the sides of a choice, the result of a generic function.
#[test]
fn an_index_says_the_type_in_closures_and_choices_too() {
    for device in devices() {
        let edges = [(0, 1, 5), (0, 2, 7), (1, 2, 1)];
        let edges = edges.map(|(src, dst, weight)| Edge { src, dst, weight });
        let graph =
            SlabGraph::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT).expect("a graph");
        let sums = DeviceBuffer::zeroed(&device, 16).expect("memory");
        typed_in_a_closure::launch(&device, 0..3, &graph, &sums).expect("the launch");
        let found = sums.to_vec().expect("memory");
        assert_eq!(found[..6], [0, 3, 3, 0, 0, 3], "{}", device.name());
    }
}

#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
struct Couple<T: Number> {
    left: T,
    tag: u32,
    right: T,
}

#[device]
trait Swapped {
    const NONE: Self;
    fn swapped(self, other: Self) -> Self;
}

#[device]
impl Swapped for u32 {
    const NONE: Self = 23u32;
    fn swapped(self, other: Self) -> Self {
        self ^ other
    }
}

#[device]
fn held<T: DeviceType>(first: bool, one: T, other: T) -> T {
    if first { one } else { other }
}

#[device]
impl<T: Number> Couple<T> {
    fn code(self, other: T) -> Self {
        match self.tag {
            1 => Couple { left: other, tag: lane_id().swapped(u32::NONE), right: T::from_u32(7) },
            2 => held(warp_count() < 3, self, self),
            _ => Self { left: self.right, tag: 5, right: self.left },
        }
    }
}

#[kernel]
fn literal_beside_a_call(out: &mut [u32]) {
    let me = thread_id();
    let couple = Couple { left: me % 10, tag: me % 3, right: 2 }.code(8u32);
    out[me] = couple.left * 10_000 + couple.tag * 100 + couple.right;
}

/// The type of a choice was that of its first side as the literal names it: without `<T>`.
#[test]
fn a_choice_of_a_generic_struct_has_its_arguments() {
    for device in devices() {
        let mut out = DeviceBuffer::zeroed(&device, 256).expect("memory");
        literal_beside_a_call::launch(&device, 256, &mut out).expect("the launch");
        let of = |me: u32| match me % 3 {
            1 => 8 * 10_000 + ((me % 32) ^ 23) * 100 + 7,
            2 => (me % 10) * 10_000 + 202,
            _ => 2 * 10_000 + 500 + me % 10,
        };
        let expected: Vec<u32> = (0..256).map(of).collect();
        assert_eq!(out.to_vec().expect("memory"), expected, "{}", device.name());
    }
}

type Pair = Couple<u32>;

#[device]
fn of_an_alias(x: Pair) -> Pair {
    match x.tag {
        1 => Couple { left: 8u32, tag: 3, right: 7 },
        2 => held(warp_count() < 3, x, x),
        _ => Couple { left: x.right, tag: 5, right: x.left },
    }
}

#[device]
fn without_a_place(left: u32) -> u32 {
    let one = Couple { left, tag: 4, right: 2u32 };
    let chosen =
        if left > 3 { Couple { left: 8u32, tag: 3, right: 7 } } else { held(true, one, one) };
    let again = match left {
        0 => Couple { left: 9u32, tag: 1, right: 1 },
        1 => held(true, chosen, one),
        _ => chosen,
    };
    let mut last = again;
    if left == 2 {
        last = held(false, again, one);
    }
    last.left * 10 + last.tag
}

#[kernel]
fn literals_without_arguments(out: &mut [u32]) {
    let me = thread_id();
    let pair = of_an_alias(Couple { left: me % 10, tag: me % 3, right: 2 });
    out[me] =
        pair.left * 100_000 + pair.tag * 10_000 + pair.right * 1_000 + without_a_place(me % 5);
}

/// A call beside such a literal was written with the type of the literal, where its place
/// has no name for the arguments, or there is no place.
#[test]
fn a_call_beside_a_literal_of_a_generic_struct_has_a_type_of_its_own() {
    for device in devices() {
        let mut out = DeviceBuffer::zeroed(&device, 256).expect("memory");
        literals_without_arguments::launch(&device, 256, &mut out).expect("the launch");
        let of = |me: u32| {
            let pair = match me % 3 {
                1 => 8 * 100_000 + 3 * 10_000 + 7 * 1_000,
                2 => (me % 10) * 100_000 + 2 * 10_000 + 2 * 1_000,
                _ => 2 * 100_000 + 5 * 10_000 + (me % 10) * 1_000,
            };
            pair + match me % 5 {
                0 => 91,
                1 => 14,
                2 => 24,
                3 => 34,
                _ => 83,
            }
        };
        let expected: Vec<u32> = (0..256).map(of).collect();
        assert_eq!(out.to_vec().expect("memory"), expected, "{}", device.name());
    }
}
