//! Graphs whose vertices are divided among ranks: several GPUs, or several devices of one CPU.
//!
//! ```text
//! edges, updates --by the owners of their ends: an all-to-all--> DynamicGraph of each rank
//!   --Part: own vertices, own edges--> operators --Delivery, OwnerGather--> the other ranks
//! ```
//!
//! Each orientation lies with its owner: out-edges with the owner of their source, in-edges with the
//! owner of their destination, an undirected edge with both. A rank's lists are a
//! [`DynamicGraph`](crate::DynamicGraph) in the ids of the whole graph, so operators and containers
//! are those of one device.
//!
//! | file | what |
//! | --- | --- |
//! | `partition.rs`, `own_vertices.rs` | which rank owns which vertex |
//! | `route.rs` | lists sorted by rank, on the device |
//! | `updates.rs` | edges and updates, to the ranks that keep them |
//! | `part.rs` | a rank's share, as algorithms see it |
//! | `delivery.rs`, `values.rs` | what algorithms exchange: lists of vertices; values of all vertices |
//! | `owner_gather.rs` | values of all vertices step by step, on their way while others are computed |
//! | `graph.rs`, `apply.rs`, `read.rs` | [`DistributedGraph`]: built; batches; read back |
//! | `snapshot.rs` | folders: a file of each rank |
//! | `tracked.rs` | algorithms that follow batches |

mod apply;
mod delivery;
mod graph;
mod own_vertices;
mod owner_gather;
mod part;
mod partition;
mod read;
mod route;
mod snapshot;
mod tracked;
mod updates;
mod values;

pub use apply::{DistributedChange, PendingChange};
pub use delivery::{Delivery, gather_lists};
pub use graph::DistributedGraph;
pub use own_vertices::{OwnPart, OwnVertices};
pub use owner_gather::OwnerGather;
pub use part::{LocalEdges, Part};
pub use partition::{Ownership, Partition, owner_of};
pub use read::RankStatistics;
pub use tracked::{DistributedAlgorithm, DistributedTracked};

use crate::program::KernelInfo;

/// The kernels of all files.
pub(crate) fn kernels() -> Vec<KernelInfo> {
    [own_vertices::kernels(), route::kernels(), updates::kernels(), values::kernels()].concat()
}
