//! The words of tiles against serial ones.

use super::kernels::tiles::{self, Words};
use super::{buffer, expect, noise};
use meerkat::prelude::*;

/// The values of thread `i`'s tile.
fn tile(a: &[u32], size: usize, i: usize) -> &[u32] {
    &a[i / size * size..][..size]
}

fn words(a: &[u32], size: usize, i: usize) -> Words {
    let x = tile(a, size, i);
    let lane = i % size;
    Words {
        lane: lane as u32,
        ballot: x.iter().zip(0..).map(|(x, at)| u32::from(x % 3 == 0) << at).sum(),
        any: x.iter().any(|x| x % 5 == 0),
        all: x.iter().all(|x| x % 5 != 0 || *x > 100),
        first: x[1],
        mirrored: x[size - 1 - lane] as f32,
        sum: x.iter().map(|&x| u64::from(x)).sum(),
        least: x.iter().map(|&x| x as i32).min().unwrap_or(0),
        most: x.iter().copied().max().unwrap_or(0),
        bits: x.iter().fold(0, |bits, x| bits | x),
    }
}

/// What the work list gives thread `i`.
fn worked(a: &[u32], size: usize, i: usize) -> u32 {
    let (x, lane) = (tile(a, size, i), i % size);
    if x[lane] % 3 == 0 {
        return 0;
    }
    let turn = x[..=lane].iter().filter(|x| *x % 3 != 0).count() as u32;
    x.iter().filter(|other| **other < x[lane]).count() as u32 + 100 * turn
}

macro_rules! tests {
    ($($module:ident $size:literal $words:ident $list:ident $apart:ident $enqueue:ident;)*) => {$(
        #[test]
        fn $words() {
            let a: Vec<u32> = noise(31).take(160).map(|x| x % 1000 * (x & 1)).collect();
            let expected: Vec<Words> = (0..160).map(|i| words(&a, $size, i)).collect();
            expect(&expected, |device, out| {
                tiles::$module::words::launch(device, 160, &buffer(device, &a), out)
            });
        }

        #[test]
        fn $list() {
            let a: Vec<u32> = noise(37).take(160).map(|x| x % 50).collect();
            let expected: Vec<u32> = (0..160).map(|i| worked(&a, $size, i)).collect();
            expect(&expected, |device, out| {
                tiles::$module::work_list::launch(device, 160, &buffer(device, &a), out)
            });
        }

        #[test]
        fn $apart() {
            let a: Vec<u32> = noise(43).take(160).collect();
            let own = |i: usize| if a[i] % 3 == 0 { 1 + (i % $size) as u32 } else { 0 };
            let expected: Vec<u32> = (0..160).map(own).collect();
            expect(&expected, |device, out| {
                tiles::$module::apart::launch(device, 160, &buffer(device, &a), out)
            });
        }

        #[test]
        fn $enqueue() {
            for device in super::devices() {
                for (count, modulus) in [(1000, 1), (333, 3), (5, 2), (0, 1)] {
                    let mut frontiers = Frontiers::new(&device, 1000, &[]).expect("memory");
                    tiles::$module::enqueue::launch(
                        &device, 1000, count, modulus, frontiers.next(),
                    )
                    .expect("a run");
                    frontiers.advance().expect("room for all");
                    let mut found = frontiers.to_vec().expect("a copy");
                    found.sort_unstable();
                    let wanted = |i: &u32| i / $size % 2 == 0 && i % modulus == 0;
                    let expected: Vec<u32> = (0..count).filter(wanted).collect();
                    assert_eq!(found, expected, "{}", device.name());
                }
            }
        }
    )*};
}

tests! {
    of_4 4 words_of_tiles_of_4 work_lists_of_tiles_of_4 lanes_of_tiles_of_4_ask_apart
        tiles_of_4_enqueue_apart;
    of_8 8 words_of_tiles_of_8 work_lists_of_tiles_of_8 lanes_of_tiles_of_8_ask_apart
        tiles_of_8_enqueue_apart;
    of_16 16 words_of_tiles_of_16 work_lists_of_tiles_of_16 lanes_of_tiles_of_16_ask_apart
        tiles_of_16_enqueue_apart;
}

#[test]
fn a_tile_of_4_works_where_a_tile_of_16_is_whole() {
    let a: Vec<u32> = noise(41).take(160).map(|x| x % 97).collect();
    let expected: Vec<u32> = (0..160)
        .map(|i| {
            let (small, large) = (tile(&a, 4, i), tile(&a, 16, i));
            let most = large.iter().copied().max().unwrap_or(0);
            if most > 90 { small.iter().sum::<u32>() + most } else { 0 }
        })
        .collect();
    expect(&expected, |device, out| tiles::nested::launch(device, 160, &buffer(device, &a), out));
}
