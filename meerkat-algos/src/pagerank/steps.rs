//! The parts of a step: each launches one operator.

use super::glances::Looks;
use super::iterate::Iteration;
use super::model::{Bounds, Model};
use super::operators::{self, MEASURES};
use meerkat_runtime::VertexItems;
use meerkat_runtime::frontier::NextFrontier;
use meerkat_runtime::launch::BLOCK_THREADS;
use meerkat_runtime::prelude::*;

impl<R: Float> Iteration<R> {
    /// Gives all vertices this rank, as the next.
    pub(super) fn begin(&mut self, rank: R) -> Result<(), Error> {
        let Iteration { device, ranks, next, .. } = self;
        operators::begin::launch(device, 0..ranks.len() as u32, rank, ranks, next)
    }

    /// Multiplies all ranks, as the next.
    pub(super) fn rescale(&mut self, factor: R) -> Result<(), Error> {
        let Iteration { device, ranks, next, .. } = self;
        operators::rescale::launch(device, 0..ranks.len() as u32, factor, &*ranks, next)
    }

    /// What the vertices get from their in-neighbours.
    pub(super) fn pull<W: Weight>(
        &mut self,
        items: VertexItems,
        graph: &SlabGraph<W>,
        model: Model,
        looks: Looks,
    ) -> Result<(), Error> {
        let Iteration { device, measures, shares, next, next_shares, .. } = self;
        let (into, out) = (graph.in_edges()?, graph.out_edges()?);
        let (keeps, last, now) = (looks != Looks::Away, &*measures, &*shares);
        operators::pull::launch(
            device,
            items,
            into,
            out,
            model,
            keeps,
            last,
            now,
            next,
            next_shares,
        )
    }

    /// What the step changes, of each block.
    pub(super) fn measure_blocks<W: Weight>(
        &self,
        items: VertexItems,
        graph: &SlabGraph<W>,
        looks: Looks,
    ) -> Result<(), Error> {
        let Iteration { device, ranks, next, of_blocks, .. } = self;
        let threads = of_blocks.len() as u32 / MEASURES * BLOCK_THREADS;
        let (out, changes) = (graph.out_edges()?, looks == Looks::AtChange);
        operators::measure::launch(device, threads, items, out, changes, ranks, next, of_blocks)
    }

    /// Lists whom the step affects.
    pub(super) fn expand<W: Weight>(
        &self,
        items: VertexItems,
        graph: &SlabGraph<W>,
        bounds: Bounds,
        marks: &DeviceBuffer<Atomic<u32>>,
        affected: NextFrontier<'_, Vertex>,
    ) -> Result<(), Error> {
        let Iteration { device, ranks, next, .. } = self;
        let out = graph.out_edges()?;
        operators::expand::launch(device, items, out, bounds, ranks, next, marks, affected)
    }

    /// Marks whom the step affects.
    pub(super) fn spread<W: Weight>(
        &self,
        items: VertexItems,
        graph: &SlabGraph<W>,
        bounds: Bounds,
        marks: &DeviceBuffer<Atomic<u32>>,
    ) -> Result<(), Error> {
        let Iteration { device, ranks, next, .. } = self;
        let out = graph.out_edges()?;
        operators::spread::launch(device, items, out, bounds, ranks, next, marks)
    }

    /// Makes what the step computed the current.
    pub(super) fn publish(&mut self, items: VertexItems) -> Result<(), Error> {
        let Iteration { device, next, next_shares, ranks, shares, .. } = self;
        operators::publish::launch(device, items, &*next, &*next_shares, ranks, shares)
    }

    /// Divides ranks among the out-edges that there are.
    pub(super) fn divide<W: Weight>(
        &mut self,
        items: VertexItems,
        graph: &SlabGraph<W>,
        model: Model,
    ) -> Result<(), Error> {
        let Iteration { device, ranks, shares, .. } = self;
        operators::divide::launch(device, items, graph.out_edges()?, model, &*ranks, shares)
    }
}
