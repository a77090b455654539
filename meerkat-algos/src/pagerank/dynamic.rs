//! PageRank that follows updates.
//!
//! The rank of dead ends goes to all vertices, so one edge that makes or removes
//! a dead end would move every rank. But the ranks are, up to a factor, the
//! solution of the same equation with that part held fixed (Del Corso, Gulli,
//! Romani, "Fast PageRank computation via a sparse linear system"): so it is held
//! fixed, changes stay local, and the factor is taken out of the answer. Once most
//! ranks are affected, all of them move, and the dead ends' part with them.

use super::iterate::{Limit, Step};
use super::model::{Bounds, Method, Model, Norm, Options, Ranks, Stop};
use super::operators::affect_ends;
use super::steps::Iteration;
use crate::stamps::Stamps;
use meerkat_runtime::dynamic::check_fits;
use meerkat_runtime::prelude::*;
use std::marker::PhantomData;

mod frontier;

/// PageRank that follows updates of a graph that keeps both orientations: see
/// [`DynamicGraph::track`](meerkat_runtime::DynamicGraph::track).
///
/// `R` is the type of the ranks.
#[derive(Clone, Copy, Debug)]
pub struct PageRank<R: Float> {
    pub(super) options: Options,
    pub(super) method: Method,
    ranks: PhantomData<R>,
}

impl<R: Float> PageRank<R> {
    /// Ranks as `options` define them, brought up to date by `method`.
    pub fn new(options: Options, method: Method) -> Self {
        PageRank { options, method, ranks: PhantomData }
    }
}

impl<R: Float> PageRank<R> {
    /// All ranks, and what following needs.
    fn compute_in<W: Weight>(
        &self,
        state: &mut PageRankState<R>,
        graph: &impl Container<Carried = W>,
    ) -> Result<(), Error> {
        state.compute(graph, &self.options)?;
        if self.method.is_local() { state.hold(graph, &self.options) } else { Ok(()) }
    }
}

/// The ranks of a graph, and the memory of the steps towards them.
#[derive(Debug)]
pub struct PageRankState<R: Float> {
    pub(super) iteration: Iteration<R>,
    pub(super) model: Model,
    pub(super) iterations: u32,
    pub(super) last: Step,
    /// Whether a batch was followed since all ranks were computed: the answer is then the
    /// step from the ranks that were propagated.
    pub(super) is_followed: bool,
    /// Sources of changed edges: what they pass on is to be divided anew.
    sources: Frontiers<Vertex>,
    source_marks: Stamps,
    /// Vertices whose rank is to be computed in the next step, and the marks of the list to
    /// come.
    affected: Frontiers<Vertex>,
    marks: Stamps,
}

impl<R: Float> PageRankState<R> {
    /// Memory for a graph, and nothing computed yet.
    pub(super) fn new<W: Weight>(
        graph: &impl Container<Carried = W>,
        options: &Options,
    ) -> Result<Self, Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let model = Model::new(options, vertices);
        let stamps = || Stamps::new(device, vertices as usize);
        Ok(PageRankState {
            iteration: Iteration::new(graph)?,
            model,
            iterations: 0,
            last: Step::default(),
            is_followed: false,
            sources: Frontiers::new(device, vertices, &[])?,
            source_marks: stamps()?,
            affected: Frontiers::new(device, vertices, &[])?,
            marks: stamps()?,
        })
    }

    /// Whether its memory is that of a graph.
    fn fits<W: Weight>(&self, graph: &impl Container<Carried = W>) -> bool {
        let known = (&self.iteration.device, self.iteration.ranks.len());
        known == (graph.device(), graph.vertex_count() as usize)
    }

    /// All ranks from equal ones; of no vertices there are none.
    fn compute<W: Weight>(
        &mut self,
        graph: &impl Container<Carried = W>,
        options: &Options,
    ) -> Result<(), Error> {
        if graph.vertex_count() == 0 {
            return Ok(());
        }
        self.sources.restart(&[])?;
        self.affected.restart(&[])?;
        self.next_batch()?;
        self.is_followed = false;
        self.model = Model::new(options, graph.vertex_count());
        self.iteration.restart(graph, self.model)?;
        self.step_all(graph, options)
    }

    /// All ranks from those before. The dead ends' part moves with them: the sum of
    /// ranks stays 1 then, and what is off fades as fast as the graph mixes, not just
    /// with the damping.
    fn iterate_all<W: Weight>(
        &mut self,
        graph: &impl Container<Carried = W>,
        options: &Options,
    ) -> Result<(), Error> {
        self.model = Model::new(options, graph.vertex_count());
        self.iteration.normalize(graph, self.model)?;
        self.step_all(graph, options)
    }

    /// Steps of all vertices, until it is time to stop.
    fn step_all<W: Weight>(
        &mut self,
        graph: &impl Container<Carried = W>,
        options: &Options,
    ) -> Result<(), Error> {
        (self.iterations, self.last) =
            self.iteration.iterate_until_stop(graph, self.model, &options.stop)?;
        self.model.hold_dead_ends(self.last.dead);
        Ok(())
    }

    /// After steps of all vertices: the step from the ranks that were propagated, which are all, to
    /// the tolerance. One is nearly always enough.
    fn hold<W: Weight>(
        &mut self,
        graph: &impl Container<Carried = W>,
        options: &Options,
    ) -> Result<(), Error> {
        let (all, bounds) = (0..graph.vertex_count(), Bounds::NONE);
        let Stop::Change { tolerance, norm, .. } = options.stop else {
            // Ranks that are followed are those of one step more.
            return self.iteration.probe(all, graph, self.model, bounds).map(drop);
        };
        // Of the sum, the rest may be left unpropagated by the batches to come: see `Bounds::of`.
        let most = match norm {
            Norm::L1 => tolerance * options.damping,
            Norm::LInfinity => tolerance,
        };
        let limit = Limit::of(&options.stop);
        let mut held = self.iteration.probe(all.clone(), graph, self.model, bounds)?;
        let mut steps = 0;
        // Rounding alone may keep the sum above.
        while held.change(norm) > most * (1.0 + 1e-6) && steps < MOST_HELD.min(limit.steps) {
            self.iteration.accept();
            held = self.iteration.probe(all.clone(), graph, self.model, bounds)?;
            steps += 1;
        }
        Ok(())
    }

    /// The ranks as they are answered, but for their sum.
    pub(super) fn ranks(&self) -> &DeviceBuffer<R> {
        if self.is_followed { &self.iteration.next } else { &self.iteration.ranks }
    }

    /// Forgets the marks of a batch.
    fn next_batch(&mut self) -> Result<(), Error> {
        self.source_marks.advance()?;
        self.marks.advance()
    }

    /// What bounds the steps after a batch.
    fn bounds(&self, options: &Options) -> Bounds {
        Bounds::of::<R>(options, &self.model, self.iteration.ranks.len() as u32)
    }

    /// Lists the ends of changed edges.
    fn note<W: Weight>(&self, device: &Device, edges: &DeviceBuffer<Edge<W>>) -> Result<(), Error> {
        let (of_sources, of_all) = (&self.source_marks, &self.marks);
        let (sources, affected) = (self.sources.next(), self.affected.next());
        affect_ends::launch(
            device,
            edges,
            self.model.self_loops,
            of_sources.current(),
            of_all.current(),
            of_sources.marks(),
            of_all.marks(),
            sources,
            affected,
        )
    }
}

/// How many steps may follow those of all vertices before a batch's may.
const MOST_HELD: u32 = 1 << 10;

impl<R: Float> IgnoresWeights for PageRank<R> {}

impl<R: Float, C: Container> DynamicAlgorithm<C> for PageRank<R> {
    type State = PageRankState<R>;
    type Output = Ranks<R>;

    fn check_graph(&self, graph: &C) -> Result<(), Error> {
        super::check(&self.options)?;
        graph.out_edges()?;
        graph.in_edges().map(drop)
    }

    fn compute(&self, graph: &C) -> Result<Self::State, Error> {
        let mut state = PageRankState::new(graph, &self.options)?;
        self.compute_in(&mut state, graph)?;
        Ok(state)
    }

    fn recompute(&self, state: &mut Self::State, graph: &C) -> Result<(), Error> {
        if !state.fits(graph) {
            *state = PageRankState::new(graph, &self.options)?;
        }
        self.compute_in(state, graph)
    }

    fn on_delete(
        &self,
        state: &mut Self::State,
        graph: &C,
        deleted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        check_fits(state.iteration.ranks.len(), graph)?;
        if self.method.is_local() { state.note(graph.device(), deleted) } else { Ok(()) }
    }

    fn on_insert(
        &self,
        state: &mut Self::State,
        graph: &C,
        inserted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        check_fits(state.iteration.ranks.len(), graph)?;
        if self.method.is_local() { state.note(graph.device(), inserted) } else { Ok(()) }
    }

    fn finish_batch(&self, state: &mut Self::State, graph: &C) -> Result<(), Error> {
        check_fits(state.iteration.ranks.len(), graph)?;
        let options = &self.options;
        match self.method {
            Method::Static => return state.compute(graph, options),
            Method::NaiveDynamic => return state.iterate_all(graph, options),
            _ => state.sources.advance()?,
        };
        if self.method.has_frontier() && state.is_widespread(graph)? {
            state.iterations = 0;
            state.iterate_widespread(graph, options)?;
            return state.next_batch();
        }
        state.begin(graph)?;
        match self.method {
            Method::Static | Method::NaiveDynamic => {}
            Method::DynamicTraversal => {
                state.reach(graph)?;
                state.iterate_listed(graph, options)?;
                state.affected.restart(&[])?;
            }
            Method::DynamicFrontier { frontier_tolerance } => {
                state.iterate_frontier(graph, options, frontier_tolerance, f64::NEG_INFINITY)?;
            }
            Method::DynamicFrontierPruning { frontier_tolerance, prune_tolerance } => {
                state.iterate_frontier(graph, options, frontier_tolerance, prune_tolerance)?;
            }
        }
        state.next_batch()
    }

    fn output(&self, state: &Self::State) -> Result<Ranks<R>, Error> {
        let propagated = state.iteration.ranks.to_vec()?;
        if !state.is_followed {
            let sum = sum(&propagated, |_, rank| rank.to_f64());
            // Where steps keep the sum, dividing by it makes no difference.
            let of_sum = if state.model.self_loops == 0 { 1.0 } else { 2.0 };
            let error_bound =
                super::error_bound(self.options.damping, state.last.l1, state.iterations);
            return Ok(Ranks {
                ranks: scaled(propagated, sum),
                iterations: state.iterations,
                l1_last_step: state.last.l1,
                error_bound: of_sum * error_bound,
            });
        }
        let ranks = state.iteration.next.to_vec()?;
        let all = sum(&ranks, |_, rank| rank.to_f64());
        let residual = sum(&ranks, |v, rank| (rank.to_f64() - propagated[v].to_f64()).abs());
        let l1_last_step = residual / all;
        let error_bound = super::error_bound(self.options.damping, l1_last_step, 1);
        Ok(Ranks {
            ranks: scaled(ranks, all),
            iterations: state.iterations,
            l1_last_step,
            // The sum that the ranks are divided by may be off by as much.
            error_bound: 2.0 * error_bound,
        })
    }
}

/// The sum of what `of` makes of each rank, in parts: added one by one, thousands of equal
/// ranks are all rounded alike.
fn sum<R: Float>(ranks: &[R], of: impl Fn(usize, R) -> f64) -> f64 {
    let part = |(number, part): (usize, &[R])| {
        let each = part.iter().enumerate();
        each.map(|(at, &rank)| of(number * SUMMED + at, rank)).sum::<f64>()
    };
    ranks.chunks(SUMMED).enumerate().map(part).sum()
}

/// How many ranks are added one by one.
const SUMMED: usize = 128;

fn scaled<R: Float>(ranks: Vec<R>, sum: f64) -> Vec<R> {
    ranks.into_iter().map(|rank| R::from_f64(rank.to_f64() / sum)).collect()
}
