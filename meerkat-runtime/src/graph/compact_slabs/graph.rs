//! The host's graph of compact slabs: what users own.

use super::edges::CompactEdges;
use super::view::Compact;
use crate::device::Device;
use crate::graph::DynamicGraph;
use crate::launch::HostArg;
use crate::{Error, Weight};

/// A graph in compact slabs: about the size of compressed sparse rows, and batches change it. As an
/// argument of a launch it is its out-edges.
///
/// A vertex has a record of 16 or 32 bytes with its first neighbours; further ones are in slabs of
/// 16 to 128 bytes, those of a hub in buckets that a hash chooses. Of the options, `load_factor` and
/// `hashing` do not matter. It has at most 2^31 - 4 vertices.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::prelude::*;
///
/// let device = Device::auto();
/// let edge = |src, dst| Edge { src, dst, weight: () };
/// let edges = [edge(0, 1), edge(0, 2), edge(2, 0)];
/// let mut graph = CompactGraph::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT)?;
/// let change = graph.apply(&Batch::new().delete([edge(0, 1)]).insert([edge(0, 2)]))?;
/// assert_eq!(change.deleted().to_vec()?, [edge(0, 1)]);
/// assert!(change.inserted().is_empty());
/// assert_eq!(graph.contains(&edges)?, [false, true, true]);
/// # Ok(())
/// # }
/// ```
pub type CompactGraph<W = ()> = DynamicGraph<CompactEdges<W>>;

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<W: Weight> HostArg<Compact<W>> for &CompactGraph<W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Compact<W>, Error> {
        // SAFETY: what the caller promises of the graph holds for its out-edges.
        unsafe { HostArg::to_device_arg(self.out_edges()?, device) }
    }
}
