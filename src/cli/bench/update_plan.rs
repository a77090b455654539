//! How long batches of updates take, and builds and deletions of vertices: what `bench updates` and
//! `bench paper` measure.

use std::marker::PhantomData;
use std::time::Duration;

use meerkat::runtime::graph::{Batch, Change, DeviceBatch, Direction, PinnedBatch};
use meerkat::runtime::{Atomic, Device, DeviceBuffer, Edge, Error, Weight};

use super::edges::{EdgeSample, Layout};
use super::figures::{
    BatchFigures, EdgeRate, ExactFigures, MemoryFigures, UpdateFigures, VertexFigures, VertexRate,
};
use crate::cli::container::{Blocks, Compact, DynamicContainer, Graph, Lists, Slabs};
use crate::cli::failure::Failure;
use crate::cli::progress::Progress;
use crate::cli::timing::{Stopwatch, median};

/// How long a driver may take to clear the memory of a graph that was freed.
const CLEARED: Duration = Duration::from_millis(500);

/// What is measured, and how often.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Sizes of batches of edges.
    pub(super) batches: Vec<u32>,
    /// Numbers of vertices that are deleted at once.
    pub(super) vertices: Vec<u32>,
    /// Whether batches that say what they changed are measured, too; each size waits for the driver then.
    pub(super) exactly: bool,
    pub(super) rounds: u32,
    pub(super) container: DynamicContainer,
    pub(super) layout: Layout,
}

impl Plan {
    /// Takes all figures of edges without weights.
    pub(super) fn measure(
        &self,
        graph: &EdgeSample<()>,
        device: &Device,
        progress: &Progress,
    ) -> Result<UpdateFigures, Failure> {
        match self.container {
            DynamicContainer::Slabs => self.measure_in::<Slabs, ()>(graph, device, progress),
            DynamicContainer::Compact => self.measure_in::<Compact, ()>(graph, device, progress),
            DynamicContainer::Blocks => self.measure_in::<Blocks, ()>(graph, device, progress),
        }
    }

    /// The same of any weights, in the container `L`.
    pub(super) fn measure_in<L: Lists, W: Weight>(
        &self,
        graph: &EdgeSample<W>,
        device: &Device,
        progress: &Progress,
    ) -> Result<UpdateFigures, Failure> {
        let container = PhantomData::<L>;
        Bench { plan: self, device, progress, graph, container }.figures()
    }
}

/// Applies some batches to a graph, and gives the time of each in milliseconds.
type Apply<'a, L, W> = dyn Fn(&mut Graph<L, W>) -> Result<Vec<f64>, Error> + 'a;

/// A graph's edges, and where and how its figures are taken.
struct Bench<'a, L: Lists, W: Weight> {
    plan: &'a Plan,
    device: &'a Device,
    progress: &'a Progress,
    graph: &'a EdgeSample<W>,
    container: PhantomData<L>,
}

impl<L: Lists, W: Weight> Bench<'_, L, W> {
    fn figures(&self) -> Result<UpdateFigures, Failure> {
        let Self { plan, graph: edges, .. } = self;
        self.progress.work("building");
        let build = self.build()?;
        let mut graph = self.graph_of(edges.direction)?;
        let container = plan.container;
        let memory = MemoryFigures::of(graph.out_edges()?, container)?;
        let mut batches = Vec::new();
        for (seed, &updates) in (1..).zip(&plan.batches) {
            self.progress.work("updating edges");
            batches.push(self.batch(&mut graph, updates, 1000 * seed)?);
        }
        drop(graph);
        self.progress.work("deleting vertices");
        let counts = plan.vertices.iter().filter(|&&count| count <= edges.vertices / 2);
        let vertices: Result<_, Failure> = counts.map(|&count| self.vertices(count)).collect();
        Ok(UpdateFigures {
            weights: if W::IS_WEIGHTED { "u32" } else { "none" },
            load_factor: plan.layout.load_factor,
            container,
            build,
            memory,
            batches,
            vertices: vertices?,
        })
    }

    fn graph_of(&self, direction: Direction) -> Result<Graph<L, W>, Error> {
        self.graph.build::<L>(self.plan.layout, direction, self.device)
    }

    fn build(&self) -> Result<EdgeRate, Error> {
        let once = || {
            let mut built = None;
            let time = self.device.measure(|| {
                built = Some(self.graph_of(self.graph.direction)?);
                Ok(())
            });
            drop(built);
            time
        };
        once()?;
        let times: Result<Vec<_>, _> = (0..self.plan.rounds).map(|_| once()).collect();
        Ok(EdgeRate::new(median(&times?), self.graph.edge_count()))
    }

    /// Batches of one size, enough for a warm-up and all rounds.
    fn samples(&self, seed: u64, updates: u32) -> Result<Vec<DeviceBuffer<Edge<W>>>, Error> {
        (0..=u64::from(self.plan.rounds))
            .map(|at| self.graph.sample(seed + at, updates, self.device))
            .collect()
    }

    /// Batch after batch enters the graph, is searched for and leaves it again: a
    /// pass over all batches each. Then they are applied exactly to the graph as built, if asked for.
    fn batch(
        &self,
        graph: &mut Graph<L, W>,
        updates: u32,
        seed: u64,
    ) -> Result<BatchFigures, Failure> {
        let (batches, others) = (self.samples(seed, updates)?, self.samples(seed + 500, updates)?);
        let found = DeviceBuffer::zeroed(self.device, updates as usize)?;
        // Growing memory is not what is measured.
        let more = u64::from(updates) * batches.len() as u64;
        graph.reserve(more)?;
        let insert = self.each(&batches, |edges| graph.queue_insertions(edges))?;
        // What found no slab; usually nothing.
        batches.iter().try_for_each(|edges| graph.insert_buffer(edges))?;
        let query = self.each(&batches, |edges| graph.queue_searches(edges, &found))?;
        self.check(&found, 1, "an edge that was inserted is not found")?;
        let miss = self.each(&others, |edges| graph.queue_searches(edges, &found))?;
        let delete = self.each(&batches, |edges| graph.queue_deletions(edges))?;
        graph.queue_searches(&batches[batches.len() - 1], &found)?;
        self.check(&found, 0, "an edge that was deleted is found")?;
        let rate = |times: Vec<f64>| EdgeRate::new(median(&times), updates.into());
        let [insert, query, miss, delete] = [insert, query, miss, delete].map(rate);
        self.restore(graph)?;
        let exact = self.plan.exactly.then(|| self.exact(graph, &batches, more)).transpose()?;
        Ok(BatchFigures { updates, insert, query, miss, delete, exact })
    }

    /// The same batches from host memory, from the device, and from pinned memory.
    fn exact(
        &self,
        graph: &mut Graph<L, W>,
        batches: &[DeviceBuffer<Edge<W>>],
        more: u64,
    ) -> Result<ExactFigures, Failure> {
        let mut exactly = |apply: &Apply<'_, L, W>| {
            graph.reserve(more)?;
            self.settle();
            let times = apply(graph)?;
            batches.iter().try_for_each(|edges| graph.queue_deletions(edges))?;
            self.restore(graph)?;
            Ok::<_, Error>(EdgeRate::new(median(&times), batches[0].len() as u64))
        };
        Ok(ExactFigures {
            apply: exactly(&|graph| self.apply(graph, batches))?,
            apply_device: exactly(&|graph| self.apply_on_device(graph, batches))?,
            apply_pinned: exactly(&|graph| self.apply_pinned(graph, batches))?,
        })
    }

    /// Whether searches found all edges of the last batch, or none.
    fn check(
        &self,
        found: &DeviceBuffer<Atomic<u32>>,
        wanted: u32,
        difference: &'static str,
    ) -> Result<(), Failure> {
        let container = self.plan.container.name();
        match found.to_vec()?.iter().all(|&found| found == wanted) {
            true => Ok(()),
            false => Err(Failure::EdgesAreWrong { container, difference }),
        }
    }

    /// Milliseconds of some work on each batch but the first, which warms up.
    fn each(
        &self,
        batches: &[DeviceBuffer<Edge<W>>],
        mut work: impl FnMut(&DeviceBuffer<Edge<W>>) -> Result<(), Error>,
    ) -> Result<Vec<f64>, Error> {
        let mut times = Vec::new();
        for edges in batches {
            times.push(self.device.measure(|| work(edges))?);
        }
        Ok(times.split_off(1))
    }

    /// What the compaction before has freed, the driver clears in the background, and for so
    /// long each batch waits: up to 0.9 ms on an H200, which is no cost of the batch.
    fn settle(&self) {
        if self.device.is_cuda() {
            std::thread::sleep(CLEARED);
        }
    }

    /// [`each`](Self::each) from batches in host memory to the changed graph, by the
    /// clock.
    fn apply(
        &self,
        graph: &mut Graph<L, W>,
        batches: &[DeviceBuffer<Edge<W>>],
    ) -> Result<Vec<f64>, Error> {
        let prepare = |edges: &DeviceBuffer<_>| Ok(Batch::new().insert(edges.to_vec()?));
        self.timed_each(batches, prepare, |batch, graph| graph.apply(batch), graph)
    }

    /// The same from batches on the device.
    fn apply_on_device(
        &self,
        graph: &mut Graph<L, W>,
        batches: &[DeviceBuffer<Edge<W>>],
    ) -> Result<Vec<f64>, Error> {
        let prepare = |edges: &DeviceBuffer<_>| {
            let copy = DeviceBuffer::from_slice(self.device, &edges.to_vec()?)?;
            Ok(DeviceBatch::insertions(copy))
        };
        self.timed_each(batches, prepare, |batch, graph| graph.apply(batch), graph)
    }

    /// Milliseconds of the application of each batch but the first, as `prepare` makes it.
    fn timed_each<B>(
        &self,
        batches: &[DeviceBuffer<Edge<W>>],
        prepare: impl Fn(&DeviceBuffer<Edge<W>>) -> Result<B, Error>,
        apply: impl Fn(&B, &mut Graph<L, W>) -> Result<Change<W>, Error>,
        graph: &mut Graph<L, W>,
    ) -> Result<Vec<f64>, Error> {
        let mut times = Vec::new();
        for edges in batches {
            let batch = prepare(edges)?;
            self.device.synchronize()?;
            let watch = Stopwatch::start();
            let change = apply(&batch, graph)?;
            self.device.synchronize()?;
            times.push(watch.milliseconds());
            drop(change);
        }
        Ok(times.split_off(1))
    }

    /// Milliseconds for a batch in pinned memory, where each is copied while the one before is
    /// applied: the mean of all, for they overlap.
    fn apply_pinned(
        &self,
        graph: &mut Graph<L, W>,
        batches: &[DeviceBuffer<Edge<W>>],
    ) -> Result<Vec<f64>, Error> {
        let mut pinned = Vec::new();
        for edges in batches {
            let mut batch = PinnedBatch::new(self.device, edges.len())?;
            batch.insert(&edges.to_vec()?)?;
            pinned.push(batch);
        }
        // The first warms up: memory is there.
        drop(graph.apply(&pinned[0])?);
        self.device.synchronize()?;
        let watch = Stopwatch::start();
        let mut uploads = pinned[1..].iter().map(PinnedBatch::upload);
        let mut arriving = uploads.next();
        while let Some(batch) = arriving {
            let batch = batch?;
            arriving = uploads.next();
            drop(graph.apply(&batch)?);
        }
        self.device.synchronize()?;
        Ok(vec![watch.milliseconds() / (pinned.len() - 1) as f64])
    }

    /// The graph as built: the batches may have deleted edges that were there.
    fn restore(&self, graph: &mut Graph<L, W>) -> Result<(), Error> {
        self.graph.lists.iter().try_for_each(|edges| graph.insert_buffer(edges))?;
        graph.compact()
    }

    fn vertices(&self, count: u32) -> Result<VertexFigures, Failure> {
        let (mut times, mut edges) = (Vec::new(), 0);
        let container = self.plan.container.name();
        for round in 0..=self.plan.rounds {
            let mut graph = self.graph_of(Direction::Undirected)?;
            // An odd stride hits every vertex once where n is a power of two.
            let n = u64::from(self.graph.vertices);
            let stride = 0x9E37_79B1 + 2 * u64::from(round);
            let chosen: Vec<_> = (0..u64::from(count)).map(|at| (at * stride % n) as u32).collect();
            let before = graph.edge_count()?;
            let time = self.device.measure(|| graph.delete_vertices(&chosen))?;
            edges = before - graph.edge_count()?;
            let degrees = graph.out_degrees()?;
            if chosen.iter().any(|&v| degrees[v as usize] > 0) {
                let difference = "a vertex that was deleted has edges";
                return Err(Failure::EdgesAreWrong { container, difference });
            }
            if round > 0 {
                times.push(time);
            }
        }
        let delete = VertexRate::new(median(&times), count);
        Ok(VertexFigures { vertices: count, edges, delete })
    }
}
