//! Walks of a lane by itself: in kernels, in device functions, in the closure of another
//! walk. Each becomes plain loops over the slabs, under any schedule.

use super::{Lowering, schedule};
use crate::ir::visit::{any_in_block, rewrite_block};
use crate::ir::{Block, Expr, ExprKind, ForEachNeighbor, Stmt};
use proc_macro2::Span;

/// Whether a function has such a walk.
fn is_needed(body: &Block) -> bool {
    any_in_block(body, &|expr| matches!(&expr.kind, ExprKind::ForEachNeighbor(each) if each.alone))
}

impl Lowering<'_> {
    pub(super) fn walk_alone(&mut self) {
        if !is_needed(&self.function.body) {
            return;
        }
        let mut body = std::mem::take(&mut self.function.body);
        let group = std::mem::replace(&mut self.group, 1);
        self.splice(&mut body);
        // The outermost first: the walks in what became of one are found next.
        rewrite_block(&mut body, &mut |expr| match &mut expr.kind {
            ExprKind::If { then, .. } => self.splice(then),
            ExprKind::While { body, .. }
            | ExprKind::For { body, .. }
            | ExprKind::Loop { body, .. }
            | ExprKind::Block(body)
            | ExprKind::Unsafe(body) => self.splice(body),
            ExprKind::ForEachNeighbor(each) => self.splice(&mut each.body),
            _ => {}
        });
        self.group = group;
        self.function.body = body;
    }

    /// The walks among the statements of a block, as loops.
    fn splice(&mut self, block: &mut Block) {
        if matches!(&block.tail, Some(tail) if matches!(tail.kind, ExprKind::ForEachNeighbor(_))) {
            block.stmts.extend(block.tail.take().map(|tail| Stmt::Expr(*tail)));
        }
        for stmt in std::mem::take(&mut block.stmts) {
            match stmt {
                Stmt::Expr(Expr { kind: ExprKind::ForEachNeighbor(each), span, .. })
                    if each.alone =>
                {
                    block.stmts.extend(self.walk(*each, span));
                }
                other => block.stmts.push(other),
            }
        }
    }

    fn walk(&mut self, mut each: ForEachNeighbor, span: Span) -> Vec<Stmt> {
        let (errors, mut fits) = (self.errors, true);
        rewrite_block(&mut each.body, &mut |expr| {
            if !schedule::narrow(1, expr) {
                fits = false;
                errors.report(
                    expr.span,
                    "each lane walks by itself here, and this waits for other lanes",
                    "gather its arguments in the closure, and call it after the walk",
                );
            }
        });
        if !fits {
            return Vec::new();
        }
        let predicate = each.predicate.clone();
        self.lane_by_lane(each, predicate, None, span)
    }
}
