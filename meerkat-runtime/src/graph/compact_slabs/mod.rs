//! Compact slabs: about the memory of compressed sparse rows, and edges come and go.
//!
//! A vertex has a record; a list that is longer goes on in slabs of 16 to 128 bytes, and that of a
//! hub is buckets of 64 bytes. One lane inserts an edge, deletes it or searches for it.
//!
//! ```text
//! layout -> view, cursor -> pool -> build, copy, search, insert, restore -> edges, give_back, lay_out, vertices
//!   --operations--> CompactGraph
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `layout.rs` | what the words of records, slabs and buckets mean |
//! | `view.rs` | how operators read them |
//! | `cursor.rs` | a lane on its way through a list |
//! | `areas.rs` | free rows of buckets |
//! | `pool.rs`, `pool/sizes.rs`, `pool/pairs.rs`, `take.rs` | slabs of four sizes in pages, and buckets; which are taken, and how many more there are to be; how lanes take them |
//! | `build.rs` | what lists of known degrees take, and where that is |
//! | `copy.rs` | lists filled with those of another container |
//! | `search.rs`, `insert.rs`, `restore.rs` | an arc searched for, deleted, inserted, put back |
//! | `edges.rs` | one orientation, on the host |
//! | `give_back.rs` | slabs that lists have left, for lanes to take |
//! | `outgrown.rs` | what a list is that is to be laid out again, and how it is emptied |
//! | `lay_out.rs`, `sweep.rs` | lists laid out again, once they are too long, or take too much |
//! | `pack.rs` | hubs put one behind another, so that free rows of buckets are long |
//! | `vertices.rs` | vertices that come and go |
//! | `operations.rs` | all that the owner asks of these lists |
//! | `graph.rs` | the owner's name |
//! | `statistics.rs`, `invariants.rs` | how full lists are; the debug pass over all of them |

mod areas;
mod build;
mod copy;
mod cursor;
mod edges;
mod give_back;
mod graph;
mod insert;
mod invariants;
mod lay_out;
mod layout;
mod operations;
mod outgrown;
mod pack;
mod pool;
mod restore;
mod search;
mod statistics;
mod sweep;
mod take;
mod vertices;
mod view;

pub use edges::CompactEdges;
pub use graph::CompactGraph;
pub use layout::{CompactChunk, CompactLists};
pub use view::Compact;

use crate::program::KernelInfo;

/// The kernels of all files.
pub(super) fn kernels() -> Vec<KernelInfo> {
    [
        build::kernels(),
        copy::kernels(),
        give_back::kernels(),
        insert::kernels(),
        outgrown::kernels(),
        pack::kernels(),
        restore::kernels(),
        search::kernels(),
        statistics::kernels(),
        sweep::kernels(),
        vertices::kernels(),
    ]
    .concat()
}
