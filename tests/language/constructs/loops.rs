//! Loops, where lanes agree and where they part.

use super::expect;
use super::kernels::loops;
use meerkat::prelude::*;

#[test]
fn while_loops_of_1000_lanes_end_apart() {
    let steps = |i: u32| {
        let (mut n, mut steps) = (i + 1, 0);
        while n != 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        steps
    };
    let expected: Vec<u32> = (0..1000).map(steps).collect();
    expect(&expected, |device, out| loops::collatz::launch(device, 1000, out));
}

#[test]
fn break_and_continue_part_100_lanes() {
    let run = |i: u32| {
        let (mut x, mut n) = (0, 0);
        loop {
            n += 1;
            if n % 3 == i % 3 {
                continue;
            }
            x += n;
            if n > i {
                return x;
            }
            x += 1000;
        }
    };
    let expected: Vec<u32> = (0..100).map(run).collect();
    expect(&expected, |device, out| loops::parted_loop::launch(device, 100, out));
}

#[test]
fn break_and_continue_of_all_lanes_keep_collectives_legal() {
    for limit in [0, 4, 31] {
        let mut sum = 0u32;
        for n in 1u32.. {
            if n % 3 == 1 {
                continue;
            }
            sum = sum.wrapping_add(n);
            if n > limit {
                break;
            }
            sum = sum.wrapping_add(if n >= 32 { u32::MAX } else { (1 << n) - 1 });
        }
        let expected: Vec<u32> = (0..64u32).map(|i| i.wrapping_add(sum)).collect();
        expect(&expected, |device, out| loops::joint_loop::launch(device, 64, limit, out));
    }
}

#[test]
fn ranges_of_8_forms_run_as_often_as_rusts() {
    for limit in [0u32, 1, 6] {
        let run = |i: u32| {
            let mut x = (0..limit).sum::<u32>() + (1..=limit).sum::<u32>() * 100;
            x += (i..40).sum::<u32>() + (3..=i % 7).sum::<u32>() * 10_000;
            x + (-3i32..3).map(|k| (k * k) as u32).sum::<u32>() + 45 + (i..20).sum::<u32>()
        };
        let expected: Vec<u32> = (0..64).map(run).collect();
        expect(&expected, |device, out| loops::ranges::launch(device, 64, limit, out));
    }
}

#[test]
fn ranges_without_a_name_run_as_often_as_rusts() {
    for limit in [0u32, 1, 5] {
        let run = |i: u32| {
            let x = limit * (i * 3 + (i % 4 + 1) * 1000);
            (0..3).fold(x, |x, _| x * 7 + (i | 31) * 3)
        };
        let expected: Vec<u32> = (0..64).map(run).collect();
        expect(&expected, |device, out| loops::repeated::launch(device, 64, limit, out));
    }
}

#[test]
fn labels_leave_the_right_loop_when_96_lanes_part() {
    let run = |i: u32| {
        let mut x = 0u32;
        'rows: for row in 0..6u32 {
            'columns: for column in 1..=8u32 {
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
        x
    };
    let expected: Vec<u32> = (0..96).map(run).collect();
    expect(&expected, |device, out| loops::parted_labels::launch(device, 96, out));
}

#[test]
fn labels_leave_the_right_loop_when_all_lanes_agree() {
    for limit in [2, 3, 9] {
        let run = |i: u32| {
            let mut x = i;
            'rows: for row in 0..6u32 {
                let mut column = 0;
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
                x += 31;
            }
            x
        };
        let expected: Vec<u32> = (0..64).map(run).collect();
        expect(&expected, |device, out| loops::joint_labels::launch(device, 64, limit, out));
    }
}

#[test]
fn uniform_and_parted_loops_nest_both_ways() {
    for limit in [1u32, 3, 7] {
        let run = |i: u32| {
            let mut x = 0u32;
            for n in 1..=i {
                x += (0..limit).take_while(|&k| k < 4).filter(|&k| k != 2).sum::<u32>();
                if n > 20 {
                    x += n.min(i / 2 + 1);
                }
            }
            for round in 0..limit {
                let mut left = i;
                while left > round {
                    left = left.wrapping_sub(1 + round);
                    if left > 100 {
                        break;
                    }
                    x += 1;
                }
                x += round;
            }
            x
        };
        let expected: Vec<u32> = (0..64).map(run).collect();
        expect(&expected, |device, out| loops::mixed::launch(device, 64, limit, out));
    }
}

#[test]
fn loops_that_write_end_apart_for_256_lanes() {
    for limit in [0u32, 1] {
        let mut sums = [0u32; 7];
        let mut run = |i: u32| {
            let mut x = 0u32;
            for k in 3..=i % 7 {
                sums[k as usize] += 1;
                x += k * 10_000;
            }
            'rows: while limit.min(9) > 0 {
                x += 1;
                for k in i % 3..5 {
                    sums[k as usize] += 100;
                    if x > i {
                        break 'rows;
                    }
                    if k == i % 5 {
                        continue 'rows;
                    }
                    x += k;
                }
            }
            x
        };
        let expected: Vec<u32> = (0..256).map(&mut run).collect();
        expect(&expected, |device, out| {
            let found = DeviceBuffer::<Atomic<u32>>::zeroed(device, 7)?;
            loops::parted_writes::launch(device, 256, limit, &found, out)?;
            assert_eq!(found.to_vec()?, sums, "{device:?}, limit {limit}");
            Ok(())
        });
    }
}
