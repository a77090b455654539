//! What an algorithm over any container asks of its owner on the host.

use crate::device::Device;
use crate::graph::compact_slabs::{Compact, CompactEdges, CompactGraph, check_vertices};
use crate::graph::{Adjacency, Orientation, SlabGraph, SlabOptions};
use crate::launch::HostArg;
use crate::slab::Graph;
use crate::{Direction, Error, Neighbors, Weight};

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

impl<W: Weight> Container for SlabGraph<W> {
    type Carried = W;
    type View = Graph<W>;
    type Edges<'a> = &'a Adjacency<W>;

    fn device(&self) -> &Device {
        self.device()
    }
    fn vertex_count(&self) -> u32 {
        self.vertex_count()
    }
    fn out_edges(&self) -> Result<&Adjacency<W>, Error> {
        self.out_edges()
    }
    fn in_edges(&self) -> Result<&Adjacency<W>, Error> {
        self.in_edges()
    }
    fn is_undirected(&self) -> bool {
        self.options().direction == Direction::Undirected
    }
}

impl<W: Weight> Container for CompactGraph<W> {
    type Carried = W;
    type View = Compact<W>;
    type Edges<'a> = &'a CompactEdges<W>;

    fn device(&self) -> &Device {
        self.device()
    }
    fn vertex_count(&self) -> u32 {
        self.vertex_count()
    }
    fn out_edges(&self) -> Result<&CompactEdges<W>, Error> {
        self.out_edges()
    }
    fn in_edges(&self) -> Result<&CompactEdges<W>, Error> {
        self.in_edges()
    }
    fn is_undirected(&self) -> bool {
        self.is_undirected()
    }
}

impl<W: Weight> CompactGraph<W> {
    /// The edges of another graph, in the orientations that it keeps. Cost: a build, and a list of
    /// up to 2^26 edges. Synchronises.
    ///
    /// # Errors
    /// More than 2^31 - 1 vertices, no memory; the device fails.
    pub fn of<C: Container<Carried = W>>(graph: &C) -> Result<Self, Error> {
        let (device, vertices) = (graph.device(), graph.vertex_count());
        check_vertices(vertices)?;
        let direction = match graph.is_undirected() {
            true => Direction::Undirected,
            false => Direction::Directed,
        };
        let out = graph.out_edges().ok();
        let into = graph.in_edges().ok().filter(|_| !graph.is_undirected());
        let orientation = match (&out, &into) {
            (_, None) => Orientation::Out,
            (None, _) => Orientation::In,
            _ => Orientation::Both,
        };
        let options = SlabOptions { direction, orientation, ..SlabOptions::DEFAULT };
        let copied = |edges| CompactEdges::of(device, vertices, edges);
        let sides = [out.map(copied).transpose()?, into.map(copied).transpose()?];
        Ok(CompactGraph::assembled(device, vertices, options, sides))
    }
}
