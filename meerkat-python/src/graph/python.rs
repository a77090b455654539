//! The classes of Python.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use meerkat_runtime::{Direction, Error};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{AnyGraph, Changes, Container, Plan, Rows, Side, Walk};
use crate::answer::Answer;
use crate::array::{Array, Kind};
use crate::columns::{Column, EdgeColumns};
use crate::device;
use crate::error::Failure;
use crate::question::Question;
use crate::subgraph::Subgraph;
use crate::work::{is_forked, work, work_or_fail, work_to_the_end};

/// A graph as threads share it: many read it, or one changes it.
///
/// A thread takes the lock inside of work alone: a signal handler, or a finaliser, is called while its
/// thread holds it.
type Shared = Arc<RwLock<Box<dyn AnyGraph>>>;

/// The numbers of answers that nobody holds any more. The lock is held for a moment, so whoever drops
/// an answer may wait for it.
type Dropped = Arc<Mutex<Vec<u64>>>;

/// Columns of edges, as they come from Python: sources, destinations, weights.
type Lent = (Column, Column, Option<Column>);

/// What a batch changed, as it goes to Python: the columns of what left, and of what came.
type Lists = (Vec<Array>, Vec<Array>);

/// A graph that batches change.
#[pyclass(frozen, module = "meerkat._meerkat")]
pub(crate) struct Graph {
    graph: Shared,
    container: Container,
    /// The next number of something that follows it, and how often it has changed.
    next: AtomicU64,
    version: Arc<AtomicU64>,
    dropped: Dropped,
}

fn read(graph: &Shared) -> RwLockReadGuard<'_, Box<dyn AnyGraph>> {
    graph.read().unwrap_or_else(PoisonError::into_inner)
}

fn write(graph: &Shared) -> RwLockWriteGuard<'_, Box<dyn AnyGraph>> {
    graph.write().unwrap_or_else(PoisonError::into_inner)
}

fn side(name: &str) -> Result<Side, Failure> {
    match name {
        "out" => Ok(Side::Out),
        "in" => Ok(Side::In),
        _ => Err(Failure::value(format!("there is no side '{name}'; say 'out' or 'in'"))),
    }
}

fn weight(kind: Option<&str>) -> Result<Option<Kind>, Failure> {
    match kind {
        None => Ok(None),
        Some("<u4") => Ok(Some(Kind::U32)),
        Some("<f4") => Ok(Some(Kind::F32)),
        Some(other) => Err(Failure::kind(format!("weights cannot be of the type '{other}'"))),
    }
}

fn lists(changes: Changes) -> Lists {
    (changes.deleted, changes.inserted)
}

fn rows(rows: Rows) -> (Array, Array, Option<Array>) {
    (rows.offsets, rows.neighbors, rows.weights)
}

impl Graph {
    fn new(graph: Box<dyn AnyGraph>, container: Container) -> Graph {
        let (graph, next) = (Arc::new(RwLock::new(graph)), AtomicU64::new(0));
        Graph { graph, container, next, version: Arc::default(), dropped: Arc::default() }
    }

    /// Does something with the graph while others may read it.
    fn read<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&dyn AnyGraph) -> Result<T, Error> + Send,
    ) -> Result<T, Failure> {
        work(py, || act(&**read(&self.graph)))
    }

    /// Something that the graph knows.
    fn get<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&dyn AnyGraph) -> T + Send,
    ) -> Result<T, Failure> {
        work_to_the_end(py, || Ok(act(&**read(&self.graph))))
    }

    /// Changes the graph; its version is another if it has changed.
    fn change<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut dyn AnyGraph) -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        work_or_fail(py, || {
            let mut graph = write(&self.graph);
            self.forget(&**graph);
            let done = act(&mut **graph)?;
            self.version.fetch_add(1, Relaxed);
            Ok(done)
        })
    }

    /// Follows no more for those that nobody holds.
    fn forget(&self, graph: &dyn AnyGraph) {
        let mut dropped = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
        let numbers = std::mem::take(&mut *dropped);
        drop(dropped);
        for number in numbers {
            graph.untrack(number);
        }
    }
}

#[pymethods]
impl Graph {
    /// A graph with the edges of these columns.
    #[staticmethod]
    fn build(
        py: Python<'_>,
        columns: Lent,
        weight_type: Option<&str>,
        vertices: Option<u32>,
        directed: bool,
        container: &str,
        device: &str,
    ) -> Result<Graph, Failure> {
        let (src, dst, weights) = columns;
        let columns = EdgeColumns::new(src, dst, weights)?;
        let container = Container::named(container)?;
        let direction = if directed { Direction::Directed } else { Direction::Undirected };
        let plan = Plan { container, weight: weight(weight_type)?, direction, vertices };
        let device = device::open(py, device)?;
        let graph = work_or_fail(py, || super::build(&device, &plan, &columns))?;
        Ok(Graph::new(graph, container))
    }

    /// A graph of a snapshot.
    #[staticmethod]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        container: &str,
        device: &str,
    ) -> Result<Graph, Failure> {
        let container = Container::named(container)?;
        let device = device::open(py, device)?;
        let graph = work(py, || super::load(&device, container, &path))?;
        Ok(Graph::new(graph, container))
    }

    #[getter]
    fn container(&self) -> &'static str {
        self.container.name()
    }

    #[getter]
    fn version(&self) -> u64 {
        self.version.load(Relaxed)
    }

    #[getter]
    fn device(&self, py: Python<'_>) -> Result<String, Failure> {
        self.get(py, |graph| graph.device().name())
    }

    #[getter]
    fn weight_type(&self, py: Python<'_>) -> Result<Option<&'static str>, Failure> {
        self.get(py, |graph| graph.weight().map(Kind::typestr))
    }

    #[getter]
    fn directed(&self, py: Python<'_>) -> Result<bool, Failure> {
        self.get(py, |graph| !graph.is_undirected())
    }

    #[getter]
    fn vertex_count(&self, py: Python<'_>) -> Result<u32, Failure> {
        self.get(py, |graph| graph.vertex_count())
    }

    #[getter]
    fn edge_count(&self, py: Python<'_>) -> Result<u64, Failure> {
        self.read(py, |graph| graph.edge_count())
    }

    #[getter]
    fn nbytes(&self, py: Python<'_>) -> Result<u64, Failure> {
        self.get(py, |graph| graph.bytes())
    }

    fn deleted_vertices(&self, py: Python<'_>) -> Result<Array, Failure> {
        let deleted = self.get(py, |graph| graph.deleted_vertices())?;
        Ok(Array::of_vec(deleted, Kind::U32))
    }

    /// Deletes edges, then inserts some; the columns of what left and of what came.
    fn apply(
        &self,
        py: Python<'_>,
        gone: Option<Lent>,
        new: Option<Lent>,
    ) -> Result<Lists, Failure> {
        let columns = |lent: Option<Lent>| {
            lent.map(|(src, dst, weight)| EdgeColumns::new(src, dst, weight)).transpose()
        };
        let (gone, new) = (columns(gone)?, columns(new)?);
        self.change(py, |graph| graph.apply(gone.as_ref(), new.as_ref())).map(lists)
    }

    fn insert_vertices(&self, py: Python<'_>, count: u32) -> Result<Array, Failure> {
        // To the end: who gives labels to vertices must know of all that there are.
        let inserted = work_to_the_end(py, || {
            let mut graph = write(&self.graph);
            self.forget(&**graph);
            let inserted = graph.insert_vertices(count)?;
            self.version.fetch_add(1, Relaxed);
            Ok(inserted)
        })?;
        Ok(Array::of_vec(inserted, Kind::U32))
    }

    fn delete_vertices(&self, py: Python<'_>, vertices: Column) -> Result<Lists, Failure> {
        let vertices = vertices.vertices("vertices")?;
        self.change(py, |graph| Ok(graph.delete_vertices(&vertices)?)).map(lists)
    }

    fn compact(&self, py: Python<'_>) -> Result<(), Failure> {
        // No change: answers stay.
        work(py, || write(&self.graph).compact())
    }

    fn degrees(&self, py: Python<'_>, side_name: &str) -> Result<Array, Failure> {
        let side = side(side_name)?;
        Ok(Array::of_vec(self.read(py, |graph| graph.degrees(side))?, Kind::U32))
    }

    fn degrees_of(
        &self,
        py: Python<'_>,
        side_name: &str,
        vertices: Column,
    ) -> Result<Array, Failure> {
        let (side, vertices) = (side(side_name)?, vertices.vertices("vertices")?);
        let degrees = self.read(py, |graph| graph.degrees_of(side, &vertices))?;
        Ok(Array::of_vec(degrees, Kind::U32))
    }

    /// The neighbours of vertices that ascend, each once.
    fn neighbors(
        &self,
        py: Python<'_>,
        side_name: &str,
        vertices: Column,
    ) -> Result<(Array, Array, Option<Array>), Failure> {
        let (side, vertices) = (side(side_name)?, vertices.vertices("vertices")?);
        if vertices.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(Failure::value("vertices are to ascend"));
        }
        self.read(py, |graph| graph.neighbors(side, &vertices)).map(rows)
    }

    fn has_edges(&self, py: Python<'_>, src: Column, dst: Column) -> Result<Array, Failure> {
        let columns = EdgeColumns::new(src, dst, None)?;
        let (src, dst) = (columns.src.vertices("src")?, columns.dst.vertices("dst")?);
        let found = self.read(py, |graph| graph.has_edges(&src, &dst))?;
        Ok(Array::of_vec(found, Kind::Bool))
    }

    fn edges(&self, py: Python<'_>) -> Result<Vec<Array>, Failure> {
        self.read(py, |graph| graph.edges())
    }

    fn to_csr(&self, py: Python<'_>) -> Result<(Array, Array, Option<Array>), Failure> {
        self.read(py, |graph| graph.to_csr()).map(rows)
    }

    /// Up to `fanout` neighbours of each vertex, `fanout` places each, and how many there are of each.
    #[allow(clippy::too_many_arguments, reason = "what Python hands over")]
    fn sample(
        &self,
        py: Python<'_>,
        side_name: &str,
        vertices: Column,
        latest: Option<Column>,
        fanout: u32,
        seed: u64,
    ) -> Result<(Array, Array), Failure> {
        let side = side(side_name)?;
        let [sampled, counts] = work_or_fail(py, || {
            read(&self.graph).sample(side, &vertices, latest.as_ref(), fanout, seed)
        })?;
        Ok((sampled, counts))
    }

    /// Neighbours of seeds, neighbours of those, and so on, by how many each hop draws and its seed: the
    /// vertices, the ends of edges, and how many there are of each hop.
    #[allow(clippy::type_complexity, reason = "what Python takes apart")]
    fn sample_subgraph(
        &self,
        py: Python<'_>,
        side_name: &str,
        seeds: Column,
        hops: Vec<(u32, u64)>,
    ) -> Result<([Array; 3], Vec<usize>, Vec<usize>), Failure> {
        let side = side(side_name)?;
        let drawn = work_or_fail(py, || read(&self.graph).sample_subgraph(side, &seeds, &hops))?;
        let Subgraph { node, row, col, nodes_of_hops, edges_of_hops } = drawn;
        Ok(([node, row, col], nodes_of_hops, edges_of_hops))
    }

    /// Walks of `length` steps, `length + 1` places each.
    fn walk(
        &self,
        py: Python<'_>,
        starts: Column,
        length: u32,
        likely: [f64; 3],
        seed: u64,
    ) -> Result<Array, Failure> {
        let walk = Walk { length, likely, seed };
        work_or_fail(py, || read(&self.graph).walk(&starts, &walk))
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> Result<(), Failure> {
        self.read(py, |graph| graph.save(&path))
    }

    /// An answer that follows the graph.
    fn track(
        &self,
        py: Python<'_>,
        name: &str,
        parameters: &Bound<'_, PyDict>,
    ) -> Result<Tracked, Failure> {
        let question = Question::read(name, parameters)?;
        let number = self.next.fetch_add(1, Relaxed);
        let tracked = work(py, || {
            let graph = read(&self.graph);
            self.forget(&**graph);
            graph.track(number, &question).transpose()
        })?;
        if tracked.is_none() {
            let message = match question {
                Question::KTruss { .. } => {
                    "`ktruss` follows one truss: say which, as in `k=4`".to_owned()
                }
                _ => format!("`{}` does not follow batches; compute it anew", question.name()),
            };
            return Err(Failure::value(message));
        }
        Ok(Tracked {
            graph: Arc::clone(&self.graph),
            version: Arc::clone(&self.version),
            dropped: Arc::clone(&self.dropped),
            number,
            name: question.name(),
        })
    }

    /// An answer from scratch.
    fn compute(
        &self,
        py: Python<'_>,
        name: &str,
        parameters: &Bound<'_, PyDict>,
        vector: Option<Column>,
    ) -> Result<Answer, Failure> {
        let question = Question::read(name, parameters)?;
        let vector = vector.map(|vector| vector.floats("x")).transpose()?;
        let vector = match (&question, vector) {
            (Question::Spmv { .. }, None) => {
                vec![1.0; self.vertex_count(py)? as usize]
            }
            (_, vector) => vector.unwrap_or_default(),
        };
        self.read(py, |graph| graph.compute(&question, &vector))
    }
}

/// An answer that follows a graph.
#[pyclass(frozen, module = "meerkat._meerkat")]
pub(crate) struct Tracked {
    graph: Shared,
    version: Arc<AtomicU64>,
    dropped: Dropped,
    number: u64,
    name: &'static str,
}

impl Tracked {
    fn gone(&self) -> Failure {
        Failure::value(format!("`{}` is not tracked any more", self.name))
    }
}

#[pymethods]
impl Tracked {
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// How often the graph has changed.
    #[getter]
    fn version(&self) -> u64 {
        self.version.load(Relaxed)
    }

    /// The answer, and the version of the graph that it is of.
    fn answer(&self, py: Python<'_>) -> Result<(u64, Answer), Failure> {
        self.look(py, |graph| graph.answer(self.number))
    }

    /// What has changed since the last look, and the version.
    fn changes(&self, py: Python<'_>) -> Result<(u64, Answer), Failure> {
        self.look(py, |graph| graph.changes(self.number))
    }

    /// Follows no more.
    fn stop(&self, py: Python<'_>) -> Result<(), Failure> {
        work_to_the_end(py, || {
            read(&self.graph).untrack(self.number);
            Ok(())
        })
    }
}

impl Tracked {
    fn look(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&dyn AnyGraph) -> Option<Result<Answer, Error>> + Send,
    ) -> Result<(u64, Answer), Failure> {
        let looked = work(py, || {
            let graph = read(&self.graph);
            let version = self.version.load(Relaxed);
            act(&**graph).transpose().map(|answer| answer.map(|answer| (version, answer)))
        })?;
        looked.ok_or_else(|| self.gone())
    }
}

impl Drop for Tracked {
    /// Says that nobody holds the answer: the graph follows no more when it changes next. Its lock is not
    /// taken, as this may be called, with the garbage, inside of work of the same thread.
    fn drop(&mut self) {
        if !is_forked() {
            let mut dropped = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
            dropped.push(self.number);
        }
    }
}
