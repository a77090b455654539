//! Staged frontiers: under the schedule of hubs and tiles, vertices are enqueued into
//! memory of the block first, and from there with one atomic at the kernel's end. One
//! counter for every tile of a large launch would be a queue.

use super::Lowering;
use crate::ir::visit::rewrite_block;
use crate::ir::{Access, Block, ExprKind, Stmt, Type, intrinsics};
use crate::parse::program;
use proc_macro2::Span;

impl Lowering<'_> {
    /// Enqueues of vertices in the closure become staged ones.
    pub(super) fn stage_frontiers(&mut self, body: &mut Block) {
        let mut frontiers = Vec::new();
        rewrite_block(body, &mut |expr| {
            let ExprKind::Intrinsic { intrinsic, args, .. } = &expr.kind else { return };
            if intrinsic.name == intrinsics::TILE_ENQUEUE_FRONTIER.name
                && let Some(ExprKind::Local(frontier)) = args.first().map(|arg| &arg.kind)
            {
                frontiers.push(*frontier);
            }
        });
        for frontier in frontiers {
            let takes_vertices = match self.function.var(frontier).ty.value() {
                Type::Named { args, .. } => *args == [Type::U32],
                _ => false,
            };
            if takes_vertices && !self.staged.iter().any(|(known, _)| *known == frontier) {
                let name = format!("{}_staged", self.function.var(frontier).name);
                let slice = Type::Slice(Access::Read, Box::new(Type::Atomic(Box::new(Type::U32))));
                let span = self.function.name.span();
                let memory = self.function.fresh_var(&name, slice, false, span);
                self.staged.push((frontier, memory));
            }
        }
        let staged = self.staged.clone();
        let function = &mut self.function;
        rewrite_block(body, &mut |expr| {
            let span = expr.span;
            let ExprKind::Intrinsic { intrinsic, args, .. } = &mut expr.kind else { return };
            let Some(ExprKind::Local(frontier)) = args.first().map(|arg| &arg.kind) else { return };
            let memory = staged.iter().find(|(known, _)| known == frontier);
            if let Some((_, memory)) = memory
                && intrinsic.name == intrinsics::TILE_ENQUEUE_FRONTIER.name
            {
                *intrinsic = &intrinsics::TILE_STAGE_FRONTIER;
                args.insert(1, function.local(*memory, span));
            }
        });
    }

    /// What a kernel begins and ends with: the memory, and its flush.
    pub(super) fn staging(&mut self, span: Span) -> (Vec<Stmt>, Vec<Stmt>) {
        let (mut memories, mut flushes) = (Vec::new(), Vec::new());
        for (frontier, memory) in self.staged.clone() {
            memories.extend(program!(self, span, [memory] {
                let memory = block_memory::<u32, ::meerkat_runtime::frontier::STAGED>();
                if block_thread_id() == 0 { memory[0].store(0); }
            }));
            flushes.extend(program!(self, span, [frontier, memory] {
                ::meerkat_runtime::frontier::block_flush_frontier(frontier, memory);
            }));
        }
        if !memories.is_empty() {
            memories.extend(program!(self, span, [] { block_barrier(); }));
        }
        (memories, flushes)
    }
}
