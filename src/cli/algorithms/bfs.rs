//! Breadth-first search for the command.

use std::io::{self, Write};

use meerkat::algos::bfs::{self, Bfs, Tree, UNREACHED};
use meerkat::algos::catalog;
use meerkat::runtime::distributed::{DistributedGraph, Part};
use meerkat::runtime::read::VertexIds;
use meerkat::runtime::{Container, EdgeLists, Error, Orientation};
use serde::Serialize;

use super::search::{Search, SearchArgs, check_parents, write_parent};
use super::{
    Algorithm, AlgorithmArgs, Answers, Brief, DynamicArgs, DynamicTask, Figures, FromScratch,
    RankFollowing, Task, TrackedAlgorithm, compare, computed_over_ranks, follower, levels_from,
    plain_levels,
};
use crate::cli::bench::{DynamicCase, DynamicRow, StaticCase, StaticRow};
use crate::cli::container::Lists;
use crate::cli::failure::Failure;
use crate::cli::input::{Input, VertexId, Weights};
use crate::cli::output::{grouped, percent};

const RUN_HELP: &str = "\
Examples:
  # From the smallest id that has an out-edge, on a GPU if there is one
  meerkat run bfs --graph tests/graphs/rome99.gr.gz

  # Most edge lists do not say whether they are directed: say it
  meerkat run bfs --graph as-20000102.txt.gz --undirected

  # A CSV file of four columns, the second of which does not matter
  meerkat run bfs --graph calls.csv --columns source,-,target,time

  # From another program
  zstdcat friends.txt.zst | meerkat run bfs --graph - --format edge-list

  # An LDBC Graphalytics graph is named by its edge file; check its published answer
  meerkat run bfs --graph G.e --source 1 --output depths && diff depths G-BFS

  # Depth and parent of every vertex, on the second GPU, figures for a script
  meerkat run bfs --graph G.mtx --tree --device cuda:1 --output tree --json

--output FILE writes `id depth`, the format of LDBC's BFS outputs, where an unreached vertex
has the depth 9223372036854775807. With --tree a third column is the parent's id: the
source's parent is the source, an unreached vertex has -1.

The result in JSON: source, reached, max_depth, sum_depth, histogram; histogram[d] is the
number of vertices at depth d.";

const STREAM_HELP: &str = "\
Examples:
  # A growing graph, ten thousand records at a time
  meerkat stream bfs --graph sx-mathoverflow.txt.gz

  # The newest 50000 records, one JSON object a batch
  meerkat stream bfs --graph sx-mathoverflow.txt.gz --window 50000 --json";

/// LDBC's depth of an unreached vertex.
const UNREACHED_DEPTH: u64 = i64::MAX as u64;
/// Most rows of the depth table in the text.
const TABLE_ROWS: usize = 12;
/// Longest bar of the depth table.
const BAR_LENGTH: u64 = 40;

/// What the user says of a search.
#[derive(Debug, clap::Args)]
pub(super) struct BfsArgs {
    #[command(flatten)]
    search: SearchArgs,
}

impl AlgorithmArgs for BfsArgs {
    const ENTRY: &'static catalog::Algorithm = &catalog::BFS;
    const RUN_HELP: &'static str = RUN_HELP;

    fn start<T: Task>(
        &self,
        input: &Input,
        weights: Option<Weights>,
        task: T,
    ) -> Result<T::Output, Failure> {
        self.start_dynamic(input, weights, FromScratch(task))
    }

    fn bench_static<L: Lists>(case: &StaticCase<'_>) -> Result<Vec<StaticRow>, Failure> {
        let graph = case.build::<L, ()>(Orientation::Both)?;
        let source = case.source(&graph)?;
        case.check(|answers| Ok(bfs::levels(&graph, source)? == *levels_from(answers, source)))?;
        let levels = case.time("levels", || bfs::levels_on_device(&graph, source).map(drop))?;
        let is_right =
            |answers: &Answers, tree: &Tree| tree.levels == *levels_from(answers, source);
        let (tree, _) = case.time_tracked("tree", Bfs::from_source(source), &graph, is_right)?;
        Ok(vec![levels, tree])
    }
}

impl DynamicArgs for BfsArgs {
    const STREAM_HELP: &'static str = STREAM_HELP;

    fn start_dynamic<T: DynamicTask>(
        &self,
        input: &Input,
        _: Option<Weights>,
        task: T,
    ) -> Result<T::Output, Failure> {
        let search = self.search.search(input)?;
        task.perform(&search, |_| ())
    }

    fn bench_dynamic<L: Lists>(case: &DynamicCase<'_>) -> Result<Vec<DynamicRow>, Failure> {
        let source = case.workload.hub();
        case.run_exact::<L, _, _>(|_| (), || Bfs::from_source(source), |a, b| a.levels == b.levels)
    }
}

impl Algorithm<()> for Search {
    type Answer = Tree;
    type Figures = BfsFigures;

    fn orientation(&self, deletes: bool) -> Orientation {
        Search::orientation(deletes)
    }

    fn compute(&self, graph: &impl Container<Carried = ()>, _: bool) -> Result<Tree, Error> {
        match self.tree {
            true => bfs::tree(graph, self.source),
            false => Ok(Tree { levels: bfs::levels(graph, self.source)?, parents: Vec::new() }),
        }
    }

    fn compute_over_ranks<L: EdgeLists<Carried = ()>>(
        &self,
        part: &Part<'_, L>,
    ) -> Option<Result<Tree, Error>> {
        Some(computed_over_ranks(&Bfs::from_source(self.source), part))
    }

    fn figures(&self, answer: &Tree, ids: &VertexIds) -> BfsFigures {
        BfsFigures::new(VertexId::of(ids, self.source).into_owned(), &answer.levels)
    }

    fn write_vertex(
        &self,
        answer: &Tree,
        ids: &VertexIds,
        vertex: u32,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        match answer.levels[vertex as usize] {
            UNREACHED => write!(to, "{UNREACHED_DEPTH}")?,
            level => write!(to, "{level}")?,
        }
        if self.tree { write_parent(answer.parents[vertex as usize], ids, to) } else { Ok(()) }
    }

    fn verify(&self, answer: &Tree, input: &Input, _: &dyn Fn(usize)) -> Result<(), String> {
        let expected = plain_levels(&input.graph, self.source).into_iter();
        compare("depth", input, answer.levels.iter().copied(), expected)?;
        match self.tree {
            false => Ok(()),
            true => check_parents(input, self.source, &answer.parents, |parent, child, _| {
                answer.levels[parent as usize] + 1 == answer.levels[child as usize]
            }),
        }
    }
}

impl TrackedAlgorithm<()> for Search {
    type Tracked = Bfs;

    fn tracked(&self) -> Bfs {
        Bfs::from_source(self.source)
    }

    fn track_over_ranks<L: EdgeLists<Carried = ()> + 'static>(
        &self,
        graph: DistributedGraph<L>,
    ) -> Option<RankFollowing<(), Self::Answer>> {
        Some(follower(graph, Bfs::from_source(self.source)))
    }
}

/// The answer in figures.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct BfsFigures {
    /// Id of the file.
    source: VertexId<'static>,
    /// Vertices reached, the source included.
    reached: u64,
    max_depth: usize,
    sum_depth: u64,
    /// `histogram[d]` vertices are at depth `d`.
    histogram: Vec<u64>,
}

impl BfsFigures {
    /// The figures of `levels`, found from the vertex of id `source`.
    fn new(source: VertexId<'static>, levels: &[u32]) -> Self {
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
}

impl Figures for BfsFigures {
    fn question(&self) -> String {
        format!(" from vertex {}", self.source)
    }

    fn answer(&self, n: u32) -> String {
        let (reached, part) = (grouped(self.reached), percent(self.reached, n.into()));
        let mean = self.sum_depth as f64 / self.reached.max(1) as f64;
        let depth = grouped(self.max_depth as u64);
        format!(
            "reached  {reached} vertices, {part} of all\n\
             depth    {depth} at most, {mean:.2} on average\n"
        )
    }

    fn table(&self) -> String {
        format!("\n{}", depths(&self.histogram))
    }
}

impl Brief for BfsFigures {
    fn brief(&self) -> String {
        format!("{} reached to depth {}", grouped(self.reached), self.max_depth)
    }
}

/// Vertices by depth; depths share a row where there are many.
fn depths(histogram: &[u64]) -> String {
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

    let mut text = format!("{:>11}  {:>11}\n", "depth", "vertices");
    for (label, vertices) in rows {
        let bar = "#".repeat((vertices * BAR_LENGTH).div_ceil(most) as usize);
        text += &format!("{label:>11}  {:>11}  {bar}\n", grouped(vertices));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_count_reached_vertices_only() {
        let levels = [2, UNREACHED, 0, 1, 2, 2, UNREACHED];
        let expected = BfsFigures {
            source: VertexId::Number(40),
            reached: 5,
            max_depth: 2,
            sum_depth: 7,
            histogram: vec![1, 1, 3],
        };
        assert_eq!(BfsFigures::new(VertexId::Number(40), &levels), expected);
    }

    #[test]
    fn a_lone_source_has_depth_zero() {
        let expected = BfsFigures {
            source: VertexId::Number(1),
            reached: 1,
            max_depth: 0,
            sum_depth: 0,
            histogram: vec![1],
        };
        assert_eq!(BfsFigures::new(VertexId::Number(1), &[UNREACHED, 0]), expected);
    }

    #[test]
    fn a_sum_of_depths_may_pass_32_bits() {
        let path: Vec<u32> = (0..100_000).collect();
        let figures = BfsFigures::new(VertexId::Number(0), &path);
        assert_eq!((figures.max_depth, figures.sum_depth), (99_999, 4_999_950_000));
    }

    #[test]
    fn the_depth_table_has_at_most_twelve_rows_that_add_up() {
        let text = depths(&[1; 100]);
        let rows: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(rows.len(), 12);
        assert!(rows[0].trim_start().starts_with("0-8 "), "{text}");
        assert!(rows[11].trim_start().starts_with("99 "), "{text}");
    }
}
