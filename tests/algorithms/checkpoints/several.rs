//! One of several algorithms that is out of step when a checkpoint is written.

use super::damage::{edge, tracked};
use crate::support::devices::devices;
use meerkat::algos::wcc::Components;
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use meerkat::runtime::dynamic::SavedState;
use meerkat::runtime::saved::{StateReader, StateWriter};
use std::cell::Cell;
use std::rc::Rc;

/// Counts edges, and fails while it is asked to.
#[derive(Clone)]
struct Count(Rc<Cell<bool>>);

impl Count {
    fn unless_it_fails(&self, count: u64) -> Result<u64, Error> {
        if self.0.get() { Ok(count) } else { Err(ErrorKind::OutOfMemory { bytes: 1 }.into()) }
    }
}

impl DynamicAlgorithm<SlabGraph> for Count {
    type State = u64;
    type Output = u64;
    fn compute(&self, graph: &SlabGraph) -> Result<u64, Error> {
        self.unless_it_fails(graph.edge_count()?)
    }
    fn on_delete(
        &self,
        n: &mut u64,
        _: &SlabGraph,
        gone: &DeviceBuffer<Edge>,
    ) -> Result<(), Error> {
        *n = self.unless_it_fails(*n - gone.len() as u64)?;
        Ok(())
    }
    fn on_insert(&self, n: &mut u64, _: &SlabGraph, new: &DeviceBuffer<Edge>) -> Result<(), Error> {
        *n = self.unless_it_fails(*n + new.len() as u64)?;
        Ok(())
    }
    fn output(&self, n: &u64) -> Result<u64, Error> {
        Ok(*n)
    }
}

impl SavedState<SlabGraph> for Count {
    fn description(&self) -> String {
        "count".to_owned()
    }
    fn save_state(&self, n: &u64, to: &mut StateWriter) -> Result<(), Error> {
        to.number("edges", *n)
    }
    fn load_state(&self, _: &SlabGraph, from: &mut StateReader) -> Result<u64, Error> {
        from.number("edges")
    }
}

#[test]
fn one_of_several_that_is_out_of_step_is_saved_so_and_computed_when_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.meerkat");
    for device in devices() {
        let works = Rc::new(Cell::new(true));
        let algorithms = || (Components, Count(works.clone()));
        let mut before = tracked(&device, algorithms());
        let count = before.output().expect("answers").1;
        works.set(false);
        before.apply(&Batch::new().delete([edge(3, 9)])).expect_err("it fails");
        assert!(before.state().expect("states").1.get().is_err());
        before.save_checkpoint(&path, 1).expect("a checkpoint");
        let load = || Tracked::<SlabGraph, _>::load_checkpoint(&device, algorithms(), &path);
        // It fails still.
        let (loaded, _) = load().expect("the other is there");
        assert!(loaded.state().expect("states").1.get().is_err());
        works.set(true);
        let (loaded, _) = load().expect("both");
        assert_eq!(*loaded.state().expect("states").1.get().expect("a state"), count);
        assert_eq!(loaded.output().expect("answers"), before.output().expect("answers"));
    }
}
