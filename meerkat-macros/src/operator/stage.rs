//! Staged frontiers: under the schedule of hubs and tiles, vertices are enqueued into
//! memory of the block first, and from there with one atomic at the kernel's end. One
//! counter for every tile of a large launch would be a queue.

use super::Lowering;
use crate::ir::visit::rewrite_block;
use crate::ir::{Access, Block, ExprKind, Stmt, Type, intrinsics};
use proc_macro2::Span;
use syn::parse_quote;

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

    // expands to:
    //   let next_staged = block_shared::<u32, STAGED>();
    //   <stmts>
    //   block_flush_frontier(next, next_staged);
    /// The kernel's statements between the memory and its flush.
    pub(super) fn flushed(&mut self, stmts: Vec<Stmt>, span: Span) -> Vec<Stmt> {
        let staged = self.staged.clone();
        let mut all = Vec::new();
        for &(_, memory) in &staged {
            let length = "::meerkat_runtime::frontier::STAGED".to_owned();
            let shared = ExprKind::Shared { element: Type::U32, length };
            let init = self.function.expr(shared, span);
            all.push(Stmt::Let { var: memory, init: Some(init), span });
        }
        all.extend(stmts);
        for (frontier, memory) in staged {
            let args = vec![self.function.local(frontier, span), self.function.local(memory, span)];
            let path = parse_quote!(::meerkat_runtime::frontier::block_flush_frontier);
            let flush = self.call(path, args, span);
            all.push(Stmt::Expr(flush));
        }
        all
    }
}
