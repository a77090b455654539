//! Device functions: returns, uniform parameters and results, generics, calls
//! across modules.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// Lanes return from everywhere.
#[device]
fn classify(x: u32) -> u32 {
    if x == 0 {
        return 1;
    }
    if x % 2 == 0 {
        if x % 4 == 0 {
            return 4;
        }
        if x > 20 {
            return x * 10;
        }
    } else if x % 3 == 0 {
        return 3;
    }
    x + 1000
}

/// Lanes return from inside loops.
#[device]
fn smallest_divisor(n: u32) -> u32 {
    let mut d = 2u32;
    while d * d <= n {
        if n % d == 0 {
            return d;
        }
        d += 1;
    }
    for k in 0..n {
        for j in 0..4u32 {
            if k + j > n / 2 {
                return n + k * 1000 + j;
            }
        }
    }
    n
}

/// A result without a value, and a return where there is nothing to give.
#[device]
fn add_even(total: &[Atomic<u32>], x: u32) {
    if x % 2 == 1 {
        return;
    }
    total[0].fetch_add(x);
}

#[kernel]
pub fn returns(total: &[Atomic<u32>], out: &mut [u32]) {
    let i = thread_id();
    let inside = i < out.len();
    if inside {
        add_even(total, i);
        out[i] = classify(i) + 100_000 * smallest_divisor(i);
    }
}

/// Uniform parameters stay uniform inside, and so does a declared result.
#[device]
fn votes_above(x: u32, limit: Uniform<u32>) -> Uniform<u32> {
    if limit > 100 {
        return 0;
    }
    let mut votes = warp_ballot(x > limit);
    for bit in 0..limit {
        votes ^= warp_ballot(x == bit);
    }
    votes
}

/// Collective, with a result that varies.
#[device]
fn sum_below(x: u32) -> u32 {
    let mut sum = x;
    let mut distance: Uniform<u32> = 1u32;
    while distance < 32 {
        let below = warp_shuffle_up(sum, distance);
        if lane_id() >= distance {
            sum += below;
        }
        distance *= 2;
    }
    sum - x
}

#[kernel]
pub fn uniforms(limit: u32, out: &mut [u32]) {
    let i = thread_id();
    let votes: Uniform<u32> = votes_above(i, limit);
    let mut x = 0u32;
    if votes != 0 {
        let again: Uniform<u32> = votes_above(i, votes.trailing_zeros());
        x = again ^ warp_reduce_sum(i);
    }
    x += sum_below(i % 5) * 3;
    if i < out.len() {
        out[i] = x;
    }
}

pub mod geometry {
    use super::*;

    #[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
    #[repr(C)]
    pub struct Point {
        pub x: i32,
        pub y: i32,
    }

    #[device]
    pub fn dot(a: Point, b: Point) -> i32 {
        a.x * b.x + a.y * b.y
    }

    pub mod transform {
        use super::{Point, dot};
        use meerkat::prelude::*;

        pub const TURNS: u32 = 3;

        #[device]
        pub fn turned(p: Point) -> Point {
            let mut result = p;
            for _turn in 0..TURNS {
                result = Point { x: -result.y, y: result.x };
            }
            result
        }

        #[device]
        pub fn length_squared(p: Point) -> i32 {
            super::dot(p, p) + dot(p, turned(p))
        }
    }
}

/// Paths of every form.
#[kernel]
pub fn across_modules(points: &[geometry::Point], out: &mut [i32]) {
    let i = thread_id();
    if i < points.len() {
        let p = points[i];
        let rotated = self::geometry::transform::turned(p);
        out[i] = geometry::dot(p, rotated)
            + geometry::transform::length_squared(p)
            + geometry::transform::TURNS as i32;
    }
}

/// Methods of numbers by their path.
#[kernel]
pub fn by_path(a: &[f32], b: &[u32], out: &mut [f32]) {
    let i = thread_id();
    if i < a.len() {
        let root = f32::sqrt(f32::abs(f32::max(f32::min(a[i], 2.5), -9.0)));
        let bits = u32::count_ones(u32::wrapping_mul(b[i], 3));
        out[i] = root + u32::min(bits, 7) as f32;
    }
}

/// A weight, whatever it is, as a number.
#[device]
fn weight_bits<W: Weight>(weight: W) -> u32 {
    if W::IS_WEIGHTED { weight.to_bits() } else { W::KEYS_PER_SLAB }
}

/// Generic over what edges carry.
#[kernel]
pub fn weights<W: Weight>(edges: &[Edge<W>], out: &mut [u32]) {
    let i = thread_id();
    if i < edges.len() {
        let edge = edges[i];
        let swapped: Edge<W> = Edge { src: edge.dst, dst: edge.src, weight: edge.weight };
        let bits = weight_bits::<W>(swapped.weight);
        out[i] = bits + swapped.src * 1000 + swapped.dst;
    }
}

/// A collective of a value of generic type.
#[kernel]
pub fn broadcast_weight<W: Weight>(edges: &[Edge<W>], out: &mut [u32]) {
    let i = thread_id();
    let mut edge: Edge<W> = Edge { src: 0, dst: 0, weight: W::ZERO };
    if i < edges.len() {
        edge = edges[i];
    }
    let weight = warp_broadcast(edge.weight, 7);
    let dst = warp_broadcast(edge.dst, 3);
    if i < out.len() {
        out[i] = weight.to_bits() + dst;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![
        returns::info(),
        uniforms::info(),
        across_modules::info(),
        by_path::info(),
        weights::info::<()>(),
        weights::info::<u32>(),
        weights::info::<i32>(),
        weights::info::<f32>(),
        broadcast_weight::info::<()>(),
        broadcast_weight::info::<u32>(),
        broadcast_weight::info::<i32>(),
        broadcast_weight::info::<f32>(),
    ]
}
