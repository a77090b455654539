//! What the user types for searches from a source.

use super::super::plan::{SearchPlan, SsspPlan};
use super::flags::{SearchArgs, WeightsArgs};

const BFS_HELP: &str = "\
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

--source takes an id of the file, `lowest`: the smallest id with an out-edge, or
`max-degree`: the largest out-degree, among equals the smallest id.

Graph files, plain or gzip: edge lists of SNAP and KONECT, CSV, MatrixMarket, DIMACS
.gr, METIS .graph, and LDBC Graphalytics .e with its .v beside it. The format is
recognised by content, then by name; --format says it otherwise. Self-loops are dropped
and repeated edges count once.

Columns of an edge list or CSV file are, in this order: what --columns says; what a line
of names says (source, src, from, u; target, dst, to, v; weight, w, value, rating;
time, timestamp, t; an unnamed first column is skipped); or else source, target, and

  3 columns   a time; a weight in .csv, .wel and KONECT files
  4 columns   a weight and a time

Direction is, in this order: --directed or --undirected; what the file says (a
MatrixMarket or KONECT header, `# Undirected graph`, a .properties file) or its format
has; or else directed. The report says what was read, and who said so.

--output FILE writes one line a vertex, in the order of the ids: `id depth`, the
format of LDBC's BFS outputs, where an unreached vertex has the depth
9223372036854775807. With --tree a third column is the parent's id: the source's
parent is the source, an unreached vertex has -1.

--json prints one object: algorithm, device, input, graph {n, m_arcs, m_undirected,
max_out_degree}, result {source, reached, max_depth, sum_depth, histogram} and
timings_ms {read, build, compile, run}. histogram[d] is the number of vertices at
depth d; compile is contained in neither build nor run.

input is what was read, the same for every command: {file, format, direction,
direction_origin, columns, columns_origin, weights, records, loops, duplicates,
vertices, arcs}. An origin is option, header, format or default; weights are column,
synthetic, unit or none; loops and duplicates are records that make no arc of their own.
A stream has time_unit, too, and a bipartite file of KONECT target_offset: the number
that was added to the ids of its targets.";

const SSSP_HELP: &str = "\
Examples:
  # From the smallest id that has an out-edge, with the file's weights
  meerkat run sssp --graph tests/graphs/rome99.gr.gz

  # A graph without weights: 1 + (31 u + 17 v) mod 64 for the arc u -> v, or for the
  # edge u - v of an undirected graph, where u is the smaller id
  meerkat run sssp --graph friends.txt --weights synthetic --source max-degree --json

  # Ratings from -10 to 10 as weights from 1 to 21
  meerkat run sssp --graph soc-sign-bitcoinalpha.csv.gz --weights native --shift-weights 11

--weights native takes the file's weights: they must not be negative, and are 32-bit
integers if all of them are integers, else 32-bit floats. `synthetic` computes them
from the file's ids in 64 bits, `unit` is 1 everywhere. Without the option they are
the file's, or 1 where it has none. --duplicates says which of several records of one
arc gives its weight: the smallest, or the last of the file.

Zero weights are allowed. Sums saturate at 4294967294 (or at the largest float).

--output FILE writes one line a vertex, in the order of the ids: `id distance`, the
format of LDBC's SSSP outputs, where an unreached vertex has `infinity`. With --tree a
third column is the parent's id: the source's parent is the source, an unreached
vertex has -1.

--json prints one object: algorithm, device, input (see `meerkat run bfs --help`), graph
{n, m_arcs, m_undirected, max_out_degree}, result {source, reached, sum, max} and
timings_ms {read, build, compile, run}. sum and max are of the distances of reached vertices.";

#[derive(Debug, clap::Args)]
#[command(after_help = BFS_HELP)]
pub(super) struct BfsArgs {
    #[command(flatten)]
    search: SearchArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = SSSP_HELP)]
pub(super) struct SsspArgs {
    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    weights: WeightsArgs,
}

impl BfsArgs {
    pub(super) fn into_plan(self) -> SearchPlan {
        self.search.into_plan()
    }
}

impl SsspArgs {
    pub(super) fn into_plan(self) -> SsspPlan {
        SsspPlan { search: self.search.into_plan(), weights: self.weights.into_plan() }
    }
}
