//! Ranks that stay on the device.

use super::dynamic::{PageRank, PageRankState};
use meerkat_runtime::dynamic::{Answer, VertexAnswers, asked_vertex};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use meerkat_runtime::schedule::BLOCK_THREADS;

/// Sums ranks, those of each block apart.
#[kernel]
fn sum_ranks<R: Float>(ranks: &[R], sums: &[Atomic<f64>]) {
    let i = thread_id();
    let mut rank = 0.0f64;
    if i < ranks.len() {
        rank = ranks[i].to_f64();
    }
    let sum = block_reduce_sum(rank);
    if block_thread_id() == 0 && block_id() < sums.len() {
        sums[block_id()].store(sum);
    }
}

/// Copies the ranks of vertices as parts of their sum.
#[vertex_operator]
fn copy_ranks<R: Float>(i: Vertex, vertices: &[Vertex], ranks: &[R], sum: f64, copies: &mut [R]) {
    let v: Vertex = asked_vertex(vertices, i);
    if v < ranks.len() {
        let rank: R = ranks[v];
        copies[i] = R::from_f64(rank.to_f64() / sum);
    }
}

impl<R: Float + Answer, C: Container> VertexAnswers<C> for PageRank<R> {
    /// The rank: up to rounding that of [`Ranks`](super::Ranks). Each look sums up all ranks.
    type Value = R;

    fn write_answers(
        &self,
        state: &PageRankState<R>,
        vertices: &DeviceBuffer<Vertex>,
        answers: &mut DeviceBuffer<R>,
    ) -> Result<(), Error> {
        let ranks = state.ranks();
        let (device, count) = (ranks.device().clone(), ranks.len() as u32);
        let sums = DeviceBuffer::<Atomic<f64>>::zeroed(&device, blocks_at_most(count) as usize)?;
        sum_ranks::launch(&device, count, ranks, &sums)?;
        let sum: f64 = sums.to_vec()?.into_iter().sum();
        copy_ranks::launch(&device, 0..answers.len() as u32, vertices, ranks, sum, answers)
    }
}

/// How many blocks a launch has at most: on the CPU a block has the threads of a warp.
fn blocks_at_most(threads: u32) -> u32 {
    threads.div_ceil(32).next_multiple_of(BLOCK_THREADS / 32)
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        sum_ranks::info::<f32>(),
        sum_ranks::info::<f64>(),
        copy_ranks::info::<f32>(),
        copy_ranks::info::<f64>(),
    ]
}

#[cfg(test)]
mod tests {
    use crate::pagerank::{Method, Options, PageRank};
    use meerkat_runtime::prelude::*;

    #[test]
    fn ranks_on_the_device_sum_to_1_whatever_the_number_of_blocks() -> Result<(), Error> {
        let device = Device::cpu();
        let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
        for vertices in [1u32, 32, 33, 256, 257, 1000] {
            let edge = |src| Edge { src, dst: (src * 7 + 1) % vertices, weight: () };
            let edges: Vec<_> = (0..vertices).map(edge).collect();
            let graph = SlabGraph::from_edges(&device, vertices, &edges, &options)?;
            let tracked =
                graph.track(PageRank::<f64>::new(Options::default(), Method::NaiveDynamic))?;
            let sum: f64 = tracked.answers()?.to_buffer()?.to_vec()?.into_iter().sum();
            assert!((sum - 1.0).abs() < 1e-12, "{vertices} vertices: {sum}");
        }
        Ok(())
    }
}
