//! Typed properties of edges and vertices, in columns beside a graph.
//!
//! ```text
//! batch --name_edges--> the id of each edge: its own, a free one, or a new one
//!   --Updatable::apply_batch--> graph, whose edges carry ids --store_values--> columns
//!   --give_ids_back--> free ids
//! ```
//!
//! What an edge carries in the graph is its id, a word, which every operation of every container
//! keeps. A column has a value for each id. So edges may have any number of properties, and what
//! moves in the graph moves no property.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `column.rs` | columns: handles, names, memory |
//! | `store.rs` | the kernels that write values, word by word |
//! | `values.rs` | the values of a batch |
//! | `edge_ids.rs` | which ids are free; the ids of a batch |
//! | `updatable.rs` | what a graph with properties is made of |
//! | `property_graph.rs` | the owner |
//! | `access.rs` | its columns: added, found, read, written |
//! | `expire.rs` | edges that are old leave |
//! | `saved.rs`, `saved_column.rs` | files and checkpoints |

mod access;
mod column;
mod edge_ids;
mod expire;
mod property_graph;
mod saved;
mod saved_column;
mod store;
mod updatable;
mod values;

pub use column::{EdgeColumn, VertexColumn};
pub use property_graph::PropertyGraph;
pub use store::{EdgeId, NO_EDGE};
pub use updatable::Updatable;
pub use values::EdgeValues;

use crate::program::KernelInfo;

pub(crate) fn kernels() -> Vec<KernelInfo> {
    [edge_ids::kernels(), expire::kernels(), store::kernels()].concat()
}
