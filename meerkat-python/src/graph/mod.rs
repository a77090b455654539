//! The graph that Python holds: any container with any weights, and all that follows it.
//!
//! ```text
//! Graph --RwLock--> AnyGraph = Held<lists of a container>: Tracked<DynamicGraph<_>, Followers<_>>
//! ```

mod held;
mod python;

use std::path::Path;

use meerkat_algos::spmv::Entry;
use meerkat_algos::sssp::PathWeight;
use meerkat_runtime::graph::{Adjacency, SnapshotFault};
use meerkat_runtime::{
    BlockEdges, CompactEdges, Device, Direction, Error, ErrorKind, SlabOptions, Weight,
};

use crate::answer::Answer;
use crate::array::{Array, Kind};
use crate::columns::{Column, EdgeColumns};
use crate::error::Failure;
use crate::question::Question;
use crate::subgraph::Subgraph;

use held::Held;
pub(crate) use python::{Graph, Tracked};

/// What edges of a graph carry.
pub(crate) trait Weighted:
    Weight
    + PathWeight<Distance: Send + Sync + 'static>
    + Entry<f32>
    + Entry<f64>
    + Send
    + Sync
    + 'static
{
    /// The type of its numbers; none without weights.
    const KIND: Option<Kind>;
}

impl Weighted for () {
    const KIND: Option<Kind> = None;
}

impl Weighted for u32 {
    const KIND: Option<Kind> = Some(Kind::U32);
}

impl Weighted for f32 {
    const KIND: Option<Kind> = Some(Kind::F32);
}

/// What a batch changed: ends and weights of the edges that left and of those that came.
pub(crate) struct Changes {
    pub(crate) deleted: Vec<Array>,
    pub(crate) inserted: Vec<Array>,
}

/// Neighbours of some vertices: where those of each begin, the neighbours, and the weights if there are
/// some.
pub(crate) struct Rows {
    pub(crate) offsets: Array,
    pub(crate) neighbors: Array,
    pub(crate) weights: Option<Array>,
}

/// What a walk is to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    pub(crate) length: u32,
    /// How likely steps back are, to a neighbour of the vertex before, and others; one of them is 1.
    pub(crate) likely: [f64; 3],
    pub(crate) seed: u64,
}

/// Which degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Out,
    In,
}

/// A graph, whatever its container and what its edges carry.
pub(crate) trait AnyGraph: Send + Sync {
    fn device(&self) -> &Device;
    fn weight(&self) -> Option<Kind>;
    fn is_undirected(&self) -> bool;
    fn vertex_count(&self) -> u32;
    fn edge_count(&self) -> Result<u64, Error>;
    fn bytes(&self) -> u64;
    fn deleted_vertices(&self) -> Vec<u32>;

    /// Deletions, then insertions.
    fn apply(
        &mut self,
        gone: Option<&EdgeColumns>,
        new: Option<&EdgeColumns>,
    ) -> Result<Changes, Failure>;
    fn insert_vertices(&mut self, count: u32) -> Result<Vec<u32>, Error>;
    fn delete_vertices(&mut self, vertices: &[u32]) -> Result<Changes, Error>;
    fn compact(&mut self) -> Result<(), Error>;

    fn degrees(&self, side: Side) -> Result<Vec<u32>, Error>;
    fn degrees_of(&self, side: Side, vertices: &[u32]) -> Result<Vec<u32>, Error>;
    /// The neighbours of vertices that ascend.
    fn neighbors(&self, side: Side, vertices: &[u32]) -> Result<Rows, Error>;
    fn has_edges(&self, src: &[u32], dst: &[u32]) -> Result<Vec<bool>, Error>;
    /// All edges, ascending: ends, and weights if there are some.
    fn edges(&self) -> Result<Vec<Array>, Error>;
    fn to_csr(&self) -> Result<Rows, Error>;
    /// Up to `fanout` neighbours of each vertex, and how many there are of each.
    fn sample(
        &self,
        side: Side,
        vertices: &Column,
        latest: Option<&Column>,
        fanout: u32,
        seed: u64,
    ) -> Result<[Array; 2], Failure>;
    /// Neighbours of seeds, neighbours of those, and so on: how many of each hop, and its seed.
    fn sample_subgraph(
        &self,
        side: Side,
        seeds: &Column,
        hops: &[(u32, u64)],
    ) -> Result<Subgraph, Failure>;
    /// Walks from each vertex, one after another.
    fn walk(&self, starts: &Column, walk: &Walk) -> Result<Array, Failure>;
    fn save(&self, path: &Path) -> Result<(), Error>;

    /// Follows the graph from here on, if the algorithm can.
    fn track(&self, number: u64, question: &Question) -> Option<Result<(), Error>>;
    fn untrack(&self, number: u64);
    fn answer(&self, number: u64) -> Option<Result<Answer, Error>>;
    fn changes(&self, number: u64) -> Option<Result<Answer, Error>>;
    fn compute(&self, question: &Question, vector: &[f64]) -> Result<Answer, Error>;
}

/// The containers that batches change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    Slabs,
    Compact,
    Blocks,
}

impl Container {
    /// That of a name.
    pub(crate) fn named(name: &str) -> Result<Container, Failure> {
        match name {
            "slabs" => Ok(Container::Slabs),
            "compact" => Ok(Container::Compact),
            "blocks" => Ok(Container::Blocks),
            _ => Err(Failure::value(format!(
                "there is no container '{name}'; say 'compact', 'slabs' or 'blocks'"
            ))),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Container::Slabs => "slabs",
            Container::Compact => "compact",
            Container::Blocks => "blocks",
        }
    }
}

/// How a graph is to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) container: Container,
    pub(crate) weight: Option<Kind>,
    pub(crate) direction: Direction,
    /// From edges, one more than the largest end if it is not said.
    pub(crate) vertices: Option<u32>,
}

impl Plan {
    fn options(&self) -> SlabOptions {
        use meerkat_runtime::Orientation;
        match self.direction {
            Direction::Directed => SlabOptions::DEFAULT.oriented(Orientation::Both),
            Direction::Undirected => SlabOptions::DEFAULT.undirected(),
        }
    }
}

/// Calls a constructor of the graph that a container and a type of weights name.
macro_rules! held {
    ($container:expr, $weight:expr, $call:ident($($argument:expr),*)) => {
        match ($container, $weight) {
            (Container::Slabs, None) => Held::<Adjacency<()>>::$call($($argument),*),
            (Container::Slabs, Some(Kind::U32)) => Held::<Adjacency<u32>>::$call($($argument),*),
            (Container::Slabs, Some(_)) => Held::<Adjacency<f32>>::$call($($argument),*),
            (Container::Compact, None) => Held::<CompactEdges<()>>::$call($($argument),*),
            (Container::Compact, Some(Kind::U32)) => Held::<CompactEdges<u32>>::$call($($argument),*),
            (Container::Compact, Some(_)) => Held::<CompactEdges<f32>>::$call($($argument),*),
            (Container::Blocks, None) => Held::<BlockEdges<()>>::$call($($argument),*),
            (Container::Blocks, Some(Kind::U32)) => Held::<BlockEdges<u32>>::$call($($argument),*),
            (Container::Blocks, Some(_)) => Held::<BlockEdges<f32>>::$call($($argument),*),
        }
    };
}

/// A graph with these edges.
pub(crate) fn build(
    device: &Device,
    plan: &Plan,
    columns: &EdgeColumns,
) -> Result<Box<dyn AnyGraph>, Failure> {
    held!(plan.container, plan.weight, build(device, plan, columns))
}

/// A graph of a snapshot. What its edges carry the file says, so the types are tried in turn.
pub(crate) fn load(
    device: &Device,
    container: Container,
    path: &Path,
) -> Result<Box<dyn AnyGraph>, Error> {
    let of = |weight| held!(container, weight, load(device, path));
    let carries_others = |error: &Error| match error.kind() {
        ErrorKind::Snapshot { cause, .. } => matches!(cause, SnapshotFault::Weight { .. }),
        _ => false,
    };
    for weight in [None, Some(Kind::U32)] {
        match of(weight) {
            Err(error) if carries_others(&error) => {}
            loaded => return loaded,
        }
    }
    of(Some(Kind::F32))
}
