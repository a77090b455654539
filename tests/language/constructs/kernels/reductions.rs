//! Reductions of one's own: what walks join by a function of a type.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// The two smallest keys, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceStruct)]
#[repr(C)]
pub struct Two {
    pub first: u32,
    pub second: u32,
    pub count: u64,
}

#[device]
impl Reduce for Two {
    const IDENTITY: Two = Two { first: u32::MAX, second: u32::MAX, count: 0 };
    fn join(self, other: Two) -> Two {
        let first = self.first.min(other.first);
        let second = self.first.max(other.first).min(self.second.min(other.second));
        Two { first, second, count: self.count + other.count }
    }
}

/// How many of each remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceStruct)]
#[repr(C)]
pub struct Bins {
    pub of: [u32; 5],
}

#[device]
impl Bins {
    pub fn one(which: u32) -> Bins {
        let mut of = [0; 5];
        of[which % 5] = 1;
        Bins { of }
    }
}

#[device]
impl Reduce for Bins {
    const IDENTITY: Bins = Bins { of: [0; 5] };
    fn join(self, other: Self) -> Self {
        let mut of: [u32; 5] = self.of;
        for i in 0..5 {
            of[i] += other.of[i];
        }
        Bins { of }
    }
}

/// What an edge gives to what is gathered.
#[device]
pub trait OfEdge: Reduce {
    fn of_edge(dst: u32, weight: u32) -> Self;
}

#[device]
impl OfEdge for Two {
    fn of_edge(dst: u32, weight: u32) -> Two {
        Two { first: weight * 1000 + dst, second: u32::MAX, count: 1 << (dst % 40) }
    }
}

#[device]
impl OfEdge for ArgMax<u32> {
    fn of_edge(dst: u32, weight: u32) -> ArgMax<u32> {
        ArgMax { key: weight % 7, vertex: dst }
    }
}

/// Any reduction, over those neighbours that the predicate lets in.
#[vertex_operator]
pub fn gather<R: OfEdge>(v: Vertex, graph: &Graph<u32>, values: &[u32], out: &mut [R]) {
    let mut all = R::IDENTITY;
    for_each_neighbor(graph, v, values[v] % 5 != 0, |dst, weight| {
        if weight != 9 {
            all = all.join(R::of_edge(dst, weight));
        }
    });
    out[v] = all;
}

/// The nearest neighbour, beside a sum and a histogram of the same walk.
#[vertex_operator]
pub fn nearest(
    v: Vertex,
    graph: &Graph<f32>,
    out: &mut [ArgMin<f32>],
    bins: &mut [Bins],
    sums: &mut [u32],
) {
    let mut near = ArgMin::<f32>::IDENTITY;
    let mut counts = Bins::one(v);
    let mut sum = 1u32;
    for_each_neighbor(graph, v, true, |dst, weight| {
        let key = select(weight == 100.0, f32::NAN, weight);
        near = near.join(ArgMin { key, vertex: dst });
        counts = counts.join(Bins::one(dst));
        sum += dst;
    });
    out[v] = near;
    bins[v] = counts;
    sums[v] = sum;
}

/// The same of edges: the farthest neighbour of each end, in a walk each.
#[edge_operator]
pub fn of_both_ends(edge: Edge<u32>, graph: &Graph<u32>, far: &[Atomic<u64>]) {
    let mut of_src = ArgMax::<u32>::IDENTITY;
    for_each_neighbor(graph, edge.src, true, |dst, weight| {
        of_src = of_src.join(ArgMax { key: weight, vertex: dst });
    });
    let mut of_dst: ArgMax<u32> = ArgMax { key: 3, vertex: 1_000_000 };
    for_each_neighbor(graph, edge.dst, edge.weight > 3, |dst, weight| {
        of_dst = of_dst.join(ArgMax { key: weight, vertex: dst });
    });
    far[edge.src].fetch_add((of_src.vertex as u64) << 32 | of_dst.vertex as u64);
}

/// A lane by itself joins as any code does.
#[kernel]
pub fn alone(graph: &Graph<u32>, out: &mut [Two]) {
    let v = thread_id();
    if v < out.len() {
        let mut all = Two::IDENTITY;
        for_each_neighbor(graph, v, true, |dst, weight| {
            all = all.join(Two::of_edge(dst, weight));
        });
        out[v] = all;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![
        gather::info::<Two>(),
        gather::info::<ArgMax<u32>>(),
        nearest::info(),
        nearest::info_with(Schedule::Hybrid),
        nearest::info_with(Schedule::Tile4),
        of_both_ends::info(),
        alone::info(),
    ]
}
