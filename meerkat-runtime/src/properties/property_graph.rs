//! The owner of a graph and its columns.

use super::column::Columns;
use super::edge_ids::{EdgeIds, ids_of};
use super::store::EdgeId;
use super::updatable::Updatable;
use super::values::EdgeValues;
use crate::device::{Device, DeviceBuffer};
use crate::dynamic::IgnoresWeights;
use crate::graph::{BatchSource, Change, DeviceBatch, DynamicGraph, Edge, EdgeLists, SlabOptions};
use crate::{DynamicAlgorithm, Error, ErrorKind, Tracked, Vertex};

/// A graph whose edges and vertices have typed properties, in columns beside it. Each edge carries its
/// [`EdgeId`] in the graph, which is the place of its values in the columns of edges; so operators
/// index columns by what they read as the weight, and columns of vertices by the vertex.
///
/// `G` is the graph in any container that batches change, or a [`Tracked`] one.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::prelude::*;
/// use meerkat_runtime::properties::{EdgeValues, PropertyGraph};
///
/// /// When the first of the edges that cost less than 2 leaves, and how often each was looked at.
/// #[vertex_operator]
/// fn first<G: Neighbors<Carried = u32>>(
///     v: Vertex,
///     graph: &G,
///     cost: &[f32],
///     time: &[i64],
///     looks: &[Atomic<u32>],
///     first: &mut [i64],
/// ) {
///     let mut earliest = i64::MAX;
///     for_each_neighbor(graph, v, true, |_, id| {
///         looks[id].fetch_add(1);
///         earliest = earliest.min(select(cost[id] < 2.0, time[id], i64::MAX));
///     });
///     first[v] = earliest;
/// }
///
/// let device = Device::auto();
/// let mut graph = PropertyGraph::<SlabGraph<u32>>::new(&device, 4, &SlabOptions::DEFAULT)?;
/// let cost = graph.add_edge_column::<f32>("cost", 1.0)?;
/// let time = graph.add_edge_column::<i64>("time", 0)?;
/// let looks = graph.add_edge_column::<Atomic<u32>>("looks", 0)?;
///
/// let edge = |src, dst| Edge { src, dst, weight: () };
/// let batch = Batch::new().insert([edge(0, 1), edge(0, 2), edge(0, 3)]);
/// let values = EdgeValues::none()
///     .with(&device, cost, &[1.0, 5.0, 1.5])?
///     .with(&device, time, &[30, 10, 20])?;
/// graph.apply(&batch, &values)?;
///
/// let (edges, mut departure) = (graph.graph().out_edges()?, DeviceBuffer::zeroed(&device, 4)?);
/// let (costs, times) = (graph.edge_values(cost)?, graph.edge_values(time)?);
/// let counts = graph.edge_values(looks)?;
/// first::launch(&device, 0..4, edges, costs, times, counts, &mut departure)?;
/// assert_eq!(departure.to_vec()?, [20, i64::MAX, i64::MAX, i64::MAX]);
///
/// let expired = graph.expire(time, 20)?;
/// assert_eq!(expired.deleted().len(), 1);
/// assert_eq!(graph.graph().neighbors(0)?.len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct PropertyGraph<G> {
    graph: G,
    ids: EdgeIds,
    edges: Columns,
    vertices: Columns,
}

impl<L: EdgeLists<Carried = u32>> PropertyGraph<DynamicGraph<L>> {
    /// A graph of `vertices` vertices, without edges and columns.
    ///
    /// # Errors
    /// As [`DynamicGraph::from_edges`].
    pub fn new(device: &Device, vertices: u32, options: &SlabOptions) -> Result<Self, Error> {
        let graph = DynamicGraph::from_edges(device, vertices, &[], options)?;
        let (edges, vertices) = (Columns::new(device), Columns::new(device));
        Ok(PropertyGraph { graph, ids: EdgeIds::new(device)?, edges, vertices })
    }

    /// Computes an algorithm's answer and keeps it right from here on, as
    /// [`DynamicGraph::track`] does. Edges carry ids: so it is one that does not read what they carry.
    ///
    /// # Errors
    /// As [`DynamicGraph::track`].
    pub fn track<A: DynamicAlgorithm<DynamicGraph<L>> + IgnoresWeights>(
        self,
        algorithm: A,
    ) -> Result<PropertyGraph<Tracked<DynamicGraph<L>, A>>, Error> {
        let PropertyGraph { graph, ids, edges, vertices } = self;
        Ok(PropertyGraph { graph: graph.track(algorithm)?, ids, edges, vertices })
    }
}

impl<L, A> PropertyGraph<Tracked<DynamicGraph<L>, A>>
where
    L: EdgeLists<Carried = u32>,
    A: DynamicAlgorithm<DynamicGraph<L>>,
{
    /// The graph with its algorithm: its answers, its state.
    pub fn tracked(&self) -> &Tracked<DynamicGraph<L>, A> {
        &self.graph
    }

    /// Goes on without the algorithm; its state is dropped.
    pub fn untrack(self) -> (PropertyGraph<DynamicGraph<L>>, A) {
        let PropertyGraph { graph, ids, edges, vertices } = self;
        let (graph, algorithm) = graph.into_parts();
        (PropertyGraph { graph, ids, edges, vertices }, algorithm)
    }
}

impl<G: Updatable> PropertyGraph<G> {
    /// The graph: its edges carry their ids.
    pub fn graph(&self) -> &DynamicGraph<G::Lists> {
        self.graph.bare()
    }

    /// Applies a batch, and stores what it brings: an edge that is there keeps its id, and the values
    /// of columns that `values` does not name; one that is new gets a free id and their defaults.
    /// Returns what changed in the graph: an edge that was there already is no change, whatever values
    /// it got. All or nothing. Synchronises.
    ///
    /// Cost: the batch of a weighted graph, and one more table and search of its edges; a column costs
    /// what is stored.
    ///
    /// # Errors
    /// Values that are not one for each update ([`ErrorKind::ColumnLength`]), or of another type
    /// ([`ErrorKind::ColumnType`]); what [`DynamicGraph::apply`] or the algorithm refuses; no memory:
    /// graph, ids and values are as they were. If the device fails, none can be relied on.
    pub fn apply(
        &mut self,
        batch: &impl BatchSource<()>,
        values: &EdgeValues,
    ) -> Result<Change<u32>, Error> {
        let device = self.graph().device().clone();
        batch.with_updates(&device, |updates| self.apply_updates(updates, values))
    }

    fn apply_updates(
        &mut self,
        updates: &DeviceBatch,
        values: &EdgeValues,
    ) -> Result<Change<u32>, Error> {
        values.check(&self.edges, self.graph().device(), updates.len())?;
        // All that takes memory comes first; until the batch is applied, ids that it takes are free.
        let named = self.ids.name(self.graph(), updates)?;
        self.ids.reserve(named.used)?;
        self.edges.reserve(named.used)?;
        self.edges.reset(named.taken.view())?;
        // In use before their edges come: if who follows panics, ids are lost, and none is given out twice.
        let before = self.ids.keep(&named)?;
        let change = self.graph.apply_batch(&named.batch).or_else(|error| {
            self.ids.take_back(&named, before)?;
            Err(error)
        })?;
        self.give_ids_back(&change)?;
        values.store(&self.edges, named.ids())?;
        Ok(change)
    }

    fn give_ids_back(&mut self, change: &Change<u32>) -> Result<(), Error> {
        let undirected = self.graph().is_undirected();
        self.ids.give_back(change, undirected)
    }

    /// Adds vertices without edges and returns their ids, as [`DynamicGraph::insert_vertices`] does;
    /// their values are the columns' defaults. Synchronises.
    ///
    /// # Errors
    /// As [`DynamicGraph::insert_vertices`]; all is as it was.
    pub fn insert_vertices(&mut self, count: u32) -> Result<Vec<Vertex>, Error> {
        let total = self.graph().vertices_after(count);
        let total =
            u32::try_from(total).map_err(|_| ErrorKind::TooManyVertices { count: total })?;
        self.vertices.reserve(total)?;
        let mut items = DeviceBuffer::zeroed(self.graph().device(), count as usize)?;
        let inserted = self.graph.add_vertices(count)?;
        items.write(0, &inserted)?;
        self.vertices.reset(items.view())?;
        Ok(inserted)
    }

    /// Deletes vertices with all their edges, as [`Tracked::delete_vertices`] does, and returns these.
    /// Synchronises.
    ///
    /// # Errors
    /// As [`Tracked::delete_vertices`]; all is as it was.
    pub fn delete_vertices(&mut self, vertices: &[Vertex]) -> Result<Change<u32>, Error> {
        let change = self.graph.remove_vertices(vertices)?;
        self.give_ids_back(&change)?;
        Ok(change)
    }

    /// Lays the graph out anew, as [`DynamicGraph::compact`] does; ids and values stay. Synchronises.
    ///
    /// # Errors
    /// As [`DynamicGraph::compact`].
    pub fn compact(&mut self) -> Result<(), Error> {
        self.graph.lay_out()
    }

    /// The ids of some edges, [`NO_EDGE`](super::NO_EDGE) for one that is not there. Queued on CUDA.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn edge_ids(&self, edges: &DeviceBuffer<Edge>) -> Result<DeviceBuffer<EdgeId>, Error> {
        ids_of(self.graph(), edges)
    }

    /// How many edges there are; an undirected one, whose arcs have one id, counts once. Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn edge_count(&self) -> Result<u32, Error> {
        self.ids.in_use()
    }

    pub(super) fn of_parts(graph: G, ids: EdgeIds, edges: Columns, vertices: Columns) -> Self {
        PropertyGraph { graph, ids, edges, vertices }
    }

    pub(super) fn ids(&self) -> &EdgeIds {
        &self.ids
    }

    /// The columns of edges and those of vertices.
    pub(super) fn columns(&self) -> (&Columns, &Columns) {
        (&self.edges, &self.vertices)
    }

    /// The same, to be changed; all ids of edges in use are below the number.
    pub(super) fn columns_mut(&mut self) -> (&mut Columns, &mut Columns, u32) {
        (&mut self.edges, &mut self.vertices, self.ids.used())
    }

    /// Bytes of device memory of graph, ids and columns.
    pub fn bytes(&self) -> u64 {
        self.graph().bytes() + self.ids.bytes() + self.edges.bytes() + self.vertices.bytes()
    }
}
