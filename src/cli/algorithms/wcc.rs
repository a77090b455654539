//! Weakly connected components for the command.

use std::io::{self, Write};

use meerkat::algos::catalog;
use meerkat::algos::wcc::{self, Components};
use meerkat::runtime::distributed::{DistributedGraph, Part};
use meerkat::runtime::read::VertexIds;
use meerkat::runtime::{Container, EdgeLists, Error, Orientation};
use serde::Serialize;

use super::{
    Algorithm, AlgorithmArgs, Brief, DynamicArgs, DynamicTask, Figures, FromScratch, RankFollowing,
    Task, TrackedAlgorithm, compare, computed_over_ranks, follower, plain,
};
use crate::cli::bench::{DynamicCase, DynamicRow, StaticCase, StaticRow};
use crate::cli::container::Lists;
use crate::cli::failure::Failure;
use crate::cli::input::{Input, VertexId, Weights};
use crate::cli::output::{counted, grouped, percent};

const RUN_HELP: &str = "\
Examples:
  meerkat run wcc --graph tests/graphs/rome99.gr.gz
  meerkat run wcc --graph G.mtx --output components --json

The direction of an arc does not matter; a vertex without arcs is a component.

--output FILE writes `id component`, where a component is named by the smallest of its ids.

The result in JSON: count, largest.";

const STREAM_HELP: &str = "\
Examples:
  meerkat stream wcc --graph sx-mathoverflow.txt.gz --window 30d";

/// Nothing is to be said.
#[derive(Debug, clap::Args)]
pub(super) struct WccArgs {}

impl AlgorithmArgs for WccArgs {
    const ENTRY: &'static catalog::Algorithm = &catalog::WCC;
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
        let (row, _) = case.time_tracked("", Components, &graph, |answers, labels| {
            *labels == *answers.to("components", plain::components)
        })?;
        Ok(vec![row])
    }
}

impl DynamicArgs for WccArgs {
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
        case.run_exact::<L, _, _>(|_| (), || Components, |a, b| a == b)
    }
}

impl Algorithm<()> for WccArgs {
    type Answer = Vec<u32>;
    type Figures = WccFigures;

    fn orientation(&self, _: bool) -> Orientation {
        Orientation::Both
    }

    fn compute(&self, graph: &impl Container<Carried = ()>, _: bool) -> Result<Vec<u32>, Error> {
        wcc::labels(graph)
    }

    fn compute_over_ranks<L: EdgeLists<Carried = ()>>(
        &self,
        part: &Part<'_, L>,
    ) -> Option<Result<Vec<u32>, Error>> {
        Some(computed_over_ranks(&Components, part))
    }

    fn figures(&self, labels: &Vec<u32>, _: &VertexIds) -> WccFigures {
        let wcc::Summary { count, largest } = wcc::summary(labels);
        WccFigures { count, largest }
    }

    fn write_vertex(
        &self,
        labels: &Vec<u32>,
        ids: &VertexIds,
        vertex: u32,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        write!(to, "{}", VertexId::of(ids, labels[vertex as usize]).field())
    }

    fn verify(&self, labels: &Vec<u32>, input: &Input, _: &dyn Fn(usize)) -> Result<(), String> {
        let expected = plain::components(&input.graph);
        let id = |label: u32| input.id(label);
        let found = labels.iter().map(|&label| id(label));
        compare("component", input, found, expected.into_iter().map(id))
    }
}

impl TrackedAlgorithm<()> for WccArgs {
    type Tracked = Components;

    fn tracked(&self) -> Components {
        Components
    }

    fn track_over_ranks<L: EdgeLists<Carried = ()> + 'static>(
        &self,
        graph: DistributedGraph<L>,
    ) -> Option<RankFollowing<(), Self::Answer>> {
        Some(follower(graph, self.tracked()))
    }
}

/// Components.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct WccFigures {
    /// How many, isolated vertices included.
    count: u32,
    /// Vertices of the largest.
    largest: u32,
}

impl Figures for WccFigures {
    fn answer(&self, n: u32) -> String {
        let part = percent(self.largest.into(), n.into());
        let count = counted(self.count, "components");
        let largest = counted(self.largest, "vertices");
        format!("found    {count}\nlargest  {largest}, {part} of all\n")
    }
}

impl Brief for WccFigures {
    fn brief(&self) -> String {
        format!("{}, {} in the largest", counted(self.count, "components"), grouped(self.largest))
    }
}
