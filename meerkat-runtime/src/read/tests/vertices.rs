//! Dense vertex indices and the ids of the file.

use super::super::{GraphFile, MAX_VERTICES, VertexIds};
use super::{graph, records};

/// Checks that the map goes both ways and ascends.
fn assert_one_to_one(ids: &VertexIds) {
    let listed: Vec<u64> = (0..ids.len()).map(|vertex| ids.id_of(vertex)).collect();
    assert!(listed.is_sorted_by(|a, b| a < b), "{listed:?}");
    for (vertex, &id) in listed.iter().enumerate() {
        assert_eq!(ids.vertex_of(id), Some(vertex as u32));
        for near in [id.wrapping_sub(1), id.wrapping_add(1)] {
            assert_eq!(ids.vertex_of(near).is_some(), listed.contains(&near), "{near}");
        }
    }
}

fn with_arcs(arcs: &[(u64, u64)]) -> GraphFile {
    let text: String = arcs.iter().map(|(u, v)| format!("{u} {v}\n")).collect();
    let read = graph("g.txt", text);
    assert_eq!(records(&read), arcs);
    assert_one_to_one(&read.ids);
    read
}

#[test]
fn contiguous_ids_from_0_from_1_and_from_the_middle() {
    assert_eq!(with_arcs(&[(0, 1), (2, 1)]).sources, [0, 2]);
    assert_eq!(with_arcs(&[(1, 2), (3, 2)]).sources, [0, 2]);
    assert_eq!(with_arcs(&[(70, 71), (72, 71)]).sources, [0, 2]);
}

#[test]
fn ids_with_gaps_in_a_small_range() {
    let gaps = with_arcs(&[(30, 1412), (3, 5), (30, 3)]);
    assert_eq!(gaps.ids.len(), 4);
    assert_eq!((gaps.sources, gaps.destinations), (vec![2, 0, 2], vec![3, 1, 0]));
}

#[test]
fn ids_over_the_whole_64_bits() {
    let wide = with_arcs(&[(u64::MAX, 0), (1 << 40, u64::MAX), (5, 1 << 63)]);
    assert_eq!((wide.ids.len(), wide.sources), (5, vec![4, 2, 1]));
    with_arcs(&[(u64::MAX, u64::MAX - 1), (u64::MAX - 5, u64::MAX)]);
}

#[test]
fn ids_at_both_sides_of_the_dense_limit() {
    // One record: dense up to a range of 8 * 1 + 1024.
    for last in [1031, 1032, 1033] {
        assert_eq!(with_arcs(&[(0, last)]).ids.len(), 2);
    }
}

#[test]
fn an_id_in_a_self_loop_only_is_a_vertex() {
    let lonely = with_arcs(&[(1, 2), (9, 9)]);
    assert_eq!((lonely.ids.len(), lonely.ids.vertex_of(9)), (3, Some(2)));
}

#[test]
fn most_declared_vertices_take_no_memory() {
    let text = format!(
        "%%MatrixMarket matrix coordinate pattern general\n{MAX_VERTICES} {MAX_VERTICES} 1\n\
         1 {MAX_VERTICES}\n"
    );
    let read = graph("g.mtx", text);
    assert_eq!(u64::from(read.ids.len()), MAX_VERTICES);
    assert_eq!(records(&read), [(1, MAX_VERTICES)]);
}

#[test]
#[should_panic(expected = "vertex 2 of a graph of 2")]
fn id_of_a_vertex_that_is_not_there_panics() {
    let _ = graph("g.txt", "0 1\n").ids.id_of(2);
}
