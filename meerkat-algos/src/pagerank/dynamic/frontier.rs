//! Steps of those whom a batch affects: who they are, and for how long they are few.

use super::super::convergence::Measure;
use super::super::iterate::{Limit, Step};
use super::super::model::{Bounds, ENDS_AHEAD, ENDS_NEVER, Options};
use super::super::operators::{affect_neighbors, select_affected};
use super::PageRankState;
use crate::out_edges;
use meerkat_runtime::prelude::*;

/// Up to this part of all vertices, the affected are few: they are listed as they
/// are found.
const FEW_PART: u32 = 64;
/// Above this part of them it costs less to compute all than to know whom.
const MOST_PART: u32 = 4;
/// Above this part of them, the out-edges of changed sources are added up first.
const MANY_SOURCES: u32 = 1 << 10;
/// Fewer than these cost no more than the launches of a step.
const LEAST_MOST: u32 = 1 << 10;
/// For how many steps marks are reserved.
const MOST_AT_ONCE: u32 = 1 << 20;

impl<R: Float> PageRankState<R> {
    /// Whether the sources of changed edges have as many out-edges as there are vertices. Then these mostly affect
    /// most of them, and to list whom takes longer than a step of all (RMAT-22, batches of 10,000: 0.9 of
    /// 5.5 ms, NVIDIA H200). Where sources share their neighbours, few may be affected, and the steps cost
    /// more than they would have: as much as [`Method::NaiveDynamic`](super::Method::NaiveDynamic).
    pub(super) fn is_widespread<W: Weight>(
        &self,
        graph: &impl Container<Carried = W>,
    ) -> Result<bool, Error> {
        let vertices = graph.vertex_count();
        if self.sources.len() <= vertices / MANY_SOURCES {
            return Ok(false);
        }
        let sum = out_edges::sum(graph, self.sources.current())?;
        Ok(sum >= u64::from(vertices.max(LEAST_MOST)))
    }

    /// Steps of all vertices after changes that affect most.
    pub(super) fn iterate_widespread<W: Weight>(
        &mut self,
        graph: &impl Container<Carried = W>,
        options: &Options,
    ) -> Result<(), Error> {
        self.is_followed = true;
        self.affected.restart(&[])?;
        let before = self.iterations;
        self.iterate_all(graph, options)?;
        self.iterations = self.iterations.saturating_add(before);
        self.hold(graph, options)
    }

    /// Divides anew what the sources of changed edges pass on, and lists whom that
    /// affects.
    pub(super) fn begin<W: Weight>(
        &mut self,
        graph: &impl Container<Carried = W>,
    ) -> Result<(), Error> {
        let (device, out_edges) = (graph.device(), graph.out_edges()?);
        let (of, next) = (self.sources.current(), self.affected.next());
        let (round, marks) = (self.marks.current(), self.marks.marks());
        affect_neighbors::launch(device, of, out_edges, round, marks, next)?;
        self.iteration.count_out_edges(self.sources.current(), graph)?;
        self.iteration.divide(self.sources.current(), self.model)?;
        self.affected.advance()?;
        self.is_followed = true;
        Ok(())
    }

    /// Lists all whom the affected vertices reach.
    pub(super) fn reach<W: Weight>(
        &mut self,
        graph: &impl Container<Carried = W>,
    ) -> Result<(), Error> {
        let (device, out_edges) = (graph.device(), graph.out_edges()?);
        let (round, marks) = (self.marks.current(), self.marks.marks());
        let affected = &mut self.affected;
        while !affected.is_empty() {
            let (of, next) = (affected.current(), affected.next());
            affect_neighbors::launch(device, of, out_edges, round, marks, next)?;
            affected.advance()?;
        }
        let threads = graph.vertex_count();
        select_affected::launch(device, threads, round, marks, affected.next())?;
        affected.advance()?;
        Ok(())
    }

    /// Steps of the listed vertices, the list as it is.
    pub(super) fn iterate_listed<W: Weight>(
        &mut self,
        graph: &impl Container<Carried = W>,
        options: &Options,
    ) -> Result<(), Error> {
        let (limit, bounds) = (Limit::of(&options.stop), self.bounds(options));
        let (iteration, model, items) = (&mut self.iteration, self.model, self.affected.current());
        (self.iterations, self.last) = (0, limit.before());
        while self.iterations < limit.steps {
            self.last = iteration.step(items.clone(), graph, model, bounds, |_| Ok(()))?;
            self.iterations += 1;
            if limit.is_held(&self.last) {
                return Ok(());
            }
        }
        // The steps asked for are done. How far they left the ranks shows in one more.
        self.last = iteration.probe(items, graph, model, bounds)?;
        match limit.is_held(&self.last) {
            true => Ok(()),
            false => limit.fail(self.iterations, &self.last),
        }
    }

    /// Steps of the affected vertices, each of which says who is affected next; of all
    /// vertices, once most are.
    pub(super) fn iterate_frontier<W: Weight>(
        &mut self,
        graph: &impl Container<Carried = W>,
        options: &Options,
        frontier_tolerance: f64,
        prune_tolerance: f64,
    ) -> Result<(), Error> {
        let limit = Limit::of(&options.stop);
        let allowed = self.bounds(options);
        let frontier_tolerance = frontier_tolerance.min(allowed.residual);
        let bounds = Bounds { frontier_tolerance, prune_tolerance, ..allowed };
        // Vertices that never rest are not seen to be done by an empty list.
        let prunes = prune_tolerance >= 0.0;
        let few = if prunes { graph.vertex_count() / FEW_PART } else { 0 };
        (self.iterations, self.last) = (0, Step::default());
        while !self.affected.is_empty() && self.iterations < limit.steps {
            if self.affected.len() > (graph.vertex_count() / MOST_PART).max(LEAST_MOST) {
                return self.iterate_widespread(graph, options);
            }
            if self.affected.len() < few {
                self.steps_of_few(graph, bounds, few, limit.steps)?;
            } else {
                self.step_of_many(graph, bounds)?;
            }
        }
        if self.affected.is_empty() {
            return Ok(());
        }
        // The steps allowed are over. Those still listed may be within the tolerance.
        let items = self.affected.current();
        self.last = self.iteration.probe(items, graph, self.model, bounds)?;
        if !limit.is_held(&self.last) {
            limit.fail(self.iterations, &self.last)?;
        }
        self.affected.restart(&[])
    }

    /// Steps while the affected are few and listed as they are found. They go on until nobody is
    /// affected: one step after all changes may stay unpropagated, at the latest.
    fn steps_of_few<W: Weight>(
        &mut self,
        graph: &impl Container<Carried = W>,
        bounds: Bounds,
        few: u32,
        most: u32,
    ) -> Result<(), Error> {
        let most = (most - self.iterations).min(MOST_AT_ONCE);
        self.marks.reserve(most)?;
        let first = self.marks.current();
        // Where a step fails, no mark that it may have left comes up again.
        self.marks.skip(most);
        let (iteration, model, marks) = (&mut self.iteration, self.model, self.marks.marks());
        // Nothing is known of the step before the first.
        let ends = |number| match number {
            0 => ENDS_NEVER,
            _ if bounds.ends == ENDS_NEVER => ENDS_NEVER,
            _ => ENDS_AHEAD,
        };
        let steps = self.affected.repeat(
            |done, length| length < few && done < most,
            |number, current, next| {
                let bounds = Bounds { round: first + 1 + number, ends: ends(number), ..bounds };
                iteration.pull(current.clone(), graph, model, Measure::Ranks)?;
                iteration.expand(current.clone(), graph, bounds, marks, next)?;
                iteration.publish(current, bounds)
            },
        )?;
        self.iterations += steps;
        self.marks.rewind(first + steps);
        Ok(())
    }

    /// A step after which the affected are gathered by a pass over all marks.
    /// Synchronises twice.
    fn step_of_many<W: Weight>(
        &mut self,
        graph: &impl Container<Carried = W>,
        bounds: Bounds,
    ) -> Result<(), Error> {
        self.marks.advance()?;
        let bounds = Bounds { round: self.marks.current(), ..bounds };
        let (device, marks, affected) = (graph.device(), self.marks.marks(), &mut self.affected);
        let items = affected.current();
        let step = self.iteration.step(items.clone(), graph, self.model, bounds, |iteration| {
            iteration.spread(items, graph, bounds, marks)?;
            let threads = graph.vertex_count();
            select_affected::launch(device, threads, bounds.round, marks, affected.next())
        });
        self.last = step?;
        affected.advance()?;
        self.iterations += 1;
        Ok(())
    }
}
