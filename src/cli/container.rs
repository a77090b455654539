//! The containers that batches can change, as the command line names them.

use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::{BlockEdges, CompactEdges, DynamicGraph, EdgeLists, Weight};
use serde::Serialize;

/// A container that batches can change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(super) enum DynamicContainer {
    #[default]
    Slabs,
    Compact,
    Blocks,
}

impl DynamicContainer {
    /// As reports name it.
    pub(super) fn name(&self) -> &'static str {
        match self {
            DynamicContainer::Slabs => "slab lists",
            DynamicContainer::Compact => "compact slabs",
            DynamicContainer::Blocks => "block arrays",
        }
    }

    /// Whether reports leave it out.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The lists of a container, whatever the weight.
pub(super) trait Lists {
    type Of<W: Weight>: EdgeLists<Carried = W>;
}

/// A graph in a container.
pub(super) type Graph<L, W> = DynamicGraph<<L as Lists>::Of<W>>;

/// Slab lists.
pub(super) enum Slabs {}

impl Lists for Slabs {
    type Of<W: Weight> = Adjacency<W>;
}

/// Compact slabs.
pub(super) enum Compact {}

impl Lists for Compact {
    type Of<W: Weight> = CompactEdges<W>;
}

/// Block arrays.
pub(super) enum Blocks {}

impl Lists for Blocks {
    type Of<W: Weight> = BlockEdges<W>;
}
