//! The graph of a benchmark: edges of a file or of a generator, on the device.

use meerkat::runtime::generate::{Generator, recombined};
use meerkat::runtime::graph::Compaction;
use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::ReadOptions;
use meerkat::runtime::{Device, DeviceBuffer, Edge, Error, SlabGraph, SlabOptions, Weight};

use super::failure::Failure;
use super::graph_source::GraphSource;
use super::input::Input;
use super::input_report::InputReport;
use super::plan::GraphPlan;
use super::progress::Progress;

/// Whether options say how to read a file.
pub(super) fn is_given(read: &ReadOptions) -> bool {
    read.format.is_some() || read.columns.is_some()
}

/// The error for such options with a generator.
pub(super) fn refused(generator: &Generator) -> Failure {
    Failure::GeneratorHasNoFile { generator: generator.to_string() }
}

/// A graph's edges, and how more of their kind are made.
pub(super) struct BenchGraph<W: Weight> {
    pub(super) name: String,
    pub(super) vertices: u32,
    /// A file's arcs both ways are arcs of their own: only a generator makes edges.
    pub(super) direction: Direction,
    pub(super) edges: DeviceBuffer<Edge<W>>,
    /// What was read, of a file.
    pub(super) input: Option<InputReport>,
    generator: Option<Generator>,
}

impl<W: Weight> BenchGraph<W> {
    /// Reads a file, whose edges weigh what `weight` gives for their numbers, or
    /// generates.
    pub(super) fn open(
        source: &GraphSource,
        read: &ReadOptions,
        device: &Device,
        progress: &Progress,
        weight: fn(u32) -> W,
    ) -> Result<Self, Failure> {
        match source {
            GraphSource::Generated(generator) if is_given(read) => Err(refused(generator)),
            GraphSource::Generated(generator) => Ok(BenchGraph {
                name: generator.to_string(),
                vertices: generator.vertices(),
                direction: generator.direction(),
                edges: generator.edges(device, 0)?,
                input: None,
                generator: Some(*generator),
            }),
            GraphSource::File(file) => {
                let graph = GraphPlan { file: file.clone(), read: read.clone(), direction: None };
                let input = Input::read(&graph, device, progress)?;
                let edges = input.edges(|arc| weight(arc as u32));
                Ok(BenchGraph {
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
