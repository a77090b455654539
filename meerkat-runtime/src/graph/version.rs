//! Which graph a change was found in, and which state of it.

use std::sync::Arc;

/// A graph, and how often its edges have changed. Two versions are equal if a change that
/// was found at one may be applied at the other.
#[derive(Clone, Debug)]
pub(super) struct Version {
    /// The graph itself: another one is another allocation, as long as anybody holds this.
    graph: Arc<()>,
    generation: u64,
}

impl Version {
    /// That of a new graph.
    pub(super) fn first() -> Self {
        Version { graph: Arc::new(()), generation: 0 }
    }

    /// The next, which no change that was found before fits.
    pub(super) fn advance(&mut self) {
        self.generation += 1;
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.graph, &other.graph) && self.generation == other.generation
    }
}
