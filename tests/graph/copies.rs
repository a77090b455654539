//! A container made of another one has its edges, and lives on as if it had been built of them.

use crate::support::devices;
use meerkat::prelude::*;
use meerkat::runtime::graph::{Adjacency, Csr};
use meerkat::runtime::{BlockEdges, CompactEdges, ErrorKind};
use std::collections::BTreeMap;

const VERTICES: u32 = 700;

type Model = BTreeMap<(u32, u32), u32>;

/// Lists of every length up to some, and hubs; the last vertex has a hub, too.
fn model() -> Model {
    let degree = |v: u32| match v {
        0..400 => v % 140,
        698 => 97,
        699 => 690,
        _ => v % 9,
    };
    let neighbor = |v: u32, i: u32| (v * 31 + i * 37 + 5) % VERTICES;
    let arcs = (0..VERTICES).flat_map(|v| (0..degree(v)).map(move |i| (v, neighbor(v, i))));
    arcs.map(|(src, dst)| ((src, dst), src * 7 + dst)).collect()
}

fn edges<W: Weight>(model: &Model) -> Vec<Edge<W>> {
    let edge = |(&(src, dst), &bits): (&(u32, u32), &u32)| {
        let weight = W::from_bits(if W::IS_WEIGHTED { bits } else { 0 });
        Edge { src, dst, weight }
    };
    model.iter().map(edge).collect()
}

fn found<L: EdgeLists>(graph: &DynamicGraph<L>) -> Vec<(u32, u32, u32)> {
    let edges = graph.to_edges().expect("edges");
    edges.iter().map(|edge| (edge.src, edge.dst, edge.weight.to_bits())).collect()
}

fn expected<W: Weight>(model: &Model) -> Vec<(u32, u32, u32)> {
    edges::<W>(model).iter().map(|edge| (edge.src, edge.dst, edge.weight.to_bits())).collect()
}

/// Copies a graph, and goes on with it: deletes a third, inserts it again and others, compacts.
fn check<L: EdgeLists, C: Container<Carried = L::Carried>>(source: &C, name: &str) {
    let mut model = model();
    let mut copy = DynamicGraph::<L>::of(source).expect("a copy");
    assert_eq!(found(&copy), expected::<L::Carried>(&model), "{name}");
    copy.check_invariants().expect("a sound copy");
    let third: Vec<Edge<L::Carried>> = edges(&model).into_iter().step_by(3).collect();
    copy.apply(&Batch::new().delete(&third)).expect("deleted");
    let new = (0..VERTICES).map(|v| ((v, (v * 11 + 3) % VERTICES), v + 1)).collect();
    let (new, mut all) = (edges::<L::Carried>(&new), third);
    all.extend(&new);
    copy.apply(&Batch::new().insert(&all)).expect("inserted");
    model.extend(new.iter().map(|edge| ((edge.src, edge.dst), edge.weight.to_bits())));
    assert_eq!(found(&copy), expected::<L::Carried>(&model), "{name}, after batches");
    copy.check_invariants().expect("a sound graph");
    copy.compact().expect("compacted");
    assert_eq!(found(&copy), expected::<L::Carried>(&model), "{name}, compacted");
    copy.check_invariants().expect("a sound compacted graph");
    let degrees = copy.out_degrees().expect("degrees");
    let counted = |v| model.range((v, 0)..(v + 1, 0)).count() as u32;
    assert!((0..VERTICES).map(counted).eq(degrees), "{name}: degrees");
}

fn check_all<W: Weight>(device: &Device) {
    let mut edges = edges::<W>(&model());
    // In no order, and with tombstones.
    edges.sort_by_key(|edge| (edge.dst.wrapping_mul(0x9e37_79b9), edge.src));
    let gone: Vec<_> = (0..VERTICES).map(|v| (v, (v * 13 + 1) % VERTICES)).collect();
    let gone: Vec<_> = gone.iter().filter(|arc| !model().contains_key(arc)).collect();
    let gone = gone.iter().map(|&&(src, dst)| Edge { src, dst, weight: W::from_bits(0) });
    let gone: Vec<Edge<W>> = gone.collect();
    let all = [edges, gone.clone()].concat();
    let (options, n) = (SlabOptions::DEFAULT, VERTICES);
    let mut slabs = SlabGraph::from_edges(device, n, &all, &options).expect("slabs");
    let mut compact = CompactGraph::from_edges(device, n, &all, &options).expect("compact slabs");
    let mut blocks = BlockGraph::from_edges(device, n, &all, &options).expect("block arrays");
    slabs.delete(&gone).expect("deleted");
    compact.delete(&gone).expect("deleted");
    blocks.delete(&gone).expect("deleted");
    let rows = RowGraph::of(&slabs).expect("rows");
    let ascending = RowGraph::from_csr(device, &slabs.to_csr().expect("rows")).expect("rows");
    fn check_into<W: Weight, C: Container<Carried = W>>(source: &C, name: &str) {
        check::<Adjacency<W>, C>(source, &format!("slabs of {name}"));
        check::<CompactEdges<W>, C>(source, &format!("compact slabs of {name}"));
        check::<BlockEdges<W>, C>(source, &format!("block arrays of {name}"));
    }
    check_into(&slabs, "slabs");
    check_into(&compact, "compact slabs");
    check_into(&blocks, "block arrays");
    check_into(&rows, "rows");
    check_into(&ascending, "ascending rows");
}

#[test]
fn every_container_made_of_every_other_lives_on() {
    for device in devices::devices() {
        check_all::<()>(&device);
        check_all::<u32>(&device);
    }
}

#[test]
fn compact_slabs_made_of_slabs_live_on_under_each_of_8_schedules() {
    for schedule in Schedule::ALL {
        let device = Device::cpu().with_schedule(schedule);
        let edges = edges::<()>(&model());
        let slabs = SlabGraph::from_edges(&device, VERTICES, &edges, &SlabOptions::DEFAULT);
        check::<CompactEdges, _>(&slabs.expect("slabs"), schedule.name());
    }
}

#[test]
fn rows_that_name_a_neighbour_twice_become_a_graph_that_has_it_once() {
    for device in devices::devices() {
        for row in [vec![1, 1, 2], vec![2, 1, 2], vec![1, 2, 3, 3, 3]] {
            let offsets = vec![0, row.len() as u64, row.len() as u64, row.len() as u64 + 1];
            let neighbors = [row.clone(), vec![0]].concat();
            let weights = vec![(); neighbors.len()];
            let csr = Csr {
                offsets: [offsets, vec![neighbors.len() as u64]].concat(),
                neighbors,
                weights,
            };
            let rows = RowGraph::from_csr(&device, &csr).expect("rows");
            let mut once = row;
            once.sort_unstable();
            once.dedup();
            let expected: Vec<_> = once.iter().map(|&dst| (0, dst, 0)).chain([(2, 0, 0)]).collect();
            let mut copy = CompactGraph::of(&rows).expect("a copy");
            assert_eq!(found(&copy), expected);
            copy.delete(&[Edge { src: 0, dst: once[0], weight: () }]).expect("deleted");
            assert_eq!(found(&copy), expected[1..]);
        }
    }
}

#[vertex_operator]
fn double(v: Vertex, values: &mut [u32]) {
    values[v] = values[v] * 2;
}

/// What was queued on a device is done before what comes on the other, and the other way round.
#[test]
fn a_buffer_goes_to_the_device_for_readers_and_comes_back() {
    const COUNT: u32 = 1_500_000;
    for device in devices::devices() {
        let readers = device.for_readers().expect("a device");
        assert_eq!(readers, device.for_readers().expect("a device"));
        assert_eq!(readers, readers.for_readers().expect("a device"));
        assert_eq!(device.is_cuda(), readers != device);
        let values: Vec<u32> = (0..COUNT).collect();
        let mut buffer = DeviceBuffer::from_slice(&device, &values).expect("a buffer");
        for at in [&device, &readers, &device, &readers] {
            buffer = buffer.moved_to(at).expect("a move");
            double::launch(at, 0..COUNT, &mut buffer).expect("a launch");
        }
        let read = buffer.to_vec().expect("values");
        assert!(values.iter().zip(&read).all(|(before, after)| before * 16 == *after));
        if device.is_cuda() {
            let refused = double::launch(&device, 0..COUNT, &mut buffer).expect_err("refused");
            assert!(matches!(refused.kind(), ErrorKind::WrongDevice { .. }), "{refused}");
            let refused = buffer.moved_to(&Device::cpu()).expect_err("refused");
            assert!(refused.to_string().contains("for readers"), "{refused}");
        }
    }
}
