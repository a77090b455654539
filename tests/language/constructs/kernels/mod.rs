//! Kernels of every construct of docs/LANGUAGE.md, by topic. The tests launch
//! them; NVRTC compiles each.

#![allow(
    dead_code,
    unreachable_pub,
    unused_assignments,
    reason = "each test file uses a part of it"
)]
#![allow(
    clippy::precedence,
    clippy::let_and_return,
    clippy::manual_is_multiple_of,
    reason = "kernels exercise operators, and the language has no `is_multiple_of`"
)]
#![allow(unused_unsafe, reason = "the words of the warp are safe to call in Rust")]

/// Programs as a list, and a kernel that runs each for four values: a device function is
/// plain Rust, too, which is the oracle.
macro_rules! programs {
    ($kernel:ident: $($function:ident)*) => {
        /// The programs by name.
        pub const PROGRAMS: &[(&str, fn(u64) -> u64)] = &[$((stringify!($function), $function)),*];

        /// Program `i / 4` of the value `i % 4`.
        #[kernel]
        pub fn $kernel(out: &mut [u64]) {
            let i = thread_id();
            let x = (i % 4) as u64;
            let mut which = i / 4;
            let mut found = 0;
            $(
                if which == 0 {
                    found = $function(x);
                }
                which -= 1;
            )*
            if i < out.len() {
                out[i] = found;
            }
        }
    };
}

pub mod accumulations;
pub mod aggregated;
pub mod arrays;
pub mod atomics;
pub mod blocks;
pub mod branches;
pub mod casts;
pub mod choices;
pub mod containers;
pub mod floats;
pub mod fragments;
pub mod functions;
pub mod inference;
pub mod integers;
pub mod launches;
pub mod lookups;
pub mod loops;
pub mod methods;
pub mod names;
pub mod operators;
pub mod random;
pub mod reductions;
pub mod schedules;
pub mod structs;
pub mod tiles;
pub mod traits;
pub mod traps;
pub mod tuples;
pub mod views;
pub mod walks;
pub mod warp;

use meerkat::runtime::program::KernelInfo;

/// All of them.
pub fn all() -> Vec<KernelInfo> {
    [
        accumulations::kernels(),
        aggregated::kernels(),
        arrays::kernels(),
        atomics::kernels(),
        blocks::kernels(),
        branches::kernels(),
        casts::kernels(),
        choices::kernels(),
        containers::kernels(),
        floats::kernels(),
        fragments::kernels(),
        functions::kernels(),
        inference::kernels(),
        integers::kernels(),
        launches::kernels(),
        lookups::kernels(),
        loops::kernels(),
        methods::kernels(),
        names::kernels(),
        operators::kernels(),
        random::kernels(),
        reductions::kernels(),
        schedules::kernels(),
        structs::kernels(),
        tiles::kernels(),
        traits::kernels(),
        traps::kernels(),
        tuples::kernels(),
        views::kernels(),
        walks::kernels(),
        warp::kernels(),
    ]
    .concat()
}
