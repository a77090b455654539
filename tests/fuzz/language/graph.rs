//! Graphs: what edges carry, walks over neighbours, questions about edges.

use super::{Block, Expr, Scalar, VarId};

/// What the edges of a graph carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Carried {
    Nothing,
    U32,
    I32,
    F32,
}

impl Carried {
    pub const ALL: [Carried; 4] = [Carried::Nothing, Carried::U32, Carried::I32, Carried::F32];

    /// The type of the weights.
    pub fn scalar(self) -> Option<Scalar> {
        match self {
            Carried::Nothing => None,
            Carried::U32 => Some(Scalar::U32),
            Carried::I32 => Some(Scalar::I32),
            Carried::F32 => Some(Scalar::F32),
        }
    }

    /// The graph's name in kernels and in the harness.
    pub fn name(self) -> &'static str {
        match self {
            Carried::Nothing => "graph",
            Carried::U32 => "graph_u32",
            Carried::I32 => "graph_i32",
            Carried::F32 => "graph_f32",
        }
    }
}

/// Whom a walk visits, and how it is written.
#[derive(Clone, Debug)]
pub enum Lists {
    /// `for_each_neighbor`
    All,
    /// `for_each_bucket`, for each list of the vertex
    Buckets,
    /// `nth_neighbor`, for each place
    Places,
    /// `for_each_common_neighbor` with another vertex
    Common(Expr),
}

/// Neighbours in no certain order: what the body does with them commutes.
#[derive(Clone, Debug)]
pub struct Walk {
    pub graph: Carried,
    pub lists: Lists,
    pub vertex: Expr,
    pub predicate: Expr,
    pub dst: VarId,
    pub weight: Option<VarId>,
    /// Of a search it ends with the test.
    pub body: Block,
    /// The variable of a `find_neighbor`.
    pub found: Option<VarId>,
}

/// What is asked of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// `out_degree(graph, v)`
    OutDegree,
    /// `has_edge(graph, u, v)`
    HasEdge,
    /// `find_edge_alone(graph, u, v)`
    FindEdge,
    /// `edge_weight(graph, bits)`
    EdgeWeight,
    /// `nth_neighbor(graph, v, i) == u32::MAX`
    NoNth,
    /// `has_edge(graph, v, random_neighbor(graph, v, random))`, of a vertex with neighbours
    HasRandom,
}

/// The kernel is an operator: launched over vertices.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    pub items: usize,
    pub schedule: &'static str,
}

/// Vertices of a graph: an index into an input too.
pub const VERTICES: usize = crate::fuzz::memory::INPUTS;

pub const SCHEDULES: [&str; 9] =
    ["Auto", "Warp", "Tile16", "Tile8", "Tile4", "Thread", "Block", "Hybrid", "SlabList"];
