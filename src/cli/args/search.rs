//! What the user types for searches from a source.

use super::super::plan::{SearchPlan, SsspPlan};
use super::flags::{SearchArgs, WeightsArgs};

const BFS_HELP: &str = "\
Examples:
  # From the smallest id that has an out-edge, on a GPU if there is one
  meerkat run bfs --graph tests/graphs/rome99.gr.gz

  # An edge list does not say whether it is directed: say it
  meerkat run bfs --graph as-20000102.txt.gz --undirected

  # An LDBC Graphalytics graph is named by its edge file; check its published answer
  meerkat run bfs --graph G.e --source 1 --output depths && diff depths G-BFS

  # Depth and parent of every vertex, on the second GPU, figures for a script
  meerkat run bfs --graph G.mtx --tree --device cuda:1 --output tree --json

--source takes an id of the file, `lowest`: the smallest id with an out-edge, or
`max-degree`: the largest out-degree, among equals the smallest id.

Graph files, plain or gzip: SNAP edge lists, CSV, MatrixMarket, DIMACS .gr and
LDBC .e with its .v beside it. The format is recognised. Self-loops are dropped
and repeated edges count once.

--output FILE writes one line a vertex, in the order of the ids: `id depth`, the
format of LDBC's BFS outputs, where an unreached vertex has the depth
9223372036854775807. With --tree a third column is the parent's id: the source's
parent is the source, an unreached vertex has -1.

--json prints one object: algorithm, device, graph {n, m_arcs, m_undirected,
max_out_degree}, result {source, reached, max_depth, sum_depth, histogram} and
timings_ms {read, build, compile, run}. histogram[d] is the number of vertices at
depth d; compile is contained in neither build nor run.";

const SSSP_HELP: &str = "\
Examples:
  # From the smallest id that has an out-edge, with the file's weights
  meerkat run sssp --graph tests/graphs/rome99.gr.gz

  # A graph without weights: 1 + (31 u + 17 v) mod 64 for the arc u -> v
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

--json prints one object: algorithm, device, graph {n, m_arcs, m_undirected,
max_out_degree}, result {source, reached, sum, max} and timings_ms {read, build,
compile, run}. sum and max are of the distances of reached vertices.";

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
