//! PageRank that follows updates.
//!
//! The rank of dead ends goes to all vertices, so one edge that makes or removes
//! a dead end would move every rank. But the ranks are, up to a factor, the
//! solution of the same equation with that part held fixed (Del Corso, Gulli,
//! Romani, "Fast PageRank computation via a sparse linear system"): so it is held
//! fixed, changes stay local, and the factor is taken out of the answer. Once most
//! ranks are affected, all of them move, and the dead ends' part with them.

use super::convergence::Measure;
use super::iterate::{Limit, Step, until_stop};
use super::model::{Bounds, Method, Model, Options, Ranks};
use super::operators::{affect_ends, affect_neighbors, select_affected};
use super::steps::Iteration;
use meerkat_runtime::prelude::*;
use std::marker::PhantomData;

/// PageRank that follows updates of a graph that keeps both orientations: see
/// [`SlabGraph::track`](meerkat_runtime::SlabGraph::track).
///
/// `R` is the type of the ranks.
#[derive(Clone, Copy, Debug)]
pub struct PageRank<R: Float> {
    options: Options,
    method: Method,
    ranks: PhantomData<R>,
}

impl<R: Float> PageRank<R> {
    /// Ranks as `options` define them, brought up to date by `method`.
    pub fn new(options: Options, method: Method) -> Self {
        PageRank { options, method, ranks: PhantomData }
    }
}

/// The ranks of a graph, and the memory of the steps towards them.
#[derive(Debug)]
pub struct PageRankState<R: Float> {
    iteration: Iteration<R>,
    model: Model,
    iterations: u32,
    last: Step,
    /// Sources of changed edges: what they pass on is to be divided anew.
    sources: Frontiers<Vertex>,
    source_marks: DeviceBuffer<Atomic<u32>>,
    /// Vertices whose rank is to be computed in the next step.
    affected: Frontiers<Vertex>,
    marks: DeviceBuffer<Atomic<u32>>,
    /// What marks of the list to come are.
    round: u32,
}

impl<R: Float> PageRankState<R> {
    /// Memory for a graph, and nothing computed yet.
    fn new<W: Weight>(graph: &SlabGraph<W>, options: &Options) -> Result<Self, Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let model = Model::new(options, vertices);
        let marks = || DeviceBuffer::zeroed(device, vertices as usize);
        Ok(PageRankState {
            iteration: Iteration::new(graph)?,
            model,
            iterations: 0,
            last: Step::default(),
            sources: Frontiers::new(device, vertices, &[])?,
            source_marks: marks()?,
            affected: Frontiers::new(device, vertices, &[])?,
            marks: marks()?,
            round: 1,
        })
    }

    /// Whether its memory is that of a graph.
    fn fits<W: Weight>(&self, graph: &SlabGraph<W>) -> bool {
        let known = (&self.iteration.device, self.iteration.ranks.len());
        known == (graph.device(), graph.vertex_count() as usize)
    }

    /// All ranks from equal ones; of no vertices there are none.
    fn compute<W: Weight>(&mut self, graph: &SlabGraph<W>, options: &Options) -> Result<(), Error> {
        if graph.vertex_count() == 0 {
            return Ok(());
        }
        self.sources.restart(&[])?;
        self.affected.restart(&[])?;
        self.round += 1;
        self.model = Model::new(options, graph.vertex_count());
        self.iteration.restart(graph, self.model)?;
        self.step_all(graph, options)
    }

    /// All ranks from those before. The dead ends' part moves with them: the sum of
    /// ranks stays 1 then, and what is off fades as fast as the graph mixes, not just
    /// with the damping.
    fn iterate_all<W: Weight>(
        &mut self,
        graph: &SlabGraph<W>,
        options: &Options,
    ) -> Result<(), Error> {
        self.model = Model::new(options, graph.vertex_count());
        self.iteration.normalize(graph, self.model)?;
        self.step_all(graph, options)
    }

    /// Steps of all vertices, until it is time to stop.
    fn step_all<W: Weight>(
        &mut self,
        graph: &SlabGraph<W>,
        options: &Options,
    ) -> Result<(), Error> {
        (self.iterations, self.last) =
            self.iteration.iterate_until_stop(graph, self.model, &options.stop)?;
        self.model.hold_dead_ends(self.last.dead);
        Ok(())
    }

    /// Lists the ends of changed edges.
    fn note<W: Weight>(&self, device: &Device, edges: &DeviceBuffer<Edge<W>>) -> Result<(), Error> {
        let (of_sources, of_all) = (&self.source_marks, &self.marks);
        let (sources, affected) = (self.sources.next(), self.affected.next());
        let (loops, round) = (self.model.self_loops, self.round);
        affect_ends::launch(device, edges, loops, round, of_sources, of_all, sources, affected)
    }

    /// Divides anew what the sources of changed edges pass on, and lists whom that
    /// affects.
    fn begin<W: Weight>(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        self.sources.advance()?;
        let (device, out_edges) = (graph.device(), graph.out_edges()?);
        let (of, next) = (self.sources.current(), self.affected.next());
        affect_neighbors::launch(device, of, out_edges, self.round, &self.marks, next)?;
        self.iteration.divide(self.sources.current(), graph, self.model)?;
        self.affected.advance()?;
        Ok(())
    }

    /// Lists all whom the affected vertices reach.
    fn reach<W: Weight>(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        let (device, out_edges) = (graph.device(), graph.out_edges()?);
        let (marks, round, affected) = (&self.marks, self.round, &mut self.affected);
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
    fn iterate_listed<W: Weight>(
        &mut self,
        graph: &SlabGraph<W>,
        options: &Options,
    ) -> Result<(), Error> {
        let (iteration, model, items) = (&mut self.iteration, self.model, self.affected.current());
        let step = |_| iteration.step(items.clone(), graph, model, |_| Ok(())).map(Some);
        (self.iterations, self.last) = until_stop(&options.stop, step)?;
        Ok(())
    }

    /// Steps of the affected vertices, each of which says who is affected next; of all
    /// vertices, once most are.
    fn iterate_frontier<W: Weight>(
        &mut self,
        graph: &SlabGraph<W>,
        options: &Options,
        frontier_tolerance: f64,
        prune_tolerance: f64,
    ) -> Result<(), Error> {
        let limit = Limit::of(&options.stop);
        // Vertices that never rest are not seen to be done by an empty list.
        let prunes = prune_tolerance >= 0.0;
        let few = if prunes { graph.vertex_count() / FEW_PART } else { 0 };
        (self.iterations, self.last) = (0, Step::default());
        while !self.affected.is_empty() && self.iterations < limit.steps {
            if self.affected.len() > (graph.vertex_count() / MOST_PART).max(LEAST_MOST) {
                self.affected.restart(&[])?;
                self.round += 1;
                let before = self.iterations;
                self.iterate_all(graph, options)?;
                self.iterations += before;
                return Ok(());
            }
            let bounds = Bounds { frontier_tolerance, prune_tolerance, round: self.round + 1 };
            if self.affected.len() < few {
                self.steps_of_few(graph, bounds, few, limit.steps)?;
                continue;
            }
            let done = self.step_of_many(graph, bounds)?;
            if limit.is_reached(&done) {
                break;
            }
        }
        limit.check(self.iterations, &self.last, !self.affected.is_empty())?;
        // Those still listed were within the tolerance.
        self.round += 1;
        while !self.affected.is_empty() {
            self.affected.advance()?;
        }
        Ok(())
    }

    /// Steps while the affected are few and listed as they are found. They go on
    /// until nobody is affected, which is later than any tolerance of the change.
    fn steps_of_few<W: Weight>(
        &mut self,
        graph: &SlabGraph<W>,
        bounds: Bounds,
        few: u32,
        most: u32,
    ) -> Result<(), Error> {
        let (iteration, model, marks) = (&mut self.iteration, self.model, &self.marks);
        let (before, first) = (self.iterations, self.round);
        // Where a step fails, no mark that it may have left comes up again.
        self.round += most - before;
        let steps = self.affected.repeat(
            |done, length| length < few && before + done < most,
            |number, current, next| {
                let bounds = Bounds { round: bounds.round + number, ..bounds };
                iteration.pull(current.clone(), graph, model, Measure::Ranks)?;
                iteration.expand(current.clone(), graph, bounds, marks, next)?;
                iteration.publish(current)
            },
        )?;
        self.iterations += steps;
        self.round = first + steps;
        Ok(())
    }

    /// A step after which the affected are gathered by a pass over all marks.
    /// Synchronises twice.
    fn step_of_many<W: Weight>(
        &mut self,
        graph: &SlabGraph<W>,
        bounds: Bounds,
    ) -> Result<Step, Error> {
        self.round = bounds.round;
        let (device, marks, affected) = (graph.device(), &self.marks, &mut self.affected);
        let items = affected.current();
        let done = self.iteration.step(items.clone(), graph, self.model, |iteration| {
            iteration.spread(items, graph, bounds, marks)?;
            let threads = graph.vertex_count();
            select_affected::launch(device, threads, bounds.round, marks, affected.next())
        })?;
        affected.advance()?;
        self.iterations += 1;
        self.last = done;
        Ok(done)
    }
}

/// Up to this part of all vertices, the affected are few: they are listed as they
/// are found.
const FEW_PART: u32 = 64;
/// Above this part of them it costs less to compute all than to know whom.
const MOST_PART: u32 = 4;
/// Fewer than these cost no more than the launches of a step.
const LEAST_MOST: u32 = 1 << 10;

impl<W: Weight, R: Float> DynamicAlgorithm<W> for PageRank<R> {
    type State = PageRankState<R>;
    type Output = Ranks<R>;

    fn check_graph(&self, graph: &SlabGraph<W>) -> Result<(), Error> {
        super::check(&self.options)?;
        graph.out_edges()?;
        graph.in_edges().map(drop)
    }

    fn compute(&self, graph: &SlabGraph<W>) -> Result<Self::State, Error> {
        let mut state = PageRankState::new(graph, &self.options)?;
        state.compute(graph, &self.options)?;
        Ok(state)
    }

    fn recompute(&self, state: &mut Self::State, graph: &SlabGraph<W>) -> Result<(), Error> {
        if !state.fits(graph) {
            *state = PageRankState::new(graph, &self.options)?;
        }
        state.compute(graph, &self.options)
    }

    fn on_delete(
        &self,
        state: &mut Self::State,
        graph: &SlabGraph<W>,
        deleted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        if self.method.is_local() { state.note(graph.device(), deleted) } else { Ok(()) }
    }

    fn on_insert(
        &self,
        state: &mut Self::State,
        graph: &SlabGraph<W>,
        inserted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        if self.method.is_local() { state.note(graph.device(), inserted) } else { Ok(()) }
    }

    fn finish_batch(&self, state: &mut Self::State, graph: &SlabGraph<W>) -> Result<(), Error> {
        let options = &self.options;
        match self.method {
            Method::Static => state.compute(graph, options),
            Method::NaiveDynamic => state.iterate_all(graph, options),
            Method::DynamicTraversal => {
                state.begin(graph)?;
                state.reach(graph)?;
                state.iterate_listed(graph, options)?;
                state.round += 1;
                state.affected.advance().map(drop)
            }
            Method::DynamicFrontier { frontier_tolerance } => {
                state.begin(graph)?;
                state.iterate_frontier(graph, options, frontier_tolerance, f64::NEG_INFINITY)
            }
            Method::DynamicFrontierPruning { frontier_tolerance, prune_tolerance } => {
                state.begin(graph)?;
                state.iterate_frontier(graph, options, frontier_tolerance, prune_tolerance)
            }
        }
    }

    fn output(&self, state: &Self::State) -> Result<Ranks<R>, Error> {
        let ranks = state.iteration.ranks.to_vec()?;
        // In parts: added one by one, thousands of equal ranks are all rounded alike.
        let of_part = |part: &[R]| part.iter().map(|&rank| rank.to_f64()).sum::<f64>();
        let sum: f64 = ranks.chunks(128).map(of_part).sum();
        let scaled = |rank: R| R::from_f64(rank.to_f64() / sum);
        Ok(Ranks {
            ranks: ranks.into_iter().map(scaled).collect(),
            iterations: state.iterations,
            l1_last_step: state.last.l1,
        })
    }
}
