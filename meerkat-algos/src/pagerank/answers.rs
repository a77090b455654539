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
        let sums =
            DeviceBuffer::<Atomic<f64>>::zeroed(&device, count.div_ceil(BLOCK_THREADS) as usize)?;
        sum_ranks::launch(&device, count, ranks, &sums)?;
        let sum: f64 = sums.to_vec()?.into_iter().sum();
        copy_ranks::launch(&device, 0..answers.len() as u32, vertices, ranks, sum, answers)
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        sum_ranks::info::<f32>(),
        sum_ranks::info::<f64>(),
        copy_ranks::info::<f32>(),
        copy_ranks::info::<f64>(),
    ]
}
