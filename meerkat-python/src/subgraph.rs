//! Samples around seeds: neighbours of them, neighbours of those, and so on, each vertex once.
//!
//! A list of all vertices has the number that each has in the sample, so nothing is sorted.
//!
//! ```text
//! seeds -> numbers
//! frontier --sample_neighbors--> sampled --mark--> numbers --count_found, list_found--> edges, next frontier
//!                                                                      edges, numbers --write--> row, col
//! ```

use meerkat_runtime::ErrorKind;
use meerkat_runtime::launch::{BLOCK_THREADS, whole_blocks};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

use crate::array::{Array, Kind};
use crate::columns::Lent;
use crate::error::Failure;

/// The number of a vertex that is not in the sample.
const NO_NUMBER: u32 = u32::MAX;

/// Takes seeds of `step` words, of which the first has none of the bits of `sign`; `refused` gets the place
/// of the first that is no vertex. One that is there twice has the number of its first place.
#[kernel]
fn number_seeds(
    words: &[u32],
    step: u32,
    sign: u32,
    count: u32,
    nodes: &[Atomic<u32>],
    numbers: &[Atomic<u32>],
    refused: &[Atomic<u32>],
) {
    let i = thread_id();
    if i < nodes.len() {
        let vertex = words[i * step];
        let mut over = vertex & sign;
        if step == 2 {
            over |= words[i * step + 1];
        }
        nodes[i].store(vertex);
        if over == 0 && vertex < count {
            numbers[vertex].fetch_min(i);
        } else {
            refused[0].fetch_min(i);
        }
    }
}

/// Marks vertices that have no number with the first place where they were sampled, behind all numbers.
#[kernel]
fn mark(sampled: &[Atomic<u32>], counts: &[u32], fanout: u32, end: u32, numbers: &[Atomic<u32>]) {
    let p = thread_id();
    if p < sampled.len() && p % fanout < counts[p / fanout] {
        numbers[sampled[p].load()].fetch_min(end + p);
    }
}

/// 1 for a place that has an edge, and 2^32 more if its neighbour is new there.
#[device]
fn place_counts(
    p: u32,
    sampled: &[Atomic<u32>],
    counts: &[u32],
    fanout: u32,
    end: u32,
    numbers: &[Atomic<u32>],
) -> u64 {
    let mut own = 0u64;
    if p < sampled.len() && p % fanout < counts[p / fanout] {
        let is_new = numbers[sampled[p].load()].load() == end + p;
        own = 1 | (is_new as u64) << 32;
    }
    own
}

/// Adds up the edges and the new vertices of each block.
#[kernel]
fn count_found(
    sampled: &[Atomic<u32>],
    counts: &[u32],
    fanout: u32,
    end: u32,
    numbers: &[Atomic<u32>],
    sums: &[Atomic<u64>],
) {
    let all = block_reduce_sum(place_counts(thread_id(), sampled, counts, fanout, end, numbers));
    if block_thread_id() == 0 {
        sums[block_id()].store(all);
    }
}

/// Lists the edges that were sampled, the vertex that each was drawn for above 32 bits, and the vertices that
/// are new, which get numbers from `end` on. (A number is never above the mark that it overwrites, and that
/// is the least of its vertex, so no later place finds its own mark in it.)
#[kernel]
fn list_found(
    sampled: &[Atomic<u32>],
    counts: &[u32],
    fanout: u32,
    start: u32,
    end: u32,
    numbers: &[Atomic<u32>],
    firsts: &[u64],
    edges: &[Atomic<u64>],
    nodes: &[Atomic<u32>],
) {
    let p = thread_id();
    let own: u64 = place_counts(p, sampled, counts, fanout, end, numbers);
    let at: u64 = firsts[block_id()] + block_scan_sum(own);
    if own != 0 {
        let vertex: u32 = sampled[p].load();
        edges[at as u32].store(((start + p / fanout) as u64) << 32 | vertex as u64);
        if own >> 32 != 0 {
            let place: u32 = (at >> 32) as u32;
            nodes[place].store(vertex);
            numbers[vertex].store(end + place);
        }
    }
}

/// Writes the ends of edges as numbers, from a place on.
#[kernel]
fn write_edges(
    edges: &[Atomic<u64>],
    numbers: &[Atomic<u32>],
    first: u32,
    row: &[Atomic<u64>],
    col: &[Atomic<u64>],
) {
    let i = thread_id();
    if i < edges.len() {
        let edge: u64 = edges[i].load();
        row[first + i].store(numbers[edge as u32].load() as u64);
        col[first + i].store(edge >> 32);
    }
}

/// Writes vertices from a place on, and takes their numbers away.
#[kernel]
fn write_nodes(nodes: &[Atomic<u32>], numbers: &[Atomic<u32>], first: u32, node: &[Atomic<u64>]) {
    let i = thread_id();
    if i < nodes.len() {
        let vertex: u32 = nodes[i].load();
        node[first + i].store(vertex as u64);
        numbers[vertex].store(u32::MAX);
    }
}

/// Lists of numbers that no sample uses: of all vertices, and some more, none of which has one.
pub(crate) type Spare = std::sync::Mutex<Vec<DeviceBuffer<Atomic<u32>>>>;

/// A sample that was drawn.
pub(crate) struct Subgraph {
    /// Vertices; and of edges the number of the neighbour, and of the vertex it was drawn for. As `i64`.
    pub(crate) node: Array,
    pub(crate) row: Array,
    pub(crate) col: Array,
    /// How many vertices are seeds, and of each hop; and edges of each hop.
    pub(crate) nodes_of_hops: Vec<usize>,
    pub(crate) edges_of_hops: Vec<usize>,
}

/// A sample while it is drawn.
pub(crate) struct SubgraphSampler {
    device: Device,
    numbers: DeviceBuffer<Atomic<u32>>,
    /// The seeds, and the vertices that each hop has found.
    nodes: Vec<DeviceBuffer<Atomic<u32>>>,
    edges: Vec<DeviceBuffer<Atomic<u64>>>,
    /// Where the last of `nodes` begin and end.
    start: u32,
    end: u32,
}

impl SubgraphSampler {
    /// Begins with seeds of a graph of so many vertices. Synchronises.
    pub(crate) fn begin(
        device: &Device,
        seeds: &Lent,
        count: u32,
        spare: &Spare,
    ) -> Result<Self, Failure> {
        let taken = spare.lock().ok().and_then(|mut lists| lists.pop());
        let numbers = match taken.filter(|numbers| numbers.len() >= count as usize) {
            Some(numbers) => numbers,
            // With room for vertices to come: a graph with labels grows in most batches.
            None => {
                let room = count.saturating_add(count / 8) as usize;
                DeviceBuffer::filled(device, room, NO_NUMBER)?
            }
        };
        let nodes = DeviceBuffer::<Atomic<u32>>::zeroed(device, seeds.len())?;
        let refused = DeviceBuffer::<Atomic<u32>>::filled(device, 1, u32::MAX)?;
        let (end, (step, sign)) = (words(seeds.len())?, seeds.step_and_sign());
        number_seeds::launch(
            device,
            end,
            seeds.view(),
            step,
            sign,
            count,
            &nodes,
            &numbers,
            &refused,
        )?;
        match refused.read(0, 1)?[0] {
            u32::MAX => {}
            place => {
                let message = format!(
                    "`seeds` has no vertex of the graph at place {place}: there are {count}, from 0 on"
                );
                return Err(Failure::index(message));
            }
        }
        let (device, nodes, edges) = (device.clone(), vec![nodes], Vec::new());
        Ok(SubgraphSampler { device, numbers, nodes, edges, start: 0, end })
    }

    /// The vertices that the last hop has found, or the seeds.
    pub(crate) fn frontier(&self) -> &DeviceBuffer<Atomic<u32>> {
        &self.nodes[self.nodes.len() - 1]
    }

    /// Adds what was sampled of the frontier, `fanout` places each, of which `counts` says how many are
    /// taken. Synchronises.
    pub(crate) fn add(
        &mut self,
        fanout: u32,
        sampled: &DeviceBuffer<Atomic<u32>>,
        counts: &DeviceBuffer<u32>,
    ) -> Result<(), Error> {
        let (device, numbers) = (&self.device, &self.numbers);
        let places = words(sampled.len())?;
        words(self.end as usize + sampled.len())?;
        mark::launch(device, places, sampled, counts, fanout, self.end, numbers)?;
        // As `block_size` has it.
        let block = if device.is_cuda() { BLOCK_THREADS } else { 32 };
        let blocks = whole_blocks(places).div_ceil(block) as usize;
        let sums = DeviceBuffer::<Atomic<u64>>::zeroed(device, blocks)?;
        count_found::launch(device, places, sampled, counts, fanout, self.end, numbers, &sums)?;
        let (mut firsts, mut all) = (sums.to_vec()?, 0u64);
        for first in &mut firsts {
            (*first, all) = (all, all + *first);
        }
        let firsts = DeviceBuffer::from_slice(device, &firsts)?;
        let (edges, nodes) = (all as u32, (all >> 32) as u32);
        let found = DeviceBuffer::<Atomic<u64>>::zeroed(device, edges as usize)?;
        let next = DeviceBuffer::<Atomic<u32>>::zeroed(device, nodes as usize)?;
        list_found::launch(
            device, places, sampled, counts, fanout, self.start, self.end, numbers, &firsts,
            &found, &next,
        )?;
        (self.start, self.end) = (self.end, self.end + nodes);
        self.nodes.push(next);
        self.edges.push(found);
        Ok(())
    }

    /// The sample. Synchronises.
    pub(crate) fn finish(self, spare: &Spare) -> Result<Subgraph, Error> {
        let (device, numbers) = (&self.device, &self.numbers);
        let nodes_of_hops: Vec<_> = self.nodes.iter().map(DeviceBuffer::len).collect();
        let edges_of_hops: Vec<_> = self.edges.iter().map(DeviceBuffer::len).collect();
        let all_edges = words(edges_of_hops.iter().sum())? as usize;
        let [row, col] = [0; 2].map(|_| DeviceBuffer::<Atomic<u64>>::zeroed(device, all_edges));
        let (row, col) = (row?, col?);
        let mut first = 0;
        for edges in &self.edges {
            let count = edges.len() as u32;
            write_edges::launch(device, count, edges, numbers, first, &row, &col)?;
            first += count;
        }
        let node = DeviceBuffer::<Atomic<u64>>::zeroed(device, self.end as usize)?;
        let mut first = 0;
        for nodes in &self.nodes {
            let count = nodes.len() as u32;
            write_nodes::launch(device, count, nodes, numbers, first, &node)?;
            first += count;
        }
        device.synchronize()?;
        if let Ok(mut lists) = spare.lock() {
            lists.push(self.numbers);
        }
        let [node, row, col] = [node, row, col].map(|words| Array::of_atomics(words, Kind::I64));
        Ok(Subgraph { node, row, col, nodes_of_hops, edges_of_hops })
    }
}

/// A length that kernels number.
fn words(length: usize) -> Result<u32, Error> {
    match u32::try_from(length) {
        Ok(length) if length != u32::MAX => Ok(length),
        _ => Err(ErrorKind::BufferTooLong { length }.into()),
    }
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![
        number_seeds::info(),
        mark::info(),
        count_found::info(),
        list_found::info(),
        write_edges::info(),
        write_nodes::info(),
    ]
}
