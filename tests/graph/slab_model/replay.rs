//! A sequence on the graph and on the model.

use super::model::Model;
use super::sequence::{Operation, Sequence, Step};
use crate::walk::updates_under;
use meerkat::prelude::*;
use meerkat::runtime::graph::{Adjacency, Update, count_neighbors};
use meerkat::runtime::{BlockEdges, Change, CompactEdges, Error, MemoryFaults, PinnedBatch};
use std::fmt::Debug;

/// A weight with samples.
pub(crate) trait Sample: Weight + PartialEq + Debug {
    const NAME: &str;
    fn sample(number: u32) -> Self;
}

impl Sample for () {
    const NAME: &str = "unweighted graphs";
    fn sample(_number: u32) {}
}

impl Sample for u32 {
    const NAME: &str = "graphs with u32";
    fn sample(number: u32) -> u32 {
        number
    }
}

impl Sample for f32 {
    const NAME: &str = "graphs with f32";
    fn sample(number: u32) -> f32 {
        [0.0, -0.0, 1.5, f32::INFINITY, -7.0, f32::MIN_POSITIVE][number as usize % 6]
    }
}

/// Lists in a container, of edges with samples.
pub(crate) trait Sampled: EdgeLists<Carried: Sample> {
    const NAME: &str;
    /// Whether edges that get a new weight in bulk are updates.
    const REWEIGHTED_ARE_UPDATES: bool;
    /// How many slabs are in use, if it says so.
    fn slabs(&self) -> Result<Option<u64>, Error>;
}

impl<W: Sample> Sampled for Adjacency<W> {
    const NAME: &str = "slabs";
    const REWEIGHTED_ARE_UPDATES: bool = false;
    fn slabs(&self) -> Result<Option<u64>, Error> {
        self.slab_count().map(|count| Some(count.into()))
    }
}

impl<W: Sample> Sampled for CompactEdges<W> {
    const NAME: &str = "compact slabs";
    const REWEIGHTED_ARE_UPDATES: bool = true;
    fn slabs(&self) -> Result<Option<u64>, Error> {
        Ok(None)
    }
}

impl<W: Sample> Sampled for BlockEdges<W> {
    const NAME: &str = "block arrays";
    const REWEIGHTED_ARE_UPDATES: bool = true;
    fn slabs(&self) -> Result<Option<u64>, Error> {
        Ok(None)
    }
}

/// What does not agree, or what failed.
type Outcome<T = ()> = Result<T, String>;

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(what()) }
}

fn done<T>(what: &str, result: Result<T, Error>) -> Outcome<T> {
    result.map_err(|error| format!("{what}: {error}"))
}

/// Replays a sequence; an error says after which operation what differs. Returns how often lists were
/// laid out again.
pub(crate) fn replay<L: Sampled>(device: &Device, sequence: &Sequence) -> Outcome<u64> {
    let mut pair = Pair::<L>::new(device, sequence)?;
    pair.compare(0).map_err(|what| format!("as built: {what}"))?;
    for (at, operation) in sequence.operations.iter().enumerate() {
        pair.perform(operation)
            .and_then(|()| pair.compare(at))
            .map_err(|what| format!("operation {at}, {operation:?}: {what}"))?;
    }
    Ok(pair.graph.counters().layouts)
}

/// The same where memory runs out at each operation that is all or nothing: it must leave the
/// graph as it was, and works the second time. Returns how many were refused.
pub(crate) fn replay_refusals<L: Sampled>(device: &Device, sequence: &Sequence) -> Outcome<u32> {
    let faults = MemoryFaults::new();
    let mut pair = Pair::<L>::new(&device.clone().with_memory_faults(&faults), sequence)?;
    let mut refused = 0;
    for (at, operation) in sequence.operations.iter().enumerate() {
        let wrong = |what: String| format!("operation {at}, {operation:?}: {what}");
        if operation.is_all_or_nothing() {
            // Other places in other sequences, the same in the same one.
            let draw = at * 7 + sequence.base.len() * 3 + sequence.operations.len();
            let successes = (draw % 12) as u32;
            match draw / 12 % 2 {
                0 => faults.fail_once(successes),
                _ => faults.fail_from(successes),
            }
            let before = pair.model.clone();
            let performed = pair.perform(operation);
            match (performed, faults.heal()) {
                (Ok(()), _) => {
                    pair.compare(at).map_err(wrong)?;
                    continue;
                }
                (Err(_), true) => {
                    refused += 1;
                    pair.model = before;
                    pair.forget_updates()?;
                    pair.compare(at).map_err(|what| wrong(format!("refused: {what}")))?;
                }
                (Err(what), false) => return Err(wrong(what)),
            }
        }
        pair.perform(operation).and_then(|()| pair.compare(at)).map_err(wrong)?;
    }
    Ok(refused)
}

struct Pair<L: Sampled> {
    graph: DynamicGraph<L>,
    model: Model<L::Carried>,
}

impl<L: Sampled> Pair<L> {
    fn new(device: &Device, sequence: &Sequence) -> Outcome<Self> {
        let mut model = Model::new(sequence.options.direction, sequence.vertices);
        let base: Vec<_> = edges(&model.live(), &sequence.base);
        base.iter().for_each(|edge| model.insert(edge));
        let graph = DynamicGraph::from_edges(device, sequence.vertices, &base, &sequence.options);
        Ok(Pair { graph: done("build", graph)?, model })
    }

    fn perform(&mut self, operation: &Operation) -> Outcome {
        match operation {
            Operation::Apply(steps) => self.batch(steps, |graph, batch| graph.apply(batch)),
            Operation::ApplyOnDevice(steps) => self.batch(steps, |graph, batch| {
                let on_device = batch.to_device(graph.device())?;
                graph.apply(&on_device)
            }),
            Operation::ApplyPinned(steps) => self.batch(steps, |graph, batch| {
                let mut pinned = PinnedBatch::new(graph.device(), batch.len())?;
                for update in batch.updates() {
                    match update {
                        Update::Insert(edge) => pinned.insert(&[edge])?,
                        Update::Delete(edge) => pinned.delete(&[edge])?,
                    }
                }
                graph.apply(&pinned.upload()?)
            }),
            Operation::Churn(steps, times) => (0..2 * *times).try_for_each(|at| {
                let step = |step: &Step| Step { inserts: at.is_multiple_of(2), ..*step };
                let steps: Vec<_> = steps.iter().map(step).collect();
                self.batch(&steps, |graph, batch| graph.apply(batch))
            }),
            Operation::ApplyHalves(steps) => self.batch(steps, |graph, batch| {
                let change = graph.change_of(batch)?;
                graph.apply_deletions(&change)?;
                graph.apply_insertions(&change)?;
                Ok(change)
            }),
            Operation::Undo(steps) => {
                let change = self.graph.change_of(&batch(&self.model.live(), steps));
                let change = done("change", change)?;
                done("deletions", self.graph.apply_deletions(&change))?;
                done("undo", self.graph.undo_deletions(&change))?;
                // They may lie elsewhere now: as updates, or as none.
                self.forget_updates()
            }
            Operation::Alternate(step, times) => (0..*times).try_for_each(|at| {
                let step = Step { inserts: at.is_multiple_of(2), ..*step };
                self.batch(&[step], |graph, batch| graph.apply(batch))
            }),
            Operation::InsertBuffer(steps) => self.insert_buffer(steps),
            Operation::DeleteBuffer(steps) => self.delete_buffer(steps),
            Operation::InsertVertices(count) => {
                let ids = done("insertion", self.graph.insert_vertices(*count))?;
                let expected = self.model.insert_vertices(*count);
                ensure(ids == expected, || format!("ids {ids:?}, not {expected:?}"))
            }
            Operation::DeleteVertices(chosen) => {
                let chosen: Vec<_> = pick(&self.model.live(), chosen);
                self.model.delete_vertices(&chosen);
                done("deletion", self.graph.delete_vertices(&chosen))
            }
            Operation::Compact => {
                self.model.updates.clear();
                done("compaction", self.graph.compact())
            }
            Operation::ReserveSlabs(more) => {
                done("reserve", self.graph.reserve(u64::from(*more) * 15))
            }
            Operation::UpdatePointers => self.forget_updates(),
            Operation::Reopen => self.reopen(),
        }
    }

    fn batch(
        &mut self,
        steps: &[Step],
        apply: impl FnOnce(
            &mut DynamicGraph<L>,
            &Batch<L::Carried>,
        ) -> Result<Change<L::Carried>, Error>,
    ) -> Outcome {
        let before = self.model.clone();
        let batch = batch(&self.model.live(), steps);
        for update in batch.updates() {
            match update {
                Update::Insert(edge) => self.model.insert(&edge),
                Update::Delete(edge) => self.model.delete(&edge),
            }
        }
        self.model.note_updates(&before);
        let change = done("apply", apply(&mut self.graph, &batch))?;
        let (deleted, inserted) = (ascending(change.deleted())?, ascending(change.inserted())?);
        same("deleted edges", &deleted, &before.edges_not_in(&self.model))?;
        same("inserted edges", &inserted, &self.model.edges_not_in(&before))
    }

    fn insert_buffer(&mut self, steps: &[Step]) -> Outcome {
        let before = self.model.clone();
        let mut once = std::collections::BTreeMap::new();
        for edge in edges::<L::Carried>(&self.model.live(), steps) {
            once.insert((edge.src.min(edge.dst), edge.src.max(edge.dst)), edge);
        }
        let edges: Vec<_> = once.into_values().collect();
        edges.iter().for_each(|edge| self.model.insert(edge));
        match L::REWEIGHTED_ARE_UPDATES {
            true => self.model.note_updates(&before),
            false => self.model.note_new_keys(&before),
        }
        let buffer = done("copy", DeviceBuffer::from_slice(self.graph.device(), &edges))?;
        done("insertion", self.graph.insert_buffer(&buffer))
    }

    fn delete_buffer(&mut self, steps: &[Step]) -> Outcome {
        let before = self.model.clone();
        let edges: Vec<_> = edges(&self.model.live(), steps);
        edges.iter().for_each(|edge| self.model.delete(edge));
        self.model.note_updates(&before);
        let buffer = done("copy", DeviceBuffer::from_slice(self.graph.device(), &edges))?;
        done("deletion", self.graph.delete_buffer(&buffer))
    }

    fn forget_updates(&mut self) -> Outcome {
        if !self.graph.options().track_updates {
            return Ok(());
        }
        self.model.updates.clear();
        done("pointers", self.graph.update_slab_pointers())
    }

    fn reopen(&mut self) -> Outcome {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("graph");
        done("save", self.graph.save(&path))?;
        let loaded = DynamicGraph::load(self.graph.device(), &path);
        let options = *self.graph.options();
        self.graph = done("load", loaded)?;
        self.model.updates.clear();
        ensure(*self.graph.options() == options, || "other options".to_owned())
    }

    /// All that can be asked of the graph.
    fn compare(&self, round: usize) -> Outcome {
        let (graph, model) = (&self.graph, &self.model);
        done("invariants", graph.check_invariants())?;
        same("edges", &done("edges", graph.to_edges())?, &model.edges())?;
        let (out, into) = (model.degrees(|arc| arc.0), model.degrees(|arc| arc.1));
        ensure(done("degrees", graph.out_degrees())? == out, || "out-degrees".to_owned())?;
        ensure(done("degrees", graph.in_degrees())? == into, || "in-degrees".to_owned())?;
        let deleted: Vec<_> = model.deleted.iter().copied().collect();
        ensure(graph.deleted_vertices() == deleted, || "deleted vertices".to_owned())?;
        self.compare_walk(round, &out, &into)?;
        self.compare_searches()?;
        self.compare_statistics()?;
        self.compare_updates(round)
    }

    /// What a neighbour loop visits, under one schedule a round.
    fn compare_walk(&self, round: usize, out: &[u32], into: &[u32]) -> Outcome {
        let schedule = Schedule::ALL[round % Schedule::ALL.len()];
        let (adjacency, expected) = match self.graph.out_edges() {
            Ok(out_edges) => (out_edges, into),
            Err(_) => (done("in-edges", self.graph.in_edges())?, out),
        };
        let n = self.model.vertices;
        let counts = DeviceBuffer::zeroed(self.graph.device(), n as usize);
        let counts = done("memory", counts)?;
        let device = self.graph.device();
        let run = count_neighbors::launch_with(schedule, device, 0..n, adjacency.arg(), &counts);
        done("walk", run)?;
        let found = done("copy", counts.to_vec())?;
        ensure(found == expected, || format!("{schedule:?} visits {found:?}, not {expected:?}"))
    }

    fn compare_searches(&self) -> Outcome {
        let n = self.model.vertices.min(12);
        let all = (0..n * n).map(|at| Edge { src: at / n, dst: at % n, weight: L::Carried::ZERO });
        let all: Vec<_> = all.collect();
        let found = done("search", self.graph.contains(&all))?;
        let wrong = all
            .iter()
            .zip(found)
            .find(|(edge, found)| self.model.arcs.contains_key(&(edge.src, edge.dst)) != *found);
        wrong.map_or(Ok(()), |(edge, found)| Err(format!("search for {edge:?} says {found}")))
    }

    fn compare_statistics(&self) -> Outcome {
        let adjacency = self.graph.out_edges().or_else(|_| self.graph.in_edges());
        let adjacency = done("an orientation", adjacency)?;
        let found = done("statistics", adjacency.statistics())?;
        let slabs = done("slabs", adjacency.slabs())?;
        let holds = found.edges == self.model.arcs.len() as u64
            && found.vertices == u64::from(self.model.vertices)
            && slabs.is_none_or(|slabs| found.slabs == slabs && found.slab_lists <= slabs)
            && found.slabs <= found.slab_capacity
            && found.edges + found.tombstones <= found.places
            && found.longest_chain <= found.slabs;
        ensure(holds, || format!("{slabs:?} slabs, and {found:?}"))
    }

    /// What a walk over updates visits, under another schedule than the neighbour loop's.
    fn compare_updates(&self, round: usize) -> Outcome {
        if !self.graph.options().track_updates {
            return Ok(());
        }
        let schedule = Schedule::ALL[(round + 3) % Schedule::ALL.len()];
        let updates = |lists: &L| updates_under(schedule, lists);
        let mut found = match self.graph.out_edges() {
            Ok(out) => done("updates", updates(out))?,
            Err(_) => done("updates", self.graph.in_edges().and_then(updates))?,
        };
        if self.graph.out_edges().is_err() {
            found.iter_mut().for_each(|edge| std::mem::swap(&mut edge.src, &mut edge.dst));
            found.sort_unstable_by_key(|edge| (edge.src, edge.dst));
        }
        same("updates", &found, &self.model.updated_edges())
    }
}

fn ascending<W: Sample>(edges: &DeviceBuffer<Edge<W>>) -> Outcome<Vec<Edge<W>>> {
    let mut edges = done("copy", edges.to_vec())?;
    edges.sort_by_key(|edge| (edge.src, edge.dst));
    Ok(edges)
}

/// Equal to the bit.
fn same<W: Sample>(what: &str, found: &[Edge<W>], expected: &[Edge<W>]) -> Outcome {
    let bits = |edge: &Edge<W>| (edge.src, edge.dst, edge.weight.to_bits());
    let equal = found.iter().map(bits).eq(expected.iter().map(bits));
    ensure(equal, || format!("{what} {found:?}, not {expected:?}"))
}

/// Numbers as vertices that are there.
fn pick(live: &[u32], numbers: &[u32]) -> Vec<u32> {
    if live.is_empty() {
        return Vec::new();
    }
    numbers.iter().map(|&number| live[number as usize % live.len()]).collect()
}

fn edges<W: Sample>(live: &[u32], steps: &[Step]) -> Vec<Edge<W>> {
    batch(live, steps).edges().to_vec()
}

fn batch<W: Sample>(live: &[u32], steps: &[Step]) -> Batch<W> {
    let update = |step: &Step| {
        let ends = pick(live, &[step.src, step.dst]);
        let (&src, &dst) = (ends.first()?, ends.last()?);
        let edge = Edge { src, dst, weight: W::sample(step.weight) };
        Some(if step.inserts { Update::Insert(edge) } else { Update::Delete(edge) })
    };
    steps.iter().filter_map(update).collect()
}
