//! The stream oracle: is an answer that follows updates the right one?
//!
//! ```text
//! generate::sequence(seed) -> Sequence --replay--> after every batch: check --\
//!                                                                  Flaw --shrink--> Failure
//! ```
//!
//! [`Oracle::replay`] takes a [`Sequence`] of batches and lets an algorithm
//! track the graph through it. Before the first batch and after every one the
//! graph must be the [`Model`]'s, a map in plain Rust, and the user's check
//! compares the answer with a recomputation from scratch, with an independent
//! implementation of its own, and with the properties that make an answer right.
//! A sequence that fails is shrunk to one from which nothing can be left out.
//!
//! ```
//! use meerkat_runtime::oracle::{Kind, Model, Oracle, generate};
//! use meerkat_runtime::prelude::*;
//!
//! /// Counts the edges.
//! struct Count;
//!
//! type Arcs = DeviceBuffer<Edge>;
//!
//! impl DynamicAlgorithm<SlabGraph> for Count {
//!     type State = u64;
//!     type Output = u64;
//!     fn compute(&self, graph: &SlabGraph) -> Result<u64, Error> {
//!         graph.edge_count()
//!     }
//!     fn on_delete(&self, count: &mut u64, _: &SlabGraph, deleted: &Arcs) -> Result<(), Error> {
//!         *count -= deleted.len() as u64;
//!         Ok(())
//!     }
//!     fn on_insert(&self, count: &mut u64, _: &SlabGraph, inserted: &Arcs) -> Result<(), Error> {
//!         *count += inserted.len() as u64;
//!         Ok(())
//!     }
//!     fn output(&self, count: &u64) -> Result<u64, Error> {
//!         Ok(*count)
//!     }
//! }
//!
//! let oracle = Oracle::new(Device::cpu(), || Count, |model: &Model, followed, recomputed| {
//!     let expected = model.edges().len() as u64;
//!     match *followed == expected && *recomputed == expected {
//!         true => Ok(()),
//!         false => Err(format!("{followed} edges, should be {expected}")),
//!     }
//! });
//! let directed = Direction::Directed;
//! let sequences = (0..20).map(|seed| generate::sequence(seed, Kind::Mixed, directed, |_| ()));
//! assert!(oracle.check(sequences).is_ok());
//! ```

pub mod generate;
mod model;
mod resizing;
mod sequence;
mod shrink;

pub use generate::Kind;
pub use model::Model;
pub use sequence::Sequence;

use crate::device::{Device, MemoryFaults};
use crate::dynamic::{DynamicAlgorithm, Tracked};
use crate::graph::{DynamicGraph, Edge, EdgeLists, SlabOptions};
use crate::{Error, Weight};
use fastrand::Rng;
use std::fmt::{self, Debug};

type Check<'a, W, O> = dyn Fn(&Model<W>, &O, &O) -> Result<(), String> + 'a;

/// What is done to a tracked graph.
type Act<'a, L, A> = dyn FnMut(&mut Tracked<DynamicGraph<L>, A>) -> Result<(), Error> + 'a;

/// Replays sequences and judges the answers; see [the module](self).
pub struct Oracle<'a, L: EdgeLists, A: DynamicAlgorithm<DynamicGraph<L>>> {
    device: Device,
    options: SlabOptions,
    faults: Option<MemoryFaults>,
    resizes: bool,
    algorithm: Box<dyn Fn() -> A + 'a>,
    check: Box<Check<'a, L::Carried, A::Output>>,
}

/// What went wrong in a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// How many batches had been applied.
    pub batches: usize,
    /// What the check, the graph or the algorithm said.
    pub what: String,
}

/// How much was replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Sequences.
    pub sequences: usize,
    /// Batches of all of them.
    pub batches: usize,
    /// Updates of all of them.
    pub updates: usize,
    /// Batches that were refused at first, for want of memory.
    pub refused: usize,
}

/// A sequence that fails, as short as it could be made.
#[derive(Clone, Debug)]
pub struct Failure<W: Weight> {
    /// Which of the sequences it was, from 0.
    pub number: usize,
    /// What went wrong in the shortened one.
    pub flaw: Flaw,
    /// The shortened one.
    pub minimal: Sequence<W>,
    /// The one that was replayed.
    pub original: Sequence<W>,
}

impl<'a, L: EdgeLists, A: DynamicAlgorithm<DynamicGraph<L>>> Oracle<'a, L, A> {
    /// An oracle for the algorithm that `algorithm` makes, on graphs of lists `L`: `Oracle::new` of
    /// an algorithm that tracks a [`SlabGraph`](crate::SlabGraph) alone knows that, another is
    /// asked for as `Oracle::<CompactEdges<W>, _>::new`. `check` gets the graph,
    /// the answer that followed the updates and one computed from scratch, and
    /// says what is wrong.
    pub fn new(
        device: Device,
        algorithm: impl Fn() -> A + 'a,
        check: impl Fn(&Model<L::Carried>, &A::Output, &A::Output) -> Result<(), String> + 'a,
    ) -> Self {
        let (algorithm, check) = (Box::new(algorithm), Box::new(check));
        let options = SlabOptions::DEFAULT;
        Oracle { device, options, faults: None, resizes: false, algorithm, check }
    }

    /// The same with graphs of other options. Their direction is the sequence's.
    #[must_use]
    pub fn with_options(self, options: SlabOptions) -> Self {
        Oracle { options, ..self }
    }

    /// The same where memory runs out at each batch: at its first allocation, its second and so
    /// on, once or from there on, as the batches go. A batch that is refused for it must leave
    /// graph and answer as they were, and is applied again then.
    #[must_use]
    pub fn with_memory_faults(self) -> Self {
        let faults = MemoryFaults::new();
        let device = self.device.clone().with_memory_faults(&faults);
        Oracle { device, faults: Some(faults), ..self }
    }

    /// The same where vertices come and go between batches, and the graph is compacted.
    #[must_use]
    pub fn with_resizing(self) -> Self {
        Oracle { resizes: true, ..self }
    }

    /// Replays one sequence.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn replay(&self, sequence: &Sequence<L::Carried>) -> Result<(), Flaw> {
        self.count(sequence, &mut Replayed::default())
    }

    /// [`replay`](Self::replay), which counts.
    fn count(&self, sequence: &Sequence<L::Carried>, replayed: &mut Replayed) -> Result<(), Flaw> {
        let mut done = 0;
        self.run(sequence, &mut done, &mut replayed.refused)
            .map_err(|what| Flaw { batches: done, what })
    }

    /// Replays sequences until one fails, and shrinks that one.
    ///
    /// # Errors
    /// The failure.
    pub fn check(
        &self,
        sequences: impl IntoIterator<Item = Sequence<L::Carried>>,
    ) -> Result<Replayed, Box<Failure<L::Carried>>> {
        let mut replayed = Replayed::default();
        for original in sequences {
            if let Err(flaw) = self.count(&original, &mut replayed) {
                let fails = |sequence: &Sequence<L::Carried>| self.replay(sequence).err();
                let (minimal, flaw) = shrink::shrink(&original, flaw, fails);
                let number = replayed.sequences;
                return Err(Box::new(Failure { number, flaw, minimal, original }));
            }
            replayed.sequences += 1;
            replayed.batches += original.batches.len();
            replayed.updates += original.updates();
        }
        Ok(replayed)
    }

    fn run(
        &self,
        sequence: &Sequence<L::Carried>,
        done: &mut usize,
        refused: &mut usize,
    ) -> Result<(), String> {
        let mut model = sequence.start_model();
        let start = self.graph(sequence, sequence.vertices, &sequence.start).map_err(say)?;
        let mut tracked = start.track((self.algorithm)()).map_err(say)?;
        let mut batches = sequence.batches.iter();
        loop {
            self.compare(sequence, &model, &tracked)?;
            let Some(batch) = batches.next() else { return Ok(()) };
            *done += 1;
            // Other places in other sequences, the same in the same one.
            let mut rng = Rng::with_seed(((sequence.updates() as u64) << 32) | *done as u64);
            let mut apply = |tracked: &mut Tracked<_, A>| tracked.apply(batch).map(drop);
            *refused += self.attempt(sequence, &model, &mut tracked, &mut rng, &mut apply)?;
            model.apply(batch);
            if self.resizes {
                self.compare(sequence, &model, &tracked)?;
                *refused += self.resize(sequence, &mut model, &mut tracked, &mut rng)?;
            }
        }
    }

    fn graph(
        &self,
        sequence: &Sequence<L::Carried>,
        vertices: u32,
        edges: &[Edge<L::Carried>],
    ) -> Result<DynamicGraph<L>, Error> {
        let options = SlabOptions { direction: sequence.direction, ..self.options };
        DynamicGraph::from_edges(&self.device, vertices, edges, &options)
    }

    /// Does something to the graph. Where memory runs out meanwhile, which must leave graph and
    /// answer as they were, it does it again; how often that was, 0 or 1.
    fn attempt(
        &self,
        sequence: &Sequence<L::Carried>,
        model: &Model<L::Carried>,
        tracked: &mut Tracked<DynamicGraph<L>, A>,
        rng: &mut Rng,
        act: &mut Act<'_, L, A>,
    ) -> Result<usize, String> {
        let Some(faults) = &self.faults else { return act(tracked).map(|()| 0).map_err(say) };
        let successes = rng.u32(0..MOST_SUCCESSES);
        match rng.bool() {
            false => faults.fail_once(successes),
            true => faults.fail_from(successes),
        }
        let done = act(tracked);
        match (done, faults.heal()) {
            (Ok(()), _) => Ok(0),
            (Err(error), true) if error.is_out_of_memory() => {
                self.compare(sequence, model, tracked)
                    .map_err(|what| format!("after it was refused: {what}"))?;
                act(tracked).map(|()| 1).map_err(say)
            }
            (Err(error), _) => Err(say(error)),
        }
    }

    /// The graph and the answer against the model's.
    fn compare(
        &self,
        sequence: &Sequence<L::Carried>,
        model: &Model<L::Carried>,
        tracked: &Tracked<DynamicGraph<L>, A>,
    ) -> Result<(), String> {
        model.compare(tracked.graph())?;
        let fresh = self.graph(sequence, model.vertices(), &model.edges());
        let fresh = fresh.and_then(|graph| graph.track((self.algorithm)()));
        let recomputed = fresh.and_then(|fresh| fresh.output()).map_err(say)?;
        let followed = tracked.output().map_err(say)?;
        (self.check)(model, &followed, &recomputed)
    }
}

/// Memory runs out at one of this number of allocations of a batch, or not at all.
const MOST_SUCCESSES: u32 = 24;

fn say(error: Error) -> String {
    error.to_string()
}

impl<L: EdgeLists, A: DynamicAlgorithm<DynamicGraph<L>>> Debug for Oracle<'_, L, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Oracle").field("device", &self.device).finish_non_exhaustive()
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {} batches: {}", self.batches, self.what)
    }
}

impl<W: Weight + Debug> fmt::Display for Failure<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { number, flaw, minimal, original } = self;
        let (from, to) = (original.updates(), minimal.updates());
        writeln!(f, "sequence {number} fails {flaw}")?;
        write!(f, "shrunk from {from} updates to {to}:\n{minimal}")
    }
}

impl<W: Weight + Debug> std::error::Error for Failure<W> {}
