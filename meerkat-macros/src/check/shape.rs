//! Shape: where statements-as-values may stand, so that both back ends can
//! print them in evaluation order.

use crate::diagnostics::Errors;
use crate::ir::select::simple_block;
use crate::ir::{Block, Expr, ExprKind, Stmt, visit};

/// Reports control flow in the middle of an expression.
pub(super) fn check(body: &Block, errors: &Errors) {
    block(body, errors);
}

fn block(body: &Block, errors: &Errors) {
    for stmt in &body.stmts {
        match stmt {
            Stmt::Let { init: Some(Expr { kind: ExprKind::Shared { .. }, .. }), .. } => {}
            Stmt::Let { init: Some(init), .. } => value(init, errors),
            Stmt::Let { init: None, .. } => {}
            Stmt::Expr(expr) => value(expr, errors),
        }
    }
    if let Some(tail) = &body.tail {
        value(tail, errors);
    }
}

/// An expression whose value has a place to go: control flow may stand here.
fn value(expr: &Expr, errors: &Errors) {
    match &expr.kind {
        ExprKind::If { condition, then, otherwise } => {
            operand(condition, errors);
            block(then, errors);
            otherwise.iter().for_each(|otherwise| value(otherwise, errors));
        }
        ExprKind::While { condition, body, .. } => {
            operand(condition, errors);
            block(body, errors);
        }
        ExprKind::For { from, to, body, .. } => {
            operand(from, errors);
            operand(to, errors);
            block(body, errors);
        }
        ExprKind::Loop { body, .. } | ExprKind::Block(body) | ExprKind::Unsafe(body) => {
            block(body, errors);
        }
        ExprKind::Assign(place, right) => {
            operand(place, errors);
            value(right, errors);
        }
        ExprKind::Return(Some(result)) => value(result, errors),
        // Those that are statements have become loops.
        ExprKind::ForEachNeighbor(_) => {
            let help = "make it a statement of its own, in front of the value";
            errors.report(expr.place(), "a walk has no value", help);
        }
        ExprKind::Shared { .. } => operand(expr, errors),
        _ => visit::children(expr, &mut |child| operand(child, errors)),
    }
}

fn operand(expr: &Expr, errors: &Errors) {
    if let ExprKind::If { condition, then, otherwise: Some(otherwise) } = &expr.kind
        && then.stmts.is_empty()
        && let Some(tail) = &then.tail
    {
        operand(condition, errors);
        operand(tail, errors);
        operand(simple_block(otherwise), errors);
        return;
    }
    if expr.kind.is_control_flow() {
        errors.report(
            expr.place(),
            "control flow in the middle of an expression",
            "bind its value first: `let value = if .. { .. } else { .. };`",
        );
        return;
    }
    if matches!(expr.kind, ExprKind::Shared { .. }) {
        errors.report(
            expr.place(),
            "memory of the block needs a name",
            "bind it: `let bins = block_shared::<u32, 64>();`",
        );
        return;
    }
    if matches!(expr.kind, ExprKind::Assign(..) | ExprKind::AssignOp(..)) {
        errors.report(expr.place(), "an assignment has no value", "make it a statement of its own");
        return;
    }
    visit::children(expr, &mut |child| operand(child, errors));
}
