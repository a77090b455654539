//! Which variables surely hold no slice: a struct with one comes in as a parameter.

use crate::ir::visit::{self, root};
use crate::ir::{Block, Expr, ExprKind, Function, Stmt, Type, VarId};

/// The variables that hold nothing of a struct that was passed in, which may hold slices.
pub(super) fn own(function: &Function) -> Vec<VarId> {
    let mut own: Vec<_> = (0..function.vars.len()).map(VarId).collect();
    own.retain(|var| {
        let var = function.var(*var);
        !var.parameter || var.ty.scalar().is_some() || matches!(var.ty, Type::Slice(..))
    });
    loop {
        let mut tainted = Vec::new();
        let mut note = |var: VarId, value: &Expr| {
            let holds = |part: &Expr| match &part.kind {
                ExprKind::Local(from) => !own.contains(from),
                ExprKind::Tuple(parts) | ExprKind::Array(parts) => {
                    parts.iter().any(|part| is_slice(function, part))
                }
                _ => false,
            };
            if own.contains(&var) && visit::any(value, &holds) {
                tainted.push(var);
            }
        };
        visit_values(&function.body, &mut note);
        if tainted.is_empty() {
            return own;
        }
        own.retain(|var| !tainted.contains(var));
    }
}

pub(super) fn is_slice(function: &Function, value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Local(var)
        if matches!(function.var(var).ty, Type::Slice(..)))
}

/// Calls `f` on each variable that a block gives a value, and the value.
fn visit_values(block: &Block, f: &mut dyn FnMut(VarId, &Expr)) {
    for stmt in &block.stmts {
        if let Stmt::Let { var, init: Some(init), .. } = stmt {
            f(*var, init);
        }
        visit::stmt_exprs(stmt, &mut |expr| values_in(expr, f));
    }
    block.tail.iter().for_each(|tail| values_in(tail, f));
}

fn values_in(expr: &Expr, f: &mut dyn FnMut(VarId, &Expr)) {
    match &expr.kind {
        ExprKind::If { condition, then, otherwise } => {
            values_in(condition, f);
            visit_values(then, f);
            otherwise.iter().for_each(|otherwise| values_in(otherwise, f));
        }
        ExprKind::While { body, .. }
        | ExprKind::For { body, .. }
        | ExprKind::Loop { body, .. }
        | ExprKind::Block(body)
        | ExprKind::Unsafe(body) => visit_values(body, f),
        ExprKind::Assign(place, value) => {
            if let Some(var) = root(place) {
                f(var, value);
            }
            values_in(value, f);
        }
        _ => visit::children(expr, &mut |child| values_in(child, f)),
    }
}
