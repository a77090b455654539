//! Any number of algorithms that follow one graph, each known by what it can do alone.
//!
//! [`Tracked`](meerkat_runtime::Tracked) holds a graph and one algorithm. Here that is [`Followers`],
//! which hands each step to those that Python has asked for. One that cannot be computed, for want of
//! memory, costs the others nothing: with each batch it is tried again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meerkat_runtime::graph::Change;
use meerkat_runtime::{Container, DeviceBuffer, DynamicAlgorithm, Edge, Error, ErrorKind};

use crate::answer::Answer;

/// An algorithm whose state and answers are known to it alone.
pub(crate) trait Follow<C: Container>: Send {
    fn check_graph(&self, graph: &C) -> Result<(), Error>;
    fn check_change(&self, change: &Change<C::Carried>) -> Result<(), Error>;
    /// Computes the state from scratch.
    fn renew(&mut self, graph: &C) -> Result<(), Error>;
    /// Computes the state if there is none.
    fn catch_up(&mut self, graph: &C) -> Result<(), Error>;
    fn grow(&mut self, graph: &C, before: u32) -> Result<(), Error>;
    fn looks_before_deletions(&self) -> bool;
    fn step(&mut self, graph: &C, step: Step<'_, C>) -> Result<(), Error>;
    /// The answer as it is.
    fn answer(&mut self, graph: &C) -> Result<Answer, Error>;
    /// What has changed since the last look.
    fn changes(&mut self, graph: &C) -> Result<Answer, Error>;
}

/// A step of a batch.
pub(crate) enum Step<'a, C: Container> {
    BeforeDelete(&'a DeviceBuffer<Edge<C::Carried>>),
    Delete(&'a DeviceBuffer<Edge<C::Carried>>),
    Insert(&'a DeviceBuffer<Edge<C::Carried>>),
    Finish,
}

impl<C: Container> Clone for Step<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Container> Copy for Step<'_, C> {}

/// What an algorithm shows of its state.
pub(crate) trait Show<C: Container>: DynamicAlgorithm<C> {
    /// What it has shown last.
    type Shown;

    fn answer(&self, graph: &C, state: &Self::State) -> Result<Answer, Error>;
    /// What is compared with later.
    fn look(&self, graph: &C, state: &Self::State) -> Result<Self::Shown, Error>;
    /// What differs from the last look, which this one takes the place of.
    fn changes(
        &self,
        graph: &C,
        state: &Self::State,
        shown: &mut Self::Shown,
    ) -> Result<Answer, Error>;
}

/// An algorithm with its state.
pub(crate) struct Following<C: Container, A: Show<C>> {
    algorithm: A,
    /// None while it could not be computed.
    state: Option<A::State>,
    shown: Option<A::Shown>,
}

impl<C: Container, A: Show<C>> Following<C, A> {
    pub(crate) fn new(algorithm: A) -> Self {
        Following { algorithm, state: None, shown: None }
    }

    /// Does something to the state, if there is one; without it after a failure.
    fn with(
        &mut self,
        act: impl FnOnce(&A, &mut A::State) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some(mut state) = self.state.take() else { return Ok(()) };
        act(&self.algorithm, &mut state)?;
        self.state = Some(state);
        Ok(())
    }
}

impl<C: Container, A: Show<C> + Send> Follow<C> for Following<C, A>
where
    A::State: Send,
    A::Shown: Send,
{
    fn check_graph(&self, graph: &C) -> Result<(), Error> {
        self.algorithm.check_graph(graph)
    }

    fn check_change(&self, change: &Change<C::Carried>) -> Result<(), Error> {
        self.algorithm.check_change(change)
    }

    fn renew(&mut self, graph: &C) -> Result<(), Error> {
        match self.state.is_some() {
            true => self.with(|algorithm, state| algorithm.recompute(state, graph)),
            false => self.catch_up(graph),
        }
    }

    fn catch_up(&mut self, graph: &C) -> Result<(), Error> {
        if self.state.is_none() {
            self.state = Some(self.algorithm.compute(graph)?);
        }
        if let (None, Some(state)) = (&self.shown, &self.state) {
            self.shown = Some(self.algorithm.look(graph, state)?);
        }
        Ok(())
    }

    fn grow(&mut self, graph: &C, before: u32) -> Result<(), Error> {
        self.with(|algorithm, state| algorithm.on_grow(state, graph, before))
    }

    fn looks_before_deletions(&self) -> bool {
        self.algorithm.looks_before_deletions()
    }

    fn step(&mut self, graph: &C, step: Step<'_, C>) -> Result<(), Error> {
        self.with(|algorithm, state| match step {
            Step::BeforeDelete(deleted) if algorithm.looks_before_deletions() => {
                algorithm.before_delete(state, graph, deleted)
            }
            Step::BeforeDelete(_) => Ok(()),
            Step::Delete(deleted) => algorithm.on_delete(state, graph, deleted),
            Step::Insert(inserted) => algorithm.on_insert(state, graph, inserted),
            Step::Finish => algorithm.finish_batch(state, graph),
        })
    }

    fn answer(&mut self, graph: &C) -> Result<Answer, Error> {
        self.catch_up(graph)?;
        let state = self.state.as_ref().ok_or(ErrorKind::OutOfStep)?;
        self.algorithm.answer(graph, state)
    }

    fn changes(&mut self, graph: &C) -> Result<Answer, Error> {
        self.catch_up(graph)?;
        let state = self.state.as_ref().ok_or(ErrorKind::OutOfStep)?;
        let shown = self.shown.as_mut().ok_or(ErrorKind::OutOfStep)?;
        self.algorithm.changes(graph, state, shown)
    }
}

/// Whether the user has ended the work.
fn is_ended(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Interrupted)
}

/// What is no reason to refuse a batch, unless the user has ended the work.
fn unless_ended(error: Error) -> Result<(), Error> {
    if is_ended(&error) { Err(error) } else { Ok(()) }
}

/// The algorithms that follow a graph, each with its number.
type List<C> = Vec<(u64, Box<dyn Follow<C>>)>;

/// All algorithms that follow a graph. Copies are the same list.
pub(crate) struct Followers<C: Container>(Arc<Mutex<List<C>>>);

impl<C: Container> Clone for Followers<C> {
    fn clone(&self) -> Self {
        Followers(Arc::clone(&self.0))
    }
}

impl<C: Container> Followers<C> {
    pub(crate) fn none() -> Self {
        Followers(Arc::default())
    }

    fn list(&self) -> MutexGuard<'_, List<C>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds one, computed for the graph.
    pub(crate) fn add(
        &self,
        number: u64,
        mut follow: Box<dyn Follow<C>>,
        graph: &C,
    ) -> Result<(), Error> {
        follow.check_graph(graph)?;
        follow.catch_up(graph)?;
        self.list().push((number, follow));
        Ok(())
    }

    /// Forgets one.
    pub(crate) fn remove(&self, number: u64) {
        self.list().retain(|(at, _)| *at != number);
    }

    /// Does something with one of them.
    pub(crate) fn with<T>(
        &self,
        number: u64,
        act: impl FnOnce(&mut dyn Follow<C>) -> Result<T, Error>,
    ) -> Option<Result<T, Error>> {
        let mut list = self.list();
        let found = list.iter_mut().find(|(at, _)| *at == number);
        found.map(|(_, follow)| act(&mut **follow))
    }

    fn each(
        &self,
        act: impl FnMut(&mut Box<dyn Follow<C>>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.list().iter_mut().map(|(_, follow)| follow).try_for_each(act)
    }

    /// Computes all of them again; an error if none can be.
    fn renew_all(&self, graph: &C) -> Result<(), Error> {
        let mut list = self.list();
        let outcomes: Vec<_> = list.iter_mut().map(|(_, follow)| follow.renew(graph)).collect();
        if let Some(ended) =
            outcomes.iter().position(|outcome| matches!(outcome, Err(e) if is_ended(e)))
        {
            return outcomes.into_iter().nth(ended).unwrap_or(Ok(()));
        }
        let is_one_well = outcomes.iter().any(Result::is_ok);
        let first = outcomes.into_iter().find_map(Result::err);
        first.filter(|_| !is_one_well).map_or(Ok(()), Err)
    }
}

impl<C: Container> DynamicAlgorithm<C> for Followers<C> {
    /// The followers have their own.
    type State = ();
    type Output = ();

    fn check_change(&self, change: &Change<C::Carried>) -> Result<(), Error> {
        self.each(|follow| follow.check_change(change))
    }

    fn compute(&self, graph: &C) -> Result<(), Error> {
        self.renew_all(graph)
    }

    fn recompute(&self, _: &mut (), graph: &C) -> Result<(), Error> {
        self.renew_all(graph)
    }

    fn on_grow(&self, _: &mut (), graph: &C, before: u32) -> Result<(), Error> {
        // One that has no memory for it is computed again when it is read.
        self.each(|follow| {
            let grown = follow.grow(graph, before).or_else(unless_ended);
            grown.and_then(|()| follow.catch_up(graph)).or_else(unless_ended)
        })
    }

    fn looks_before_deletions(&self) -> bool {
        self.list().iter().any(|(_, follow)| follow.looks_before_deletions())
    }

    fn before_delete(
        &self,
        _: &mut (),
        graph: &C,
        deleted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        self.each(|follow| follow.step(graph, Step::BeforeDelete(deleted)))
    }

    fn on_delete(
        &self,
        _: &mut (),
        graph: &C,
        deleted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        self.each(|follow| follow.step(graph, Step::Delete(deleted)))
    }

    fn on_insert(
        &self,
        _: &mut (),
        graph: &C,
        inserted: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        self.each(|follow| follow.step(graph, Step::Insert(inserted)))
    }

    fn finish_batch(&self, _: &mut (), graph: &C) -> Result<(), Error> {
        self.each(|follow| follow.step(graph, Step::Finish))?;
        // Those that are out of step try again, and are no reason to refuse a batch.
        self.each(|follow| follow.catch_up(graph).or_else(unless_ended))
    }

    fn output(&self, (): &()) -> Result<(), Error> {
        Ok(())
    }
}
