//! Oriented graphs: every edge of the undirected simple graph once, from its end of lower
//! degree to the other, the out-neighbours of a vertex side by side. A copy, for passes
//! that read neighbours in streams; it does not follow the graph.
//!
//! ```text
//! SlabGraph --rows--> OrientedGraph --triangles--> edges whose ends share an out-neighbour
//! ```
//!
//! A triangle is one edge whose ends share one out-neighbour, and hubs have few
//! out-neighbours: of `m` edges no vertex has more than `sqrt(2 m)`.
//! Source: Schank and Wagner, "Finding, counting and listing all triangles in large
//! graphs" (the orientation); Bisson and Fatica, "High performance exact triangle counting
//! on GPUs" (a set in shared memory).

mod host;
mod rows;
mod triangles;

pub use host::{Limits, OrientedGraph};
pub use rows::{
    Oriented, Row, add_degrees, count_ends, fill_rows, key_at, list_edges, list_rows, place_rows,
};
pub use triangles::{count_by_blocks, count_by_warps};

use crate::program::KernelInfo;
use crate::schedule::Schedule;

pub(crate) fn kernels() -> Vec<KernelInfo> {
    let each =
        |schedule| [count_ends::info_with::<()>(schedule), fill_rows::info_with::<()>(schedule)];
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().flat_map(each).collect();
    kernels.extend([add_degrees::info::<()>(), place_rows::info(), list_rows::info()]);
    kernels.extend([list_edges::info(), count_by_warps::info(), count_by_blocks::info()]);
    kernels
}
