//! Batches that are applied in parts, against a set of edges: also those of which a later part
//! is refused, or finds no memory.

use std::collections::BTreeSet;

use super::super::batch::Batch;
use super::super::dynamic_graph::SlabGraph;
use super::super::options::{Compaction, Orientation, SlabOptions};
use crate::cuda::test_support;
use crate::device::{Device, DeviceBuffer, MemoryFaults};
use crate::{Edge, Error, ErrorKind};

const VERTICES: u32 = 40;
const DELETED: u32 = 7;

type Arcs = BTreeSet<(u32, u32)>;

fn edge((src, dst): (u32, u32)) -> Edge {
    Edge { src, dst, weight: () }
}

fn listed(edges: &DeviceBuffer<Edge>) -> Vec<(u32, u32)> {
    let mut arcs: Vec<_> =
        edges.to_vec().expect("edges").iter().map(|edge| (edge.src, edge.dst)).collect();
    arcs.sort_unstable();
    arcs
}

fn devices() -> Vec<Device> {
    let mut devices = vec![Device::cpu()];
    if test_support::context().is_some() {
        devices.push(Device::cuda(0).expect("device 0"));
    }
    devices
}

/// A graph and its model.
struct Case {
    graph: SlabGraph,
    model: Arcs,
    undirected: bool,
    random: fastrand::Rng,
}

impl Case {
    fn new(device: &Device, options: &SlabOptions, seed: u64) -> Self {
        let mut graph = SlabGraph::from_edges(device, VERTICES, &[], options).expect("a graph");
        graph.delete_vertices(&[DELETED]).expect("a vertex");
        let undirected = options.direction == crate::Direction::Undirected;
        let random = fastrand::Rng::with_seed(seed);
        Case { graph, model: Arcs::new(), undirected, random }
    }

    /// Arcs that a graph takes, some of them several times.
    fn arcs(&mut self) -> Vec<(u32, u32)> {
        let count = self.random.usize(1..90);
        let mut vertex = || loop {
            match self.random.u32(..VERTICES) {
                DELETED => {}
                vertex => break vertex,
            }
        };
        (0..count).map(|_| (vertex(), vertex())).collect()
    }

    fn batch(deletes: bool, arcs: &[(u32, u32)]) -> Batch {
        let edges: Vec<_> = arcs.iter().copied().map(edge).collect();
        if deletes { Batch::new().delete(edges) } else { Batch::new().insert(edges) }
    }

    /// Applies a batch by parts, and compares graph and lists of what changed.
    fn apply(&mut self, deletes: bool, arcs: &[(u32, u32)], part: usize) -> Result<(), Error> {
        let change = self.graph.apply_parts_of(&Self::batch(deletes, arcs), part)?;
        let mut changed = Arcs::new();
        for &(src, dst) in arcs {
            let both = [(src, dst), (dst, src)];
            for &arc in if self.undirected { &both[..] } else { &both[..1] } {
                let is_new = if deletes { self.model.remove(&arc) } else { self.model.insert(arc) };
                if is_new {
                    changed.insert(arc);
                }
            }
        }
        let (full, empty) = match deletes {
            true => (change.deleted(), change.inserted()),
            false => (change.inserted(), change.deleted()),
        };
        assert!(listed(full).into_iter().eq(changed) && empty.is_empty());
        Ok(())
    }

    fn check(&self) {
        let edges = self.graph.to_edges().expect("edges");
        assert!(edges.iter().map(|edge| (edge.src, edge.dst)).eq(self.model.iter().copied()));
        self.graph.check_invariants().expect("invariants");
    }
}

fn kinds() -> [SlabOptions; 4] {
    let options = SlabOptions { track_updates: true, ..SlabOptions::DEFAULT };
    [
        options,
        options.oriented(Orientation::In),
        options.oriented(Orientation::Both),
        options.undirected(),
    ]
}

#[test]
fn a_batch_in_parts_changes_what_the_batch_changes_and_one_that_is_refused_changes_nothing() {
    for device in devices() {
        for (seed, options) in kinds().iter().enumerate() {
            let mut case = Case::new(&device, options, seed as u64);
            let mut refused = 0;
            for round in 0..60 {
                let (deletes, part) = (round % 3 == 2, case.random.usize(1..40));
                let mut arcs = case.arcs();
                case.apply(deletes, &arcs, part).expect("applied");
                case.check();

                let at = case.random.usize(..arcs.len());
                let wrong = if deletes { VERTICES } else { DELETED };
                arcs = case.arcs();
                arcs.insert(at.min(arcs.len()), (wrong, 3));
                let error = case.apply(deletes, &arcs, part).expect_err("refused");
                let index = at.min(arcs.len() - 1);
                match *error.kind() {
                    ErrorKind::VertexDeleted { index: found, vertex: DELETED, .. }
                    | ErrorKind::VertexOutOfRange { index: found, src: VERTICES, .. } => {
                        assert_eq!(found, index);
                    }
                    _ => panic!("{error}"),
                }
                refused += 1;
                case.check();
            }
            assert_eq!(refused, 60);
        }
    }
}

#[test]
fn a_batch_in_parts_that_finds_no_memory_or_no_slab_changes_nothing() {
    let mut refused = 0;
    for device in devices() {
        for (seed, options) in kinds().iter().enumerate() {
            let faults = MemoryFaults::new();
            let device = device.clone().with_memory_faults(&faults);
            let compaction = Compaction::OnDemand;
            let options = SlabOptions { hashing: false, max_slabs: 70, compaction, ..*options };
            let mut case = Case::new(&device, &options, seed as u64);
            for round in 0..80 {
                let arcs = case.arcs();
                let (deletes, part) = (case.random.bool(), case.random.usize(1..40));
                match round % 2 {
                    0 => faults.fail_once(case.random.u32(..6)),
                    _ => faults.fail_from(case.random.u32(..6)),
                }
                let applied = case.apply(deletes, &arcs, part);
                faults.heal();
                refused += u32::from(applied.is_err());
                case.check();
            }
            // A hub of more neighbours than a limit of slabs allows.
            let hub: Vec<_> = (0..VERTICES).filter(|&at| at != DELETED).collect();
            let all: Vec<_> = hub.iter().flat_map(|&u| hub.iter().map(move |&v| (u, v))).collect();
            let error = case.apply(false, &all, 100).expect_err("no slab");
            assert!(matches!(error.kind(), ErrorKind::SlabLimit { .. }), "{error}");
            case.check();
            case.graph.compact().expect("room");
            case.apply(false, &all[..4], 3).expect("applied");
            case.check();
        }
    }
    assert!(refused > 40, "{refused} refused");
}
