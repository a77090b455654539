//! Simple graphs, compared with a set of arcs.

use std::collections::BTreeMap;

use super::super::{GraphFile, SimpleGraph};
use super::graph;
use crate::Direction;

/// The arcs of the simple graph and their weights by the definition.
fn expected_arcs(file: &GraphFile, direction: Direction) -> BTreeMap<(u32, u32), f64> {
    let mut arcs = BTreeMap::new();
    for record in 0..file.sources.len() {
        let (u, v) = (file.sources[record], file.destinations[record]);
        let weight = file.weights.as_ref().map_or(0.0, |weights| weights[record]);
        let both = [(u, v), (v, u)];
        let ways = if direction == Direction::Directed { 1 } else { 2 };
        for arc in both.into_iter().take(if u == v { 0 } else { ways }) {
            let lightest = arcs.entry(arc).or_insert(weight);
            *lightest = weight.min(*lightest);
        }
    }
    arcs
}

fn assert_matches_definition(file: &GraphFile, direction: Direction) -> SimpleGraph {
    let simple = file.simple(direction);
    let expected = expected_arcs(file, direction);
    let arcs: Vec<_> =
        simple.sources.iter().copied().zip(simple.destinations.iter().copied()).collect();
    assert!(arcs.iter().eq(expected.keys()), "{arcs:?}");
    if let Some(weights) = &simple.weights {
        assert!(weights.iter().eq(expected.values()), "{weights:?}");
    }
    assert_eq!(simple.weights.is_some(), file.weights.is_some());
    assert_eq!(simple.n, file.ids.len());
    assert_eq!(simple.m_arcs(), expected.len() as u64);

    let pairs = expected.keys().filter(|&&(u, v)| u < v || !expected.contains_key(&(v, u)));
    assert_eq!(simple.m_undirected, pairs.count() as u64);

    let degree = |u| expected.range((u, 0)..=(u, u32::MAX)).count() as u32;
    let degrees: Vec<u32> = (0..simple.n).map(degree).collect();
    assert_eq!(simple.out_degrees(), degrees);
    assert_eq!(simple.max_out_degree(), degrees.into_iter().max().unwrap_or(0));
    simple
}

#[test]
fn self_loops_go_and_repeats_count_once() {
    let file = graph("g.txt", "2 1\n1 1\n1 2\n2 1\n3 1\n4 4\n");
    let directed = assert_matches_definition(&file, Direction::Directed);
    assert_eq!((directed.n, directed.m_arcs(), directed.m_undirected), (4, 3, 2));

    let undirected = assert_matches_definition(&file, Direction::Undirected);
    assert_eq!((undirected.m_arcs(), undirected.m_undirected), (4, 2));
    assert_eq!(undirected.out_degrees(), [2, 1, 1, 0]);
}

#[test]
fn the_smallest_weight_wins_in_both_directions_of_an_edge() {
    let file = graph("g.wel", "1 2 5\n2 1 3\n1 2 4\n3 3 -9\n1 3 -1\n");
    let directed = assert_matches_definition(&file, Direction::Directed);
    assert_eq!(directed.weights, Some(vec![4.0, -1.0, 3.0]));

    let undirected = assert_matches_definition(&file, Direction::Undirected);
    assert_eq!(undirected.weights, Some(vec![3.0, -1.0, 3.0, -1.0]));
}

#[test]
fn only_self_loops_leave_vertices_without_arcs() {
    let file = graph("g.txt", "1 1\n5 5\n");
    let simple = assert_matches_definition(&file, Direction::Undirected);
    assert_eq!((simple.n, simple.m_arcs(), simple.max_out_degree()), (2, 0, 0));
}

#[test]
fn random_300v_5000_weighted_records_match_the_definition() {
    let mut state = 7_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let text: String =
        (0..5000).map(|_| format!("{} {} {}\n", draw(300), draw(300), draw(9))).collect();
    let weighted = graph("g.wel", &text);
    let unweighted = graph("g.txt", &text);
    for direction in [Direction::Directed, Direction::Undirected] {
        assert_matches_definition(&weighted, direction);
        assert_matches_definition(&unweighted, direction);
    }
}
