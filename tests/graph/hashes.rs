//! Where hubs look for a neighbour first, as their hashes have it, so that tests can crowd them.

use meerkat::prelude::*;
use std::collections::HashMap;

/// In the lists of a slab graph, scaled to their number.
pub(crate) fn in_slabs(key: Vertex) -> u32 {
    key.wrapping_mul(2_654_435_769)
}

/// In compact slabs, scaled to the number of buckets.
pub(crate) fn in_buckets(key: Vertex, buckets: u32) -> u32 {
    let seed = buckets.wrapping_mul(2_246_822_507);
    let product = key.wrapping_add(seed).wrapping_mul(2_654_435_769);
    (product ^ (product >> 15)).wrapping_mul(2_246_822_519)
}

/// How many buckets a hub of compact slabs gets that has grown to so many neighbours: they are eleven
/// sixteenths full.
pub(crate) fn buckets_for<W: Weight>(degree: u32) -> u32 {
    let places_of_two = if W::IS_WEIGHTED { 16 } else { 32 };
    2 * (degree * 16).div_ceil(places_of_two * 11)
}

/// All vertices, in the orders in which hubs hash them.
pub(crate) struct Hashed {
    vertices: Vec<Vertex>,
    of_buckets: HashMap<u32, Vec<Vertex>>,
}

impl Hashed {
    pub(crate) fn new(vertices: u32) -> Self {
        let mut vertices: Vec<_> = (0..vertices).collect();
        vertices.sort_unstable_by_key(|&v| in_slabs(v));
        Hashed { vertices, of_buckets: HashMap::new() }
    }

    pub(crate) fn in_slabs(&self) -> &[Vertex] {
        &self.vertices
    }

    pub(crate) fn in_buckets(&mut self, buckets: u32) -> &[Vertex] {
        self.of_buckets.entry(buckets).or_insert_with(|| {
            let mut vertices = self.vertices.clone();
            vertices.sort_unstable_by_key(|&v| in_buckets(v, buckets));
            vertices
        })
    }
}
