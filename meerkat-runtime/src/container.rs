//! What an algorithm over any container asks of its owner on the host.

use crate::device::Device;
use crate::graph::{
    ARCS_AT_ONCE, DynamicGraph, EdgeLists, Orientation, SlabOptions, copied, degrees_of,
};
use crate::launch::{HostArg, of_view};
use crate::{Direction, Error, Neighbors, Shape, Weight};

/// A graph as the host owns it, whatever holds its edges: `fn levels<C: Container>(graph: &C, ..)`
/// launches operators over any `G: Neighbors`.
///
/// # Safety
/// Algorithms index what they keep of vertices by what it says, which CUDA does not check. So
/// [`vertex_count`](Self::vertex_count) is that of the shape of both views; all neighbours are below it;
/// and the views name the same neighbours each time, as long as nobody changes the graph by `&mut`.
#[allow(unsafe_code)]
pub unsafe trait Container {
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
    /// Whether a list may get any length: then how many lists a vertex has says nothing of how many
    /// neighbours it has.
    fn has_endless_lists(&self) -> bool {
        false
    }
}

/// The shape of the out-edges.
///
/// # Errors
/// As [`Container::out_edges`].
#[doc(hidden)]
pub fn out_shape<C: Container>(graph: &C) -> Result<Shape, Error> {
    of_view(graph.device(), graph.out_edges()?, |view| view.shape())
}

/// The most lists that a vertex has, if the out-neighbours of each ascend through them.
///
/// # Errors
/// As [`Container::out_edges`].
#[doc(hidden)]
pub fn longest_ascending<C: Container>(graph: &C) -> Result<Option<u32>, Error> {
    of_view(graph.device(), graph.out_edges()?, |view| {
        view.ascends().then(|| view.shape().most_lists)
    })
}

/// The most lists that a vertex has of in-neighbours. None if one list may have any number of them.
///
/// # Errors
/// As [`Container::in_edges`].
#[doc(hidden)]
pub fn longest_in_lists<C: Container>(graph: &C) -> Result<Option<u32>, Error> {
    if graph.has_endless_lists() {
        return Ok(None);
    }
    of_view(graph.device(), graph.in_edges()?, |view| Some(view.shape().most_lists))
}

// SAFETY: batches with ends outside the graph are refused, and lists change by `&mut` alone.
#[allow(unsafe_code)]
unsafe impl<L: EdgeLists> Container for DynamicGraph<L> {
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
    fn has_endless_lists(&self) -> bool {
        self.orientations().any(L::has_endless_lists)
    }
}

impl<L: EdgeLists> DynamicGraph<L> {
    /// The edges of another container, in the orientations that it keeps, each once; of several weights
    /// of one edge, any. Synchronises.
    ///
    /// Cost: a build, and a list of up to 2^26 edges. Compact slabs copy lists straight from a
    /// container that [names each neighbour once](crate::Neighbors::has_no_repeats): a pass over the
    /// edges, and no list.
    ///
    /// # Errors
    /// More vertices than this container can name, no memory; the device fails.
    pub fn of<C: Container<Carried = L::Carried>>(graph: &C) -> Result<Self, Error> {
        let out = graph.out_edges().ok();
        let into = graph.in_edges().ok().filter(|_| !graph.is_undirected());
        let direction = match graph.is_undirected() {
            true => Direction::Undirected,
            false => Direction::Directed,
        };
        let orientation = match (&out, &into) {
            (_, None) => Orientation::Out,
            (None, _) => Orientation::In,
            _ => Orientation::Both,
        };
        let options = SlabOptions { direction, orientation, ..SlabOptions::DEFAULT };
        let (device, vertices) = (graph.device(), graph.vertex_count());
        L::check_vertices(vertices.into())?;
        let copied = |edges| {
            let degrees = degrees_of(device, vertices, edges)?;
            copied(degrees, edges, &options, ARCS_AT_ONCE)
        };
        let sides = [out.map(copied).transpose()?, into.map(copied).transpose()?];
        Self::of_lists(device, vertices, &options, sides)
    }
}
