//! Arithmetic, comparison and casts of every number type at the edges.

use super::kernels::{casts, floats, integers};
use super::{buffer, expect, expect_by};
use meerkat::prelude::*;

/// All ordered pairs of some values.
fn pairs<T: Copy>(values: &[T]) -> (Vec<T>, Vec<T>) {
    values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).unzip()
}

macro_rules! integer_tests {
    ($($name:ident $ty:ident)*) => {$(
        #[test]
        fn $name() {
            const EDGES: [$ty; 12] = [
                $ty::MIN, $ty::MIN + 1, $ty::MAX, $ty::MAX - 1, $ty::MAX / 2, $ty::MAX / 2 + 1,
                0, 1, 2, 3, 0 as $ty ^ (100 as $ty), (0 as $ty).wrapping_sub(1),
            ];
            let (a, b) = pairs(&EDGES);
            let count = a.len() as u32;
            let both = || a.iter().copied().zip(b.iter().copied());
            let results = |(x, y): ($ty, $ty)| {
                let divisor = if y == 0 { 3 } else { y };
                integers::$ty::Results {
                    sum: x.wrapping_add(y),
                    difference: x.wrapping_sub(y),
                    product: x.wrapping_mul(y),
                    quotient: x.wrapping_div(divisor),
                    remainder: x.wrapping_rem(divisor),
                    both: x & y,
                    either: x | y,
                    exclusive: x ^ y,
                    inverted: !x,
                    left: x.wrapping_shl(y as u32),
                    right: x.wrapping_shr(y as u32),
                    smaller: if x < y { x } else { y },
                    larger: if x < y { y } else { x },
                    saturated: x.saturating_add(y),
                    wrapped: x.wrapping_add(y).wrapping_mul(3).wrapping_sub(y),
                }
            };
            let expected: Vec<_> = both().map(results).collect();
            expect(&expected, |device, out| {
                integers::$ty::operate::launch(device, count, &buffer(device, &a), &buffer(device, &b), out)
            });

            let assigned = |(x, y): ($ty, $ty)| {
                let x = x.wrapping_add(y).wrapping_mul(3).wrapping_sub(7);
                let x = (((x ^ y) | 8) & 127).wrapping_shl(3).wrapping_add(100);
                (x >> 1).wrapping_div(3).wrapping_rem(17)
            };
            let expected: Vec<_> = both().map(assigned).collect();
            expect(&expected, |device, out| {
                integers::$ty::assign::launch(device, count, &buffer(device, &a), &buffer(device, &b), out)
            });

            let compared = |(x, y): ($ty, $ty)| {
                let order = [x == y, x != y, x < y, x <= y, x > y, x >= y];
                let order = (0..6).map(|bit| u32::from(order[bit]) << bit).sum::<u32>();
                order | x.count_ones() << 6 | x.leading_zeros() << 14 | x.trailing_zeros() << 22
            };
            let expected: Vec<_> = both().map(compared).collect();
            expect(&expected, |device, out| {
                integers::$ty::compare::launch(device, count, &buffer(device, &a), &buffer(device, &b), out)
            });
        }
    )*};
}

integer_tests! {
    u8_operators_on_144_pairs_of_edges_are_rusts u8
    u16_operators_on_144_pairs_of_edges_are_rusts u16
    u32_operators_on_144_pairs_of_edges_are_rusts u32
    u64_operators_on_144_pairs_of_edges_are_rusts u64
    i8_operators_on_144_pairs_of_edges_are_rusts i8
    i16_operators_on_144_pairs_of_edges_are_rusts i16
    i32_operators_on_144_pairs_of_edges_are_rusts i32
    i64_operators_on_144_pairs_of_edges_are_rusts i64
}

macro_rules! negation_tests {
    ($($name:ident $module:ident $ty:ident)*) => {$(
        #[test]
        fn $name() {
            let a = [$ty::MIN, $ty::MIN + 1, -1, 0, 1, $ty::MAX, 77, -77];
            let negated: Vec<_> = a.iter().map(|x| x.wrapping_neg().wrapping_sub(5)).collect();
            let absolute: Vec<_> = a.iter().map(|x| x.wrapping_abs()).collect();
            expect(&negated, |device, out| {
                let mut other = DeviceBuffer::zeroed(device, a.len())?;
                integers::$module::negate::launch(device, 8, &buffer(device, &a), out, &mut other)?;
                assert_eq!(other.to_vec()?, absolute, "{}", device.name());
                Ok(())
            });
        }
    )*};
}

negation_tests! {
    i8_negation_of_8_edges_wraps negate_i8 i8
    i16_negation_of_8_edges_wraps negate_i16 i16
    i32_negation_of_8_edges_wraps negate_i32 i32
    i64_negation_of_8_edges_wraps negate_i64 i64
}

#[test]
fn bool_operators_on_all_4_pairs_are_rusts() {
    let (a, b) = pairs(&[false, true]);
    let results = |(&x, &y): (&bool, &bool)| {
        let bits =
            [x & y, x | y, x ^ y, !x, x == y, x != y, x ^ y, x & y, x | y, x ^ y, !x | y, !(x & y)];
        bits.iter().enumerate().map(|(at, &bit)| u32::from(bit) << at).sum::<u32>()
    };
    let expected: Vec<_> = a.iter().zip(&b).map(results).collect();
    expect(&expected, |device, out| {
        integers::logic::launch(device, 4, &buffer(device, &a), &buffer(device, &b), out)
    });
}

#[test]
fn literals_of_15_forms_and_4_constants_keep_their_values() {
    let mut sum = 1000u64 + 255 + 15 + 5;
    let terms = [
        u64::MAX,
        0xffff_ffff,
        0xffff_ffff_8000_0000,
        u64::MAX,
        0xff00_0000_0000_0001,
        1 << 63,
        (-128i64) as u64,
        255,
        (-128i64) as u64,
        65535,
        u64::MAX >> 1,
    ];
    for term in terms {
        sum ^= 3 * (sum >> 7) ^ term;
    }
    expect(&[sum; 3], |device, out| integers::literals::launch(device, 3, out));
}

macro_rules! float_tests {
    ($($name:ident $ty:ident)*) => {$(
        #[test]
        fn $name() {
            let edges = [
                0.0, -0.0, 1.0, -1.0, 0.1, -3.7, 2.5e-30, 16_777_217.0, $ty::MAX, $ty::MIN,
                $ty::MIN_POSITIVE, $ty::MIN_POSITIVE / 8.0, $ty::INFINITY, $ty::NEG_INFINITY,
                $ty::NAN, $ty::EPSILON,
            ];
            // Any NaN is as good as another.
            let same = |a: $ty, b: $ty| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            let (a, b) = pairs(&edges);
            let count = a.len() as u32;
            let both = || a.iter().copied().zip(b.iter().copied());
            let results = |(x, y): ($ty, $ty)| {
                let order = [x == y, x != y, x < y, x <= y, x > y, x >= y, x.is_nan()];
                floats::$ty::Results {
                    sum: x + y,
                    difference: x - y,
                    product: x * y,
                    quotient: x / y,
                    negated: -x,
                    smaller: if x.is_nan() || y < x { y } else { x },
                    larger: if x.is_nan() || y > x { y } else { x },
                    absolute: if x.is_sign_negative() { -x } else { x },
                    root: x.sqrt(),
                    unfused: x * y - y * 0.1 + 1.0e-3,
                    order: (0..7).map(|bit| u32::from(order[bit]) << bit).sum(),
                }
            };
            let expected: Vec<_> = both().map(results).collect();
            let alike = |a: &floats::$ty::Results, b: &floats::$ty::Results| {
                // Which zero `min` gives of two is open.
                let close = |a: $ty, b: $ty| a == b || a.is_nan() && b.is_nan();
                same(a.sum, b.sum) && same(a.difference, b.difference)
                    && same(a.product, b.product) && same(a.quotient, b.quotient)
                    && same(a.negated, b.negated)
                    && close(a.smaller, b.smaller) && close(a.larger, b.larger)
                    && same(a.absolute, b.absolute) && same(a.root, b.root)
                    && same(a.unfused, b.unfused) && a.order == b.order
            };
            expect_by(&expected, alike, |device, out| {
                floats::$ty::operate::launch(device, count, &buffer(device, &a), &buffer(device, &b), out)
            });

            let assigned = |(x, y): ($ty, $ty)| ((x + y) * 1.5 - 0.1 * y) / 3.0;
            let expected: Vec<_> = both().map(assigned).collect();
            expect_by(&expected, |a, b| same(*a, *b), |device, out| {
                floats::$ty::assign::launch(device, count, &buffer(device, &a), &buffer(device, &b), out)
            });

            let expected = [
                0.1, $ty::MAX, $ty::MIN, $ty::INFINITY, $ty::NEG_INFINITY, $ty::EPSILON, -0.0,
                16_777_217.0, 1e-7,
            ];
            expect_by(&expected, |a, b| same(*a, *b), |device, out| {
                floats::$ty::constants::launch(device, 9, out)
            });
        }
    )*};
}

float_tests! {
    f32_operators_on_256_pairs_of_edges_are_rusts f32
    f64_operators_on_256_pairs_of_edges_are_rusts f64
}

#[test]
fn f32_bits_of_6_values_are_rusts() {
    let a = [0.0, -0.0, 1.5, f32::INFINITY, -f32::MIN_POSITIVE, f32::MAX];
    let expected = a.map(f32::to_bits);
    expect(&expected, |device, out| floats::bits::launch(device, 6, &buffer(device, &a), out));
}

#[test]
fn f64_bits_of_5_values_are_rusts() {
    let a = [0.0, -0.0, 1.5, f64::INFINITY, -f64::MIN_POSITIVE];
    let expected = a.map(|x: f64| x.to_bits() ^ (x * 2.0).to_bits() << 1);
    expect(&expected, |device, out| floats::wide_bits::launch(device, 5, &buffer(device, &a), out));
}

#[test]
fn float_constants_times_4_values_keep_all_bits() {
    let a = [0.1f32, 3.3, -7.7, 1e30];
    let (single, wide) = (a.map(|x| x * 0.85), a.map(|x| f64::from(x) * (1.0 / 3.0)));
    expect(&single, |device, out| {
        let mut other = DeviceBuffer::zeroed(device, 4)?;
        floats::scaled::launch(device, 4, &buffer(device, &a), out, &mut other)?;
        assert_eq!(other.to_vec()?, wide, "{}", device.name());
        Ok(())
    });
}

macro_rules! cast_tests {
    ($($name:ident $ty:ident [$($value:expr),*])*) => {$(
        #[test]
        fn $name() {
            let a: Vec<$ty> = vec![$($value),*];
            let cast = |&x: &$ty| casts::Casts {
                as_u8: x as u8,
                as_u16: x as u16,
                as_u32: x as u32,
                as_u64: x as u64,
                as_i8: x as i8,
                as_i16: x as i16,
                as_i32: x as i32,
                as_i64: x as i64,
                as_f32: x as f32,
                as_f64: x as f64,
            };
            let expected: Vec<_> = a.iter().map(cast).collect();
            let same = |a: &casts::Casts, b: &casts::Casts| {
                let floats = a.as_f64 == b.as_f64 && a.as_f32 == b.as_f32
                    || a.as_f64.is_nan() && b.as_f64.is_nan() && a.as_f32.is_nan();
                let integers = |c: &casts::Casts| casts::Casts { as_f32: 0.0, as_f64: 0.0, ..*c };
                floats && integers(a) == integers(b)
            };
            expect_by(&expected, same, |device, out| {
                casts::$ty::cast_all::launch(device, a.len() as u32, &buffer(device, &a), out)
            });
        }
    )*};
}

cast_tests! {
    casts_of_4_u8_are_rusts u8 [0, 1, 127, 255]
    casts_of_4_u16_are_rusts u16 [0, 255, 256, u16::MAX]
    casts_of_5_u32_are_rusts u32 [0, 65_536, 16_777_217, i32::MAX as u32 + 1, u32::MAX]
    casts_of_5_u64_are_rusts u64 [0, 1 << 32, (1 << 53) + 1, 1 << 63, u64::MAX]
    casts_of_4_i8_are_rusts i8 [i8::MIN, -1, 0, i8::MAX]
    casts_of_4_i16_are_rusts i16 [i16::MIN, -1, 300, i16::MAX]
    casts_of_5_i32_are_rusts i32 [i32::MIN, -1, 0, 16_777_217, i32::MAX]
    casts_of_5_i64_are_rusts i64 [i64::MIN, -1, 0, (1 << 53) + 1, i64::MAX]
    casts_of_18_f32_saturate_and_nan_is_0 f32 [
        0.0, -0.0, 0.9, -0.9, 1.5, -1.5, 127.9, 128.0, -129.0, 255.5, 256.0, 65_536.0,
        2_147_483_648.0, -2_147_483_904.0, 1e20, f32::INFINITY, f32::NEG_INFINITY, f32::NAN
    ]
    casts_of_16_f64_saturate_and_nan_is_0 f64 [
        0.0, -0.9, 255.999, -128.999, 4_294_967_295.5, 4_294_967_296.0, 2_147_483_647.9,
        -2_147_483_648.9, 9_223_372_036_854_775_807.0, 1.8446744073709552e19, 1e300, -1e300,
        f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.1
    ]
}
