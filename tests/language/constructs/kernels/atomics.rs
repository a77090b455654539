//! Every atomic method, on every type that has it.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// Each method has a counter of its own, which all lanes share.
macro_rules! numbers {
    ($($ty:ident)*) => {$(
        pub mod $ty {
            use super::*;

            #[kernel]
            pub fn shared(values: &[$ty], cells: &[Atomic<$ty>]) {
                let i = thread_id();
                if i < values.len() {
                    let x = values[i];
                    cells[0].fetch_add(x);
                    cells[1].fetch_sub(x);
                    cells[2].fetch_min(x);
                    cells[3].fetch_max(x);
                    cells[4 + i].store(x);
                }
            }

            /// Alone on its cell, each lane sees the value before.
            #[kernel]
            pub fn before(values: &[$ty], cells: &[Atomic<$ty>], out: &mut [$ty]) {
                let i = thread_id();
                if i < values.len() {
                    let x = values[i];
                    let a = cells[i].load();
                    let b = cells[i].swap(x);
                    let c = cells[i].fetch_add(a);
                    let d = cells[i].fetch_sub(x);
                    let e = cells[i].compare_and_swap(a, x);
                    let f = cells[i].compare_and_swap(a, b);
                    let g = cells[i].fetch_min(c);
                    let h = cells[i].fetch_max(d);
                    out[i] = a + b + c + d + e + f + g + h;
                }
            }
        }
    )*};
}

numbers!(u32 i32 u64 i64 f32 f64);

macro_rules! published {
    ($($name:ident $ty:ident)*) => {$(
        /// Lanes write a value, then publish its place: by a swap between fences, and by
        /// a release that others acquire. Which were found in order?
        #[kernel]
        pub fn $name(
            values: &[Atomic<$ty>],
            last: &[Atomic<u32>],
            ready: &[Atomic<$ty>],
            out: &mut [u32],
        ) {
            let i = thread_id();
            if i < out.len() {
                values[i].store((i * 3 + 1) as $ty);
                memory_fence();
                let before = last[0].swap(i);
                memory_fence();
                let mut right = true;
                if before < out.len() {
                    right = values[before].load() == (before * 3 + 1) as $ty;
                }
                ready[i].store_release(i as $ty);
                let other = i / 2;
                // Zero, as it was, or what was released.
                if ready[other].load_acquire() as u32 != 0 {
                    right &= values[other].load() == (other * 3 + 1) as $ty;
                }
                out[i] = right as u32;
            }
        }
    )*};
}

published!(published_u32 u32 published_u64 u64 published_f32 f32);

macro_rules! integers {
    ($($module:ident $ty:ident)*) => {$(
        pub mod $module {
            use super::*;

            #[kernel]
            pub fn bitwise(values: &[$ty], cells: &[Atomic<$ty>], out: &mut [$ty]) {
                let i = thread_id();
                if i < values.len() {
                    cells[0].fetch_and(values[i]);
                    cells[1].fetch_or(values[i]);
                    cells[2].fetch_xor(values[i]);
                    let own = 3 + i;
                    let mut seen = cells[own].fetch_and(values[i]);
                    seen += cells[own].fetch_or(12);
                    seen += cells[own].fetch_xor(values[i]);
                    out[i] = seen;
                }
            }
        }
    )*};
}

integers!(bits_u32 u32 bits_i32 i32 bits_u64 u64 bits_i64 i64);

/// Eight bytes: compared as one number, `distance` first.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Wide {
    pub parent: u32,
    pub distance: u32,
}

/// Four bytes: compared as one number, `rank` first.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Narrow {
    pub color: u16,
    pub level: u8,
    pub rank: u8,
}

pub mod wide {
    use super::*;

    #[kernel]
    pub fn shared(values: &[Wide], cells: &[Atomic<Wide>], out: &mut [Wide]) {
        let i = thread_id();
        if i < values.len() {
            cells[0].fetch_min(values[i]);
            cells[1].fetch_max(values[i]);
            let own = 2 + i;
            let before = cells[own].swap(values[i]);
            let kept = cells[own].compare_and_swap(before, before);
            let replaced = cells[own].compare_and_swap(values[i], before);
            cells[own].store(cells[own].load());
            out[i] = Wide { parent: kept.parent + replaced.parent, distance: before.distance };
        }
    }
}

pub mod narrow {
    use super::*;

    #[kernel]
    pub fn shared(values: &[Narrow], cells: &[Atomic<Narrow>], out: &mut [Narrow]) {
        let i = thread_id();
        if i < values.len() {
            cells[0].fetch_min(values[i]);
            cells[1].fetch_max(values[i]);
            let own = 2 + i;
            let before = cells[own].swap(values[i]);
            let replaced = cells[own].compare_and_swap(values[i], before);
            out[i] = Narrow { color: replaced.color, level: before.level, rank: before.rank };
        }
    }
}

/// A loop of compare-and-swap, each lane until it has won.
#[kernel]
pub fn spin(counter: &[Atomic<u32>], threads: u32) {
    let i = thread_id();
    if i < threads {
        let mut seen = counter[0].load();
        loop {
            let before = counter[0].compare_and_swap(seen, seen * 2 % 1_000_003 + 1);
            if before == seen {
                break;
            }
            seen = before;
        }
        counter[1].fetch_add(1);
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    macro_rules! each {
        ($($ty:ident)*) => { vec![
        published_u32::info(),
        published_u64::info(),
        published_f32::info(),$($ty::shared::info(), $ty::before::info()),*] };
    }
    let mut kernels = each!(u32 i32 u64 i64 f32 f64);
    kernels.extend([
        bits_u32::bitwise::info(),
        bits_i32::bitwise::info(),
        bits_u64::bitwise::info(),
        bits_i64::bitwise::info(),
        wide::shared::info(),
        narrow::shared::info(),
        spin::info(),
    ]);
    kernels
}
