//! What a `macro_rules!` puts in for `$e:expr`, against the same written out.

use super::expect;
use super::kernels::fragments::{PROGRAMS, run};

fn constants(x: u64) -> u64 {
    10 * 1_000_000 + 10 * 10_000 + x * 5 * 100 + (x + 1) * 3 * 5
}

fn lengths(x: u64) -> u64 {
    x
}

fn products(x: u64) -> u64 {
    (x + 1) * (3 + x) * 1000 + (!(x + 1) & 0xff) + 2
}

#[test]
fn an_expression_that_a_macro_was_given_is_one_operand() {
    let written_out = [constants, lengths, products];
    let expected: Vec<u64> = (0..12).map(|i| written_out[i / 4](i as u64 % 4)).collect();
    // The host calls the functions themselves.
    let called: Vec<u64> = (0..12).map(|i| PROGRAMS[i / 4].1(i as u64 % 4)).collect();
    assert_eq!(called, expected);
    expect(&expected, |device, out| run::launch(device, 12, out));
}
