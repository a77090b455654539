//! The report of a breadth-first search, as JSON and as text.

use std::fmt;
use std::path::PathBuf;

use meerkat::algos::bfs::UNREACHED;
use meerkat::runtime::read::{Direction, SimpleGraph};
use serde::{Serialize, Serializer};

/// Most rows of the depth table in the text.
const TABLE_ROWS: usize = 12;
/// Longest bar of the depth table.
const BAR_LENGTH: u64 = 40;

/// What the search found, where, and how long it took. The fields of the JSON
/// object are a promise.
#[derive(Debug, Serialize)]
pub(super) struct BfsReport {
    pub(super) algorithm: &'static str,
    pub(super) device: String,
    pub(super) graph: GraphFigures,
    pub(super) result: BfsResult,
    pub(super) timings_ms: Timings,
    #[serde(skip)]
    pub(super) subject: Subject,
}

/// The size of the simple graph.
#[derive(Debug, Serialize)]
pub(super) struct GraphFigures {
    n: u32,
    m_arcs: u64,
    m_undirected: u64,
    max_out_degree: u32,
}

/// The answer in figures.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct BfsResult {
    /// Id of the file.
    source: u64,
    /// Vertices reached, the source included.
    reached: u64,
    max_depth: usize,
    sum_depth: u64,
    /// `histogram[d]` vertices are at depth `d`.
    histogram: Vec<u64>,
}

/// Milliseconds; `compile` is contained in no other.
#[derive(Debug, Serialize)]
pub(super) struct Timings {
    #[serde(serialize_with = "to_microseconds")]
    pub(super) read: f64,
    #[serde(serialize_with = "to_microseconds")]
    pub(super) build: f64,
    #[serde(serialize_with = "to_microseconds")]
    pub(super) compile: f64,
    #[serde(serialize_with = "to_microseconds")]
    pub(super) run: f64,
}

/// What the text says besides.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) device: String,
    pub(super) file: PathBuf,
    pub(super) direction: Direction,
    pub(super) direction_origin: &'static str,
}

impl GraphFigures {
    pub(super) fn of(graph: &SimpleGraph) -> Self {
        Self {
            n: graph.n,
            m_arcs: graph.m_arcs(),
            m_undirected: graph.m_undirected,
            max_out_degree: graph.max_out_degree(),
        }
    }
}

impl BfsResult {
    /// The figures of `levels`, found from the vertex of id `source`.
    pub(super) fn new(source: u64, levels: &[u32]) -> Self {
        let mut histogram = Vec::new();
        for &depth in levels.iter().filter(|&&level| level != UNREACHED) {
            let depth = depth as usize;
            if histogram.len() <= depth {
                histogram.resize(depth + 1, 0);
            }
            histogram[depth] += 1;
        }
        Self {
            source,
            reached: histogram.iter().sum(),
            max_depth: histogram.len().saturating_sub(1),
            sum_depth: (0u64..).zip(&histogram).map(|(depth, vertices)| depth * vertices).sum(),
            histogram,
        }
    }

    fn mean_depth(&self) -> f64 {
        self.sum_depth as f64 / self.reached.max(1) as f64
    }
}

impl fmt::Display for BfsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { device, graph, result, timings_ms: time, subject, .. } = self;
        let direction = match subject.direction {
            Direction::Directed => "directed",
            Direction::Undirected => "undirected",
        };
        writeln!(f, "bfs from vertex {} on {device} ({})", result.source, subject.device)?;
        writeln!(f)?;
        writeln!(f, "graph    {}", subject.file.display())?;
        writeln!(
            f,
            "         {} vertices, {} arcs, {direction} ({})",
            grouped(u64::from(graph.n)),
            grouped(graph.m_arcs),
            subject.direction_origin,
        )?;
        writeln!(
            f,
            "reached  {} vertices, {:.1} % of all",
            grouped(result.reached),
            100.0 * result.reached as f64 / f64::from(graph.n.max(1)),
        )?;
        writeln!(
            f,
            "depth    {} at most, {:.2} on average",
            grouped(result.max_depth as u64),
            result.mean_depth(),
        )?;
        writeln!(
            f,
            "time     read {:.1} ms, build {:.1} ms, compile {:.1} ms, run {:.1} ms",
            time.read, time.build, time.compile, time.run,
        )?;
        writeln!(f)?;
        depth_table(f, &result.histogram)
    }
}

/// Vertices by depth; depths share a row where there are many.
fn depth_table(f: &mut fmt::Formatter<'_>, histogram: &[u64]) -> fmt::Result {
    let depths_per_row = histogram.len().div_ceil(TABLE_ROWS).max(1);
    let rows: Vec<(String, u64)> = histogram
        .chunks(depths_per_row)
        .enumerate()
        .map(|(row, vertices)| {
            let first = row * depths_per_row;
            let label = match vertices.len() {
                1 => first.to_string(),
                depths => format!("{first}-{}", first + depths - 1),
            };
            (label, vertices.iter().sum())
        })
        .collect();
    let most = rows.iter().map(|(_, vertices)| *vertices).max().unwrap_or(1).max(1);

    writeln!(f, "{:>11}  {:>11}", "depth", "vertices")?;
    for (label, vertices) in rows {
        let bar = "#".repeat((vertices * BAR_LENGTH).div_ceil(most) as usize);
        writeln!(f, "{label:>11}  {:>11}  {bar}", grouped(vertices))?;
    }
    Ok(())
}

/// The number with a comma between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Further digits of a millisecond are noise.
fn to_microseconds<S: Serializer>(milliseconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((milliseconds * 1e3).round() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_count_reached_vertices_only() {
        let levels = [2, UNREACHED, 0, 1, 2, 2, UNREACHED];
        let expected = BfsResult {
            source: 40,
            reached: 5,
            max_depth: 2,
            sum_depth: 7,
            histogram: vec![1, 1, 3],
        };
        assert_eq!(BfsResult::new(40, &levels), expected);
    }

    #[test]
    fn a_lone_source_has_depth_zero() {
        let expected =
            BfsResult { source: 1, reached: 1, max_depth: 0, sum_depth: 0, histogram: vec![1] };
        assert_eq!(BfsResult::new(1, &[UNREACHED, 0]), expected);
    }

    #[test]
    fn a_sum_of_depths_may_pass_32_bits() {
        let path: Vec<u32> = (0..100_000).collect();
        let result = BfsResult::new(0, &path);
        assert_eq!((result.max_depth, result.sum_depth), (99_999, 4_999_950_000));
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_070_376, "1,070,376")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn the_depth_table_has_at_most_twelve_rows_that_add_up() {
        struct Table(Vec<u64>);
        impl fmt::Display for Table {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                depth_table(f, &self.0)
            }
        }
        let text = Table(vec![1; 100]).to_string();
        let rows: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(rows.len(), 12);
        assert!(rows[0].trim_start().starts_with("0-8 "), "{text}");
        assert!(rows[11].trim_start().starts_with("99 "), "{text}");
    }
}
