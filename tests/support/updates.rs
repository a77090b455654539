//! What a walk from the update pointers finds.

use meerkat::prelude::*;
use meerkat::runtime::graph::{Adjacency, NEXT_LANE, NULL_SLAB, edge_weight};

/// Lists the neighbours after the update pointers, a lane for each vertex.
#[kernel]
pub(crate) fn list_updates<W: Weight>(graph: &Graph<W>, found: &Frontier<Edge<W>>) {
    let v = thread_id();
    if v < graph.vertices.len() {
        let lists = graph.vertices[v];
        for bucket in 0..lists.buckets {
            let head = lists.first + bucket;
            if graph.has_updates_in(head) {
                let first = graph.updates[head];
                let mut slab = first.slab;
                while slab != NULL_SLAB {
                    for place in 0..NEXT_LANE {
                        let key = graph.slabs[slab].word(place).load();
                        if graph.is_neighbor_at(slab, place, key)
                            && !graph.is_before(first, slab, place)
                        {
                            let bits = graph.slabs[slab].word(place + 1).load();
                            let weight = edge_weight(graph, bits);
                            let edge = Edge::<W> { src: v, dst: key, weight };
                            lane_enqueue_frontier(found, edge, true);
                        }
                    }
                    slab = graph.slabs[slab].word(NEXT_LANE).load();
                }
            }
        }
    }
}

/// The updates of one orientation, ascending.
pub(crate) fn updates_of<W: Weight>(adjacency: &Adjacency<W>) -> Result<Vec<Edge<W>>, Error> {
    let device = adjacency.device();
    let vertices = adjacency.degrees().len() as u32;
    let mut found = Frontiers::new(device, 20_000, &[])?;
    list_updates::launch(device, vertices, adjacency, found.next())?;
    found.advance()?;
    let mut list = found.to_vec()?;
    list.sort_unstable_by_key(|edge: &Edge<W>| (edge.src, edge.dst));
    Ok(list)
}
