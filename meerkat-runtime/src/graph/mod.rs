//! The slab graph: a slab hash per vertex in device memory (Awad et al.,
//! "Dynamic Graphs on the GPU", section 3; Meerkat, section 3).
//!
//! A vertex has one or more *buckets*, each a *slab list*: a chain of 128-byte
//! slabs of 31 keys, or of 15 pairs of key and weight, whose last word links to
//! the next slab. The first slabs of all vertices lie in one allocation;
//! overflow slabs follow them in the same numbering. All operations are
//! functions of the language, and run on both back ends.

mod adjacency;
mod apply;
mod batch;
mod build;
mod bulk;
mod change;
mod change_counts;
mod compact;
mod convert;
mod delete;
mod delete_vertices;
mod edge_set;
mod ids;
mod insert;
mod invariants;
mod layout;
mod options;
mod pool;
mod search;
mod slab_graph;
mod snapshot;
mod statistics;
mod updates;
mod validate;
mod vertices;

pub use crate::direction::Direction;
pub use crate::error::SnapshotFault;
pub use crate::slab::{
    EMPTY_KEY, FEW_NEIGHBORS, Graph, HUB_LISTS, LOCKED_SLAB, NEXT_LANE, NULL_SLAB, SlabLists,
    TOMBSTONE_KEY, UpdatePointer,
};
pub use adjacency::Adjacency;
pub use batch::{Batch, Update};
pub use build::{count_degrees, count_slabs, place_lists};
pub use change::{Change, find_changes, list_last};
pub use convert::{Csr, collect_edges, count_neighbors};
pub use delete::{ABSENT, DELETED, delete_edge, delete_edges};
pub use edge_set::{EdgeSet, HashedEdges, contains_edge, keep_last};
pub use insert::{insert_edges, restore_edge, restore_edges};
pub use layout::{Edge, NO_ITEM, arc_at, item_of_tile};
pub use options::{Compaction, Orientation, SlabOptions};
pub use pool::take_slab;
pub use search::{
    NOT_FOUND, arc_and_list, bucket_count, edge_weight, find_edge, find_edge_alone, has_edge,
    is_neighbor, nth_neighbor, out_degree, random_neighbor, search_edge, search_edges,
    slab_list_of,
};
pub use slab_graph::SlabGraph;
pub use statistics::{Statistics, collect_statistics};
pub use updates::{
    advance_updates, begin_again, begin_updates, is_updated, is_updated_neighbor, mark_lists,
};
pub use validate::find_refused;

pub use delete_vertices::{
    ListOf, clear_degrees, delete_marked, empty_lists, mark_vertices, sum_lists, take_lists,
};
pub use vertices::{add_lists, sum_all_degrees};

/// Marks need the keys above.
const MAX_VERTICES: u64 = (1 << 32) - 4;
