//! A graph with properties in a file.
//!
//! | array | what |
//! | --- | --- |
//! | `properties/used`, `properties/free` | all ids of edges are below the one, and those of the other are free |
//! | `properties/edges/0/name`, `../type`, `../words` | a column of edges: its values by id, as words |
//! | `properties/vertices/0/..` | a column of vertices |
//!
//! In a checkpoint these are under `more/`.

use super::column::{Columns, SavedColumn};
use super::edge_ids::EdgeIds;
use super::property_graph::PropertyGraph;
use super::updatable::Updatable;
use crate::dynamic::{IgnoresWeights, SavedState};
use crate::error::SnapshotFault;
use crate::graph::{DynamicGraph, EdgeLists};
use crate::saved::{StateReader, StateWriter, fault, write_file};
use crate::{Device, Error, Tracked};
use std::path::Path;

/// Ids and columns of a file.
struct Properties {
    ids: EdgeIds,
    edges: Vec<SavedColumn>,
    vertices: Vec<SavedColumn>,
}

impl<G: Updatable> PropertyGraph<G> {
    fn write_properties(&self, to: &mut StateWriter) -> Result<(), Error> {
        let (edges, vertices) = self.columns();
        to.within("properties", |to| {
            let (used, free) = self.ids().to_parts()?;
            to.number("used", used)?;
            to.array("free", &free)?;
            to.within("edges", |to| edges.write_to(used, to))?;
            to.within("vertices", |to| vertices.write_to(self.graph().vertex_count(), to))
        })
    }

    /// Has the columns of a file added, all of them.
    fn with_columns<T>(
        mut self,
        path: &Path,
        columns: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<(Self, T), Error> {
        let handles = columns(&mut self)?;
        let (edges, vertices) = self.columns();
        if let Some(name) = edges.waiting().chain(vertices.waiting()).next() {
            let what = format!("its column `{name}` was not added");
            return Err(fault(path, SnapshotFault::State { what }));
        }
        Ok((self, handles))
    }
}

fn read_properties<L: EdgeLists>(
    graph: &DynamicGraph<L>,
    from: &mut StateReader,
) -> Result<Properties, Error> {
    from.within("properties", |from| {
        let used = from.number::<u32>("used")?;
        let free = from.list::<u32>("free")?;
        let mut sorted = free.clone();
        sorted.sort_unstable();
        if sorted.last().is_some_and(|&last| last >= used)
            || sorted.windows(2).any(|w| w[0] == w[1])
        {
            return Err(from.refuse("ids of edges are free that there are not"));
        }
        let (arcs, edges) = (graph.edge_count()?, u64::from(used) - free.len() as u64);
        // An undirected edge is two arcs, unless it is a loop.
        let most = if graph.is_undirected() { 2 * edges } else { edges };
        if arcs < edges || arcs > most {
            return Err(from.refuse(format!("{edges} ids are in use, and there are {arcs} arcs")));
        }
        let ids = EdgeIds::from_parts(graph.device(), used, &free)?;
        let edges = from.within("edges", |from| SavedColumn::read_all(used, from))?;
        let count = graph.vertex_count();
        let vertices = from.within("vertices", |from| SavedColumn::read_all(count, from))?;
        Ok(Properties { ids, edges, vertices })
    })
}

fn assemble<G: Updatable>(graph: G, properties: Properties) -> PropertyGraph<G> {
    let Properties { ids, edges, vertices } = properties;
    let device = graph.bare().device().clone();
    let columns = |saved| Columns::with_waiting(&device, saved);
    let (edges, vertices) = (columns(edges), columns(vertices));
    PropertyGraph::of_parts(graph, ids, edges, vertices)
}

impl<L: EdgeLists<Carried = u32>> PropertyGraph<DynamicGraph<L>> {
    /// Writes graph, ids and columns to a file, which appears whole or not at all. Synchronises.
    ///
    /// Cost: as [`DynamicGraph::save`], and each column once through the host's memory.
    ///
    /// # Errors
    /// As [`DynamicGraph::save`].
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        write_file(path, |to| {
            self.graph().write_to(to)?;
            to.within("more", |to| self.write_properties(to))
        })
    }

    /// Reads a graph with its properties from a file. `columns` adds the columns, by
    /// [`add_edge_column`](Self::add_edge_column) and
    /// [`add_vertex_column`](Self::add_vertex_column): one that the file has gets the values of the
    /// file, another its default. What it returns comes back, such as the handles. Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`](crate::ErrorKind::Snapshot) says what is wrong with the file, or which
    /// of its columns was not added; [`ErrorKind::ColumnType`](crate::ErrorKind::ColumnType) if one
    /// has other values in it; as [`DynamicGraph::load`].
    pub fn load<T>(
        device: &Device,
        path: &Path,
        columns: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<(Self, T), Error> {
        let mut from = StateReader::open(path)?;
        let graph = DynamicGraph::read_from(device, &mut from)?;
        let properties = from.within("more", |from| read_properties(&graph, from))?;
        assemble(graph, properties).with_columns(path, columns)
    }
}

impl<L, A> PropertyGraph<Tracked<DynamicGraph<L>, A>>
where
    L: EdgeLists<Carried = u32>,
    A: SavedState<DynamicGraph<L>> + IgnoresWeights,
{
    /// [`Tracked::save_checkpoint`] with ids and columns. Synchronises.
    ///
    /// # Errors
    /// As [`Tracked::save_checkpoint`].
    pub fn save_checkpoint(&self, path: &Path, position: u64) -> Result<(), Error> {
        self.tracked().save_checkpoint_with(path, position, |to| self.write_properties(to))
    }

    /// Reads graph, answer, properties and position back; `columns` adds the columns, as for
    /// [`load`](PropertyGraph::load). Synchronises.
    ///
    /// # Errors
    /// As [`load`](PropertyGraph::load) and [`Tracked::load_checkpoint`].
    pub fn load_checkpoint<T>(
        device: &Device,
        algorithm: A,
        path: &Path,
        columns: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<(Self, u64, T), Error> {
        let (tracked, position, properties) =
            Tracked::load_checkpoint_with(device, algorithm, path, read_properties)?;
        let (graph, handles) = assemble(tracked, properties).with_columns(path, columns)?;
        Ok((graph, position, handles))
    }
}
