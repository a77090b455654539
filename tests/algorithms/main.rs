//! The algorithms against answers that others published, and against plain
//! programs that find them by another method.

mod answers;
mod bfs_expected;
mod borrowed_rows;
mod checkpoints;
mod deep_deletions;
mod distributed;
mod dynamic;
mod epochs;
mod oracle;
mod pagerank;
mod rank_drift;
mod rank_streams;
mod search_streams;
mod search_temporal;
mod soak;
mod spmv;
mod spmv_changes;
mod spmv_matrix;
mod sssp;
mod sssp_expected;
mod stream_oracle;
mod streams;
#[path = "../support/mod.rs"]
mod support;
mod temporal;
mod together;
mod torn;
mod triangle_batches;
mod triangles;
mod truss;
mod truss_batches;
mod truss_streams;
mod wcc;

use std::path::Path;

use meerkat::runtime::Device;
use support::expected::{Graph, graphs_in};
use support::graphs::Input;
use support::{devices, say, skipped};

/// Compares one graph's answer with what is expected of it; differences in words.
type Comparison = fn(&Input, &Graph, &Device) -> Vec<String>;

/// Visits of arcs in one container that the CPU does without being asked for more.
const QUICK: u64 = 8_000_000;

/// Compares on every graph of the folder's `expected.json`; on the CPU on those
/// that cost little, unless `MEERKAT_TEST_LARGE` is 1.
fn check_folder(
    algorithm: &str,
    folder: &Path,
    device: &Device,
    cost: fn(&Graph) -> u64,
    compare: Comparison,
) {
    let Some(graphs) = graphs_in(folder) else {
        skipped(&format!("{} has no expected.json", folder.display()));
        return;
    };
    let all = device.is_cuda() || std::env::var_os("MEERKAT_TEST_LARGE").is_some();
    let quick = |(_, _, graph): &&(_, _, Graph)| all || cost(graph) <= QUICK;
    let chosen: Vec<_> = graphs.iter().filter(quick).collect();
    let mut failures = Vec::new();
    for (name, path, expected) in &chosen {
        let input = Input::read(path, expected.directed);
        let found = compare(&input, expected, device);
        failures.extend(found.into_iter().map(|difference| format!("{name}: {difference}")));
    }
    let on = devices::label(device);
    assert!(failures.is_empty(), "{algorithm} on {on}:\n{}", failures.join("\n"));
    let (done, there) = (chosen.len(), graphs.len());
    say(&format!("{algorithm} agrees on {done} of {there} graphs, on {on}"));
}

/// Random graphs of many sizes, as vertices and arcs.
fn random_graphs() -> Vec<(u32, Vec<(u32, u32)>)> {
    let sizes = [(1, 3), (2, 3), (7, 6), (40, 25), (40, 300), (700, 500), (1000, 9000)];
    let graph = |(n, m): (u32, u32)| (n, support::graphs::random_arcs(n, m, u64::from(n * m)));
    sizes.into_iter().map(graph).collect()
}
