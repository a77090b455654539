//! Block arrays: a list is one row of ascending neighbours in a block of 2^k places (Busato et al.,
//! Hornet, section III). A batch is merged into the lists that it changes.
//!
//! ```text
//! layout, view, take, few -> search, build, insert -> merge, long, tidy -> pool, edges, vertices
//!   --operations--> BlockGraph
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `layout.rs` | what the words of records and blocks mean; where a key is |
//! | `view.rs` | how operators read them |
//! | `take.rs`, `pool.rs` | blocks that no list has: how lanes take them; how the host adds more |
//! | `few.rs` | up to 16 keys in the registers of a lane |
//! | `sort.rs`, `build.rs` | lists sorted by a block; lists of known degrees built |
//! | `search.rs` | an arc searched for, deleted, put back |
//! | `round.rs`, `insert.rs` | what an insertion works with; new keys found, and gathered by list |
//! | `alone.rs` | an edge inserted by its lane into a list that nobody else is at |
//! | `merge.rs`, `long.rs` | new keys merged by a lane, a tile or a warp; by many warps |
//! | `tidy.rs` | lists closed up after deletions, in smaller blocks |
//! | `edges.rs` | one orientation, on the host |
//! | `vertices.rs` | vertices that come and go |
//! | `operations.rs` | all that the owner asks of these lists |
//! | `graph.rs` | the owner's name |
//! | `statistics.rs`, `memory.rs` | how full blocks are; where the memory goes |
//! | `invariants.rs` | the debug pass over all of them |

mod alone;
mod build;
mod edges;
mod few;
mod graph;
mod insert;
mod invariants;
mod layout;
mod long;
mod memory;
mod merge;
mod operations;
mod pool;
mod round;
mod search;
mod sort;
mod statistics;
mod take;
mod tidy;
mod vertices;
mod view;

pub use edges::BlockEdges;
pub use graph::BlockGraph;
pub use layout::{BlockChunk, BlockList};
pub use memory::{BlockMemory, BlockSize};
pub use view::Blocks;

use crate::program::KernelInfo;

/// The kernels of all files.
pub(super) fn kernels() -> Vec<KernelInfo> {
    [
        alone::kernels(),
        build::kernels(),
        insert::kernels(),
        long::kernels(),
        memory::kernels(),
        merge::kernels(),
        search::kernels(),
        take::kernels(),
        tidy::kernels(),
        vertices::kernels(),
    ]
    .concat()
}
