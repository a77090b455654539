//! A graph with properties in a file.
//!
//! | array | what |
//! | --- | --- |
//! | `properties/used`, `properties/free` | all ids of edges are below the one, and those of the other are free |
//! | `properties/edges/count`, `properties/vertices/count` | how many columns there are |
//! | `properties/edges/0/name`, `../type`, `../words` | a column of edges: its values by id, as words |
//! | `properties/vertices/0/..` | a column of vertices |
//!
//! These are under `more/`, as what belongs to a [`Tracked`] graph is.

use super::column::Columns;
use super::edge_ids::EdgeIds;
use super::property_graph::PropertyGraph;
use super::saved_column::SavedColumn;
use super::updatable::Updatable;
use crate::dynamic::{IgnoresWeights, SavedState};
use crate::error::SnapshotFault;
use crate::graph::{DynamicGraph, EdgeLists};
use crate::saved::{StateReader, StateWriter, fault, write_file};
use crate::{Device, Error, Tracked};
use std::path::Path;

/// So many arcs are read at a time.
const AT_ONCE: usize = 1 << 22;

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

/// Whether each id below `used` is free, or that of one edge of the file's graph.
fn are_ids(
    from: &mut StateReader,
    used: u32,
    free: &[u32],
    undirected: bool,
) -> Result<bool, Error> {
    let arcs = from.at_root(|from| from.count::<u32>("graph/weights"))?;
    if u64::from(used) > arcs + free.len() as u64 {
        return Ok(false);
    }
    let mut seen = vec![false; used as usize];
    let mut is_new = |id: u32| match seen.get_mut(id as usize) {
        Some(seen) => !std::mem::replace(seen, true),
        None => false,
    };
    let mut holds = free.iter().all(|&id| is_new(id));
    for first in (0..arcs).step_by(AT_ONCE) {
        let part = first..arcs.min(first + AT_ONCE as u64);
        let mut column = |name| from.at_root(|from| from.part::<u32>(name, part.clone()));
        let (src, dst) = (column("graph/sources")?, column("graph/destinations")?);
        let ends = src.into_iter().zip(dst).zip(column("graph/weights")?);
        // Both arcs of an edge have the same; it counts at the one that does not descend.
        let mut ids = ends.filter(|((src, dst), _)| !undirected || src <= dst).map(|(_, id)| id);
        holds &= ids.all(&mut is_new);
    }
    Ok(holds && seen.iter().all(|&seen| seen))
}

fn read_properties<L: EdgeLists>(
    graph: &DynamicGraph<L>,
    from: &mut StateReader,
) -> Result<Properties, Error> {
    from.within("properties", |from| {
        let used = from.number::<u32>("used")?;
        let free = from.list::<u32>("free")?;
        if !are_ids(from, used, &free, graph.is_undirected())? {
            return Err(from.refuse("its edges and what is free do not have each id once"));
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

    /// Reads a graph with its properties from a file. `columns` adds the columns, before anything else,
    /// by [`add_edge_column`](Self::add_edge_column) and
    /// [`add_vertex_column`](Self::add_vertex_column): one that the file has gets the values of the
    /// file, another its default. They are compared by the name of their values' type and by size:
    /// that the fields of a struct still mean the same is yours to know. What it returns comes back,
    /// such as the handles. Synchronises.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Edge, SlabGraph, SlabOptions};

    /// A file of three edges that carry these words.
    fn written(path: &Path, words: [u32; 3], used: u32, free: &[u32]) {
        let edge = |(dst, weight)| Edge { src: 0, dst, weight };
        let edges: Vec<_> = (1..).zip(words).map(edge).collect();
        let graph = SlabGraph::<u32>::from_edges(&Device::cpu(), 4, &edges, &SlabOptions::DEFAULT);
        let graph = graph.expect("a graph");
        let written = write_file(path, |to| {
            graph.write_to(to)?;
            to.within("more/properties", |to| {
                to.number("used", used)?;
                to.array("free", free)?;
                to.number("edges/count", 0u32)?;
                to.number("vertices/count", 0u32)
            })
        });
        written.expect("a file");
    }

    #[test]
    fn a_file_whose_edges_do_not_have_an_id_each_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ids");
        let load = || PropertyGraph::<SlabGraph<u32>>::load(&Device::cpu(), &path, |_| Ok(()));
        written(&path, [2, 0, 4], 5, &[3, 1]);
        assert_eq!(load().expect("a graph").0.edge_count().expect("a count"), 3);
        let wrong: [([u32; 3], u32, &[u32]); 6] = [
            ([2, 0, 2], 5, &[3, 1]),
            ([2, 0, 5], 5, &[3, 1]),
            ([2, 0, 3], 5, &[3, 1]),
            ([2, 0, 4], 5, &[3, 3]),
            ([2, 0, 4], 6, &[3, 1]),
            ([2, 0, 4], u32::MAX, &[3, 1]),
        ];
        for (words, used, free) in wrong {
            written(&path, words, used, free);
            let error = load().map(drop).expect_err("no ids");
            assert!(error.to_string().contains("each id once"), "{words:?} {used}: {error}");
        }
    }
}
