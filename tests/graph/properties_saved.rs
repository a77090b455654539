//! Graphs with properties written to files and read back: into other containers, with what comes after.

use super::support::devices::devices;
use meerkat::algos::bfs::{self, Bfs};
use meerkat::prelude::*;
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::properties::{
    EdgeColumn, EdgeValues, PropertyGraph, Updatable, VertexColumn,
};
use meerkat::runtime::{BlockEdges, CompactEdges, Error, ErrorKind};

const VERTICES: u32 = 40;

/// Sixteen bytes.
#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
struct Place {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy)]
struct Handles {
    cost: EdgeColumn<f32>,
    time: EdgeColumn<i64>,
    looks: EdgeColumn<Atomic<u32>>,
    place: VertexColumn<Place>,
}

fn add_columns<G: Updatable>(graph: &mut PropertyGraph<G>) -> Result<Handles, Error> {
    Ok(Handles {
        cost: graph.add_edge_column("cost", 0.5)?,
        time: graph.add_edge_column("time", -1)?,
        looks: graph.add_edge_column("looks", 3)?,
        place: graph.add_vertex_column("place", Place { x: 0.0, y: 1.0 })?,
    })
}

/// Some edges come with costs and times, others leave.
fn apply<G: Updatable>(graph: &mut PropertyGraph<G>, handles: Handles, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut edge =
        || Edge { src: random.u32(0..VERTICES), dst: random.u32(0..VERTICES), weight: () };
    let inserted: Vec<_> = (0..60).map(|_| edge()).collect();
    let deleted: Vec<_> = (0..200).map(|_| edge()).collect();
    let device = graph.graph().device().clone();
    let all = inserted.len() + deleted.len();
    let costs: Vec<_> = (0..all).map(|at| seed as f32 + at as f32 / 512.0).collect();
    let times: Vec<_> = (0..all as i64).map(|at| at << 33 | seed as i64).collect();
    let values = EdgeValues::none().with(&device, handles.cost, &costs);
    let values = values.and_then(|values| values.with(&device, handles.time, &times));
    let looks: Vec<_> = (0..all as u32).map(|at| at * 7 + seed as u32).collect();
    // Some edges have the default.
    let values = values.and_then(|values| match seed % 2 {
        0 => values.with(&device, handles.looks, &looks),
        _ => Ok(values),
    });
    let batch = Batch::new().insert(inserted).delete(deleted);
    graph.apply(&batch, &values.expect("values")).expect("applied");
}

type Row = (u32, u32, f32, i64, u32);

/// Each edge with its values, and the values of each vertex.
fn all<G: Updatable>(graph: &PropertyGraph<G>, handles: Handles) -> (Vec<Row>, Vec<Place>) {
    let costs = graph.edge_values(handles.cost).and_then(|cost| cost.to_vec()).expect("costs");
    let times = graph.edge_values(handles.time).and_then(|time| time.to_vec()).expect("times");
    let looks = graph.edge_values(handles.looks).and_then(|looks| looks.to_vec()).expect("looks");
    let edges = graph.graph().to_edges().expect("edges");
    let row = |edge: &Edge<u32>| {
        let id = edge.weight as usize;
        (edge.src, edge.dst, costs[id], times[id], looks[id])
    };
    let places = graph.vertex_values(handles.place).and_then(|place| place.to_vec());
    let count = graph.graph().vertex_count() as usize;
    (edges.iter().map(row).collect(), places.expect("places")[..count].to_vec())
}

fn grown<L: EdgeLists<Carried = u32>>(
    device: &Device,
    options: &SlabOptions,
) -> (PropertyGraph<DynamicGraph<L>>, Handles) {
    let mut graph = PropertyGraph::new(device, VERTICES, options).expect("a graph");
    let handles = add_columns(&mut graph).expect("columns");
    (0..4).for_each(|seed| apply(&mut graph, handles, seed));
    graph.insert_vertices(3).expect("vertices");
    let places: Vec<_> = (0..9).map(|at| Place { x: at.into(), y: -0.0 }).collect();
    graph.write_vertices(handles.place, 5, &places).expect("written");
    (graph, handles)
}

/// What was read back has all values, and goes on as the graph itself does.
fn check<L: EdgeLists<Carried = u32>, M: EdgeLists<Carried = u32>>() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("graph");
    for device in devices() {
        for options in [SlabOptions::DEFAULT, SlabOptions::DEFAULT.undirected()] {
            let (mut graph, handles) = grown::<L>(&device, &options);
            graph.save(&path).expect("saved");
            let loaded = PropertyGraph::<DynamicGraph<M>>::load(&device, &path, add_columns);
            let (mut loaded, of_loaded) = loaded.expect("loaded");
            assert_eq!(all(&loaded, of_loaded), all(&graph, handles));
            assert_eq!(loaded.edge_count().expect("edges"), graph.edge_count().expect("edges"));
            for seed in 10..14 {
                apply(&mut graph, handles, seed);
                apply(&mut loaded, of_loaded, seed);
                assert_eq!(all(&loaded, of_loaded), all(&graph, handles), "batch {seed}");
            }
        }
    }
}

#[test]
fn a_graph_with_properties_goes_on_after_a_file_in_every_container() {
    check::<Adjacency<u32>, CompactEdges<u32>>();
    check::<CompactEdges<u32>, BlockEdges<u32>>();
    check::<BlockEdges<u32>, Adjacency<u32>>();
}

#[test]
fn a_checkpoint_has_answer_and_properties() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("checkpoint");
    for device in devices() {
        let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
        let (graph, handles) = grown::<CompactEdges<u32>>(&device, &options);
        let mut graph = graph.track(Bfs::from_source(1)).expect("tracked");
        graph.save_checkpoint(&path, 77).expect("saved");
        let loaded = PropertyGraph::<Tracked<CompactGraph<u32>, Bfs>>::load_checkpoint(
            &device,
            Bfs::from_source(1),
            &path,
            add_columns,
        );
        let (mut loaded, position, of_loaded) = loaded.expect("loaded");
        assert_eq!(position, 77);
        for seed in 20..24 {
            assert_eq!(all(&loaded, of_loaded), all(&graph, handles), "before batch {seed}");
            apply(&mut graph, handles, seed);
            apply(&mut loaded, of_loaded, seed);
            let levels = loaded.tracked().output().expect("levels").levels;
            assert_eq!(levels, bfs::levels(loaded.graph(), 1).expect("levels"));
        }
    }
}

#[test]
fn columns_that_are_not_asked_for_or_have_another_type_are_refused_by_name() {
    type Slabs = PropertyGraph<SlabGraph<u32>>;
    let (device, folder) = (Device::cpu(), tempfile::tempdir().expect("a folder"));
    let path = folder.path().join("graph");
    let (graph, _) = grown::<Adjacency<u32>>(&device, &SlabOptions::DEFAULT);
    graph.save(&path).expect("saved");
    let error = Slabs::load(&device, &path, |graph| {
        graph.add_edge_column::<f32>("cost", 0.0)?;
        graph.add_vertex_column::<Place>("place", Place { x: 0.0, y: 0.0 })
    });
    let error = error.expect_err("two columns too few").to_string();
    assert!(error.contains("its column `time` was not added"), "{error}");
    let error = Slabs::load(&device, &path, |graph| graph.add_edge_column::<u32>("cost", 0));
    let error = error.expect_err("another type");
    assert!(matches!(error.kind(), ErrorKind::ColumnType { .. }), "{error}");
    // One that the file does not have gets its default.
    let (loaded, more) = Slabs::load(&device, &path, |graph| {
        let handles = add_columns(graph)?;
        Ok((handles, graph.add_edge_column::<u32>("more", 6)?))
    })
    .map(|(loaded, (_, more))| (loaded, more))
    .expect("loaded");
    let values = loaded.edge_values(more).and_then(|more| more.to_vec()).expect("values");
    assert!(!values.is_empty() && values.iter().all(|&value| value == 6));
    // A file of a graph alone has none.
    graph.graph().save(&path).expect("saved");
    let error = Slabs::load(&device, &path, add_columns).map(drop).expect_err("no properties");
    assert!(error.to_string().contains("`more/properties/used`"), "{error}");
}
