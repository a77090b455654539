//! What the closure of `for_each_neighbor` accumulates.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// The out-degree, and the sum of the neighbours' values.
#[vertex_operator]
pub fn sums(v: Vertex, graph: &Graph, values: &[u32], degree: &mut [u32], sum: &mut [u32]) {
    let mut count = 0u32;
    let mut total = 1000u32;
    for_each_neighbor(graph, v, values[v] % 5 != 0, |dst| {
        count += 1;
        total += values[dst];
    });
    degree[v] = count;
    sum[v] = total;
}

/// The other accumulations, in one walk.
#[vertex_operator]
pub fn extremes<W: Weight>(
    v: Vertex,
    graph: &Graph<W>,
    values: &[i32],
    least: &mut [i32],
    most: &mut [u32],
    seen: &mut [u32],
) {
    let mut low = 40i32;
    let mut high = 3u32;
    let mut bits = 0u32;
    let mut odd = false;
    for_each_neighbor(graph, v, true, |dst, weight| {
        low = low.min(values[dst]);
        high = high.max(dst + weight.to_bits() % 7);
        bits |= 1 << (dst % 31);
        if dst % 2 == 1 {
            odd |= true;
        }
    });
    least[v] = low;
    most[v] = high;
    seen[v] = bits | (odd as u32) << 31;
}

/// A sum, a minimum and a maximum of whatever number there is.
#[vertex_operator]
pub fn of_any_number<T>(
    v: Vertex,
    graph: &Graph,
    values: &[T],
    start: T,
    sum: &mut [T],
    least: &mut [T],
    most: &mut [T],
) where
    T: Number,
{
    let mut total: T = start;
    let mut low: T = values[v];
    let mut high: T = values[v];
    for_each_neighbor(graph, v, true, |dst| {
        total += values[dst];
        low = low.min(values[dst]);
        high = high.max(values[dst]);
    });
    sum[v] = total;
    least[v] = low;
    most[v] = high;
}

/// Two walks of two graphs, the second with what the first found.
#[vertex_operator]
pub fn two_walks(v: Vertex, out: &Graph, back: &Graph<u32>, result: &mut [u64]) {
    let mut forward = 0u64;
    for_each_neighbor(out, v, true, |dst| {
        forward += dst as u64;
    });
    let mut backward = 0u64;
    for_each_neighbor(back, v, forward % 2 == 0, |src, weight| {
        backward += src as u64 * forward + weight as u64;
    });
    result[v] = forward + backward * 1000;
}

/// A closure with variables, branches, loops and calls of its own.
#[vertex_operator]
pub fn busy_closure(v: Vertex, graph: &Graph<f32>, found: &mut [u32]) {
    let mut hits = 0u32;
    for_each_neighbor(graph, v, true, |dst, weight| {
        let mut n = dst;
        let mut steps = 0u32;
        while n > v {
            n = half(n);
            steps += 1;
        }
        if weight > 1.0 && steps > 0 {
            for k in 0..steps {
                hits += k;
            }
        } else {
            hits += 1;
        }
    });
    found[v] = hits;
}

#[device]
fn half(n: u32) -> u32 {
    n / 2
}

/// A NaN is a 1 here; other floats are their bits.
#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct OddFloats {
    pub least: u32,
    pub most: u32,
    pub sum: u32,
}

/// Starts from a NaN, which `min` and `max` give up for any number, and from -0.0, which
/// a sum gives up for 0.0.
#[vertex_operator]
pub fn from_odd_floats(v: Vertex, graph: &Graph<f32>, found: &mut [OddFloats]) {
    let (mut least, mut most, mut sum) = (f32::NAN, f32::NAN, -0.0f32);
    for_each_neighbor(graph, v, v % 3 != 0, |_, weight| {
        least = least.min(weight);
        most = most.max(weight);
        sum += weight;
    });
    let least = select(least.is_nan(), 1, least.to_bits());
    let most = select(most.is_nan(), 1, most.to_bits());
    found[v] = OddFloats { least, most, sum: sum.to_bits() };
}

pub fn kernels() -> Vec<KernelInfo> {
    let mut all: Vec<_> = Schedule::ALL.into_iter().map(from_odd_floats::info_with).collect();
    all.extend([
        sums::info(),
        extremes::info::<()>(),
        extremes::info::<u32>(),
        extremes::info::<i32>(),
        extremes::info::<f32>(),
        of_any_number::info::<u16>(),
        of_any_number::info::<i64>(),
        of_any_number::info::<f32>(),
        of_any_number::info::<f64>(),
        two_walks::info(),
        busy_closure::info(),
    ]);
    all
}
