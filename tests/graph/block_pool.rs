//! The blocks of block arrays: how many there are, and what a refusal leaves.

use crate::support::devices;
use meerkat::prelude::*;
use meerkat::runtime::BlockOptions;

fn edge(src: u32, dst: u32) -> Edge {
    Edge { src, dst, weight: () }
}

fn graph(device: &Device, vertices: u32, options: &SlabOptions) -> BlockGraph {
    BlockGraph::from_edges(device, vertices, &[], options).expect("a graph")
}

/// How many blocks there are, in lists or not.
fn blocks(graph: &BlockGraph) -> u64 {
    let memory = graph.out_edges().and_then(|out| out.memory()).expect("memory");
    memory.sizes.iter().map(|size| size.blocks).sum()
}

/// What a refused batch had asked for was asked for again by all that followed.
#[test]
fn after_a_refused_insertion_what_fits_is_taken() {
    for device in devices::devices() {
        let block = BlockOptions { least: 4, array: 4 };
        let options = SlabOptions { max_slabs: 300, block, ..SlabOptions::DEFAULT };
        let mut graph = graph(&device, 20_000, &options);
        let hub: Vec<_> = (1..16_000).map(|dst| edge(0, dst)).collect();
        let refused = graph.apply(&Batch::new().insert(&hub)).expect_err("too large a hub");
        assert!(refused.is_about_room(), "{refused}");
        assert_eq!(graph.edge_count().expect("a count"), 0);
        for src in 1..40 {
            let list: Vec<_> = (0..20).map(|dst| edge(src, dst)).collect();
            graph.apply(&Batch::new().insert(&list)).expect("room for 20");
        }
        graph.check_invariants().expect("invariants");
        assert_eq!(graph.edge_count().expect("a count"), 39 * 20);
    }
}

/// Each round of a batch counted the lists again that found no block.
#[test]
fn a_first_batch_of_many_rounds_takes_about_a_block_for_each_list_and_size() {
    for device in devices::devices() {
        let vertices = 3000;
        let mut graph = graph(&device, vertices, &SlabOptions::DEFAULT);
        // 12 edges at each vertex, in an order in which every round has all of them.
        let round = |at| (0..vertices).map(move |v| edge(v, (v + at) % vertices));
        let edges: Vec<_> = (0..12).flat_map(round).collect();
        graph.apply(&Batch::new().insert(&edges)).expect("a batch");
        graph.check_invariants().expect("invariants");
        let count = blocks(&graph);
        // Lists of 4, 8 and 16 places.
        assert!(count < 4 * u64::from(vertices), "{count} blocks for {vertices} lists");
    }
}

#[test]
fn room_is_reserved_for_no_more_lists_than_there_are() {
    for device in devices::devices() {
        let block = BlockOptions { least: 1 << 12, ..BlockOptions::DEFAULT };
        let options = SlabOptions { block, ..SlabOptions::DEFAULT };
        let mut graph = graph(&device, 9, &options);
        graph.reserve(30_000).expect("room");
        assert!(blocks(&graph) <= 9 * 4, "{} blocks for 9 lists", blocks(&graph));
        // No list can need that much.
        graph.reserve(u64::MAX).expect("room");
        graph.check_invariants().expect("invariants");
    }
}

#[test]
fn snapshots_keep_how_large_blocks_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("graph");
    for block in [BlockOptions::DEFAULT, BlockOptions::CUSTINGER, BlockOptions::AIM] {
        let options = SlabOptions { block, ..SlabOptions::DEFAULT };
        graph(&Device::cpu(), 9, &options).save(&path).expect("a file");
        let loaded = BlockGraph::<()>::load(&Device::cpu(), &path).expect("a graph");
        assert_eq!(loaded.options().block, block);
    }
}

/// A list of 5,000 of which a fourth leaves stays in its block, and one of which most leave gets a smaller one; both
/// are closed up by a block, and keep what is left.
#[test]
fn a_list_of_5000_that_loses_some_and_then_most_keeps_the_others() {
    for device in devices::devices() {
        let weighted = |dst| Edge { src: 3, dst, weight: dst ^ 77 };
        let all: Vec<_> = (0..5000).map(|at| weighted(at * 7 % 5003)).collect();
        let bare: Vec<_> = all.iter().map(|arc| edge(3, arc.dst)).collect();
        let options = SlabOptions::DEFAULT;
        let mut weights =
            BlockGraph::<u32>::from_edges(&device, 6000, &all, &options).expect("a graph");
        let mut keys = BlockGraph::from_edges(&device, 6000, &bare, &options).expect("a graph");
        let mut left = 5000;
        for leave in [1300, 3500] {
            let gone = 5000 - left..5000 - left + leave;
            weights.apply(&Batch::new().delete(&all[gone.clone()])).expect("a batch");
            keys.apply(&Batch::new().delete(&bare[gone])).expect("a batch");
            left -= leave;
            let mut expected: Vec<_> =
                all[5000 - left..].iter().map(|arc| (arc.dst, arc.weight)).collect();
            expected.sort_unstable();
            let mut found = weights.neighbors(3).expect("neighbours");
            found.sort_unstable();
            assert_eq!(found, expected, "{left} left");
            let mut found: Vec<_> =
                keys.neighbors(3).expect("neighbours").into_iter().map(|(dst, ())| dst).collect();
            found.sort_unstable();
            assert!(found.iter().eq(expected.iter().map(|(dst, _)| dst)), "{left} left");
            weights.check_invariants().expect("invariants");
            keys.check_invariants().expect("invariants");
        }
    }
}
