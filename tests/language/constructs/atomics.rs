//! Every atomic method, on every type that has it.

use super::kernels::atomics::{self, Narrow, Wide};
use super::{buffer, expect};
use meerkat::prelude::*;
use meerkat::runtime::DeviceType;
use meerkat::testing::nvrtc_is_present;
use std::fmt::Debug;

/// Cells that lanes share and that end alike whatever their order.
#[track_caller]
fn expect_cells<T: DeviceType + Debug + PartialEq>(
    start: &[T],
    end: &[T],
    launch: impl Fn(&Device, &DeviceBuffer<Atomic<T>>) -> Result<(), Error>,
) {
    expect(end, |device, out| {
        let cells = buffer::<Atomic<T>>(device, start);
        launch(device, &cells)?;
        out.write(0, &cells.to_vec()?)
    });
}

macro_rules! number_tests {
    ($($name:ident $ty:ident $add:path, $sub:path;)*) => {$(
        #[test]
        fn $name() {
            // Whole numbers: float sums are exact in any order.
            let values: Vec<$ty> = (0..1000u32).map(|i| (i * 7919 % 1009) as $ty).collect();
            let mut start = vec![500 as $ty; 1004];
            start[3] = 3 as $ty;
            let mut end = start.clone();
            end[0] = values.iter().fold(end[0], |sum, &x| $add(sum, x));
            end[1] = values.iter().fold(end[1], |sum, &x| $sub(sum, x));
            end[2] = values.iter().fold(end[2], |low, &x| if x < low { x } else { low });
            end[3] = values.iter().fold(end[3], |high, &x| if x > high { x } else { high });
            end[4..].copy_from_slice(&values);
            expect_cells(&start, &end, |device, cells| {
                atomics::$ty::shared::launch(device, 1000, &buffer(device, &values), cells)
            });

            let first: Vec<$ty> = (0..1000u32).map(|i| (i * 31 % 97) as $ty).collect();
            let alone = |(&x, &start): (&$ty, &$ty)| {
                let (a, b) = (start, start);
                let c = x;
                let d = $add(c, a);
                let mut cell = $sub(d, x);
                let e = cell;
                cell = if cell == a { x } else { cell };
                let f = cell;
                cell = if cell == a { b } else { cell };
                let g = cell;
                let h = if c < g { c } else { g };
                [b, c, d, e, f, g, h].into_iter().fold(a, |sum, x| $add(sum, x))
            };
            let expected: Vec<$ty> = values.iter().zip(&first).map(alone).collect();
            expect(&expected, |device, out| {
                let cells = buffer(device, &first);
                atomics::$ty::before::launch(device, 1000, &buffer(device, &values), &cells, out)
            });
        }
    )*};
}

fn add<T: std::ops::Add<Output = T>>(a: T, b: T) -> T {
    a + b
}

fn sub<T: std::ops::Sub<Output = T>>(a: T, b: T) -> T {
    a - b
}

number_tests! {
    u32_atomics_of_1000_lanes u32 u32::wrapping_add, u32::wrapping_sub;
    i32_atomics_of_1000_lanes i32 i32::wrapping_add, i32::wrapping_sub;
    u64_atomics_of_1000_lanes u64 u64::wrapping_add, u64::wrapping_sub;
    i64_atomics_of_1000_lanes i64 i64::wrapping_add, i64::wrapping_sub;
    f32_atomics_of_1000_lanes f32 add, sub;
    f64_atomics_of_1000_lanes f64 add, sub;
}

#[test]
fn signed_minima_and_maxima_of_4_lanes_know_their_sign() {
    let (ints, longs) = ([-5, 7, i32::MIN, 3], [-5i64, 7, i64::MIN, i64::MAX]);
    let end = [ints.iter().fold(0i32, |s, x| s.wrapping_add(*x)), 0, i32::MIN, 7];
    let mut end = end.to_vec();
    end[1] = end[0].wrapping_neg();
    end.extend(ints);
    expect_cells(&[0; 8], &end, |device, cells| {
        atomics::i32::shared::launch(device, 4, &buffer(device, &ints), cells)
    });
    let sum = longs.iter().fold(0i64, |s, x| s.wrapping_add(*x));
    let mut end = vec![sum, sum.wrapping_neg(), i64::MIN, i64::MAX];
    end.extend(longs);
    expect_cells(&[0; 8], &end, |device, cells| {
        atomics::i64::shared::launch(device, 4, &buffer(device, &longs), cells)
    });
}

#[test]
fn float_minima_and_maxima_of_4_lanes_know_their_sign() {
    let values = [-5.0f32, 7.5, -0.25, 3.0];
    let mut end = vec![5.25, -5.25, -5.0, 7.5];
    end.extend(values);
    expect_cells(&[0.0; 8], &end, |device, cells| {
        atomics::f32::shared::launch(device, 4, &buffer(device, &values), cells)
    });
}

macro_rules! bit_tests {
    ($($name:ident $module:ident $ty:ident;)*) => {$(
        #[test]
        fn $name() {
            let values: Vec<$ty> =
                (0..1000u32).map(|i| !((1 as $ty) << (i * 13 % 61 % $ty::BITS))).collect();
            let start = |i: usize| if i == 0 { !0 } else { (i as $ty).wrapping_mul(12_345) };
            let start: Vec<$ty> = (0..1003).map(start).collect();
            let mut end = start.clone();
            let mut seen = vec![0; 1000];
            for (i, &x) in values.iter().enumerate() {
                end[0] &= x;
                end[1] |= x;
                end[2] ^= x;
                let own = &mut end[3 + i];
                seen[i] = own.wrapping_add(*own & x).wrapping_add(*own & x | 12);
                *own = (*own & x | 12) ^ x;
            }
            expect(&seen, |device, out| {
                let cells = buffer(device, &start);
                atomics::$module::bitwise::launch(device, 1000, &buffer(device, &values), &cells, out)?;
                assert_eq!(cells.to_vec()?, end, "{}", device.name());
                Ok(())
            });
        }
    )*};
}

bit_tests! {
    u32_bitwise_atomics_of_1000_lanes bits_u32 u32;
    i32_bitwise_atomics_of_1000_lanes bits_i32 i32;
    u64_bitwise_atomics_of_1000_lanes bits_u64 u64;
    i64_bitwise_atomics_of_1000_lanes bits_i64 i64;
}

#[test]
fn structs_of_8_bytes_from_1000_lanes_compare_by_their_last_field() {
    let values: Vec<Wide> =
        (0..1000).map(|i| Wide { parent: i * 7919 % 1013, distance: 5 + i * 31 % 17 }).collect();
    let key = |value: &Wide| (value.distance, value.parent);
    let start = Wide { parent: 3, distance: 12 };
    let mut end = vec![start; 1002];
    end[0] = values.iter().copied().chain([start]).min_by_key(key).expect("some");
    end[1] = values.iter().copied().chain([start]).max_by_key(key).expect("some");
    let expected: Vec<_> =
        values.iter().map(|v| Wide { parent: v.parent * 2, distance: 12 }).collect();
    expect(&expected, |device, out| {
        let cells = buffer(device, &vec![start; 1002]);
        atomics::wide::shared::launch(device, 1000, &buffer(device, &values), &cells, out)?;
        assert_eq!(cells.to_vec()?, end, "{}", device.name());
        Ok(())
    });
}

#[test]
fn structs_of_4_bytes_from_1000_lanes_compare_by_their_last_field() {
    let value = |i: u32| Narrow {
        color: (i * 7919) as u16,
        level: (i * 31) as u8,
        rank: (3 + i * 17 % 250) as u8,
    };
    let values: Vec<_> = (0..1000).map(value).collect();
    let key = |value: &Narrow| (value.rank, value.level, value.color);
    let start = Narrow { color: 1, level: 2, rank: 100 };
    let mut end = vec![start; 1002];
    end[0] = values.iter().copied().chain([start]).min_by_key(key).expect("some");
    end[1] = values.iter().copied().chain([start]).max_by_key(key).expect("some");
    let expected: Vec<_> =
        values.iter().map(|v| Narrow { color: v.color, level: 2, rank: 100 }).collect();
    expect(&expected, |device, out| {
        let cells = buffer(device, &vec![start; 1002]);
        atomics::narrow::shared::launch(device, 1000, &buffer(device, &values), &cells, out)?;
        assert_eq!(cells.to_vec()?, end, "{}", device.name());
        Ok(())
    });
}

#[test]
fn a_compare_and_swap_loop_of_1000_lanes_loses_no_update() {
    let value = (0..1000).fold(1u32, |x, _| x * 2 % 1_000_003 + 1);
    expect_cells(&[1, 0], &[value, 1000], |device, cells| {
        atomics::spin::launch(device, 1000, cells, 1000)
    });
}

#[test]
fn what_20000_lanes_wrote_is_there_where_they_published_it() {
    macro_rules! each {
        ($($kernel:ident $ty:ident)*) => {$(
            expect(&[1u32; 20_000], |device, out| {
                let values = DeviceBuffer::<Atomic<$ty>>::zeroed(device, 20_000)?;
                let ready = DeviceBuffer::<Atomic<$ty>>::zeroed(device, 20_000)?;
                let last = buffer::<Atomic<u32>>(device, &[u32::MAX]);
                atomics::$kernel::launch(device, 20_000, &values, &last, &ready, out)
            });
        )*};
    }
    each!(published_u32 u32 published_u64 u64 published_f32 f32);
}

/// An order cannot be waited for, so this looks at the instructions.
#[test]
fn publishing_is_by_fences_a_release_and_an_acquire() {
    if !nvrtc_is_present() {
        return;
    }
    for (kernel, bits) in
        [(atomics::published_u32::info(), 32), (atomics::published_u64::info(), 64)]
    {
        let ptx = kernel.ptx().unwrap();
        let count = |instruction: &str| ptx.matches(instruction).count();
        assert_eq!(count(&format!("st.release.gpu.u{bits} ")), 1, "{ptx}");
        assert_eq!(count(&format!("ld.acquire.gpu.u{bits} ")), 1, "{ptx}");
        assert_eq!(count("membar.gl") + count("fence."), 2, "{ptx}");
    }
}
