//! PageRank over the ranks of a distributed graph.
//!
//! A rank steps its own vertices as one device does all of them: it has their in-edges, and the shares
//! of all vertices. Where no vertex is a hub, it steps them in parts: while it steps one, the new shares of the part
//! before go from their owners to all ranks. After a step follows what it measured on each, which all add up in the
//! same order: so they agree on when to stop.
//! Exchange: a number for each vertex and step (8 bytes in `f64`), to all ranks.
//! After a batch: all vertices, from equal ranks ([`Method::Static`]) or, with every other method, from
//! those before.

use super::convergence::Measure;
use super::iterate::{Step, until_stop};
use super::model::{Bounds, Method, Model, Options, Ranks};
use super::operators::{ABOVE, DEAD, L_INFINITY, L1, MEASURES};
use super::steps::Iteration;
use super::{PageRank, check, error_bound};
use meerkat_runtime::communicator::{Plan, exchange_items};
use meerkat_runtime::distributed::{DistributedAlgorithm, OwnerGather, Part, PendingChange};
use meerkat_runtime::dynamic::check_fits;
use meerkat_runtime::graph::EdgeLists;
use meerkat_runtime::longest_in_lists;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// A vertex of so many lists is what the end of a launch waits for. (On two H200s a step in three parts took 3.9 ms
/// on RMAT-24, whose hubs have thousands, and 2.7 at once.)
const HUB_LISTS: u32 = 64;

/// Joins what a step measured on each rank. For one thread.
#[kernel]
fn join_measures(of_ranks: &[Atomic<f64>], measures: &[Atomic<f64>]) {
    let mut l1 = 0.0f64;
    let mut most = 0.0f64;
    let mut dead = 0.0f64;
    let mut above = 0.0f64;
    if thread_id() == 0 {
        for rank in 0..of_ranks.len() / MEASURES {
            l1 += of_ranks[rank * MEASURES + L1].load();
            most = most.max(of_ranks[rank * MEASURES + L_INFINITY].load());
            dead += of_ranks[rank * MEASURES + DEAD].load();
            above += of_ranks[rank * MEASURES + ABOVE].load();
        }
        measures[L1].store(l1);
        measures[L_INFINITY].store(most);
        measures[DEAD].store(dead);
        measures[ABOVE].store(above);
    }
}

/// The ranks of the own vertices of a distributed graph, and the shares of all.
#[derive(Debug)]
pub struct PartOfRanks<R: Float> {
    iteration: Iteration<R>,
    shares: OwnerGather<R>,
    /// What each rank has measured.
    of_ranks: DeviceBuffer<Atomic<f64>>,
    iterations: u32,
    last: Step,
}

impl<R: Float> PartOfRanks<R> {
    fn new<L: EdgeLists>(
        part: &Part<'_, L>,
        options: &Options,
        is_even: bool,
    ) -> Result<Self, Error> {
        check(options)?;
        part.edges().out_edges()?;
        part.edges().in_edges()?;
        let measures = part.communicator().size() * MEASURES as usize;
        Ok(PartOfRanks {
            iteration: Iteration::new(part.edges())?,
            shares: match is_even {
                true => OwnerGather::in_parts(part)?,
                false => OwnerGather::new(part)?,
            },
            of_ranks: DeviceBuffer::zeroed(part.device(), measures)?,
            iterations: 0,
            last: Step::default(),
        })
    }

    /// Steps from equal ranks, or from those before, until it is time to stop. Collective.
    fn iterate<L: EdgeLists>(
        &mut self,
        part: &Part<'_, L>,
        options: &Options,
        from_equal: bool,
    ) -> Result<(), Error> {
        if part.vertex_count() == 0 {
            return Ok(());
        }
        let model = Model::new(options, part.vertex_count());
        self.iteration.count_out_edges(part.own(), part.edges())?;
        if from_equal {
            self.iteration.begin(R::from_f64(1.0 / f64::from(part.vertex_count())))?;
        } else {
            self.normalize(part)?;
        }
        self.measure(part)?;
        std::mem::swap(&mut self.iteration.ranks, &mut self.iteration.next);
        let PartOfRanks { iteration, shares, .. } = self;
        shares
            .gather(part, iteration, shares_there, |iteration, own| iteration.divide(own, model))?;
        let steps = until_stop(&options.stop, |measure| self.step(part, model, measure));
        (self.iterations, self.last) = steps?;
        Ok(())
    }

    /// Makes the sum of all ranks 1, as the next.
    fn normalize<L: EdgeLists>(&mut self, part: &Part<'_, L>) -> Result<(), Error> {
        // The change from the ranks to nothing is their sum.
        self.iteration.rescale(R::from_f64(0.0))?;
        self.measure(part)?;
        let sum = self.iteration.measured()?.l1;
        self.iteration.rescale(R::from_f64(1.0 / sum))
    }

    fn step<L: EdgeLists>(
        &mut self,
        part: &Part<'_, L>,
        model: Model,
        measure: Measure,
    ) -> Result<Option<Step>, Error> {
        let PartOfRanks { iteration, shares, .. } = self;
        shares.gather(part, iteration, next_shares, |iteration, own| {
            iteration.pull(own, part.edges(), model, measure)
        })?;
        if measure == Measure::Change || model.dead_weight != 0.0 {
            self.measure(part)?;
        }
        self.iteration.accept();
        if measure == Measure::Change { self.iteration.measured().map(Some) } else { Ok(None) }
    }

    /// Measures the change of the own vertices, and joins what all ranks have measured. Collective.
    fn measure<L: EdgeLists>(&mut self, part: &Part<'_, L>) -> Result<(), Error> {
        self.iteration.measure(part.own(), Bounds::NONE)?;
        let (communicator, measures) = (part.communicator(), &self.iteration.measures);
        let counts = vec![MEASURES as usize; communicator.size()];
        let plan = Plan::gather_of(communicator.rank(), counts);
        exchange_items(communicator, &plan, (measures, 0), &mut self.of_ranks)?;
        join_measures::launch(part.device(), 32, &self.of_ranks, measures)
    }
}

/// Whether some own vertices take far longer than others.
fn has_hubs<L: EdgeLists>(part: &Part<'_, L>) -> Result<bool, Error> {
    Ok(longest_in_lists(part.edges())?.is_none_or(|lists| lists >= HUB_LISTS))
}

/// Where the shares are that a step starts from, and where those of the next may be gathered.
fn shares_there<R: Float>(iteration: &mut Iteration<R>) -> [&mut DeviceBuffer<R>; 2] {
    [&mut iteration.shares, &mut iteration.next_shares]
}

/// Where those of the step that is made go, and memory that has them when it is made.
fn next_shares<R: Float>(iteration: &mut Iteration<R>) -> [&mut DeviceBuffer<R>; 2] {
    [&mut iteration.next_shares, &mut iteration.shares]
}

impl<R: Float, L: EdgeLists> DistributedAlgorithm<L> for PageRank<R> {
    type State = PartOfRanks<R>;
    type Output = Ranks<R>;

    fn compute(&self, part: &Part<'_, L>) -> Result<Self::State, Error> {
        let [uneven] = part.sums(has_hubs(part).map(|has_hubs| [has_hubs.into()]))?;
        let mut state = part.agree(PartOfRanks::new(part, &self.options, uneven == 0))?;
        state.iterate(part, &self.options, true)?;
        Ok(state)
    }

    fn follow(
        &self,
        state: &mut Self::State,
        part: &Part<'_, L>,
        _change: PendingChange<'_, L::Carried>,
    ) -> Result<(), Error> {
        part.agree(check_fits(state.iteration.ranks.len(), part.edges()))?;
        state.iterate(part, &self.options, self.method == Method::Static)
    }

    fn output(&self, state: &Self::State, part: &Part<'_, L>) -> Result<Ranks<R>, Error> {
        let fits = check_fits(state.iteration.ranks.len(), part.edges());
        let ranks = part.values_of_all(fits.map(|()| &state.iteration.ranks))?;
        let (iterations, l1_last_step) = (state.iterations, state.last.l1);
        let error_bound = match part.vertex_count() {
            0 => 0.0,
            _ => error_bound(self.options.damping, l1_last_step, iterations),
        };
        Ok(Ranks { ranks, iterations, l1_last_step, error_bound })
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![join_measures::info()]
}
