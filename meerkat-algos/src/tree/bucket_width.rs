//! How wide a bucket is: the range of distances that is visited at a time.

use super::Length;
use super::operators::longest_out_edge;
use meerkat_runtime::prelude::*;

/// The width of the buckets: a typical edge length, doubled while rounds are too small to
/// keep the device busy.
pub(super) struct BucketWidth {
    typical: u32,
    doublings: u32,
    /// Buckets in a row that were too small.
    small: u32,
    /// How many vertices a round should visit.
    enough: u64,
}

/// How many vertices are sampled for a typical edge length.
const SAMPLED: u32 = 256;
/// How many vertices keep a large GPU busy, and some cores.
const ENOUGH_ON_CUDA: u64 = 1 << 17;
const ENOUGH_ON_CPU: u64 = 1 << 9;
/// Small buckets in a row before they are widened: a search that fans out is soon large.
const PATIENCE: u32 = 4;
/// Buckets grow to at most 2 to this power times the typical length.
const MOST_DOUBLINGS: u32 = 6;

impl BucketWidth {
    /// The median of the longest out-edges of a few vertices. Synchronises.
    pub(super) fn of<W: Weight, L: Length<W>>(
        graph: &impl Container<Carried = W>,
    ) -> Result<Self, Error> {
        let (device, count) = (graph.device(), graph.vertex_count().min(SAMPLED));
        let mut longest = DeviceBuffer::zeroed(device, count as usize)?;
        longest_out_edge::launch::<W, L, _>(device, 0..count, graph.out_edges()?, &mut longest)?;
        let mut lengths = longest.to_vec()?;
        lengths.retain(|&length| length > 0);
        lengths.sort_unstable();
        let typical = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
        let enough = if device.is_cuda() { ENOUGH_ON_CUDA } else { ENOUGH_ON_CPU };
        Ok(BucketWidth { typical, doublings: 0, small: 0, enough })
    }

    /// Widens buckets when rounds underfill the device for some time; narrows them when
    /// large rounds relax redundantly.
    pub(super) fn adapt(&mut self, visited_in_a_round: u64) {
        self.small = if visited_in_a_round < self.enough { self.small + 1 } else { 0 };
        if self.small > PATIENCE {
            (self.doublings, self.small) = ((self.doublings + 1).min(MOST_DOUBLINGS), 0);
        } else if visited_in_a_round > 8 * self.enough {
            self.doublings = self.doublings.saturating_sub(1);
        }
    }

    /// The limit of the bucket that starts at a distance; no limit where the sum would not
    /// be farther.
    pub(super) fn beyond<W: Weight, L: Length<W>>(&self, distance: u32) -> u32 {
        let width = (0..1 << self.doublings).fold(0, |sum, _| L::sum(sum, self.typical));
        let limit = L::sum(distance, width);
        if limit > distance { limit } else { super::UNREACHED }
    }
}
