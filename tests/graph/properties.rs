//! Graphs with properties beside a map of the values of each edge and vertex.

use super::support::devices::devices;
use meerkat::algos::bfs::{self, Bfs};
use meerkat::algos::wcc::{self, Components};
use meerkat::prelude::*;
use meerkat::runtime::graph::{Adjacency, Change, DeviceBatch};
use meerkat::runtime::properties::{
    EdgeColumn, EdgeValues, NO_EDGE, PropertyGraph, Updatable, VertexColumn,
};
use meerkat::runtime::{BlockEdges, CompactEdges, ErrorKind, MemoryFaults, Update};
use std::collections::{BTreeMap, BTreeSet};

const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

/// Twelve bytes, of which no word is like another.
#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
struct Tag {
    first: u32,
    second: f32,
    third: i32,
}

impl Tag {
    fn of(seed: u32) -> Self {
        Tag { first: seed, second: seed as f32 / 2.0, third: -(seed as i32) }
    }
}

/// Counts a look at each edge for each of its arcs, and sums up what they cost.
#[vertex_operator]
fn look<G: Neighbors<Carried = u32>>(
    v: Vertex,
    graph: &G,
    cost: &[f32],
    looks: &[Atomic<u32>],
    visits: &[Atomic<u64>],
    sums: &mut [f32],
) {
    let mut sum = 0.0f32;
    for_each_neighbor(graph, v, true, |_, id| {
        looks[id].fetch_add(1);
        sum += cost[id];
    });
    visits[v].fetch_add(1);
    sums[v] = sum;
}

/// What a graph has.
#[derive(Clone, Debug, PartialEq)]
struct Properties {
    cost: f32,
    time: i64,
    tag: Tag,
    looks: u32,
}

const DEFAULT: Properties =
    Properties { cost: 0.5, time: -7, tag: Tag { first: 1, second: 2.0, third: 3 }, looks: 9 };

type Key = (u32, u32);

/// The values of edges and vertices, kept in maps.
#[derive(Clone, Debug, PartialEq)]
struct Model {
    undirected: bool,
    edges: BTreeMap<Key, Properties>,
    visits: BTreeMap<u32, u64>,
    colour: BTreeMap<u32, u32>,
}

impl Model {
    fn key(&self, edge: Edge) -> Key {
        let swaps = self.undirected && edge.dst < edge.src;
        if swaps { (edge.dst, edge.src) } else { (edge.src, edge.dst) }
    }

    fn look(&mut self) {
        for (&(src, dst), of) in &mut self.edges {
            of.looks += if self.undirected && src != dst { 2 } else { 1 };
        }
        self.visits.values_mut().for_each(|visits| *visits += 1);
    }
}

struct Columns {
    cost: EdgeColumn<f32>,
    time: EdgeColumn<i64>,
    tag: EdgeColumn<Tag>,
    looks: EdgeColumn<Atomic<u32>>,
    visits: VertexColumn<Atomic<u64>>,
    colour: VertexColumn<u32>,
}

impl Columns {
    fn add<G: Updatable>(graph: &mut PropertyGraph<G>) -> Result<Self, Error> {
        Ok(Columns {
            cost: graph.add_edge_column("cost", DEFAULT.cost)?,
            time: graph.add_edge_column("time", DEFAULT.time)?,
            tag: graph.add_edge_column("tag", DEFAULT.tag)?,
            looks: graph.add_edge_column("looks", DEFAULT.looks)?,
            visits: graph.add_vertex_column("visits", 100)?,
            colour: graph.add_vertex_column("colour", 5)?,
        })
    }

    /// What the graph says, and the ids of its edges: both arcs of one have the same, and no two
    /// edges.
    fn read<G: Updatable>(&self, graph: &PropertyGraph<G>) -> (Model, BTreeMap<Key, u32>) {
        let cost = graph.edge_values(self.cost).expect("a column").to_vec().expect("values");
        let time = graph.edge_values(self.time).expect("a column").to_vec().expect("values");
        let tag = graph.edge_values(self.tag).expect("a column").to_vec().expect("values");
        let looks = graph.edge_values(self.looks).expect("a column").to_vec().expect("values");
        let visits = graph.vertex_values(self.visits).expect("a column").to_vec().expect("values");
        let colour = graph.vertex_values(self.colour).expect("a column").to_vec().expect("values");
        let bare = graph.graph();
        let undirected = bare.is_undirected();
        let (edges, none) = (BTreeMap::new(), BTreeMap::new());
        let mut model = Model { undirected, edges, visits: BTreeMap::new(), colour: none };
        let mut ids = BTreeMap::new();
        for Edge { src, dst, weight: id } in bare.to_edges().expect("edges") {
            let key = model.key(Edge { src, dst, weight: () });
            assert_eq!(*ids.entry(key).or_insert(id), id, "the arcs of {key:?}");
            let at = id as usize;
            let (cost, time, tag, looks) = (cost[at], time[at], tag[at], looks[at]);
            model.edges.insert(key, Properties { cost, time, tag, looks });
        }
        let different: BTreeSet<_> = ids.values().collect();
        assert_eq!(different.len(), ids.len(), "edges share ids: {ids:?}");
        assert_eq!(graph.edge_count().expect("a count") as usize, ids.len());
        let gone = bare.deleted_vertices();
        for v in (0..bare.vertex_count()).filter(|v| !gone.contains(v)) {
            model.visits.insert(v, visits[v as usize]);
            model.colour.insert(v, colour[v as usize]);
        }
        (model, ids)
    }
}

/// Updates and their values.
struct Batched {
    batch: Batch,
    values: Vec<Properties>,
    /// Which columns get them.
    given: [bool; 3],
}

impl Batched {
    fn random(rng: &mut fastrand::Rng, live: &[u32]) -> Self {
        let (count, kinds) = (rng.usize(0..40), rng.u32(0..4));
        let (mut batch, mut values) = (Batch::new(), Vec::new());
        for _ in 0..if live.is_empty() { 0 } else { count } {
            let few = live.len() / 2 + 1;
            let (src, dst) = (live[rng.usize(..live.len())], live[rng.usize(..few)]);
            let edge = Edge { src, dst, weight: () };
            let deletes = match kinds {
                0 => false,
                1 => true,
                _ => rng.u32(0..3) == 0,
            };
            batch.push(if deletes { Update::Delete(edge) } else { Update::Insert(edge) });
            let seed = rng.u32(0..1000);
            values.push(Properties {
                cost: seed as f32,
                time: rng.i64(0..100),
                tag: Tag::of(seed),
                looks: DEFAULT.looks,
            });
        }
        Batched { batch, values, given: [rng.bool(), rng.bool(), rng.bool()] }
    }

    fn apply<G: Updatable>(
        &self,
        graph: &mut PropertyGraph<G>,
        columns: &Columns,
    ) -> Result<Change<u32>, Error> {
        let device = graph.graph().device().clone();
        let mut values = EdgeValues::none();
        if self.given[0] {
            let own: Vec<_> = self.values.iter().map(|of| of.cost).collect();
            values = values.with(&device, columns.cost, &own)?;
        }
        if self.given[1] {
            let own: Vec<_> = self.values.iter().map(|of| of.time).collect();
            values = values.with(&device, columns.time, &own)?;
        }
        if self.given[2] {
            let own: Vec<_> = self.values.iter().map(|of| of.tag).collect();
            values = values.with(&device, columns.tag, &own)?;
        }
        graph.apply(&self.batch, &values)
    }

    fn apply_to(&self, model: &mut Model) {
        // The last update of an edge decides.
        let last: BTreeMap<_, _> = self
            .batch
            .updates()
            .enumerate()
            .map(|(at, update)| {
                let (Update::Insert(edge) | Update::Delete(edge)) = update;
                (model.key(edge), (at, matches!(update, Update::Delete(_))))
            })
            .collect();
        for (key, (at, deletes)) in last {
            if deletes {
                model.edges.remove(&key);
                continue;
            }
            let (of, new) = (model.edges.entry(key).or_insert(DEFAULT), &self.values[at]);
            if self.given[0] {
                of.cost = new.cost;
            }
            if self.given[1] {
                of.time = new.time;
            }
            if self.given[2] {
                of.tag = new.tag;
            }
        }
    }
}

/// Does something to a graph while memory may run out, and then again without: what fails changes
/// nothing.
fn with_faults<G: Updatable, T>(
    graph: &mut PropertyGraph<G>,
    columns: &Columns,
    (faults, successes, refused): (&MemoryFaults, u32, &mut u32),
    act: impl Fn(&mut PropertyGraph<G>) -> Result<T, Error>,
) -> T {
    let before = columns.read(graph);
    faults.fail_once(successes);
    let done = act(graph);
    let has_failed = faults.heal();
    match done {
        Ok(done) => done,
        Err(error) => {
            assert!(has_failed && error.is_out_of_memory(), "{error}");
            *refused += 1;
            assert_eq!(columns.read(graph), before, "after it was refused");
            act(graph).expect("done")
        }
    }
}

/// A random sequence of all that changes a graph with properties, components following.
fn sequence<L: EdgeLists<Carried = u32>>(
    device: &Device,
    options: &SlabOptions,
    seed: u64,
    refused: &mut u32,
) {
    let (mut rng, faults) = (fastrand::Rng::with_seed(seed), MemoryFaults::new());
    let device = device.clone().with_memory_faults(&faults);
    let mut graph = PropertyGraph::<DynamicGraph<L>>::new(&device, 12, options).expect("a graph");
    let columns = Columns::add(&mut graph).expect("columns");
    let mut graph = graph.track(Components).expect("tracked");
    let (mut model, _) = columns.read(&graph);
    let mut sums = DeviceBuffer::zeroed(&device, 200).expect("sums");
    for step in 0..25 {
        let before = columns.read(&graph).1;
        let fault = (&faults, rng.u32(0..60), &mut *refused);
        let live: Vec<u32> = model.visits.keys().copied().collect();
        match rng.u32(0..10) {
            0 => {
                let count = rng.u32(1..4);
                let inserted =
                    with_faults(&mut graph, &columns, fault, |graph| graph.insert_vertices(count));
                for v in inserted {
                    model.visits.insert(v, 100);
                    model.colour.insert(v, 5);
                }
            }
            1 if live.len() > 6 => {
                let gone = [live[rng.usize(..live.len())], live[rng.usize(..live.len())]];
                with_faults(&mut graph, &columns, fault, |graph| graph.delete_vertices(&gone));
                model.edges.retain(|(src, dst), _| !gone.contains(src) && !gone.contains(dst));
                model.visits.retain(|v, _| !gone.contains(v));
                model.colour.retain(|v, _| !gone.contains(v));
            }
            2 => with_faults(&mut graph, &columns, fault, PropertyGraph::compact),
            3 => {
                let oldest = rng.i64(-10..60);
                let gone = with_faults(&mut graph, &columns, fault, |graph| {
                    graph.expire(columns.time, oldest)
                });
                let there = model.edges.len();
                model.edges.retain(|_, of| of.time >= oldest);
                let arcs = gone.deleted().to_vec().expect("what went");
                let keys: BTreeSet<_> = arcs
                    .iter()
                    .map(|arc| model.key(Edge { src: arc.src, dst: arc.dst, weight: () }))
                    .collect();
                assert_eq!(keys.len(), there - model.edges.len());
                assert!(arcs.iter().all(|arc| before.values().any(|id| *id == arc.weight)));
            }
            4 => {
                let v = live[rng.usize(..live.len())];
                let colour = rng.u32(..);
                graph.write_vertices(columns.colour, v, &[colour]).expect("written");
                model.colour.insert(v, colour);
            }
            5 => {
                let edges = graph.graph().out_edges().expect("out-edges").arg();
                let cost = graph.edge_values(columns.cost).expect("a column");
                let looks = graph.edge_values(columns.looks).expect("a column");
                let visits = graph.vertex_values(columns.visits).expect("a column");
                // Deleted vertices, too, which have no edges: their values are left to who reuses them.
                let items = 0..graph.graph().vertex_count();
                look::launch(&device, items, edges, cost, looks, visits, &mut sums)
                    .expect("looked");
                model.look();
            }
            _ => {
                let batched = Batched::random(&mut rng, &live);
                let change = with_faults(&mut graph, &columns, fault, |graph| {
                    batched.apply(graph, &columns)
                });
                batched.apply_to(&mut model);
                let new = change.inserted().to_vec().expect("what came");
                let known = |arc: &Edge<u32>| {
                    before.contains_key(&model.key(Edge { src: arc.src, dst: arc.dst, weight: () }))
                };
                assert!(!new.iter().any(known), "an edge that was there came");
            }
        }
        let (found, ids) = columns.read(&graph);
        assert_eq!(found, model, "seed {seed}, step {step}");
        for (key, id) in ids {
            assert_eq!(*before.get(&key).unwrap_or(&id), id, "the id of {key:?} is another");
        }
        let labels = wcc::labels(graph.graph()).expect("labels");
        assert_eq!(graph.tracked().output().expect("labels"), labels);
    }
    graph.graph().check_invariants().expect("invariants");
}

fn check<L: EdgeLists<Carried = u32>>() {
    let asked = std::env::var("MEERKAT_MODEL_SEQUENCES").ok();
    let sequences = asked.and_then(|count| count.parse().ok()).unwrap_or(24);
    for device in devices() {
        let mut refused = 0;
        for seed in 0..sequences {
            let direction = [Direction::Directed, Direction::Undirected][seed as usize % 2];
            sequence::<L>(&device, &SlabOptions { direction, ..BOTH }, seed, &mut refused);
        }
        assert!(refused > 20, "{refused} refused");
    }
}

#[test]
fn values_stay_with_edges_and_vertices_of_slabs() {
    check::<Adjacency<u32>>();
}

#[test]
fn values_stay_with_edges_and_vertices_of_compact_slabs() {
    check::<CompactEdges<u32>>();
}

#[test]
fn values_stay_with_edges_and_vertices_of_block_arrays() {
    check::<BlockEdges<u32>>();
}

fn edge(src: u32, dst: u32) -> Edge {
    Edge { src, dst, weight: () }
}

#[test]
fn a_batch_that_is_refused_changes_nothing() {
    for device in devices() {
        let mut graph = PropertyGraph::<SlabGraph<u32>>::new(&device, 4, &BOTH).expect("a graph");
        let columns = Columns::add(&mut graph).expect("columns");
        let first = EdgeValues::none().with(&device, columns.cost, &[1.0, 2.0]).expect("values");
        graph.apply(&Batch::new().insert([edge(0, 1), edge(1, 2)]), &first).expect("applied");
        let before = columns.read(&graph);

        let outside = Batch::new().insert([edge(0, 1), edge(2, 3), edge(2, 4)]);
        let values = EdgeValues::none().with(&device, columns.cost, &[7.0; 3]).expect("values");
        let error = graph.apply(&outside, &values).expect_err("outside");
        assert!(matches!(error.kind(), ErrorKind::VertexOutOfRange { index: 2, .. }), "{error}");
        assert_eq!(columns.read(&graph), before);

        let short = EdgeValues::none().with(&device, columns.time, &[7, 8]).expect("values");
        let error = graph.apply(&outside, &short).expect_err("short");
        let message =
            "the batch has 3 updates and 2 values for the column `time`; pass one for each";
        assert_eq!(error.to_string(), message);
        assert_eq!(columns.read(&graph), before);

        graph.delete_vertices(&[3]).expect("deleted");
        let error = graph.apply(&Batch::new().insert([edge(2, 3)]), &EdgeValues::none());
        let error = error.expect_err("deleted");
        assert!(matches!(error.kind(), ErrorKind::VertexDeleted { .. }), "{error}");
        assert_eq!(columns.read(&graph).0.edges, before.0.edges);
    }
}

#[test]
fn columns_are_found_by_name_and_type() {
    for device in devices() {
        let mut graph = PropertyGraph::<SlabGraph<u32>>::new(&device, 4, &BOTH).expect("a graph");
        graph.apply(&Batch::new().insert([edge(0, 1)]), &EdgeValues::none()).expect("applied");
        let late = graph.add_edge_column::<f64>("cost", 2.5).expect("a column");
        let values = graph.edge_values(late).expect("a column").read(0, 1).expect("a value");
        assert_eq!(values, [2.5], "of an edge that was there");

        let error = graph.add_edge_column::<u32>("cost", 0).expect_err("there is one");
        assert!(matches!(error.kind(), ErrorKind::ColumnExists { .. }), "{error}");
        let error = graph.edge_column::<f64>("time").expect_err("there is none");
        assert!(matches!(error.kind(), ErrorKind::NoSuchColumn { .. }), "{error}");
        let error = graph.edge_column::<u64>("cost").expect_err("another type");
        let message = "the column `cost` has `f64`, and `u64` is asked for; use its own type";
        assert_eq!(error.to_string(), message);
        assert!(graph.edge_column::<f64>("cost").is_ok());
        assert!(graph.edge_columns().eq(["cost"]) && graph.vertex_columns().next().is_none());

        // A column of another graph.
        let mut other = PropertyGraph::<SlabGraph<u32>>::new(&device, 1, &BOTH).expect("a graph");
        let foreign = other.add_edge_column::<u64>("cost", 0).expect("a column");
        let values = EdgeValues::none().with(&device, foreign, &[1]).expect("values");
        let applied = graph.apply(&Batch::new().insert([edge(1, 2)]), &values);
        let error = applied.expect_err("another type");
        assert!(matches!(error.kind(), ErrorKind::ColumnType { .. }), "{error}");
        assert!(graph.edge_values(foreign).is_err() && other.edge_values(late).is_err());
    }
}

/// Ids of deleted edges are used again, so that columns are as long as the most edges at a time.
#[test]
fn a_window_of_edges_takes_no_more_ids_with_time() {
    for device in devices() {
        let mut graph =
            PropertyGraph::<CompactGraph<u32>>::new(&device, 1000, &BOTH).expect("a graph");
        let time = graph.add_edge_column::<i64>("time", 0).expect("a column");
        let mut rng = fastrand::Rng::with_seed(5);
        let mut longest = 0;
        for now in 0..40i64 {
            let edges: Vec<_> =
                (0..500).map(|_| edge(rng.u32(0..1000), rng.u32(0..1000))).collect();
            let times = DeviceBuffer::from_slice(&device, &[now; 500]).expect("times");
            let batch =
                DeviceBatch::insertions(DeviceBuffer::from_slice(&device, &edges).expect("edges"));
            let values = EdgeValues::none().with_buffer(time, times);
            graph.apply(&batch, &values).expect("applied");
            graph.expire(time, now - 3).expect("expired");
            let arcs = graph.graph().to_edges().expect("edges");
            longest = arcs.iter().map(|arc| arc.weight).max().expect("an edge").max(longest);
        }
        assert!((1990..2600).contains(&longest), "ids up to {longest} for 4 x 500 edges");
        let wanted =
            DeviceBuffer::from_slice(&device, &[edge(0, 0), edge(5000, 1)]).expect("edges");
        let ids = graph.edge_ids(&wanted).expect("ids").to_vec().expect("ids");
        assert_eq!(ids[1], NO_EDGE);
    }
}

#[test]
fn in_edges_alone_carry_ids_too() {
    for device in devices() {
        let options = SlabOptions::DEFAULT.oriented(Orientation::In);
        let mut graph =
            PropertyGraph::<BlockGraph<u32>>::new(&device, 5, &options).expect("a graph");
        let time = graph.add_edge_column::<i64>("time", 0).expect("a column");
        let edges = [edge(0, 1), edge(4, 1), edge(2, 3)];
        let values = EdgeValues::none().with(&device, time, &[1, 2, 3]).expect("values");
        graph.apply(&Batch::new().insert(edges), &values).expect("applied");
        let again = EdgeValues::none().with(&device, time, &[9]).expect("values");
        let change = graph.apply(&Batch::new().insert([edges[0]]), &again).expect("applied");
        assert!(change.is_empty(), "it is there");
        graph.expire(time, 3).expect("expired");
        let left = graph.graph().to_edges().expect("edges");
        let left: Vec<_> = left.iter().map(|edge| (edge.src, edge.dst)).collect();
        assert_eq!(left, [(0, 1), (2, 3)]);
        let wanted = DeviceBuffer::from_slice(&device, &edges).expect("edges");
        let ids = graph.edge_ids(&wanted).expect("ids").to_vec().expect("ids");
        assert!(ids[1] == NO_EDGE && ids[0] != NO_EDGE && ids[2] != NO_EDGE);
    }
}

#[test]
fn several_algorithms_follow_what_expires() {
    for device in devices() {
        let graph = PropertyGraph::<SlabGraph<u32>>::new(&device, 30, &BOTH).expect("a graph");
        let mut graph = graph.track((Bfs::from_source(0), Components)).expect("tracked");
        let time = graph.add_edge_column::<i64>("time", 0).expect("a column");
        let mut rng = fastrand::Rng::with_seed(9);
        let mut expired = 0;
        for now in 0..20i64 {
            let edges: Vec<_> = (0..12).map(|_| edge(rng.u32(0..30), rng.u32(0..30))).collect();
            let values = EdgeValues::none().with(&device, time, &[now; 12]).expect("values");
            graph.apply(&Batch::new().insert(&edges), &values).expect("applied");
            expired += graph.expire(time, now - 2).expect("expired").deleted().len();
            let (tree, labels) = graph.tracked().output().expect("answers");
            assert_eq!(labels, wcc::labels(graph.graph()).expect("labels"));
            assert_eq!(tree.levels, bfs::levels(graph.graph(), 0).expect("levels"));
        }
        assert!(expired > 100, "{expired} expired");
        let (graph, _) = graph.untrack();
        assert!(graph.edge_values(time).is_ok() && graph.bytes() > graph.graph().bytes());
    }
}

/// Panics at the batch that it is told.
struct Panics(std::cell::Cell<u32>);

impl meerkat::runtime::dynamic::IgnoresWeights for Panics {}

impl<C: Container> DynamicAlgorithm<C> for Panics {
    type State = ();
    type Output = ();
    fn compute(&self, _: &C) -> Result<(), Error> {
        Ok(())
    }
    fn on_delete(
        &self,
        (): &mut (),
        _: &C,
        _: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        Ok(())
    }
    fn on_insert(
        &self,
        (): &mut (),
        _: &C,
        _: &DeviceBuffer<Edge<C::Carried>>,
    ) -> Result<(), Error> {
        let left = self.0.get();
        self.0.set(left.wrapping_sub(1));
        assert!(left != 0, "as it was told");
        Ok(())
    }
    fn output(&self, (): &()) -> Result<(), Error> {
        Ok(())
    }
}

/// Ids of the batch were free still, while its edges had come: they were given out twice, and taken back twice.
#[test]
fn no_id_is_given_out_twice_after_a_follower_panics() {
    for device in devices() {
        let graph = PropertyGraph::<SlabGraph<u32>>::new(&device, 100, &BOTH).expect("a graph");
        let mut graph = graph.track(Panics(std::cell::Cell::new(1))).expect("tracked");
        let arcs = |from: u32, count: u32| {
            (from..from + count)
                .map(|v| Edge { src: v, dst: v + 50, weight: () })
                .collect::<Vec<_>>()
        };
        let values = EdgeValues::default();
        graph.apply(&Batch::new().insert(arcs(0, 5)), &values).expect("a batch");
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            graph.apply(&Batch::new().insert(arcs(5, 20)), &values).map(drop)
        }));
        assert!(panicked.is_err());
        graph.apply(&Batch::new().insert(arcs(25, 20)), &values).expect("a batch");
        let ids_of = |graph: &PropertyGraph<_>| {
            let edges = DeviceBuffer::from_slice(&device, &arcs(0, 45)).expect("memory");
            let ids = PropertyGraph::<Tracked<SlabGraph<u32>, Panics>>::edge_ids(graph, &edges);
            ids.expect("ids").to_vec().expect("memory")
        };
        let found = ids_of(&graph);
        let different: BTreeSet<_> = found.iter().filter(|&&id| id != NO_EDGE).collect();
        let there = graph.graph().edge_count().expect("a count") as usize;
        assert_eq!(different.len(), there, "{found:?}");
        graph.apply(&Batch::new().delete(arcs(0, 45)), &values).expect("a batch");
        graph.apply(&Batch::new().insert(arcs(0, 45)), &values).expect("a batch");
        let found = ids_of(&graph);
        assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 45, "{found:?}");
        assert!(found.iter().all(|&id| id < 90), "{found:?}");
    }
}
