//! `meerkat generate`: a synthetic graph, from the device to a file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use meerkat::runtime::generate::Generator;
use meerkat::runtime::read::Direction;
use meerkat::runtime::{Edge, Weight};

use super::device;
use super::failure::Failure;
use super::graph_source::GraphSource;
use super::plan::GeneratePlan;

/// Writes the graph and says what it is.
pub(super) fn run(plan: &GeneratePlan) -> Result<String, Failure> {
    let GraphSource::Generated(generator) = &plan.graph else {
        return Err(Failure::NoGenerator);
    };
    let edges = match plan.weighted {
        true => write::<u32>(plan, generator, Some)?,
        false => write::<()>(plan, generator, |()| None)?,
    };
    let (n, path) = (generator.vertices(), plan.output.display());
    Ok(format!("{path}: {generator} of seed {}, {n} vertices, {edges} edges\n", plan.seed))
}

fn write<W: Weight>(
    plan: &GeneratePlan,
    generator: &Generator,
    number: fn(W) -> Option<u32>,
) -> Result<usize, Failure> {
    let edges: Vec<Edge<W>> = generator.edges(&device::open(plan.device)?, plan.seed)?.to_vec()?;
    let path = &plan.output;
    let refused = |cause| Failure::OutputRefused { path: path.clone(), cause };
    let broken = |cause| Failure::OutputBroken { path: path.clone(), cause };
    let file = File::create(path).map_err(refused)?;
    let to = BufWriter::new(file);
    if has_ending(path, "gz") {
        let mut to = GzEncoder::new(to, Compression::fast());
        write_edges(&mut to, path, generator, &edges, number).map_err(broken)?;
        to.finish().and_then(|mut to| to.flush()).map_err(broken)?;
    } else {
        let mut to = to;
        write_edges(&mut to, path, generator, &edges, number).map_err(broken)?;
        to.flush().map_err(broken)?;
    }
    Ok(edges.len())
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

fn write_edges<W: Weight>(
    to: &mut dyn Write,
    path: &Path,
    generator: &Generator,
    edges: &[Edge<W>],
    number: fn(W) -> Option<u32>,
) -> io::Result<()> {
    let plain = if has_ending(path, "gz") { path.with_extension("") } else { path.to_owned() };
    let is_matrix = has_ending(&plain, "mtx");
    if is_matrix {
        let field = if W::IS_WEIGHTED { "integer" } else { "pattern" };
        let symmetry = match generator.direction() {
            Direction::Directed => "general",
            Direction::Undirected => "symmetric",
        };
        let n = generator.vertices();
        writeln!(to, "%%MatrixMarket matrix coordinate {field} {symmetry}")?;
        writeln!(to, "% {generator}")?;
        writeln!(to, "{n} {n} {}", edges.len())?;
    } else {
        writeln!(to, "# {generator}")?;
    }
    for edge in edges {
        // A symmetric matrix is its lower triangle, and counts from 1.
        let (u, v) = match is_matrix {
            true => (u64::from(edge.dst) + 1, u64::from(edge.src) + 1),
            false => (edge.src.into(), edge.dst.into()),
        };
        let (u, v) =
            if is_matrix && generator.direction() == Direction::Directed { (v, u) } else { (u, v) };
        match number(edge.weight) {
            Some(weight) => writeln!(to, "{u} {v} {weight}")?,
            None => writeln!(to, "{u} {v}")?,
        }
    }
    Ok(())
}
