//! Temporal graphs, growing and shrinking: at the prefixes of `expected.json` the
//! answers that followed every batch are those that other libraries computed.

use std::collections::HashMap;

use meerkat::algos::pagerank::{Method, Options, PageRank};
use meerkat::algos::triangles::Triangles;
use meerkat::algos::wcc::{self, Components, Summary};
use meerkat::prelude::*;

use super::pagerank;
use super::support::expected::{Prefix, Wcc, graphs_in};
use super::support::graphs::{Input, slab_graph};
use super::support::{data_folder, devices, say, skipped};

#[test]
fn answers_follow_temporal_graphs_growing_and_shrinking() {
    let Some(graphs) = graphs_in(&data_folder()) else {
        return skipped("the temporal graphs are not there");
    };
    for device in devices::devices() {
        for (name, path, expected) in &graphs {
            let Some(temporal) = &expected.temporal_prefixes else { continue };
            let input = Input::read(path, true);
            let mut replay = Replay::new(&input, &device);
            let [half, most, whole] = &temporal.prefixes[..] else { panic!("3 prefixes") };
            for prefix in [half, most, whole, most, half] {
                replay.go_to(prefix.records);
                let flaws = replay.flaws(prefix);
                assert!(flaws.is_empty(), "{name}, {} records: {flaws:?}", prefix.records);
            }
            let Replay { batches, updates, .. } = replay;
            say(&format!("{name}: {batches} batches, {updates} updates, on {}", device.name()));
        }
    }
}

type All = (Components<()>, Triangles, PageRank<f64>);

/// A graph at a moment of its time.
struct Replay<'a> {
    input: &'a Input,
    /// Each arc once, with the number of its first record by time, ascending.
    arcs: Vec<(usize, Edge)>,
    tracked: Tracked<(), All>,
    /// How many records there are, and how many count now.
    whole: usize,
    records: usize,
    batches: usize,
    updates: usize,
}

impl<'a> Replay<'a> {
    fn new(input: &'a Input, device: &Device) -> Self {
        let file = &input.file;
        let times = file.times.as_ref().expect("times");
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by_key(|&record| times[record]);
        let mut first = HashMap::new();
        for (moment, &record) in order.iter().enumerate() {
            let (src, dst) = (file.sources[record], file.destinations[record]);
            if src != dst {
                first.entry((src, dst)).or_insert(moment);
            }
        }
        let arc = |((src, dst), moment)| (moment, Edge { src, dst, weight: () });
        let mut arcs: Vec<_> = first.into_iter().map(arc).collect();
        arcs.sort_by_key(|(moment, _)| *moment);
        let ranks = PageRank::new(Options::default(), Method::NaiveDynamic);
        let graph = slab_graph(device, input.simple.n, &[]);
        let tracked = graph.track((Components::new(), Triangles::new(), ranks)).expect("tracked");
        Replay { input, arcs, tracked, whole: times.len(), records: 0, batches: 0, updates: 0 }
    }

    /// Goes to a prefix of so many records, a tenth of all of them in a batch.
    fn go_to(&mut self, records: usize) {
        let step = self.whole.div_ceil(10);
        while self.records != records {
            let next = match self.records < records {
                true => (self.records + step).min(records),
                false => self.records.saturating_sub(step).max(records),
            };
            let at = |moment: usize| self.arcs.partition_point(|(first, _)| *first < moment);
            let (low, high) = (self.records.min(next), self.records.max(next));
            let changed: Vec<_> =
                self.arcs[at(low)..at(high)].iter().map(|(_, edge)| *edge).collect();
            let batch = match next > self.records {
                true => Batch::new().insert(&changed),
                false => Batch::new().delete(&changed),
            };
            self.tracked.apply(&batch).expect("applied");
            self.records = next;
            self.batches += 1;
            self.updates += changed.len();
        }
    }

    fn flaws(&self, expected: &Prefix) -> Vec<String> {
        let edges = self.tracked.graph().edge_count().expect("a count");
        assert_eq!(edges, expected.m_arcs);
        let (labels, triangles, ranks) = self.tracked.output().expect("answers");
        let mut flaws = pagerank::differences(self.input, &ranks, &expected.pagerank, 2e-11);
        let Summary { count, largest } = wcc::summary(&labels);
        if (Wcc { count, largest }) != expected.wcc {
            flaws.push(format!("{count} components, {largest} in the largest"));
        }
        if triangles.total != expected.triangles {
            flaws.push(format!("{} triangles, not {}", triangles.total, expected.triangles));
        }
        flaws
    }
}
