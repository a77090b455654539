//! Operators and casts: C++'s own where it means what Rust means, else a function of the
//! prelude.

use super::{Precedence, Writer};
use crate::ir::{BinaryOp, Expr, ExprKind, Literal, Scalar, Type, UnaryOp};

impl Writer<'_> {
    pub(super) fn unary(&self, op: UnaryOp, a: &Expr) -> (String, Precedence) {
        let scalar = a.ty.scalar();
        let inner = || self.at(a, Precedence::Unary);
        match (op, scalar) {
            (UnaryOp::Not, Some(Scalar::Bool)) => (format!("!{}", inner()), Precedence::Unary),
            (UnaryOp::Not, Some(scalar)) if scalar.bits() >= 32 => {
                (format!("~{}", inner()), Precedence::Unary)
            }
            (UnaryOp::Not, _) => (format!("bit_not({})", self.expr(a)), Precedence::Postfix),
            (UnaryOp::Neg, _) if matches!(a.kind, ExprKind::Literal(Literal::Int { .. })) => {
                (self.negative(a), Precedence::Postfix)
            }
            (UnaryOp::Neg, Some(scalar)) if scalar.is_float() => {
                let inner = inner();
                // Two signs would read as a decrement.
                let inner = if inner.starts_with('-') { format!("({inner})") } else { inner };
                (format!("-{inner}"), Precedence::Unary)
            }
            (UnaryOp::Neg, _) => (format!("wrapping_neg({})", self.expr(a)), Precedence::Postfix),
        }
    }

    pub(super) fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> (String, Precedence) {
        if let Some(helper) = self.helper(op, a, b) {
            let (left, right) = (self.expr(a), self.expr(b));
            return (format!("{helper}({left}, {right})"), Precedence::Postfix);
        }
        let own = Precedence::of(op);
        let (left, right) = (self.at(a, own), self.at(b, own.tighter()));
        (format!("{left} {} {right}", op.symbol()), own)
    }

    /// The prelude function that means what Rust means, where C++'s operator
    /// may not: unknown types, promotion, signed overflow, wide shifts.
    fn helper(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<&'static str> {
        let scalar = a.ty.scalar().or(b.ty.scalar());
        let plain = scalar.is_some_and(|s| s.wraps_in_cuda() || s.is_float());
        let float = scalar.is_some_and(Scalar::is_float);
        let by_number =
            matches!(b.kind, ExprKind::Literal(Literal::Int { value, .. }) if value > 0);
        match op {
            BinaryOp::Add if !plain => Some("wrapping_add"),
            BinaryOp::Sub if !plain => Some("wrapping_sub"),
            BinaryOp::Mul if !plain => Some("wrapping_mul"),
            BinaryOp::Div if !(float || plain && by_number) => Some("divide"),
            BinaryOp::Rem if float || !(plain && by_number) => Some("remainder_of"),
            BinaryOp::And if self.may_widen(a, b) => Some("bit_and"),
            BinaryOp::Or if self.may_widen(a, b) => Some("bit_or"),
            BinaryOp::Xor if self.may_widen(a, b) => Some("bit_xor"),
            BinaryOp::Shl if !self.shift_in_range(a, b) => Some("wrapping_shl"),
            BinaryOp::Shr if !self.shift_in_range(a, b) => Some("wrapping_shr"),
            _ => None,
        }
    }

    /// Whether C++ would compute it as `int`, or may. So it does for `bool`, which does no
    /// harm where the macro sees two of them: whoever uses the value expects a `bool`.
    fn may_widen(&self, a: &Expr, b: &Expr) -> bool {
        match (a.ty.scalar(), b.ty.scalar()) {
            (Some(Scalar::Bool), Some(Scalar::Bool)) => false,
            (Some(scalar), _) | (_, Some(scalar)) => scalar.bits() < 32,
            (None, None) => true,
        }
    }

    fn shift_in_range(&self, a: &Expr, b: &Expr) -> bool {
        let width = a.ty.scalar().filter(|scalar| scalar.wraps_in_cuda());
        match (&b.kind, width) {
            (ExprKind::Literal(Literal::Int { value, .. }), Some(scalar)) => {
                *value < u128::from(scalar.bits())
            }
            _ => false,
        }
    }

    pub(super) fn cast(&self, a: &Expr, ty: &Type) -> String {
        let target = self.ty(ty);
        let from = a.ty.scalar();
        let text = self.expr(a);
        match (from, ty.scalar()) {
            (Some(from), Some(to)) if from.is_float() && to.is_integer() => {
                format!("saturating_cast<{target}>({text})")
            }
            (Some(_), Some(_)) => format!("{target}({text})"),
            _ => format!("cast<{target}>({text})"),
        }
    }
}
