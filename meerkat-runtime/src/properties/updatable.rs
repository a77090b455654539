//! What a graph with properties is made of: a graph, or one that an algorithm tracks.

use crate::graph::{Change, DeviceBatch, DynamicGraph, EdgeLists};
use crate::{DynamicAlgorithm, Error, Tracked, Vertex};

/// A graph whose edges carry their ids, or a [`Tracked`] one. Sealed.
pub trait Updatable: sealed::Apply {}

impl<G: sealed::Apply> Updatable for G {}

pub(super) mod sealed {
    use super::{Change, DeviceBatch, DynamicGraph, EdgeLists, Error, Vertex};

    pub trait Apply {
        /// The lists of the graph.
        type Lists: EdgeLists<Carried = u32>;

        fn bare(&self) -> &DynamicGraph<Self::Lists>;
        fn apply_batch(&mut self, batch: &DeviceBatch<u32>) -> Result<Change<u32>, Error>;
        fn add_vertices(&mut self, count: u32) -> Result<Vec<Vertex>, Error>;
        fn remove_vertices(&mut self, vertices: &[Vertex]) -> Result<Change<u32>, Error>;
        fn lay_out(&mut self) -> Result<(), Error>;
    }
}

impl<L: EdgeLists<Carried = u32>> sealed::Apply for DynamicGraph<L> {
    type Lists = L;

    fn bare(&self) -> &DynamicGraph<L> {
        self
    }
    fn apply_batch(&mut self, batch: &DeviceBatch<u32>) -> Result<Change<u32>, Error> {
        self.apply(batch)
    }
    fn add_vertices(&mut self, count: u32) -> Result<Vec<Vertex>, Error> {
        self.insert_vertices(count)
    }
    fn remove_vertices(&mut self, vertices: &[Vertex]) -> Result<Change<u32>, Error> {
        self.delete_vertices_after(vertices, |graph, deletions| graph.apply(deletions))
    }
    fn lay_out(&mut self) -> Result<(), Error> {
        self.compact()
    }
}

impl<L, A> sealed::Apply for Tracked<DynamicGraph<L>, A>
where
    L: EdgeLists<Carried = u32>,
    A: DynamicAlgorithm<DynamicGraph<L>>,
{
    type Lists = L;

    fn bare(&self) -> &DynamicGraph<L> {
        self.graph()
    }
    fn apply_batch(&mut self, batch: &DeviceBatch<u32>) -> Result<Change<u32>, Error> {
        self.apply(batch)
    }
    fn add_vertices(&mut self, count: u32) -> Result<Vec<Vertex>, Error> {
        self.insert_vertices(count)
    }
    fn remove_vertices(&mut self, vertices: &[Vertex]) -> Result<Change<u32>, Error> {
        self.delete_vertices(vertices)
    }
    fn lay_out(&mut self) -> Result<(), Error> {
        self.compact()
    }
}
