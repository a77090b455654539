//! `meerkat bench updates`: batches of insertions, searches and deletions on the
//! slab graph, deletions of vertices, the build.

use meerkat::runtime::graph::Batch;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::{Device, DeviceBuffer, Edge, Error, SlabGraph, Weight};

use super::bench_graph::BenchGraph;
use super::bench_report::{
    BatchFigures, EdgeRate, Figures, GraphName, MemoryFigures, VertexFigures, VertexRate,
};
use super::device;
use super::failure::Failure;
use super::output;
use super::plan::UpdatesPlan;
use super::progress::Progress;
use super::timing::Stopwatch;

/// Takes all figures and gives the report.
pub(super) fn run(plan: &UpdatesPlan) -> Result<String, Failure> {
    let figures = match plan.weighted {
        true => Bench::<u32>::new(plan, |number| number % 64 + 1)?.run()?,
        false => Bench::<()>::new(plan, |_| ())?.run()?,
    };
    Ok(output::render(&figures, plan.format))
}

/// A graph's edges, and where and how its figures are taken.
struct Bench<'a, W: Weight> {
    plan: &'a UpdatesPlan,
    device: Device,
    progress: Progress,
    graph: BenchGraph<W>,
}

impl<'a, W: Weight> Bench<'a, W> {
    fn new(plan: &'a UpdatesPlan, weight: fn(u32) -> W) -> Result<Self, Failure> {
        let (device, progress) = (device::open(plan.device)?, Progress::reading());
        let graph = BenchGraph::open(&plan.graph, &plan.read, &device, &progress, weight)?;
        Ok(Bench { plan, device, progress, graph })
    }

    fn run(self) -> Result<Figures, Failure> {
        self.progress.work("building");
        let build = self.build()?;
        let mut graph = self.slab_graph(self.graph.direction)?;
        let memory = MemoryFigures::of::<W>(&graph.out_edges()?.statistics()?);
        let mut batches = Vec::new();
        for (at, &updates) in self.plan.batches.iter().enumerate() {
            self.progress.work("updating edges");
            batches.push(self.batch(&mut graph, updates, 1000 * (at as u64 + 1))?);
        }
        drop(graph);
        self.progress.work("deleting vertices");
        let sizes = self.plan.vertices.iter().filter(|&&count| count <= self.graph.vertices / 2);
        let vertices: Result<_, Error> = sizes.map(|&count| self.vertices(count)).collect();
        Ok(Figures {
            device: self.device.name(),
            description: self.device.description(),
            graph: GraphName { name: self.graph.name, n: self.graph.vertices, m: memory.edges },
            input: self.graph.input,
            weights: if W::IS_WEIGHTED { "u32" } else { "none" },
            load_factor: self.plan.load_factor,
            build,
            memory,
            batches,
            vertices: vertices?,
        })
    }

    fn slab_graph(&self, direction: Direction) -> Result<SlabGraph<W>, Error> {
        self.graph.build(self.plan.load_factor, direction)
    }

    fn build(&self) -> Result<EdgeRate, Error> {
        let once = || {
            let mut built = None;
            let time = self.device.measure(|| {
                built = Some(self.slab_graph(self.graph.direction)?);
                Ok(())
            });
            drop(built);
            time
        };
        once()?;
        let times: Result<Vec<_>, _> = (0..self.plan.rounds).map(|_| once()).collect();
        Ok(EdgeRate::new(median(times?), self.graph.edges.len()))
    }

    /// Batches of one size, enough for a warm-up and all rounds.
    fn samples(&self, seed: u64, updates: u32) -> Result<Vec<DeviceBuffer<Edge<W>>>, Error> {
        (0..=u64::from(self.plan.rounds)).map(|at| self.graph.sample(seed + at, updates)).collect()
    }

    /// Batch after batch enters the graph, is searched for and leaves it again: a
    /// pass over all batches each. Then they are applied from host memory to the
    /// graph as built.
    fn batch(
        &self,
        graph: &mut SlabGraph<W>,
        updates: u32,
        seed: u64,
    ) -> Result<BatchFigures, Error> {
        let (batches, others) = (self.samples(seed, updates)?, self.samples(seed + 500, updates)?);
        let found = DeviceBuffer::zeroed(&self.device, updates as usize)?;
        // Growing memory is not what is measured.
        let slabs = (updates / 8).saturating_mul(batches.len() as u32);
        graph.reserve_slabs(slabs)?;
        let insert = self.each(&batches, |edges| graph.queue_insertions(edges))?;
        // What found no slab; usually nothing.
        batches.iter().try_for_each(|edges| graph.insert_buffer(edges))?;
        let query = self.each(&batches, |edges| graph.queue_searches(edges, &found))?;
        let miss = self.each(&others, |edges| graph.queue_searches(edges, &found))?;
        let delete = self.each(&batches, |edges| graph.queue_deletions(edges))?;
        self.restore(graph)?;
        graph.reserve_slabs(slabs)?;
        let apply = self.apply(graph, &batches)?;
        batches.iter().try_for_each(|edges| graph.queue_deletions(edges))?;
        self.restore(graph)?;
        let rate = |times| EdgeRate::new(median(times), updates as usize);
        let [insert, query, miss, delete, apply] = [insert, query, miss, delete, apply].map(rate);
        Ok(BatchFigures { updates, insert, query, miss, delete, apply })
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

    /// [`each`](Self::each) from batches in host memory to the changed graph, by the
    /// clock.
    fn apply(
        &self,
        graph: &mut SlabGraph<W>,
        batches: &[DeviceBuffer<Edge<W>>],
    ) -> Result<Vec<f64>, Error> {
        let mut times = Vec::new();
        for edges in batches {
            let batch = Batch::new().insert(edges.to_vec()?);
            self.device.synchronize()?;
            let watch = Stopwatch::start();
            graph.apply(&batch)?;
            self.device.synchronize()?;
            times.push(watch.milliseconds());
        }
        Ok(times.split_off(1))
    }

    /// The graph as built: the batches may have deleted edges that were there.
    fn restore(&self, graph: &mut SlabGraph<W>) -> Result<(), Error> {
        graph.insert_buffer(&self.graph.edges)?;
        graph.compact()
    }

    fn vertices(&self, count: u32) -> Result<VertexFigures, Error> {
        let (mut times, mut edges) = (Vec::new(), 0);
        for round in 0..=self.plan.rounds {
            let mut graph = self.slab_graph(Direction::Undirected)?;
            // An odd stride hits every vertex once where n is a power of two.
            let n = u64::from(self.graph.vertices);
            let stride = 0x9E37_79B1 + 2 * u64::from(round);
            let chosen: Vec<_> = (0..u64::from(count)).map(|at| (at * stride % n) as u32).collect();
            let before = graph.edge_count()?;
            let time = self.device.measure(|| graph.delete_vertices(&chosen))?;
            edges = before - graph.edge_count()?;
            if round > 0 {
                times.push(time);
            }
        }
        let delete = VertexRate::new(median(times), count);
        Ok(VertexFigures { vertices: count, edges, delete })
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}
