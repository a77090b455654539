//! `meerkat generate`: a synthetic graph, from the device to a file.

use meerkat::runtime::generate::Generator;
use meerkat::runtime::{Edge, Weight};

use super::device;
use super::failure::Failure;
use super::graph_source::GraphSource;
use super::graph_writer::GraphWriter;
use super::output_file::OutputFile;
use super::plan::{GeneratePlan, STANDARD};

/// Writes the graph and says what it is.
pub(super) fn run(plan: &GeneratePlan) -> Result<String, Failure> {
    let GraphSource::Generated(generator) = &plan.graph else {
        return Err(Failure::NoGenerator);
    };
    let edges = match plan.weighted {
        true => write::<u32>(plan, generator, Some)?,
        false => write::<()>(plan, generator, |()| None)?,
    };
    let n = generator.vertices();
    let path = match plan.output.as_os_str() == STANDARD {
        true => "standard output".to_owned(),
        false => plan.output.display().to_string(),
    };
    Ok(format!("{path}: {generator} of seed {}, {n} vertices, {edges} edges\n", plan.seed))
}

fn write<W: Weight>(
    plan: &GeneratePlan,
    generator: &Generator,
    number: fn(W) -> Option<u32>,
) -> Result<usize, Failure> {
    let refused = |reason| Failure::Unwritable { path: plan.output.clone(), reason };
    let writer = GraphWriter::for_path(&plan.output, generator, W::IS_WEIGHTED).map_err(refused)?;
    let file = OutputFile::at(&plan.output)?;
    let edges: Vec<Edge<W>> = generator.edges(&device::open(plan.device)?, plan.seed)?.to_vec()?;
    writer.check_vertices(&edges).map_err(refused)?;
    file.write(|to| writer.write(to, &edges, number))?;
    Ok(edges.len())
}
