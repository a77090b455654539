//! The words of the warp against a serial warp.

use super::kernels::warp;
use super::{buffer, expect, noise};
use meerkat::prelude::*;

/// 32 values of each warp, and the lane, for every thread.
fn lanes<T: Copy>(threads: usize, of: impl Fn(usize) -> T) -> Vec<(Vec<T>, usize)> {
    let warp = |i: usize| (i / 32 * 32..i / 32 * 32 + 32).map(&of).collect();
    (0..threads).map(|i| (warp(i), i % 32)).collect()
}

#[test]
fn lane_and_warp_ids_of_1000_threads() {
    let expected: Vec<u32> = (0..1000).map(|i| i % 32 + i / 32 * 100 + i % 32 * 10_000).collect();
    expect(&expected, |device, out| warp::identity::launch(device, 1000, out));
}

#[test]
fn votes_of_3_warps_the_last_of_one_lane() {
    let a: Vec<u32> = (0..65).map(|i| if i < 32 { i * 2 } else { i * 3 }).collect();
    let expected: Vec<u32> = lanes(65, |i| a.get(i).copied().unwrap_or(0))
        .iter()
        .map(|(x, _)| {
            let ballot = x.iter().enumerate().map(|(l, &x)| u32::from(x > 50) << l).sum::<u32>();
            ballot ^ u32::from(x.contains(&99)) ^ u32::from(x.iter().all(|&x| x < 100)) << 1
        })
        .collect();
    expect(&expected, |device, out| warp::votes::launch(device, 65, &buffer(device, &a), out));
}

macro_rules! exchange_tests {
    ($($name:ident $module:ident $value:expr;)*) => {$(
        #[test]
        fn $name() {
            let a: Vec<_> = noise(7).take(64).map($value).collect();
            for distance in [0u32, 1, 7, 31] {
                let d = distance as usize;
                let expected: Vec<_> = lanes(64, |i| a[i])
                    .iter()
                    .map(|(x, lane)| warp::$module::Results {
                        broadcast: x[d],
                        shuffle: x[(lane * 7 + 3) % 32],
                        mirrored: x[lane ^ d],
                        up: x[if *lane >= d { lane - d } else { *lane }],
                        down: x[if lane + d < 32 { lane + d } else { *lane }],
                    })
                    .collect();
                expect(&expected, |device, out| {
                    warp::$module::exchange::launch(device, 64, &buffer(device, &a), distance, out)
                });
            }
        }
    )*};
}

exchange_tests! {
    lanes_exchange_bool move_bool |x| x % 2 == 1;
    lanes_exchange_u8 move_u8 |x| x as u8;
    lanes_exchange_i16 move_i16 |x| x as i16;
    lanes_exchange_u32 move_u32 |x| x;
    lanes_exchange_i32 move_i32 |x| x as i32 - 1_000_000_000;
    lanes_exchange_u64 move_u64 |x| u64::from(x) * 0x1_0000_0001;
    lanes_exchange_i64 move_i64 |x| i64::from(x) * -0x1_0000_0001;
    lanes_exchange_f32 move_f32 |x| x as f32 / 7.0;
    lanes_exchange_f64 move_f64 |x| f64::from(x) / -7.0;
}

/// Floats add in the order of a butterfly, as docs/LANGUAGE.md promises.
fn butterfly<T: Copy>(values: &[T], join: impl Fn(T, T) -> T) -> T {
    let mut values = values.to_vec();
    for distance in [16, 8, 4, 2, 1] {
        values = (0..32).map(|lane| join(values[lane], values[lane ^ distance])).collect();
    }
    values[0]
}

macro_rules! reduction_tests {
    ($($name:ident $module:ident $value:expr, $add:expr;)*) => {$(
        #[test]
        fn $name() {
            let a: Vec<_> = noise(11).take(96).map($value).collect();
            let over = |join: &dyn Fn(_, _) -> _| -> Vec<_> {
                lanes(96, |i| a[i]).iter().map(|(x, _)| butterfly(x, join)).collect()
            };
            let least = over(&|a, b| if b < a { b } else { a });
            let most = over(&|a, b| if b > a { b } else { a });
            expect(&over(&$add), |device, out| {
                let mut low = DeviceBuffer::zeroed(device, 96)?;
                let mut high = DeviceBuffer::zeroed(device, 96)?;
                let a = buffer(device, &a);
                warp::$module::reduce::launch(device, 96, &a, out, &mut low, &mut high)?;
                assert_eq!(low.to_vec()?, least, "{}", device.name());
                assert_eq!(high.to_vec()?, most, "{}", device.name());
                Ok(())
            });
        }
    )*};
}

reduction_tests! {
    reductions_of_3_warps_of_u8 reduce_u8 |x| x as u8, |a: u8, b| a.wrapping_add(b);
    reductions_of_3_warps_of_i16 reduce_i16 |x| x as i16, |a: i16, b| a.wrapping_add(b);
    reductions_of_3_warps_of_u32 reduce_u32 |x| x.wrapping_mul(2), |a: u32, b| a.wrapping_add(b);
    reductions_of_3_warps_of_i32 reduce_i32 |x| (x as i32).wrapping_mul(2), |a: i32, b| a.wrapping_add(b);
    reductions_of_3_warps_of_u64 reduce_u64 |x| u64::from(x) << 30, |a: u64, b| a.wrapping_add(b);
    reductions_of_3_warps_of_i64 reduce_i64 |x| i64::from(x) << 33, |a: i64, b| a.wrapping_add(b);
    reductions_of_3_warps_of_f32 reduce_f32 |x| x as f32 / 7.0 - 1e8, |a, b| a + b;
    reductions_of_3_warps_of_f64 reduce_f64 |x| f64::from(x) / 7.0 - 1e8, |a, b| a + b;
}

#[test]
fn or_over_2_warps_of_3_types() {
    let a: Vec<u32> = (0..64).map(|i| if i < 32 { i * 100 } else { 7 }).collect();
    let warps = lanes(64, |i| a[i]);
    let any = |(x, _): &(Vec<u32>, usize)| {
        let bits = x.iter().fold(0, |bits, x| bits | x & 0x0f0f);
        bits + u32::from(x.contains(&7)) * 1_000_000
    };
    let wide: Vec<u64> =
        warps.iter().map(|(x, _)| x.iter().fold(0, |bits, &x| bits | u64::from(x) << 32)).collect();
    let expected: Vec<_> = warps.iter().map(any).collect();
    expect(&expected, |device, out| {
        let mut long = DeviceBuffer::zeroed(device, 64)?;
        warp::reduce_or::launch(device, 64, &buffer(device, &a), &mut long, out)?;
        assert_eq!(long.to_vec()?, wide, "{}", device.name());
        Ok(())
    });
}

#[test]
fn a_work_list_takes_80_items_in_turn() {
    let a: Vec<u32> = noise(5).take(80).map(|x| x % 100).collect();
    let expected: Vec<u32> = lanes(80, |i| a.get(i).copied().unwrap_or(0))
        .iter()
        .map(|(x, lane)| {
            if x[*lane] % 3 == 0 {
                return 0;
            }
            let turn = x[..=*lane].iter().filter(|&x| x % 3 != 0).count() as u32;
            x.iter().filter(|&&y| y < x[*lane]).count() as u32 + 100 * turn
        })
        .collect();
    expect(&expected, |device, out| warp::work_list::launch(device, 80, &buffer(device, &a), out));
}

#[test]
fn nested_work_lists_visit_all_pairs_of_2_warps() {
    let a: Vec<u32> = noise(3).take(64).map(|x| x % 100).collect();
    let expected: Vec<u32> = lanes(64, |i| a[i])
        .iter()
        .map(|(x, lane)| {
            let mine = x[*lane];
            if mine % 2 == 1 {
                return 0;
            }
            let later = x[*lane + 1..].iter().filter(|&y| y % 2 == 0);
            later.filter(|&y| (y + mine) % 3 == 0).count() as u32
        })
        .collect();
    expect(&expected, |device, out| warp::pairs::launch(device, 64, &buffer(device, &a), out));
}

#[test]
fn a_vouched_ballot_of_64_lanes_runs() {
    for flag in [0, 1] {
        expect(&[flag * 0x5555_5555; 64], |device, out| {
            warp::vouched::launch(device, 64, &buffer(device, &[flag]), out)
        });
    }
}

#[test]
fn vouched_writes_reverse_70_elements() {
    let a: Vec<u32> = noise(9).take(70).collect();
    let expected: Vec<u32> = a.iter().rev().copied().collect();
    expect(&expected, |device, out| warp::reversed::launch(device, 70, &buffer(device, &a), out));
}

/// Each effect happens once in each lane.
#[test]
fn chosen_collectives_of_256_lanes_act_once() {
    expect(&[32 + (1 + 3 * 2) + 7; 256], |device, out| {
        let cells = DeviceBuffer::zeroed(device, 256)?;
        warp::chosen::launch(device, 256, &cells, out)
    });
}
