//! What a breadth-first search found, in figures and as text.

use std::fmt;

use meerkat::algos::bfs::UNREACHED;
use serde::Serialize;

use super::report::{Summary, grouped, reached_line};

/// Most rows of the depth table in the text.
const TABLE_ROWS: usize = 12;
/// Longest bar of the depth table.
const BAR_LENGTH: u64 = 40;

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

impl Summary for BfsResult {
    fn question(&self) -> String {
        format!(" from vertex {}", self.source)
    }

    fn answer(&self, n: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        reached_line(f, self.reached, n)?;
        writeln!(
            f,
            "depth    {} at most, {:.2} on average",
            grouped(self.max_depth as u64),
            self.mean_depth(),
        )
    }

    fn in_brief(&self) -> String {
        format!("{} reached to depth {}", grouped(self.reached), self.max_depth)
    }

    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        depth_table(f, &self.histogram)
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
