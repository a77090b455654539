//! Following batches against computing from scratch: the sum of the static times of ten batches
//! over the sum of the dynamic ones, and times by the size of batches.

use meerkat::algos::pagerank::{Method, Norm};

use super::batches;
use crate::cli::bench::batches::Kind;
use crate::cli::bench::dynamic::RankSettings;
use crate::cli::bench::paper::experiment::Value;
use crate::cli::bench::paper::graphs::Dataset;
use crate::cli::bench::paper::lab::{Follow, Lab};
use crate::cli::failure::Failure;

type Values = Result<Vec<Value>, Failure>;

/// By which part sizes of batches are divided in a quick run.
const QUICK_PART: u32 = 128;

/// PageRank as the Meerkat paper has it (section 6.2): from the ranks before the batch, to a change
/// of 1e-5 in a step.
const RANKS: RankSettings = RankSettings {
    methods: &[Method::NaiveDynamic],
    tolerance: 1e-5,
    norm: Norm::L1,
    ..RankSettings::DEFAULT
};

fn follow(lab: &Lab<'_>, algorithm: &'static str, kind: Kind, size: u32) -> Follow {
    let (size, count) = (lab.size(size, QUICK_PART) as usize, batches(lab, 10));
    Follow { algorithm, kind, size, count, inserted: None, ranks: RANKS }
}

/// The speedup over ten batches of 10,000 insertions, and of 10,000 deletions.
pub(in crate::cli::bench::paper) fn ten_batches(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    algorithm: &'static str,
) -> Values {
    let of = |kind: Kind| {
        let follow = follow(lab, algorithm, kind, 10_000);
        Ok(Value::new(kind.name(), lab.follow(dataset, follow)?[0].speedup))
    };
    [Kind::Incremental, Kind::Decremental].into_iter().map(of).collect()
}

/// PageRank after batches of 1,000 to 10,000 edges: the mean time, and the mean number of steps.
pub(in crate::cli::bench::paper) fn small_batches(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    kind: Kind,
) -> Values {
    let mut found = Vec::new();
    let thousands = if lab.quick { vec![1, 4, 10] } else { (1..=10).collect() };
    for full in thousands.into_iter().map(|thousand| 1000 * thousand) {
        let follow = follow(lab, "pagerank", kind, full);
        let rows = lab.follow(dataset, follow)?;
        let row = &rows[0];
        let steps = row.iterations.iter().sum::<u32>();
        let steps = f64::from(steps) / row.iterations.len().max(1) as f64;
        let (x, of) = (follow.size as f64, f64::from(full));
        found.push(Value::new("", row.batch_ms).within("ms a batch").at(x, of));
        found.push(Value::new("", steps).within("steps a batch").at(x, of));
    }
    Ok(found)
}

/// Triangles after each of five batches: the insertion and the count, cumulated.
pub(in crate::cli::bench::paper) fn cumulated_triangles(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    full: u32,
) -> Values {
    let size = lab.size(full, 1 << 17) as usize;
    let kind = Kind::Incremental;
    let ranks = RankSettings::DEFAULT;
    let follow = Follow { algorithm: "triangles", kind, size, count: 5, inserted: None, ranks };
    let rows = lab.follow(dataset, follow)?;
    let row = &rows[0];
    let mut found = Vec::new();
    let (mut insert, mut counted, mut followed) = (0.0, 0.0, 0.0);
    for at in 0..row.static_runs_ms.len() {
        insert += row.graph_runs_ms[at];
        counted += row.static_runs_ms[at];
        followed += row.dynamic_runs_ms[at];
        let value = |series: &str, value: f64| {
            Value::new(series, value).at(at as f64 + 1.0, at as f64 + 1.0)
        };
        found.push(value("insert", insert));
        found.push(value("count from scratch", counted));
        found.push(value("insert and count", insert + counted));
        found.push(value("insert and follow", insert + followed));
    }
    Ok(found)
}
