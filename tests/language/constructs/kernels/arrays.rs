//! Small arrays: in variables, through functions, indexed by values that vary.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// Counted by an index that varies, read by one that does not.
#[kernel]
pub fn counts(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let weights = [1u32, 10, 100, 1000];
    let mut counts = [0u32; 4];
    for k in 0..8u32 {
        counts[a[(i + k) % a.len()] % 4] += 1;
    }
    let mut sum = 0u32;
    for k in 0..4u32 {
        sum += counts[k] * weights[k];
    }
    let ends: [u32; 2] = [counts[0], counts[3]];
    if i < out.len() {
        out[i] = sum + ends[i % 2] * 10_000;
    }
}

/// Three numbers in order.
#[device]
fn sorted(numbers: [i32; 3]) -> [i32; 3] {
    let mut result: [i32; 3] = numbers;
    for _round in 0..2u32 {
        for k in 0..2u32 {
            if result[k] > result[k + 1] {
                let larger = result[k];
                result[k] = result[k + 1];
                result[k + 1] = larger;
            }
        }
    }
    result
}

/// By value through a function.
#[kernel]
pub fn medians(a: &[i32], out: &mut [i32]) {
    let i = thread_id();
    if i + 2 < a.len() {
        let three: [i32; 3] = sorted([a[i], a[i + 1], a[i + 2]]);
        out[i] = three[1];
    }
}

/// Rows of rows, in an array and in a struct of arrays.
#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
pub struct Board {
    pub rows: [[u32; 3]; 2],
    pub marks: [Mark; 2],
}

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
pub struct Mark {
    pub of: [u32; 2],
}

/// Assigns items of rows by what varies.
#[kernel]
pub fn nested(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let x = if i < a.len() { a[i] } else { 0 };
    let mut m = [[0u32; 3]; 2];
    m[1][x % 3] = x;
    m[x % 2][1] += 2;
    let mut board = Board { rows: m, marks: [Mark { of: [1, 2] }; 2] };
    board.rows[0][i % 3] += m[1][2] + 1;
    board.marks[x % 2].of[i % 2] = i;
    let mut sum = 0;
    for row in 0..2u32 {
        for k in 0..3u32 {
            sum = sum * 7 + board.rows[row][k];
        }
        sum += board.marks[row].of[0] * 3 + board.marks[row].of[1];
    }
    if i < out.len() {
        out[i] = sum;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![counts::info(), medians::info(), nested::info()]
}
