//! Triangles for the command.

use std::io::{self, Write};

use meerkat::algos::catalog;
use meerkat::algos::triangles::{self, TriangleCounts, Triangles};
use meerkat::runtime::distributed::{DistributedGraph, Part};
use meerkat::runtime::read::VertexIds;
use meerkat::runtime::{Container, EdgeLists, Error, Orientation};
use serde::Serialize;

use super::{
    Algorithm, AlgorithmArgs, Answers, Brief, DynamicArgs, DynamicTask, Figures, FromScratch,
    RankFollowing, Task, TrackedAlgorithm, compare, computed_over_ranks, follower, plain,
};
use crate::cli::bench::{DynamicCase, DynamicRow, StaticCase, StaticRow};
use crate::cli::container::Lists;
use crate::cli::failure::Failure;
use crate::cli::input::{Input, Weights};
use crate::cli::output::counted;

const RUN_HELP: &str = "\
Examples:
  meerkat run triangles --graph tests/graphs/karate.mtx
  meerkat run triangles --graph G.mtx --output corners --json

Triangles are those of the undirected simple graph: the directions of arcs do not matter,
and each triangle counts once.

--output FILE writes `id triangles`, the triangles that the vertex is a corner of.

The result in JSON: triangles.";

const STREAM_HELP: &str = "\
Examples:
  meerkat stream triangles --graph sx-mathoverflow.txt.gz --batch-size 1000";

/// Nothing is to be said.
#[derive(Debug, clap::Args)]
pub(super) struct TrianglesArgs {}

impl AlgorithmArgs for TrianglesArgs {
    const ENTRY: &'static catalog::Algorithm = &catalog::TRIANGLES;
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
        let corners = |answers: &Answers| answers.to("triangles", plain::triangles);
        case.check(|answers| {
            Ok(3 * triangles::count(&graph)? == corners(answers).iter().sum::<u64>())
        })?;
        let total = case.time("total", || triangles::count(&graph).map(drop))?;
        let (of_vertices, _) =
            case.time_tracked("per vertex", Triangles, &graph, |answers, found| {
                found.per_vertex == *corners(answers)
            })?;
        Ok(vec![total, of_vertices])
    }
}

impl DynamicArgs for TrianglesArgs {
    const STREAM_HELP: &'static str = STREAM_HELP;

    fn start_dynamic<T: DynamicTask>(
        &self,
        _: &Input,
        _: Option<Weights>,
        task: T,
    ) -> Result<T::Output, Failure> {
        task.perform(self, |_| ())
    }

    fn bench_dynamic<L: Lists>(case: &DynamicCase<'_>) -> Result<Vec<DynamicRow>, Failure> {
        case.run_exact::<L, _, _>(|_| (), || Triangles, |a, b| a.total == b.total)
    }
}

impl Algorithm<()> for TrianglesArgs {
    type Answer = TriangleCounts;
    type Figures = TrianglesFigures;

    fn orientation(&self, _: bool) -> Orientation {
        Orientation::Both
    }

    fn compute(
        &self,
        graph: &impl Container<Carried = ()>,
        vertices: bool,
    ) -> Result<TriangleCounts, Error> {
        match vertices {
            true => {
                let per_vertex = triangles::per_vertex(graph)?;
                let total = per_vertex.iter().sum::<u64>() / 3;
                Ok(TriangleCounts { total, per_vertex, degrees: Vec::new() })
            }
            false => Ok(TriangleCounts {
                total: triangles::count(graph)?,
                per_vertex: Vec::new(),
                degrees: Vec::new(),
            }),
        }
    }

    fn compute_over_ranks<L: EdgeLists<Carried = ()>>(
        &self,
        part: &Part<'_, L>,
    ) -> Option<Result<TriangleCounts, Error>> {
        Some(computed_over_ranks(&Triangles, part))
    }

    fn figures(&self, counts: &TriangleCounts, _: &VertexIds) -> TrianglesFigures {
        TrianglesFigures { triangles: counts.total }
    }

    fn write_vertex(
        &self,
        counts: &TriangleCounts,
        _: &VertexIds,
        vertex: u32,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        write!(to, "{}", counts.per_vertex[vertex as usize])
    }

    fn verify(
        &self,
        counts: &TriangleCounts,
        input: &Input,
        _: &dyn Fn(usize),
    ) -> Result<(), String> {
        let expected = plain::triangles(&input.graph);
        let total = expected.iter().sum::<u64>() / 3;
        if counts.total != total {
            return Err(format!("{} triangles, expected {total}", counts.total));
        }
        let found = counts.per_vertex.iter().copied();
        compare("number of triangles", input, found, expected)
    }
}

impl TrackedAlgorithm<()> for TrianglesArgs {
    type Tracked = Triangles;

    fn tracked(&self) -> Triangles {
        Triangles
    }

    fn track_over_ranks<L: EdgeLists<Carried = ()> + 'static>(
        &self,
        graph: DistributedGraph<L>,
    ) -> Option<RankFollowing<(), Self::Answer>> {
        Some(follower(graph, self.tracked()))
    }
}

/// Triangles.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct TrianglesFigures {
    /// Of the undirected simple graph, each once.
    triangles: u64,
}

impl Figures for TrianglesFigures {
    fn answer(&self, _: u32) -> String {
        format!("found    {}\n", counted(self.triangles, "triangles"))
    }
}

impl Brief for TrianglesFigures {
    fn brief(&self) -> String {
        counted(self.triangles, "triangles")
    }
}
