//! The run time of Meerkat: devices and their memory, lanes, run-time
//! compilation, launches, the slab graph, frontiers and graph files.
//!
//! ```text
//! #[kernel] fn --meerkat-macros--> CUDA text --program, cuda--> cubin --+
//!                              \-> lock-step Rust --lanes---------------+--launch--> result
//! file --read--> edges --graph--> SlabGraph (device memory) ------------+
//! ```
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`device`](mod@device) | `Device`, `DeviceBuffer`: where kernels run and their memory |
//! | [`view`] | `DeviceSlice`, `Atomic`: memory as kernels see it |
//! | [`lanes`] | a warp of 32 lanes in lock step: the CPU back end |
//! | [`program`] | CUDA programs put together from functions and structs |
//! | [`launch`](mod@launch) | arguments and launches, the same for both back ends |
//! | [`bundle`](mod@bundle) | kernels compiled ahead, for a start without NVRTC |
//! | [`cuda`] | NVRTC, the cubin cache and the driver |
//! | [`neighbors`] | what a walk asks of a graph, whatever holds its edges |
//! | [`graph`] | the slab graph, written in the language itself |
//! | [`rows`] | compressed sparse rows: read only, the yardstick |
//! | [`oriented`] | every edge once, from its lower end; neighbours side by side |
//! | [`dynamic`] | algorithms whose answers follow the graph's updates |
//! | [`frontier`] | the vertices or edges of the next step |
//! | [`ops`] | what operators and methods of numbers do, on the CPU |
//! | [`reduce`] | what walks gather besides sums: `ArgMin`, one's own |
//! | [`testing`] | do kernels compile for every GPU? |
//! | [`oracle`] | random update sequences against answers from scratch, with shrinking |
//! | [`random`] | random numbers of a seed and a counter, on device and host |
//! | [`generate`] | synthetic graphs |
//! | [`read`] | graph files |
//! | [`timeline`] | files with times, as batches |
//! | [`saved`] | files: snapshots of graphs, checkpoints of graphs and answers |
//! | [`distributed`] | graphs whose vertices are divided among ranks |
//! | [`communicator`] | ranks that work together, and what they exchange |
//! | [`feed`] | edges from other threads, as batches |
//! | [`properties`] | typed values of edges and vertices, in columns |
//! | `arrow` | edges from Arrow record batches, with the feature `arrow` |
//! | [`window`] | edges that arrive, and leave when they are old |

// Expansions of the macros name this crate by its own name, also in here.
extern crate self as meerkat_runtime;

#[cfg(feature = "arrow")]
pub mod arrow;
mod atomics;
pub mod bundle;
pub mod communicator;
mod container;
pub mod cuda;
pub mod device;
mod device_type;
mod direction;
pub mod distributed;
pub mod dynamic;
mod error;
pub mod feed;
pub mod frontier;
pub mod generate;
pub mod graph;
pub mod key_set;
pub mod lanes;
pub mod launch;
pub mod neighbors;
mod number;
pub mod ops;
pub mod oracle;
pub mod oriented;
pub mod program;
pub mod properties;
pub mod random;
pub mod read;
pub mod reduce;
pub mod rows;
pub mod saved;
pub mod scalar;
pub mod schedule;
mod slab;
pub mod testing;
pub mod timeline;
mod trap;
#[doc(hidden)]
pub mod typed;
pub mod view;
mod weight;
pub mod window;

pub use container::{Container, longest_ascending, longest_in_lists, out_shape};
pub use device::{Device, DeviceBuffer, MemoryFaults, Tuning};
pub use device_type::{DeviceType, Element};
pub use direction::Direction;
pub use dynamic::{DynamicAlgorithm, IgnoresWeights, Tracked};
pub use error::{ColumnFault, Error, ErrorKind};
pub use frontier::{Frontier, Frontiers, LevelQueue};
pub use graph::block_arrays::{BlockEdges, BlockGraph, BlockMemory, BlockSize, Blocks};
pub use graph::compact_slabs::{Compact, CompactEdges, CompactGraph};
pub use graph::{
    Batch, BlockOptions, Change, DeviceBatch, DynamicGraph, Edge, EdgeLists, Orientation,
    PinnedBatch, SlabGraph, SlabOptions, Update,
};
pub use launch::{VertexItems, item_count, vertex_item};
pub use meerkat_macros::{
    DeviceStruct, device, device_view, edge_operator, kernel, vertex_operator,
};
pub use neighbors::{Neighbors, Shape, UpdatedNeighbors};
#[doc(hidden)]
pub use number::Words;
pub use number::{Float, Number};
pub use reduce::{ArgMax, ArgMin, Reduce};
pub use rows::{BorrowedEdges, BorrowedRows, RowEdges, RowGraph, Rows};
pub use scalar::{Place, TileUniform, Uniform, Vertex};
pub use schedule::Schedule;
pub use slab::Graph;
pub use view::{Atomic, DeviceSlice};
pub use weight::Weight;

/// The built-in kernels of the run time.
pub fn kernels() -> Vec<program::KernelInfo> {
    let graphs = [oriented::kernels(), graph::kernels(), rows::kernels()].concat();
    let around = [dynamic::kernels(), window::kernels(), properties::kernels()].concat();
    let around = [around, distributed::kernels()].concat();
    #[cfg(feature = "arrow")]
    let around = [around, arrow::kernels()].concat();
    [graphs, around, generate::kernels()].concat()
}

/// Everything that an operator's module needs.
pub mod prelude {
    pub use crate::container::Container;
    pub use crate::device::{Device, DeviceBuffer};
    pub use crate::dynamic::{DynamicAlgorithm, IgnoresWeights, Tracked};
    pub use crate::error::Error;
    pub use crate::frontier::{
        Frontier, Frontiers, LevelQueue, block_enqueue_frontier, lane_enqueue_frontier,
        tile4_enqueue_frontier, tile8_enqueue_frontier, tile16_enqueue_frontier,
        warp_enqueue_frontier,
    };
    pub use crate::graph::block_arrays::{BlockGraph, Blocks};
    pub use crate::graph::compact_slabs::{Compact, CompactGraph};
    pub use crate::graph::{
        Batch, DynamicGraph, Edge, EdgeLists, Graph, Orientation, SlabGraph, SlabOptions,
    };
    pub use crate::graph::{
        EdgeSet, HashedEdges, NOT_FOUND, bucket_count, contains_edge, edge_weight, find_edge_alone,
        has_edge, nth_neighbor, out_degree, random_neighbor,
    };
    pub use crate::neighbors::{Neighbors, UpdatedNeighbors};
    pub use crate::random::{random_below, random_f32, random_f64, random_u32, random_u64};
    pub use crate::reduce::{ArgMax, ArgMin, Reduce};
    pub use crate::rows::{BorrowedRows, RowGraph, Rows};
    pub use crate::scalar::*;
    pub use crate::view::{Atomic, DeviceSlice};
    pub use crate::{DeviceType, Direction, Float, Number, Schedule, Weight};
    pub use meerkat_macros::{
        DeviceStruct, device, device_view, edge_operator, kernel, vertex_operator,
    };
}
