//! Hubs that are marked as noted, so that they are noted once, are noted: a mark that stays for ever would
//! keep a hub from being laid out, until searches in it go through all its buckets.

use super::super::invariants::first_bucket;
use super::super::take::NOTED;
use super::*;
use crate::device::Device;
use crate::graph::batch::Batch;
use crate::graph::dynamic_graph::DynamicGraph;
use crate::graph::lists::ListOperations;
use crate::graph::lists::Tombstones;
use crate::graph::options::{Endpoint, SlabOptions};
use crate::view::SlabWords;

const VERTICES: u32 = 30_000;

fn edges<W: Weight>(
    vertices: impl Iterator<Item = Vertex>,
    neighbors: std::ops::Range<u32>,
) -> Vec<Edge<W>> {
    let edge = |src: u32, i: u32| {
        let dst = (src * 31 + i * 7 + 1) % VERTICES;
        Edge { src, dst, weight: W::from_bits(i) }
    };
    vertices.flat_map(|src| neighbors.clone().map(move |i| edge(src, i))).collect()
}

fn graph<W: Weight>(edges: &[Edge<W>]) -> DynamicGraph<CompactEdges<W>> {
    let device = Device::cpu();
    DynamicGraph::from_edges(&device, VERTICES, edges, &SlabOptions::DEFAULT).expect("a graph")
}

#[test]
fn hubs_of_one_warp_that_find_one_place_to_be_noted_in_are_noted_later() {
    let hubs = 0..32;
    let mut graph = graph::<()>(&edges(hubs.clone(), 0..200));
    for i in 200..400 {
        let one_place = graph.each_orientation(|lists, _| {
            let most = lists.pool.counters.len() as u32 - NOTED - 1;
            lists.pool.counters.write(NOTED as usize, &[most - 1])
        });
        one_place.expect("a table of noted lists");
        graph.apply(&Batch::new().insert(edges(hubs.clone(), i..i + 1))).expect("a batch");
        graph.check_invariants().expect("what must hold");
    }
}

fn described(graph: &mut DynamicGraph<CompactEdges<()>>, vertices: &[Vertex]) -> Vec<Outgrown> {
    let mut found = Vec::new();
    let seen = graph.each_orientation(|lists, _| {
        let vertices = DeviceBuffer::from_slice(&lists.device, vertices)?;
        found = lists.described(&vertices)?.to_vec()?;
        Ok(())
    });
    seen.expect("lists");
    found
}

fn in_order<W: Weight>(mut edges: Vec<Edge<W>>) -> Vec<(u32, u32)> {
    edges.sort_unstable_by_key(|edge| (edge.src, edge.dst));
    edges.into_iter().map(|edge| (edge.src, edge.dst)).collect()
}

#[test]
fn a_hub_that_grows_fast_gets_3_different_rows_in_20_batches_at_most() {
    // Others have so many edges that the graph does not grow to four times its size.
    let mut graph = graph::<()>(&edges(0..20, 0..2_000));
    let mut rows = Vec::new();
    for batch in 5..25 {
        let batch = edges(0..1, batch * 400..batch * 400 + 400);
        graph.apply(&Batch::new().insert(batch)).expect("a batch");
        rows.push(described(&mut graph, &[0])[0].pairs);
    }
    rows.dedup();
    assert!(rows.len() <= 3, "{rows:?}");
}

#[test]
fn a_list_that_gets_more_than_one_for_32_has_room_for_seven_fourths_of_its_neighbours() {
    for (of, expected) in [
        ((0, 0, 0), 0),
        ((32, 1, 0), 33),
        ((32, 2, 0), 56),
        ((31, 1, 0), 54),
        ((3_200, 0, 3_200), 6_400),
        ((100, 10_000, 0), 17_500),
        ((40_000, 10_000, 40_000), 90_000),
        ((MOST_WANTED, MOST_WANTED, u32::MAX), MOST_WANTED),
        ((MOST_WANTED + 5, 9, 0), MOST_WANTED + 5),
    ] {
        let (degree, inserted, others) = of;
        assert_eq!(degree_to_come(degree, inserted, others), expected, "{of:?}");
    }
}

#[test]
fn a_list_that_gets_more_than_half_has_room_for_four_times_its_neighbours_and_others_as_ever() {
    for (of, expected) in [
        ((0, 0, 0), 0),
        ((32, 2, 0), 56),
        ((100, 10_000, 0), 40_000),
        ((40_000, 20_000, 0), 70_000),
        ((40_000, 20_001, 0), 160_000),
        ((40_000, 20_001, 200_000), 260_001),
        ((MOST_WANTED, MOST_WANTED, u32::MAX), MOST_WANTED),
    ] {
        let (degree, inserted, others) = of;
        assert_eq!(degree_of_beginning(degree, inserted, others), expected, "{of:?}");
    }
}

/// Each of the first batches used to fill the row that the one before had made.
#[test]
fn a_hub_that_takes_100_batches_gets_9_different_rows_at_most() {
    let mut graph = graph::<()>(&edges(0..20, 0..2_000));
    let (mut rows, mut after_10) = (Vec::new(), 0);
    for batch in 0..100 {
        let new = edges(20..21, batch * 290..batch * 290 + 290);
        graph.apply(&Batch::new().insert(new)).expect("a batch");
        rows.push(described(&mut graph, &[20])[0].pairs);
        rows.dedup();
        after_10 = if batch < 10 { rows.len() } else { after_10 };
    }
    assert!(rows.len() <= 9 && after_10 <= 3, "{rows:?}");
    graph.check_invariants().expect("what must hold");
}

#[test]
fn a_large_hub_is_not_laid_out_again_for_some_neighbours_more() {
    let mut graph = graph::<()>(&edges(0..1, 0..5_000));
    let pairs = pairs_of::<()>(5_000, LOAD_AGAIN);
    let is_outgrown = |graph: &mut DynamicGraph<CompactEdges<()>>, degree: u32, tombstones: u32| {
        let list = Outgrown { degree, tombstones, pairs, ..Outgrown::default() };
        let mut answer = false;
        let seen = graph.each_orientation(|lists, _| {
            answer = lists.is_outgrown(&list);
            Ok(())
        });
        seen.expect("lists");
        answer
    };
    assert!(!is_outgrown(&mut graph, 5_000, 0));
    assert!(!is_outgrown(&mut graph, 5_100, 0));
    assert!(!is_outgrown(&mut graph, 6_100, 0));
    assert!(is_outgrown(&mut graph, 6_200, 0));
    assert!(is_outgrown(&mut graph, 5_000, 1_500));
    assert!(!is_outgrown(&mut graph, 3_000, 0));
    assert!(is_outgrown(&mut graph, 2_000, 0));
}

/// A graph of these edges that may have no slab more.
fn full(edges: &[Edge<()>]) -> DynamicGraph<CompactEdges<()>> {
    let mut used = 0;
    let seen = graph(edges).each_orientation(|lists, _| {
        used = lists.pool.used();
        Ok(())
    });
    seen.expect("lists");
    let options = SlabOptions { max_slabs: used as u32, ..SlabOptions::DEFAULT };
    DynamicGraph::from_edges(&Device::cpu(), VERTICES, edges, &options).expect("a graph")
}

#[test]
fn a_list_that_does_not_fit_keeps_no_other_from_being_laid_out() {
    let all = [edges(0..2, 0..1_000), edges(2..3, 0..1_300)].concat();
    let mut graph = full(&all);
    let leaving: Vec<_> = all.iter().filter(|edge| edge.src == 2).copied().collect();
    graph.apply(&Batch::new().delete(leaving)).expect("a batch");
    let before = described(&mut graph, &[0, 1]);
    let (large, small) = (before[0].pairs * 4, before[0].pairs + 4);
    let seen = graph.each_orientation(|lists, _| {
        lists.sweep_vertices(0..3)?;
        let refused = lists.lay_out_what_fits(before.clone(), &[large, large]);
        assert!(refused.is_err_and(|error| error.is_about_room()));
        lists.lay_out_what_fits(before.clone(), &[large, small])
    });
    seen.expect("a layout");
    let after = described(&mut graph, &[0, 1]);
    assert_eq!((after[0].pair, after[0].pairs), (before[0].pair, before[0].pairs));
    assert_eq!(after[1].pairs, small);
    graph.check_invariants().expect("what must hold");
    let kept: Vec<_> = all.into_iter().filter(|edge| edge.src != 2).collect();
    assert_eq!(in_order(graph.to_edges().expect("edges")), in_order(kept));
}

/// One of the two used to get all.
#[test]
fn two_lists_for_which_there_is_no_ample_room_get_what_they_need() {
    let all = [edges(0..2, 0..1_000), edges(2..3, 0..4_000)].concat();
    let mut graph = full(&all);
    let free = described(&mut graph, &[2])[0].pairs;
    let leaving: Vec<_> = all.iter().filter(|edge| edge.src == 2).copied().collect();
    graph.apply(&Batch::new().delete(leaving)).expect("a batch");
    let before = described(&mut graph, &[0, 1]);
    assert!(free / 2 > before[0].pairs, "{free}");
    let seen = graph.each_orientation(|lists, _| {
        lists.sweep_vertices(0..3)?;
        lists.lay_out_amply(before.clone(), &[free, free], &[free / 2, free / 2])
    });
    seen.expect("a layout");
    let pairs = described(&mut graph, &[0, 1]).iter().map(|list| list.pairs).collect::<Vec<_>>();
    assert_eq!(pairs, [free / 2, free / 2]);
    graph.check_invariants().expect("what must hold");
}

/// Keys whose first bucket, of so many, is in this range.
fn keys_at(buckets: u32, homes: std::ops::Range<u32>, count: usize) -> Vec<u32> {
    let is_there = |&key: &u32| homes.contains(&first_bucket(key, buckets));
    (0..VERTICES).filter(is_there).take(count).collect()
}

#[test]
fn a_hub_that_is_nearly_full_is_packed_and_keeps_all_its_neighbours() {
    let hub = 40;
    let edge = |dst: u32| Edge { src: hub, dst, weight: () };
    let (buckets, mut all) = (40, edges::<()>(0..hub, 0..200));
    all.extend(keys_at(buckets, 30..31, 520).into_iter().map(edge));
    let mut graph = full(&all);
    let leaving: Vec<_> =
        all.iter().filter(|edge| edge.src < hub && edge.src % 2 == 1).copied().collect();
    graph.apply(&Batch::new().delete(leaving)).expect("a batch");
    all.retain(|edge| edge.src == hub || edge.src % 2 == 0);
    let own = described(&mut graph, &[hub])[0];
    assert_eq!(own.pairs * 2, buckets);
    // Until it is nearly full, by walks that are short.
    let more: Vec<_> = keys_at(buckets, 23..30, 100).into_iter().map(edge).collect();
    let arcs = DeviceBuffer::from_slice(&Device::cpu(), &more).expect("a buffer");
    let seen = graph.each_orientation(|lists, _| {
        lists.sweep_vertices(0..hub)?;
        lists.insert(&arcs, &[Endpoint::Source], Tombstones::Swept)?;
        lists.forget_noted()?;
        assert!(
            lists.described(&DeviceBuffer::from_slice(&lists.device, &[hub])?)?.to_vec()?[0].degree
                > 600
        );
        // There is no row of so many pairs, until hubs are packed.
        lists.pack_for(&mut vec![own], &[own.pairs + 9])
    });
    seen.expect("hubs that are packed");
    let packed = described(&mut graph, &[hub])[0];
    assert_ne!(packed.pair, own.pair, "it has not moved");
    assert_eq!(packed.pairs, own.pairs);
    let mut kept = Vec::new();
    let seen = graph.each_orientation(|lists, _| {
        kept = lists.checked_arcs()?.iter().map(|arc| (arc.0, arc.1)).collect();
        Ok(())
    });
    seen.expect("arcs");
    kept.sort_unstable();
    all.extend(more);
    assert_eq!(kept, in_order(all));
}

/// The neighbours of a hub in the order of its buckets, and how many buckets each is from its first.
fn neighbors_in_buckets(
    graph: &mut DynamicGraph<CompactEdges<()>>,
    hub: Vertex,
) -> Vec<(Vertex, u32)> {
    let own = described(graph, &[hub])[0];
    let buckets = own.pairs * 2;
    let mut pool = Vec::new();
    let seen = graph.each_orientation(|lists, _| {
        pool = lists.pool.slabs.to_vec()?;
        Ok(())
    });
    seen.expect("a pool");
    let words = pool[own.pair as usize..].iter().take(own.pairs as usize);
    let words = (0..).zip(words.flat_map(|SlabWords(words)| words));
    let probes =
        |(at, &key): (u32, &u32)| (key, (at / 16 + buckets - first_bucket(key, buckets)) % buckets);
    words.filter(|(_, word)| **word < NO_KEY).map(probes).collect()
}

#[test]
fn neighbors_that_come_as_a_larger_hub_lists_them_are_near_their_buckets() {
    let mut larger = graph::<()>(&edges(0..1, 0..16_000));
    let edge = |(dst, _)| Edge { src: 0, dst, weight: () };
    let listed: Vec<_> = neighbors_in_buckets(&mut larger, 0).into_iter().map(edge).collect();
    assert_eq!(listed.len(), 16_000);
    let mut graph = graph::<()>(&listed[..500]);
    for batch in listed[500..].chunks(500) {
        graph.apply(&Batch::new().insert(batch)).expect("a batch");
        let there = neighbors_in_buckets(&mut graph, 0);
        let probes: u32 = there.iter().map(|(_, probes)| probes).sum();
        assert!(probes < there.len() as u32 / 8, "{probes} probes for {}", there.len());
    }
}
