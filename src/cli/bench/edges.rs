//! The graph of a benchmark: edges of a file or of a generator, on the device.

use meerkat::runtime::generate::{Generator, recombined};
use meerkat::runtime::graph::Compaction;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::{BlockOptions, Device, DeviceBuffer, Edge, Error, SlabOptions, Weight};

use rayon::prelude::*;

use crate::cli::container::{Graph, Lists};
use crate::cli::failure::Failure;
use crate::cli::input::{
    DirectionArgs, GraphArgs, GraphSource, Input, InputReport, Keep, ReadArgs,
};
use crate::cli::progress::Progress;

/// The error for options of files with a generator.
pub(super) fn refused(generator: &Generator) -> Failure {
    Failure::GeneratorHasNoFile { generator: generator.to_string() }
}

/// How the lists of a container are laid out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Of slabs.
    pub(super) load_factor: f32,
    /// Of block arrays.
    pub(super) block: BlockOptions,
}

impl Layout {
    pub(super) const DEFAULT: Self =
        Self { load_factor: SlabOptions::DEFAULT.load_factor, block: BlockOptions::DEFAULT };
}

/// A graph's edges, and how more of their kind are made.
pub(super) struct EdgeSample<W: Weight> {
    pub(super) name: String,
    pub(super) vertices: u32,
    /// A file's arcs both ways are arcs of their own: only a generator makes edges.
    pub(super) direction: Direction,
    /// In lists of at most [`EDGES_OF_A_LIST`].
    pub(super) lists: Vec<DeviceBuffer<Edge<W>>>,
    /// What was read, of a file.
    pub(super) input: Option<InputReport>,
    generator: Option<Generator>,
}

impl<W: Weight> EdgeSample<W> {
    /// Reads a file, whose edges weigh what `weight` gives for their numbers, or
    /// generates.
    pub(super) fn open(
        source: &GraphSource,
        read: &ReadArgs,
        device: &Device,
        progress: &Progress,
        weight: fn(u32) -> W,
    ) -> Result<Self, Failure> {
        match source {
            GraphSource::Generated(generator) if read.is_given() => Err(refused(generator)),
            GraphSource::Generated(generator) => Ok(EdgeSample {
                name: generator.to_string(),
                vertices: generator.vertices(),
                direction: generator.direction(),
                lists: lists_of(generator, device)?,
                input: None,
                generator: Some(*generator),
            }),
            GraphSource::File(file) => {
                let (file, read) = (file.clone(), read.clone());
                let graph = GraphArgs { file, direction: DirectionArgs::default(), read };
                let options = graph.read.without_times();
                let input = Input::read(&graph, &options, None, Keep::Graph, device, progress)?;
                let edges = input.edges(|arc| weight(arc as u32));
                Ok(EdgeSample {
                    name: input.path.display().to_string(),
                    vertices: input.graph.n,
                    direction: Direction::Directed,
                    lists: vec![DeviceBuffer::from_slice(device, &edges)?],
                    input: Some(input.report),
                    generator: None,
                })
            }
        }
    }

    /// The graph of the edges in a container, taken one way or both.
    pub(super) fn build<L: Lists>(
        &self,
        layout: Layout,
        direction: Direction,
        device: &Device,
    ) -> Result<Graph<L, W>, Error> {
        let (compaction, Layout { load_factor, block }) = (Compaction::OnDemand, layout);
        let options = SlabOptions { direction, compaction, ..SlabOptions::DEFAULT };
        let options = SlabOptions { load_factor, block, ..options };
        Graph::<L, W>::from_buffers(device, self.vertices, &self.lists, &options)
    }

    /// Random edges of the kind of the graph.
    pub(super) fn sample(
        &self,
        seed: u64,
        count: u32,
        device: &Device,
    ) -> Result<DeviceBuffer<Edge<W>>, Error> {
        match (&self.generator, self.lists.first()) {
            (None, Some(edges)) => recombined(edges, seed, count),
            (None, None) => DeviceBuffer::zeroed(device, 0),
            (Some(generator), _) => generator.sample(device, seed, count),
        }
    }

    /// How many arcs the graph of the edges has, counted on the host.
    pub(super) fn distinct_arcs(&self) -> Result<u64, Error> {
        let mut arcs = Vec::new();
        for list in &self.lists {
            arcs.extend(list.to_vec()?.into_iter().map(|edge| (edge.src, edge.dst)));
        }
        if self.direction == Direction::Undirected {
            let back: Vec<_> = arcs.iter().map(|&(u, v)| (v, u)).collect();
            arcs.extend(back);
        }
        arcs.par_sort_unstable();
        arcs.dedup();
        Ok(arcs.len() as u64)
    }

    /// How many edges there are, repeats counted.
    pub(super) fn edge_count(&self) -> u64 {
        self.lists.iter().map(|list| list.len() as u64).sum()
    }
}

/// A graph takes lists of fewer than 2^31.
const EDGES_OF_A_LIST: usize = 1 << 30;

fn lists_of<W: Weight>(
    generator: &Generator,
    device: &Device,
) -> Result<Vec<DeviceBuffer<Edge<W>>>, Error> {
    let (all, length) = (generator.edge_numbers(), EDGES_OF_A_LIST as u64);
    let list = |from| generator.edges_numbered(device, 0, from..from + length);
    (0..all).step_by(EDGES_OF_A_LIST).map(list).collect()
}
