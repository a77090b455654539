//! Several algorithms on one graph, of which one fails; vertices that come and go.

use super::support::devices::devices;
use meerkat::algos::bfs::Bfs;
use meerkat::algos::wcc::Components;
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use std::cell::Cell;
use std::rc::Rc;

const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

fn edge(src: u32, dst: u32) -> Edge {
    Edge { src, dst, weight: () }
}

/// Counts edges, and fails while it is asked to.
#[derive(Clone, Default)]
struct Count {
    follows: Rc<Cell<bool>>,
    computes: Rc<Cell<bool>>,
}

impl Count {
    fn working() -> Self {
        Count { follows: Rc::new(Cell::new(true)), computes: Rc::new(Cell::new(true)) }
    }

    fn fail_unless(works: &Cell<bool>) -> Result<(), Error> {
        if works.get() { Ok(()) } else { Err(ErrorKind::OutOfMemory { bytes: 1 }.into()) }
    }
}

impl DynamicAlgorithm<SlabGraph> for Count {
    type State = u64;
    type Output = u64;
    fn compute(&self, graph: &SlabGraph) -> Result<u64, Error> {
        Self::fail_unless(&self.computes)?;
        graph.edge_count()
    }
    fn on_delete(
        &self,
        n: &mut u64,
        _: &SlabGraph,
        gone: &DeviceBuffer<Edge>,
    ) -> Result<(), Error> {
        *n -= gone.len() as u64;
        Self::fail_unless(&self.follows)
    }
    fn on_insert(&self, n: &mut u64, _: &SlabGraph, new: &DeviceBuffer<Edge>) -> Result<(), Error> {
        *n += new.len() as u64;
        Self::fail_unless(&self.follows)
    }
    fn output(&self, n: &u64) -> Result<u64, Error> {
        Ok(*n)
    }
}

#[test]
fn one_that_cannot_go_on_costs_the_others_nothing() {
    for device in devices() {
        let graph = SlabGraph::from_edges(&device, 6, &[edge(0, 1), edge(3, 2)], &BOTH);
        let count = Count::working();
        let algorithms = (Components, count.clone(), Bfs::from_source(0));
        let mut tracked = graph.expect("a graph").track(algorithms).expect("tracked");
        let labels = |tracked: &Tracked<SlabGraph, (Components, Count, Bfs)>| {
            let state = tracked.state().expect("states").0.get().expect("components");
            DynamicAlgorithm::<SlabGraph>::output(&Components, state).expect("labels")
        };
        // A batch that one cannot follow is refused, and all are as they were.
        count.follows.set(false);
        let batch = Batch::new().insert([edge(1, 2)]);
        assert!(tracked.apply(&batch).expect_err("refused").is_out_of_memory());
        assert_eq!(tracked.output().expect("answers").1, 2);
        assert_eq!(labels(&tracked), [0, 0, 2, 2, 4, 5]);
        // One that cannot be computed again, either, is out of step alone.
        count.computes.set(false);
        assert!(tracked.apply(&batch).expect_err("refused").is_out_of_memory());
        assert_eq!(labels(&tracked), [0, 0, 2, 2, 4, 5]);
        let state = &tracked.state().expect("states").1;
        assert!(matches!(state.get().expect_err("none").kind(), ErrorKind::OutOfStep));
        assert!(tracked.output().expect_err("no answer").is_out_of_memory());
        // It does not hold up the others.
        tracked.apply(&batch).expect("applied");
        assert_eq!(labels(&tracked), [0, 0, 0, 0, 4, 5]);
        assert!(tracked.output().is_err());
        assert_eq!(tracked.insert_vertices(1).expect("a vertex"), [6]);
        assert_eq!(labels(&tracked), [0, 0, 0, 0, 4, 5, 6]);
        // With the next batch it is tried again.
        count.computes.set(true);
        count.follows.set(true);
        tracked.apply(&Batch::new().insert([edge(4, 6)])).expect("applied");
        assert_eq!(tracked.state().expect("states").1.get().ok(), Some(&4));
        let (found, edges, tree) = tracked.output().expect("answers");
        assert_eq!((found, edges), (vec![0, 0, 0, 0, 4, 5, 4], 4));
        assert_eq!(tree.levels[..3], [0, 1, 2]);
    }
}

/// Notes which of the edges that are about to go are in the graph.
struct Looks;

impl DynamicAlgorithm<SlabGraph> for Looks {
    type State = Vec<bool>;
    type Output = Vec<bool>;
    fn compute(&self, _: &SlabGraph) -> Result<Vec<bool>, Error> {
        Ok(Vec::new())
    }
    fn looks_before_deletions(&self) -> bool {
        true
    }
    fn before_delete(
        &self,
        seen: &mut Vec<bool>,
        graph: &SlabGraph,
        deleted: &DeviceBuffer<Edge>,
    ) -> Result<(), Error> {
        seen.extend(graph.contains(&deleted.to_vec()?)?);
        Ok(())
    }
    fn on_delete(
        &self,
        seen: &mut Vec<bool>,
        graph: &SlabGraph,
        deleted: &DeviceBuffer<Edge>,
    ) -> Result<(), Error> {
        self.before_delete(seen, graph, deleted)
    }
    fn on_insert(
        &self,
        _: &mut Vec<bool>,
        _: &SlabGraph,
        _: &DeviceBuffer<Edge>,
    ) -> Result<(), Error> {
        Ok(())
    }
    fn output(&self, seen: &Vec<bool>) -> Result<Vec<bool>, Error> {
        Ok(seen.clone())
    }
}

#[test]
fn one_that_looks_before_deletions_sees_the_edges_that_go() {
    for device in devices() {
        let edges = [edge(0, 1), edge(1, 2), edge(2, 3)];
        let graph = SlabGraph::from_edges(&device, 4, &edges, &BOTH).expect("a graph");
        let mut tracked = graph.track((Components, Looks)).expect("tracked");
        // Of one kind, and of both.
        tracked.apply(&Batch::new().delete([edge(0, 1)])).expect("applied");
        assert_eq!(tracked.output().expect("answers").1, [true, false]);
        let mixed = Batch::new().delete([edge(1, 2), edge(0, 3)]).insert([edge(3, 0)]);
        tracked.apply(&mixed).expect("applied");
        assert_eq!(tracked.output().expect("answers").1, [true, false, true, false]);
        tracked.delete_vertices(&[3]).expect("a vertex");
        let seen = tracked.output().expect("answers").1;
        assert_eq!(seen[4..], [true, true, false, false]);
    }
}

#[test]
fn a_vertex_that_is_not_there_is_not_deleted_from_a_tracked_graph() {
    for device in devices() {
        let graph = SlabGraph::from_edges(&device, 3, &[edge(0, 1), edge(1, 2)], &BOTH);
        let mut tracked = graph.expect("a graph").track(Bfs::from_source(0)).expect("tracked");
        let error = tracked.delete_vertices(&[1, 3]).expect_err("no vertex 3");
        assert!(matches!(error.kind(), ErrorKind::NoSuchVertex { vertex: 3, .. }), "{error}");
        assert_eq!(tracked.output().expect("a tree").levels, [0, 1, 2]);
        let lost = tracked.delete_vertices(&[1, 1]).expect("a vertex");
        assert_eq!(lost.deleted().len(), 2);
        assert_eq!(tracked.output().expect("a tree").levels, [0, u32::MAX, u32::MAX]);
        assert_eq!(tracked.graph().deleted_vertices(), [1]);
        let error = tracked.delete_vertices(&[1]).expect_err("it is gone");
        assert!(matches!(error.kind(), ErrorKind::NoSuchVertex { vertex: 1, .. }), "{error}");
        let error = tracked.apply(&Batch::new().insert([edge(0, 1)])).expect_err("it is gone");
        assert!(matches!(error.kind(), ErrorKind::VertexDeleted { .. }), "{error}");
        assert_eq!(tracked.insert_vertices(2).expect("vertices"), [1, 3]);
        tracked.apply(&Batch::new().insert([edge(0, 1), edge(1, 3)])).expect("applied");
        assert_eq!(tracked.output().expect("a tree").levels, [0, 1, u32::MAX, 2]);
        tracked.compact().expect("compaction");
        tracked.reserve(1000).expect("room");
        assert_eq!(tracked.output().expect("a tree").levels, [0, 1, u32::MAX, 2]);
    }
}
