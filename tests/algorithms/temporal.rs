//! Temporal graphs, growing and shrinking: at the prefixes of `expected.json` the
//! answers that followed every batch are those that other libraries computed.

use meerkat::algos::pagerank::{Method, Options, PageRank};
use meerkat::algos::triangles::Triangles;
use meerkat::algos::wcc::{self, Components, Summary};
use meerkat::prelude::*;
use meerkat::runtime::read::Duplicates;
use meerkat::runtime::timeline::Timeline;

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
            say(&format!("{name}: {} batches, on {}", replay.batches, device.name()));
        }
    }
}

type All = (Components, Triangles, PageRank<f64>);

/// A graph at a moment of its time.
struct Replay<'a> {
    input: &'a Input,
    timeline: Timeline<()>,
    tracked: Tracked<SlabGraph, All>,
    batches: usize,
}

impl<'a> Replay<'a> {
    fn new(input: &'a Input, device: &Device) -> Self {
        let timeline = Timeline::new(&input.file, Direction::Directed, Duplicates::Min, |_| ());
        let ranks = PageRank::new(Options::default(), Method::NaiveDynamic);
        let graph = slab_graph(device, input.simple.n, &[]);
        let tracked = graph.track((Components, Triangles, ranks)).expect("tracked");
        Replay { input, timeline: timeline.expect("times"), tracked, batches: 0 }
    }

    /// Goes to a prefix of this many records, an eighth of all of them in a batch.
    fn go_to(&mut self, records: usize) {
        let step = self.timeline.len().div_ceil(8);
        while self.timeline.present().end != records {
            let now = self.timeline.present().end;
            let batch = match now < records {
                true => self.timeline.enter(step.min(records - now)),
                false => self.timeline.retract(step.min(now - records)),
            };
            self.tracked.apply(&batch).expect("applied");
            self.batches += 1;
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
