//! How the lanes of a warp share out the neighbours of their items.

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
}

impl Schedule {
    pub(crate) const ALL: [Schedule; 5] =
        [Schedule::Warp, Schedule::Tile16, Schedule::Tile8, Schedule::Tile4, Schedule::Thread];

    /// How many lanes visit one vertex together.
    pub(crate) fn group(self) -> u32 {
        match self {
            Schedule::Warp => 32,
            Schedule::Tile16 => 16,
            Schedule::Tile8 => 8,
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
        }
    }

    /// The variant of the run time's `Schedule`.
    pub(crate) fn variant(self) -> &'static str {
        match self {
            Schedule::Warp => "Warp",
            Schedule::Tile16 => "Tile16",
            Schedule::Tile8 => "Tile8",
            Schedule::Tile4 => "Tile4",
            Schedule::Thread => "Thread",
        }
    }

    /// The collective of the warp as the group that reaches it has it; false if
    /// there is none.
    pub(super) fn narrow(self, expr: &mut Expr) -> bool {
        let ExprKind::Intrinsic { intrinsic, group, .. } = &mut expr.kind else { return true };
        if self == Schedule::Warp || !intrinsic.shape.is_collective() {
            return true;
        }
        if intrinsic.name != intrinsics::WARP_ENQUEUE_FRONTIER.name {
            return false;
        }
        if self == Schedule::Thread {
            *intrinsic = &intrinsics::LANE_ENQUEUE_FRONTIER;
        } else {
            *intrinsic = &intrinsics::TILE_ENQUEUE_FRONTIER;
            *group = self.group();
        }
        true
    }
}

/// Whether schedules make a difference to an operator.
pub(crate) fn matters(body: &crate::ir::Block) -> bool {
    visit::any_in_block(body, &|expr| matches!(expr.kind, ExprKind::ForEachNeighbor(_)))
}
