//! `match` against the `match` of Rust.

use super::kernels::choices;
use super::{buffer, expect, noise};

const LIMIT: u32 = 40;

#[test]
fn patterns_of_every_kind_take_their_lanes() {
    let edges = [0, 1, 2, 3, 4, 9, 10, 19, 20, 21, 40, 41, u32::MAX, u32::MAX - 1];
    let a: Vec<u32> = edges.into_iter().chain(noise(23).take(86).map(|x| x % 60)).collect();
    let expected = a.iter().map(|&x| match x {
        0 => 7,
        1..=3 => x * 10,
        4..=9 => x + 100,
        10..20 => x + 200,
        LIMIT => 1,
        n if n % 3 == 0 => n / 3,
        u32::MAX => 2,
        _ => x.wrapping_mul(2).wrapping_add(1000),
    });
    let expected: Vec<u32> = expected.collect();
    expect(&expected, |device, out| {
        choices::patterns::launch(device, 100, &buffer(device, &a), out)
    });
}

#[test]
fn statements_of_a_match_leave_and_go_on_with_their_loop() {
    let edges = [0, -1, -3, -4, 1, 2, 3, i64::MIN, i64::MIN + 1, i64::MAX];
    let noise = noise(29).take(54).map(|x| i64::from(x) * 0x1_0000_0001 - 0x8000_0000_0000);
    let a: Vec<i64> = edges.into_iter().chain(noise).collect();
    let chosen = |&start: &i64| {
        let (mut x, mut steps) = (start, 0u8);
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
            if steps >= 250 {
                break;
            }
            steps += 1;
        }
        x * 1000 + i64::from(steps)
    };
    let expected: Vec<i64> = a.iter().map(chosen).collect();
    expect(&expected, |device, out| {
        choices::statements::launch(device, 64, &buffer(device, &a), out)
    });
}

#[test]
fn a_match_of_the_whole_warp_holds_collectives() {
    for (mode, votes) in [(0, 0x5555_5555u32), (1, 31), (7, 7), (3, 3), (50, 0)] {
        let more = if votes > 5 { 32 } else { 0 };
        let expected: Vec<u32> = (0..96).map(|i| (i + more) ^ votes).collect();
        expect(&expected, |device, out| choices::joint::launch(device, 96, mode, out));
    }
}
