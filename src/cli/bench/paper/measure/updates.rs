//! Rates of insertions, searches and deletions, of builds, and of deleted vertices.

use std::rc::Rc;

use meerkat::runtime::BlockOptions;

use super::on_axis;
use crate::cli::bench::edges::Layout;
use crate::cli::bench::figures::{BatchFigures, EdgeRate, UpdateFigures, VertexFigures};
use crate::cli::bench::paper::experiment::Value;
use crate::cli::bench::paper::graphs::Dataset;
use crate::cli::bench::paper::lab::Lab;
use crate::cli::bench::update_plan::Plan;
use crate::cli::container::DynamicContainer;
use crate::cli::failure::Failure;

type Values = Result<Vec<Value>, Failure>;

/// What is measured of a batch.
pub(in crate::cli::bench::paper) type Rate = fn(&BatchFigures) -> EdgeRate;

/// Sizes of batches in a paper, and the part of them that a quick run takes.
#[derive(Clone, Copy)]
pub(in crate::cli::bench::paper) struct Sizes {
    pub(in crate::cli::bench::paper) full: &'static [u32],
    pub(in crate::cli::bench::paper) quick_part: u32,
}

const CONTAINERS: [DynamicContainer; 2] = [DynamicContainer::Slabs, DynamicContainer::Blocks];

fn plan(lab: &Lab<'_>, container: DynamicContainer, batches: Vec<u32>) -> Plan {
    let (rounds, vertices) = (lab.rounds() as u32, Vec::new());
    Plan { batches, vertices, exactly: false, rounds, container, layout: Layout::DEFAULT }
}

impl Sizes {
    /// Those of this run, and the paper's.
    fn of(self, lab: &Lab<'_>) -> Vec<(u32, u32)> {
        let mut sizes: Vec<_> =
            self.full.iter().map(|&full| (lab.size(full, self.quick_part), full)).collect();
        sizes.dedup_by_key(|(size, _)| *size);
        sizes
    }
}

/// Millions of edges a second in slabs and in block arrays, by the size of a batch.
pub(in crate::cli::bench::paper) fn rates(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    sizes: Sizes,
    rate: Rate,
) -> Values {
    let mut found = Vec::new();
    for container in CONTAINERS {
        for (at, figures) in batches(lab, dataset, container, sizes)? {
            let value = Value::new(container.name(), rate(&figures).medge_per_s);
            found.push(value.at(at.0.into(), at.1.into()));
        }
    }
    Ok(found)
}

/// How many times as fast as block arrays slabs are, by the size of a batch; with `whole`, also in
/// the build of the whole graph.
pub(in crate::cli::bench::paper) fn over_blocks(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    sizes: Sizes,
    (rate, whole): (Rate, bool),
) -> Values {
    let slabs = batches(lab, dataset, DynamicContainer::Slabs, sizes)?;
    let blocks = batches(lab, dataset, DynamicContainer::Blocks, sizes)?;
    let mut found = Vec::new();
    if whole {
        let [slabs, blocks] = CONTAINERS.map(|container| build(lab, dataset, container));
        found.push(Value::new("whole graph", blocks?.build.ms / slabs?.build.ms));
    }
    for ((at, slabs), (_, blocks)) in slabs.iter().zip(&blocks) {
        let value = rate(slabs).medge_per_s / rate(blocks).medge_per_s;
        found.push(Value::new(edges(at.0), value));
    }
    Ok(found)
}

/// A size as it is read: `2K edges`.
fn edges(size: u32) -> String {
    match size {
        size if size >= 1 << 20 && size.is_multiple_of(1 << 20) => format!("{}M edges", size >> 20),
        size if size >= 1 << 10 && size.is_multiple_of(1 << 10) => format!("{}K edges", size >> 10),
        size => format!("{size} edges"),
    }
}

/// A size of this run and the paper's, and what was measured with it.
type Batch = ((u32, u32), BatchFigures);

/// The figures of each size.
fn batches(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    container: DynamicContainer,
    sizes: Sizes,
) -> Result<Vec<Batch>, Failure> {
    let sizes = sizes.of(lab);
    let plan = plan(lab, container, sizes.iter().map(|(size, _)| *size).collect());
    let figures = lab.update(dataset, &plan)?;
    Ok(sizes.into_iter().zip(figures.batches.iter().copied()).collect())
}

fn build(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    container: DynamicContainer,
) -> Result<Rc<UpdateFigures>, Failure> {
    let plan = plan(lab, container, Vec::new());
    lab.update(dataset, &plan)
}

/// Milliseconds of the build from all edges.
pub(in crate::cli::bench::paper) fn builds(lab: &mut Lab<'_>, dataset: &Dataset) -> Values {
    let of = |container: DynamicContainer| {
        Ok(Value::new(container.name(), build(lab, dataset, container)?.build.ms))
    };
    CONTAINERS.into_iter().map(of).collect()
}

/// Millions of vertices deleted a second, by their number; more than half are not deleted.
pub(in crate::cli::bench::paper) fn vertices(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    sizes: Sizes,
) -> Values {
    let sizes = sizes.of(lab);
    let vertices = sizes.iter().map(|(size, _)| *size).collect();
    let plan = Plan { vertices, ..plan(lab, DynamicContainer::Slabs, Vec::new()) };
    let figures = lab.update(dataset, &plan)?;
    let full =
        |size: u32| sizes.iter().find(|(own, _)| *own == size).map_or(size, |(_, full)| *full);
    let value = |of: &VertexFigures| {
        let rate = Value::new("slab lists", of.delete.mvertex_per_s);
        rate.at(of.vertices.into(), full(of.vertices).into())
    };
    Ok(figures.vertices.iter().map(value).collect())
}

/// Of each load factor: insertions a second, how full slabs are, megabytes, and how many slabs a
/// list has.
pub(in crate::cli::bench::paper) fn by_load_factor(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    load_factors: &[f32],
) -> Values {
    let mut found = Vec::new();
    for &load_factor in load_factors {
        let plan = plan(lab, DynamicContainer::Slabs, Vec::new());
        let plan = Plan { layout: Layout { load_factor, ..Layout::DEFAULT }, ..plan };
        let figures = lab.update(dataset, &plan)?;
        let memory = &figures.memory;
        let x = on_axis(load_factor);
        let value = |panel: &str, value: f64| Value::new("", value).within(panel).at(x, x);
        found.push(value("MEdge/s inserted", figures.build.medge_per_s));
        found.push(value("memory utilization", memory.occupancy));
        found.push(value("MB", memory.bytes as f64 / 1e6));
        found.push(value("slabs a list, on average", memory.mean_chain));
    }
    Ok(found)
}

/// Millions of edges a second of whole insertions into block arrays with this layout.
pub(in crate::cli::bench::paper) fn of_blocks(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    sizes: Sizes,
    block: BlockOptions,
) -> Values {
    let sizes = sizes.of(lab);
    let plan = plan(lab, DynamicContainer::Blocks, sizes.iter().map(|(size, _)| *size).collect());
    let plan = Plan { exactly: true, layout: Layout { block, ..Layout::DEFAULT }, ..plan };
    let figures = lab.update(dataset, &plan)?;
    let exact = figures.batches.iter().filter_map(|batch| batch.exact);
    let rates = exact.map(|exact| exact.apply_device.medge_per_s);
    let at = |((x, of), rate): ((u32, u32), f64)| Value::new("", rate).at(x.into(), of.into());
    Ok(sizes.into_iter().zip(rates).map(at).collect())
}
