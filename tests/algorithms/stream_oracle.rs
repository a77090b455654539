//! The stream oracle finds what is wrong and leaves out what does not matter.

use meerkat::algos::bfs::{Bfs, Tree};
use meerkat::algos::tree::PathTree;
use meerkat::prelude::*;
use meerkat::runtime::oracle::generate::sequence;
use meerkat::runtime::oracle::{Failure, Kind, Model, Oracle, Sequence};
use std::ops::Range;

/// Breadth-first search with a mistake.
struct Broken {
    bfs: Bfs,
    mistake: Mistake,
}

struct State {
    tree: PathTree,
    has_deleted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mistake {
    None,
    ForgetsDeletions,
    ForgetsInsertions,
    ForgetsInsertionsOfMixedBatches,
    Fails,
}

impl DynamicAlgorithm<SlabGraph> for Broken {
    type State = State;
    type Output = Tree;
    fn compute(&self, graph: &SlabGraph) -> Result<State, Error> {
        Ok(State { tree: self.bfs.compute(graph)?, has_deleted: false })
    }
    fn on_delete(
        &self,
        state: &mut State,
        graph: &SlabGraph,
        edges: &DeviceBuffer<Edge>,
    ) -> Result<(), Error> {
        state.has_deleted = true;
        match self.mistake {
            Mistake::ForgetsDeletions => Ok(()),
            // A vertex that is not there.
            Mistake::Fails => Bfs::from_source(u32::MAX).compute(graph).map(drop),
            _ => self.bfs.on_delete(&mut state.tree, graph, edges),
        }
    }
    fn on_insert(
        &self,
        state: &mut State,
        graph: &SlabGraph,
        edges: &DeviceBuffer<Edge>,
    ) -> Result<(), Error> {
        match self.mistake {
            Mistake::ForgetsInsertions => Ok(()),
            Mistake::ForgetsInsertionsOfMixedBatches if state.has_deleted => Ok(()),
            _ => self.bfs.on_insert(&mut state.tree, graph, edges),
        }
    }
    fn finish_batch(&self, state: &mut State, graph: &SlabGraph) -> Result<(), Error> {
        state.has_deleted = false;
        self.bfs.finish_batch(&mut state.tree, graph)
    }
    fn output(&self, state: &State) -> Result<Tree, Error> {
        DynamicAlgorithm::<SlabGraph>::output(&self.bfs, &state.tree)
    }
}

fn replay(mistake: Mistake, kind: Kind) -> Result<(), Box<Failure<()>>> {
    replay_on(Device::cpu(), mistake, kind, 0..40)
}

fn replay_on(
    device: Device,
    mistake: Mistake,
    kind: Kind,
    seeds: Range<u64>,
) -> Result<(), Box<Failure<()>>> {
    let algorithm = || Broken { bfs: Bfs::from_source(0), mistake };
    let same = |_: &Model, followed: &Tree, recomputed: &Tree| {
        if followed.levels == recomputed.levels { Ok(()) } else { Err("levels differ".to_owned()) }
    };
    let oracle = Oracle::new(device, algorithm, same);
    let directed = Direction::Directed;
    oracle.check(seeds.map(|seed| sequence(seed, kind, directed, |_| ()))).map(drop)
}

fn updates(sequence: &Sequence) -> Vec<usize> {
    sequence.batches.iter().map(Batch::len).collect()
}

#[test]
fn a_right_algorithm_passes() {
    for kind in Kind::ALL {
        assert!(replay(Mistake::None, kind).is_ok());
    }
}

#[test]
fn a_right_algorithm_passes_and_a_wrong_one_does_not_under_each_of_8_schedules() {
    for schedule in Schedule::ALL {
        let replay =
            |mistake, kind| replay_on(Device::cpu().with_schedule(schedule), mistake, kind, 0..8);
        for kind in Kind::ALL {
            let outcome = replay(Mistake::None, kind);
            assert!(outcome.is_ok(), "{schedule:?}: {}", outcome.unwrap_err());
        }
        let failure = replay(Mistake::ForgetsDeletions, Kind::Mixed).expect_err("found");
        assert_eq!(updates(&failure.minimal), [1], "{schedule:?}: {failure}");
    }
}

#[test]
fn forgotten_deletions_shrink_to_one_edge_and_its_deletion() {
    for kind in [Kind::Decremental, Kind::Mixed] {
        let failure = replay(Mistake::ForgetsDeletions, kind).expect_err("found");
        assert_eq!(failure.minimal.start.len(), 1, "{failure}");
        assert_eq!(updates(&failure.minimal), [1], "{failure}");
        assert_eq!(failure.minimal.vertices, failure.minimal.start[0].dst + 1, "{failure}");
        assert_eq!(failure.flaw.batches, 1);
        assert!(failure.original.updates() > 2);
        let text = failure.to_string();
        assert!(text.contains("levels differ") && text.contains("batch 1 - 0 -> "), "{text}");
    }
}

#[test]
fn forgotten_insertions_shrink_to_one_insertion() {
    for kind in [Kind::Incremental, Kind::Mixed] {
        let failure = replay(Mistake::ForgetsInsertions, kind).expect_err("found");
        assert!(failure.minimal.start.is_empty(), "{failure}");
        assert_eq!(updates(&failure.minimal), [1], "{failure}");
    }
}

#[test]
fn a_mistake_in_mixed_batches_shrinks_to_one_deletion_and_one_insertion() {
    let failure = replay(Mistake::ForgetsInsertionsOfMixedBatches, Kind::Mixed).expect_err("found");
    assert_eq!(failure.minimal.start.len(), 1, "{failure}");
    assert_eq!(updates(&failure.minimal), [2], "{failure}");
    assert!(replay(Mistake::ForgetsInsertionsOfMixedBatches, Kind::Incremental).is_ok());
}

#[test]
fn an_error_is_a_flaw_with_its_message() {
    let failure = replay(Mistake::Fails, Kind::Decremental).expect_err("found");
    assert!(failure.flaw.what.contains("vertex 4294967295"), "{failure}");
    assert_eq!(updates(&failure.minimal), [1], "{failure}");
}
