//! Graphs that batches change, and the containers that hold their edges: slab lists here, compact
//! slabs and block arrays in folders of their own.
//!
//! Slab lists are a slab hash per vertex in device memory (Awad et al.,
//! "Dynamic Graphs on the GPU", section 3; Meerkat, section 3).
//! A vertex has one or more *buckets*, each a *slab list*: a chain of 128-byte
//! slabs of 31 keys, or of 15 pairs of key and weight, whose last word links to
//! the next slab. The first slabs of all vertices lie in one allocation;
//! overflow slabs follow them in the same numbering. All operations are
//! functions of the language, and run on both back ends.
//!
//! ```text
//! kernels of slab lists --> Adjacency: one orientation --\
//!                                          ListOperations --> DynamicGraph<L>: the owner
//! compact_slabs: kernels --> CompactEdges ----------------|
//! block_arrays: kernels --> BlockEdges -------------------/
//! ```
//!
//! | file | what [`DynamicGraph`] does there |
//! | --- | --- |
//! | `lists.rs` | what it asks of a container: `slab_operations.rs`, and `operations.rs` in the folders of the others |
//! | `dynamic_graph.rs` | is built from edges; its device, options, orientations and size |
//! | `apply.rs` | batches: what they change, the transaction, its two halves |
//! | `direct.rs` | batches of one kind without weights, applied without a search before |
//! | `bulk.rs` | lists of edges on the device: inserted, deleted, searched for; room for more |
//! | `vertices.rs` | insertion and deletion of vertices |
//! | `convert.rs` | read back: edges, neighbours, degrees; compressed sparse rows |
//! | `compact.rs` | compaction, and when it runs |
//! | `metrics.rs` | numbers to watch |
//! | `updates.rs` | what was inserted since a moment |
//! | `snapshot.rs` | files |
//! | `invariants.rs` | the debug pass over all slabs |
//!
//! The other files have the kernels, which are private to this folder, and what the host does
//! to one orientation with them.

mod adjacency;
mod apply;
mod arcs_to;
mod batch;
pub mod block_arrays;
mod build;
mod bulk;
mod change;
mod change_counts;
mod compact;
pub mod compact_slabs;
mod convert;
mod counters;
mod delete;
mod delete_vertices;
mod device_batch;
mod direct;
mod dynamic_graph;
mod edge_set;
mod edges_at;
mod free_slots;
mod ids;
mod insert;
mod insertion;
mod invariants;
mod layout;
mod lists;
mod long_lists;
mod metrics;
mod options;
mod pinned_batch;
mod pool;
mod search;
mod slab_operations;
mod slots;
mod snapshot;
mod statistics;
mod sweep;
mod sweep_slabs;
mod updates;
mod updates_apart;
mod validate;
mod version;
mod vertices;
mod walk;
mod walk_updates;

pub use crate::direction::Direction;
pub use crate::error::SnapshotFault;
pub use crate::neighbors::NOT_FOUND;
pub use crate::slab::{
    EMPTY_KEY, Graph, HUB_LISTS, LOCKED_SLAB, NEXT_LANE, NULL_SLAB, SlabLists, TOMBSTONE_KEY,
    UpdatePointer,
};
pub use adjacency::Adjacency;
pub(crate) use apply::Follower;
pub use batch::{Batch, Update};
pub use change::Change;
pub(crate) use change::last_of_each;
pub(crate) use convert::{ARCS_AT_ONCE, copied, degrees_of, sum_of};
pub use convert::{Csr, count_neighbors};
pub use counters::Counters;
pub use device_batch::{BatchSource, DeviceBatch};
pub use dynamic_graph::{DynamicGraph, SlabGraph};
pub use edge_set::{EdgeSet, HashedEdges, contains_edge};
pub use layout::Edge;
pub use lists::EdgeLists;
pub use metrics::Metrics;
pub use options::{BlockOptions, Compaction, Orientation, SlabOptions};
pub use pinned_batch::PinnedBatch;
pub use search::{
    about_out_degree, bucket_count, edge_weight, find_edge, find_edge_alone, has_edge,
    nth_neighbor, out_degree, random_neighbor, search_edge, slab_list_of,
};
pub use statistics::Statistics;
pub(crate) use validate::{NONE_REFUSED, check_new_edges};

use crate::program::KernelInfo;

/// Marks need the keys above.
pub(crate) const MAX_VERTICES: u64 = (1 << 32) - 4;

/// The kernels of all files.
pub(crate) fn kernels() -> Vec<KernelInfo> {
    let files = [
        arcs_to::kernels(),
        block_arrays::kernels(),
        build::kernels(),
        compact_slabs::kernels(),
        change::kernels(),
        convert::kernels(),
        delete::kernels(),
        delete_vertices::kernels(),
        edge_set::kernels(),
        edges_at::kernels(),
        free_slots::kernels(),
        ids::kernels(),
        insert::kernels(),
        insertion::kernels(),
        long_lists::kernels(),
        search::kernels(),
        statistics::kernels(),
        sweep_slabs::kernels(),
        updates::kernels(),
        validate::kernels(),
        vertices::kernels(),
    ];
    files.into_iter().flatten().collect()
}
