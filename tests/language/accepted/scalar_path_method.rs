//! A method of numbers, by its path.

use meerkat::prelude::*;

#[vertex_operator]
pub(super) fn limit(v: Vertex, most: f32, rank: &mut [f32]) {
    rank[v] = f32::min(rank[v], most);
}
