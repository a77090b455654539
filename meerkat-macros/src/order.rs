//! Order of evaluation: Rust evaluates operands from left to right, C++ as it
//! likes. Where it matters, because one operand changes what another reads, the
//! earlier ones get variables of their own.

use crate::diagnostics::Errors;
use crate::ir::intrinsics::Effect;
use crate::ir::{Block, Expr, ExprKind, Function, Stmt, Type, visit};

/// Gives operands whose order matters statements of their own.
pub(crate) fn settle(mut function: Function, errors: &Errors) -> Function {
    let mut body = std::mem::take(&mut function.body);
    let mut order = Order { function: &mut function, errors };
    order.block(&mut body);
    function.body = body;
    function
}

struct Order<'a> {
    function: &'a mut Function,
    errors: &'a Errors,
}

impl Order<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut stmts = Vec::new();
        for mut stmt in std::mem::take(&mut block.stmts) {
            self.branches_to_memory(&mut stmt, &mut stmts);
            match &mut stmt {
                Stmt::Let { init: Some(init), .. } => self.value(init, &mut stmts),
                Stmt::Let { init: None, .. } => {}
                Stmt::Expr(expr) => self.value(expr, &mut stmts),
            }
            stmts.push(stmt);
        }
        if let Some(tail) = &mut block.tail {
            self.value(tail, &mut stmts);
        }
        block.stmts = stmts;
    }

    // expands to: let assigned = match ..; x[i] = assigned;
    fn branches_to_memory(&mut self, stmt: &mut Stmt, out: &mut Vec<Stmt>) {
        let Stmt::Expr(Expr { kind: ExprKind::Assign(place, value), span, .. }) = stmt else {
            return;
        };
        let simple = crate::check::shape::as_select(value).is_some();
        if matches!(place.kind, ExprKind::Local(_)) || !value.kind.is_control_flow() || simple {
            return;
        }
        let ty = match &place.kind {
            ExprKind::Index(base, _) => match base.kind {
                ExprKind::Local(slice) => self.function.var(slice).ty.element(),
                _ => Type::Unknown,
            },
            _ => Type::Unknown,
        };
        let span = *span;
        let assigned = self.function.fresh_var("assigned", ty, false, span);
        let read = self.function.local(assigned, span);
        let init = std::mem::replace(&mut **value, read);
        let mut declaration = Stmt::Let { var: assigned, init: Some(init), span };
        if let Stmt::Let { init: Some(init), .. } = &mut declaration {
            self.value(init, out);
        }
        out.push(declaration);
    }

    /// An expression in front of which statements may go.
    fn value(&mut self, expr: &mut Expr, out: &mut Vec<Stmt>) {
        match &mut expr.kind {
            ExprKind::If { condition, then, otherwise } => {
                self.value(condition, out);
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.alone(otherwise);
                }
            }
            ExprKind::While { condition, body, .. } => {
                self.alone(condition);
                self.block(body);
            }
            ExprKind::For { from, to, body, .. } => {
                self.value(from, out);
                self.value(to, out);
                self.block(body);
            }
            ExprKind::Loop { body, .. } | ExprKind::Block(body) | ExprKind::Unsafe(body) => {
                self.block(body);
            }
            ExprKind::ForEachNeighbor(each) => {
                self.value(&mut each.vertex, out);
                self.alone(&mut each.predicate);
                self.block(&mut each.body);
            }
            ExprKind::Return(Some(value)) => self.value(value, out),
            ExprKind::Assign(place, value) | ExprKind::AssignOp(_, place, value) => {
                self.value(value, out);
                self.value(place, out);
            }
            ExprKind::Binary(op, left, right) if op.is_logical() => {
                self.value(left, out);
                self.alone(right);
            }
            _ => self.operands(expr, out),
        }
    }

    /// An expression that may not run at all, or runs again: nothing can be moved
    /// in front of it. A branch has blocks of its own for that.
    fn alone(&mut self, expr: &mut Expr) {
        let mut moved = Vec::new();
        self.value(expr, &mut moved);
        if let Some(Stmt::Let { init: Some(first), .. }) = moved.first() {
            self.errors.report(
                first.place(),
                "this is evaluated before something that may change it, and not always",
                "bind it to a variable in a statement of its own",
            );
        }
    }

    fn operands(&mut self, expr: &mut Expr, out: &mut Vec<Stmt>) {
        let mut operands = operands_of(expr);
        for at in 0..operands.len() {
            let (before, after) = operands.split_at_mut(at + 1);
            let Some(operand) = before.last_mut() else { continue };
            // Each is settled before the next, whose own parts may move in front.
            self.value(operand, out);
            let changes = after.iter().any(|later| visit::any(later, &has_effect));
            let dequeues = after.iter().any(|later| visit::any(later, &is_dequeue));
            if changes && visit::any(operand, &|inner| self.is_ordered(inner, dequeues)) {
                self.bind(operand, out);
            }
        }
    }

    /// `let first = operand;`
    fn bind(&mut self, operand: &mut Expr, out: &mut Vec<Stmt>) {
        let span = operand.span;
        let var = self.function.fresh_var("first", Type::Unknown, false, span);
        let read = self.function.local(var, span);
        let init = std::mem::replace(operand, read);
        out.push(Stmt::Let { var, init: Some(init), span });
    }

    /// Whether its value depends on when it is evaluated.
    fn is_ordered(&self, expr: &Expr, dequeues: bool) -> bool {
        match &expr.kind {
            // No function can change its caller's variables.
            ExprKind::Local(var) => dequeues && self.function.var(*var).mutable,
            ExprKind::Index(..) => true,
            ExprKind::Method { method, .. } => method.effect != Effect::Pure,
            _ => has_effect(expr),
        }
    }
}

/// Whether evaluating it changes something.
fn has_effect(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { .. } => true,
        ExprKind::Method { method, .. } => {
            matches!(method.effect, Effect::AtomicUpdate | Effect::UncheckedWrite)
        }
        ExprKind::Intrinsic { intrinsic, .. } => intrinsic.is_library() || is_dequeue(expr),
        _ => false,
    }
}

fn is_dequeue(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Intrinsic { intrinsic, .. }
        if intrinsic.name.ends_with("dequeue"))
}

/// The values that an expression takes, in order. What only names a place (a
/// slice, a graph) is not one.
fn operands_of(expr: &mut Expr) -> Vec<&mut Expr> {
    if is_dequeue(expr) {
        return Vec::new();
    }
    match &mut expr.kind {
        ExprKind::Unary(_, a) | ExprKind::Cast(a, _) | ExprKind::Field(a, _) => vec![a],
        ExprKind::Binary(_, a, b) => vec![a, b],
        ExprKind::Index(_, at) => vec![at],
        ExprKind::Struct { fields, .. } => fields.iter_mut().map(|(_, value)| value).collect(),
        ExprKind::Method { receiver, method, args, .. } => {
            let mut all = match method.effect {
                Effect::Pure => vec![&mut **receiver],
                _ => operands_of(receiver),
            };
            all.extend(args);
            all
        }
        ExprKind::Intrinsic { args, .. }
        | ExprKind::Call { args, .. }
        | ExprKind::TypeCall { args, .. }
        | ExprKind::Array(args) => args.iter_mut().collect(),
        _ => Vec::new(),
    }
}
