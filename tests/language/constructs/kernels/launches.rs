//! Launches: sizes, arguments, parameters.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// Counts the threads below a bound, and writes each one's own element.
#[kernel]
pub fn census(threads: u32, counter: &[Atomic<u32>], out: &mut [u32]) {
    let i = thread_id();
    if i < threads {
        counter[0].fetch_add(1);
        out[i] = i * i + out.len();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Settings {
    pub scale: f32,
    pub steps: u64,
    pub enabled: bool,
}

/// Every kind of parameter by value.
#[kernel]
pub fn by_value(
    small: u8,
    signed: i64,
    flag: bool,
    ratio: f64,
    settings: Settings,
    edge: Edge<i32>,
    out: &mut [f64],
) {
    let i = thread_id();
    if i < out.len() && flag && settings.enabled {
        out[i] = small as f64
            + signed as f64
            + ratio
            + settings.scale as f64
            + settings.steps as f64
            + edge.weight as f64
            + edge.dst as f64;
    }
}

/// A kernel with no parameter at all.
#[kernel]
pub fn nothing() {
    let _mine = thread_id();
}

/// A kernel written around an expression of the macro's caller.
macro_rules! votes {
    ($name:ident, $predicate:expr) => {
        #[kernel]
        pub fn $name(out: &mut [u32]) {
            let i = thread_id();
            let votes = warp_ballot($predicate);
            if i < out.len() {
                out[i] = votes;
            }
        }
    };
}

votes!(even_lanes, lane_id() % 2 == 0);

pub fn kernels() -> Vec<KernelInfo> {
    vec![census::info(), by_value::info(), nothing::info(), even_lanes::info()]
}
