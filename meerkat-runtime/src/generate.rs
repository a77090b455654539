//! Synthetic graphs, made on the device: uniform, RMAT and grids.
//!
//! A graph is named as in `uniform:10000000:80000000`, `rmat:22` or
//! `grid:4096x4096`. Edge number `i` of seed `s` is the same on every device.

use crate::Direction;
use crate::device::{Device, DeviceBuffer};
use crate::frontier::{Frontier, warp_enqueue_frontier};
use crate::graph::Edge;
use crate::program::KernelInfo;
use crate::random::mixed;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, ErrorKind, Weight};
use meerkat_macros::{device, kernel};
use std::fmt;
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
        edges: u32,
    },
    /// A power law: recursive quadrants of .57, .19, .19 and .05, as Graph500 has
    /// them, with the ids scrambled so that hubs are not neighbours.
    Rmat {
        /// `2^scale` vertices; 1 to 31.
        scale: u32,
        /// Edges, repeats counted.
        edges: u32,
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

/// Edges between any two vertices.
#[kernel]
fn uniform_edges<W: Weight>(vertices: u32, seed: u64, edges: &mut [Edge<W>]) {
    let i = thread_id();
    if i < edges.len() {
        let first = mixed(seed ^ mixed(i as u64));
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

/// Edges whose quadrants are drawn from the largest to the smallest.
#[kernel]
fn rmat_edges<W: Weight>(scale: u32, seed: u64, edges: &mut [Edge<W>]) {
    let i = thread_id();
    if i < edges.len() {
        let mut state = mixed(seed ^ mixed(i as u64));
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

/// The edges of a mesh: for each cell the one to the right, the one down and the
/// diagonal.
#[kernel]
fn grid_edges<W: Weight>(
    width: u32,
    height: u32,
    dropped: u32,
    diagonals: u32,
    seed: u64,
    edges: &Frontier<Edge<W>>,
) {
    let i = thread_id();
    let cell = i / 3;
    let kind = i % 3;
    let x = cell % width;
    let y = cell / width;
    let bits = mixed(seed ^ mixed(i as u64));
    let draw = (bits % 1000) as u32;
    let is_inside = y < height && (kind == 1 || x + 1 < width) && (kind == 0 || y + 1 < height);
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

impl Generator {
    /// How many vertices its graphs have.
    pub fn vertices(&self) -> u32 {
        match *self {
            Generator::Uniform { vertices, .. } => vertices,
            Generator::Rmat { scale, .. } => 1 << scale,
            Generator::Grid { width, height, .. } => width * height,
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
    /// No memory; the device fails.
    pub fn edges<W: Weight>(
        &self,
        device: &Device,
        seed: u64,
    ) -> Result<DeviceBuffer<Edge<W>>, Error> {
        match *self {
            Generator::Uniform { edges, .. } | Generator::Rmat { edges, .. } => {
                self.sample(device, seed, edges)
            }
            Generator::Grid { width, height, dropped, diagonals } => {
                let all = width * height * 3;
                let items = DeviceBuffer::zeroed(device, all as usize)?;
                let length = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
                let list = Frontier { items: items.view(), length: length.view() };
                grid_edges::launch(device, all, width, height, dropped, diagonals, seed, list)?;
                let count = length.read(0, 1)?[0];
                items.first(count as usize)
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
        let mut edges = DeviceBuffer::zeroed(device, count as usize)?;
        match *self {
            Generator::Rmat { scale, .. } => {
                rmat_edges::launch(device, count, scale, seed, &mut edges)?;
            }
            Generator::Uniform { .. } | Generator::Grid { .. } => {
                uniform_edges::launch(device, count, self.vertices(), seed, &mut edges)?;
            }
        }
        Ok(edges)
    }
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
    let graph = match parts[..] {
        ["uniform", vertices, edges] => {
            Generator::Uniform { vertices: number(vertices)?, edges: number(edges)? }
        }
        ["rmat", scale] => {
            let scale = number(scale).filter(|scale| *scale <= 27)?;
            Generator::Rmat { scale, edges: 16 << scale }
        }
        ["rmat", scale, edges] => Generator::Rmat { scale: number(scale)?, edges: number(edges)? },
        ["grid", size] => grid(size, 0, 0)?,
        ["grid", size, dropped, diagonals] => grid(size, number(dropped)?, number(diagonals)?)?,
        _ => return None,
    };
    let is_sound = match graph {
        Generator::Uniform { vertices, edges } => vertices > 0 && u64::from(edges) < 1 << 31,
        Generator::Rmat { scale, edges } => (1..=31).contains(&scale) && u64::from(edges) < 1 << 31,
        Generator::Grid { .. } => true,
    };
    is_sound.then_some(graph)
}

fn grid(size: &str, dropped: u32, diagonals: u32) -> Option<Generator> {
    let (width, height) = size.split_once('x')?;
    let (width, height): (u32, u32) = (width.parse().ok()?, height.parse().ok()?);
    // Three edges a cell are numbered.
    let cells = u64::from(width) * u64::from(height);
    let fits = cells > 0 && cells * 3 < 1 << 31 && dropped <= 1000 && diagonals <= 1000;
    fits.then_some(Generator::Grid { width, height, dropped, diagonals })
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![
        uniform_edges::info::<()>(),
        rmat_edges::info::<()>(),
        rmat_edges::info::<u32>(),
        grid_edges::info::<()>(),
        recombined_edges::info::<()>(),
    ]
}
