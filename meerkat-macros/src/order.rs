//! Order of evaluation: Rust evaluates operands from left to right, C++ as it
//! likes. Where it matters, because one operand changes what another reads, the
//! earlier ones get variables of their own. Where those would stand in front of
//! something that may not run, or runs again, it becomes a branch or a loop that
//! has room for them.

use crate::ir::effects::{self, Effects};
use crate::ir::intrinsics::Effect;
use crate::ir::select::as_select;
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, Function, Literal, Stmt, Type, UnaryOp, VarId, receiver, visit,
};

/// Gives operands whose order matters statements of their own.
pub(crate) fn sequence_operands(mut function: Function) -> Function {
    let mut body = std::mem::take(&mut function.body);
    let bare = receiver::bare(&body);
    Order { function: &mut function, bare }.block(&mut body);
    function.body = body;
    function
}

struct Order<'a> {
    function: &'a mut Function,
    /// The variables that begin as numbers without a type.
    bare: Vec<VarId>,
}

impl Order<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut stmts = Vec::new();
        for mut stmt in std::mem::take(&mut block.stmts) {
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

    /// An expression in front of which statements may go.
    fn value(&mut self, expr: &mut Expr, out: &mut Vec<Stmt>) {
        match &mut expr.kind {
            ExprKind::If { condition, then, otherwise } => {
                self.operand(condition, out);
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.otherwise(otherwise);
                }
            }
            ExprKind::While { .. } => self.while_loop(expr),
            ExprKind::For { from, to, body, .. } => {
                self.in_order(vec![from, to], out);
                self.block(body);
            }
            ExprKind::Loop { body, .. } | ExprKind::Block(body) | ExprKind::Unsafe(body) => {
                self.block(body);
            }
            ExprKind::ForEachNeighbor(each) => {
                let mut operands = vec![&mut each.vertex];
                if let crate::ir::Lists::One(bucket) = &mut each.lists {
                    operands.push(bucket);
                }
                // The walk names its vertex after its condition, which may need the type.
                let mut asked = receiver::untyped(self.function, &each.predicate);
                asked.retain(|var| self.bare.contains(var));
                for operand in &mut operands {
                    if asked.iter().any(|&var| visit::mentions(operand, var)) {
                        self.bind(operand, "visited", "the vertex", Type::U32, out);
                    }
                }
                operands.push(&mut each.predicate);
                self.in_order(operands, out);
                self.block(&mut each.body);
            }
            ExprKind::Return(Some(value)) => self.value(value, out),
            ExprKind::Assign(place, value) => self.assignment(place, value, false, out),
            ExprKind::AssignOp(_, place, value) => self.assignment(place, value, true, out),
            ExprKind::Binary(op, ..) if op.is_logical() => self.logical(expr, out),
            _ => self.in_order(operands_of(expr), out),
        }
    }

    /// A value in the middle of an expression: a choice whose sides have got
    /// statements cannot stand there.
    fn operand(&mut self, expr: &mut Expr, out: &mut Vec<Stmt>) {
        let chosen = as_select(expr).is_some();
        self.value(expr, out);
        if chosen && as_select(expr).is_none() {
            self.bind(expr, "chosen", "the chosen value", Type::Unknown, out);
        }
    }

    fn in_order(&mut self, mut operands: Vec<&mut Expr>, out: &mut Vec<Stmt>) {
        for at in 0..operands.len() {
            let (before, after) = operands.split_at_mut(at + 1);
            let Some(operand) = before.last_mut() else { continue };
            let later = Later::of(after);
            // Each is put in order before the next, whose own parts may move in front.
            self.operand(operand, out);
            if visit::any(operand, &|inner| self.is_ordered(inner, &later)) {
                self.bind_first(operand, out);
            }
        }
    }

    // expands to: else { let first = ..; value }
    fn otherwise(&mut self, expr: &mut Expr) {
        let mut stmts = Vec::new();
        self.value(expr, &mut stmts);
        if stmts.is_empty() {
            return;
        }
        let span = expr.span;
        let block = self.function.expr(ExprKind::Block(Block::default()), span);
        let tail = Some(Box::new(std::mem::replace(expr, block)));
        expr.kind = ExprKind::Block(Block { stmts, tail });
    }

    // expands to:
    //   let first = left;
    //   let mut both = first;
    //   if first { let first = ..; both = right; }
    fn logical(&mut self, expr: &mut Expr, out: &mut Vec<Stmt>) {
        let span = expr.span;
        let ExprKind::Binary(op, left, right) = &mut expr.kind else { return };
        let op = *op;
        self.operand(left, out);
        let mut stmts = Vec::new();
        self.operand(right, &mut stmts);
        if stmts.is_empty() {
            return;
        }
        if op == BinaryOp::LogicalAnd && matches!(left.kind, ExprKind::Literal(Literal::Bool(true)))
        {
            out.append(&mut stmts);
            *expr = (**right).clone();
            return;
        }
        // A variable of its own, which varies only as far as `left` does.
        self.bind(left, "first", "this condition", Type::BOOL, out);
        let name = if op == BinaryOp::LogicalAnd { "both" } else { "either" };
        let var = self.function.fresh_var(name, Type::BOOL, true, span);
        self.function.vars[var.0].described = Some("this condition");
        let mut local = || self.function.local(var, span);
        let (place, value) = (local(), local());
        let test = std::mem::replace(&mut **left, value.clone());
        let right = std::mem::replace(&mut **right, value.clone());
        *expr = value;
        out.push(Stmt::Let { var, init: Some(test.clone()), span });
        let test = match op {
            BinaryOp::LogicalAnd => test,
            _ => self.function.expr(ExprKind::Unary(UnaryOp::Not, Box::new(test)), span),
        };
        let kind = ExprKind::Assign(Box::new(place), Box::new(right));
        stmts.push(Stmt::Expr(self.function.expr(kind, span)));
        out.push(self.if_then(test, stmts));
    }

    // expands to:
    //   loop { let first = ..; if !condition { break; } { body } }
    fn while_loop(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let ExprKind::While { label, condition, body } = &mut expr.kind else { return };
        let mut stmts = Vec::new();
        self.operand(condition, &mut stmts);
        self.block(body);
        if stmts.is_empty() {
            return;
        }
        let leave = self.function.expr(ExprKind::Break(None), span);
        let condition = std::mem::replace(&mut **condition, leave.clone());
        let (start, end) = (condition.span, condition.end);
        let kind = ExprKind::Unary(UnaryOp::Not, Box::new(condition));
        let ended = Expr { end, ..self.function.expr(kind, start) };
        stmts.push(self.if_then(ended, vec![Stmt::Expr(leave)]));
        let (label, body) = (label.take(), std::mem::take(body));
        stmts.push(Stmt::Expr(self.function.expr(ExprKind::Block(body), span)));
        expr.kind = ExprKind::Loop { label, body: Block { stmts, tail: None } };
    }

    /// The value is evaluated before the place, and the place once.
    fn assignment(&mut self, place: &mut Expr, value: &mut Expr, reads: bool, out: &mut Vec<Stmt>) {
        let changes = Later::of(&[&mut *place]);
        if reads {
            self.operand(value, out);
        } else {
            self.value(value, out);
        }
        // Branches fill a variable, which is then stored.
        let branches = value.kind.is_control_flow() && as_select(value).is_none();
        if branches && !matches!(place.kind, ExprKind::Local(_)) {
            let ty = self.place_type(place);
            self.bind(value, "assigned", "the value assigned", ty, out);
        } else if visit::any(value, &|inner| self.is_ordered(inner, &changes)) {
            self.bind_first(value, out);
        }
        self.value(place, out);
        if reads {
            self.bind_effects(place, out);
        }
    }

    /// Indices that change something, or read what may change, get variables:
    /// `place op= value` names the place twice.
    fn bind_effects(&mut self, place: &mut Expr, out: &mut Vec<Stmt>) {
        match &mut place.kind {
            ExprKind::Field(base, _) => self.bind_effects(base, out),
            ExprKind::Index(base, at) => {
                self.bind_effects(base, out);
                if effects::any(at, |found| found.changes || found.looks) {
                    self.bind(at, "at", "the index", Type::U32, out);
                }
            }
            _ => {}
        }
    }

    fn place_type(&self, place: &Expr) -> Type {
        match &place.kind {
            ExprKind::Index(base, _) => match base.kind {
                ExprKind::Local(slice) => self.function.var(slice).ty.element(),
                _ => Type::Unknown,
            },
            _ => Type::Unknown,
        }
    }

    fn bind_first(&mut self, operand: &mut Expr, out: &mut Vec<Stmt>) {
        self.bind(operand, "first", "a value before it", Type::Unknown, out);
    }

    /// `let name = value;`
    fn bind(
        &mut self,
        value: &mut Expr,
        name: &str,
        described: &'static str,
        ty: Type,
        out: &mut Vec<Stmt>,
    ) {
        let span = value.span;
        let var = self.function.fresh_var(name, ty, false, span);
        self.function.vars[var.0].described = Some(described);
        let read = self.function.local(var, span);
        let init = std::mem::replace(value, read);
        out.push(Stmt::Let { var, init: Some(init), span });
    }

    fn if_then(&mut self, condition: Expr, stmts: Vec<Stmt>) -> Stmt {
        let span = condition.span;
        self.function.if_then(condition, stmts, span)
    }

    /// Whether its value depends on being evaluated before what comes later.
    fn is_ordered(&self, expr: &Expr, later: &Later) -> bool {
        match &expr.kind {
            // No function can change its caller's variables, nor memory that is not atomic.
            ExprKind::Local(var) => later.dequeues && self.function.var(*var).mutable,
            ExprKind::Method { method, .. } if method.effect == Effect::Pure => false,
            ExprKind::Method { .. } if !Effects::of(expr).changes => later.changes,
            _ if is_dequeue(expr) => later.changes || later.variables,
            _ => Effects::of(expr).changes && (later.changes || later.reads),
        }
    }
}

/// What the operands that are evaluated later change, and what they read.
struct Later {
    changes: bool,
    /// Change a variable.
    dequeues: bool,
    /// Read shared memory.
    reads: bool,
    variables: bool,
}

impl Later {
    fn of(operands: &[&mut Expr]) -> Later {
        let any =
            |found: &dyn Fn(&Expr) -> bool| operands.iter().any(|later| visit::any(later, found));
        Later {
            changes: any(&|part| Effects::of(part).changes),
            dequeues: any(&is_dequeue),
            reads: any(&|part| Effects::of(part).looks),
            variables: any(&|expr| matches!(expr.kind, ExprKind::Local(_))),
        }
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
        ExprKind::Unary(_, a)
        | ExprKind::Cast(a, _)
        | ExprKind::Field(a, _)
        | ExprKind::Repeat(a, _) => vec![a],
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
        | ExprKind::Array(args)
        | ExprKind::Tuple(args) => args.iter_mut().collect(),
        _ => Vec::new(),
    }
}
