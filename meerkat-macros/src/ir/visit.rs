//! Walking the tree: one place that knows where sub-expressions are.

use super::{Block, Expr, ExprKind, Stmt, VarId};

/// Calls `f` on each direct sub-expression, in evaluation order. Blocks count
/// through their statements.
pub(crate) fn children<'a>(expr: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    use ExprKind::*;
    match &expr.kind {
        Literal(_) | Local(_) | Const(_) | Identity(_) | Shared { .. } | Break(_) | Continue(_) => {
        }
        Unary(_, a) | Cast(a, _) | Field(a, _) | Repeat(a, _) | Assert(a) => f(a),
        Binary(_, a, b) | Index(a, b) => {
            f(a);
            f(b);
        }
        Assign(place, value) | AssignOp(_, place, value) => {
            f(value);
            f(place);
        }
        Struct { fields, .. } => fields.iter().for_each(|(_, value)| f(value)),
        Intrinsic { args, .. } | Call { args, .. } | Array(args) | Tuple(args) => {
            args.iter().for_each(f)
        }
        Method { receiver, args, .. } => {
            f(receiver);
            args.iter().for_each(f);
        }
        If { condition, then, otherwise } => {
            f(condition);
            block(then, f);
            if let Some(otherwise) = otherwise {
                f(otherwise);
            }
        }
        While { condition, body, .. } => {
            f(condition);
            block(body, f);
        }
        Loop { body, .. } | Block(body) | Unsafe(body) => block(body, f),
        For { from, to, body, .. } => {
            f(from);
            f(to);
            block(body, f);
        }
        Return(value) => {
            if let Some(value) = value {
                f(value);
            }
        }
        ForEachNeighbor(each) => {
            f(&each.graph);
            f(&each.vertex);
            if let super::Lists::One(bucket) = &each.lists {
                f(bucket);
            }
            f(&each.predicate);
            block(&each.body, f);
        }
    }
}

/// Calls `f` on the expressions of a block's statements and on its value.
pub(crate) fn block<'a>(block: &'a Block, f: &mut dyn FnMut(&'a Expr)) {
    for stmt in &block.stmts {
        stmt_exprs(stmt, f);
    }
    if let Some(tail) = &block.tail {
        f(tail);
    }
}

pub(crate) fn stmt_exprs<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(&'a Expr)) {
    match stmt {
        Stmt::Let { init: Some(init), .. } => f(init),
        Stmt::Let { init: None, .. } => {}
        Stmt::Expr(expr) => f(expr),
    }
}

/// Whether `found` holds for the expression or anything below it.
pub(crate) fn any(expr: &Expr, found: &dyn Fn(&Expr) -> bool) -> bool {
    if found(expr) {
        return true;
    }
    let mut hit = false;
    children(expr, &mut |child| hit = hit || any(child, found));
    hit
}

pub(crate) fn any_in_block(body: &Block, found: &dyn Fn(&Expr) -> bool) -> bool {
    let mut hit = false;
    block(body, &mut |expr| hit = hit || any(expr, found));
    hit
}

pub(crate) fn any_in_stmt(stmt: &Stmt, found: &dyn Fn(&Expr) -> bool) -> bool {
    let mut hit = false;
    stmt_exprs(stmt, &mut |expr| hit = hit || any(expr, found));
    hit
}

/// Whether the expression waits for the other lanes of its warp.
pub(crate) fn is_collective(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Intrinsic { intrinsic, .. } => intrinsic.shape.is_collective(),
        ExprKind::ForEachNeighbor(each) => !each.alone,
        ExprKind::Shared { .. } => true,
        _ => false,
    }
}

pub(crate) fn mentions(expr: &Expr, var: VarId) -> bool {
    any(expr, &|inner| matches!(inner.kind, ExprKind::Local(id) if id == var))
}

/// The variable a place expression starts from: `edge` in `edge.src`.
pub(crate) fn root(place: &Expr) -> Option<VarId> {
    match &place.kind {
        ExprKind::Local(var) => Some(*var),
        ExprKind::Field(base, _) | ExprKind::Index(base, _) => root(base),
        _ => None,
    }
}

/// Calls `f` on every expression below a block, outermost first; `f` may
/// replace it, and its new children are visited too.
pub(crate) fn rewrite_block(body: &mut Block, f: &mut dyn FnMut(&mut Expr)) {
    for stmt in &mut body.stmts {
        match stmt {
            Stmt::Let { init: Some(init), .. } => rewrite(init, f),
            Stmt::Let { init: None, .. } => {}
            Stmt::Expr(expr) => rewrite(expr, f),
        }
    }
    if let Some(tail) = &mut body.tail {
        rewrite(tail, f);
    }
}

/// [`rewrite_block`] for one expression.
pub(crate) fn rewrite(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    use ExprKind::*;
    f(expr);
    match &mut expr.kind {
        Literal(_) | Local(_) | Const(_) | Identity(_) | Shared { .. } | Break(_) | Continue(_) => {
        }
        Unary(_, a) | Cast(a, _) | Field(a, _) | Repeat(a, _) | Assert(a) => rewrite(a, f),
        Binary(_, a, b) | Index(a, b) | Assign(a, b) | AssignOp(_, a, b) => {
            rewrite(a, f);
            rewrite(b, f);
        }
        Struct { fields, .. } => fields.iter_mut().for_each(|(_, value)| rewrite(value, f)),
        Intrinsic { args, .. } | Call { args, .. } | Array(args) | Tuple(args) => {
            args.iter_mut().for_each(|arg| rewrite(arg, f));
        }
        Method { receiver, args, .. } => {
            rewrite(receiver, f);
            args.iter_mut().for_each(|arg| rewrite(arg, f));
        }
        If { condition, then, otherwise } => {
            rewrite(condition, f);
            rewrite_block(then, f);
            if let Some(otherwise) = otherwise {
                rewrite(otherwise, f);
            }
        }
        While { condition, body, .. } => {
            rewrite(condition, f);
            rewrite_block(body, f);
        }
        Loop { body, .. } | Block(body) | Unsafe(body) => rewrite_block(body, f),
        For { from, to, body, .. } => {
            rewrite(from, f);
            rewrite(to, f);
            rewrite_block(body, f);
        }
        Return(value) => {
            if let Some(value) = value {
                rewrite(value, f);
            }
        }
        ForEachNeighbor(each) => {
            rewrite(&mut each.graph, f);
            rewrite(&mut each.vertex, f);
            if let super::Lists::One(bucket) = &mut each.lists {
                rewrite(bucket, f);
            }
            rewrite(&mut each.predicate, f);
            rewrite_block(&mut each.body, f);
        }
    }
}

/// What a variable begins as.
pub(crate) enum Start<'a> {
    Value(Option<&'a Expr>),
    Range(&'a Expr, &'a Expr),
    /// The neighbour of a walk, or the weight.
    Neighbor,
}

/// The variables a block declares, at any depth.
pub(crate) fn declared(body: &Block) -> Vec<VarId> {
    let mut vars = Vec::new();
    declarations(body, &mut |var, _| vars.push(var));
    vars
}

/// Calls `f` on the variables a block declares, at any depth, and on what each begins as.
pub(crate) fn declarations<'a>(body: &'a Block, f: &mut dyn FnMut(VarId, Start<'a>)) {
    for stmt in &body.stmts {
        if let Stmt::Let { var, init, .. } = stmt {
            f(*var, Start::Value(init.as_ref()));
        }
        stmt_exprs(stmt, &mut |expr| declarations_in(expr, f));
    }
    if let Some(tail) = &body.tail {
        declarations_in(tail, f);
    }
}

fn declarations_in<'a>(expr: &'a Expr, f: &mut dyn FnMut(VarId, Start<'a>)) {
    match &expr.kind {
        ExprKind::If { then, otherwise, .. } => {
            declarations(then, f);
            if let Some(otherwise) = otherwise {
                declarations_in(otherwise, f);
            }
        }
        ExprKind::For { var, from, to, body, .. } => {
            f(*var, Start::Range(from, to));
            declarations(body, f);
        }
        ExprKind::While { body, .. } | ExprKind::Loop { body, .. } => declarations(body, f),
        ExprKind::Block(body) | ExprKind::Unsafe(body) => declarations(body, f),
        ExprKind::ForEachNeighbor(each) => {
            f(each.dst, Start::Neighbor);
            if let Some(weight) = each.weight {
                f(weight, Start::Neighbor);
            }
            declarations(&each.body, f);
        }
        // Branches may be what is assigned or returned.
        _ => children(expr, &mut |child| declarations_in(child, f)),
    }
}
