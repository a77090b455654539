//! The graph in plain Rust.

use crate::Direction;
use crate::Weight;
use crate::graph::{Batch, DynamicGraph, Edge, EdgeLists, Update};
use std::collections::BTreeMap;

/// A graph as an ordered map from arcs to weights: what a sequence of updates
/// must leave.
#[derive(Clone, Debug, PartialEq)]
pub struct Model<W: Weight = ()> {
    vertices: u32,
    direction: Direction,
    arcs: BTreeMap<(u32, u32), W>,
}

impl<W: Weight> Model<W> {
    /// A graph without edges.
    pub fn new(vertices: u32, direction: Direction) -> Self {
        Model { vertices, direction, arcs: BTreeMap::new() }
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> u32 {
        self.vertices
    }

    /// The arcs, ascending; both of every undirected edge.
    pub fn edges(&self) -> Vec<Edge<W>> {
        let edge = |(&(src, dst), &weight): (&(u32, u32), &W)| Edge { src, dst, weight };
        self.arcs.iter().map(edge).collect()
    }

    /// The weight of an arc, if it is there.
    pub fn weight(&self, src: u32, dst: u32) -> Option<W> {
        self.arcs.get(&(src, dst)).copied()
    }

    /// The out-neighbours of every vertex, ascending.
    pub fn out_neighbors(&self) -> Vec<Vec<(u32, W)>> {
        let mut neighbors = vec![Vec::new(); self.vertices as usize];
        self.arcs.iter().for_each(|(&(src, dst), &w)| neighbors[src as usize].push((dst, w)));
        neighbors
    }

    /// Applies the updates one after another.
    pub fn apply(&mut self, batch: &Batch<W>) {
        batch.updates().for_each(|update| self.update(&update));
    }

    /// Vertices come.
    pub(super) fn grow(&mut self, count: u32) {
        self.vertices += count;
    }

    /// Vertices lose all their edges.
    pub(super) fn isolate(&mut self, vertices: &[u32]) {
        self.arcs.retain(|(src, dst), _| !vertices.contains(src) && !vertices.contains(dst));
    }

    fn update(&mut self, update: &Update<W>) {
        let (Update::Insert(edge) | Update::Delete(edge)) = *update;
        for (src, dst) in self.arcs_of(edge) {
            match update {
                Update::Insert(_) => self.arcs.insert((src, dst), edge.weight),
                Update::Delete(_) => self.arcs.remove(&(src, dst)),
            };
        }
    }

    fn arcs_of(&self, Edge { src, dst, .. }: Edge<W>) -> impl Iterator<Item = (u32, u32)> + use<W> {
        let back = (self.direction == Direction::Undirected).then_some((dst, src));
        std::iter::once((src, dst)).chain(back)
    }

    /// Says how a graph differs, if it does.
    pub(super) fn compare<L: EdgeLists<Carried = W>>(
        &self,
        graph: &DynamicGraph<L>,
    ) -> Result<(), String> {
        let mut found = graph.to_edges().map_err(|error| error.to_string())?;
        found.sort_unstable_by_key(|edge| (edge.src, edge.dst));
        let expected = self.edges();
        let key = |edge: &Edge<W>| (edge.src, edge.dst, edge.weight.to_bits());
        if found.iter().map(key).eq(expected.iter().map(key)) {
            return Ok(());
        }
        let (has, should) = (found.len(), expected.len());
        let same = found.iter().zip(&expected).take_while(|(a, b)| key(a) == key(b)).count();
        let at = found.get(same).into_iter().chain(expected.get(same)).map(key).min();
        let at = at.map_or(String::new(), |(src, dst, _)| {
            format!("; the first difference is at {src} -> {dst}")
        });
        Err(format!("the graph has {has} arcs and should have {should}{at}"))
    }
}
