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
//! impl DynamicAlgorithm<()> for Count {
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
mod sequence;
mod shrink;

pub use generate::Kind;
pub use model::Model;
pub use sequence::Sequence;

use crate::device::Device;
use crate::dynamic::DynamicAlgorithm;
use crate::graph::{SlabGraph, SlabOptions};
use crate::{Error, Weight};
use std::fmt::{self, Debug};

type Check<'a, W, O> = dyn Fn(&Model<W>, &O, &O) -> Result<(), String> + 'a;

/// Replays sequences and judges the answers; see [the module](self).
pub struct Oracle<'a, W: Weight, A: DynamicAlgorithm<W>> {
    device: Device,
    options: SlabOptions,
    algorithm: Box<dyn Fn() -> A + 'a>,
    check: Box<Check<'a, W, A::Output>>,
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

impl<'a, W: Weight, A: DynamicAlgorithm<W>> Oracle<'a, W, A> {
    /// An oracle for the algorithm that `algorithm` makes. `check` gets the graph,
    /// the answer that followed the updates and one computed from scratch, and
    /// says what is wrong.
    pub fn new(
        device: Device,
        algorithm: impl Fn() -> A + 'a,
        check: impl Fn(&Model<W>, &A::Output, &A::Output) -> Result<(), String> + 'a,
    ) -> Self {
        let (algorithm, check) = (Box::new(algorithm), Box::new(check));
        Oracle { device, options: SlabOptions::DEFAULT, algorithm, check }
    }

    /// The same with graphs of other options. Their direction is the sequence's.
    #[must_use]
    pub fn with_options(self, options: SlabOptions) -> Self {
        Oracle { options, ..self }
    }

    /// Replays one sequence.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn replay(&self, sequence: &Sequence<W>) -> Result<(), Flaw> {
        let mut done = 0;
        self.run(sequence, &mut done).map_err(|what| Flaw { batches: done, what })
    }

    /// Replays sequences until one fails, and shrinks that one.
    ///
    /// # Errors
    /// The failure.
    pub fn check(
        &self,
        sequences: impl IntoIterator<Item = Sequence<W>>,
    ) -> Result<Replayed, Box<Failure<W>>> {
        let mut replayed = Replayed::default();
        for original in sequences {
            if let Err(flaw) = self.replay(&original) {
                let fails = |sequence: &Sequence<W>| self.replay(sequence).err();
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

    fn run(&self, sequence: &Sequence<W>, done: &mut usize) -> Result<(), String> {
        let say = |error: Error| error.to_string();
        let mut model = sequence.start_model();
        let options = SlabOptions { direction: sequence.direction, ..self.options };
        let graph =
            |edges: &[_]| SlabGraph::from_edges(&self.device, sequence.vertices, edges, &options);
        let start = graph(&sequence.start).map_err(say)?;
        let mut tracked = start.track((self.algorithm)()).map_err(say)?;
        let mut batches = sequence.batches.iter();
        loop {
            model.compare(tracked.graph())?;
            let fresh = graph(&model.edges()).and_then(|graph| graph.track((self.algorithm)()));
            let recomputed = fresh.and_then(|fresh| fresh.output()).map_err(say)?;
            let followed = tracked.output().map_err(say)?;
            (self.check)(&model, &followed, &recomputed)?;
            let Some(batch) = batches.next() else { return Ok(()) };
            *done += 1;
            model.apply(batch);
            tracked.apply(batch).map_err(say)?;
        }
    }
}

impl<W: Weight, A: DynamicAlgorithm<W>> Debug for Oracle<'_, W, A> {
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
