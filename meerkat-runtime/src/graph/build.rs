//! The static build, on the device: count, lay out, insert.

use super::layout::{Edge, arc_at};
use super::options::{Endpoint, SlabOptions};
use crate::device::{Device, DeviceBuffer};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::slab::SlabLists;
use crate::view::Atomic;
use crate::{Error, Weight};
use meerkat_macros::{device, kernel};

/// How many slab lists a vertex gets: one for each `ratio / 1024` neighbours,
/// rounded up, and one at least; always one if `ratio` is 0.
#[device]
pub(super) fn buckets_of(degree: u32, ratio: u32) -> u32 {
    if ratio == 0 {
        return 1;
    }
    let wanted: u64 = (degree as u64 * 1024 + (ratio - 1) as u64) / ratio as u64;
    (wanted as u32).max(1)
}

/// Counts the edges of each vertex, at their sources, or `reversed` at their
/// destinations.
#[kernel]
fn count_degrees<W: Weight>(edges: &[Edge<W>], reversed: bool, degrees: &[Atomic<u32>]) {
    let i = thread_id();
    if i < edges.len() {
        degrees[arc_at(edges, i, reversed).src].fetch_add(1);
    }
}

/// Whether two counts of degrees differ anywhere.
#[kernel]
fn compare_degrees(some: &[Atomic<u32>], others: &[Atomic<u32>], differ: &[Atomic<u32>]) {
    let i = thread_id();
    if i < some.len() && some[i].load() != others[i].load() {
        differ[0].store(1);
    }
}

/// Sums over all vertices: slab lists; slabs that may be linked to them; both again, the lists of
/// vertices that have several, and the slabs of those that have one; and the most slab lists of
/// one vertex. A list grows only when its last slab is full, so a vertex never links more than
/// `degree / keys`, however the keys hash.
#[kernel]
fn count_slabs(degrees: &[Atomic<u32>], ratio: u32, keys: u32, totals: &[Atomic<u64>]) {
    let i = thread_id();
    let mut heads: u64 = 0;
    let mut linked: u64 = 0;
    if i < degrees.len() {
        let degree = degrees[i].load();
        heads = buckets_of(degree, ratio) as u64;
        linked = (degree / keys) as u64;
    }
    let all_heads = warp_reduce_sum(heads);
    let all_linked = warp_reduce_sum(linked);
    let hashed_heads = warp_reduce_sum(select(heads > 1, heads, 0));
    let single_linked = warp_reduce_sum(select(heads > 1, 0, linked));
    let most_heads = warp_reduce_max(heads);
    if lane_id() == 0 {
        // A line of its own for each of 32 partial sums.
        totals[(global_warp_id() % 32) * 16].fetch_add(all_heads);
        totals[(global_warp_id() % 32) * 16 + 1].fetch_add(all_linked);
        totals[(global_warp_id() % 32) * 16 + 2].fetch_add(hashed_heads);
        totals[(global_warp_id() % 32) * 16 + 3].fetch_add(single_linked);
        totals[(global_warp_id() % 32) * 16 + 4].fetch_max(most_heads);
    }
}

/// Gives each vertex its slab lists, those of neighbouring vertices side by side.
#[kernel]
fn place_lists(degrees: &[Atomic<u32>], ratio: u32, next: &[Atomic<u32>], lists: &mut [SlabLists]) {
    let i = thread_id();
    let mut buckets = 0u32;
    if i < lists.len() {
        buckets = buckets_of(degrees[i].load(), ratio);
    }
    let below = block_scan_sum(buckets);
    let all = block_reduce_sum(buckets);
    // One counter: a turn for each block.
    let mut first = 0u32;
    if block_thread_id() == 0 {
        first = next[0].fetch_add(all);
    }
    let base = block_broadcast(first, 0);
    if i < lists.len() {
        lists[i] = SlabLists { first: base + below, buckets };
    }
}

/// What a graph is built on: degrees, repeats counted; slab lists and how many
/// slabs.
pub(super) struct Plan {
    pub(super) degrees: DeviceBuffer<Atomic<u32>>,
    pub(super) lists: DeviceBuffer<SlabLists>,
    pub(super) heads: u64,
    pub(super) most_lists: u32,
    /// Those that the keys take if their hashes are spread.
    pub(super) slabs: u64,
}

/// Below this number of slabs all that may be needed are mapped.
const FEW_SLABS: u64 = 4096;

/// How many slabs are linked to a list of `mean` keys on average, if the hashes of keys are
/// spread (they are Poisson distributed, then), where a slab has `keys`.
fn expected_links(mean: f64, keys: u32) -> f64 {
    let (mut share, mut links) = ((-mean).exp(), 0.0);
    let most = mean + 12.0 * mean.sqrt() + 2.0 * f64::from(keys);
    for count in 1..most as u32 {
        share *= mean / f64::from(count);
        links += share * f64::from((count - 1) / keys);
    }
    links
}

/// The degrees of vertices, from edges that come in parts; repeats are counted.
pub(super) struct DegreeCount {
    pub(super) degrees: DeviceBuffer<Atomic<u32>>,
    pub(super) ends: &'static [Endpoint],
    /// How many arcs were counted.
    pub(super) arcs: u64,
}

impl DegreeCount {
    pub(super) fn new(
        device: &Device,
        vertices: u32,
        ends: &'static [Endpoint],
    ) -> Result<Self, Error> {
        Ok(Self { degrees: DeviceBuffer::zeroed(device, vertices as usize)?, ends, arcs: 0 })
    }

    /// One for each of the lists that a graph keeps, those of the out-edges first.
    pub(super) fn of_sides(
        device: &Device,
        vertices: u32,
        options: &SlabOptions,
    ) -> Result<Vec<Self>, Error> {
        let sides = [options.out_ends(), options.in_ends()].into_iter();
        sides
            .filter(|ends| !ends.is_empty())
            .map(|ends| Self::new(device, vertices, ends))
            .collect()
    }

    /// Counts the given ends of edges, which are in the graph's range. Queued on CUDA.
    pub(super) fn add<W: Weight>(&mut self, edges: &DeviceBuffer<Edge<W>>) -> Result<(), Error> {
        for end in self.ends {
            let (threads, reversed) = (edges.len() as u32, end.is_reversed());
            count_degrees::launch(edges.device(), threads, edges, reversed, &self.degrees)?;
            self.arcs += edges.len() as u64;
        }
        Ok(())
    }

    /// Whether others count the same. Synchronises.
    pub(super) fn is_same(&self, others: &DeviceBuffer<Atomic<u32>>) -> Result<bool, Error> {
        let device = self.degrees.device();
        let differ = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        let threads = self.degrees.len() as u32;
        compare_degrees::launch(device, threads, &self.degrees, others, &differ)?;
        Ok(differ.read(0, 1)?[0] == 0)
    }
}

impl Plan {
    /// Lays out lists for these degrees. Synchronises.
    pub(super) fn of_degrees<W: Weight>(
        device: &Device,
        degrees: DeviceBuffer<Atomic<u32>>,
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        let (vertices, ratio) = (degrees.len() as u32, options.bucket_ratio::<W>());
        let totals = DeviceBuffer::<Atomic<u64>>::zeroed(device, 32 * 16)?;
        count_slabs::launch(device, vertices, &degrees, ratio, W::KEYS_PER_SLAB, &totals)?;
        let totals = totals.to_vec()?;
        let sum = |of: usize| totals.iter().skip(of).step_by(16).sum::<u64>();
        let (heads, linked, hashed_heads, single_linked) = (sum(0), sum(1), sum(2), sum(3));
        let most_lists = totals.iter().skip(4).step_by(16).max().map_or(0, |&most| most as u32);
        super::pool::check_slab_count(heads + linked)?;
        let links = expected_links(f64::from(ratio) / 1024.0, W::KEYS_PER_SLAB);
        // A quarter more, for hashes that are not quite so spread.
        let hashed_linked = (1.25 * links * hashed_heads as f64) as u64;
        let expected = (single_linked + hashed_linked + FEW_SLABS).min(linked);
        let next = DeviceBuffer::zeroed(device, 1)?;
        let mut lists = DeviceBuffer::zeroed(device, vertices as usize)?;
        place_lists::launch(device, vertices, &degrees, ratio, &next, &mut lists)?;
        Ok(Plan { degrees, lists, heads, most_lists, slabs: heads + expected })
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        count_degrees::info::<()>(),
        compare_degrees::info(),
        count_slabs::info(),
        place_lists::info(),
    ]
}

#[cfg(test)]
mod tests {
    use super::expected_links;

    #[test]
    fn lists_of_21_keys_link_a_slab_of_31_in_50_cases_and_those_of_100_about_three() {
        assert!((0.015..0.03).contains(&expected_links(21.7, 31)), "{}", expected_links(21.7, 31));
        assert!((2.6..3.1).contains(&expected_links(100.0, 31)), "{}", expected_links(100.0, 31));
        assert_eq!(expected_links(0.0, 31), 0.0);
    }
}
