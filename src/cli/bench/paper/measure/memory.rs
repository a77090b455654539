//! What graphs take: heads of slab lists in one allocation or in many, how full blocks and block
//! arrays are, and bytes beside compressed rows.

use meerkat::runtime::{BlockMemory, BlockOptions};

use crate::cli::bench::edges::{EdgeSample, Layout};
use crate::cli::bench::memory::memory_of;
use crate::cli::bench::paper::experiment::Value;
use crate::cli::bench::paper::graphs::Dataset;
use crate::cli::bench::paper::lab::Lab;
use crate::cli::container::{Blocks, DynamicContainer, Slabs};
use crate::cli::failure::Failure;

type Values = Result<Vec<Value>, Failure>;

const GIB: f64 = (1u64 << 30) as f64;

/// GiB of the slabs with an allocation for the lists of each vertex, and with one for all.
pub(in crate::cli::bench::paper) fn heads(lab: &mut Lab<'_>, dataset: &Dataset) -> Values {
    let graph = lab.edges(dataset)?;
    let (slabs, device) = (DynamicContainer::Slabs, lab.device);
    let memory = memory_of::<Slabs, ()>(&graph, Layout::DEFAULT, slabs, device)?;
    check_edges(&graph, memory.edges, slabs)?;
    let Some(heads) = &memory.heads else { return Ok(Vec::new()) };
    let others = memory.bytes - heads.bytes_of_heads;
    let singly = (others + heads.bytes_of_heads_allocated_singly) as f64 / GIB;
    let together = memory.bytes as f64 / GIB;
    Ok(vec![Value::new("in SlabHash", singly), Value::new("in Meerkat", together)])
}

/// The graph has the distinct edges of its list, and no others.
fn check_edges(
    graph: &EdgeSample<()>,
    edges: u64,
    container: DynamicContainer,
) -> Result<(), Failure> {
    match graph.distinct_arcs()? == edges {
        true => Ok(()),
        false => Err(Failure::EdgesAreWrong {
            container: container.name(),
            difference: "the number of edges is not that of the list",
        }),
    }
}

/// The memory of block arrays with a layout.
fn blocks(
    lab: &Lab<'_>,
    graph: &EdgeSample<()>,
    block: BlockOptions,
) -> Result<BlockMemory, Failure> {
    let layout = Layout { block, ..Layout::DEFAULT };
    let built = graph.build::<Blocks>(layout, graph.direction, lab.device)?;
    let memory = built.out_edges()?.memory()?;
    check_edges(graph, memory.keys, DynamicContainer::Blocks)?;
    Ok(memory)
}

/// Of a hundred places of blocks, those that hold edges.
pub(in crate::cli::bench::paper) fn full_blocks(lab: &mut Lab<'_>, dataset: &Dataset) -> Values {
    let graph = lab.edges(dataset)?;
    let memory = blocks(lab, &graph, BlockOptions::DEFAULT)?;
    Ok(vec![Value::new("block arrays", 100.0 * memory.block_utilization())])
}

/// Of a hundred places of block arrays, those in blocks of lists, by the size of arrays.
pub(in crate::cli::bench::paper) fn full_arrays(lab: &mut Lab<'_>, dataset: &Dataset) -> Values {
    let graph = lab.edges(dataset)?;
    let of = |exponent: u32| {
        let block = BlockOptions { array: 1 << exponent, ..BlockOptions::DEFAULT };
        let full = 100.0 * blocks(lab, &graph, block)?.array_utilization();
        Ok(Value::new(format!("arrays of 2^{exponent}"), full))
    };
    [16, 19, 22].into_iter().map(of).collect()
}

/// The memory of compressed rows as a part of a container's, in a hundred.
pub(in crate::cli::bench::paper) fn beside_rows(lab: &mut Lab<'_>, dataset: &Dataset) -> Values {
    let graph = lab.edges(dataset)?;
    let arcs = graph.distinct_arcs()?;
    let rows = (4 * arcs + 4 * u64::from(graph.vertices)) as f64;
    let part = |bytes: u64| 100.0 * rows / bytes.max(1) as f64;
    let mut found = vec![Value::new("CSR", 100.0), Value::new("COO", part(8 * arcs))];
    for (series, block) in [
        ("block arrays", BlockOptions::DEFAULT),
        ("as for cuSTINGER", BlockOptions::CUSTINGER),
        ("as for AIM", BlockOptions::AIM),
    ] {
        found.push(Value::new(series, part(blocks(lab, &graph, block)?.bytes())));
    }
    Ok(found)
}
