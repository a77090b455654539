//! Branches, short circuits, blocks and values of control flow.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

#[device]
fn count(calls: &[Atomic<u32>], at: u32, answer: bool) -> bool {
    calls[at].fetch_add(1);
    answer
}

/// Each right side runs only for the lanes that need it, also below others.
#[kernel]
pub fn short_circuits(calls: &[Atomic<u32>], out: &mut [u32]) {
    let i = thread_id();
    let and = i % 2 == 0 && count(calls, 0, i % 3 == 0);
    let or = i % 2 == 0 || count(calls, 1, i % 3 == 0);
    let nested =
        i % 2 == 0 && (i % 3 == 0 || count(calls, 2, i % 5 == 0) && count(calls, 3, i > 9));
    if i > 3 && count(calls, 4, i > 20) {
        calls[5].fetch_add(1);
    }
    if i < out.len() {
        out[i] = and as u32 | (or as u32) << 1 | (nested as u32) << 2;
    }
}

/// A bounds test guards the read to its right.
#[kernel]
pub fn guarded_read(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let found = i < a.len() && a[i] > 10 || i == 40 && a[i - 40] == 7;
    if i < out.len() {
        out[i] = found as u32;
    }
}

/// Conditions that all lanes share, and that they do not, one in the other.
#[kernel]
pub fn nested(limit: u32, out: &mut [u32]) {
    let i = thread_id();
    let mut x = 0u32;
    if limit > 10 {
        x += 1;
        if i < limit {
            x += 10;
            if limit == 20 {
                x += 100;
            } else if i % 2 == 0 {
                x += 1000;
            } else {
                x += 10000;
            }
        } else if i < 2 * limit {
            x += 100_000;
        }
    } else {
        x = i;
    }
    if i < out.len() {
        out[i] = x;
    }
}

/// `if` as a value: in a `let`, an assignment, an expression, a block's end.
#[kernel]
pub fn values(limit: u32, out: &mut [u32]) {
    let i = thread_id();
    let small = if i < limit { i } else { limit };
    let branchy: u32 = if i % 2 == 0 {
        let half = i / 2;
        half * 10
    } else if i % 3 == 0 {
        3
    } else {
        let mut x = i;
        x += 1;
        x
    };
    let sum = small + (if i > 5 { 100 } else { 200 }) * (if limit > 5 { 1 } else { 2 });
    let mut chosen = 0u32;
    chosen = if limit > 5 {
        let twice = 2 * limit;
        twice + i
    } else {
        i
    };
    let block = {
        let x = i + 1;
        let x = x * x;
        x
    };
    if i < out.len() {
        out[i] = sum + 1000 * branchy + 100_000 * chosen + 1_000_000 * block;
    }
}

/// A uniform branch may hold collectives, and its value is uniform.
#[kernel]
pub fn uniform_branch(limit: u32, out: &mut [u32]) {
    let i = thread_id();
    let mut votes = 0u32;
    if limit > 5 {
        votes = warp_ballot(i % limit == 0);
    } else {
        votes = warp_ballot(i % 2 == 0);
    }
    let mut low = 0u32;
    if warp_any(i > 40) {
        low = warp_reduce_min(i);
    }
    if i < out.len() {
        out[i] = votes ^ low;
    }
}

/// `select` computes both of its arms.
#[kernel]
pub fn selects(out: &mut [u32]) {
    let i = thread_id();
    let x = select(i % 2 == 0, i, i * 100);
    let y = select(i < 7, 1.5f32, 2.5f32);
    if i < out.len() {
        out[i] = x + (y * 2.0) as u32;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![
        short_circuits::info(),
        guarded_read::info(),
        nested::info(),
        values::info(),
        uniform_branch::info(),
        selects::info(),
    ]
}
