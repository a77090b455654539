//! One orientation of a slab graph: the slab lists that operators walk.

use super::delete::delete_edges;
use super::insert::insert_edges;
use super::layout::{Edge, Graph, SlabLists};
use super::options::{End, SlabOptions};
use super::search::{find_edges, search_edges};
use crate::device::{Device, DeviceBuffer};
use crate::launch::HostArg;
use crate::view::{Atomic, Slab, SlabWords};
use crate::{Error, ErrorKind, Weight};
use std::marker::PhantomData;

/// The neighbours of every vertex in one direction: what `&Graph<W>` of an
/// operator takes. See [`SlabGraph::in_edges`](super::SlabGraph::in_edges).
#[derive(Debug)]
pub struct Adjacency<W: Weight = ()> {
    device: Device,
    lists: DeviceBuffer<SlabLists>,
    degrees: DeviceBuffer<Atomic<u32>>,
    slabs: DeviceBuffer<Slab>,
    pool: DeviceBuffer<Atomic<u32>>,
    average_degree: u32,
    weight: PhantomData<W>,
}

impl<W: Weight> Adjacency<W> {
    /// The lists of the given ends of edges; with weights no edge is repeated.
    pub(super) fn build(
        device: &Device,
        vertices: u32,
        edges: &[Edge<W>],
        on_device: &DeviceBuffer<Edge<W>>,
        ends: &[End],
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        let plan = Plan::new::<W>(vertices, edges, ends, options)?;
        let mut slabs = DeviceBuffer::zeroed(device, plan.slabs as usize)?;
        // EMPTY_KEY and NULL_SLAB alike are all ones.
        slabs.fill(SlabWords([u32::MAX; 32]))?;
        let arcs = edges.len() * ends.len();
        let mut adjacency = Adjacency {
            device: device.clone(),
            lists: DeviceBuffer::from_slice(device, &plan.lists)?,
            degrees: DeviceBuffer::zeroed(device, vertices as usize)?,
            slabs,
            pool: DeviceBuffer::from_slice(device, &[plan.heads, 0])?,
            average_degree: arcs.div_ceil(vertices.max(1) as usize) as u32,
            weight: PhantomData,
        };
        adjacency.insert(on_device, ends)?;
        Ok(adjacency)
    }

    /// Inserts edges into the lists of these ends of theirs, and grows the pool
    /// as they need.
    pub(super) fn insert(
        &mut self,
        edges: &DeviceBuffer<Edge<W>>,
        ends: &[End],
    ) -> Result<(), Error> {
        for &end in ends {
            self.queue_insertions(edges, end)?;
        }
        while self.is_exhausted()? {
            self.grow_pool()?;
            // Inserting an edge twice is inserting it once.
            for &end in ends {
                self.queue_insertions(edges, end)?;
            }
        }
        Ok(())
    }

    pub(super) fn queue_insertions(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: End,
    ) -> Result<(), Error> {
        let (threads, per_tile) = spread(&self.device, edges.len());
        insert_edges::launch(&self.device, threads, self, edges, per_tile, end.is_reversed())
    }

    pub(super) fn queue_deletions(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: End,
    ) -> Result<(), Error> {
        let (threads, per_tile) = spread(&self.device, edges.len());
        delete_edges::launch(&self.device, threads, self, edges, per_tile, end.is_reversed())
    }

    pub(super) fn queue_searches(
        &self,
        edges: &DeviceBuffer<Edge<W>>,
        end: End,
        found: &DeviceBuffer<Atomic<u32>>,
    ) -> Result<(), Error> {
        let (threads, per_tile) = spread(&self.device, edges.len());
        search_edges::launch(&self.device, threads, self, edges, per_tile, end.is_reversed(), found)
    }

    /// For each edge the bits of its weight, or
    /// [`NOT_FOUND`](super::search::NOT_FOUND).
    pub(super) fn find(&self, edges: &DeviceBuffer<Edge<W>>, end: End) -> Result<Vec<u64>, Error> {
        let found = DeviceBuffer::zeroed(&self.device, edges.len())?;
        let (threads, per_tile) = spread(&self.device, edges.len());
        let reversed = end.is_reversed();
        find_edges::launch(&self.device, threads, self, edges, per_tile, reversed, &found)?;
        found.to_vec()
    }

    /// Whether an insertion since the last growth found no slab.
    pub(super) fn is_exhausted(&self) -> Result<bool, Error> {
        Ok(self.pool.read(1, 1)?[0] != 0)
    }

    /// Doubles the slabs.
    fn grow_pool(&mut self) -> Result<(), Error> {
        self.reserve_slabs(u32::try_from(self.slabs.len()).unwrap_or(u32::MAX).max(64))
    }

    /// Makes room for `more` overflow slabs: the contents of the others are
    /// copied, their numbers stay.
    pub(super) fn reserve_slabs(&mut self, more: u32) -> Result<(), Error> {
        let slabs = self.slabs.len();
        let taken = self.slab_count()?;
        let wanted = slabs as u64 + u64::from(more);
        check_slab_count(wanted)?;
        // EMPTY_KEY and NULL_SLAB alike are all ones.
        self.slabs = self.slabs.grown(wanted as usize, u8::MAX)?;
        self.pool.write(0, &[taken, 0])
    }

    /// How many slabs are in use, heads and overflow. Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn slab_count(&self) -> Result<u32, Error> {
        Ok(self.pool.read(0, 1)?[0].min(self.slabs.len() as u32))
    }

    /// How many neighbours each vertex has, as kernels read it.
    pub fn degrees(&self) -> &DeviceBuffer<Atomic<u32>> {
        &self.degrees
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        &self.device
    }
}

impl<W: Weight> HostArg<Graph<W>> for &Adjacency<W> {
    fn pass(self, device: &Device) -> Result<Graph<W>, Error> {
        self.slabs.check_device(device)?;
        Ok(Graph {
            vertices: self.lists.view(),
            degrees: self.degrees.view(),
            slabs: self.slabs.view(),
            pool: self.pool.view(),
            average_degree: self.average_degree,
            weight: PhantomData,
        })
    }
}

/// How many threads a kernel over edges takes, and how many edges each tile of 8
/// lanes: one while there are tiles to spare, and 8 at most.
fn spread(device: &Device, edges: usize) -> (u32, u32) {
    let tiles = device.threads_at_once() / 8;
    let per_tile = edges.div_ceil(tiles.max(1)).clamp(1, 8);
    let threads = edges.div_ceil(per_tile) * 8;
    (u32::try_from(threads).unwrap_or(u32::MAX), per_tile as u32)
}

fn check_slab_count(slabs: u64) -> Result<(), Error> {
    // The numbers above are marks.
    if slabs > super::MAX_VERTICES { Err(ErrorKind::TooManySlabs { slabs }.into()) } else { Ok(()) }
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
        ends: &[End],
        options: &SlabOptions,
    ) -> Result<Self, Error> {
        let (mut degrees, mut lists) = (Vec::new(), Vec::new());
        reserve(&mut degrees, vertices)?;
        reserve(&mut lists, vertices)?;
        degrees.resize(vertices as usize, 0u32);
        for end in ends {
            let vertex = |edge: &Edge<W>| if end.is_reversed() { edge.dst } else { edge.src };
            edges.iter().for_each(|edge| degrees[vertex(edge) as usize] += 1);
        }
        let (mut heads, mut overflow) = (0u64, 0u64);
        for degree in degrees {
            let buckets = options.buckets::<W>(degree);
            lists.push(SlabLists { first: heads as u32, buckets });
            heads += u64::from(buckets);
            // A list grows only when its last slab is full, so no more than
            // this many are ever linked, however the keys hash.
            overflow += u64::from(degree / W::KEYS_PER_SLAB);
        }
        let slabs = heads + overflow;
        check_slab_count(slabs)?;
        Ok(Plan { lists, heads: heads as u32, slabs: slabs as u32 })
    }
}

/// Room for something of every vertex, or an error rather than an abort.
fn reserve<T>(list: &mut Vec<T>, vertices: u32) -> Result<(), Error> {
    list.try_reserve_exact(vertices as usize).map_err(|_| {
        let bytes = u64::from(vertices) * size_of::<T>() as u64;
        ErrorKind::OutOfMemory { bytes }.into()
    })
}
