//! Expressions, with C++'s precedence and Rust's meaning.

mod calls;
mod operators;
mod precedence;
mod values;

use self::precedence::Precedence;
use super::Writer;
use crate::ir::select::as_select;
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
            ExprKind::Literal(literal) => postfix(self.literal(literal, &expr.ty)),
            ExprKind::Local(var) => postfix(self.name(*var)),
            ExprKind::Const(path) => postfix(self.constant(path)),
            ExprKind::Identity(var) => {
                let ty = &self.checked.function.var(*var).ty;
                postfix(self.table.identity(ty, expr.span))
            }
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Cast(a, ty) => postfix(self.cast(a, ty)),
            ExprKind::Field(base, name) => {
                let base = self.at(base, Precedence::Postfix);
                postfix(format!("{base}{}", field(&name.to_string())))
            }
            ExprKind::Index(base, at) => {
                // The marks become `[i]`, or `.at(i, ..)` in the checked mode.
                postfix(format!("{}⟦{}⟧", self.at(base, Precedence::Postfix), self.expr(at)))
            }
            ExprKind::Struct { fields, .. } => postfix(self.struct_literal(expr.slot, fields)),
            ExprKind::Intrinsic { intrinsic, group, args } => {
                postfix(self.intrinsic(expr, intrinsic, *group, args))
            }
            ExprKind::Assert(condition) => postfix(format!("assert({})", self.expr(condition))),
            ExprKind::Tuple(items) if items.is_empty() => postfix("Unit{}".to_owned()),
            ExprKind::Tuple(items) => {
                let parts: Vec<_> =
                    items.iter().map(|item| self.exact(item, Precedence::Any)).collect();
                postfix(format!("tuple({})", parts.join(", ")))
            }
            ExprKind::Array(items) => {
                let ty = expr.slot.map_or(String::new(), |slot| self.table.slot(slot));
                postfix(format!("{ty}{{{{{}}}}}", self.list(items)))
            }
            ExprKind::Repeat(item, _) => {
                let ty = expr.slot.map_or(String::new(), |slot| self.table.slot(slot));
                postfix(format!("{ty}::filled({})", self.expr(item)))
            }
            ExprKind::Call { callee, args } => postfix(self.call(expr, callee, args)),
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

    fn select(&self, expr: &Expr) -> (String, Precedence) {
        match as_select(expr) {
            Some((condition, then, otherwise)) => {
                let condition = self.at(condition, Precedence::Or);
                let then = self.exact(then, Precedence::Or);
                let otherwise = self.exact(otherwise, Precedence::Select);
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

/// `.name`, by a mark: C++ may need the word for itself. Parts of tuples have their
/// names from the prelude.
fn field(name: &str) -> String {
    let is_part = name.strip_prefix('_').is_some_and(|at| at.parse::<u32>().is_ok());
    if is_part { format!(".{name}") } else { format!("‹.{name}›") }
}
