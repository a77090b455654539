//! What an algorithm over any container asks of its owner on the host.

use crate::device::Device;
use crate::graph::{DynamicGraph, EdgeLists};
use crate::launch::HostArg;
use crate::{Error, Neighbors, Weight};

/// A graph as the host owns it, whatever holds its edges: `fn levels<C: Container>(graph: &C, ..)`
/// launches operators over any `G: Neighbors`.
pub trait Container {
    /// What edges carry.
    type Carried: Weight;
    /// What operators take.
    type View: Neighbors<Carried = Self::Carried>;
    /// The edges in one direction, as an argument of a launch.
    type Edges<'a>: HostArg<Self::View> + Copy
    where
        Self: 'a;

    /// The device it is on.
    fn device(&self) -> &Device;
    /// How many vertices there are, from 0.
    fn vertex_count(&self) -> u32;
    /// The out-edges.
    ///
    /// # Errors
    /// [`ErrorKind::OrientationMissing`](crate::ErrorKind::OrientationMissing) if the graph keeps
    /// in-edges only.
    fn out_edges(&self) -> Result<Self::Edges<'_>, Error>;
    /// The in-edges; where each edge goes both ways, the out-edges.
    ///
    /// # Errors
    /// [`ErrorKind::OrientationMissing`](crate::ErrorKind::OrientationMissing) if the graph keeps
    /// out-edges only.
    fn in_edges(&self) -> Result<Self::Edges<'_>, Error>;
    /// Whether the in-edges are the out-edges.
    fn is_undirected(&self) -> bool;
}

impl<L: EdgeLists> Container for DynamicGraph<L> {
    type Carried = L::Carried;
    type View = L::View;
    type Edges<'a>
        = L::Arg<'a>
    where
        L: 'a;

    fn device(&self) -> &Device {
        self.device()
    }
    fn vertex_count(&self) -> u32 {
        self.vertex_count()
    }
    fn out_edges(&self) -> Result<L::Arg<'_>, Error> {
        self.out_edges().map(L::arg)
    }
    fn in_edges(&self) -> Result<L::Arg<'_>, Error> {
        self.in_edges().map(L::arg)
    }
    fn is_undirected(&self) -> bool {
        self.is_undirected()
    }
}
