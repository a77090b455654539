//! Atomic adds that lanes share when they happen to be together.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// Odd lanes take tickets, all alike.
#[kernel]
pub fn tickets(next: &[Atomic<u32>], out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        if i % 2 == 1 {
            out[i] = next[0].fetch_add_aggregated(1);
        }
    }
}

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        pub mod $ty {
            use super::*;

            /// Amounts that differ, to several cells, from two branches.
            #[kernel]
            pub fn amounts(cells: &[Atomic<$ty>], which: &[u32], by: &[$ty], out: &mut [$ty]) {
                let i = thread_id();
                if i < out.len() {
                    let cell = which[i];
                    if by[i] as u32 % 3 == 0 {
                        out[i] = cells[cell].fetch_add_aggregated(by[i]);
                    } else {
                        let before = cells[cell].fetch_add_aggregated(by[i]);
                        out[i] = before;
                    }
                }
            }
        }
    )*};
}

numbers!(u32 i32 u64 i64);

/// Each lane adds as often as it likes; then all lanes of the warp meet.
#[kernel]
pub fn rounds(cells: &[Atomic<u64>], out: &mut [u32]) {
    let i = thread_id();
    let mut added = 0u32;
    for round in 0..i % 7 {
        let cell = (i + round) % cells.len();
        cells[cell].fetch_add_aggregated((round + 1) as u64);
        added += round + 1;
    }
    let total = warp_reduce_sum(added);
    if i < out.len() {
        out[i] = total;
    }
}

/// Values by their last four bits, counted in memory of the block.
#[kernel]
pub fn shared_histogram(values: &[u32], bins: &[Atomic<u32>]) {
    let counts = block_shared::<u32, 16>();
    let i = thread_id();
    if i < values.len() {
        counts[values[i] % 16].fetch_add_aggregated(1);
    }
    block_barrier();
    if block_thread_id() < 16 {
        let bin = block_thread_id();
        bins[bin].fetch_add_aggregated(counts[bin].load());
    }
}

/// How many edges enter each vertex, from a walk and from a list.
#[vertex_operator]
pub fn in_degrees(v: Vertex, graph: &Graph, degrees: &[Atomic<u32>]) {
    for_each_neighbor(graph, v, true, |dst| {
        degrees[dst].fetch_add_aggregated(1);
    });
}

#[edge_operator]
pub fn listed_in_degrees(edge: Edge, degrees: &[Atomic<u32>]) {
    degrees[edge.dst].fetch_add_aggregated(1);
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![
        tickets::info(),
        u32::amounts::info(),
        i32::amounts::info(),
        u64::amounts::info(),
        i64::amounts::info(),
        rounds::info(),
        shared_histogram::info(),
        in_degrees::info(),
        listed_in_degrees::info(),
    ]
}
