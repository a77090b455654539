//! Real temporal graphs, growing to their last record and shrinking again: at
//! every published point the tracked answers are those of independent libraries.

use crate::support::expected::{BfsFigures, Graph, Prefix, SsspFigures, graphs_in};
use crate::support::{data_folder, devices, say, skipped};
use meerkat::algos::bfs::{Bfs, UNREACHED};
use meerkat::algos::sssp::Sssp;
use meerkat::prelude::*;
use meerkat::runtime::read::{Duplicates, GraphFile, read};
use meerkat::runtime::timeline::Timeline;

#[test]
fn prefixes_by_growing_and_shrinking_on_the_cpu() {
    check_all(&Device::cpu());
}

#[test]
fn prefixes_by_growing_and_shrinking_on_cuda() {
    if let Some(device) = devices::cuda() {
        check_all(&device);
    }
}

fn check_all(device: &Device) {
    let Some(graphs) = graphs_in(&data_folder()) else {
        skipped(&format!("{} has no expected.json", data_folder().display()));
        return;
    };
    let mut checked = Vec::new();
    for (name, path, expected) in &graphs {
        let Some(prefixes) = &expected.temporal_prefixes else { continue };
        let file = read(path, &mut |_| {}).expect("a graph");
        for (batch_size, orientation) in [(1_000, Orientation::Both), (100_000, Orientation::Out)] {
            let stream = Stream { device, file: &file, batch_size, orientation };
            stream.check_synthetic(&prefixes.prefixes, name);
            stream.check_native(expected, &prefixes.prefixes, name);
        }
        checked.push(name.as_str());
    }
    let on = devices::label(device);
    say(&format!("growing and shrinking agree on {}, on {on}", checked.join(", ")));
}

struct Stream<'a> {
    device: &'a Device,
    file: &'a GraphFile,
    batch_size: usize,
    orientation: Orientation,
}

impl Stream<'_> {
    fn vertex(&self, source: u64) -> u32 {
        self.file.ids.vertex_of(source).expect("the source")
    }

    /// Both searches from both sources, with synthetic weights.
    fn check_synthetic(&self, prefixes: &[Prefix], name: &str) {
        let id = |vertex: u32| self.file.ids.id_of(vertex);
        let weight = |record: usize| {
            let (u, v) = (id(self.file.sources[record]), id(self.file.destinations[record]));
            1 + u32::try_from((u * 31 + v * 17) % 64).expect("below 64")
        };
        let first = &prefixes[0];
        let bfs = |i: usize| Bfs::from_source(self.vertex(first.bfs[i].source));
        let sssp = |i: usize| Sssp::from_source(self.vertex(first.sssp_synthetic[i].source));
        let algorithms = (bfs(0), bfs(1), sssp(0), sssp(1));
        self.replay(prefixes, weight, algorithms, |place, prefix, found| {
            let place = format!("{name}, {place}");
            for (tree, wanted) in [&found.0, &found.1].into_iter().zip(&prefix.bfs) {
                assert_eq!(bfs_figures(wanted.source, &tree.levels), *wanted, "{place}");
            }
            for (paths, wanted) in [&found.2, &found.3].into_iter().zip(&prefix.sssp_synthetic) {
                assert_eq!(sssp_figures(wanted.source, &paths.distances), *wanted, "{place}");
            }
        });
    }

    fn check_native(&self, expected: &Graph, prefixes: &[Prefix], name: &str) {
        let Some("rating+11") = expected.native_weights.as_deref() else { return };
        let weights = self.file.weights.as_ref().expect("weights");
        let weight = |record: usize| (weights[record] + 11.0) as u32;
        let source = self.vertex(prefixes[0].sssp_native[0].source);
        self.replay(prefixes, weight, Sssp::from_source(source), |place, prefix, found| {
            let wanted = &prefix.sssp_native[0];
            let found = sssp_figures(wanted.source, &found.distances);
            assert_eq!(found, *wanted, "{name}, native, {place}");
        });
    }

    /// Grows through the prefixes, then shrinks back to the first.
    fn replay<A: DynamicAlgorithm<SlabGraph<u32>>>(
        &self,
        prefixes: &[Prefix],
        weight: impl Fn(usize) -> u32,
        algorithm: A,
        check: impl Fn(&str, &Prefix, A::Output),
    ) {
        let directed = Direction::Directed;
        let timeline = Timeline::new(self.file, directed, Duplicates::Min, weight);
        let mut timeline = timeline.expect("times");
        let options = SlabOptions::DEFAULT.oriented(self.orientation);
        let graph = SlabGraph::from_edges(self.device, self.file.ids.len(), &[], &options);
        let mut tracked = graph.expect("a graph").track(algorithm).expect("tracked");
        let back = prefixes.iter().rev().skip(1).map(|prefix| ("shrunk", prefix));
        for (way, prefix) in prefixes.iter().map(|prefix| ("grown", prefix)).chain(back) {
            while timeline.present().end != prefix.records {
                let end = timeline.present().end;
                let batch = match prefix.records.checked_sub(end) {
                    Some(missing) => timeline.enter(missing.min(self.batch_size)),
                    None => timeline.retract((end - prefix.records).min(self.batch_size)),
                };
                tracked.apply(&batch).expect("applied");
            }
            assert_eq!(tracked.graph().edge_count().expect("a count"), prefix.m_arcs);
            let place = format!("{way} to {} by {}", prefix.records, self.batch_size);
            check(&place, prefix, tracked.output().expect("an answer"));
        }
    }
}

fn bfs_figures(source: u64, levels: &[u32]) -> BfsFigures {
    let reached: Vec<_> = levels.iter().filter(|&&level| level != UNREACHED).copied().collect();
    let max = reached.iter().copied().max().unwrap_or(0);
    let at = |depth| reached.iter().filter(|&&level| level == depth).count() as u64;
    BfsFigures {
        source,
        reached: reached.len() as u64,
        max_depth: max.into(),
        sum_depth: reached.iter().copied().map(u64::from).sum(),
        histogram: (0..=max).map(at).collect(),
    }
}

fn sssp_figures(source: u64, distances: &[u32]) -> SsspFigures {
    let reached = || distances.iter().filter(|&&d| d != UNREACHED).copied().map(f64::from);
    SsspFigures {
        source,
        reached: reached().count() as u64,
        sum: reached().sum(),
        max: reached().fold(0.0, f64::max),
    }
}
