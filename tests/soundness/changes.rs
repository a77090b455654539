//! Graphs: changes that do not fit, and lists that nobody has looked through.

use super::support::devices::devices;
use super::{assert_is_ring, edge, refused, ring};
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;

fn is_stale(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::StaleChange)
}

#[test]
fn a_change_of_another_graph_is_refused() {
    for device in devices() {
        let (mut one, two) = (ring(&device, 10), ring(&device, 1000));
        let change =
            two.change_of(&Batch::new().insert([edge(900, 901), edge(900, 1)])).expect("a change");
        assert!(is_stale(&refused(one.apply_deletions(&change), "the other's change")));
        assert!(is_stale(&refused(one.apply_insertions(&change), "the other's change")));
        assert!(is_stale(&refused(one.undo_deletions(&change), "the other's change")));
        assert_is_ring(&one, 10);
    }
}

#[test]
fn a_change_found_before_vertices_were_deleted_is_refused() {
    for device in devices() {
        let mut graph = ring(&device, 10);
        let change = graph.change_of(&Batch::new().insert([edge(3, 5)])).expect("a change");
        graph.delete_vertices(&[5]).expect("a vertex");
        assert!(is_stale(&refused(graph.apply_deletions(&change), "the old change")));
        assert!(is_stale(&refused(graph.apply_insertions(&change), "the old change")));
        graph.check_invariants().expect("invariants");
        assert_eq!(graph.edge_count().expect("edges"), 8);
    }
}

#[test]
fn a_change_is_applied_once() {
    for device in devices() {
        let mut graph = ring(&device, 10);
        let batch = Batch::new().delete([edge(0, 1)]).insert([edge(0, 5)]);
        let change = graph.change_of(&batch).expect("a change");
        graph.apply_deletions(&change).expect("deletions");
        assert!(is_stale(&refused(graph.apply_deletions(&change), "the second time")));
        graph.apply_insertions(&change).expect("insertions");
        assert!(is_stale(&refused(graph.apply_insertions(&change), "the second time")));
        assert!(is_stale(&refused(graph.undo_deletions(&change), "what is complete")));
        let applied = graph.apply(&Batch::new().delete([edge(0, 5)])).expect("a batch");
        assert!(is_stale(&refused(graph.apply_deletions(&applied), "what `apply` returned")));
        graph.check_invariants().expect("invariants");
        assert_eq!(graph.edge_count().expect("edges"), 9);
    }
}

#[test]
fn the_halves_of_a_change_have_an_order() {
    for device in devices() {
        let mut graph = ring(&device, 10);
        let batch = Batch::new().delete([edge(0, 1)]).insert([edge(0, 5)]);
        let change = graph.change_of(&batch).expect("a change");
        assert!(is_stale(&refused(graph.apply_insertions(&change), "the second half first")));
        assert!(is_stale(&refused(graph.undo_deletions(&change), "undoing nothing")));
        graph.apply_deletions(&change).expect("deletions");
        graph.undo_deletions(&change).expect("back");
        assert!(is_stale(&refused(graph.undo_deletions(&change), "undoing twice")));
        assert_is_ring(&graph, 10);
    }
}

#[test]
fn a_batch_between_the_halves_of_a_change_ends_it() {
    for device in devices() {
        let mut graph = ring(&device, 10);
        let batch = Batch::new().delete([edge(0, 1)]).insert([edge(0, 5)]);
        let change = graph.change_of(&batch).expect("a change");
        graph.apply_deletions(&change).expect("deletions");
        graph.insert(&[edge(0, 1)]).expect("a batch");
        assert!(is_stale(&refused(graph.apply_insertions(&change), "the second half")));
        assert!(is_stale(&refused(graph.undo_deletions(&change), "the way back")));
        assert_is_ring(&graph, 10);
    }
}

fn outside(device: &Device) -> DeviceBuffer<Edge> {
    let ids = [10, 11, 1 << 20, u32::MAX - 2, u32::MAX - 1, u32::MAX];
    let edges: Vec<_> =
        ids.iter().flat_map(|&id| [edge(id, 1), edge(1, id), edge(id, id)]).collect();
    DeviceBuffer::from_slice(device, &edges).expect("memory")
}

#[test]
fn edges_outside_the_graph_are_left_out_of_queued_insertions() {
    for device in devices() {
        let mut graph = ring(&device, 10);
        graph.queue_insertions(&outside(&device)).expect("a launch");
        assert_is_ring(&graph, 10);
    }
}

#[test]
fn edges_outside_the_graph_are_not_deleted() {
    for device in devices() {
        let mut graph = ring(&device, 10);
        graph.queue_deletions(&outside(&device)).expect("a launch");
        graph.delete_buffer(&outside(&device)).expect("a launch");
        assert_is_ring(&graph, 10);
    }
}

#[test]
fn edges_outside_the_graph_are_not_found() {
    for device in devices() {
        let (graph, edges) = (ring(&device, 10), outside(&device));
        let found = DeviceBuffer::<Atomic<u32>>::filled(&device, edges.len(), 9).expect("memory");
        graph.queue_searches(&edges, &found).expect("a launch");
        assert_eq!(found.to_vec().expect("memory"), vec![0; edges.len()]);
    }
}

#[test]
fn an_undirected_graph_with_in_edges_leaves_them_out_too() {
    for device in devices() {
        let options =
            [SlabOptions::DEFAULT.undirected(), SlabOptions::DEFAULT.oriented(Orientation::Both)];
        for options in options {
            let mut graph =
                SlabGraph::from_edges(&device, 10, &[edge(1, 2)], &options).expect("a graph");
            let before = graph.edge_count().expect("edges");
            graph.queue_insertions(&outside(&device)).expect("a launch");
            graph.queue_deletions(&outside(&device)).expect("a launch");
            graph.check_invariants().expect("invariants");
            assert_eq!(graph.edge_count().expect("edges"), before);
        }
    }
}

#[test]
fn edges_outside_the_graph_are_refused_where_it_is_looked() {
    for device in devices() {
        let mut graph = ring(&device, 10);
        let list = outside(&device);
        let refusals = [
            refused(graph.insert_buffer(&list), "the list"),
            refused(graph.insert(&[edge(1, 10)]), "the edge"),
            refused(graph.delete(&[edge(10, 1)]), "the edge"),
            refused(graph.contains(&[edge(1, u32::MAX)]), "the edge"),
            refused(SlabGraph::from_buffer(&device, 10, &list, &SlabOptions::DEFAULT), "the list"),
        ];
        for error in refusals {
            assert!(matches!(error.kind(), ErrorKind::VertexOutOfRange { .. }), "{error}");
        }
        assert_is_ring(&graph, 10);
    }
}

#[test]
fn no_edge_enters_at_a_deleted_vertex() {
    for device in devices() {
        let mut graph = ring(&device, 10);
        graph.delete_vertices(&[4]).expect("a vertex");
        let list = DeviceBuffer::from_slice(&device, &[edge(1, 2), edge(4, 1)]).expect("memory");
        let refusals = [
            refused(graph.queue_insertions(&list), "the list"),
            refused(graph.insert_buffer(&list), "the list"),
            refused(graph.insert(&[edge(1, 4)]), "the edge"),
        ];
        for error in refusals {
            assert!(matches!(error.kind(), ErrorKind::VertexDeleted { .. }), "{error}");
        }
        graph.check_invariants().expect("invariants");
        assert_eq!(graph.edge_count().expect("edges"), 8);
    }
}

#[test]
fn a_weight_that_is_no_number_does_not_enter() {
    for device in devices() {
        let nan = Edge { src: 0, dst: 1, weight: f32::NAN };
        let mut graph =
            SlabGraph::from_edges(&device, 4, &[], &SlabOptions::DEFAULT).expect("a graph");
        let list = DeviceBuffer::from_slice(&device, &[nan]).expect("memory");
        graph.queue_insertions(&list).expect("a launch");
        assert_eq!(graph.edge_count().expect("edges"), 0);
        let error = refused(graph.insert_buffer(&list), "NaN");
        assert!(matches!(error.kind(), ErrorKind::NanWeight { .. }), "{error}");
    }
}

#[test]
fn results_of_a_search_need_a_place_each() {
    for device in devices() {
        let (graph, edges) = (ring(&device, 10), outside(&device));
        let found = DeviceBuffer::<Atomic<u32>>::zeroed(&device, edges.len() - 1).expect("memory");
        let error = refused(graph.queue_searches(&edges, &found), "the short list");
        assert!(matches!(error.kind(), ErrorKind::OutOfBounds { .. }), "{error}");
    }
}
