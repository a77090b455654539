//! A branch that parts lanes as the result of a device function.

use super::expect;
use meerkat::prelude::*;

#[device]
fn quotient(x: i32, y: i32) -> i32 {
    if y == 0 { 0 } else { x / y }
}

#[kernel]
fn branch_as_result(out: &mut [i32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = quotient(100, i as i32);
    }
}

#[test]
fn a_branch_that_parts_32_lanes_is_the_result_of_a_function() {
    let expected: Vec<i32> = (0..32).map(|i| if i == 0 { 0 } else { 100 / i }).collect();
    expect(&expected, |device, out| branch_as_result::launch(device, 32, out));
}

pub(crate) fn kernels() -> Vec<meerkat::runtime::program::KernelInfo> {
    vec![branch_as_result::info()]
}
