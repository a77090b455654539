//! A graph that is built batch by batch, from nothing.

use meerkat::runtime::{DeviceBuffer, Edge, Error, SlabOptions};

use crate::cli::bench::edges::EdgeSample;
use crate::cli::bench::paper::experiment::Value;
use crate::cli::bench::paper::graphs::Dataset;
use crate::cli::bench::paper::lab::Lab;
use crate::cli::container::{Blocks, DynamicContainer, Graph, Lists, Slabs};
use crate::cli::failure::Failure;

/// Millions of edges a second of incremental builds, by the size of a batch, up to one of all edges.
/// Slabs have one bucket a vertex.
pub(in crate::cli::bench::paper) fn builds(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    (sizes, quick_part): (&[u32], u32),
) -> Result<Vec<Value>, Failure> {
    let graph = lab.edges(dataset)?;
    let all = u32::try_from(graph.edge_count()).unwrap_or(u32::MAX).max(1);
    let mut found = Vec::new();
    for &full in sizes {
        let size = lab.size(full, quick_part).min(all);
        let (x, of) = (f64::from(size), f64::from(full));
        for container in [DynamicContainer::Slabs, DynamicContainer::Blocks] {
            let rate = match container {
                DynamicContainer::Blocks => rate::<Blocks>(lab, &graph, size, container)?,
                _ => rate::<Slabs>(lab, &graph, size, container)?,
            };
            found.push(Value::new(container.name(), rate).at(x, of));
        }
        if size == all {
            break;
        }
    }
    Ok(found)
}

fn rate<L: Lists>(
    lab: &Lab<'_>,
    graph: &EdgeSample<()>,
    size: u32,
    container: DynamicContainer,
) -> Result<f64, Failure> {
    // The first build compiles.
    let mut ms = f64::INFINITY;
    for _ in 0..=lab.rounds() {
        ms = ms.min(build::<L>(lab, graph, size, container)?);
    }
    Ok(graph.edge_count() as f64 / ms.max(1e-9) / 1e3)
}

/// The milliseconds of all batches; the graph then has the edges of the list.
fn build<L: Lists>(
    lab: &Lab<'_>,
    graph: &EdgeSample<()>,
    size: u32,
    container: DynamicContainer,
) -> Result<f64, Failure> {
    let options =
        SlabOptions { hashing: false, direction: graph.direction, ..SlabOptions::DEFAULT };
    let mut built = Graph::<L, ()>::from_edges(lab.device, graph.vertices, &[], &options)?;
    let mut ms = 0.0;
    for batch in batches(lab, graph, size)? {
        ms += lab.device.measure(|| built.insert_buffer(&batch))?;
    }
    match built.edge_count()? == graph.distinct_arcs()? {
        true => Ok(ms),
        false => Err(Failure::EdgesAreWrong {
            container: container.name(),
            difference: "the number of edges after all batches is not that of the list",
        }),
    }
}

/// The edges in their order, on the device.
fn batches(
    lab: &Lab<'_>,
    graph: &EdgeSample<()>,
    size: u32,
) -> Result<Vec<DeviceBuffer<Edge>>, Error> {
    let mut found = Vec::new();
    for list in &graph.lists {
        let edges = list.to_vec()?;
        for batch in edges.chunks(size as usize) {
            found.push(DeviceBuffer::from_slice(lab.device, batch)?);
        }
    }
    Ok(found)
}
