//! Functions of types that are called on a number whose type nobody wrote. rustc must know
//! the type by then: in the user's order something in front says it.

use super::intrinsics::Effect;
use super::visit::{self, Start};
use super::{BinaryOp, Block, Callee, Expr, ExprKind, Function, Literal, Type, VarId};

/// The variables without a written type that a function of a type is called on.
pub(crate) fn untyped(function: &Function, expr: &Expr) -> Vec<VarId> {
    let mut found = Vec::new();
    collect(function, expr, false, &mut found);
    found
}

fn collect(function: &Function, expr: &Expr, is_receiver: bool, found: &mut Vec<VarId>) {
    if let ExprKind::Local(id) = expr.kind {
        let is_untyped = matches!(function.var(id).ty, Type::Unknown | Type::Rustc(..));
        if is_receiver && is_untyped {
            found.push(id);
        }
    }
    let receiver = match &expr.kind {
        ExprKind::Method { receiver, method, of: None, .. } if method.effect == Effect::Pure => {
            Some(&**receiver)
        }
        ExprKind::Call { callee: Callee::Method(_), args } => args.first(),
        _ => None,
    };
    visit::children(expr, &mut |child| {
        let is_receiver = is_receiver || receiver.is_some_and(|part| std::ptr::eq(part, child));
        collect(function, child, is_receiver, found);
    });
}

/// The variables that may begin as numbers without a type: `let x = 3;`, `for i in 0..3`,
/// what a generic function makes of one. Of others rustc knows the type where they are
/// declared.
pub(crate) fn bare(body: &Block) -> Vec<VarId> {
    let mut found = Vec::new();
    visit::declarations(body, &mut |var, start| {
        let is_bare = match start {
            Start::Value(Some(value)) => is_bare(value, &found),
            Start::Value(None) => true,
            Start::Range(from, to) => is_bare(from, &found) && is_bare(to, &found),
            Start::Neighbor => false,
        };
        if is_bare {
            found.push(var);
        }
    });
    found
}

fn is_bare(value: &Expr, vars: &[VarId]) -> bool {
    match &value.kind {
        ExprKind::Literal(Literal::Int { suffix, .. } | Literal::Float { suffix, .. }) => {
            suffix.is_none()
        }
        ExprKind::Local(var) => vars.contains(var),
        ExprKind::Unary(_, a) | ExprKind::Field(a, _) | ExprKind::Index(a, _) => is_bare(a, vars),
        ExprKind::Repeat(item, _) => is_bare(item, vars),
        ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, a, _) => is_bare(a, vars),
        ExprKind::Binary(op, a, b) => !op.is_comparison() && is_bare(a, vars) && is_bare(b, vars),
        ExprKind::If { then, otherwise: Some(otherwise), .. } => {
            then.tail.as_ref().is_some_and(|tail| is_bare(tail, vars)) && is_bare(otherwise, vars)
        }
        ExprKind::Block(body) | ExprKind::Unsafe(body) => {
            body.tail.as_ref().is_some_and(|tail| is_bare(tail, vars))
        }
        ExprKind::Intrinsic { intrinsic, args, .. } if intrinsic.name == "select" => {
            args[1..].iter().all(|side| is_bare(side, vars))
        }
        // They may be generic, and their result of the same type.
        ExprKind::Call { args: parts, .. }
        | ExprKind::Intrinsic { args: parts, .. }
        | ExprKind::Tuple(parts)
        | ExprKind::Array(parts) => parts.iter().any(|part| is_bare(part, vars)),
        ExprKind::Struct { fields, .. } => fields.iter().any(|(_, part)| is_bare(part, vars)),
        _ => false,
    }
}
