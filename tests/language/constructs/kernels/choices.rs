//! `match`: as a value and as a statement, where lanes part and where they agree.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

const LIMIT: u32 = 40;

/// Numbers, several of them, ranges of both kinds, a constant, a guard.
#[kernel]
pub fn patterns(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    if i < a.len() {
        let x = a[i];
        out[i] = match x {
            0 => 7,
            1 | 2 | 3 => x * 10,
            4..=9 => x + 100,
            10..20 => x + 200,
            LIMIT => 1,
            n if n % 3 == 0 => n / 3,
            u32::MAX => 2,
            _ => {
                let twice = x * 2;
                twice + 1000
            }
        };
    }
}

/// Of other types, without a value, and leaving a loop.
#[kernel]
pub fn statements(a: &[i64], out: &mut [i64]) {
    let i = thread_id();
    let mut x = a[i % a.len()];
    let mut steps = 0u8;
    loop {
        match x {
            -3..=-1 => x += 10,
            0 => break,
            i64::MIN => x = 5,
            n if n < 0 => x = -(n / 2),
            1 | 2 => {
                x -= 1;
                continue;
            }
            _ => x /= 3,
        }
        match steps {
            250..=255 => break,
            _ => steps += 1,
        }
    }
    if i < out.len() {
        out[i] = x * 1000 + steps as i64;
    }
}

/// One that all lanes decide alike may hold collectives, and its value is uniform.
#[kernel]
pub fn joint(mode: u32, out: &mut [u32]) {
    let i = thread_id();
    let votes = match mode {
        0 => warp_ballot(i % 2 == 0),
        1 => warp_reduce_max(lane_id()),
        n if n < 10 => n,
        _ => 0,
    };
    let mut x = i;
    if votes > 5 {
        x += warp_reduce_sum(1u32);
    }
    if i < out.len() {
        out[i] = x ^ votes;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![patterns::info(), statements::info(), joint::info()]
}
