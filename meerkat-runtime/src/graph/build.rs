//! The host's slab graph and its static build.

use super::layout::{Edge, Graph, SlabLists};
use super::operations::{delete_edges, insert_edges, search_edges};
use crate::device::{Device, DeviceBuffer};
use crate::launch::HostArg;
use crate::view::{Atomic, Slab, SlabWords};
use crate::{Error, ErrorKind, Weight};
use rayon::prelude::*;
use std::marker::PhantomData;

/// Marks need the keys above.
const MAX_VERTICES: u64 = (1 << 32) - 4;

/// How a slab graph lays out its slabs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlabOptions {
    /// How full the buckets of a vertex are to be, in (0, 1]. Fewer, fuller
    /// buckets save memory; more, emptier ones shorten the chains.
    pub load_factor: f32,
    /// Whether a vertex spreads its neighbours over several buckets, by hash.
    /// Without, it has one slab list.
    pub hashing: bool,
}

impl Default for SlabOptions {
    /// Load factor 0.7 with hashing, as in the papers.
    fn default() -> Self {
        SlabOptions { load_factor: 0.7, hashing: true }
    }
}

/// A graph in device memory, a slab hash per vertex. `W` is what edges carry:
/// `()`, `u32`, `i32` or `f32`.
#[derive(Debug)]
pub struct SlabGraph<W: Weight = ()> {
    device: Device,
    vertices: DeviceBuffer<SlabLists>,
    degrees: DeviceBuffer<Atomic<u32>>,
    slabs: DeviceBuffer<Slab>,
    pool: DeviceBuffer<Atomic<u32>>,
    average_degree: u32,
    weight: PhantomData<W>,
}

impl<W: Weight> SlabGraph<W> {
    /// A graph of `vertices` vertices and the given edges: an edge that occurs
    /// several times is there once, with its last weight. Synchronises.
    ///
    /// # Errors
    /// An edge outside `0..vertices`, too many vertices or slabs, a load factor
    /// outside (0, 1], no memory.
    pub fn from_edges(
        device: &Device,
        vertices: u32,
        edges: &[Edge<W>],
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        check(vertices, edges, options)?;
        let plan = Plan::new::<W>(vertices, edges, options)?;
        let mut slabs = DeviceBuffer::zeroed(device, plan.slabs as usize)?;
        // EMPTY_KEY and NULL_SLAB alike are all ones.
        slabs.fill(SlabWords([u32::MAX; 32]))?;
        let mut graph = SlabGraph {
            device: device.clone(),
            vertices: DeviceBuffer::from_slice(device, &plan.lists)?,
            degrees: DeviceBuffer::zeroed(device, vertices as usize)?,
            slabs,
            pool: DeviceBuffer::from_slice(device, &[plan.heads, 0])?,
            average_degree: edges.len().div_ceil(vertices.max(1) as usize) as u32,
            weight: PhantomData,
        };
        graph.insert(edges)?;
        Ok(graph)
    }

    /// Inserts edges; one that is there already gets the new weight, and of one
    /// that is named several times the last counts. Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph, and then nothing was inserted. No memory: what
    /// fitted is in the graph, and the same call later completes it.
    pub fn insert(&mut self, edges: &[Edge<W>]) -> Result<(), Error> {
        check_edges(self.vertex_count(), edges)?;
        let last = if W::IS_WEIGHTED { Some(last_of_each(edges)) } else { None };
        let edges = DeviceBuffer::from_slice(&self.device, last.as_deref().unwrap_or(edges))?;
        self.insert_buffer(&edges)
    }

    /// [`insert`](Self::insert) of edges that are on the device already: checked
    /// by nobody, so every vertex must be in the graph and, with weights, no edge
    /// may be named twice.
    ///
    /// # Errors
    /// As [`insert`](Self::insert).
    pub fn insert_buffer(&mut self, edges: &DeviceBuffer<Edge<W>>) -> Result<(), Error> {
        loop {
            insert_edges::launch(&self.device, edges.len() as u32, &*self, edges)?;
            match self.pool.read(1, 1)?[0] {
                0 => return Ok(()),
                // Inserting an edge twice is inserting it once: grow and repeat.
                _ => self.grow_pool()?,
            }
        }
    }

    /// Doubles the slabs.
    fn grow_pool(&mut self) -> Result<(), Error> {
        self.reserve_slabs(u32::try_from(self.slabs.len()).unwrap_or(u32::MAX).max(64))
    }

    /// Makes room for `more` overflow slabs, so that insertions need not: their
    /// contents are copied, their numbers stay. Synchronises.
    ///
    /// # Errors
    /// No memory, or more slabs than can be numbered; the graph is as it was.
    pub fn reserve_slabs(&mut self, more: u32) -> Result<(), Error> {
        let slabs = self.slabs.len();
        let taken = self.slab_count()?;
        let wanted = slabs as u64 + u64::from(more);
        if wanted > MAX_VERTICES {
            return Err(ErrorKind::TooManySlabs { slabs: wanted }.into());
        }
        // EMPTY_KEY and NULL_SLAB alike are all ones.
        self.slabs = self.slabs.grown(wanted as usize, u8::MAX)?;
        self.pool.write(0, &[taken, 0])
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> u32 {
        self.vertices.len() as u32
    }

    /// How many edges there are. Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn edge_count(&self) -> Result<u64, Error> {
        Ok(self.out_degrees()?.into_iter().map(u64::from).sum())
    }

    /// The out-degree of each vertex. Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn out_degrees(&self) -> Result<Vec<u32>, Error> {
        self.degrees.to_vec()
    }

    /// Whether each of the edges is in the graph; weights do not matter.
    /// Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph; the device fails.
    pub fn contains(&self, edges: &[Edge<W>]) -> Result<Vec<bool>, Error> {
        check_edges(self.vertex_count(), edges)?;
        let mut found = DeviceBuffer::zeroed(&self.device, edges.len())?;
        let edges = DeviceBuffer::from_slice(&self.device, edges)?;
        search_edges::launch(&self.device, edges.len() as u32, self, &edges, &mut found)?;
        Ok(found.to_vec()?.into_iter().map(|found| found == 1).collect())
    }

    /// Deletes edges; one that is not there, or is named twice, does not matter.
    /// Synchronises.
    ///
    /// # Errors
    /// An edge outside the graph, and then nothing was deleted; the device fails.
    pub fn delete(&mut self, edges: &[Edge<W>]) -> Result<(), Error> {
        check_edges(self.vertex_count(), edges)?;
        let edges = DeviceBuffer::from_slice(&self.device, edges)?;
        delete_edges::launch(&self.device, edges.len() as u32, &*self, &edges)?;
        self.device.synchronize()
    }

    /// How many slabs are in use, heads and overflow. Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn slab_count(&self) -> Result<u32, Error> {
        Ok(self.pool.read(0, 1)?[0].min(self.slabs.len() as u32))
    }
}

impl<W: Weight> HostArg<Graph<W>> for &SlabGraph<W> {
    fn pass(self, device: &Device) -> Result<Graph<W>, Error> {
        self.slabs.check_device(device)?;
        Ok(Graph {
            vertices: self.vertices.view(),
            degrees: self.degrees.view(),
            slabs: self.slabs.view(),
            pool: self.pool.view(),
            average_degree: self.average_degree,
            weight: PhantomData,
        })
    }
}

/// Which slabs a graph needs: the heads of all slab lists, then the pool.
struct Plan {
    lists: Vec<SlabLists>,
    heads: u32,
    slabs: u32,
}

impl Plan {
    fn new<W: Weight>(
        vertices: u32,
        edges: &[Edge<W>],
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        let (mut degrees, mut lists) = (Vec::new(), Vec::new());
        reserve(&mut degrees, vertices)?;
        reserve(&mut lists, vertices)?;
        degrees.resize(vertices as usize, 0u32);
        edges.iter().for_each(|edge| degrees[edge.src as usize] += 1);
        let per_bucket = (W::KEYS_PER_SLAB as f32 * options.load_factor).max(1.0);
        let (mut heads, mut overflow) = (0u64, 0u64);
        for degree in degrees {
            let buckets =
                if options.hashing { (degree as f32 / per_bucket).ceil() as u32 } else { 1 };
            let buckets = buckets.max(1);
            lists.push(SlabLists { first: heads as u32, buckets });
            heads += u64::from(buckets);
            // A list grows only when its last slab is full, so no more than
            // this many are ever linked, however the keys hash.
            overflow += u64::from(degree / W::KEYS_PER_SLAB);
        }
        let slabs = heads + overflow;
        if slabs > MAX_VERTICES {
            return Err(ErrorKind::TooManySlabs { slabs }.into());
        }
        Ok(Plan { lists, heads: heads as u32, slabs: slabs as u32 })
    }
}

fn check<W: Weight>(vertices: u32, edges: &[Edge<W>], options: &SlabOptions) -> Result<(), Error> {
    if u64::from(vertices) > MAX_VERTICES {
        return Err(ErrorKind::TooManyVertices { count: vertices.into() }.into());
    }
    if !(options.load_factor > 0.0 && options.load_factor <= 1.0) {
        return Err(ErrorKind::LoadFactor { load_factor: options.load_factor }.into());
    }
    check_edges(vertices, edges)
}

fn check_edges<W: Weight>(vertices: u32, edges: &[Edge<W>]) -> Result<(), Error> {
    let outside = |edge: &Edge<W>| edge.src >= vertices || edge.dst >= vertices;
    match edges.par_iter().position_first(outside) {
        None => Ok(()),
        Some(index) => {
            let Edge { src, dst, .. } = edges[index];
            let last = vertices.checked_sub(1).map_or("none".to_owned(), |last| last.to_string());
            Err(ErrorKind::VertexOutOfRange { index, src, dst, last }.into())
        }
    }
}

/// Room for something of every vertex, or an error rather than an abort.
fn reserve<T>(list: &mut Vec<T>, vertices: u32) -> Result<(), Error> {
    list.try_reserve_exact(vertices as usize).map_err(|_| {
        let bytes = u64::from(vertices) * size_of::<T>() as u64;
        ErrorKind::OutOfMemory { bytes }.into()
    })
}

/// The last record of each edge: what a sequence of insertions leaves.
fn last_of_each<W: Weight>(edges: &[Edge<W>]) -> Vec<Edge<W>> {
    let mut sorted = edges.to_vec();
    sorted.par_sort_by_key(|edge| (edge.src, edge.dst));
    sorted.reverse();
    sorted.dedup_by_key(|edge| (edge.src, edge.dst));
    sorted
}
