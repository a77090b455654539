//! Hubs packed: where free rows of pairs of buckets are many and short, the hubs among them are laid out
//! one behind another, and what they leave is one row.
//!
//! ```text
//! a row is missing --spans that are an eighth free--> hubs there --pack--> one free row a span
//! ```

use super::edges::CompactEdges;
use super::lay_out::{Refill, rows_to_take};
use super::layout::CompactLists;
use super::outgrown::{Outgrown, describe, no_list};
use super::view::Compact;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::neighbors::Neighbors;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Weight};
use meerkat_macros::{device, kernel};

/// A span that is packed has so many pairs at most, 128 KiB, if rows are short: it serves more than one.
const SPAN: u32 = 1 << 10;
/// Or so many times the row that is missing.
const ROWS: u32 = 8;
/// So many pairs are packed at once, at most, if that is more than a span.
const MOST_AT_ONCE: u32 = 1 << 16;

/// Whether one of some spans has a part of a row. They ascend: each is its first pair and its end.
#[device]
fn is_in_spans(spans: &[u32], first: u32, pairs: u32) -> bool {
    let mut low = 0u32;
    let mut high = spans.len() / 2;
    // The first span that ends behind the first pair.
    while low < high {
        let middle = (low + high) / 2;
        if spans[middle * 2 + 1] <= first {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low < spans.len() / 2 && spans[low * 2] < first + pairs
}

/// Lists the hubs that have pairs in some spans, which ascend.
#[kernel]
fn find_hubs_in<W: Weight>(graph: &Compact<W>, spans: &[u32], hubs: &Frontier<Outgrown>) {
    let v = thread_id();
    let mut list = no_list();
    let mut is_there = false;
    if v < graph.vertices {
        let own: CompactLists = graph.lists_of(v);
        is_there = own.pairs != 0 && is_in_spans(spans, own.quad / 8, own.pairs);
        if is_there {
            list = describe(graph, v);
        }
    }
    warp_enqueue_frontier(hubs, list, is_there);
}

impl<W: Weight> CompactEdges<W> {
    /// Packs hubs, if there is no row for a list that is to be laid out in so many pairs of buckets, and
    /// much is free. The lists may be among those that move. A row may still be missing afterwards.
    /// Synchronises.
    pub(super) fn pack_for(
        &mut self,
        lists: &mut Vec<Outgrown>,
        rows: &[u32],
    ) -> Result<(), Error> {
        let rows = rows_to_take(lists, rows);
        let longest = self.pool.longest_missing(&rows);
        if longest == 0 || !self.pool.is_loose() {
            return Ok(());
        }
        let length = longest.saturating_mul(ROWS).next_power_of_two().clamp(SPAN, 1 << 28);
        let spans = self.pool.loose_spans(length, longest, length.max(MOST_AT_ONCE));
        if spans.is_empty() {
            return Ok(());
        }
        self.pack(&spans)?;
        let vertices: Vec<_> = lists.iter().map(|list| list.vertex).collect();
        let vertices = DeviceBuffer::from_slice(&self.device, &vertices)?;
        *lists = self.described(&vertices)?.to_vec()?;
        Ok(())
    }

    /// Packs the hubs of some spans.
    fn pack(&mut self, spans: &[(u32, u32)]) -> Result<(), Error> {
        let mut hubs = self.hubs_in(spans)?;
        hubs.sort_unstable_by_key(|hub| hub.pair);
        let free = self.pool.take_within(spans);
        let mut left = Vec::new();
        let mut moved = Vec::new();
        for &(first, pairs) in spans {
            left.extend(pack_span(first..first + pairs, &hubs, &mut moved));
        }
        let sum = |rows: &[(u32, u32)]| rows.iter().map(|row| u64::from(row.1)).sum::<u64>();
        debug_assert_eq!(sum(&free), sum(&left), "free pairs of spans {spans:?}");
        if moved.is_empty() {
            left.into_iter().for_each(|(first, pairs)| self.pool.give_back_pairs(first, pairs));
            return Ok(());
        }
        // They may be fuller than an insertion into a hub bears, which gives up after a long walk.
        match self.load_restoration().and_then(|()| self.prepare(&moved)) {
            Ok(layout) => self.lay_out_in(layout, &moved, &left, Refill::Exact),
            Err(error) => {
                free.into_iter().for_each(|(first, pairs)| self.pool.give_back_pairs(first, pairs));
                if error.is_about_room() { Ok(()) } else { Err(error) }
            }
        }
    }

    fn hubs_in(&self, spans: &[(u32, u32)]) -> Result<Vec<Outgrown>, Error> {
        // A hub has a pair there.
        let most = spans.iter().map(|span| span.1 as usize).sum();
        let found = DeviceBuffer::<Outgrown>::zeroed(&self.device, most)?;
        let count = DeviceBuffer::<Atomic<u32>>::zeroed(&self.device, 1)?;
        let hubs = Frontier { items: found.view(), length: count.view() };
        let ends: Vec<_> =
            spans.iter().flat_map(|&(first, pairs)| [first, first + pairs]).collect();
        let ends = DeviceBuffer::from_slice(&self.device, &ends)?;
        find_hubs_in::launch(&self.device, self.vertices, self, &ends, hubs)?;
        found.read(0, (count.read(0, 1)?[0] as usize).min(most))
    }
}

/// Puts the hubs that lie in a span one behind another: those that move, and the row that is free then.
/// Hubs that lie there in part stay. The hubs ascend.
fn pack_span(
    span: std::ops::Range<u32>,
    hubs: &[Outgrown],
    moved: &mut Vec<Outgrown>,
) -> Option<(u32, u32)> {
    let (mut next, mut end) = (span.start, span.end);
    let first = hubs.partition_point(|hub| hub.pair + hub.pairs <= span.start);
    for hub in hubs[first..].iter().take_while(|hub| hub.pair < span.end) {
        if hub.pair < span.start {
            next = hub.pair + hub.pairs;
        } else if hub.pair + hub.pairs > span.end {
            end = hub.pair;
        } else {
            if hub.pair != next {
                moved.push(Outgrown { new_pair: next, new_pairs: hub.pairs, ..*hub });
            }
            next += hub.pairs;
        }
    }
    (next < end).then(|| (next, end - next))
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![find_hubs_in::info::<()>()]
}

#[cfg(test)]
mod tests {
    use super::super::build::pairs_of;
    use super::super::lay_out::LOAD_AGAIN;
    use super::*;
    use crate::device::Device;
    use crate::graph::batch::Batch;
    use crate::graph::dynamic_graph::DynamicGraph;
    use crate::graph::layout::Edge;
    use crate::graph::options::SlabOptions;
    use crate::scalar::Vertex;

    fn hub(pair: u32, pairs: u32) -> Outgrown {
        Outgrown { pair, pairs, ..Outgrown::default() }
    }

    #[test]
    fn hubs_that_lie_in_a_span_in_part_stay_and_the_others_are_put_between_them() {
        let hubs = [hub(0, 5), hub(90, 20), hub(110, 5), hub(130, 10), hub(160, 3), hub(195, 9)];
        let mut moved = Vec::new();
        assert_eq!(pack_span(100..200, &hubs, &mut moved), Some((128, 67)));
        let places: Vec<_> =
            moved.iter().map(|hub| (hub.pair, hub.new_pair, hub.new_pairs)).collect();
        assert_eq!(places, [(130, 115, 10), (160, 125, 3)]);
        assert_eq!(pack_span(300..400, &hubs, &mut moved), Some((300, 100)));
        assert_eq!(pack_span(92..100, &hubs, &mut moved), None);
        assert_eq!(moved.len(), 2);
    }

    fn edges_of(vertices: impl Iterator<Item = Vertex>, degree: u32) -> Vec<Edge<()>> {
        let edges =
            vertices.flat_map(|src| (0..degree).map(move |i| (src, (src + i * 7 + 1) % 10_000)));
        edges.map(|(src, dst)| Edge { src, dst, weight: () }).collect()
    }

    #[test]
    fn a_row_longer_than_all_that_are_free_is_found_among_hubs_that_left_and_no_memory_is_mapped() {
        // In one thread: where warps of several meet in a list, lanes give up now and then, and the list is
        // laid out in a row that this scenario does not have.
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        one.install(find_a_row_among_hubs_that_left);
    }

    fn find_a_row_among_hubs_that_left() {
        let edges = edges_of(0..400, 200);
        let options = SlabOptions::DEFAULT;
        let mut graph =
            DynamicGraph::<CompactEdges<()>>::from_edges(&Device::cpu(), 10_000, &edges, &options)
                .expect("a graph");
        let leaving: Vec<_> = edges.iter().filter(|edge| edge.src % 2 == 1).copied().collect();
        graph.apply(&Batch::new().delete(leaving.clone())).expect("a batch");
        // All vertices are swept.
        let more = edges_of(5_000..5_100, 90);
        for _ in 0..8 {
            graph.apply(&Batch::new().insert(more.clone())).expect("a batch");
            graph.apply(&Batch::new().delete(more.clone())).expect("a batch");
        }
        let wanted = pairs_of::<()>(4_000, LOAD_AGAIN);
        let mut used = 0;
        let packed = graph.each_orientation(|lists, _| {
            used = lists.pool.used();
            assert_ne!(lists.pool.longest_missing(&[wanted]), 0, "there is a row before");
            lists.pack_for(&mut vec![hub(0, 0)], &[wanted])?;
            assert_eq!(lists.pool.longest_missing(&[wanted]), 0, "there is no row afterwards");
            assert_eq!(lists.pool.used(), used);
            Ok(())
        });
        packed.expect("hubs that are packed");
        graph.check_invariants().expect("what must hold");
        let kept: Vec<_> = edges.into_iter().filter(|edge| edge.src % 2 == 0).collect();
        let in_order = |mut edges: Vec<Edge<()>>| {
            edges.sort_unstable_by_key(|edge| (edge.src, edge.dst));
            edges
        };
        assert_eq!(in_order(graph.to_edges().expect("edges")), in_order(kept));
    }
}
