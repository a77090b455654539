//! The steps towards the fixed point.

use super::convergence::{ConvergenceSchedule, Measure};
use super::model::{Bounds, Model, Norm, Stop};
use super::operators::{ABOVE, DEAD, L_INFINITY, L1, combine_measures};
use super::steps::Iteration;
use meerkat_runtime::launch::HostArg;
use meerkat_runtime::prelude::*;
use meerkat_runtime::{ErrorKind, VertexItems};

/// How far a step went.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    pub(super) l1: f64,
    pub(super) l_infinity: f64,
    /// The rank of dead ends after it, if all vertices took part.
    pub(super) dead: f64,
    /// How many vertices changed by more than may stay unpropagated.
    pub(super) above: f64,
}

impl Step {
    pub(super) fn change(&self, norm: Norm) -> f64 {
        match norm {
            Norm::L1 => self.l1,
            Norm::LInfinity => self.l_infinity,
        }
    }
}

impl<R: Float> Iteration<R> {
    /// Starts with equal ranks.
    pub(super) fn restart<C: Container>(&mut self, graph: &C, model: Model) -> Result<(), Error> {
        let all = 0..graph.vertex_count();
        let equal = R::from_f64(1.0 / f64::from(graph.vertex_count()));
        self.count_out_edges(all.clone(), graph)?;
        self.begin(equal)?;
        self.measure(all.clone(), Bounds::NONE)?;
        std::mem::swap(&mut self.ranks, &mut self.next);
        self.divide(all, model)
    }

    /// Makes the sum of all ranks 1, and divides them among the out-edges that there
    /// are. Synchronises.
    pub(super) fn normalize<C: Container>(&mut self, graph: &C, model: Model) -> Result<(), Error> {
        let all = 0..graph.vertex_count();
        self.count_out_edges(all.clone(), graph)?;
        // The change from the ranks to nothing is their sum.
        self.rescale(R::from_f64(0.0))?;
        self.measure(all.clone(), Bounds::NONE)?;
        let sum = self.measured()?.l1;
        self.rescale(R::from_f64(1.0 / sum))?;
        self.measure(all.clone(), Bounds::NONE)?;
        std::mem::swap(&mut self.ranks, &mut self.next);
        self.divide(all, model)
    }

    /// Steps of all vertices at once, until it is time to stop; how many that took, and
    /// the last. Synchronises where it measures the change.
    pub(super) fn iterate_until_stop<C: Container>(
        &mut self,
        graph: &C,
        model: Model,
        stop: &Stop,
    ) -> Result<(u32, Step), Error> {
        if model.dead_weight != 0.0 {
            self.note_dead_ends()?;
        }
        until_stop(stop, |measure| {
            self.step_all(graph, model, measure)?;
            if measure == Measure::Change { self.measured().map(Some) } else { Ok(None) }
        })
    }

    fn step_all<C: Container>(
        &mut self,
        graph: &C,
        model: Model,
        measure: Measure,
    ) -> Result<(), Error> {
        let all = 0..graph.vertex_count();
        self.pull(all.clone(), graph, model, measure)?;
        if measure == Measure::Change {
            self.measure(all, Bounds::NONE)?;
        } else if model.dead_weight != 0.0 {
            self.measure_dead_ends()?;
            self.combine_measures()?;
        }
        self.accept();
        Ok(())
    }

    /// One step of the vertices `items` at once, from the ranks that were propagated. `spread` sees
    /// both; the last step is not propagated. Synchronises.
    pub(super) fn step<C: Container>(
        &mut self,
        items: impl HostArg<VertexItems> + Clone,
        graph: &C,
        model: Model,
        bounds: Bounds,
        spread: impl FnOnce(&Self) -> Result<(), Error>,
    ) -> Result<Step, Error> {
        self.pull(items.clone(), graph, model, Measure::Change)?;
        self.measure(items.clone(), bounds)?;
        spread(self)?;
        self.publish(items, bounds)?;
        self.measured()
    }

    /// Tells everybody of the step of all vertices that was probed.
    pub(super) fn accept(&mut self) {
        std::mem::swap(&mut self.ranks, &mut self.next);
        std::mem::swap(&mut self.shares, &mut self.next_shares);
    }

    /// What a step of the vertices `items` changes; it is not propagated. Synchronises.
    pub(super) fn probe<C: Container>(
        &mut self,
        items: impl HostArg<VertexItems> + Clone,
        graph: &C,
        model: Model,
        bounds: Bounds,
    ) -> Result<Step, Error> {
        self.pull(items.clone(), graph, model, Measure::Change)?;
        self.measure(items, bounds)?;
        self.measured()
    }

    /// What the step of the vertices `items` changes, by blocks, and together.
    pub(super) fn measure(
        &self,
        items: impl HostArg<VertexItems>,
        bounds: Bounds,
    ) -> Result<(), Error> {
        self.measure_blocks(items, bounds)?;
        self.combine_measures()
    }

    fn combine_measures(&self) -> Result<(), Error> {
        combine_measures::launch(&self.device, 32, &self.of_blocks, &self.measures)
    }

    pub(super) fn measured(&self) -> Result<Step, Error> {
        let measures = self.measures.to_vec()?;
        let at = |place: u32| measures[place as usize];
        Ok(Step { l1: at(L1), l_infinity: at(L_INFINITY), dead: at(DEAD), above: at(ABOVE) })
    }
}

/// Repeats a step until it is time to stop; returns how many steps that took, and the last.
/// A step that does not measure its change returns none.
pub(super) fn until_stop(
    stop: &Stop,
    mut step: impl FnMut(Measure) -> Result<Option<Step>, Error>,
) -> Result<(u32, Step), Error> {
    let limit = Limit::of(stop);
    let mut schedule = ConvergenceSchedule::new(stop);
    let mut last = limit.before();
    for steps in 1..=limit.steps {
        let Some(done) = step(schedule.at(steps))? else { continue };
        if limit.is_reached(&done) {
            return Ok((steps, done));
        }
        schedule.note(steps, limit.change(&done));
        last = done;
    }
    limit.fail(limit.steps, &last)?;
    Ok((limit.steps, last))
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

    /// Before any step: where a change is to be reached, it has not been.
    pub(super) fn before(&self) -> Step {
        let change = self.tolerance.map_or(0.0, |_| f64::INFINITY);
        Step { l1: change, l_infinity: change, dead: 0.0, above: 0.0 }
    }

    /// The change of a step, as it is compared.
    fn change(&self, done: &Step) -> f64 {
        self.tolerance.map_or(0.0, |(_, norm)| done.change(norm))
    }

    /// Whether a step changed little enough.
    pub(super) fn is_reached(&self, done: &Step) -> bool {
        self.tolerance.is_some_and(|(tolerance, norm)| done.change(norm) < tolerance)
    }

    /// Whether what a step changed may all stay unpropagated, where a tolerance is asked.
    pub(super) fn is_held(&self, done: &Step) -> bool {
        self.tolerance.is_some() && done.above == 0.0
    }

    /// The error for steps that were not enough, unless the number of steps is what is asked.
    pub(super) fn fail(&self, iterations: u32, last: &Step) -> Result<(), Error> {
        let Some((tolerance, norm)) = self.tolerance else { return Ok(()) };
        let change = last.change(norm);
        Err(ErrorKind::NotConverged { iterations, change, tolerance }.into())
    }
}
