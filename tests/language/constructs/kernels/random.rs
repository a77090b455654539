//! Random numbers of a seed and a counter.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;
use meerkat::runtime::random::{
    philox, random_below, random_f32, random_f64, random_u32, random_u64,
};

/// One number of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Drawn {
    pub wide: u64,
    pub share: f64,
    pub word: u32,
    pub part: f32,
    pub below: u32,
    pub mixed: u32,
}

#[kernel]
pub fn draws(seed: u64, first: u64, out: &mut [Drawn]) {
    let i = thread_id();
    if i < out.len() {
        let at: u64 = first + i as u64;
        let words: [u32; 4] = philox([i, 1, 2, 3], [seed as u32, 5]);
        out[i] = Drawn {
            wide: random_u64(seed, at),
            share: random_f64(seed, at),
            word: random_u32(seed, at),
            part: random_f32(seed, at),
            below: random_below(seed, at, i),
            mixed: words[0] ^ words[1] ^ words[2] ^ words[3],
        };
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![draws::info()]
}
