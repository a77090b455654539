//! Hubs that are marked as noted, so that they are noted once, are noted: a mark that stays for ever would
//! keep a hub from being laid out, until searches in it go through all its buckets.

use super::super::edges::CompactEdges;
use super::super::take::NOTED;
use crate::device::{Device, DeviceBuffer};
use crate::graph::batch::Batch;
use crate::graph::dynamic_graph::DynamicGraph;
use crate::graph::layout::Edge;
use crate::graph::options::SlabOptions;
use crate::{Vertex, Weight};

const VERTICES: u32 = 10_000;

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

#[test]
fn a_hub_that_grows_fast_is_laid_out_in_less_than_half_of_the_batches() {
    let mut graph = graph::<()>(&[]);
    let mut rows = Vec::new();
    for batch in 0..20 {
        graph
            .apply(&Batch::new().insert(edges(0..1, batch * 400..batch * 400 + 400)))
            .expect("a batch");
        let mut pairs = 0;
        let seen = graph.each_orientation(|lists, _| {
            let vertices = DeviceBuffer::from_slice(&lists.device, &[0])?;
            pairs = lists.described(&vertices)?.to_vec()?[0].pairs;
            Ok(())
        });
        seen.expect("a list");
        rows.push(pairs);
    }
    let all = rows.clone();
    rows.dedup();
    panic!("{all:?} {}", rows.len());
}
