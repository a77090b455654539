//! Whether two readers understand a file alike.

use std::collections::{BTreeMap, BTreeSet};

use meerkat_runtime::graph::Direction;
use meerkat_runtime::read::{Duplicates, GraphFile, SimpleGraph};

use super::case::Case;
use super::reference::{Id, Record, Table};

const BILLION: i128 = 1_000_000_000;

/// Compares vertices, records and the simple graph; the error is the first difference.
pub(crate) fn compare(case: &Case, ours: &GraphFile, reference: &Table) -> Result<(), String> {
    let labels: Vec<Id> =
        (0..count_to_list(ours)).map(|vertex| Id::from(ours.ids.label(vertex))).collect();
    same("the number of vertices", u64::from(ours.ids.len()), reference.vertex_count())?;
    if let Some(listed) = reference.listed() {
        same("the vertices", labels.iter().collect::<Vec<_>>(), listed.iter().collect())?;
    }
    for (vertex, label) in labels.iter().enumerate() {
        same("the vertex of an id", ours.ids.vertex_named(&label.text()), Some(vertex as u32))?;
    }
    same("the direction", ours.declared_directed, reference.directed)?;
    same("the bipartite offset", ours.target_offset, reference.target_offset)?;
    let columns: Vec<_> = ours.columns.as_slice().to_vec();
    same("the columns", &columns, &reference.columns)?;
    compare_records(ours, &reference.records)?;
    compare_simple(case, ours, &reference.records)
}

/// A header may declare billions of vertices.
fn count_to_list(ours: &GraphFile) -> u32 {
    ours.ids.len().min(10_000)
}

fn compare_records(ours: &GraphFile, records: &[Record]) -> Result<(), String> {
    same("the number of records", ours.sources.len(), records.len())?;
    let first = records.first();
    same("whether there are weights", ours.weights.is_some(), has(first, |r| r.weight.is_some()))
        .or_else(|error| if records.is_empty() { Ok(()) } else { Err(error) })?;
    same("whether there are times", ours.times.is_some(), has(first, |r| r.time.is_some()))
        .or_else(|error| if records.is_empty() { Ok(()) } else { Err(error) })?;
    for (at, record) in records.iter().enumerate() {
        same("a source", label(ours, ours.sources[at]), record.source.clone())?;
        same("a target", label(ours, ours.destinations[at]), record.target.clone())?;
        let weight = ours.weights.as_ref().map(|weights| weights[at].to_bits());
        same("a weight", weight, record.weight.map(f64::to_bits))?;
        let billionths = BILLION / i128::from(ours.time_scale.ticks_per_unit);
        let time = ours.times.as_ref().map(|times| i128::from(times[at]) * billionths);
        same("a time in 10^-9 units", time, record.time)?;
    }
    Ok(())
}

/// The arcs of the simple graph, and the weight of each.
fn compare_simple(case: &Case, ours: &GraphFile, records: &[Record]) -> Result<(), String> {
    let SimpleGraph { n, sources, destinations, weights, m_undirected } =
        ours.simple_with(case.direction, case.duplicates);
    let mut expected: BTreeMap<(Id, Id), Option<f64>> = BTreeMap::new();
    for record in records.iter().filter(|record| record.source != record.target) {
        let arc = (record.source.clone(), record.target.clone());
        let reverse = (arc.1.clone(), arc.0.clone());
        let both = case.direction == Direction::Undirected;
        for arc in [Some(arc), both.then_some(reverse)].into_iter().flatten() {
            let weight = expected.entry(arc).or_insert(record.weight);
            let is_chosen = case.duplicates == Duplicates::Last || record.weight < *weight;
            if is_chosen {
                *weight = record.weight;
            }
        }
    }
    let pairs: BTreeSet<_> = expected.keys().map(|(u, v)| (u.min(v), u.max(v))).collect();
    same("the pairs of the simple graph", m_undirected, pairs.len() as u64)?;
    same("the vertices of the simple graph", n, ours.ids.len())?;
    let ascend = sources.iter().zip(&destinations).is_sorted_by(|a, b| a < b);
    same("whether the arcs ascend", ascend, true)?;
    let found: BTreeMap<_, _> = sources
        .iter()
        .zip(&destinations)
        .enumerate()
        .map(|(at, (&u, &v))| ((label(ours, u), label(ours, v)), weights.as_ref().map(|w| w[at])))
        .collect();
    same("the simple graph", found, expected)
}

fn label(ours: &GraphFile, vertex: u32) -> Id {
    Id::from(ours.ids.label(vertex))
}

fn has(record: Option<&Record>, is: impl Fn(&Record) -> bool) -> bool {
    record.is_some_and(is)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, ours: T, reference: T) -> Result<(), String> {
    if ours == reference {
        return Ok(());
    }
    let brief = |value: &T| format!("{value:?}").chars().take(300).collect::<String>();
    Err(format!("{what}: {}, but the reference has {}", brief(&ours), brief(&reference)))
}
