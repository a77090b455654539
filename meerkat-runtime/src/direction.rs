//! Whether an edge is one arc or two.

/// How the records of a file, or the edges of a graph, are to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// A record is one arc, from its source to its destination.
    Directed,
    /// A record is an edge, which is stored as both arcs.
    Undirected,
}
