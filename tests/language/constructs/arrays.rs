//! Small arrays against those of Rust.

use super::kernels::arrays;
use super::{buffer, expect, noise};

#[test]
fn arrays_are_indexed_by_what_varies_100_lanes() {
    let a: Vec<u32> = noise(17).take(100).collect();
    let expected: Vec<u32> = (0..100usize)
        .map(|i| {
            let mut counts = [0u32; 4];
            (0..8).for_each(|k| counts[(a[(i + k) % 100] % 4) as usize] += 1);
            let sum: u32 = counts.iter().zip([1, 10, 100, 1000]).map(|(c, w)| c * w).sum();
            sum + [counts[0], counts[3]][i % 2] * 10_000
        })
        .collect();
    expect(&expected, |device, out| arrays::counts::launch(device, 100, &buffer(device, &a), out));
}

#[test]
fn arrays_go_through_functions_by_value_200_lanes() {
    let a: Vec<i32> = noise(19).take(200).map(|x| x as i32 % 1000 - 500).collect();
    let median = |i: usize| {
        let Some(three) = a.get(i..i + 3) else { return 0 };
        let mut three = three.to_vec();
        three.sort_unstable();
        three[1]
    };
    let expected: Vec<i32> = (0..200).map(median).collect();
    expect(&expected, |device, out| arrays::medians::launch(device, 200, &buffer(device, &a), out));
}

#[test]
fn items_of_rows_are_assigned_120_lanes() {
    let a: Vec<u32> = noise(23).take(120).map(|x| x % 100).collect();
    let of = |i: usize| {
        let x = a[i] as usize;
        let mut m = [[0usize; 3]; 2];
        m[1][x % 3] = x;
        m[x % 2][1] += 2;
        let (mut rows, mut marks) = (m, [[1, 2]; 2]);
        rows[0][i % 3] += m[1][2] + 1;
        marks[x % 2][i % 2] = i;
        let mut sum = 0;
        for (row, [first, second]) in rows.into_iter().zip(marks) {
            sum = row.into_iter().fold(sum, |sum, item| sum * 7 + item) + first * 3 + second;
        }
        sum as u32
    };
    let expected: Vec<u32> = (0..120).map(of).collect();
    expect(&expected, |device, out| arrays::nested::launch(device, 120, &buffer(device, &a), out));
}
