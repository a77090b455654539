//! Every word of the warp.

#![allow(unsafe_code)]

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// Who a lane is.
#[kernel]
pub fn identity(out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = lane_id() + global_warp_id() * 100 + lanes_below().count_ones() * 10_000;
    }
}

/// Votes of a predicate.
#[kernel]
pub fn votes(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let mut x = 0u32;
    if i < a.len() {
        x = a[i];
    }
    let ballot = warp_ballot(x > 50);
    let any = warp_any(x == 99);
    let all = warp_all(x < 100);
    if i < out.len() {
        out[i] = ballot ^ (any as u32) ^ (all as u32) << 1;
    }
}

/// Broadcasts and shuffles of numbers of every size.
macro_rules! exchanges {
    ($($module:ident $ty:ident)*) => {$(
        pub mod $module {
            use super::*;

            #[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
            #[repr(C)]
            pub struct Results {
                pub broadcast: $ty,
                pub shuffle: $ty,
                pub mirrored: $ty,
                pub up: $ty,
                pub down: $ty,
            }

            #[kernel]
            pub fn exchange(a: &[$ty], distance: u32, out: &mut [Results]) {
                let i = thread_id();
                let x = a[i % a.len()];
                let broadcast = warp_broadcast(x, distance);
                let shuffle = warp_shuffle(x, (lane_id() * 7 + 3) % 32);
                let mirrored = warp_shuffle_xor(x, distance);
                let up = warp_shuffle_up(x, distance);
                let down = warp_shuffle_down(x, distance);
                if i < out.len() {
                    out[i] = Results { broadcast, shuffle, mirrored, up, down };
                }
            }
        }
    )*};
}

exchanges!(
    move_bool bool move_u8 u8 move_i16 i16 move_u32 u32 move_i32 i32 move_u64 u64 move_i64 i64
    move_f32 f32 move_f64 f64
);

/// Reductions of every number type.
macro_rules! reductions {
    ($($module:ident $ty:ident)*) => {$(
        pub mod $module {
            use super::*;

            #[kernel]
            pub fn reduce(a: &[$ty], sums: &mut [$ty], least: &mut [$ty], most: &mut [$ty]) {
                let i = thread_id();
                let x = a[i % a.len()];
                let sum = warp_reduce_sum(x);
                let low = warp_reduce_min(x);
                let high = warp_reduce_max(x);
                if i < sums.len() {
                    sums[i] = sum;
                    least[i] = low;
                    most[i] = high;
                }
            }
        }
    )*};
}

reductions!(
    reduce_u8 u8 reduce_i16 i16 reduce_u32 u32 reduce_i32 i32 reduce_u64 u64 reduce_i64 i64
    reduce_f32 f32 reduce_f64 f64
);

/// `warp_reduce_or` of integers and of `bool`.
#[kernel]
pub fn reduce_or(a: &[u32], wide: &mut [u64], out: &mut [u32]) {
    let i = thread_id();
    let x = a[i % a.len()];
    let bits = warp_reduce_or(x & 0x0f0f);
    let any = warp_reduce_or(x == 7);
    let long = warp_reduce_or((x as u64) << 32);
    if i < out.len() {
        out[i] = bits + any as u32 * 1_000_000;
        wide[i] = long;
    }
}

/// The warp's work list: every lane's item in turn, by all lanes.
#[kernel]
pub fn work_list(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let mut x = 0u32;
    if i < a.len() {
        x = a[i];
    }
    let mut result = 0u32;
    let mut turn = 0u32;
    let mut work = warp_ballot(x % 3 != 0);
    while work != 0 {
        let lane = warp_dequeue(&mut work);
        turn += 1;
        let item = warp_broadcast(x, lane);
        let votes = warp_ballot(x < item);
        if lane_id() == lane {
            result = votes.count_ones() + 100 * turn;
        }
    }
    if i < out.len() {
        out[i] = result;
    }
}

/// A work list inside a work list.
#[kernel]
pub fn pairs(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let x = a[i % a.len()];
    let mut count = 0u32;
    let mut outer = warp_ballot(x % 2 == 0);
    while outer != 0 {
        let first = warp_dequeue(&mut outer);
        let mut inner = outer;
        while inner != 0 {
            let second = warp_dequeue(&mut inner);
            let sum = warp_broadcast(x, first) + warp_broadcast(x, second);
            if lane_id() == first && sum % 3 == 0 {
                count += 1;
            }
        }
    }
    if i < out.len() {
        out[i] = count;
    }
}

/// A word vouched for: the condition is the same in all lanes, which the
/// checker cannot see.
#[kernel]
pub fn vouched(flags: &[Atomic<u32>], out: &mut [u32]) {
    let i = thread_id();
    let mut votes = 0u32;
    if flags[0].load() == 1 {
        // SAFETY: nobody writes the flag during the launch.
        votes = unsafe { warp_ballot(i % 2 == 0) };
    }
    if i < out.len() {
        out[i] = votes;
    }
}

/// Writes that are disjoint for a reason the checker cannot see.
#[kernel]
pub fn reversed(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    if i < a.len() {
        // SAFETY: the map from `i` to its mirror image is one to one.
        unsafe { out.write(a.len() - 1 - i, a[i]) }
    }
}

/// Collectives with effects in values that are chosen.
#[kernel]
pub fn chosen(cells: &[Atomic<u32>], out: &mut [u32]) {
    let i = thread_id();
    let many = out.len() > 3;
    let first = if many { warp_broadcast(cells[i].fetch_add(1), 3) } else { 7 };
    let sum = if many {
        if out.len() > 1000 { 1 } else { warp_reduce_sum(cells[i].fetch_add(2)) }
    } else {
        9
    };
    let last = 1 + if many { warp_broadcast(cells[i].fetch_add(4), 0) } else { 2 } * 2;
    if i < out.len() {
        out[i] = first + sum + last + cells[i].load();
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    macro_rules! each {
        ($($module:ident $kernel:ident)*) => { vec![$($module::$kernel::info()),*] };
    }
    let mut kernels = each!(
        move_bool exchange move_u8 exchange move_i16 exchange move_u32 exchange move_i32 exchange
        move_u64 exchange move_i64 exchange move_f32 exchange move_f64 exchange
        reduce_u8 reduce reduce_i16 reduce reduce_u32 reduce reduce_i32 reduce
        reduce_u64 reduce reduce_i64 reduce reduce_f32 reduce reduce_f64 reduce
    );
    kernels.extend([
        identity::info(),
        votes::info(),
        reduce_or::info(),
        work_list::info(),
        pairs::info(),
        vouched::info(),
        reversed::info(),
        chosen::info(),
    ]);
    kernels
}
