//! Values chosen by a condition.

use super::{Block, Expr, ExprKind};

/// `{ value }` is `value`.
pub(crate) fn simple_block(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Block(Block { stmts, tail: Some(tail) }) if stmts.is_empty() => tail,
        _ => expr,
    }
}

/// `if c { a } else { b }` with nothing but values: what a ternary can say.
pub(crate) fn as_select(expr: &Expr) -> Option<(&Expr, &Expr, &Expr)> {
    let ExprKind::If { condition, then, otherwise: Some(otherwise) } = &expr.kind else {
        return None;
    };
    let tail = then.tail.as_deref().filter(|_| then.stmts.is_empty())?;
    let otherwise = simple_block(otherwise);
    let simple = |arm: &Expr| as_select(arm).is_some() || !arm.kind.is_control_flow();
    (simple(tail) && simple(otherwise)).then_some((condition, tail, otherwise))
}
