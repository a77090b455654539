//! Schedules of the block: its threads' vertices one after another, a slab list to
//! each warp. `hybrid.rs` gives it those of many lists alone.

use super::Lowering;
use super::lists::{Params, Walk};
use crate::ir::{ForEachNeighbor, Stmt, Type, VarId};
use crate::parse::{expression, program};
use proc_macro2::Span;

impl Lowering<'_> {
    /// Every vertex by the block.
    pub(super) fn by_block(
        &mut self,
        each: ForEachNeighbor,
        guard: VarId,
        span: Span,
    ) -> Vec<Stmt> {
        let waiting = self.function.fresh_var("waiting", Type::BOOL, true, span);
        let takes_part = self.and_guard(each.predicate.clone(), guard);
        let owner_steps = self.block_owner_steps(each, waiting, guard, span);
        program!(self, span, [waiting, takes_part, owner_steps] {
            let waiting = takes_part;
            owner_steps;
        })
    }

    /// The vertices of the threads that are waiting, one after another, each by the block:
    /// its slab lists go one to each warp, or to each tile.
    pub(super) fn block_owner_steps(
        &mut self,
        each: ForEachNeighbor,
        waiting: VarId,
        guard: VarId,
        span: Span,
    ) -> Vec<Stmt> {
        let params = Params::of(&each);
        let ForEachNeighbor { graph, vertex, lists, mut body, .. } = each;
        self.in_block_step = true;
        self.narrow_collectives(&mut body);
        let (vertex, before) = self.read_guarded(vertex, guard, "visited", span);
        let owner = self.function.fresh_var("owner", Type::U32, true, span);
        let source = self.function.fresh_var("source", Type::U32, false, span);
        self.name_source(&mut body, &vertex, source);
        let walk = Walk { graph: &graph, lists, params, body };
        let owner_step = self.owner_step((source, owner), walk, span);
        let next = expression!(self, span, [waiting]
            block_reduce_min(select(waiting, block_thread_id(), u32::MAX)));
        self.in_block_step = false;
        program!(self, span, [before, owner, next, source, vertex, owner_step, waiting] {
            before;
            let owner = next;
            while owner != u32::MAX {
                let source = block_broadcast(vertex, owner);
                owner_step;
                if block_thread_id() == owner { waiting = false; }
                owner = next;
            }
        })
    }
}
