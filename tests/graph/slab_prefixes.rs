//! Temporal graphs growing to 50, 90 and 100 % of their records and shrinking
//! back, by batches, against the counts of `expected.json`.
//!
//! By single records the CPU takes the whole graphs, and CUDA, which waits for each batch,
//! the last 300 records before each point: `MEERKAT_TEMPORAL_SINGLES=20000` takes as many
//! on both, `all` takes all.

use crate::support::{data_folder, devices, say, skipped};
use meerkat::prelude::*;
use meerkat::runtime::graph::Update;
use meerkat::runtime::read::read;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;

#[derive(Deserialize)]
struct Expected {
    graphs: BTreeMap<String, Temporal>,
}

#[derive(Deserialize)]
struct Temporal {
    file: String,
    n: u32,
    #[serde(default)]
    temporal_prefixes: Option<Prefixes>,
}

#[derive(Deserialize)]
struct Prefixes {
    prefixes: Vec<Prefix>,
}

#[derive(Deserialize)]
struct Prefix {
    records: usize,
    m_arcs: u64,
    m_undirected: u64,
    max_out_degree: u32,
}

/// A stream of records in time order, self-loops left out of the graph.
struct Stream {
    name: String,
    n: u32,
    records: Vec<Edge>,
    prefixes: Vec<Prefix>,
}

fn streams() -> Vec<Stream> {
    let Ok(text) = fs::read_to_string(data_folder().join("expected.json")) else {
        skipped("the large graphs are not there");
        return Vec::new();
    };
    let expected: Expected = serde_json::from_str(&text).expect("expected.json is as described");
    let streams = expected.graphs.into_iter().filter_map(|(name, graph)| {
        let prefixes = graph.temporal_prefixes?.prefixes;
        let records = records(data_folder().join(&graph.file));
        Some(Stream { name, n: graph.n, records, prefixes })
    });
    streams.collect()
}

fn records(path: PathBuf) -> Vec<Edge> {
    let file = read(&path, &mut |_| {}).expect("a graph file");
    let times = file.times.as_ref().expect("times");
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by_key(|&at| times[at]);
    let record = |at| Edge { src: file.sources[at], dst: file.destinations[at], weight: () };
    order.into_iter().map(record).collect()
}

impl Stream {
    /// What record number `at` does to the graph when it comes.
    fn arrival(&self, at: usize) -> Option<Update> {
        let record = self.records[at];
        (record.src != record.dst).then_some(Update::Insert(record))
    }

    /// What it does when it goes, latest first: an arc goes with its first record.
    fn departure(&self, at: usize, first: &HashMap<(u32, u32), usize>) -> Option<Update> {
        let record = self.records[at];
        (first[&(record.src, record.dst)] == at).then_some(Update::Delete(record))
    }

    fn first_records(&self) -> HashMap<(u32, u32), usize> {
        let mut first = HashMap::new();
        for (at, record) in self.records.iter().enumerate() {
            first.entry((record.src, record.dst)).or_insert(at);
        }
        first
    }

    /// Replays the stream up and down; `single` is how many of the last records
    /// before a point come one by one when batches are of 1.
    fn replay(&self, device: &Device, batch: usize, single: usize) {
        let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
        let mut graph = SlabGraph::from_edges(device, self.n, &[], &options).expect("a graph");
        let place = format!("{} by {batch} on {}", self.name, device.name());
        let mut at = 0;
        for prefix in &self.prefixes {
            let updates = |range: std::ops::Range<usize>| {
                range.filter_map(|at| self.arrival(at)).collect::<Batch>()
            };
            for range in cut(at, prefix.records, batch, single) {
                graph.apply(&updates(range)).expect("a batch");
            }
            at = prefix.records;
            prefix.check(&graph, &format!("{place}, growing"));
        }
        let first = self.first_records();
        for prefix in self.prefixes.iter().rev().skip(1) {
            for range in cut(prefix.records, at, batch, single).into_iter().rev() {
                let updates = range.rev().filter_map(|at| self.departure(at, &first));
                graph.apply(&updates.collect::<Batch>()).expect("a batch");
            }
            at = prefix.records;
            prefix.check(&graph, &format!("{place}, shrinking"));
        }
        graph.check_invariants().expect("invariants");
    }
}

/// Ranges of `batch` records; with batches of 1 only the last `single`, the others
/// at once.
fn cut(from: usize, to: usize, batch: usize, single: usize) -> Vec<std::ops::Range<usize>> {
    let start = if batch == 1 { to.saturating_sub(single).max(from) } else { from };
    let mut ranges = Vec::new();
    if start > from {
        ranges.push(from..start);
    }
    ranges.extend((start..to).step_by(batch).map(|at| at..(at + batch).min(to)));
    ranges
}

impl Prefix {
    #[track_caller]
    fn check(&self, graph: &SlabGraph, place: &str) {
        let edges = graph.to_edges().expect("edges");
        assert_eq!(edges.len() as u64, self.m_arcs, "{place}");
        let turned = |edge: &Edge| Edge { src: edge.dst, dst: edge.src, weight: () };
        let back = graph.contains(&edges.iter().map(turned).collect::<Vec<_>>());
        let both = back.expect("answers").into_iter().filter(|found| *found).count() as u64;
        assert_eq!(self.m_arcs - both / 2, self.m_undirected, "{place}");
        let most = graph.out_degrees().expect("degrees").into_iter().max();
        assert_eq!(most, Some(self.max_out_degree), "{place}");
    }
}

#[track_caller]
fn replay_all(device: &Device, batches: &[usize], single: usize) {
    let single = match std::env::var("MEERKAT_TEMPORAL_SINGLES").as_deref() {
        Ok("all") => usize::MAX,
        Ok(count) => count.parse().expect("MEERKAT_TEMPORAL_SINGLES is a number or `all`"),
        Err(_) => single,
    };
    for stream in streams() {
        for &batch in batches {
            stream.replay(device, batch, single);
        }
        say(&format!("{} up and down by {batches:?}, on {}", stream.name, device.name()));
    }
}

#[test]
fn prefixes_by_1000_and_100000_records_on_the_cpu() {
    replay_all(&Device::cpu(), &[1000, 100_000], 0);
}

#[test]
fn prefixes_by_single_records_on_the_cpu() {
    replay_all(&Device::cpu(), &[1], usize::MAX);
}

#[test]
fn prefixes_by_1000_and_100000_records_on_cuda() {
    if let Some(device) = devices::cuda() {
        replay_all(&device, &[1000, 100_000], 0);
    }
}

#[test]
fn prefixes_by_single_records_on_cuda() {
    if let Some(device) = devices::cuda() {
        replay_all(&device, &[1], 300);
    }
}
