//! Guarding: which statements run only for lanes with work, and how a
//! collective hears of the lanes without one.

use super::Lowering;
use crate::diagnostics::LOOP_ALIKE;
use crate::diagnostics::Place;
use crate::ir::effects;
use crate::ir::visit::{
    self, any, any_in_block, any_in_stmt, block, is_collective, mentions, stmt_exprs,
};
use crate::ir::{Block, Expr, ExprKind, Literal, Stmt, VarId};
use crate::parse::expression;
use proc_macro2::Span;

impl Lowering<'_> {
    /// Runs of statements without collectives go into one `if guard`; what they
    /// declare and later statements read is declared in front of it.
    pub(super) fn guard(&mut self, stmts: Vec<Stmt>, guard: VarId) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut run = Vec::new();
        let mut rest = std::collections::VecDeque::from(stmts);
        while let Some(stmt) = rest.pop_front() {
            if any_in_stmt(&stmt, &is_collective) {
                let (before, stmt) = unfold(stmt);
                if !before.is_empty() {
                    rest.push_front(stmt);
                    before.into_iter().rev().for_each(|stmt| rest.push_front(stmt));
                    continue;
                }
                self.flush(&mut run, guard, Some(&stmt), &rest, &mut out);
                self.collective(stmt, guard, &mut out);
            } else {
                run.push(stmt);
            }
        }
        self.flush(&mut run, guard, None, &rest, &mut out);
        out
    }

    fn flush(
        &mut self,
        run: &mut Vec<Stmt>,
        guard: VarId,
        next: Option<&Stmt>,
        rest: &std::collections::VecDeque<Stmt>,
        out: &mut Vec<Stmt>,
    ) {
        let read_later = |var: VarId| {
            let mut found = false;
            for stmt in next.into_iter().chain(rest) {
                stmt_exprs(stmt, &mut |expr| found = found || mentions(expr, var));
            }
            found
        };
        let mut guarded = Vec::new();
        for stmt in run.drain(..) {
            match stmt {
                // A constant needs no guard where it is read outside.
                Stmt::Let { var, init: Some(init), span }
                    if is_constant(&init) && read_later(var) =>
                {
                    out.push(Stmt::Let { var, init: Some(init), span });
                }
                Stmt::Let { var, init: Some(init), span } if read_later(var) => {
                    self.function.vars[var.0].deferred = true;
                    out.push(Stmt::Let { var, init: None, span });
                    guarded.push(self.assign(var, init, span));
                }
                other => guarded.push(other),
            }
        }
        if guarded.is_empty() {
            return;
        }
        let span = guarded.first().map_or(self.function.name.span(), span_of);
        let condition = self.function.local(guard, span);
        out.push(self.if_then(condition, guarded, span));
    }

    fn collective(&mut self, stmt: Stmt, guard: VarId, out: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Expr(Expr { kind: ExprKind::ForEachNeighbor(each), span, .. }) => {
                out.extend(self.for_each_neighbor(*each, guard, span));
            }
            Stmt::Let { var, init: Some(init), span } => {
                let init = self.join_guard(init, guard);
                out.push(Stmt::Let { var, init: Some(init), span });
            }
            Stmt::Let { .. } => out.push(stmt),
            Stmt::Expr(expr) => {
                let expr = self.collective_expr(expr, guard);
                out.push(Stmt::Expr(expr));
            }
        }
    }

    /// Control flow around a collective keeps its shape; its body is guarded.
    fn collective_expr(&mut self, mut expr: Expr, guard: VarId) -> Expr {
        if let Some(condition) = conditions(&expr).into_iter().find(|c| any(c, &is_collective)) {
            let help = if is_loop(&expr) {
                LOOP_ALIKE
            } else if bodies(&expr).any(|body| any_in_block(body, &is_collective)) {
                "bind it first, `let some = warp_any(..);`, and pass it as predicate: the third \
                 argument of `for_each_neighbor`, the last of `warp_enqueue_frontier`"
            } else {
                "bind it first, in a statement of its own: `let some = warp_any(..);`"
            };
            let message = "a collective in a condition of an operator";
            self.errors.report(condition.place(), message, help);
        } else if let Some(condition) = self.own_condition(&expr) {
            let help = match expr.kind {
                ExprKind::If { .. } => {
                    "pass the condition as predicate: the third argument of `for_each_neighbor`, \
                     the last of `warp_enqueue_frontier`"
                }
                _ => LOOP_ALIKE,
            };
            self.errors.report(condition, inside_divergent(&expr), help);
        } else if let ExprKind::Loop { body, .. }
        | ExprKind::While { body, .. }
        | ExprKind::For { body, .. } = &expr.kind
        {
            self.refuse_own_exits(body);
        }
        match &mut expr.kind {
            ExprKind::If { then, otherwise, .. } => {
                self.guard_block(then, guard);
                if let Some(otherwise) = otherwise {
                    let inner = std::mem::replace(&mut **otherwise, placeholder(expr.span));
                    **otherwise = self.collective_expr(inner, guard);
                }
                expr
            }
            ExprKind::While { body, .. }
            | ExprKind::Loop { body, .. }
            | ExprKind::For { body, .. }
            | ExprKind::Block(body)
            | ExprKind::Unsafe(body) => {
                self.guard_block(body, guard);
                expr
            }
            _ => self.join_guard(expr, guard),
        }
    }

    /// A loop around a collective that some lanes leave, or begin again, before others.
    fn refuse_own_exits(&self, body: &Block) {
        block(body, &mut |expr| match &expr.kind {
            ExprKind::If { then, otherwise, .. } => match self.own_condition(expr) {
                Some(place) if bodies(expr).any(leaves_loop) => {
                    let message = "a collective inside a loop that some lanes leave early: \
                                       all lanes must reach it equally often";
                    self.errors.report(place, message, LOOP_ALIKE);
                }
                _ => {
                    self.refuse_own_exits(then);
                    if let Some(ExprKind::Block(body)) = otherwise.as_ref().map(|o| &o.kind) {
                        self.refuse_own_exits(body);
                    }
                }
            },
            ExprKind::Block(body) | ExprKind::Unsafe(body) => self.refuse_own_exits(body),
            _ => {}
        });
    }

    /// The condition of control flow that depends on the lane's own values.
    fn own_condition(&self, expr: &Expr) -> Option<crate::diagnostics::Place> {
        let own = |value: &Expr| {
            any(value, &|inner| match &inner.kind {
                ExprKind::Local(var) => !self.function.var(*var).parameter,
                ExprKind::Call { .. } | ExprKind::Method { .. } => true,
                ExprKind::Intrinsic { intrinsic, .. } => {
                    !intrinsic.shape.is_collective() && intrinsic.name != "select"
                }
                _ => false,
            })
        };
        conditions(expr).into_iter().find(|condition| own(condition)).map(Expr::place)
    }

    fn guard_block(&mut self, block: &mut Block, guard: VarId) {
        let mut body = std::mem::take(block);
        if let Some(tail) = body.tail.take() {
            body.stmts.push(Stmt::Expr(*tail));
        }
        block.stmts = self.guard(body.stmts, guard);
    }

    /// `warp_ballot(p)` to `warp_ballot(active && p)`: lanes without an item
    /// vote no. Collectives without a predicate have no such neutral vote.
    fn join_guard(&mut self, mut expr: Expr, guard: VarId) -> Expr {
        let mut refused = None;
        crate::ir::visit::rewrite(&mut expr, &mut |inner| {
            let place = inner.place();
            let ExprKind::Intrinsic { intrinsic, group, args } = &mut inner.kind else { return };
            let name = intrinsic.spelled(*group);
            if !intrinsic.shape.is_collective() {
                return;
            }
            match intrinsic.predicate {
                Some(at) => {
                    let predicate = std::mem::replace(&mut args[at], placeholder(inner.span));
                    args[at] = self.and_guard(predicate, guard);
                    for (other, arg) in args.iter_mut().enumerate() {
                        if other != at && effects::any(arg, |found| found.reads) {
                            refused = Some((arg.place(), name.clone(), true));
                        }
                    }
                }
                None => refused = Some((place, name, false)),
            }
        });
        if let Some((place, name, reads)) = refused {
            self.refuse_in_operator(place, &name, reads);
        }
        expr
    }

    fn refuse_in_operator(&self, place: Place, name: &str, reads: bool) {
        if reads {
            self.errors.report(
                place,
                format!("this argument of `{name}` reads memory, also in lanes without an item"),
                "read it into a variable first: `let value = ...;`",
            );
        } else {
            self.errors.report(
                place,
                format!("`{name}` in an operator would mix in lanes that have no item"),
                "accumulate in the closure of `for_each_neighbor`, or write a `#[kernel]`",
            );
        }
    }

    /// `guard && predicate`, or just `guard` where the predicate is `true`.
    pub(super) fn and_guard(&mut self, predicate: Expr, guard: VarId) -> Expr {
        let span = predicate.span;
        let active = self.function.local(guard, span);
        if matches!(predicate.kind, ExprKind::Literal(Literal::Bool(true))) {
            return active;
        }
        expression!(self, span, [active, predicate] active && predicate)
    }
}

/// Whether a `break` or `continue` in the block goes to a loop around it: one without a
/// label that is in no loop of the block, or one with a label.
fn leaves_loop(body: &Block) -> bool {
    fn leaves(expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Break(_) | ExprKind::Continue(_) => true,
            _ if is_loop(expr) => visit::any(expr, &|inner| {
                matches!(inner.kind, ExprKind::Break(Some(_)) | ExprKind::Continue(Some(_)))
            }),
            _ => {
                let mut found = false;
                visit::children(expr, &mut |child| found |= leaves(child));
                found
            }
        }
    }
    let mut found = false;
    block(body, &mut |expr| found |= leaves(expr));
    found
}

/// What is wrong with a branch or loop that parts lanes.
fn inside_divergent(expr: &Expr) -> &'static str {
    if is_loop(expr) {
        "a collective inside a divergent loop: all lanes must reach it equally often"
    } else {
        "a collective inside a divergent branch: all lanes must reach it"
    }
}

/// `let x = { a; b };` as `a;` and `let x = b;`, and assignments likewise.
fn unfold(mut stmt: Stmt) -> (Vec<Stmt>, Stmt) {
    let value = match &mut stmt {
        Stmt::Let { init: Some(value), .. } => value,
        Stmt::Expr(Expr { kind: ExprKind::Assign(_, value), .. })
        | Stmt::Expr(Expr { kind: ExprKind::AssignOp(_, _, value), .. }) => &mut **value,
        _ => return (Vec::new(), stmt),
    };
    let ExprKind::Block(block) = &mut value.kind else { return (Vec::new(), stmt) };
    let Some(tail) = block.tail.take() else { return (Vec::new(), stmt) };
    let before = std::mem::take(&mut block.stmts);
    *value = *tail;
    (before, stmt)
}

fn is_loop(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::While { .. } | ExprKind::For { .. } | ExprKind::Loop { .. })
}

/// The blocks that a branch chooses from.
fn bodies(expr: &Expr) -> impl Iterator<Item = &Block> {
    let (then, otherwise) = match &expr.kind {
        ExprKind::If { then, otherwise, .. } => (Some(then), otherwise.as_deref()),
        _ => (None, None),
    };
    let otherwise = otherwise.and_then(|otherwise| match &otherwise.kind {
        ExprKind::Block(block) | ExprKind::If { then: block, .. } => Some(block),
        _ => None,
    });
    then.into_iter().chain(otherwise)
}

/// What control flow goes by.
fn conditions(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::If { condition, .. } | ExprKind::While { condition, .. } => vec![condition],
        ExprKind::For { from, to, .. } => vec![from, to],
        _ => Vec::new(),
    }
}

fn span_of(stmt: &Stmt) -> Span {
    match stmt {
        Stmt::Let { span, .. } => *span,
        Stmt::Expr(expr) => expr.span,
    }
}

fn is_constant(expr: &Expr) -> bool {
    !any(expr, &|inner| {
        !matches!(
            inner.kind,
            ExprKind::Literal(_) | ExprKind::Const(_) | ExprKind::Unary(..) | ExprKind::Cast(..)
        )
    })
}

fn placeholder(span: Span) -> Expr {
    let kind = ExprKind::Literal(Literal::Bool(false));
    let ty = crate::ir::Type::BOOL;
    Expr { id: crate::ir::ExprId(usize::MAX), kind, ty, slot: None, span, end: span }
}
