//! Expressions, with C++'s precedence and Rust's meaning.

use super::Writer;
use crate::check::shape::as_select;
use crate::ir::intrinsics::Method;
use crate::ir::{BinaryOp, Expr, ExprKind, Literal, Scalar, Type, UnaryOp};

/// C++ precedence: higher binds tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precedence {
    Any,
    Select,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

impl Precedence {
    fn of(op: BinaryOp) -> Precedence {
        use BinaryOp::*;
        match op {
            LogicalOr => Precedence::Or,
            LogicalAnd => Precedence::And,
            BinaryOp::Or => Precedence::BitOr,
            Xor => Precedence::BitXor,
            BinaryOp::And => Precedence::BitAnd,
            Eq | Ne => Precedence::Equality,
            Lt | Le | Gt | Ge => Precedence::Relation,
            Shl | Shr => Precedence::Shift,
            Add | Sub => Precedence::Sum,
            Mul | Div | Rem => Precedence::Product,
        }
    }

    /// What the right operand of a left-associative operator must exceed.
    fn tighter(self) -> Precedence {
        use Precedence::*;
        match self {
            Any => Select,
            Select => Or,
            Or => And,
            And => BitOr,
            BitOr => BitXor,
            BitXor => BitAnd,
            BitAnd => Equality,
            Equality => Relation,
            Relation => Shift,
            Shift => Sum,
            Sum => Product,
            Product => Unary,
            Unary | Postfix => Postfix,
        }
    }
}

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
                if intrinsic.is_library() {
                    let name = intrinsic.library_name(*group);
                    return postfix(format!("{name}({})", self.list(args)));
                }
                let group =
                    if intrinsic.shape.is_tiled() { format!("<{group}>") } else { String::new() };
                postfix(format!("{}{group}({})", intrinsic.name, self.list(args)))
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

    fn literal(&self, literal: &Literal, ty: &Type) -> String {
        match literal {
            Literal::Bool(value) => value.to_string(),
            Literal::Int { value, .. } => match ty.scalar() {
                Some(scalar @ (Scalar::F32 | Scalar::F64)) => float(&value.to_string(), scalar),
                Some(Scalar::U32) => format!("{value}u"),
                Some(Scalar::U64) => format!("{value}ull"),
                Some(Scalar::I64) => format!("{value}ll"),
                Some(Scalar::I32) | None => value.to_string(),
                Some(small) => format!("{}({value})", small.name()),
            },
            Literal::Float { digits, .. } => float(digits, ty.scalar().unwrap_or(Scalar::F64)),
        }
    }

    /// `u32::MAX` and `W::IS_WEIGHTED` are traits of a type; a user's constant
    /// is declared in front of the program under its own name.
    fn constant(&self, path: &syn::Path) -> String {
        let last = path.segments.last().map_or(String::new(), |last| last.ident.to_string());
        if path.segments.len() == 2 {
            let owner = path.segments[0].ident.to_string();
            if Scalar::from_name(&owner).is_some() {
                return format!("Limits<{owner}>::{last}");
            }
            let generics = &self.checked.function.generics;
            if let Some(generic) = generics.iter().find(|generic| generic.name == owner) {
                let name = self.ty(&Type::Param(generic.name.clone()));
                return format!("Weight<{name}>::{last}");
            }
        }
        last
    }

    fn function_name(&self, path: &syn::Path) -> String {
        path.segments.last().map_or(String::new(), |last| last.ident.to_string())
    }

    fn unary(&self, op: UnaryOp, a: &Expr) -> (String, Precedence) {
        let scalar = self.checked.ty(a.id).scalar();
        let inner = || self.at(a, Precedence::Unary);
        match (op, scalar) {
            (UnaryOp::Not, Some(Scalar::Bool)) => (format!("!{}", inner()), Precedence::Unary),
            (UnaryOp::Not, Some(scalar)) if scalar.bits() >= 32 => {
                (format!("~{}", inner()), Precedence::Unary)
            }
            (UnaryOp::Not, _) => (format!("bit_not({})", self.expr(a)), Precedence::Postfix),
            (UnaryOp::Neg, Some(scalar)) if scalar.is_float() => {
                (format!("-{}", inner()), Precedence::Unary)
            }
            (UnaryOp::Neg, _) if matches!(a.kind, ExprKind::Literal(_)) => {
                (format!("-{}", inner()), Precedence::Unary)
            }
            (UnaryOp::Neg, _) => (format!("wrapping_neg({})", self.expr(a)), Precedence::Postfix),
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> (String, Precedence) {
        if let Some(helper) = self.helper(op, a, b) {
            return (format!("{helper}({}, {})", self.expr(a), self.expr(b)), Precedence::Postfix);
        }
        let own = Precedence::of(op);
        let (left, right) = (self.at(a, own), self.at(b, own.tighter()));
        (format!("{left} {} {right}", op.symbol()), own)
    }

    /// The prelude function that means what Rust means, where C++'s operator
    /// may not: unknown types, promotion, signed overflow, wide shifts.
    fn helper(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<&'static str> {
        let scalar = self.checked.ty(a.id).scalar().or(self.checked.ty(b.id).scalar());
        let plain = scalar.is_some_and(|s| s.wraps_in_cuda() || s.is_float());
        let float = scalar.is_some_and(Scalar::is_float);
        let by_number =
            matches!(b.kind, ExprKind::Literal(Literal::Int { value, .. }) if value > 0);
        match op {
            BinaryOp::Add if !plain => Some("wrapping_add"),
            BinaryOp::Sub if !plain => Some("wrapping_sub"),
            BinaryOp::Mul if !plain => Some("wrapping_mul"),
            BinaryOp::Div if !(float || plain && by_number) => Some("divide"),
            BinaryOp::Rem if float || !(plain && by_number) => Some("remainder"),
            BinaryOp::Shl if !self.shift_in_range(a, b) => Some("wrapping_shl"),
            BinaryOp::Shr if !self.shift_in_range(a, b) => Some("wrapping_shr"),
            _ => None,
        }
    }

    fn shift_in_range(&self, a: &Expr, b: &Expr) -> bool {
        let width = self.checked.ty(a.id).scalar().filter(|scalar| scalar.wraps_in_cuda());
        match (&b.kind, width) {
            (ExprKind::Literal(Literal::Int { value, .. }), Some(scalar)) => {
                *value < u128::from(scalar.bits())
            }
            _ => false,
        }
    }

    fn cast(&self, a: &Expr, ty: &Type) -> String {
        let target = self.ty(ty);
        let from = self.checked.ty(a.id).scalar();
        let (text, integer) = (self.expr(a), ty.scalar().is_some_and(Scalar::is_integer));
        match from {
            Some(from) if from.is_float() && integer => {
                format!("saturating_cast<{target}>({text})")
            }
            Some(_) => format!("{target}({text})"),
            None => format!("cast<{target}>({text})"),
        }
    }

    // expands to: Edge<u32>{}.with_src(a).with_dst(b).with_weight(c)
    // which keeps the user's order of fields and of evaluation.
    fn struct_literal(
        &self,
        whole: &Expr,
        path: &syn::Path,
        fields: &[(proc_macro2::Ident, Expr)],
    ) -> String {
        let name = match self.checked.ty(whole.id) {
            ty @ Type::Named { args, .. } if !args.is_empty() => self.ty(ty),
            _ => self.function_name(path),
        };
        let fields: Vec<_> = fields
            .iter()
            .map(|(field, value)| format!(".with_{field}({})", self.expr(value)))
            .collect();
        format!("{name}{{}}{}", fields.concat())
    }

    /// Methods of memory stay methods; those of numbers are functions.
    fn method(&self, receiver: &Expr, method: &Method, args: &[Expr]) -> String {
        use crate::ir::intrinsics::Effect;
        if method.effect != Effect::Pure || method.name == "len" {
            let receiver = self.at(receiver, Precedence::Postfix);
            return format!("{receiver}.{}({})", method.name, self.list(args));
        }
        let mut all = vec![self.expr(receiver)];
        all.extend(args.iter().map(|arg| self.expr(arg)));
        format!("{}({})", method.name, all.join(", "))
    }

    fn select(&self, expr: &Expr) -> (String, Precedence) {
        match as_select(expr) {
            Some((condition, then, otherwise)) => {
                let condition = self.at(condition, Precedence::Or);
                let then = self.at(then, Precedence::Or);
                let otherwise = self.at(otherwise, Precedence::Select);
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

fn float(digits: &str, scalar: Scalar) -> String {
    let point = if digits.contains(['.', 'e', 'E']) { "" } else { ".0" };
    let suffix = if scalar == Scalar::F32 { "f" } else { "" };
    format!("{digits}{point}{suffix}")
}
