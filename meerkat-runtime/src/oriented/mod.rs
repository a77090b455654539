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
mod support;
mod tally;
mod triangles;

use crate::program::KernelInfo;
pub use host::{Limits, OrientedGraph};
pub use rows::Oriented;

pub(crate) fn kernels() -> Vec<KernelInfo> {
    [rows::kernels(), support::kernels(), triangles::kernels()].concat()
}
