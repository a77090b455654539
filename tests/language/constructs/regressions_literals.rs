//! Numbers whose type CUDA takes for another: wrong results on CUDA only.

use super::{buffer, expect};
use meerkat::prelude::*;

// `x | 1` is an `int` in C++, and so is its sum, which does not wrap.
#[kernel]
fn promoted(a: &[u8], out: &mut [u32]) {
    let i = thread_id();
    if i < a.len() {
        let x = a[i];
        out[i] = ((x | 1) + x) as u32 + ((x & 0xf0) << 1) as u32 * 1000;
    }
}

#[test]
fn bitwise_results_of_256_u8_do_not_promote() {
    let a: Vec<u8> = (0..=255).collect();
    let value = |&x: &u8| u32::from((x | 1).wrapping_add(x)) + u32::from((x & 0xf0) << 1) * 1000;
    let expected: Vec<u32> = a.iter().map(value).collect();
    expect(&expected, |device, out| promoted::launch(device, 256, &buffer(device, &a), out));
}

// `-i8(100)` is an `int`, `-2147483648` a `long`.
#[kernel]
fn negative_first(a: &[i8], b: &[i32], out: &mut [i64]) {
    let i = thread_id();
    if i < a.len() {
        out[i] = (-100i8 + a[i]) as i64 + (-2147483648i32 + b[i]) as i64;
    }
}

#[test]
fn negative_literals_have_the_type_of_their_suffix() {
    expect(&[56 + i64::from(i32::MAX); 8], |device, out| {
        let (a, b) = (buffer(device, &[-100; 8]), buffer(device, &[-1; 8]));
        negative_first::launch(device, 8, &a, &b, out)
    });
}

#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
struct Totals {
    total: u64,
    share: f32,
    small: u8,
}

const BIG: u64 = 1 << 40;
const DAMPING: f32 = 0.85;

// `wrapping_add(1, totals.total)` adds as `int`; `0.1 * share` in `double`.
#[kernel]
fn literal_first(values: &[Totals], out: &mut [Totals]) {
    let i = thread_id();
    if i < values.len() {
        let value = values[i];
        let total = 1 + value.total;
        let share = 0.1 * value.share;
        let small = 1 + value.small;
        out[i] = Totals { total, share, small: small / 2 };
    }
}

#[test]
fn a_literal_before_a_field_takes_the_fields_type() {
    let value = Totals { total: 1 << 40, share: 3.3, small: 255 };
    let expected = Totals { total: (1 << 40) + 1, share: 0.1 * 3.3, small: 0 };
    expect(&[expected; 8], |device, out| {
        literal_first::launch(device, 8, &buffer(device, &[value; 8]), out)
    });
}

// The same before a constant, and in `select`.
#[kernel]
fn constant_last(out: &mut [u64], scaled: &mut [f32]) {
    let i = thread_id();
    if i < out.len() {
        let total = 1 + BIG;
        let chosen = select(i > 3, 0, BIG);
        let base = 0.1 * DAMPING;
        out[i] = total + chosen;
        scaled[i] = base * 3.3;
    }
}

#[test]
fn a_literal_before_a_constant_takes_the_constants_type() {
    let expected: Vec<u64> = (0..8).map(|i| 1 + BIG + if i > 3 { 0 } else { BIG }).collect();
    expect(&expected, |device, out| {
        let mut scaled = DeviceBuffer::zeroed(device, 8)?;
        constant_last::launch(device, 8, out, &mut scaled)?;
        assert_eq!(scaled.to_vec()?, [0.1 * DAMPING * 3.3; 8], "{}", device.name());
        Ok(())
    });
}

// As C++ `int`s the shifts would drag the sign; an unsuffixed `1` is refused.
#[kernel]
fn shifted_literal(out: &mut [u32]) {
    let i = thread_id();
    let bit = 1u32 << lane_id();
    if i < out.len() {
        out[i] = bit >> 3;
    }
}

#[test]
fn a_literal_shifted_in_32_lanes_has_its_uses_type() {
    let expected: Vec<u32> = (0..32).map(|i| (1u32 << i) >> 3).collect();
    expect(&expected, |device, out| shifted_literal::launch(device, 32, out));
}

// CUDA's own `remainder(double, double)` is chosen over the prelude's: 1.0 % 0.1
// is -1.49e-8 there.
#[kernel]
fn float_remainder(a: &[f32], b: &[f32], out: &mut [f32]) {
    let i = thread_id();
    if i < a.len() {
        out[i] = a[i] % b[i];
    }
}

#[test]
fn float_remainders_truncate() {
    let (a, b) = ([1.0f32, -1.0, 7.5, -7.5, 1e30], [0.1f32, 0.1, 2.0, 2.0, 7.0]);
    let expected: Vec<f32> = a.iter().zip(b).map(|(a, b)| a % b).collect();
    expect(&expected, |device, out| {
        float_remainder::launch(device, 5, &buffer(device, &a), &buffer(device, &b), out)
    });
}

// CUDA: `--x` is a decrement.
#[kernel]
fn negated_twice(a: &[f32], out: &mut [f32]) {
    let i = thread_id();
    if i < a.len() {
        let x = a[i];
        out[i] = -(-x) - -x;
    }
}

#[test]
fn a_float_is_negated_twice() {
    expect(&[6.5; 4], |device, out| {
        negated_twice::launch(device, 4, &buffer(device, &[3.25; 4]), out)
    });
}

// CUDA: `Limits<f32>` has no member `NAN`, `MIN_POSITIVE`.
#[kernel]
fn more_constants(out: &mut [f32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = f32::NAN.min(f32::MIN_POSITIVE);
    }
}

#[test]
fn nan_and_the_smallest_float_are_constants() {
    expect(&[f32::MIN_POSITIVE; 4], |device, out| more_constants::launch(device, 4, out));
}

// On sm_90 a plain negation gave 32768 / 5, not -32768 / 5.
#[kernel]
fn smallest_negated(a: &[i16], b: &[i16], out: &mut [i16]) {
    let i = thread_id();
    if i < a.len() {
        out[i] = (-a[i]) / b[i] + a[i].abs() % b[i];
    }
}

#[test]
fn the_smallest_i16_negated_divides_as_itself() {
    let a = [i16::MIN, i16::MIN, -1, 32767];
    let b = [5i16, 16, 7, -3];
    let expected: Vec<i16> = (a.iter().zip(b))
        .map(|(a, b)| (a.wrapping_neg() / b).wrapping_add(a.wrapping_abs() % b))
        .collect();
    expect(&expected, |device, out| {
        let (a, b) = (DeviceBuffer::from_slice(device, &a)?, DeviceBuffer::from_slice(device, &b)?);
        smallest_negated::launch(device, 4, &a, &b, out)
    });
}

pub(crate) fn kernels() -> Vec<meerkat::runtime::program::KernelInfo> {
    vec![
        smallest_negated::info(),
        promoted::info(),
        negative_first::info(),
        literal_first::info(),
        constant_last::info(),
        shifted_literal::info(),
        float_remainder::info(),
        negated_twice::info(),
        more_constants::info(),
    ]
}
