//! Expressions, with C++'s precedence and Rust's meaning.

use super::Writer;
use crate::check::infer::is_bare_number;
use crate::check::shape::as_select;
use crate::ir::intrinsics::Method;
use crate::ir::names::cuda_word;
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
                if intrinsic.is_library() {
                    let name = intrinsic.library_name(*group);
                    return postfix(format!("{name}({})", self.list(args)));
                }
                let group =
                    if intrinsic.shape.is_tiled() { format!("<{group}>") } else { String::new() };
                if let ("select", [condition, then, otherwise]) = (intrinsic.name, &args[..]) {
                    let (condition, then, otherwise) = (
                        self.expr(condition),
                        self.operand(then, otherwise, Precedence::Any),
                        self.expr(otherwise),
                    );
                    return postfix(format!("select({condition}, {then}, {otherwise})"));
                }
                postfix(format!("{}{group}({})", intrinsic.name, self.list(args)))
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

    /// The name the function was written with, which may not be the one it is
    /// imported by: the marks are replaced when the program is put together.
    fn function_name(&self, path: &syn::Path) -> String {
        format!("{}{}", crate::ir::callee::mark(path), self.type_arguments(path))
    }

    /// `<u32>` of `f::<u32>(..)`: nothing where C++ is to infer them too.
    fn type_arguments(&self, path: &syn::Path) -> String {
        let Some(last) = path.segments.last() else { return String::new() };
        let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return String::new();
        };
        let names: Option<Vec<_>> = arguments
            .args
            .iter()
            .map(|argument| match argument {
                syn::GenericArgument::Type(syn::Type::Tuple(unit)) if unit.elems.is_empty() => {
                    Some("Unit".to_owned())
                }
                syn::GenericArgument::Type(syn::Type::Path(path)) => {
                    let name = &path.path.segments.last()?.ident;
                    let generics = &self.checked.function.generics;
                    match generics.iter().find(|generic| generic.name == *name) {
                        Some(generic) => Some(self.ty(&Type::Param(generic.name.clone()))),
                        None => Scalar::from_name(&name.to_string()).map(|_| name.to_string()),
                    }
                }
                _ => None,
            })
            .collect();
        names.map_or(String::new(), |names| format!("<{}>", names.join(", ")))
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

    /// A negative number of its own type: C++ negates after choosing one.
    fn negative(&self, literal: &Expr) -> String {
        let ExprKind::Literal(Literal::Int { value, .. }) = &literal.kind else {
            return String::new();
        };
        match self.checked.ty(literal.id).scalar() {
            Some(scalar) if scalar.is_float() => {
                format!("({})", float(&format!("-{value}"), scalar))
            }
            // The smallest number has no literal of its own type.
            Some(Scalar::I64) if *value == 1 << 63 => format!("(-{}ll - 1)", value - 1),
            Some(Scalar::I32) if *value == 1 << 31 => format!("(-{} - 1)", value - 1),
            Some(Scalar::I64) => format!("(-{value}ll)"),
            Some(Scalar::I32) => format!("(-{value})"),
            Some(small) => format!("{}(-{value})", small.name()),
            None => format!("(-{value})"),
        }
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

    /// A tuple has the types of its parts, and `a | b` of `bool` is an `int` in C++.
    fn tuple_part(&self, part: &Expr) -> String {
        let text = self.expr(part);
        let may_widen = match &part.kind {
            ExprKind::Binary(op, ..) => !op.is_comparison() && !op.is_logical(),
            kind => kind.is_control_flow(),
        };
        let is_bool = self.checked.ty(part.id).value() == &Type::BOOL;
        if is_bool && may_widen { format!("bool({text})") } else { text }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> (String, Precedence) {
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if let Some(helper) = self.helper(op, a, b) {
            let left = if shift { self.expr(a) } else { self.operand(a, b, Precedence::Any) };
            return (format!("{helper}({left}, {})", self.expr(b)), Precedence::Postfix);
        }
        let own = Precedence::of(op);
        if shift || op.is_logical() {
            let (left, right) = (self.at(a, own), self.at(b, own.tighter()));
            return (format!("{left} {} {right}", op.symbol()), own);
        }
        let (left, right) = (self.operand(a, b, own), self.operand(b, a, own.tighter()));
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
            BinaryOp::Rem if float || !(plain && by_number) => Some("remainder_of"),
            BinaryOp::And if self.is_narrow(scalar) => Some("bit_and"),
            BinaryOp::Or if self.is_narrow(scalar) => Some("bit_or"),
            BinaryOp::Xor if self.is_narrow(scalar) => Some("bit_xor"),
            BinaryOp::Shl if !self.shift_in_range(a, b) => Some("wrapping_shl"),
            BinaryOp::Shr if !self.shift_in_range(a, b) => Some("wrapping_shr"),
            _ => None,
        }
    }

    /// Whether C++ would compute it as `int`, or may.
    fn is_narrow(&self, scalar: Option<Scalar>) -> bool {
        scalar.is_none_or(|scalar| scalar.bits() < 32 && scalar != Scalar::Bool)
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
            _ => self.ty(&Type::Named {
                path: path.clone(),
                name: path.segments.last().map_or(String::new(), |last| last.ident.to_string()),
                args: vec![],
            }),
        };
        let fields: Vec<_> = fields
            .iter()
            .map(|(field, value)| {
                let field = cuda_word(&field.to_string());
                format!(".with_{field}({})", self.expr(value))
            })
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
        let first = match args.first() {
            Some(arg) => self.operand(receiver, arg, Precedence::Any),
            None => self.expr(receiver),
        };
        let mut all = vec![first];
        all.extend(args.iter().map(|arg| self.expr(arg)));
        format!("{}({})", method.name, all.join(", "))
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

/// The number as Rust rounds it: NVRTC 13.0 reads `16777217.0f` as 16777218.
fn float(digits: &str, scalar: Scalar) -> String {
    let rounded = match scalar {
        Scalar::F32 => digits.parse::<f32>().map(|value| format!("{value:?}f")),
        _ => digits.parse::<f64>().map(|value| format!("{value:?}")),
    };
    rounded.unwrap_or_else(|_| digits.to_owned())
}
