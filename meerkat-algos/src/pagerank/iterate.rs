//! The steps towards the fixed point.

use super::model::{Model, Norm, Stop};
use super::operators::{DEAD, L_INFINITY, L1, MEASURES, combine_measures};
use super::precision::Rank;
use meerkat_runtime::prelude::*;
use meerkat_runtime::{ErrorKind, VertexItems};

/// Warps that measure a step, at most: they fill a large GPU.
const MEASURING_WARPS: usize = 8192;

/// Ranks on their way to the fixed point, in device memory.
#[derive(Debug)]
pub struct Iteration<R: Rank> {
    pub(super) device: Device,
    pub(super) ranks: DeviceBuffer<R>,
    /// What each vertex passes on along each of its out-edges.
    pub(super) shares: DeviceBuffer<R>,
    /// The ranks after the step that is being made; else the same as `ranks`.
    pub(super) next: DeviceBuffer<R>,
    pub(super) of_warps: DeviceBuffer<Atomic<f64>>,
    pub(super) measures: DeviceBuffer<Atomic<f64>>,
}

/// How far a step went.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    pub(super) l1: f64,
    l_infinity: f64,
    /// The rank of dead ends after it, if all vertices took part.
    pub(super) dead: f64,
}

impl Step {
    fn change(&self, norm: Norm) -> f64 {
        match norm {
            Norm::L1 => self.l1,
            Norm::LInfinity => self.l_infinity,
        }
    }
}

impl<R: Rank> Iteration<R> {
    /// Memory for the ranks of a graph, to be started by [`restart`](Self::restart).
    pub(super) fn new<W: Weight>(graph: &SlabGraph<W>) -> Result<Self, Error> {
        let (device, n) = (graph.device(), graph.vertex_count() as usize);
        let warps = n.div_ceil(32).clamp(1, MEASURING_WARPS).next_multiple_of(8);
        Ok(Iteration {
            device: device.clone(),
            ranks: DeviceBuffer::zeroed(device, n)?,
            shares: DeviceBuffer::zeroed(device, n)?,
            next: DeviceBuffer::zeroed(device, n)?,
            of_warps: DeviceBuffer::zeroed(device, warps * MEASURES as usize)?,
            measures: DeviceBuffer::zeroed(device, MEASURES as usize)?,
        })
    }

    /// Starts with equal ranks.
    pub(super) fn restart<W: Weight>(
        &mut self,
        graph: &SlabGraph<W>,
        model: Model,
    ) -> Result<(), Error> {
        let all = VertexItems::all(graph.vertex_count());
        let equal = R::nearest(1.0 / f64::from(graph.vertex_count()));
        R::begin(self, equal)?;
        self.measure(all, graph)?;
        self.publish(all, graph, model)
    }

    /// Makes the sum of all ranks 1, and divides them among the out-edges that there
    /// are. Synchronises.
    pub(super) fn normalize<W: Weight>(
        &mut self,
        graph: &SlabGraph<W>,
        model: Model,
    ) -> Result<(), Error> {
        let all = VertexItems::all(graph.vertex_count());
        // The change from the ranks to nothing is their sum.
        R::rescale(self, R::nearest(0.0))?;
        self.measure(all, graph)?;
        let sum = self.measured()?.l1;
        R::rescale(self, R::nearest(1.0 / sum))?;
        self.measure(all, graph)?;
        self.publish(all, graph, model)
    }

    /// One step of the vertices `items`: all of them move at once, from the ranks
    /// before. `look` sees both. Synchronises.
    pub(super) fn step<W: Weight>(
        &mut self,
        items: VertexItems,
        graph: &SlabGraph<W>,
        model: Model,
        look: impl FnOnce(&Self) -> Result<(), Error>,
    ) -> Result<Step, Error> {
        R::pull(self, items, graph, model)?;
        self.measure(items, graph)?;
        look(self)?;
        self.publish(items, graph, model)?;
        self.measured()
    }

    fn measure<W: Weight>(&self, items: VertexItems, graph: &SlabGraph<W>) -> Result<(), Error> {
        R::measure(self, items, graph)?;
        combine_measures::launch(&self.device, 32, &self.of_warps, &self.measures)
    }

    /// Makes the ranks of the step the current ones, and divides them among the
    /// out-edges that there are.
    pub(super) fn publish<W: Weight>(
        &mut self,
        items: VertexItems,
        graph: &SlabGraph<W>,
        model: Model,
    ) -> Result<(), Error> {
        R::publish(self, items, graph, model)
    }

    fn measured(&self) -> Result<Step, Error> {
        let measures = self.measures.to_vec()?;
        let at = |place: u32| measures[place as usize];
        Ok(Step { l1: at(L1), l_infinity: at(L_INFINITY), dead: at(DEAD) })
    }
}

/// Repeats a step until it is time to stop; how many steps that took, and the
/// last.
pub(super) fn until_stop(
    stop: &Stop,
    mut step: impl FnMut() -> Result<Step, Error>,
) -> Result<(u32, Step), Error> {
    match *stop {
        Stop::Steps(steps) => {
            let mut last = Step::default();
            for _ in 0..steps {
                last = step()?;
            }
            Ok((steps, last))
        }
        Stop::Change { tolerance, norm, max_iterations } => {
            let mut change = f64::INFINITY;
            for iterations in 1..=max_iterations {
                let done = step()?;
                change = done.change(norm);
                if change < tolerance {
                    return Ok((iterations, done));
                }
            }
            let iterations = max_iterations;
            Err(ErrorKind::NotConverged { iterations, change, tolerance }.into())
        }
    }
}

/// How many steps there may be, and from which change on they are enough.
pub(super) struct Limit {
    pub(super) steps: u32,
    tolerance: Option<(f64, Norm)>,
}

impl Limit {
    pub(super) fn of(stop: &Stop) -> Self {
        match *stop {
            Stop::Steps(steps) => Limit { steps, tolerance: None },
            Stop::Change { tolerance, norm, max_iterations } => {
                Limit { steps: max_iterations, tolerance: Some((tolerance, norm)) }
            }
        }
    }

    /// Whether a step changed little enough.
    pub(super) fn is_reached(&self, done: &Step) -> bool {
        self.tolerance.is_some_and(|(tolerance, norm)| done.change(norm) < tolerance)
    }

    /// The error for steps that were not enough.
    pub(super) fn check(&self, steps: u32, last: &Step, has_more: bool) -> Result<(), Error> {
        match self.tolerance {
            Some((tolerance, norm))
                if has_more && steps >= self.steps && !self.is_reached(last) =>
            {
                let (iterations, change) = (steps, last.change(norm));
                Err(ErrorKind::NotConverged { iterations, change, tolerance }.into())
            }
            _ => Ok(()),
        }
    }
}
