//! Methods of numbers against Rust's own.

use super::kernels::methods;
use super::{buffer, expect, expect_by, noise};
use meerkat::prelude::*;
use meerkat::runtime::cuda::Arch;
use meerkat::runtime::cuda::nvrtc::{Options, Source, compile_ptx};
use meerkat::testing::nvrtc_is_present;

macro_rules! integer_tests {
    ($($name:ident $ty:ident)*) => {$(
        #[test]
        fn $name() {
            let edges = [
                $ty::MIN, $ty::MIN + 1, $ty::MAX, $ty::MAX - 1, $ty::MAX / 2, $ty::MAX / 2 + 1,
                0, 1, 2, 3, 100, (0 as $ty).wrapping_sub(1),
            ];
            let random = noise(7).map(|x| u64::from(x).wrapping_mul(0x9e37_79b9_7f4a_7c15) as $ty);
            let values: Vec<$ty> = edges.into_iter().chain(random.take(20)).collect();
            let (a, b): (Vec<_>, Vec<_>) =
                values.iter().flat_map(|&x| values.iter().map(move |&y| (x, y))).unzip();
            let distances: Vec<u32> = (0..a.len() as u32).map(|i| i % 71).collect();
            let results = |i: usize| {
                let (x, y, by) = (a[i], b[i], distances[i]);
                methods::$ty::Results {
                    less: x.saturating_sub(y),
                    times: x.saturating_mul(y),
                    negated: x.wrapping_neg(),
                    power: x.wrapping_pow(by),
                    square: x.wrapping_mul(x),
                    left: x.rotate_left(by),
                    right: x.rotate_right(by),
                    seventh: x.rotate_left(7),
                    swapped: x.swap_bytes(),
                    reversed: x.reverse_bits(),
                    // Where 3 is more than `y`, that is what comes out.
                    clamped: x.max(3).min(y),
                }
            };
            let expected: Vec<_> = (0..a.len()).map(results).collect();
            expect(&expected, |device, out| {
                let (a, b) = (buffer(device, &a), buffer(device, &b));
                let count = a.len() as u32;
                methods::$ty::operate::launch(device, count, &a, &b, &buffer(device, &distances), out)
            });
        }
    )*};
}

integer_tests! {
    u8_methods_of_1024_pairs u8
    u16_methods_of_1024_pairs u16
    u32_methods_of_1024_pairs u32
    u64_methods_of_1024_pairs u64
    i8_methods_of_1024_pairs i8
    i16_methods_of_1024_pairs i16
    i32_methods_of_1024_pairs i32
    i64_methods_of_1024_pairs i64
}

#[test]
fn differences_of_unsigned_numbers_have_no_sign() {
    macro_rules! each {
        ($($kernel:ident $ty:ident)*) => {$(
            let (a, b) = ([0, 5, $ty::MAX, 0, 7, 200], [0, 7, 0, $ty::MAX, 5, 100]);
            expect(&[0, 2, $ty::MAX, $ty::MAX, 2, 100], |device, out| {
                methods::$kernel::launch(device, 6, &buffer(device, &a), &buffer(device, &b), out)
            });
        )*};
    }
    each!(differences_u8 u8 differences_u16 u16 differences_u32 u32 differences_u64 u64);
}

#[test]
fn signs_of_the_smallest_and_largest_and_of_0() {
    macro_rules! each {
        ($($kernel:ident $ty:ident)*) => {$(
            let a = [$ty::MIN, -1, 0, 1, $ty::MAX];
            expect(&[-1, -1, 0, 1, 1], |device, out| {
                methods::$kernel::launch(device, 5, &buffer(device, &a), out)
            });
        )*};
    }
    each!(signs_i8 i8 signs_i16 i16 signs_i32 i32 signs_i64 i64);
}

macro_rules! float_tests {
    ($($exact:ident $close:ident $ty:ident $bits:ident;)*) => {$(
        #[test]
        fn $exact() {
            let least = $ty::from_bits(1);
            let half = 0.5 as $ty;
            let whole = 1.0 / $ty::EPSILON;
            let edges = [
                0.0, least, $ty::MIN_POSITIVE, half, half.next_down(), 1.0, 1.5, 2.5, 2.4999, 1e9,
                whole - half, whole, $ty::MAX, $ty::INFINITY, $ty::NAN, 0.1, 3.7,
            ];
            let values: Vec<$ty> = edges.into_iter().flat_map(|x| [x, -x]).collect();
            let (a, b): (Vec<_>, Vec<_>) =
                values.iter().flat_map(|&x| values.iter().map(move |&y| (x, y))).unzip();
            let results = |(&x, &y): (&$ty, &$ty)| methods::$ty::Exact {
                floor: x.floor(),
                ceil: x.ceil(),
                round: x.round(),
                trunc: x.trunc(),
                root: x.sqrt(),
                fused: x.mul_add(y, x),
                copied: x.copysign(y),
                sign: x.signum(),
                clamped: x.clamp(-2.5, 1.0),
                next: $ty::from_bits(x.to_bits() ^ 1),
                bits: x.to_bits(),
                kinds: $bits::from(x.is_finite()) | $bits::from(x.is_infinite()) << 1,
            };
            let expected: Vec<_> = a.iter().zip(&b).map(results).collect();
            let alike = |a: &methods::$ty::Exact, b: &methods::$ty::Exact| {
                let floats = |x: &methods::$ty::Exact| {
                    [x.floor, x.ceil, x.round, x.trunc, x.root, x.fused, x.copied, x.sign,
                        x.clamped, x.next]
                };
                let same = |(x, y): ($ty, $ty)| {
                    x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
                };
                floats(a).into_iter().zip(floats(b)).all(same) && (a.bits, a.kinds) == (b.bits, b.kinds)
            };
            // Subnormals among them are what `fast_math` would flush.
            for options in [Schedule::Auto.into(), Schedule::Auto.fast_math()] {
                expect_by(&expected, alike, |device, out| {
                    let (a, b) = (buffer(device, &a), buffer(device, &b));
                    methods::$ty::exact::launch_with(options, device, a.len() as u32, &a, &b, out)
                });
            }
        }

        #[test]
        fn $close() {
            let random = noise(11).take(500).map(|x| x as $ty / 536_870_912.0);
            let values = [0.0, 1.0, 0.5, 2.0, 10.0, 1e-6, 700.0, $ty::INFINITY, $ty::NAN];
            let a: Vec<$ty> = random.chain(values).flat_map(|x| [x, -x]).collect();
            let b: Vec<$ty> = (0..a.len()).map(|i| (i % 9) as $ty - 3.5).collect();
            let results = |(&x, &y): (&$ty, &$ty)| methods::$ty::Close {
                exp: x.exp(),
                exp2: x.exp2(),
                ln: x.ln(),
                log2: x.log2(),
                power: x.powf(y),
                sin: x.sin(),
                cos: x.cos(),
            };
            let expected: Vec<_> = a.iter().zip(&b).map(results).collect();
            // Twice CUDA's bounds in units of the last place: those of the C library are its own.
            let close = |a: &methods::$ty::Close, b: &methods::$ty::Close| {
                let all = |x: &methods::$ty::Close| [x.exp, x.exp2, x.ln, x.log2, x.power, x.sin, x.cos];
                all(a).into_iter().zip(all(b)).zip([2, 4, 2, 2, 8, 4, 4]).all(|((x, y), ulps)| {
                    let room = ulps as $ty * ($ty::EPSILON * y.abs() + $ty::from_bits(1));
                    x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= room
                })
            };
            expect_by(&expected, close, |device, out| {
                let (a, b) = (buffer(device, &a), buffer(device, &b));
                methods::$ty::close::launch(device, a.len() as u32, &a, &b, out)
            });
        }
    )*};
}

float_tests! {
    f32_methods_that_are_exact_also_with_fast_math f32_methods_to_the_last_bits f32 u32;
    f64_methods_that_are_exact_also_with_fast_math f64_methods_to_the_last_bits f64 u64;
}

/// `fast_math` would flush and approximate what the prelude did not write in assembly.
#[test]
fn fast_math_leaves_the_instructions_of_exact_methods_alone() {
    if !nvrtc_is_present() {
        return;
    }
    let kernel = methods::f32::exact::info();
    let text = kernel.cuda_program();
    let options = Options { fast_math: true, ..Options::new(Arch::new(9, 0)) };
    let ptx = compile_ptx(&Source { name: kernel.name(), text: &text }, &options).unwrap();
    let count = |instruction: &str| ptx.matches(&format!("{instruction} ")).count();
    // `round` truncates as well.
    let exact =
        ["cvt.rmi.f32.f32", "cvt.rpi.f32.f32", "cvt.rzi.f32.f32", "sqrt.rn.f32", "fma.rn.f32"];
    assert_eq!(exact.map(count), [1, 1, 2, 1, 1], "{ptx}");
    assert!(!ptx.contains("sqrt.approx") && !ptx.contains("fma.rn.ftz"), "{ptx}");
}
