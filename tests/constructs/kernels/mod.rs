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

pub mod accumulations;
pub mod arrays;
pub mod atomics;
pub mod blocks;
pub mod branches;
pub mod casts;
pub mod choices;
pub mod floats;
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
pub mod schedules;
pub mod structs;
pub mod tiles;
pub mod traps;
pub mod tuples;
pub mod warp;

use meerkat::runtime::program::KernelInfo;

/// All of them.
pub fn all() -> Vec<KernelInfo> {
    [
        accumulations::kernels(),
        arrays::kernels(),
        atomics::kernels(),
        blocks::kernels(),
        branches::kernels(),
        casts::kernels(),
        choices::kernels(),
        floats::kernels(),
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
        schedules::kernels(),
        structs::kernels(),
        tiles::kernels(),
        traps::kernels(),
        tuples::kernels(),
        warp::kernels(),
    ]
    .concat()
}
