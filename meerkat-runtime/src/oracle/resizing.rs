//! What happens to a graph beside its batches: vertices come and go, it is laid out anew.

use super::{Model, Oracle, Sequence};
use crate::Vertex;
use crate::dynamic::{DynamicAlgorithm, Tracked};
use crate::graph::{DynamicGraph, EdgeLists};
use fastrand::Rng;

/// How many vertices come or go at once, at most.
const MOST_VERTICES: u32 = 4;

/// Something that is done to a tracked graph.
enum Step {
    /// Vertices come.
    Grow(u32),
    /// Vertices go, and their ids are used again.
    Renew(Vec<Vertex>),
    /// Lists are laid out anew.
    Compact,
}

impl<L: EdgeLists, A: DynamicAlgorithm<DynamicGraph<L>>> Oracle<'_, L, A> {
    /// Does something beside a batch, and compares where it takes two steps. How often it was
    /// refused at first.
    pub(super) fn resize(
        &self,
        sequence: &Sequence<L::Carried>,
        model: &mut Model<L::Carried>,
        tracked: &mut Tracked<DynamicGraph<L>, A>,
        rng: &mut Rng,
    ) -> Result<usize, String> {
        let count = rng.u32(1..=MOST_VERTICES);
        match step(model.vertices(), count, rng) {
            Step::Grow(count) => {
                let before = model.vertices();
                let fresh: Vec<_> = (before..before + count).collect();
                let refused = self.insert_vertices(sequence, model, tracked, rng, &fresh)?;
                model.grow(count);
                Ok(refused)
            }
            Step::Renew(vertices) => {
                let mut delete =
                    |tracked: &mut Tracked<_, A>| tracked.delete_vertices(&vertices).map(drop);
                let refused = self.attempt(sequence, model, tracked, rng, &mut delete)?;
                model.isolate(&vertices);
                self.compare(sequence, model, tracked)?;
                let mut ids = vertices.clone();
                ids.sort_unstable();
                ids.dedup();
                Ok(refused + self.insert_vertices(sequence, model, tracked, rng, &ids)?)
            }
            Step::Compact => {
                let mut compact = |tracked: &mut Tracked<_, A>| tracked.compact();
                self.attempt(sequence, model, tracked, rng, &mut compact)
            }
        }
    }

    /// Inserts vertices that must get these ids.
    fn insert_vertices(
        &self,
        sequence: &Sequence<L::Carried>,
        model: &Model<L::Carried>,
        tracked: &mut Tracked<DynamicGraph<L>, A>,
        rng: &mut Rng,
        ids: &[Vertex],
    ) -> Result<usize, String> {
        let mut inserted = Vec::new();
        let mut insert = |tracked: &mut Tracked<_, A>| {
            inserted = tracked.insert_vertices(ids.len() as u32)?;
            Ok(())
        };
        let refused = self.attempt(sequence, model, tracked, rng, &mut insert)?;
        match inserted == ids {
            true => Ok(refused),
            false => Err(format!("the new vertices are {inserted:?} and should be {ids:?}")),
        }
    }
}

fn step(vertices: u32, count: u32, rng: &mut Rng) -> Step {
    match rng.u32(0..4) {
        0 => Step::Grow(count),
        1 => Step::Compact,
        _ if vertices == 0 => Step::Compact,
        _ => Step::Renew((0..count).map(|_| rng.u32(0..vertices)).collect()),
    }
}
