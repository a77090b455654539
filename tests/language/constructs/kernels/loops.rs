//! Every loop, with `break`, `continue` and labels, where lanes agree and
//! where they part.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// The steps of the Collatz sequence: every lane leaves at its own time.
#[kernel]
pub fn collatz(out: &mut [u32]) {
    let i = thread_id();
    let mut n = i + 1;
    let mut steps = 0u32;
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    if i < out.len() {
        out[i] = steps;
    }
}

/// `loop` with `break` and `continue` that lanes take apart.
#[kernel]
pub fn parted_loop(out: &mut [u32]) {
    let i = thread_id();
    let mut x = 0u32;
    let mut n = 0u32;
    loop {
        n += 1;
        if n % 3 == i % 3 {
            continue;
        }
        x += n;
        if n > i {
            break;
        }
        x += 1000;
    }
    if i < out.len() {
        out[i] = x;
    }
}

/// The same where all lanes agree.
#[kernel]
pub fn joint_loop(limit: u32, out: &mut [u32]) {
    let i = thread_id();
    let mut x = i;
    let mut n = 0u32;
    loop {
        n += 1;
        if n % 3 == 1 {
            continue;
        }
        x += n;
        if n > limit {
            break;
        }
        x += warp_ballot(lane_id() < n);
    }
    if i < out.len() {
        out[i] = x;
    }
}

/// Ranges: half open and closed, empty and backwards, of several types.
#[kernel]
pub fn ranges(limit: u32, out: &mut [u32]) {
    let i = thread_id();
    let mut x = 0u32;
    for k in 0..limit {
        x += k;
    }
    for k in 1..=limit {
        x += k * 100;
    }
    for k in i..40 {
        x += k;
    }
    for k in 3..=i % 7 {
        x += k * 10_000;
    }
    for _unused in limit..0 {
        x += 1_000_000;
    }
    for k in -3i32..3 {
        x += (k * k) as u32;
    }
    for k in 0u8..10 {
        x += k as u32;
    }
    for k in i as u64..20u64 {
        x += k as u32;
    }
    if i < out.len() {
        out[i] = x;
    }
}

/// Ranges that only count, among a variable of the name that they get in CUDA.
#[kernel]
pub fn repeated(limit: u32, out: &mut [u32]) {
    let i = thread_id();
    let ignored = i * 3;
    let mut x = 0u32;
    for _ in 0..limit {
        x += ignored;
        for _ in 0..=i % 4 {
            x += 1000;
        }
    }
    for _ in 0..3 {
        x = x * 7 + warp_reduce_max(ignored);
    }
    if i < out.len() {
        out[i] = x;
    }
}

/// Labels in nested loops whose lanes part in the innermost one.
#[kernel]
pub fn parted_labels(out: &mut [u32]) {
    let i = thread_id();
    let mut x = 0u32;
    'rows: for row in 0..6u32 {
        let mut column = 0u32;
        'columns: while column < 8 {
            column += 1;
            for depth in 0..4u32 {
                x += 1;
                if (row + column + depth) % 7 == i % 7 {
                    continue 'columns;
                }
                if row * column * depth > i {
                    continue 'rows;
                }
                if x > 60 + i {
                    break 'rows;
                }
                if depth == i % 3 {
                    break;
                }
                x += 100;
            }
            if column == i % 9 {
                break 'columns;
            }
            x += 10_000;
        }
        x += 1_000_000;
    }
    if i < out.len() {
        out[i] = x;
    }
}

/// Labels in nested loops that all lanes leave together.
#[kernel]
pub fn joint_labels(limit: u32, out: &mut [u32]) {
    let i = thread_id();
    let mut x = i;
    'rows: for row in 0..6u32 {
        let mut column = 0u32;
        'columns: loop {
            column += 1;
            if column > limit {
                break 'columns;
            }
            for depth in 0..4u32 {
                x += 1;
                if (row + column + depth) % 7 == 3 {
                    continue 'columns;
                }
                if row * column * depth > limit {
                    continue 'rows;
                }
                if row == 5 {
                    break 'rows;
                }
                x += 100;
            }
        }
        x += warp_reduce_max(lane_id());
    }
    if i < out.len() {
        out[i] = x;
    }
}

/// A uniform loop inside a divergent one and the other way round.
#[kernel]
pub fn mixed(limit: u32, out: &mut [u32]) {
    let i = thread_id();
    let mut x = 0u32;
    let mut n = 0u32;
    while n < i {
        n += 1;
        for k in 0..limit {
            if k == 2 {
                continue;
            }
            if k == 4 {
                break;
            }
            x += k;
        }
        if n > 20 {
            for k in 0..n {
                if k > i / 2 {
                    break;
                }
                x += 1;
            }
        }
    }
    for round in 0..limit {
        let mut left = i;
        while left > round {
            left -= 1 + round;
            if left > 100 {
                break;
            }
            x += 1;
        }
        x += warp_reduce_or(round);
    }
    if i < out.len() {
        out[i] = x;
    }
}

/// Loops that lanes leave apart and in which they write what others see, so in lock step.
#[kernel]
pub fn parted_writes(limit: u32, sums: &[Atomic<u32>], out: &mut [u32]) {
    let i = thread_id();
    let mut x = 0u32;
    for k in 3..=i % 7 {
        sums[k].fetch_add(1);
        x += k * 10_000;
    }
    'rows: while limit > 0 {
        x += 1;
        for k in i % 3..5 {
            sums[k].fetch_add(100);
            if x > i {
                break 'rows;
            }
            if k == i % 5 {
                continue 'rows;
            }
            x += k;
        }
    }
    if i < out.len() {
        out[i] = x;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![
        collatz::info(),
        parted_loop::info(),
        joint_loop::info(),
        ranges::info(),
        repeated::info(),
        parted_labels::info(),
        joint_labels::info(),
        mixed::info(),
        parted_writes::info(),
    ]
}
