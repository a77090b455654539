//! The graph as an ordered map from arcs to weights.

use meerkat::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// What a graph is to be.
#[derive(Clone)]
pub(crate) struct Model<W> {
    pub(crate) direction: Direction,
    pub(crate) vertices: u32,
    pub(crate) deleted: BTreeSet<u32>,
    pub(crate) arcs: BTreeMap<(u32, u32), W>,
    /// The arcs inserted since the update pointers moved.
    pub(crate) updates: BTreeSet<(u32, u32)>,
}

impl<W: Weight + PartialEq> Model<W> {
    pub(crate) fn new(direction: Direction, vertices: u32) -> Self {
        Model {
            direction,
            vertices,
            deleted: BTreeSet::new(),
            arcs: BTreeMap::new(),
            updates: BTreeSet::new(),
        }
    }

    /// The arcs of an edge.
    fn arcs_of(&self, edge: &Edge<W>) -> Vec<(u32, u32)> {
        match self.direction {
            Direction::Directed => vec![(edge.src, edge.dst)],
            Direction::Undirected => vec![(edge.src, edge.dst), (edge.dst, edge.src)],
        }
    }

    pub(crate) fn insert(&mut self, edge: &Edge<W>) {
        for arc in self.arcs_of(edge) {
            self.arcs.insert(arc, edge.weight);
        }
    }

    pub(crate) fn delete(&mut self, edge: &Edge<W>) {
        for arc in self.arcs_of(edge) {
            self.arcs.remove(&arc);
        }
    }

    /// Notes what is new, or has a new weight, in comparison with `before`.
    pub(crate) fn note_updates(&mut self, before: &Self) {
        let arcs = &self.arcs;
        self.updates.retain(|arc| arcs.contains_key(arc));
        let is_new = |arc: &&(u32, u32)| bits(before.arcs.get(arc)) != bits(arcs.get(arc));
        self.updates.extend(arcs.keys().filter(is_new));
    }

    /// Notes what is new: a new weight in place is none.
    pub(crate) fn note_new_keys(&mut self, before: &Self) {
        let new = self.arcs.keys().filter(|arc| !before.arcs.contains_key(arc));
        self.updates.extend(new);
    }

    pub(crate) fn live(&self) -> Vec<u32> {
        (0..self.vertices).filter(|vertex| !self.deleted.contains(vertex)).collect()
    }

    /// The ids that new vertices get.
    pub(crate) fn insert_vertices(&mut self, count: u32) -> Vec<u32> {
        let ids = (0..count).map(|_| match self.deleted.pop_first() {
            Some(id) => id,
            None => {
                self.vertices += 1;
                self.vertices - 1
            }
        });
        ids.collect()
    }

    pub(crate) fn delete_vertices(&mut self, vertices: &[u32]) {
        self.deleted.extend(vertices);
        let deleted = &self.deleted;
        self.arcs.retain(|(src, dst), _| !deleted.contains(src) && !deleted.contains(dst));
        let arcs = &self.arcs;
        self.updates.retain(|arc| arcs.contains_key(arc));
    }

    pub(crate) fn edges(&self) -> Vec<Edge<W>> {
        let edge = |(&(src, dst), &weight): (&(u32, u32), &W)| Edge { src, dst, weight };
        self.arcs.iter().map(edge).collect()
    }

    /// The edges that were inserted since the update pointers moved.
    pub(crate) fn updated_edges(&self) -> Vec<Edge<W>> {
        self.edges()
            .into_iter()
            .filter(|edge| self.updates.contains(&(edge.src, edge.dst)))
            .collect()
    }

    /// The arcs that are here and not, or otherwise, in the other.
    pub(crate) fn edges_not_in(&self, other: &Self) -> Vec<Edge<W>> {
        let differs = |edge: &Edge<W>| {
            bits(other.arcs.get(&(edge.src, edge.dst))) != bits(Some(&edge.weight))
        };
        self.edges().into_iter().filter(differs).collect()
    }

    pub(crate) fn degrees(&self, end: impl Fn(&(u32, u32)) -> u32) -> Vec<u32> {
        let mut degrees = vec![0; self.vertices as usize];
        self.arcs.keys().for_each(|arc| degrees[end(arc) as usize] += 1);
        degrees
    }
}

fn bits<W: Weight>(weight: Option<&W>) -> Option<u32> {
    weight.map(|weight| weight.to_bits())
}
