//! What users do with the columns of a graph.

use super::column::{EdgeColumn, VertexColumn};
use super::property_graph::PropertyGraph;
use super::updatable::Updatable;
use crate::device::DeviceBuffer;
use crate::device_type::Element;
use crate::{Error, ErrorKind, Vertex};
use std::fmt;

impl<G: Updatable> PropertyGraph<G> {
    /// Adds a column of edges; those that are there have the value `default` in it, and so has each
    /// edge that comes without another. `E` is `f32`, `i64`, a device struct or the like, or
    /// `Atomic<f32>` if operators are to write it. Queued on CUDA.
    ///
    /// # Errors
    /// [`ErrorKind::ColumnExists`]; no memory.
    pub fn add_edge_column<E: Element + fmt::Debug>(
        &mut self,
        name: &str,
        default: E::Value,
    ) -> Result<EdgeColumn<E>, Error> {
        let (edges, _, used) = self.columns_mut();
        edges.add::<E>(name, default, used).map(EdgeColumn::of)
    }

    /// Adds a column of vertices, which all have the value `default` in it; see
    /// [`add_edge_column`](Self::add_edge_column).
    ///
    /// # Errors
    /// As [`add_edge_column`](Self::add_edge_column).
    pub fn add_vertex_column<E: Element + fmt::Debug>(
        &mut self,
        name: &str,
        default: E::Value,
    ) -> Result<VertexColumn<E>, Error> {
        let count = self.graph().vertex_count();
        self.columns_mut().1.add::<E>(name, default, count).map(VertexColumn::of)
    }

    /// The column of edges of this name.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchColumn`], [`ErrorKind::ColumnType`].
    pub fn edge_column<E: Element>(&self, name: &str) -> Result<EdgeColumn<E>, Error> {
        self.columns().0.number::<E>(name).map(EdgeColumn::of)
    }

    /// The column of vertices of this name.
    ///
    /// # Errors
    /// As [`edge_column`](Self::edge_column).
    pub fn vertex_column<E: Element>(&self, name: &str) -> Result<VertexColumn<E>, Error> {
        self.columns().1.number::<E>(name).map(VertexColumn::of)
    }

    /// The names of the columns of edges, in the order in which they were added.
    pub fn edge_columns(&self) -> impl Iterator<Item = &str> {
        self.columns().0.names()
    }

    /// The names of the columns of vertices, in the order in which they were added.
    pub fn vertex_columns(&self) -> impl Iterator<Item = &str> {
        self.columns().1.names()
    }

    /// The values of a column, each at the id of its edge; what is at others has no meaning. An
    /// argument of a launch.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchColumn`] or [`ErrorKind::ColumnType`] for a column of another graph.
    pub fn edge_values<E: Element>(
        &self,
        column: EdgeColumn<E>,
    ) -> Result<&DeviceBuffer<E>, Error> {
        self.columns().0.values(column.number)
    }

    /// The values of a column, each at its vertex; there may be more behind the last. An argument of
    /// a launch.
    ///
    /// # Errors
    /// As [`edge_values`](Self::edge_values).
    pub fn vertex_values<E: Element>(
        &self,
        column: VertexColumn<E>,
    ) -> Result<&DeviceBuffer<E>, Error> {
        self.columns().1.values(column.number)
    }

    /// Overwrites the values of vertices from `first` on. Queued on CUDA, once they have been read.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] past the last vertex; as [`edge_values`](Self::edge_values).
    pub fn write_vertices<E: Element>(
        &mut self,
        column: VertexColumn<E>,
        first: Vertex,
        values: &[E::Value],
    ) -> Result<(), Error> {
        let length = self.graph().vertex_count() as usize;
        let end = (first as usize).saturating_add(values.len());
        if end > length {
            return Err(ErrorKind::OutOfBounds { index: end - 1, length }.into());
        }
        self.columns_mut().1.values_mut::<E>(column.number)?.write(first as usize, values)
    }
}
