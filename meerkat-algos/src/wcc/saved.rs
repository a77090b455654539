//! Components in a checkpoint.

use meerkat_runtime::prelude::*;
use meerkat_runtime::saved::{StateReader, StateWriter};

/// Reads a vertex of the same component for each, which is not larger: so all paths of parents end.
pub(super) fn read_parents(vertices: u32, from: &mut StateReader) -> Result<Vec<u32>, Error> {
    let parents = from.array::<u32>("parents", vertices as usize)?;
    match (0..).zip(&parents).all(|(v, parent)| *parent <= v) {
        true => Ok(parents),
        false => Err(from.refuse("parents of components that are larger")),
    }
}

/// Writes the edges of a forest.
pub(super) fn write_forest<W: Weight>(
    edges: &[Edge<W>],
    to: &mut StateWriter,
) -> Result<(), Error> {
    let column = |word: fn(&Edge<W>) -> u32| edges.iter().map(word).collect::<Vec<_>>();
    to.array("sources", &column(|edge| edge.src))?;
    to.array("destinations", &column(|edge| edge.dst))?;
    to.array("weights", &column(|edge| edge.weight.to_bits()))
}

/// Reads the edges of a forest of these vertices.
pub(super) fn read_forest<W: Weight>(
    vertices: u32,
    from: &mut StateReader,
) -> Result<Vec<Edge<W>>, Error> {
    let sources = from.list::<u32>("sources")?;
    let destinations = from.array::<u32>("destinations", sources.len())?;
    let weights = from.array::<u32>("weights", sources.len())?;
    let edge = |((src, dst), bits)| Edge { src, dst, weight: W::from_bits(bits) };
    let edges: Vec<_> = sources.into_iter().zip(destinations).zip(weights).map(edge).collect();
    let is_edge = |edge: &Edge<W>| edge.src < vertices && edge.dst < vertices;
    match edges.iter().all(is_edge) && edges.len() <= vertices as usize {
        true => Ok(edges),
        false => Err(from.refuse("a forest with other vertices, or too many edges")),
    }
}
