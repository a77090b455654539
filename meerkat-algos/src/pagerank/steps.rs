//! Ranks in device memory, and the parts of a step: each launches one operator.

use super::convergence::Measure;
use super::model::{Bounds, Model};
use super::operators::{self, End, MEASURES, StepBuffers};
use meerkat_runtime::VertexItems;
use meerkat_runtime::frontier::NextFrontier;
use meerkat_runtime::launch::HostArg;
use meerkat_runtime::longest_in_lists;
use meerkat_runtime::prelude::*;
use meerkat_runtime::schedule::BLOCK_THREADS;

/// Blocks that measure a step, at most: they fill a large GPU.
const MEASURING_BLOCKS: usize = 1024;

/// Ranks on their way to the fixed point, in device memory.
#[derive(Debug)]
pub(super) struct Iteration<R: Float> {
    pub(super) device: Device,
    /// How many out-edges each vertex has.
    out_edges: DeviceBuffer<u32>,
    /// Which have none, as was last noted: a bit each.
    dead_ends: DeviceBuffer<Atomic<u32>>,
    pub(super) ranks: DeviceBuffer<R>,
    /// What each vertex passes on along each of its out-edges.
    pub(super) shares: DeviceBuffer<R>,
    /// Ranks and shares after the step that is being made, of those who take part.
    pub(super) next: DeviceBuffer<R>,
    pub(super) next_shares: DeviceBuffer<R>,
    pub(super) of_blocks: DeviceBuffer<Atomic<f64>>,
    pub(super) measures: DeviceBuffer<Atomic<f64>>,
    /// See [`EndRef`](operators::EndRef).
    above: DeviceBuffer<Atomic<u32>>,
}

/// A walk waits for the shares of others: all warps of a multiprocessor are to.
const REGISTERS: u8 = 32;
/// A vertex of so many lists, or of one that may have any length, has its shares added up without an error. On
/// CUDA a block has 256 lanes for them, and each rounds a few thousand times at most where there are fewer; on the
/// CPU, and under other schedules than `Auto`, one lane may have all. On the CPU that costs no time. (On CUDA it
/// does: 14 % on RMAT-22 in double precision, for registers.)
const LONG_SUM: u32 = 1 << 15;

/// A power of two that all ranks together do not exceed: 1, but while the dead ends' part is held up to
/// `1 / (1 - damping)`.
fn most_together(damping: f64) -> f64 {
    (1.0 - damping).recip().log2().ceil().exp2()
}

impl<R: Float> Iteration<R> {
    /// Memory for the ranks of a graph, to be started by `restart`.
    pub(super) fn new<C: Container>(graph: &C) -> Result<Self, Error> {
        let (device, n) = (graph.device(), graph.vertex_count() as usize);
        let blocks = n.div_ceil(BLOCK_THREADS as usize).clamp(1, MEASURING_BLOCKS);
        Ok(Iteration {
            device: device.clone(),
            out_edges: DeviceBuffer::zeroed(device, n)?,
            dead_ends: DeviceBuffer::zeroed(device, n.div_ceil(32))?,
            ranks: DeviceBuffer::zeroed(device, n)?,
            shares: DeviceBuffer::zeroed(device, n)?,
            next: DeviceBuffer::zeroed(device, n)?,
            next_shares: DeviceBuffer::zeroed(device, n)?,
            of_blocks: DeviceBuffer::zeroed(device, blocks * MEASURES as usize)?,
            measures: DeviceBuffer::zeroed(device, MEASURES as usize)?,
            above: DeviceBuffer::zeroed(device, 2)?,
        })
    }

    /// What operators see of a step.
    fn buffers(&self) -> StepBuffers<'_, R> {
        StepBuffers { ranks: &self.ranks, next: &self.next }
    }

    /// What says that the steps end.
    fn end(&self) -> End<'_> {
        End { measures: &self.measures, above: &self.above }
    }

    /// Gives all vertices this rank, as the next.
    pub(super) fn begin(&mut self, rank: R) -> Result<(), Error> {
        let all = 0..self.ranks.len() as u32;
        operators::begin::launch(&self.device, all, rank, &mut self.ranks, &mut self.next)
    }

    /// Multiplies all ranks, as the next.
    pub(super) fn rescale(&mut self, factor: R) -> Result<(), Error> {
        let all = 0..self.ranks.len() as u32;
        operators::rescale::launch(&self.device, all, factor, &self.ranks, &mut self.next)
    }

    /// Counts the out-edges of vertices that may have got others.
    pub(super) fn count_out_edges<C: Container>(
        &mut self,
        items: impl HostArg<VertexItems>,
        graph: &C,
    ) -> Result<(), Error> {
        let (out, out_edges) = (graph.out_edges()?, &mut self.out_edges);
        operators::count_out_edges::launch(&self.device, items, out, out_edges)
    }

    /// What the vertices get from their in-neighbours.
    pub(super) fn pull<C: Container>(
        &mut self,
        items: impl HostArg<VertexItems>,
        graph: &C,
        model: Model,
        measure: Measure,
    ) -> Result<(), Error> {
        let (keeps, options) = (measure != Measure::Nothing, Schedule::Auto.registers(REGISTERS));
        let (device, measures, shares) = (&self.device, &self.measures, &self.shares);
        let (out_edges, next, next_shares) =
            (&self.out_edges, &mut self.next, &mut self.next_shares);
        let in_edges = graph.in_edges()?;
        let has_many_lanes = device.is_cuda() && device.schedule() == Schedule::Auto;
        let is_short = |lists| lists < LONG_SUM;
        if !has_many_lanes || !longest_in_lists(graph)?.is_some_and(is_short) {
            return operators::pull_exactly::launch_with(
                options,
                device,
                items,
                in_edges,
                model,
                most_together(model.damping),
                keeps,
                measures,
                out_edges,
                shares,
                next,
                next_shares,
            );
        }
        operators::pull::launch_with(
            options,
            device,
            items,
            in_edges,
            model,
            keeps,
            measures,
            out_edges,
            shares,
            next,
            next_shares,
        )
    }

    /// What the step changes, of each block.
    pub(super) fn measure_blocks(
        &self,
        items: impl HostArg<VertexItems>,
        bounds: Bounds,
    ) -> Result<(), Error> {
        let (device, step, of_blocks) = (&self.device, self.buffers(), &self.of_blocks);
        let out = &self.out_edges;
        operators::measure::launch(device, self.threads(), items, out, bounds, step, of_blocks)
    }

    /// Notes which vertices are dead ends.
    pub(super) fn note_dead_ends(&self) -> Result<(), Error> {
        let (all, dead_ends) = (self.out_edges.len() as u32, &self.dead_ends);
        operators::note_dead_ends::launch(&self.device, all, &self.out_edges, dead_ends)
    }

    /// The rank of dead ends, of each block.
    pub(super) fn measure_dead_ends(&self) -> Result<(), Error> {
        let Iteration { device, dead_ends, next, of_blocks, .. } = self;
        operators::measure_dead_ends::launch(device, self.threads(), dead_ends, next, of_blocks)
    }

    /// Those of all blocks that measure.
    fn threads(&self) -> u32 {
        self.of_blocks.len() as u32 / MEASURES * BLOCK_THREADS
    }

    /// Lists whom the step affects.
    pub(super) fn expand<C: Container>(
        &self,
        items: impl HostArg<VertexItems>,
        graph: &C,
        bounds: Bounds,
        marks: &DeviceBuffer<Atomic<u32>>,
        affected: NextFrontier<'_, Vertex>,
    ) -> Result<(), Error> {
        let (device, out, step) = (&self.device, graph.out_edges()?, self.buffers());
        operators::expand::launch(device, items, out, bounds, step, self.end(), marks, affected)
    }

    /// Marks whom the step affects.
    pub(super) fn spread<C: Container>(
        &self,
        items: impl HostArg<VertexItems>,
        graph: &C,
        bounds: Bounds,
        marks: &DeviceBuffer<Atomic<u32>>,
    ) -> Result<(), Error> {
        let (device, out, step) = (&self.device, graph.out_edges()?, self.buffers());
        operators::spread::launch(device, items, out, bounds, step, self.end(), marks)
    }

    /// Makes what the step computed the current, where the change is propagated.
    pub(super) fn publish(
        &mut self,
        items: impl HostArg<VertexItems>,
        bounds: Bounds,
    ) -> Result<(), Error> {
        let (ranks, shares) = (&mut self.ranks, &mut self.shares);
        operators::publish::launch(
            &self.device,
            items,
            bounds,
            End { measures: &self.measures, above: &self.above },
            &self.next,
            &self.next_shares,
            ranks,
            shares,
        )
    }

    /// Divides ranks among the out-edges that there are.
    pub(super) fn divide(
        &mut self,
        items: impl HostArg<VertexItems>,
        model: Model,
    ) -> Result<(), Error> {
        let (out, shares) = (&self.out_edges, &mut self.shares);
        operators::divide::launch(&self.device, items, out, model, &self.ranks, shares)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_ranks_together_do_not_exceed_a_power_of_two() {
        let of = [(0.0, 1.0), (0.5, 2.0), (0.85, 8.0), (0.99, 128.0)];
        for (damping, most) in of {
            assert_eq!(super::most_together(damping), most, "{damping}");
        }
    }
}
