use super::*;
use crate::device::Device;
use crate::graph::batch::Batch;
use crate::graph::compact_slabs::CompactEdges;
use crate::graph::compact_slabs::lay_out::slabs_grown;
use crate::graph::dynamic_graph::DynamicGraph;
use crate::graph::layout::Edge;
use crate::graph::options::{Compaction, SlabOptions};
use crate::{ErrorKind, Weight};

const VERTICES: u32 = 4_000;

/// So many neighbours are in records, at most.
const IN_RECORDS: u32 = 4;

/// A graph with the first neighbours of every vertex, in whose pool so many slabs of a size have numbers.
fn graph<W: Weight>(numbers: u64) -> (DynamicGraph<CompactEdges<W>>, Vec<Edge<W>>) {
    let all: Vec<_> = (0..IN_RECORDS).flat_map(neighbors).collect();
    let options = SlabOptions { compaction: Compaction::OnDemand, ..SlabOptions::DEFAULT };
    let mut graph =
        DynamicGraph::from_edges(&Device::cpu(), VERTICES, &all, &options).expect("a graph");
    let numbered = graph.each_orientation(|lists: &mut CompactEdges<W>, _| {
        lists.pool.number_no_more_than(numbers);
        Ok(())
    });
    numbered.expect("a limit");
    (graph, all)
}

/// The `i`th neighbour of every vertex.
fn neighbors<W: Weight>(i: u32) -> Vec<Edge<W>> {
    let edge = move |src| Edge { src, dst: (src + 7 * i + 1) % VERTICES, weight: W::from_bits(i) };
    (0..VERTICES).map(edge).collect()
}

fn open_of<W: Weight>(graph: &mut DynamicGraph<CompactEdges<W>>) -> u32 {
    let mut open = 0;
    let seen = graph.each_orientation(|lists, _| {
        open = lists.pool.open;
        Ok(())
    });
    seen.expect("lists");
    open
}

/// Lays out what is wasteful: how many lists.
fn sweep<W: Weight>(graph: &mut DynamicGraph<CompactEdges<W>>) -> usize {
    let mut laid_out = 0;
    let swept = graph.each_orientation(|lists, _| {
        laid_out = lists.sweep_vertices(0..VERTICES)?;
        assert_eq!(lists.sweep_vertices(0..VERTICES)?, 0, "lists that have just been laid out");
        Ok(())
    });
    swept.expect("sweeps");
    laid_out
}

fn check<W: Weight + PartialEq>(graph: &DynamicGraph<CompactEdges<W>>, expected: &[Edge<W>]) {
    graph.check_invariants().expect("what must hold");
    let mut found = graph.to_edges().expect("edges");
    found.sort_unstable_by_key(|edge| (edge.src, edge.dst));
    let mut expected = expected.to_vec();
    expected.sort_unstable_by_key(|edge| (edge.src, edge.dst));
    assert!(found == expected, "{} edges, not {}", found.len(), expected.len());
}

/// Lists grow, shrink and grow again where small slabs have no numbers left. From this size on slabs are larger in
/// the end.
fn grow_and_shrink<W: Weight + PartialEq>(numbers: u64, open: u32) {
    let (mut graph, mut all) = graph::<W>(numbers);
    for i in IN_RECORDS..14 {
        graph.apply(&Batch::new().insert(neighbors(i))).expect("a batch of insertions");
        all.extend(neighbors(i));
        check(&graph, &all);
    }
    assert_eq!(open_of(&mut graph), open);
    assert_eq!(sweep(&mut graph), 0, "lists that only grew");
    for i in 1..13 {
        graph.apply(&Batch::new().delete(neighbors(i))).expect("a batch of deletions");
    }
    all.retain(|edge| !(1..13).contains(&((edge.dst + VERTICES - edge.src - 1) % VERTICES / 7)));
    assert_eq!(sweep(&mut graph), VERTICES as usize);
    check(&graph, &all);
    for i in 20..30 {
        graph.apply(&Batch::new().insert(neighbors(i))).expect("a batch of insertions");
        all.extend(neighbors(i));
        check(&graph, &all);
    }
    assert_eq!(sweep(&mut graph), 0, "lists that only grew");
}

/// The first slab that had no number used to be the end: a graph whose lists take more than 4 GiB could not take a
/// batch.
#[test]
fn lists_go_on_in_larger_slabs_where_small_ones_have_no_numbers_left() {
    grow_and_shrink::<()>(11 << 9, 2);
    grow_and_shrink::<u32>(7 << 10, 3);
}

#[test]
fn a_batch_for_which_no_slab_of_any_size_has_a_number_changes_nothing() {
    let (mut graph, mut all) = graph::<()>(1 << 11);
    for i in IN_RECORDS..30 {
        let open = open_of(&mut graph);
        let Err(error) = graph.apply(&Batch::new().insert(neighbors(i))) else {
            all.extend(neighbors(i));
            continue;
        };
        assert!(matches!(error.kind(), ErrorKind::TooManyCompactSlabs { .. }), "{error}");
        assert_eq!(open_of(&mut graph), open);
        return check(&graph, &all);
    }
    panic!("numbers did not end");
}

/// What was not mapped used to close the sizes that it would have had no numbers for.
#[test]
fn memory_that_cannot_be_reserved_closes_no_size() {
    let (mut graph, mut all) = graph::<u32>(1 << 12);
    for edges in [1 << 30, u64::MAX] {
        let refused = graph.reserve(edges).map_err(|error| error.is_about_room());
        assert_eq!(refused, Err(true));
    }
    assert_eq!(open_of(&mut graph), 0);
    graph.apply(&Batch::new().insert(neighbors(4))).expect("a batch");
    all.extend(neighbors(4));
    check(&graph, &all);
}

/// Lists that grow to 40 neighbours where some sizes are closed, of which a few slabs were given back.
#[test]
fn what_was_reserved_is_enough_for_lists_that_get_larger_slabs() -> Result<(), Error> {
    let of = |part: u32, i: u32| -> Vec<Edge<()>> {
        neighbors(i).into_iter().filter(|edge| edge.src % 16 == part).collect()
    };
    for open in 0..=LARGEST {
        let (mut graph, mut all) = graph::<()>(1 << 20);
        // Slabs of lists that shrink again.
        for (part, most) in [(0, 6), (1, 10)] {
            let more: Vec<_> = (IN_RECORDS..most).flat_map(|i| of(part, i)).collect();
            graph.apply(&Batch::new().insert(&more))?;
            graph.apply(
                &Batch::new().delete((0..most).flat_map(|i| of(part, i)).collect::<Vec<_>>()),
            )?;
        }
        all.retain(|edge| edge.src % 16 > 1);
        let (lists_of_part, mut before) = (u64::from(VERTICES) / 16, 0);
        graph.each_orientation(|lists, _| {
            assert!(lists.sweep_vertices(0..VERTICES)? > 0);
            lists.pool.open = open;
            let of_list = |class| slabs_grown::<()>(40, lists.record, class).into();
            let of_list: [u64; CLASSES] = std::array::from_fn(|class| of_list(class as u32));
            lists.pool.reserve(of_list.map(|slabs| slabs * lists_of_part))?;
            before = lists.pool.used();
            Ok(())
        })?;
        for first in (IN_RECORDS..40).step_by(6) {
            let more: Vec<_> = (first..first + 6).flat_map(|i| of(2, i)).collect();
            graph.apply(&Batch::new().insert(&more))?;
            all.extend(more);
        }
        graph.each_orientation(|lists, _| {
            assert_eq!(lists.pool.used(), before, "memory was taken, though it was reserved");
            Ok(())
        })?;
        check(&graph, &all);
    }
    Ok(())
}

/// Of a size that is closed lanes of one warp used to ask one counter of eight.
#[test]
fn all_slabs_that_were_given_back_are_taken_again_where_their_size_is_closed() -> Result<(), Error>
{
    let (mut graph, mut all) = graph::<()>(1 << 20);
    let few = |i| neighbors::<()>(i).into_iter().filter(|edge| edge.src < 256).collect::<Vec<_>>();
    graph.apply(&Batch::new().insert(few(4)))?;
    graph.apply(&Batch::new().delete((0..5).flat_map(few).collect::<Vec<_>>()))?;
    let mut left = 0;
    graph.each_orientation(|lists, _| {
        lists.sweep_vertices(0..256)?;
        left = lists.pool.given_back[0];
        lists.pool.open = 1;
        Ok(())
    })?;
    assert!(left >= 256, "{left} slabs");
    all.retain(|edge| edge.src >= 256);
    for lane in (0..256).step_by(32) {
        let warp =
            |i| few(i).into_iter().filter(|edge| edge.src / 32 == lane / 32).collect::<Vec<_>>();
        let more: Vec<_> = (0..5).flat_map(warp).collect();
        for part in more.chunks(32) {
            graph.apply(&Batch::new().insert(part))?;
        }
        all.extend(more);
    }
    graph.each_orientation(|lists, _| {
        assert_eq!(lists.pool.table[1].len(), 0, "a list has a larger slab");
        Ok(())
    })?;
    check(&graph, &all);
    Ok(())
}
