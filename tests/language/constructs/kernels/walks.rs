//! Walks of a lane by itself, searches, common neighbours, neighbours by place.

use meerkat::prelude::*;
use meerkat::runtime::graph::{
    NOT_FOUND, bucket_count, edge_weight, find_edge_alone, has_edge, nth_neighbor, random_neighbor,
};
use meerkat::runtime::program::KernelInfo;
use meerkat::runtime::random::random_u32;

/// What a device function finds on a walk of its own.
#[device]
fn heaviest(graph: &Graph<u32>, v: Vertex) -> u32 {
    let mut most = 0;
    for_each_neighbor(graph, v, true, |dst, weight| {
        if weight * 100 + dst % 100 > most {
            most = weight * 100 + dst % 100;
        }
    });
    most
}

/// Walks in a kernel, in branches and loops where lanes are apart.
#[kernel]
pub fn in_a_kernel(graph: &Graph<u32>, out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        let mut sum = heaviest(graph, i);
        for round in 0..i % 3 {
            for_each_neighbor(graph, i, round != 1, |dst| sum += dst * (round + 1));
        }
        if i % 2 == 0 {
            let least = find_neighbor(graph, i, true, |dst, weight| dst > i && weight > 2);
            sum += if least == u32::MAX { 7 } else { least };
        }
        out[i] = sum;
    }
}

/// Neighbours of neighbours: two walks, the inner one a lane's own.
#[vertex_operator]
pub fn nested(v: Vertex, graph: &Graph<u32>, out: &mut [u32], seen: &[Atomic<u32>]) {
    let mut two_steps = 0u32;
    for_each_neighbor(graph, v, true, |a, first| {
        let mut best = 0;
        for_each_neighbor(graph, a, a != v, |b, second| {
            if b != v {
                two_steps += first * second;
                best = best.max(second);
                seen[b].fetch_add(1);
            }
        });
        seen[a].fetch_max(best);
    });
    out[v] = two_steps;
}

/// Triangles at each vertex, and whom two neighbours have in common.
#[vertex_operator]
pub fn common(v: Vertex, graph: &Graph<u32>, out: &mut [u32], met: &[Atomic<u32>]) {
    let mut triangles = 0u32;
    for_each_neighbor(graph, v, true, |a| {
        for_each_common_neighbor(graph, v, a, a > v, |b| {
            if b > a {
                triangles += 1;
            }
        });
    });
    for_each_common_neighbor(graph, v, (v + 1) % 40, v % 2 == 0, |w| {
        met[w].fetch_add(v);
    });
    out[v] = triangles;
}

/// Where somebody is, whom to look at, in a struct.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct Walker {
    pub at: u32,
    pub path: [u32; 2],
}

#[device]
impl Walker {
    /// The neighbours that it sees, summed up.
    pub fn around(self, graph: &Graph<u32>) -> u32 {
        let mut sum = 0;
        for_each_neighbor(graph, self.at, true, |dst| {
            sum += dst;
        });
        let found = find_neighbor(graph, self.path[1], true, |dst| dst == self.at);
        sum + (found == self.at) as u32 * 1000
    }
}

/// Vertices that are fields of a parameter and of an item of memory, and a second vertex that
/// the closure changes: it is asked for once.
#[kernel]
pub fn walkers(graph: &Graph<u32>, walkers: &[Walker], one: Walker, out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = walkers[i].around(graph) * 100;
        let mut second = i;
        let mut common = 0;
        for_each_common_neighbor(graph, one.at, second, true, |w| {
            common += 1;
            second = w;
        });
        for_each_common_neighbor(graph, one.path[0], out[i] % 40, true, |w| {
            out[i] += w * 0 + 1;
        });
        out[i] += common * 10000;
    }
}

/// The same of a group.
#[vertex_operator]
pub fn from_one(v: Vertex, graph: &Graph<u32>, one: Walker, met: &[Atomic<u32>]) {
    for_each_neighbor(graph, one.at, v < 3, |dst| {
        met[dst].fetch_add(v + 1);
    });
    for_each_common_neighbor(graph, v, one.path[0] + one.path[1], true, |w| {
        met[w].fetch_add(100);
    });
}

/// Somebody on the other side; every schedule may find another.
#[vertex_operator]
pub fn search(v: Vertex, graph: &Graph<u32>, side: &[u32], out: &mut [u32]) {
    let other = find_neighbor(graph, v, side[v] != 2, |dst, weight| {
        let far = weight >= 3;
        far && side[dst] != side[v]
    });
    out[v] = other;
}

/// The neighbour at which a sum of weights passes a bound, and that sum: a lane's search
/// asks nobody after the one it found.
#[kernel]
pub fn weighted(graph: &Graph<u32>, bound: u32, out: &mut [u64]) {
    let i = thread_id();
    if i < out.len() {
        let (mut sum, mut asked) = (0u32, 0u32);
        let found = find_neighbor(graph, i, true, |_dst, weight| {
            sum += weight;
            asked += 1;
            sum > bound
        });
        let mut last = 0u32;
        if found != u32::MAX {
            last = edge_weight(graph, find_edge_alone(graph, i, found) as u32);
        }
        out[i] = (sum as u64) << 32 | (last as u64) << 16 | asked as u64;
    }
}

/// Neighbours by place and by chance, and weights, by a lane alone.
#[kernel]
pub fn by_place(graph: &Graph<u32>, out: &mut [u64]) {
    let i = thread_id();
    if i < out.len() {
        let third = nth_neighbor(graph, i, 2);
        let chosen = random_neighbor(graph, i, random_u32(7, i as u64));
        let bits = find_edge_alone(graph, i, (i * 7 + 1) % 40);
        let mut weight = 1000u32;
        if bits != NOT_FOUND {
            weight = edge_weight(graph, bits as u32);
        }
        let is_real = chosen == u32::MAX || has_edge(graph, i, chosen);
        out[i] = (third as u64) << 32 | (weight as u64) << 1 | is_real as u64;
    }
}

/// Walks inside of blocks that are values.
#[vertex_operator]
pub fn in_blocks(v: Vertex, graph: &Graph<u32>, out: &mut [u32]) {
    let mut found = {
        let mut sum = 0u32;
        for_each_neighbor(graph, v, true, |dst, _weight| sum += dst);
        let largest = {
            let mut most = 0u32;
            for_each_neighbor(graph, v, true, |_dst, weight| most = most.max(weight));
            most * 1000
        };
        sum + largest
    };
    found += {
        let hub = find_neighbor(graph, v, true, |dst| dst == 3);
        if hub == 3 { 5 } else { 0 }
    };
    out[v] = found;
    out[v] = {
        let mut count = 0u32;
        for_each_neighbor(graph, v, true, |_| count += 1);
        out[v] * 100 + count
    };
}

#[device]
fn nth_power(base: u32, power: Uniform<u32>) -> u32 {
    let mut value = 1;
    for _ in 0..power {
        value *= base;
    }
    value
}

/// What a closure counts by itself is the same in all lanes that are there.
#[kernel]
pub fn uniform_in_a_closure(graph: &Graph<u32>, out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        let mut sum = 0;
        for list in 0..bucket_count(graph, i) {
            for_each_bucket(graph, i, list, true, |dst| {
                let mut power = 0;
                loop {
                    power += 1;
                    if power > 3 {
                        break;
                    }
                    sum += nth_power(dst, power);
                }
            });
        }
        out[i] = sum;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    let mut all = vec![in_a_kernel::info(), by_place::info(), weighted::info()];
    all.push(uniform_in_a_closure::info());
    all.extend(Schedule::ALL.into_iter().map(in_blocks::info_with));
    all.push(walkers::info());
    for schedule in Schedule::ALL {
        all.extend(
            [nested::info_with, common::info_with, search::info_with, from_one::info_with]
                .map(|of| of(schedule)),
        );
    }
    all
}
