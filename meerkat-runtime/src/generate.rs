//! Synthetic graphs, made on the device: uniform, RMAT and grids.
//!
//! A graph is named as in `uniform:10000000:80000000`, `rmat:22` or
//! `grid:4096x4096`. Edge number `i` of seed `s` is the same on every device, and any range
//! of the numbers can be asked for: a graph whose list of edges is too long is built in parts.

use crate::Direction;
use crate::device::{Device, DeviceBuffer};
use crate::frontier::{Frontier, block_enqueue_frontier, warp_enqueue_frontier};
use crate::graph::Edge;
use crate::program::KernelInfo;
use crate::random::mixed;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, ErrorKind, Weight};
use meerkat_macros::{device, kernel};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A family of random graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Generator {
    /// Both ends of every edge are any vertex, self-loops and repeats included.
    Uniform {
        /// Vertices.
        vertices: u32,
        /// Edges, repeats counted.
        edges: u64,
    },
    /// A power law: recursive quadrants of .57, .19, .19 and .05, as Graph500 has
    /// them, with the ids scrambled so that hubs are not neighbours.
    Rmat {
        /// `2^scale` vertices; 1 to 31.
        scale: u32,
        /// Edges, repeats counted.
        edges: u64,
    },
    /// A mesh of `width * height` vertices, undirected, each edge once.
    Grid {
        /// Vertices of a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Thousandths of the edges between neighbours that are left out.
        dropped: u32,
        /// Thousandths of the cells that have a diagonal.
        diagonals: u32,
    },
}

/// The bits of a weight: 1 to 64 for an integer.
#[device]
fn weight_bits(x: u64) -> u32 {
    (mixed(x) % 64) as u32 + 1
}

/// Edges between any two vertices, numbered from `from` on.
#[kernel]
fn uniform_edges<W: Weight>(vertices: u32, seed: u64, from: u64, edges: &mut [Edge<W>]) {
    let i = thread_id();
    if i < edges.len() {
        let number: u64 = from + i as u64;
        let first = mixed(seed ^ mixed(number));
        let second = mixed(first);
        let src = (((first >> 32) * vertices as u64) >> 32) as u32;
        let dst = (((second >> 32) * vertices as u64) >> 32) as u32;
        edges[i] = Edge::<W> { src, dst, weight: W::from_bits(weight_bits(second)) };
    }
}

/// A permutation of `2^scale` vertices.
#[device]
fn scrambled(vertex: u32, scale: u32) -> u32 {
    let mask: u64 = (1u64 << scale) - 1;
    let mut bits: u64 = (vertex as u64 * 0x9E37_79B1) & mask;
    bits ^= bits >> (scale / 2).max(1);
    ((bits * 0x85EB_CA6B) & mask) as u32
}

/// Edges, numbered from `from` on, whose quadrants are drawn from the largest to the smallest.
#[kernel]
fn rmat_edges<W: Weight>(scale: u32, seed: u64, from: u64, edges: &mut [Edge<W>]) {
    let i = thread_id();
    if i < edges.len() {
        let number: u64 = from + i as u64;
        let mut state = mixed(seed ^ mixed(number));
        let mut src = 0u32;
        let mut dst = 0u32;
        for _ in 0..scale {
            state = mixed(state);
            // Of 2^24: .57, .76 and .95.
            let draw = (state >> 40) as u32;
            let down = draw >= 12750684;
            let right = (draw >= 9563013 && draw < 12750684) || draw >= 15938355;
            src = (src << 1) | down as u32;
            dst = (dst << 1) | right as u32;
        }
        let weight = W::from_bits(weight_bits(state));
        edges[i] = Edge::<W> { src: scrambled(src, scale), dst: scrambled(dst, scale), weight };
    }
}

/// The edges of a mesh, numbered from `from` on: for each cell the one to the right, the one
/// down and the diagonal. As many as `edges` has room for.
#[kernel]
fn grid_edges<W: Weight>(
    width: u32,
    height: u32,
    dropped: u32,
    diagonals: u32,
    seed: u64,
    from: u64,
    edges: &Frontier<Edge<W>>,
) {
    let i = thread_id();
    // Three a cell: more than `u32` counts.
    let number: u64 = from + i as u64;
    let cell = (number / 3) as u32;
    let kind = (number % 3) as u32;
    let x = cell % width;
    let y = cell / width;
    let bits = mixed(seed ^ mixed(number));
    let draw = (bits % 1000) as u32;
    let is_asked_for = i < edges.items.len();
    let is_inside =
        is_asked_for && y < height && (kind == 1 || x + 1 < width) && (kind == 0 || y + 1 < height);
    let is_drawn = if kind == 2 { draw < diagonals } else { draw >= dropped };
    let step = select(kind == 0, 1u32, select(kind == 1, width, width + 1));
    let weight = W::from_bits(weight_bits(bits));
    let edge = Edge::<W> { src: cell, dst: cell + step, weight };
    warp_enqueue_frontier(edges, edge, is_inside && is_drawn);
}

/// Edges with the source of one and the destination of another of some edges: new
/// ones with the same hubs.
#[kernel]
fn recombined_edges<W: Weight>(samples: &[Edge<W>], seed: u64, edges: &mut [Edge<W>]) {
    let i = thread_id();
    if i < edges.len() {
        let first = mixed(seed ^ mixed(i as u64));
        let second = mixed(first);
        let count = samples.len() as u64;
        let from = samples[(((first >> 32) * count) >> 32) as u32];
        let to = samples[(((second >> 32) * count) >> 32) as u32];
        edges[i] = Edge::<W> { src: from.src, dst: to.dst, weight: to.weight };
    }
}

/// The length of an arc, from 1 to 64; the same both ways.
#[device]
pub fn length(src: u32, dst: u32) -> u32 {
    let ends: u64 = (src.min(dst) as u64) << 32 | src.max(dst) as u64;
    // The host calls this, too, so what wraps says so.
    let mut bits: u64 = (ends ^ (ends >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((bits ^ (bits >> 31)) & 63) as u32 + 1
}

/// Lists the edges that are no self-loops, with their [`length`] as weight.
#[kernel]
fn measure_edges<W: Weight>(edges: &[Edge], measured: &Frontier<Edge<W>>) {
    let i = thread_id();
    let mut edge = Edge::<()> { src: 0, dst: 0, weight: () };
    if i < edges.len() {
        edge = edges[i];
    }
    let weight = W::from_bits(length(edge.src, edge.dst));
    let long = Edge::<W> { src: edge.src, dst: edge.dst, weight };
    block_enqueue_frontier(measured, long, edge.src != edge.dst);
}

impl Generator {
    /// How many vertices its graphs have.
    pub fn vertices(&self) -> u32 {
        match *self {
            Generator::Uniform { vertices, .. } => vertices,
            Generator::Rmat { scale, .. } => 1u32.checked_shl(scale).unwrap_or(u32::MAX),
            Generator::Grid { width, height, .. } => width.saturating_mul(height),
        }
    }

    /// How many numbers its edges have: one each, of a grid three a cell, not all of which
    /// are edges.
    pub fn edge_numbers(&self) -> u64 {
        match *self {
            Generator::Uniform { edges, .. } | Generator::Rmat { edges, .. } => edges,
            Generator::Grid { .. } => 3 * u64::from(self.vertices()),
        }
    }

    /// Whether an edge is one arc or two.
    pub fn direction(&self) -> Direction {
        match self {
            Generator::Grid { .. } => Direction::Undirected,
            Generator::Uniform { .. } | Generator::Rmat { .. } => Direction::Directed,
        }
    }

    /// The edges of the graph of a seed. Queued on CUDA; a grid synchronises, and
    /// has its edges in no order.
    ///
    /// # Errors
    /// More than 2^32 - 1 numbers, for which there is [`edges_numbered`](Self::edges_numbered);
    /// no memory; the device fails.
    pub fn edges<W: Weight>(
        &self,
        device: &Device,
        seed: u64,
    ) -> Result<DeviceBuffer<Edge<W>>, Error> {
        self.edges_numbered(device, seed, 0..self.edge_numbers())
    }

    /// Those of the [`edges`](Self::edges) with these numbers, which may be a part of
    /// [`edge_numbers`](Self::edge_numbers).
    ///
    /// # Errors
    /// As [`edges`](Self::edges), of the numbers asked for.
    pub fn edges_numbered<W: Weight>(
        &self,
        device: &Device,
        seed: u64,
        numbers: Range<u64>,
    ) -> Result<DeviceBuffer<Edge<W>>, Error> {
        let from = numbers.start;
        let length = numbers.end.min(self.edge_numbers()).saturating_sub(from);
        match *self {
            Generator::Uniform { vertices, .. } => {
                uniform_numbered(device, vertices, seed, from, length)
            }
            Generator::Rmat { scale, .. } => rmat_numbered(device, scale, seed, from, length),
            Generator::Grid { width, height, dropped, diagonals } => {
                let (items, threads) = room(device, length)?;
                let length = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
                let list = Frontier { items: items.view(), length: length.view() };
                grid_edges::launch(
                    device, threads, width, height, dropped, diagonals, seed, from, list,
                )?;
                items.first(length.read(0, 1)?[0] as usize)
            }
        }
    }

    /// So many edges of the family, whatever the graph has; of a grid, between any
    /// two of its vertices. Queued on CUDA.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn sample<W: Weight>(
        &self,
        device: &Device,
        seed: u64,
        count: u32,
    ) -> Result<DeviceBuffer<Edge<W>>, Error> {
        match *self {
            Generator::Rmat { scale, .. } => rmat_numbered(device, scale, seed, 0, count.into()),
            Generator::Uniform { .. } | Generator::Grid { .. } => {
                uniform_numbered(device, self.vertices(), seed, 0, count.into())
            }
        }
    }
}

/// Memory for so many edges, and a thread for each.
fn room<W: Weight>(device: &Device, length: u64) -> Result<(DeviceBuffer<Edge<W>>, u32), Error> {
    let edges = DeviceBuffer::zeroed(device, usize::try_from(length).unwrap_or(usize::MAX))?;
    let threads = edges.len() as u32;
    Ok((edges, threads))
}

fn uniform_numbered<W: Weight>(
    device: &Device,
    vertices: u32,
    seed: u64,
    from: u64,
    length: u64,
) -> Result<DeviceBuffer<Edge<W>>, Error> {
    let (mut edges, threads) = room(device, length)?;
    uniform_edges::launch(device, threads, vertices, seed, from, &mut edges)?;
    Ok(edges)
}

fn rmat_numbered<W: Weight>(
    device: &Device,
    scale: u32,
    seed: u64,
    from: u64,
    length: u64,
) -> Result<DeviceBuffer<Edge<W>>, Error> {
    let (mut edges, threads) = room(device, length)?;
    rmat_edges::launch(device, threads, scale, seed, from, &mut edges)?;
    Ok(edges)
}

/// The edges that are no self-loops, in no order, with their [`length`] as weight: 1 to 64,
/// and equal where an edge is repeated. Synchronises.
///
/// # Errors
/// No memory; the device fails.
pub fn measured<W: Weight>(edges: &DeviceBuffer<Edge>) -> Result<DeviceBuffer<Edge<W>>, Error> {
    let device = edges.device();
    let (mut items, threads) = room(device, edges.len() as u64)?;
    let length = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
    let list = Frontier { items: items.view(), length: length.view() };
    measure_edges::launch(device, threads, edges, list)?;
    items.truncate(length.read(0, 1)?[0] as usize);
    Ok(items)
}

/// So many edges, each with the source of one and the destination of another of
/// some edges: new ones with the same hubs. Queued on CUDA.
///
/// # Errors
/// No memory; the device fails.
pub fn recombined<W: Weight>(
    samples: &DeviceBuffer<Edge<W>>,
    seed: u64,
    count: u32,
) -> Result<DeviceBuffer<Edge<W>>, Error> {
    let device = samples.device();
    let wanted = if samples.is_empty() { 0 } else { count };
    let mut edges = DeviceBuffer::zeroed(device, wanted as usize)?;
    recombined_edges::launch(device, wanted, samples, seed, &mut edges)?;
    Ok(edges)
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Generator::Uniform { vertices, edges } => write!(f, "uniform:{vertices}:{edges}"),
            Generator::Rmat { scale, edges } => write!(f, "rmat:{scale}:{edges}"),
            Generator::Grid { width, height, dropped, diagonals } => {
                write!(f, "grid:{width}x{height}:{dropped}:{diagonals}")
            }
        }
    }
}

impl FromStr for Generator {
    type Err = Error;

    /// `uniform:VERTICES:EDGES`; `rmat:SCALE[:EDGES]`, 16 edges a vertex unless
    /// given; `grid:WIDTHxHEIGHT[:DROPPED:DIAGONALS]`, in thousandths, 0 unless given.
    fn from_str(text: &str) -> Result<Self, Error> {
        parse(text).ok_or_else(|| ErrorKind::NoGenerator { text: text.to_owned() }.into())
    }
}

fn parse(text: &str) -> Option<Generator> {
    let parts: Vec<&str> = text.split(':').collect();
    let number = |text: &str| text.parse::<u32>().ok();
    let count = |text: &str| text.parse::<u64>().ok().filter(|count| *count <= MOST_EDGES);
    let scale = |text: &str| number(text).filter(|scale| (1..=31).contains(scale));
    match parts[..] {
        ["uniform", vertices, edges] => {
            let vertices = number(vertices).filter(|vertices| *vertices > 0)?;
            Some(Generator::Uniform { vertices, edges: count(edges)? })
        }
        ["rmat", text] => {
            let scale = scale(text)?;
            Some(Generator::Rmat { scale, edges: 16 << scale })
        }
        ["rmat", text, edges] => {
            Some(Generator::Rmat { scale: scale(text)?, edges: count(edges)? })
        }
        ["grid", size] => grid(size, 0, 0),
        ["grid", size, dropped, diagonals] => grid(size, number(dropped)?, number(diagonals)?),
        _ => None,
    }
}

/// As many as the largest `rmat` has.
const MOST_EDGES: u64 = 16 << 31;

fn grid(size: &str, dropped: u32, diagonals: u32) -> Option<Generator> {
    let (width, height) = size.split_once('x')?;
    let (width, height): (u32, u32) = (width.parse().ok()?, height.parse().ok()?);
    let cells = width.checked_mul(height)?;
    let fits = cells > 0 && dropped <= 1000 && diagonals <= 1000;
    fits.then_some(Generator::Grid { width, height, dropped, diagonals })
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![
        uniform_edges::info::<()>(),
        rmat_edges::info::<()>(),
        rmat_edges::info::<u32>(),
        grid_edges::info::<()>(),
        measure_edges::info::<()>(),
        measure_edges::info::<u32>(),
        recombined_edges::info::<()>(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generator(text: &str) -> Generator {
        text.parse().expect(text)
    }

    #[test]
    fn the_edges_of_ranges_of_numbers_are_all_edges() {
        let device = Device::cpu();
        for text in ["rmat:6:1000", "uniform:77:1000", "grid:31x17:30:10"] {
            let generator = generator(text);
            let key = |edge: &Edge<u32>| (edge.src, edge.dst, edge.weight);
            let whole = generator.edges::<u32>(&device, 5).and_then(|list| list.to_vec());
            let mut whole = whole.expect("edges");
            let mut parts = Vec::new();
            for from in (0..generator.edge_numbers()).step_by(300) {
                let part = generator.edges_numbered(&device, 5, from..from + 300);
                parts.extend(part.and_then(|list| list.to_vec()).expect("edges"));
            }
            whole.sort_unstable_by_key(key);
            parts.sort_unstable_by_key(key);
            assert_eq!(whole, parts, "{text}");
        }
    }

    #[test]
    fn numbers_beyond_2_to_the_32_give_edges_of_the_graph() {
        let device = Device::cpu();
        let far = (1u64 << 32) + 17;
        for text in ["rmat:31", "uniform:1000:34359738368", "grid:65535x65535"] {
            let generator = generator(text);
            let of = |from| {
                let part = generator.edges_numbered::<()>(&device, 1, from..from + 300);
                part.and_then(|list| list.to_vec()).expect("edges")
            };
            let (near, distant) = (of(17), of(far));
            assert!(distant.len() > 150, "{text}");
            let n = generator.vertices();
            assert!(distant.iter().all(|edge| edge.src < n && edge.dst < n), "{text}");
            assert_ne!(near, distant, "{text}");
        }
        // The cell of a number that needs 33 bits, and its neighbour to the right.
        let grid = generator("grid:65535x65535");
        let number = 3 * 1_500_000_000u64;
        let edges = grid.edges_numbered::<()>(&device, 1, number..number + 1).expect("edges");
        let edge = Edge { src: 1_500_000_000, dst: 1_500_000_001, weight: () };
        assert_eq!(edges.to_vec().expect("edges"), [edge]);
    }

    #[test]
    fn names_go_to_rmat_31_and_2_to_the_35_edges() {
        assert_eq!(generator("rmat:27").edge_numbers(), 1 << 31);
        assert_eq!(generator("rmat:31").edge_numbers(), 1 << 35);
        assert_eq!(generator("uniform:10:4294967294").edge_numbers(), (1 << 32) - 2);
        assert_eq!(generator("grid:65535x65537").edge_numbers(), 3 * 4_294_967_295);
        for text in ["rmat:32", "rmat:0", "rmat:5:34359738369", "grid:65536x65536", "uniform:0:1"] {
            assert!(text.parse::<Generator>().is_err(), "{text}");
        }
    }

    #[test]
    fn measured_edges_have_lengths_and_no_loops() {
        let device = Device::cpu();
        let edges = generator("uniform:9:2000").edges::<()>(&device, 0).expect("edges");
        let found = measured::<u32>(&edges).and_then(|list| list.to_vec()).expect("edges");
        let loops =
            edges.to_vec().expect("edges").iter().filter(|edge| edge.src == edge.dst).count();
        assert!(loops > 100);
        assert_eq!(found.len(), 2000 - loops);
        for Edge { src, dst, weight } in found {
            assert_ne!(src, dst);
            assert_eq!(weight, length(dst, src));
            assert!((1..=64).contains(&weight));
        }
    }
}
