//! A graph in one container, with what follows it.

use std::mem::{offset_of, size_of};
use std::path::Path;

use meerkat_runtime::graph::Change;
use meerkat_runtime::launch::HostArg;
use meerkat_runtime::{
    Atomic, Batch, Container, Device, DeviceBuffer, DeviceSlice, DynamicGraph, Edge, EdgeLists,
    Error, ErrorKind, Frontiers, LevelQueue, Tracked,
};

use super::{AnyGraph, Changes, Plan, Rows, Side, Walk, Weighted};
use crate::algorithms;
use crate::answer::Answer;
use crate::array::{Array, Field, Kind, columns_of_change};
use crate::columns::{
    Column, EdgeColumns, GpuEdgeColumns, Lent, apply_on_gpu, refused_on_gpu, with_insertions_on_gpu,
};
use crate::error::Failure;
use crate::follow::Followers;
use crate::kernels::{LARGEST, REFUSED, degrees_of, list_edges};
use crate::question::Question;
use crate::sampling::{STEPS, sample_neighbors, walk as walk_kernel};
use crate::subgraph::{Spare, Subgraph, SubgraphSampler};

/// A graph with the algorithms that follow it.
pub(super) struct Held<L: EdgeLists> {
    tracked: Tracked<DynamicGraph<L>, Followers<DynamicGraph<L>>>,
    /// For samples to come.
    spare: Spare,
}

impl<W: Weighted, L: EdgeLists<Carried = W> + Send + Sync + 'static> Held<L>
where
    Self: AnyGraph,
{
    pub(super) fn build(
        device: &Device,
        plan: &Plan,
        columns: &EdgeColumns,
    ) -> Result<Box<dyn AnyGraph>, Failure> {
        columns.check_weights::<W>(true)?;
        let options = plan.options();
        if let Some(on_gpu) = columns.on_gpu(device)? {
            return Self::build_on_gpu(device, plan, on_gpu);
        }
        let edges = columns.edges::<W>()?;
        let largest = edges.iter().map(|edge| edge.src.max(edge.dst)).max().unwrap_or(0);
        let count = plan.vertices.unwrap_or(vertices_of(largest, edges.len()));
        Ok(Self::boxed(DynamicGraph::from_edges(device, count, &edges, &options)?)?)
    }

    fn build_on_gpu(
        device: &Device,
        plan: &Plan,
        columns: GpuEdgeColumns,
    ) -> Result<Box<dyn AnyGraph>, Failure> {
        let mut found = DeviceBuffer::filled(device, 2, u32::MAX)?;
        found.write(LARGEST as usize, &[0])?;
        let graph = with_insertions_on_gpu::<W, _>(device, columns, &found, |batch| {
            let (found, options) = (found.to_vec()?, plan.options());
            if found[REFUSED as usize] != u32::MAX {
                return Err(refused_on_gpu(found[REFUSED as usize] as usize));
            }
            let of_edges = || vertices_of(found[LARGEST as usize], columns.len());
            let count = plan.vertices.unwrap_or_else(of_edges);
            if !W::IS_WEIGHTED {
                let edges = batch.edges()?;
                return Ok(DynamicGraph::<L>::from_buffer(device, count, edges, &options)?);
            }
            // Of edges that are named twice the last counts, which a batch sees to.
            let mut graph = DynamicGraph::<L>::from_edges(device, count, &[], &options)?;
            graph.apply(batch)?;
            graph.compact()?;
            Ok(graph)
        })?;
        Ok(Self::boxed(graph)?)
    }

    pub(super) fn load(device: &Device, path: &Path) -> Result<Box<dyn AnyGraph>, Error> {
        Self::boxed(DynamicGraph::load(device, path)?)
    }

    fn boxed(graph: DynamicGraph<L>) -> Result<Box<dyn AnyGraph>, Error> {
        let tracked = graph.track(Followers::none())?;
        Ok(Box::new(Held { tracked, spare: Spare::default() }))
    }
}

/// How many vertices there are if nobody says so. An end of 2^32 - 1 is refused with the edges.
fn vertices_of(largest: u32, edges: usize) -> u32 {
    if edges == 0 { 0 } else { largest.saturating_add(1) }
}

impl<W: Weighted, L: EdgeLists<Carried = W>> Held<L> {
    fn graph(&self) -> &DynamicGraph<L> {
        self.tracked.graph()
    }

    fn check(&self, vertices: &[u32]) -> Result<(), Error> {
        let count = self.graph().vertex_count();
        match vertices.iter().find(|&&vertex| vertex >= count) {
            Some(&vertex) => Err(ErrorKind::NoSuchVertex { vertex, count }.into()),
            None => Ok(()),
        }
    }

    /// Draws neighbours of vertices, as [`sample_neighbors`] does. Queued on CUDA.
    fn draw(
        &self,
        draw: Draw,
        vertices: impl HostArg<DeviceSlice<Atomic<u32>>>,
        latest: DeviceSlice<u32>,
        refused: &DeviceBuffer<Atomic<u32>>,
    ) -> Result<(DeviceBuffer<Atomic<u32>>, DeviceBuffer<u32>), Error> {
        let graph = self.graph();
        let (device, Draw { side, count, fanout, seed }) = (graph.device(), draw);
        let places = places_of(count, fanout as usize)?;
        let sampled = DeviceBuffer::<Atomic<u32>>::filled(device, places, u32::MAX)?;
        let mut counts = DeviceBuffer::<u32>::zeroed(device, count)?;
        let edges = match side {
            Side::Out => Container::out_edges(graph)?,
            Side::In => Container::in_edges(graph)?,
        };
        sample_neighbors::launch(
            device,
            count as u32,
            edges,
            graph.vertex_count(),
            vertices,
            latest,
            fanout,
            seed,
            &sampled,
            &mut counts,
            refused,
        )?;
        Ok((sampled, counts))
    }

    /// The degrees of some vertices that are there.
    fn some_degrees(&self, side: Side, vertices: &[u32]) -> Result<Vec<u32>, Error> {
        let (device, count) = (self.graph().device(), vertices.len());
        let mut degrees = DeviceBuffer::zeroed(device, count)?;
        let vertices = DeviceBuffer::from_slice(device, vertices)?;
        let edges = match side {
            Side::Out => Container::out_edges(self.graph())?,
            Side::In => Container::in_edges(self.graph())?,
        };
        degrees_of::launch(device, count as u32, edges, &vertices, &mut degrees)?;
        degrees.to_vec()
    }
}

/// How neighbours of so many vertices are drawn.
#[derive(Clone, Copy, Debug)]
struct Draw {
    side: Side,
    count: usize,
    fanout: u32,
    seed: u64,
}

/// Ends and weights of edges, where they lie.
fn fields<W: Weighted>() -> Vec<Field> {
    let mut fields = vec![
        Field { offset: offset_of!(Edge<W>, src), kind: Kind::U32 },
        Field { offset: offset_of!(Edge<W>, dst), kind: Kind::U32 },
    ];
    fields.extend(W::KIND.map(|kind| Field { offset: offset_of!(Edge<W>, weight), kind }));
    fields
}

/// What changed, left where it is.
fn changes_of<W: Weighted>(change: Change<W>) -> Changes {
    let [deleted, inserted] = columns_of_change(change, &fields::<W>());
    Changes { deleted, inserted }
}

/// Rows of edges that ascend, of these vertices.
fn rows_of<W: Weighted>(vertices: &[u32], edges: Vec<Edge<W>>) -> Rows {
    let mut offsets = Vec::with_capacity(vertices.len() + 1);
    let mut at = 0;
    offsets.push(0u64);
    for vertex in vertices {
        at += edges[at..].iter().take_while(|edge| edge.src == *vertex).count();
        offsets.push(at as u64);
    }
    let mut columns = Array::fields_of_vec(edges, &fields::<W>()).into_iter().skip(1);
    let offsets = Array::of_vec(offsets, Kind::U64);
    let neighbors = columns.next().unwrap_or_else(|| Array::of_vec(Vec::<u32>::new(), Kind::U32));
    Rows { offsets, neighbors, weights: columns.next() }
}

/// How many places so many lists of `each` have, which kernels number.
fn places_of(lists: usize, each: usize) -> Result<usize, Error> {
    let length = lists.saturating_mul(each);
    match u32::try_from(length) {
        Ok(_) => Ok(length),
        Err(_) => Err(ErrorKind::BufferTooLong { length }.into()),
    }
}

/// Waits for a kernel, which names the first vertex that is outside the graph.
fn check_refused(refused: &DeviceBuffer<Atomic<u32>>) -> Result<(), Failure> {
    match refused.to_vec()?.first() {
        Some(&place) if place != u32::MAX => {
            Err(Failure::index(format!("the vertex at place {place} is not in the graph")))
        }
        _ => Ok(()),
    }
}

impl<W: Weighted, L: EdgeLists<Carried = W> + Send + Sync + 'static> AnyGraph for Held<L> {
    fn device(&self) -> &Device {
        self.graph().device()
    }

    fn weight(&self) -> Option<Kind> {
        W::KIND
    }

    fn is_undirected(&self) -> bool {
        self.graph().is_undirected()
    }

    fn vertex_count(&self) -> u32 {
        self.graph().vertex_count()
    }

    fn edge_count(&self) -> Result<u64, Error> {
        self.graph().edge_count()
    }

    fn bytes(&self) -> u64 {
        self.graph().bytes()
    }

    fn deleted_vertices(&self) -> Vec<u32> {
        self.graph().deleted_vertices()
    }

    fn apply(
        &mut self,
        gone: Option<&EdgeColumns>,
        new: Option<&EdgeColumns>,
    ) -> Result<Changes, Failure> {
        let device = self.graph().device().clone();
        for (columns, needed) in [(gone, false), (new, true)] {
            if let Some(columns) = columns {
                columns.check_weights::<W>(needed)?;
            }
        }
        let lists = [gone, new].map(|list| list.map(|list| list.on_gpu(&device)).transpose());
        let [gone_there, new_there] = lists;
        let (gone_there, new_there) = (gone_there?, new_there?);
        let is_there = |list: &Option<Option<_>>| !matches!(list, Some(None));
        if device.is_cuda() && is_there(&gone_there) && is_there(&new_there) {
            let (gone, new) = (gone_there.flatten(), new_there.flatten());
            return Ok(changes_of(apply_on_gpu(&mut self.tracked, gone, new)?));
        }
        let mut batch = Batch::new();
        if let Some(gone) = gone {
            batch = batch.delete(gone.edges::<W>()?);
        }
        if let Some(new) = new {
            batch = batch.insert(new.edges::<W>()?);
        }
        Ok(changes_of(self.tracked.apply(&batch)?))
    }

    fn insert_vertices(&mut self, count: u32) -> Result<Vec<u32>, Error> {
        self.tracked.insert_vertices(count)
    }

    fn delete_vertices(&mut self, vertices: &[u32]) -> Result<Changes, Error> {
        Ok(changes_of(self.tracked.delete_vertices(vertices)?))
    }

    fn compact(&mut self) -> Result<(), Error> {
        self.tracked.compact()
    }

    fn degrees(&self, side: Side) -> Result<Vec<u32>, Error> {
        match side {
            Side::Out => self.graph().out_degrees(),
            Side::In => self.graph().in_degrees(),
        }
    }

    fn degrees_of(&self, side: Side, vertices: &[u32]) -> Result<Vec<u32>, Error> {
        self.check(vertices)?;
        self.some_degrees(side, vertices)
    }

    fn neighbors(&self, side: Side, vertices: &[u32]) -> Result<Rows, Error> {
        self.check(vertices)?;
        let device = self.graph().device();
        let total: u64 = self.some_degrees(side, vertices)?.into_iter().map(u64::from).sum();
        let total = u32::try_from(total)
            .map_err(|_| ErrorKind::BufferTooLong { length: total as usize })?;
        let mut queue = LevelQueue::<Edge<W>>::new(device, total)?;
        let list = Frontiers::new(device, vertices.len() as u32, vertices)?;
        let edges = match side {
            Side::Out => Container::out_edges(self.graph())?,
            Side::In => Container::in_edges(self.graph())?,
        };
        list_edges::launch(device, list.current(), edges, queue.next())?;
        queue.advance()?;
        let mut edges = queue.into_buffer().to_vec()?;
        edges.sort_unstable_by_key(|edge| (edge.src, edge.dst));
        Ok(rows_of(vertices, edges))
    }

    fn has_edges(&self, src: &[u32], dst: &[u32]) -> Result<Vec<bool>, Error> {
        let edge = |(&src, &dst): (&u32, &u32)| Edge { src, dst, weight: W::ZERO };
        let edges: Vec<Edge<W>> = src.iter().zip(dst).map(edge).collect();
        self.graph().contains(&edges)
    }

    fn edges(&self) -> Result<Vec<Array>, Error> {
        Ok(Array::fields_of_vec(self.graph().to_edges()?, &fields::<W>()))
    }

    fn to_csr(&self) -> Result<Rows, Error> {
        let csr = self.graph().to_csr()?;
        debug_assert_eq!(size_of::<W>(), W::KIND.map_or(0, Kind::size));
        Ok(Rows {
            offsets: Array::of_vec(csr.offsets, Kind::U64),
            neighbors: Array::of_vec(csr.neighbors, Kind::U32),
            weights: W::KIND.map(|kind| Array::of_vec(csr.weights, kind)),
        })
    }

    fn sample(
        &self,
        side: Side,
        vertices: &Column,
        latest: Option<&Column>,
        fanout: u32,
        seed: u64,
    ) -> Result<[Array; 2], Failure> {
        let graph = self.graph();
        let (device, count) = (graph.device(), vertices.len());
        let words = vertices.lent(device, "vertices", graph.vertex_count() < 1 << 31)?;
        let limits = latest.map(|latest| latest.lent(device, "latest", false)).transpose()?;
        if let Some(limits) = &limits
            && (W::KIND != Some(Kind::U32) || limits.len() != count)
        {
            let message = "times are weights of type uint32, and `latest` has one for each vertex";
            return Err(Failure::value(message));
        }
        let limits_view = limits.as_ref().map_or_else(Lent::nothing, Lent::view);
        let refused = DeviceBuffer::<Atomic<u32>>::filled(device, 1, u32::MAX)?;
        let draw = Draw { side, count, fanout, seed };
        let (sampled, counts) = self.draw(draw, words.view_of_atomics(), limits_view, &refused)?;
        check_refused(&refused)?;
        Ok([Array::of_atomics(sampled, Kind::U32), Array::of_buffer(counts, Kind::U32)])
    }

    fn sample_subgraph(
        &self,
        side: Side,
        seeds: &Column,
        hops: &[(u32, u64)],
    ) -> Result<Subgraph, Failure> {
        let graph = self.graph();
        let (device, vertices) = (graph.device(), graph.vertex_count());
        let seeds = seeds.lent_ids(device, "seeds")?;
        let mut sampler = SubgraphSampler::begin(device, &seeds, vertices, &self.spare)?;
        let refused = DeviceBuffer::<Atomic<u32>>::filled(device, 1, u32::MAX)?;
        for &(fanout, seed) in hops {
            let frontier = sampler.frontier();
            let draw = Draw { side, count: frontier.len(), fanout, seed };
            let (sampled, counts) = self.draw(draw, frontier, Lent::nothing(), &refused)?;
            sampler.add(fanout, &sampled, &counts)?;
        }
        Ok(sampler.finish(&self.spare)?)
    }

    fn walk(&self, starts: &Column, walk: &Walk) -> Result<Array, Failure> {
        let graph = self.graph();
        let device = graph.device();
        let places = places_of(starts.len(), walk.length as usize + 1)?;
        if walk.length >= STEPS {
            return Err(Failure::value("a walk has fewer than 2^24 steps"));
        }
        let words = starts.lent(device, "starts", graph.vertex_count() < 1 << 31)?;
        let walks = DeviceBuffer::<Atomic<u32>>::filled(device, places, u32::MAX)?;
        let refused = DeviceBuffer::<Atomic<u32>>::filled(device, 1, u32::MAX)?;
        let (edges, [back, near, far]) = (Container::out_edges(graph)?, walk.likely);
        walk_kernel::launch(
            device,
            starts.len() as u32,
            edges,
            graph.vertex_count(),
            words.view(),
            walk.length,
            back,
            near,
            far,
            walk.seed,
            &walks,
            &refused,
        )?;
        check_refused(&refused)?;
        Ok(Array::of_atomics(walks, Kind::U32))
    }

    fn save(&self, path: &Path) -> Result<(), Error> {
        self.graph().save(path)
    }

    fn track(&self, number: u64, question: &Question) -> Option<Result<(), Error>> {
        let follow = algorithms::follow(question)?;
        Some(self.tracked.algorithm().add(number, follow, self.graph()))
    }

    fn untrack(&self, number: u64) {
        self.tracked.algorithm().remove(number);
    }

    fn answer(&self, number: u64) -> Option<Result<Answer, Error>> {
        self.tracked.algorithm().with(number, |follow| follow.answer(self.graph()))
    }

    fn changes(&self, number: u64) -> Option<Result<Answer, Error>> {
        self.tracked.algorithm().with(number, |follow| follow.changes(self.graph()))
    }

    fn compute(&self, question: &Question, vector: &[f64]) -> Result<Answer, Error> {
        algorithms::compute(self.graph(), question, vector)
    }
}
