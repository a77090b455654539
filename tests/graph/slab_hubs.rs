//! Vertices that outgrow their slab lists: what an edge at a hub costs stays what it is, and
//! the graph stays right, also where there is no memory for other lists.

use crate::hashes::in_slabs;
use crate::support::devices::devices;
use crate::support::random::Random;
use crate::walk::updates_of;
use meerkat::prelude::*;
use meerkat::runtime::MemoryFaults;
use meerkat::runtime::graph::Update;
use std::collections::BTreeMap;

const VERTICES: u32 = 20_000;
/// The longest list of a graph after a batch: long ones have 8 slabs, and a batch adds some.
const SHORT: u64 = 12;

fn kinds() -> [SlabOptions; 4] {
    let options = SlabOptions::DEFAULT;
    let tracked = SlabOptions { track_updates: true, ..options };
    [
        options,
        options.oriented(Orientation::Both),
        options.undirected(),
        tracked.oriented(Orientation::Both),
    ]
}

/// A graph in which a hub of some thousands of edges is no reason to lay all of it out again.
fn base(weight: u32) -> Vec<Edge<u32>> {
    (0..VERTICES).map(|src| Edge { src, dst: (src + 1) % VERTICES, weight }).collect()
}

#[track_caller]
fn check<W: Weight>(graph: &SlabGraph<W>, edges: u64, place: &str) {
    graph.check_invariants().unwrap_or_else(|broken| panic!("{place}: {broken}"));
    assert_eq!(graph.edge_count().expect("a count"), edges, "{place}");
}

fn longest_list<W: Weight>(graph: &SlabGraph<W>) -> u64 {
    let sides = [graph.out_edges(), graph.in_edges()].into_iter().flatten();
    sides.map(|side| side.statistics().expect("statistics").longest_chain).max().unwrap_or(0)
}

#[test]
fn the_lists_of_a_growing_hub_stay_short() {
    for device in devices() {
        for options in kinds() {
            let mut graph =
                SlabGraph::from_edges(&device, VERTICES, &base(1), &options).expect("a graph");
            let arcs = graph.edge_count().expect("a count");
            let both = u64::from(options.direction == Direction::Undirected) + 1;
            for batch in 0..8 {
                let edge = |at| Edge { src: 7, dst: 9 + batch * 600 + at, weight: at };
                let edges: Vec<_> = (0..600).map(edge).collect();
                graph.insert(&edges).expect("edges");
                let place = format!("{options:?}, batch {batch} on {}", device.name());
                if options.track_updates {
                    let updates = updates_of(graph.out_edges().expect("edges")).expect("updates");
                    assert!(updates == edges, "{place}: {} updates", updates.len());
                    graph.update_slab_pointers().expect("pointers");
                    let updates = updates_of(graph.out_edges().expect("edges")).expect("updates");
                    assert_eq!(updates, [], "{place}");
                }
                check(&graph, arcs + 600 * both * u64::from(batch + 1), &place);
                let longest = longest_list(&graph);
                assert!(longest <= SHORT, "{place}: a list of {longest} slabs");
            }
            // 4,801 neighbours in one list take 320 slabs of 15 pairs.
            let neighbors = graph.neighbors(7).expect("neighbours");
            let expected = |&(dst, weight): &(u32, u32)| match dst {
                8 => weight == 1,
                6 => both == 2,
                dst => weight == (dst - 9) % 600,
            };
            assert!(neighbors.len() as u64 == 4800 + both && neighbors.iter().all(expected));
        }
    }
}

#[test]
fn a_hub_whose_neighbours_come_and_go_keeps_its_lists_and_memory() {
    for device in devices() {
        let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
        let edges: Vec<_> =
            base(0).iter().map(|edge| Edge { src: edge.src, dst: edge.dst, weight: () }).collect();
        let mut graph =
            SlabGraph::from_edges(&device, VERTICES, &edges, &options).expect("a graph");
        let (mut slabs, mut before) = (Vec::new(), Vec::new());
        for batch in 0..24 {
            let edge = |at: u32| Edge { src: at * 3, dst: 5, weight: () };
            let hub: Vec<Edge> = (batch * 200 + 2..batch * 200 + 402).map(edge).collect();
            graph.delete(&before).expect("edges");
            graph.insert(&hub).expect("edges");
            before = hub;
            check(&graph, u64::from(VERTICES) + 400, &format!("batch {batch}"));
            let longest = longest_list(&graph);
            assert!(longest <= 22, "a list of {longest} slabs");
            slabs.push(graph.slab_count().expect("a count"));
        }
        // 9,600 insertions leave as many tombstones, which fill 310 slabs.
        let (first, last) = (slabs[2], slabs[23]);
        assert!(last <= first + 100, "{first} slabs, then {last}");
    }
}

/// One list of 1,000 slabs, before, that each of the edges walked.
#[test]
fn a_hub_of_30000_edges_in_one_batch_is_laid_out_meanwhile() {
    let hub: Vec<_> = (0..30_000).map(|at| Edge { src: 5, dst: at % 15_000, weight: () }).collect();
    for device in devices() {
        for options in kinds() {
            let options = SlabOptions { track_updates: false, ..options };
            let base = Edge { src: 5, dst: 3, weight: () };
            let mut graph =
                SlabGraph::from_edges(&device, VERTICES, &[base], &options).expect("a graph");
            let change = graph.apply(&Batch::new().insert(&hub)).expect("edges");
            let arcs = match options.direction {
                Direction::Directed => 15_000,
                Direction::Undirected => 2 * 15_000 - 1,
            };
            let place = format!("{options:?} on {}", device.name());
            let already = if arcs == 15_000 { 1 } else { 2 };
            assert_eq!(change.inserted().len() as u64, arcs - already, "{place}");
            check(&graph, arcs, &place);
            let longest = longest_list(&graph);
            assert!(longest <= SHORT, "{place}: a list of {longest} slabs");
        }
    }
}

/// No number of lists tells these keys apart.
#[test]
fn neighbours_whose_hashes_are_alike_are_inserted_all_the_same() {
    let is_alike = |key: &u32| in_slabs(*key) < 1 << 22;
    let keys: Vec<u32> = (0..2_000_000).filter(is_alike).collect();
    assert!(keys.len() > 1500, "{}", keys.len());
    let edges: Vec<_> = keys.iter().map(|&dst| Edge { src: 0, dst, weight: () }).collect();
    for device in devices() {
        let options = SlabOptions::DEFAULT;
        let mut graph = SlabGraph::from_edges(&device, 2_000_000, &[], &options).expect("a graph");
        graph.insert(&edges).expect("edges");
        check(&graph, edges.len() as u64, &device.name());
        assert!(longest_list(&graph) > 32);
    }
}

/// Other lists are no shorter, and each layout takes slabs that were never in use: after every batch
/// the vertex was laid out once more.
#[test]
fn a_vertex_whose_neighbours_hash_alike_is_not_laid_out_after_every_batch() {
    let mut keys: Vec<u32> = (2..6000).collect();
    keys.sort_by_key(|key| in_slabs(*key));
    let edge = |src, dst| Edge { src, dst, weight: () };
    let hub: Vec<_> = keys[..400].iter().map(|&dst| edge(0, dst)).collect();
    for device in devices() {
        let mut built =
            SlabGraph::from_edges(&device, 6000, &hub, &SlabOptions::DEFAULT).expect("a graph");
        let mut grown =
            SlabGraph::from_edges(&device, 6000, &[], &SlabOptions::DEFAULT).expect("a graph");
        for part in hub.chunks(30) {
            grown.insert(part).expect("edges");
        }
        for graph in [&mut built, &mut grown] {
            let size = |graph: &SlabGraph| {
                let statistics = graph.out_edges().expect("edges").statistics();
                let statistics = statistics.expect("statistics");
                (statistics.slab_capacity, statistics.slabs, statistics.slab_lists)
            };
            graph.insert(&[edge(1, 0)]).expect("an edge");
            let before = size(graph);
            for _ in 0..20 {
                graph.delete(&[edge(1, 0)]).expect("an edge");
                graph.insert(&[edge(1, 0)]).expect("an edge");
            }
            assert_eq!(size(graph), before, "on {}", device.name());
            check(graph, 401, "alike");
        }
    }
}

/// The build has memory for what hashes that are spread take, and finds out that these need more.
#[test]
fn a_graph_of_neighbours_whose_hashes_are_alike_is_built_with_all_of_them() {
    let is_alike = |key: &u32| in_slabs(*key) < 1 << 22;
    let keys: Vec<u32> = (0..300_000).filter(is_alike).collect();
    let edges: Vec<_> = (0..1000)
        .flat_map(|src| keys.iter().map(move |&dst| Edge { src, dst, weight: () }))
        .collect();
    // Some of them twice: which are repeated has to be found out again.
    let repeated = [&edges[..], &edges[7_000..19_000]].concat();
    for device in devices() {
        for options in [SlabOptions::DEFAULT, SlabOptions::DEFAULT.undirected()] {
            let mut graph =
                SlabGraph::from_edges(&device, 300_000, &repeated, &options).expect("a graph");
            let arcs = graph.edge_count().expect("a count");
            let loops = keys.iter().filter(|&&key| key < 1000).count() as u64;
            let place = format!("{options:?} on {}", device.name());
            match options.direction {
                Direction::Directed => assert_eq!(arcs, edges.len() as u64, "{place}"),
                // Each loop is one arc, and so are two of the edges among these vertices.
                Direction::Undirected => {
                    assert_eq!(arcs, 2 * edges.len() as u64 - loops * loops, "{place}");
                }
            }
            check(&graph, arcs, &place);
            assert!(graph.slab_count().expect("a count") > 300_000 + 1000 * 8, "{place}");
            graph.delete(&edges).expect("edges");
            assert_eq!(graph.edge_count().expect("a count"), 0, "{place}");
        }
    }
}

#[test]
fn without_hashing_a_vertex_keeps_its_one_list() {
    for device in devices() {
        let options = SlabOptions { hashing: false, ..SlabOptions::DEFAULT };
        let mut graph =
            SlabGraph::from_edges(&device, VERTICES, &base(1), &options).expect("a graph");
        let hub: Vec<_> = (0..1500).map(|dst| Edge { src: 3, dst, weight: 2 }).collect();
        graph.insert(&hub).expect("edges");
        let statistics = graph.out_edges().expect("out-edges").statistics().expect("statistics");
        assert_eq!(statistics.slab_lists, u64::from(VERTICES));
        // 1,500 neighbours, and a tombstone where one got another weight.
        assert_eq!(statistics.longest_chain, 101);
        check(&graph, u64::from(VERTICES) + 1499, "one list");
    }
}

/// Hubs that grow and shrink, against a map; in every fourth batch an allocation fails, and
/// half of the graphs have few slabs to spare.
#[track_caller]
fn hubs_against_a_map<W: Weight + PartialEq>(seed: u64, with: impl Fn(u32) -> W) {
    for device in devices() {
        let faults = MemoryFaults::new();
        let device = device.with_memory_faults(&faults);
        let (mut random, mut refused) = (Random::new(seed), 0);
        for (at, options) in kinds().into_iter().enumerate() {
            let max_slabs = [options.max_slabs, 21_500][at % 2];
            let options = SlabOptions { max_slabs, ..options };
            let start: Vec<_> = base(0)
                .into_iter()
                .map(|edge| Edge { src: edge.src, dst: edge.dst, weight: with(edge.weight) })
                .collect();
            let mut graph =
                SlabGraph::from_edges(&device, VERTICES, &start, &options).expect("a graph");
            let is_undirected = options.direction == Direction::Undirected;
            let mut model = BTreeMap::new();
            let put = |model: &mut BTreeMap<(u32, u32), W>, edge: &Edge<W>| {
                model.insert((edge.src, edge.dst), edge.weight);
                if is_undirected {
                    model.insert((edge.dst, edge.src), edge.weight);
                }
            };
            start.iter().for_each(|edge| put(&mut model, edge));
            for round in 0..24 {
                let hub = random.below(4);
                let gone: Vec<_> = model
                    .range((hub, 0)..=(hub, u32::MAX))
                    .filter(|_| random.below(3) == 0)
                    .map(|(&(src, dst), &weight)| Edge { src, dst, weight })
                    .collect();
                let count = random.below(700);
                let new: Vec<_> = (0..count)
                    .map(|_| {
                        let (other, weight) = (random.below(3000), with(random.below(9)));
                        match random.below(2) {
                            0 => Edge { src: hub, dst: other, weight },
                            _ => Edge { src: other, dst: hub, weight },
                        }
                    })
                    .collect();
                let batch = match random.below(3) {
                    0 => Batch::new().delete(&gone),
                    1 => Batch::new().insert(&new),
                    _ => Batch::new().delete(&gone).insert(&new),
                };
                match random.below(4) {
                    0 => faults.fail_once(random.below(24)),
                    1 => faults.fail_from(random.below(24)),
                    _ => {}
                }
                let applied = graph.apply(&batch);
                faults.heal();
                if applied.is_ok() {
                    for update in batch.updates() {
                        match update {
                            Update::Insert(edge) => put(&mut model, &edge),
                            Update::Delete(edge) => {
                                model.remove(&(edge.src, edge.dst));
                                if is_undirected {
                                    model.remove(&(edge.dst, edge.src));
                                }
                            }
                        }
                    }
                } else {
                    refused += 1;
                }
                if options.track_updates {
                    graph.update_slab_pointers().expect("pointers");
                }
                let place = format!("seed {seed}, {options:?}, round {round}, {}", device.name());
                let edges = graph.to_edges().expect("edges");
                let found = edges.iter().map(|edge| ((edge.src, edge.dst), edge.weight));
                assert!(found.eq(model.iter().map(|(&arc, &weight)| (arc, weight))), "{place}");
                check(&graph, model.len() as u64, &place);
            }
        }
        assert!(refused >= 3, "{refused} refused");
    }
}

#[test]
fn hubs_that_grow_and_shrink_are_right_also_where_memory_runs_out_unweighted() {
    hubs_against_a_map(1, |_| ());
}

#[test]
fn hubs_that_grow_and_shrink_are_right_also_where_memory_runs_out_u32() {
    hubs_against_a_map(2, |weight| weight);
}
