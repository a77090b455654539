//! Whether a state is that of a graph.

use crate::{Container, Error, ErrorKind};

/// Whether a state with something for each of `vertices` vertices may follow this graph. An algorithm asks
/// before it launches: on CUDA, ids beyond what the state keeps would be those of other memory.
///
/// # Errors
/// [`ErrorKind::StateOfAnotherGraph`].
pub fn check_fits(vertices: usize, graph: &impl Container) -> Result<(), Error> {
    let of_graph = graph.vertex_count();
    match vertices == of_graph as usize {
        true => Ok(()),
        false => Err(ErrorKind::StateOfAnotherGraph { vertices, of_graph }.into()),
    }
}

/// How many vertices have come, of a state that has something for each of `vertices`.
///
/// # Errors
/// [`ErrorKind::StateOfAnotherGraph`] if the graph has fewer.
pub fn vertices_to_come(vertices: usize, graph: &impl Container) -> Result<u32, Error> {
    let of_graph = graph.vertex_count();
    let more = u32::try_from(vertices).ok().and_then(|before| of_graph.checked_sub(before));
    more.ok_or_else(|| ErrorKind::StateOfAnotherGraph { vertices, of_graph }.into())
}
