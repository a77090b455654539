//! The slab graph: a slab hash per vertex in device memory (Awad et al.,
//! "Dynamic Graphs on the GPU", section 3; Meerkat, section 3).
//!
//! A vertex has one or more *buckets*, each a *slab list*: a chain of 128-byte
//! slabs of 31 keys, or of 15 pairs of key and weight, whose last word links to
//! the next slab. The first slabs of all vertices lie in one allocation;
//! overflow slabs follow them in the same numbering. All operations are
//! functions of the language, and run on both back ends.

mod build;
mod layout;
mod operations;

pub use build::{SlabGraph, SlabOptions};
pub(crate) use layout::neighbors_on_host;
pub use layout::{
    EMPTY_KEY, Edge, Graph, LOCKED_SLAB, NEXT_LANE, NULL_SLAB, SlabLists, TOMBSTONE_KEY,
};
pub use operations::{
    ABSENT, DELETED, INSERTED, POOL_EXHAUSTED, PRESENT, delete_edge, delete_edges, edge_weight,
    insert_edge, insert_edges, is_neighbor, search_edge, search_edges, slab_list_of,
};
