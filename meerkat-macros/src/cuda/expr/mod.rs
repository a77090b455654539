//! Expressions, with C++'s precedence and Rust's meaning.

mod calls;
mod operators;
mod precedence;
mod values;

use self::precedence::Precedence;
use super::Writer;
use crate::check::infer::is_bare_number;
use crate::check::shape::as_select;
use crate::ir::names::cuda_word;
use crate::ir::{Expr, ExprKind};

impl Writer<'_> {
    pub(super) fn expr(&self, expr: &Expr) -> String {
        self.at(expr, Precedence::Any)
    }

    /// The expression, in parentheses where it binds looser than `least`.
    fn at(&self, expr: &Expr, least: Precedence) -> String {
        let (text, own) = self.with_precedence(expr);
        if own < least { format!("({text})") } else { text }
    }

    fn with_precedence(&self, expr: &Expr) -> (String, Precedence) {
        let postfix = |text| (text, Precedence::Postfix);
        match &expr.kind {
            ExprKind::Literal(literal) => postfix(self.literal(literal, self.checked.ty(expr.id))),
            ExprKind::Local(var) => postfix(self.checked.name(*var).to_owned()),
            ExprKind::Const(path) => postfix(self.constant(path)),
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Cast(a, ty) => postfix(self.cast(a, ty)),
            ExprKind::Field(base, name) => {
                let name = cuda_word(&name.to_string());
                postfix(format!("{}.{name}", self.at(base, Precedence::Postfix)))
            }
            ExprKind::Index(base, at) => {
                // The marks become `[i]`, or `.at(i, ..)` in the checked mode.
                postfix(format!("{}⟦{}⟧", self.at(base, Precedence::Postfix), self.expr(at)))
            }
            ExprKind::Struct { path, fields, .. } => {
                postfix(self.struct_literal(expr, path, fields))
            }
            ExprKind::Intrinsic { intrinsic, group, args } => {
                postfix(self.intrinsic(intrinsic, *group, args))
            }
            ExprKind::Assert(condition) => postfix(format!("assert({})", self.expr(condition))),
            ExprKind::Tuple(items) if items.is_empty() => postfix("Unit{}".to_owned()),
            ExprKind::Tuple(items) => {
                let parts: Vec<_> = items.iter().map(|item| self.tuple_part(item)).collect();
                postfix(format!("tuple({})", parts.join(", ")))
            }
            ExprKind::Array(items) => {
                let ty = self.ty(self.checked.ty(expr.id));
                postfix(format!("{ty}{{{{{}}}}}", self.list(items)))
            }
            ExprKind::Call { path, args } => {
                postfix(format!("{}({})", self.function_name(path), self.list(args)))
            }
            ExprKind::TypeCall { path, args } => {
                postfix(format!("{}({})", self.constant(path), self.list(args)))
            }
            ExprKind::Method { receiver, method, args, .. } => {
                postfix(self.method(receiver, method, args))
            }
            _ => self.select(expr),
        }
    }

    fn list(&self, args: &[Expr]) -> String {
        let args: Vec<_> = args.iter().map(|arg| self.expr(arg)).collect();
        args.join(", ")
    }

    /// An operand, as the type of the other if it has none of its own: C++ would
    /// make a bare number `int` or `double`.
    fn operand(&self, a: &Expr, other: &Expr, least: Precedence) -> String {
        let known = |expr: &Expr| self.checked.ty(expr.id).is_known();
        if is_bare_number(a) && !known(a) && !is_bare_number(other) {
            return format!("value_of<decltype({})>({})", self.expr(other), self.expr(a));
        }
        self.at(a, least)
    }

    fn select(&self, expr: &Expr) -> (String, Precedence) {
        match as_select(expr) {
            Some((condition, then, otherwise)) => {
                let condition = self.at(condition, Precedence::Or);
                let (one, other) = (then, otherwise);
                let then = self.operand(one, other, Precedence::Or);
                let otherwise = self.operand(other, one, Precedence::Select);
                (format!("{condition} ? {then} : {otherwise}"), Precedence::Select)
            }
            None => match &expr.kind {
                ExprKind::Block(body) | ExprKind::Unsafe(body) if body.stmts.is_empty() => {
                    match &body.tail {
                        Some(tail) => self.with_precedence(tail),
                        None => (String::new(), Precedence::Postfix),
                    }
                }
                _ => unreachable!("check::shape lets control flow stand only where it has a place"),
            },
        }
    }
}
