//! Device functions: returns, uniformity, modules, generics.

use super::kernels::functions::{self, geometry::Point};
use super::{buffer, expect};
use meerkat::prelude::*;

#[test]
fn returns_from_branches_and_loops_part_200_lanes() {
    let classify = |x: u32| match x {
        0 => 1,
        _ if x % 4 == 0 => 4,
        _ if x % 2 == 0 && x > 20 => x * 10,
        _ if x % 2 == 1 && x % 3 == 0 => 3,
        _ => x + 1000,
    };
    let divisor = |n: u32| {
        if let Some(d) = (2..).take_while(|d| d * d <= n).find(|d| n % d == 0) {
            return d;
        }
        let late = (0..n).flat_map(|k| (0..4).map(move |j| (k, j))).find(|(k, j)| k + j > n / 2);
        late.map_or(n, |(k, j)| n + k * 1000 + j)
    };
    let expected: Vec<u32> =
        (0..200).map(|i| classify(i).wrapping_add(100_000u32.wrapping_mul(divisor(i)))).collect();
    expect(&expected, |device, out| {
        let total = buffer::<Atomic<u32>>(device, &[0]);
        functions::returns::launch(device, 200, &total, out)?;
        assert_eq!(total.to_vec()?, [(0..200).step_by(2).sum::<u32>()], "{}", device.name());
        Ok(())
    });
}

#[test]
fn uniform_parameters_and_results_of_3_warps_match_a_serial_warp() {
    let votes = |warp: u32, limit: u32| {
        if limit > 100 {
            return 0;
        }
        let ballot = |test: &dyn Fn(u32) -> bool| {
            (0..32).map(|lane| u32::from(test(warp * 32 + lane)) << lane).sum::<u32>()
        };
        (0..limit).fold(ballot(&|x| x > limit), |votes, bit| votes ^ ballot(&|x| x == bit))
    };
    for limit in [0, 5, 40, 101] {
        let expected: Vec<u32> = (0..96u32)
            .map(|i| {
                let warp = i / 32;
                let found = votes(warp, limit);
                let sum = (warp * 32..warp * 32 + 32).sum::<u32>();
                let x = if found == 0 { 0 } else { votes(warp, found.trailing_zeros()) ^ sum };
                x.wrapping_add((warp * 32..i).map(|j| j % 5).sum::<u32>() * 3)
            })
            .collect();
        expect(&expected, |device, out| functions::uniforms::launch(device, 96, limit, out));
    }
}

#[test]
fn calls_across_3_modules_reach_50_points() {
    let points: Vec<_> = (0..50).map(|i| Point { x: i - 20, y: 3 * i % 17 }).collect();
    let dot = |a: Point, b: Point| a.x * b.x + a.y * b.y;
    let turned = |p: Point| Point { x: p.y, y: -p.x };
    let expected: Vec<i32> =
        points.iter().map(|&p| dot(p, turned(p)) * 2 + dot(p, p) + 3).collect();
    expect(&expected, |device, out| {
        functions::across_modules::launch(device, 50, &buffer(device, &points), out)
    });
}

fn check_weight<W: Weight>(weight: impl Fn(u32) -> W) {
    let edges: Vec<_> =
        (0..45).map(|i| Edge { src: i, dst: i * 7 % 50, weight: weight(i) }).collect();
    let bits = |edge: &Edge<W>| if W::IS_WEIGHTED { edge.weight.to_bits() } else { 31 };
    let expected: Vec<u32> =
        edges.iter().map(|edge| bits(edge).wrapping_add(edge.dst * 1000 + edge.src)).collect();
    expect(&expected, |device, out| {
        functions::weights::launch(device, 45, &buffer(device, &edges), out)
    });
    let from =
        |i: usize| edges[i / 32 * 32 + 7].weight.to_bits().wrapping_add(edges[i / 32 * 32 + 3].dst);
    let expected: Vec<u32> = (0..45).map(from).collect();
    expect(&expected, |device, out| {
        functions::broadcast_weight::launch(device, 45, &buffer(device, &edges), out)
    });
}

#[test]
fn kernels_over_45_edges_without_a_weight() {
    check_weight(|_| ());
}

#[test]
fn kernels_over_45_edges_with_a_u32() {
    check_weight(|i| i * 1000);
}

#[test]
fn kernels_over_45_edges_with_an_i32() {
    check_weight(|i| 20 - i as i32);
}

#[test]
fn kernels_over_45_edges_with_an_f32() {
    check_weight(|i| i as f32 / 8.0);
}

#[test]
fn methods_are_called_by_their_path_60_lanes() {
    let a: Vec<f32> = (0..60).map(|i| i as f32 - 30.0).collect();
    let b: Vec<u32> = (0..60).map(|i| i * 0x0123_4567).collect();
    let root = |i: usize| a[i].clamp(-9.0, 2.5).abs().sqrt();
    let bits = |i: usize| b[i].wrapping_mul(3).count_ones().min(7);
    let expected: Vec<f32> = (0..60).map(|i| root(i) + bits(i) as f32).collect();
    expect(&expected, |device, out| {
        functions::by_path::launch(device, 60, &buffer(device, &a), &buffer(device, &b), out)
    });
}
