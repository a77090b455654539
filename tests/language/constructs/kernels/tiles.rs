//! Every word of tiles of 4, 8 and 16 lanes.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// What each word gave a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Words {
    pub lane: u32,
    pub ballot: u32,
    pub any: bool,
    pub all: bool,
    pub first: u32,
    pub mirrored: f32,
    pub sum: u64,
    pub least: i32,
    pub most: u32,
    pub bits: u32,
}

macro_rules! tiles {
    ($($module:ident $size:tt $enqueue:ident)*) => {$(
        pub mod $module {
            use super::*;

            #[kernel]
            pub fn words(a: &[u32], out: &mut [Words]) {
                let i = thread_id();
                let x = a[i % a.len()];
                let lane = tile::<$size>().lane_id();
                let ballot = tile::<$size>().ballot(x % 3 == 0);
                let any = tile::<$size>().any(x % 5 == 0);
                let all = tile::<$size>().all(x % 5 != 0 || x > 100);
                let first = tile::<$size>().broadcast(x, 1);
                let mirrored = tile::<$size>().shuffle(x as f32, $size - 1 - lane);
                let sum = tile::<$size>().reduce_sum(x as u64);
                let least = tile::<$size>().reduce_min(x as i32);
                let most = tile::<$size>().reduce_max(x);
                let bits = tile::<$size>().reduce_or(x);
                if i < out.len() {
                    out[i] =
                        Words { lane, ballot, any, all, first, mirrored, sum, least, most, bits };
                }
            }

            /// Its place in the tile, which a lane may ask for alone.
            #[kernel]
            pub fn apart(a: &[u32], out: &mut [u32]) {
                let i = thread_id();
                if i < out.len() && a[i % a.len()] % 3 == 0 {
                    out[i] = 1 + tile::<$size>().lane_id();
                }
            }

            /// How many of the tile have less, from a function of the tile.
            #[device]
            fn smaller(x: u32, than: TileUniform<$size, u32>) -> TileUniform<$size, u32> {
                if than == 0 {
                    return 0;
                }
                tile::<$size>().ballot(x < than).count_ones()
            }

            /// The tile's work list: every lane's item in turn, by all of its lanes.
            #[kernel]
            pub fn work_list(a: &[u32], out: &mut [u32]) {
                let i = thread_id();
                let x = a[i % a.len()];
                let mut result = 0u32;
                let mut turn = 0u32;
                let mut work = tile::<$size>().ballot(x % 3 != 0);
                while work != 0 {
                    let lane = tile::<$size>().dequeue(&mut work);
                    turn += 1;
                    let item = tile::<$size>().broadcast(x, lane);
                    let below: TileUniform<$size, u32> = smaller(x, item);
                    if tile::<$size>().lane_id() == lane {
                        result = below + 100 * turn;
                    }
                }
                if i < out.len() {
                    out[i] = result;
                }
            }

            /// The tile's enqueue, where other tiles have gone another way.
            #[kernel]
            pub fn enqueue(count: u32, modulus: u32, next: &Frontier<u32>) {
                let i = thread_id();
                let first = tile::<$size>().broadcast(i, 0);
                if first / $size % 2 == 0 && first < count {
                    $enqueue(next, i, i < count && i % modulus == 0);
                }
            }
        }
    )*};
}

tiles! {
    of_4 4 tile4_enqueue_frontier
    of_8 8 tile8_enqueue_frontier
    of_16 16 tile16_enqueue_frontier
}

/// A tile inside another: what 16 lanes share, 4 share too.
#[kernel]
pub fn nested(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let x = a[i % a.len()];
    let mut sum = 0u32;
    if tile::<16>().any(x > 90) {
        sum = tile::<4>().reduce_sum(x) + tile::<16>().reduce_max(x);
    }
    if i < out.len() {
        out[i] = sum;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    macro_rules! each {
        ($($module:ident)*) => {
            vec![$($module::words::info(), $module::apart::info(), $module::work_list::info(), $module::enqueue::info()),*]
        };
    }
    let mut kernels = each!(of_4 of_8 of_16);
    kernels.push(nested::info());
    kernels
}
