//! The graph of a benchmark: edges of a file or of a generator, on the device.

use meerkat::runtime::generate::{Generator, recombined};
use meerkat::runtime::graph::Compaction;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::{Device, DeviceBuffer, Edge, Error, SlabGraph, SlabOptions, Weight};

use crate::cli::failure::Failure;
use crate::cli::input::{
    DirectionArgs, GraphArgs, GraphSource, Input, InputReport, Keep, ReadArgs,
};
use crate::cli::progress::Progress;

/// The error for options of files with a generator.
pub(super) fn refused(generator: &Generator) -> Failure {
    Failure::GeneratorHasNoFile { generator: generator.to_string() }
}

/// A graph's edges, and how more of their kind are made.
pub(super) struct EdgeSample<W: Weight> {
    pub(super) name: String,
    pub(super) vertices: u32,
    /// A file's arcs both ways are arcs of their own: only a generator makes edges.
    pub(super) direction: Direction,
    pub(super) edges: DeviceBuffer<Edge<W>>,
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
                edges: generator.edges(device, 0)?,
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
                    edges: DeviceBuffer::from_slice(device, &edges)?,
                    input: Some(input.report),
                    generator: None,
                })
            }
        }
    }

    /// The slab graph of the edges, taken one way or both.
    pub(super) fn build(
        &self,
        load_factor: f32,
        direction: Direction,
    ) -> Result<SlabGraph<W>, Error> {
        let compaction = Compaction::OnDemand;
        let options = SlabOptions { load_factor, direction, compaction, ..SlabOptions::DEFAULT };
        SlabGraph::from_buffer(self.edges.device(), self.vertices, &self.edges, &options)
    }

    /// Random edges of the kind of the graph.
    pub(super) fn sample(&self, seed: u64, count: u32) -> Result<DeviceBuffer<Edge<W>>, Error> {
        match &self.generator {
            Some(generator) => generator.sample(self.edges.device(), seed, count),
            None => recombined(&self.edges, seed, count),
        }
    }
}
