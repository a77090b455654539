//! The algorithms: what each shows of its state, and which one answers a question.

use meerkat_algos::bfs::{self, Bfs};
use meerkat_algos::catalog::{self, Default, ParameterKind};
use meerkat_algos::pagerank::{self, PageRank};
use meerkat_algos::spmv::{self, Entry};
use meerkat_algos::sssp::{self, PathWeight, Sssp};
use meerkat_algos::triangles::{self, Triangles};
use meerkat_algos::truss::{self, KTruss};
use meerkat_algos::wcc::{self, Components};
use meerkat_runtime::dynamic::{Answers, VertexAnswers, Watch};
use meerkat_runtime::{Container, DeviceBuffer, Edge, Error, Float};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::{self, Answer, Meaning, Shown};
use crate::array::Kind;
use crate::follow::{Follow, Following, Show};
use crate::graph::Weighted;
use crate::question::Question;

const LEVELS: Meaning = Meaning { names: &["level", "parent"], is_float: false };

const fn distances(is_float: bool) -> Meaning {
    Meaning { names: &["distance", "parent"], is_float }
}

const fn meaning(names: &'static [&'static str]) -> Meaning {
    Meaning { names, is_float: false }
}

/// The answers of an algorithm, on the device.
fn buffer<C: Container, A: VertexAnswers<C>>(
    algorithm: &A,
    graph: &C,
    state: &A::State,
) -> Result<DeviceBuffer<A::Value>, Error> {
    Answers::of(graph, algorithm, state).to_buffer()
}

/// Shows what an algorithm answers for each vertex.
macro_rules! show {
    ($algorithm:ty, $($number:ident: $bound:path)?, $value:ty, $weight:path, $all:path, $changed:path,
     $meaning:expr) => {
        impl<$($number: $bound,)? C: Container<Carried: $weight>> Show<C> for $algorithm {
            type Shown = Watch<$value>;

            fn answer(&self, graph: &C, state: &Self::State) -> Result<Answer, Error> {
                $all(buffer(self, graph, state)?, $meaning)
            }

            fn look(&self, graph: &C, state: &Self::State) -> Result<Self::Shown, Error> {
                Watch::from(&Answers::of(graph, self, state))
            }

            fn changes(
                &self,
                graph: &C,
                state: &Self::State,
                shown: &mut Self::Shown,
            ) -> Result<Answer, Error> {
                Ok($changed(shown.changes(&Answers::of(graph, self, state))?, $meaning))
            }
        }
    };
}

use meerkat_algos::tree::TreeNode;
use meerkat_runtime::Weight;

/// A number that ranks can be.
pub(crate) trait Rank: Float + Shown {
    const KIND: Kind;
}

impl Rank for f32 {
    const KIND: Kind = Kind::F32;
}

impl Rank for f64 {
    const KIND: Kind = Kind::F64;
}

show!(Bfs,, TreeNode, Weight, answer::all_nodes, answer::changed_nodes, LEVELS);
show!(Sssp,, TreeNode, PathWeight, answer::all_nodes, answer::changed_nodes,
      distances(C::Carried::IS_SIGNED));
show!(Components,, u32, Weight, answer::all, answer::changed, meaning(&["component"]));
show!(Triangles,, u64, Weight, answer::all, answer::changed, meaning(&["triangles"]));
show!(PageRank<R>, R: Rank, R, Weight, answer::all, answer::changed, meaning(&["rank"]));

impl<C: Container> Show<C> for KTruss {
    /// The edges of the truss, ascending.
    type Shown = Vec<Edge<u32>>;

    fn answer(&self, graph: &C, state: &Self::State) -> Result<Answer, Error> {
        Ok(Answer::of_edges(self.look(graph, state)?, "triangles"))
    }

    fn look(&self, _: &C, state: &Self::State) -> Result<Vec<Edge<u32>>, Error> {
        meerkat_runtime::DynamicAlgorithm::<C>::output(self, state)
    }

    /// Edges that are new or in another number of triangles; those that left have none.
    fn changes(
        &self,
        graph: &C,
        state: &Self::State,
        shown: &mut Vec<Edge<u32>>,
    ) -> Result<Answer, Error> {
        let now = self.look(graph, state)?;
        let changed = differences(shown, &now);
        *shown = now;
        Ok(Answer::of_edges(changed, "triangles"))
    }
}

/// The edges of `now` that `before` has not, or with another weight, and those that it has no more,
/// with the weight 0. All ascend.
fn differences(before: &[Edge<u32>], now: &[Edge<u32>]) -> Vec<Edge<u32>> {
    let ends = |edge: &Edge<u32>| (edge.src, edge.dst);
    let (mut left, mut changed) = (before, Vec::new());
    for edge in now {
        while let Some((first, rest)) = left.split_first()
            && ends(first) < ends(edge)
        {
            changed.push(Edge { weight: 0, ..*first });
            left = rest;
        }
        match left.split_first() {
            Some((first, rest)) if ends(first) == ends(edge) => {
                left = rest;
                if first.weight != edge.weight {
                    changed.push(*edge);
                }
            }
            _ => changed.push(*edge),
        }
    }
    changed.extend(left.iter().map(|edge| Edge { weight: 0, ..*edge }));
    changed
}

/// What follows a graph to answer a question, if its algorithm can.
pub(crate) fn follow<C: Container<Carried: Weighted> + 'static>(
    question: &Question,
) -> Option<Box<dyn Follow<C>>> {
    fn following<C: Container + 'static, A: Show<C> + Send + 'static>(
        algorithm: A,
    ) -> Box<dyn Follow<C>>
    where
        A::State: Send,
        A::Shown: Send,
    {
        Box::new(Following::new(algorithm))
    }
    Some(match *question {
        Question::Bfs { source } => following(Bfs::from_source(source)),
        Question::Sssp { source } => following(Sssp::from_source(source)),
        Question::Wcc => following(Components),
        Question::Triangles => following(Triangles),
        Question::PageRank { options, method, is_single: true } => {
            following(PageRank::<f32>::new(options, method))
        }
        Question::PageRank { options, method, is_single: false } => {
            following(PageRank::<f64>::new(options, method))
        }
        Question::KTruss { k: Some(k) } => following(KTruss::new(k)),
        Question::KTruss { k: None } | Question::Spmv { .. } => return None,
    })
}

/// The answer from scratch; a product takes `vector`.
pub(crate) fn compute<C: Container<Carried: Weighted>>(
    graph: &C,
    question: &Question,
    vector: &[f64],
) -> Result<Answer, Error> {
    match question {
        Question::Bfs { source } => {
            let tree = bfs::tree(graph, *source)?;
            Ok(tree_of(LEVELS, tree.levels, Kind::U32, tree.parents))
        }
        Question::Sssp { source } => {
            let tree = sssp::tree(graph, *source)?;
            let kind = if C::Carried::IS_SIGNED { Kind::F32 } else { Kind::U32 };
            Ok(tree_of(distances(false), tree.distances, kind, tree.parents))
        }
        Question::Wcc => Ok(Answer::of_vec("component", wcc::labels(graph)?, Kind::U32)),
        Question::Triangles => {
            let counts = triangles::per_vertex(graph)?;
            let total = counts.iter().sum::<u64>() / 3;
            Ok(Answer::of_vec("triangles", counts, Kind::U64).with_figure("total", total as f64))
        }
        Question::PageRank { options, is_single: true, .. } => ranks::<f32, C>(graph, options),
        Question::PageRank { options, is_single: false, .. } => ranks::<f64, C>(graph, options),
        Question::KTruss { k: Some(k) } => {
            Ok(Answer::of_edges(truss::k_truss(graph, *k)?, "triangles"))
        }
        Question::KTruss { k: None } => Ok(Answer::of_edges(truss::trussness(graph)?, "trussness")),
        Question::Spmv { is_single: true } => product::<f32, C>(graph, vector, |x| x as f32),
        Question::Spmv { is_single: false } => product::<f64, C>(graph, vector, |x| x),
    }
}

fn tree_of<D: Clone + Send + Sync + 'static>(
    meaning: Meaning,
    distances: Vec<D>,
    kind: Kind,
    parents: Vec<u32>,
) -> Answer {
    use crate::array::Array;
    let columns = [Array::of_vec(distances, kind), Array::of_vec(parents, Kind::U32)];
    Answer::of(meaning.names.iter().copied().zip(columns).collect())
}

fn ranks<R: Rank, C: Container>(graph: &C, options: &pagerank::Options) -> Result<Answer, Error> {
    let ranks = pagerank::ranks::<R, C>(graph, options)?;
    Ok(Answer::of_vec("rank", ranks.ranks, R::KIND)
        .with_figure("iterations", f64::from(ranks.iterations))
        .with_figure("l1_last_step", ranks.l1_last_step)
        .with_figure("error_bound", ranks.error_bound))
}

fn product<R: Rank + meerkat_runtime::Element<Value = R>, C: Container<Carried: Entry<R>>>(
    graph: &C,
    vector: &[f64],
    number: impl Fn(f64) -> R,
) -> Result<Answer, Error> {
    let numbers: Vec<R> = vector.iter().copied().map(number).collect();
    let x = DeviceBuffer::from_slice(graph.device(), &numbers)?;
    let mut y = DeviceBuffer::zeroed(graph.device(), graph.vertex_count() as usize)?;
    spmv::multiply(graph, &x, &mut y)?;
    Ok(Answer::of_vec("y", y.to_vec()?, R::KIND))
}

/// The algorithms as the catalogue has them: name, other names, a line, whether they follow batches,
/// and name, default and a line for each parameter.
#[pyfunction]
pub(crate) fn algorithms(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let entry = |algorithm: &catalog::Algorithm| {
        let entry = PyDict::new(py);
        entry.set_item("name", algorithm.name)?;
        entry.set_item("aliases", algorithm.aliases)?;
        entry.set_item("about", algorithm.about)?;
        entry.set_item("follows", algorithm.follows)?;
        let parameters = algorithm.parameters.iter().map(|parameter| of_parameter(py, parameter));
        entry.set_item("parameters", parameters.collect::<PyResult<Vec<_>>>()?)?;
        Ok(entry)
    };
    catalog::ALL.iter().map(entry).collect()
}

fn of_parameter<'py>(
    py: Python<'py>,
    parameter: &catalog::Parameter,
) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("name", parameter.name)?;
    entry.set_item("about", parameter.about)?;
    entry.set_item("is_vertex", matches!(parameter.kind, ParameterKind::Vertex))?;
    entry.set_item("is_needed", matches!(parameter.default, Default::None))?;
    match parameter.default {
        Default::None | Default::Open => entry.set_item("default", py.None())?,
        Default::Integer(usual) => entry.set_item("default", usual)?,
        Default::Number(usual) => entry.set_item("default", usual)?,
        Default::Word(usual) => entry.set_item("default", usual)?,
    }
    if let ParameterKind::Word(words) = parameter.kind {
        entry.set_item("words", words)?;
    }
    Ok(entry)
}
