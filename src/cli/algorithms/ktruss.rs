//! k-trusses for the command.

use std::io::{self, Write};

use meerkat::algos::catalog;
use meerkat::algos::truss::{self, KTruss};
use meerkat::runtime::read::{SimpleGraph, VertexIds};
use meerkat::runtime::{Container, Edge, Error, Orientation};
use serde::Serialize;

use super::plain::{Answers, Edges};
use super::{
    Algorithm, AlgorithmArgs, Brief, DynamicArgs, DynamicTask, Figures, Task, TrackedAlgorithm,
};
use crate::cli::bench::{DynamicCase, DynamicRow, StaticCase, StaticRow};
use crate::cli::container::Lists;
use crate::cli::failure::Failure;
use crate::cli::input::{Input, Weights};
use crate::cli::output::{counted, grouped, percent};

const RUN_HELP: &str = "\
Examples:
  # The largest k whose truss has an edge, and how many edges have which trussness
  meerkat run ktruss --graph tests/graphs/karate.mtx

  # The edges that are in two triangles of such edges at least
  meerkat run ktruss --graph G.mtx --k 4 --json

The k-truss is the largest subgraph of which every edge is in at least k - 2 triangles of that subgraph; the
trussness of an edge is the largest k whose truss has it, and 2 if it is in no triangle. Trusses are
those of the undirected simple graph: the directions of arcs do not matter.

--output FILE writes `id value`: the largest k whose truss has the vertex, 0 if it has no
neighbours; with --k K the number of its edges in the truss.

The result in JSON: k, edges, vertices, of the truss with this k or with the largest that there is.
With --k K also triangles, each once; without it histogram, where histogram[k] is the number of
edges of trussness k.";

const STREAM_HELP: &str = "\
Examples:
  meerkat stream ktruss --graph sx-mathoverflow.txt.gz --k 4 --window 30d

The truss is that of the undirected simple graph: the directions of arcs do not matter.";

/// The truss that benchmarks find.
const BENCH_K: u32 = 4;

/// Rows of the table of trussness in the text.
const TABLE_ROWS: usize = 12;

/// Which truss is asked for.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "k-truss")]
pub(super) struct KTrussArgs {
    /// The truss to find; `max` finds the largest k that has one, and the trussness of all edges
    #[arg(long, value_name = "K|max", default_value = "max", value_parser = wanted,
          allow_negative_numbers = true)]
    k: Wanted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Truss(u32),
    Max,
}

fn wanted(text: &str) -> Result<Wanted, &'static str> {
    match text.parse() {
        _ if text == "max" => Ok(Wanted::Max),
        Ok(k) if k >= 2 => Ok(Wanted::Truss(k)),
        _ => Err("give a number from 2, or `max`"),
    }
}

/// A stream follows one truss.
fn followed(text: &str) -> Result<Wanted, &'static str> {
    match wanted(text) {
        Ok(Wanted::Truss(k)) => Ok(Wanted::Truss(k)),
        _ => Err("give a number from 2"),
    }
}

impl AlgorithmArgs for KTrussArgs {
    const ENTRY: &'static catalog::Algorithm = &catalog::KTRUSS;
    const RUN_HELP: &'static str = RUN_HELP;
    const RUNS_OVER_RANKS: bool = false;

    fn start<T: Task>(&self, _: &Input, _: Option<Weights>, task: T) -> Result<T::Output, Failure> {
        task.perform(self, |_| ())
    }

    fn bench_static<L: Lists>(case: &StaticCase<'_>) -> Result<Vec<StaticRow>, Failure> {
        let graph = case.build::<L, ()>(Orientation::Both)?;
        case.check(|answers| {
            let found = truss::trussness(&graph)?;
            let is_in = |edge: &&Edge<u32>| edge.weight >= BENCH_K;
            let ends = |edge: &Edge<u32>| (edge.src, edge.dst);
            let truss = truss::k_truss(&graph, BENCH_K)?;
            Ok(found.iter().filter(is_in).map(ends).eq(truss.iter().map(ends))
                && is_trussness(&found, answers))
        })?;
        Ok(vec![
            case.time("k = 4", || truss::k_truss_on_device(&graph, BENCH_K).map(drop))?,
            case.time("all", || truss::trussness_on_device(&graph).map(drop))?,
        ])
    }
}

impl DynamicArgs for KTrussArgs {
    const STREAM_HELP: &'static str = STREAM_HELP;

    fn stream_options(command: clap::Command) -> clap::Command {
        command.mut_arg("k", |k| {
            let k = k.help("The truss to follow").value_name("K").required(true);
            k.default_value(None).value_parser(followed)
        })
    }

    fn start_dynamic<T: DynamicTask>(
        &self,
        _: &Input,
        _: Option<Weights>,
        task: T,
    ) -> Result<T::Output, Failure> {
        task.perform(self, |_| ())
    }

    fn bench_dynamic<L: Lists>(case: &DynamicCase<'_>) -> Result<Vec<DynamicRow>, Failure> {
        case.run_exact::<L, _, _>(|_| (), || KTruss::new(BENCH_K), |a, b| a == b)
    }
}

/// What was found.
pub(super) struct Trusses {
    /// The edges of the truss with their triangles, or all with their trussness.
    edges: Vec<Edge<u32>>,
    /// The number of edges of each vertex up to the last that has one, or the largest trussness of
    /// one.
    of_vertices: Vec<u32>,
}

impl Trusses {
    /// All edges with their trussness.
    fn of_all(edges: Vec<Edge<u32>>) -> Self {
        Self::new(edges, |so_far, edge| edge.weight.max(so_far))
    }

    /// The value of a vertex is that of its edges, joined by `join`.
    fn new(edges: Vec<Edge<u32>>, join: impl Fn(u32, &Edge<u32>) -> u32) -> Self {
        let vertices = edges.iter().map(|edge| edge.src.max(edge.dst) + 1).max();
        let mut of_vertices = vec![0; vertices.unwrap_or(0) as usize];
        for edge in &edges {
            for vertex in [edge.src, edge.dst] {
                let value: &mut u32 = &mut of_vertices[vertex as usize];
                *value = join(*value, edge);
            }
        }
        Self { edges, of_vertices }
    }
}

impl Algorithm<()> for KTrussArgs {
    type Answer = Trusses;
    type Figures = KTrussFigures;

    fn orientation(&self, _: bool) -> Orientation {
        Orientation::Both
    }

    fn compute(&self, graph: &impl Container<Carried = ()>, _: bool) -> Result<Trusses, Error> {
        match self.k {
            Wanted::Truss(k) => truss::k_truss(graph, k).map(Trusses::from),
            Wanted::Max => truss::trussness(graph).map(Trusses::of_all),
        }
    }

    fn figures(&self, answer: &Trusses, _: &VertexIds) -> KTrussFigures {
        KTrussFigures::new(self.k, answer)
    }

    fn write_vertex(
        &self,
        answer: &Trusses,
        _: &VertexIds,
        vertex: u32,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        write!(to, "{}", answer.of_vertices.get(vertex as usize).unwrap_or(&0))
    }

    fn verify(&self, answer: &Trusses, input: &Input, _: &dyn Fn(usize)) -> Result<(), String> {
        let all = Edges::of(&input.graph);
        let (what, expected) = match self.k {
            Wanted::Max => ("trussness", all.weighing(&all.trussness())),
            Wanted::Truss(k) => {
                let is_in = all.is_in_truss(k);
                let truss = all.keep(|e| is_in[e]);
                ("number of triangles", truss.weighing(&truss.support()))
            }
        };
        compare_edges(what, input, &answer.edges, &expected)
    }
}

impl TrackedAlgorithm<()> for KTrussArgs {
    type Tracked = KTruss;

    fn tracked(&self) -> KTruss {
        match self.k {
            Wanted::Truss(k) => KTruss::new(k),
            Wanted::Max => unreachable!("a stream takes no `max`"),
        }
    }
}

/// Of the edges of one truss with their triangles.
impl From<Vec<Edge<u32>>> for Trusses {
    fn from(edges: Vec<Edge<u32>>) -> Self {
        Self::new(edges, |so_far, _| so_far + 1)
    }
}

/// So many neighbours plain code looks up to find the trussness of all edges; more take minutes.
const MOST_LOOKUPS: u64 = 1 << 34;
/// Of so many edges plain code looks for triangles at all: it takes some 50 bytes of the host for each.
const MOST_EDGES: u64 = 1 << 28;

/// Whether edges have the trussness that plain code finds; where it would take minutes, whether those of the
/// truss of the bench are right, and the largest is that of a truss.
fn is_trussness(found: &[Edge<u32>], answers: &Answers) -> bool {
    let n = answers.graph().n;
    if answers.graph().m_undirected > MOST_EDGES {
        let ends = Edges::ends_of(answers.graph());
        return found.iter().map(|edge| (edge.src, edge.dst)).eq(ends) && is_truss(found, n);
    }
    let edges = answers.to("edges", Edges::of);
    if edges.lookups() <= MOST_LOOKUPS {
        let expected = answers.to("trussness", |_| edges.weighing(&edges.trussness()));
        return found == *expected;
    }
    let is_in = answers.to("truss", |_| edges.is_in_truss(BENCH_K));
    let weights = is_in.iter().map(|&is_in| u32::from(is_in)).collect::<Vec<_>>();
    let expected = edges.weighing(&weights).into_iter();
    let found_in = |edge: &Edge<u32>| Edge { weight: u32::from(edge.weight >= BENCH_K), ..*edge };
    found.iter().map(found_in).eq(expected) && is_truss(found, n)
}

/// Whether the edges of the largest trussness are in as many triangles of each other as they must
/// be.
fn is_truss(found: &[Edge<u32>], n: u32) -> bool {
    let k = found.iter().map(|edge| edge.weight).max().unwrap_or(0);
    let truss = found.iter().filter(|edge| edge.weight == k);
    let (sources, destinations): (Vec<_>, Vec<_>) = truss.map(|edge| (edge.src, edge.dst)).unzip();
    let m_undirected = sources.len() as u64;
    let truss = SimpleGraph { n, sources, destinations, weights: None, m_undirected };
    Edges::of(&truss).support().into_iter().all(|triangles| triangles + 2 >= k)
}

/// Compares lists of edges, both ascending.
fn compare_edges(
    what: &str,
    input: &Input,
    found: &[Edge<u32>],
    expected: &[Edge<u32>],
) -> Result<(), String> {
    let name = |edge: &Edge<u32>| format!("{} - {}", input.id(edge.src), input.id(edge.dst));
    for (found, expected) in found.iter().zip(expected) {
        if (found.src, found.dst) != (expected.src, expected.dst) {
            return Err(format!(
                "the edge {} comes next, expected {}",
                name(found),
                name(expected)
            ));
        }
        if found.weight != expected.weight {
            let (name, Edge { weight, .. }) = (name(found), expected);
            return Err(format!("{name} has the {what} {}, expected {weight}", found.weight));
        }
    }
    match found.len() == expected.len() {
        true => Ok(()),
        false => Err(format!("{} edges, expected {}", found.len(), expected.len())),
    }
}

/// Trusses in figures.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct KTrussFigures {
    /// What was asked for, or the largest whose truss has an edge; 0 without edges.
    k: u32,
    /// Of that truss.
    edges: u64,
    /// Those that an edge of it has.
    vertices: u64,
    /// Of that truss, each once; only if it was asked for by its `k`.
    #[serde(skip_serializing_if = "Option::is_none")]
    triangles: Option<u64>,
    /// `histogram[k]` edges have the trussness `k`; only without a `k`.
    #[serde(skip_serializing_if = "Option::is_none")]
    histogram: Option<Vec<u64>>,
}

impl KTrussFigures {
    fn new(wanted: Wanted, Trusses { edges, of_vertices }: &Trusses) -> Self {
        match wanted {
            Wanted::Truss(k) => Self {
                k,
                edges: edges.len() as u64,
                vertices: of_vertices.iter().filter(|&&degree| degree > 0).count() as u64,
                triangles: Some(edges.iter().map(|edge| u64::from(edge.weight)).sum::<u64>() / 3),
                histogram: None,
            },
            Wanted::Max => {
                let k = edges.iter().map(|edge| edge.weight).max().unwrap_or(0);
                let mut histogram = vec![0; k as usize + 1];
                edges.iter().for_each(|edge| histogram[edge.weight as usize] += 1);
                Self {
                    k,
                    edges: histogram[k as usize],
                    vertices: of_vertices.iter().filter(|&&of| of == k && k > 0).count() as u64,
                    triangles: None,
                    histogram: Some(histogram),
                }
            }
        }
    }
}

impl Figures for KTrussFigures {
    fn answer(&self, n: u32) -> String {
        let Self { k, edges, vertices, triangles, histogram } = self;
        let (edges, of_all) = (counted(*edges, "edges"), percent(*vertices, n.into()));
        let largest = if histogram.is_some() { "largest" } else { "found  " };
        let triangles =
            triangles.map_or(String::new(), |count| format!(", {}", counted(count, "triangles")));
        let vertices = counted(*vertices, "vertices");
        format!("{largest}  {k}-truss: {edges}{triangles}; {vertices}, {of_all} of all\n")
    }

    fn table(&self) -> String {
        let Some(histogram) = &self.histogram else { return String::new() };
        let rows: Vec<_> = (0..).zip(histogram).filter(|(_, edges)| **edges > 0).collect();
        let line = |(k, edges): &(u32, &u64)| format!("{k:>9}  {:>15}\n", grouped(**edges));
        let left_out = rows.len().saturating_sub(TABLE_ROWS);
        let mut text: String = rows[left_out..].iter().rev().map(line).collect();
        if left_out > 0 {
            text += &format!("and {left_out} smaller ones\n");
        }
        format!("\n{:>9}  {:>15}\n{text}", "trussness", "edges")
    }
}

impl Brief for KTrussFigures {
    fn brief(&self) -> String {
        let (edges, vertices) = (counted(self.edges, "edges"), counted(self.vertices, "vertices"));
        format!("{edges} of {vertices}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(src: u32, dst: u32, weight: u32) -> Edge<u32> {
        Edge { src, dst, weight }
    }

    #[test]
    fn figures_are_of_the_truss_or_of_the_largest() {
        let edges = vec![edge(0, 1, 3), edge(0, 2, 3), edge(1, 2, 3), edge(2, 3, 2)];
        let figures = KTrussFigures::new(Wanted::Max, &Trusses::of_all(edges));
        assert_eq!((figures.k, figures.edges, figures.vertices), (3, 3, 3));
        assert_eq!(figures.histogram, Some(vec![0, 0, 1, 3]));
        let edges = vec![edge(0, 1, 1), edge(0, 2, 1), edge(1, 2, 1)];
        let figures = KTrussFigures::new(Wanted::Truss(3), &Trusses::from(edges));
        assert_eq!((figures.edges, figures.vertices, figures.triangles), (3, 3, Some(1)));
    }

    #[test]
    fn a_graph_without_edges_has_no_truss() {
        let figures = KTrussFigures::new(Wanted::Max, &Trusses::of_all(vec![]));
        assert_eq!((figures.k, figures.edges, figures.vertices), (0, 0, 0));
    }

    #[test]
    fn a_triangle_with_a_tail_has_a_3_truss_and_no_4_truss() {
        let found = |k| [edge(0, 1, k), edge(0, 2, k), edge(1, 2, k), edge(2, 3, 2)];
        assert!(is_truss(&found(3), 4));
        assert!(!is_truss(&found(4), 4));
    }
}
