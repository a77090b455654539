use super::*;
use crate::device::Device;
use crate::graph::batch::Batch;
use crate::graph::compact_slabs::CompactEdges;
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
    let mut graph = DynamicGraph::from_edges(&Device::cpu(), VERTICES, &all, &options)
        .expect("a graph");
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

/// Lays out what is wasteful until nothing is: how many lists.
fn sweep<W: Weight>(graph: &mut DynamicGraph<CompactEdges<W>>) -> usize {
    let mut laid_out = 0;
    let swept = graph.each_orientation(|lists, _| {
        for _ in 0..4 {
            let of_sweep = lists.sweep_vertices(0..VERTICES)?;
            laid_out += of_sweep;
            if of_sweep == 0 {
                return Ok(());
            }
        }
        panic!("a fourth sweep finds wasteful lists: those that it laid out itself");
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
        let Err(error) = graph.apply(&Batch::new().insert(neighbors(i))) else {
            all.extend(neighbors(i));
            continue;
        };
        assert!(matches!(error.kind(), ErrorKind::TooManyCompactSlabs { .. }), "{error}");
        assert_eq!(open_of(&mut graph), LARGEST);
        return check(&graph, &all);
    }
    panic!("numbers did not end");
}

/// Some of the vertices: one of four.
fn of_part<W: Weight>(part: u32, i: u32) -> Vec<Edge<W>> {
    neighbors(i).into_iter().filter(|edge| edge.src % 4 == part).collect()
}

#[test]
fn what_was_reserved_is_enough_for_lists_that_get_larger_slabs() -> Result<(), Error> {
    let (mut graph, mut all) = graph::<u32>(6 << 8);
    graph.apply(&Batch::new().insert(of_part(0, 4)))?;
    all.extend(of_part(0, 4));
    assert_eq!(open_of(&mut graph), 0);
    graph.each_orientation(|lists, _| lists.pool.reserve([600, 0, 0, 0]))?;
    assert_eq!(open_of(&mut graph), 1);
    let before = graph.bytes();
    graph.apply(&Batch::new().insert(&of_part(1, 4)[..600]))?;
    all.extend(&of_part(1, 4)[..600]);
    assert_eq!(graph.bytes(), before, "memory was taken, though it was reserved");
    check(&graph, &all);
    Ok(())
}
