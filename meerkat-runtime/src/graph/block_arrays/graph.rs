//! The host's graph of block arrays: what users own.

use super::edges::BlockEdges;
use super::view::Blocks;
use crate::device::Device;
use crate::graph::DynamicGraph;
use crate::launch::HostArg;
use crate::{Error, Weight};

/// A graph in block arrays, as Hornet has them (Busato et al., section III): the list of a vertex is
/// one row of ascending neighbours, in a block of 2^k places that it leaves for a larger or a smaller
/// one as batches come. As an argument of a launch it is its out-edges.
///
/// What it is best at is being read; a batch is merged into the lists that it changes. Of the options
/// `block` matters, and `load_factor` and `hashing` do not. It has at most
/// 2^31 - 4 vertices.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_runtime::prelude::*;
///
/// let device = Device::auto();
/// let edge = |src, dst| Edge { src, dst, weight: () };
/// let edges = [edge(0, 1), edge(0, 2), edge(2, 0)];
/// let mut graph = BlockGraph::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT)?;
/// let change = graph.apply(&Batch::new().delete([edge(0, 1)]).insert([edge(0, 2)]))?;
/// assert_eq!(change.deleted().to_vec()?, [edge(0, 1)]);
/// assert!(change.inserted().is_empty());
/// assert_eq!(graph.contains(&edges)?, [false, true, true]);
/// # Ok(())
/// # }
/// ```
pub type BlockGraph<W = ()> = DynamicGraph<BlockEdges<W>>;

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl<W: Weight> HostArg<Blocks<W>> for &BlockGraph<W> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<Blocks<W>, Error> {
        // SAFETY: what the caller promises of the graph holds for its out-edges.
        unsafe { HostArg::to_device_arg(self.out_edges()?, device) }
    }
}
