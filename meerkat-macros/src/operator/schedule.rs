//! How the lanes of a warp or block share out the neighbours of their items.

use crate::ir::intrinsics;
use crate::ir::{Expr, ExprKind, visit};

/// Chosen at launch; each is a lowering of the same operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schedule {
    /// The warp walks its lanes' vertices one after another.
    Warp,
    /// Each tile walks its lanes' vertices one after another.
    Tile16,
    Tile8,
    Tile4,
    /// Each lane walks its own vertex.
    Thread,
    /// The block walks its threads' vertices one after another, a slab list to
    /// each warp.
    Block,
    /// The block walks its vertices of many slab lists, lanes their own of few neighbours,
    /// tiles of 8 the rest.
    Hybrid,
    /// The block's tiles of 8 share out the slab lists of all its vertices.
    SlabList,
}

impl Schedule {
    pub(crate) const ALL: [Schedule; 8] = [
        Schedule::Warp,
        Schedule::Tile16,
        Schedule::Tile8,
        Schedule::Tile4,
        Schedule::Thread,
        Schedule::Block,
        Schedule::Hybrid,
        Schedule::SlabList,
    ];

    /// How many lanes walk a slab list together.
    pub(crate) fn group(self) -> u32 {
        match self {
            Schedule::Warp | Schedule::Block => 32,
            Schedule::Tile16 => 16,
            Schedule::Tile8 | Schedule::Hybrid | Schedule::SlabList => 8,
            Schedule::Tile4 => 4,
            Schedule::Thread => 1,
        }
    }

    /// The end of the names of what is generated; the warp's have none.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Schedule::Warp => "",
            Schedule::Tile16 => "_tile16",
            Schedule::Tile8 => "_tile8",
            Schedule::Tile4 => "_tile4",
            Schedule::Thread => "_thread",
            Schedule::Block => "_block",
            Schedule::Hybrid => "_hybrid",
            Schedule::SlabList => "_slab_list",
        }
    }

    /// Whether the CPU back end has it in every build: what `Schedule::Auto` takes there.
    /// The others take most of the time to compile an operator.
    pub(crate) fn is_native(self) -> bool {
        matches!(self, Schedule::Warp | Schedule::Thread)
    }

    /// The variant of the run time's `Schedule`.
    pub(crate) fn variant(self) -> &'static str {
        match self {
            Schedule::Warp => "Warp",
            Schedule::Tile16 => "Tile16",
            Schedule::Tile8 => "Tile8",
            Schedule::Tile4 => "Tile4",
            Schedule::Thread => "Thread",
            Schedule::Block => "Block",
            Schedule::Hybrid => "Hybrid",
            Schedule::SlabList => "SlabList",
        }
    }
}

/// The collective of the warp as the group that reaches it has it; false if there
/// is none.
pub(super) fn narrow(lanes: u32, expr: &mut Expr) -> bool {
    let ExprKind::Intrinsic { intrinsic, group, .. } = &mut expr.kind else { return true };
    if lanes == 32 || !intrinsic.shape.is_collective() {
        return true;
    }
    if intrinsic.name != intrinsics::WARP_ENQUEUE_FRONTIER.name {
        return false;
    }
    if lanes == 1 {
        *intrinsic = &intrinsics::LANE_ENQUEUE_FRONTIER;
    } else {
        *intrinsic = &intrinsics::TILE_ENQUEUE_FRONTIER;
        *group = lanes;
    }
    true
}

/// Whether schedules make a difference to an operator.
pub(crate) fn matters(body: &crate::ir::Block) -> bool {
    visit::any_in_block(
        body,
        &|expr| matches!(&expr.kind, ExprKind::ForEachNeighbor(each) if !each.alone),
    )
}
