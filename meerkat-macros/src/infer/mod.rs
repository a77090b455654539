//! What the macro can know of types without rustc. Lowerings need some of it, and
//! CUDA text reads better where an operator of C++ means what Rust means. What stays
//! unknown is left to rustc: `witness` ties it there, and has rustc confirm the rest.

pub(crate) mod methods;

use crate::ir::intrinsics::{Method, MethodResult};
use crate::ir::{
    Access, BinaryOp, Block, Expr, ExprKind, Function, Literal, Scalar, Stmt, Type, VarId, visit,
};

const F64: Type = Type::Scalar(Scalar::F64);

struct Infer<'a> {
    function: &'a mut Function,
}

/// Fills in the types of expressions and variables, as far as they are not yet.
pub(crate) fn infer(function: &mut Function) {
    let (mut body, result) = (std::mem::take(&mut function.body), function.ret.clone());
    Infer { function }.block(&mut body, &result);
    function.body = body;
}

impl Infer<'_> {
    fn block(&mut self, block: &mut Block, expected: &Type) -> Type {
        for stmt in &mut block.stmts {
            self.stmt(stmt);
        }
        match &mut block.tail {
            Some(tail) => self.expr(tail, expected),
            None => Type::Unit,
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Expr(expr) => {
                self.expr(expr, &Type::Unknown);
            }
            Stmt::Let { init: None, .. } => {}
            Stmt::Let { var, init: Some(init), .. } => {
                let declared = self.function.var(*var).ty.clone();
                let found = self.expr(init, &declared);
                self.learn(*var, &found);
                let unsure = !declared.is_known() && self.may_be_struct(init);
                self.function.vars[var.0].unsure = unsure;
            }
        }
    }

    /// Whether a value may be of a struct literal, whose path may leave type arguments out.
    fn may_be_struct(&self, value: &Expr) -> bool {
        visit::any(value, &|inner| self.is_unsure(inner))
    }

    fn is_unsure(&self, value: &Expr) -> bool {
        match value.kind {
            ExprKind::Struct { .. } => true,
            ExprKind::Local(var) => self.function.var(var).unsure,
            _ => false,
        }
    }

    /// A variable of no known type has that of the value it is given.
    fn learn(&mut self, var: VarId, found: &Type) {
        let var = &mut self.function.vars[var.0];
        if var.ty == Type::Unknown {
            var.ty.clone_from(found.value());
        }
    }

    fn expr(&mut self, expr: &mut Expr, expected: &Type) -> Type {
        let found = self.kind(&mut expr.kind, expected);
        // What is known stays: a lowering asks again.
        if expr.ty == Type::Unknown {
            expr.ty = found;
        }
        expr.ty.clone()
    }

    fn kind(&mut self, kind: &mut ExprKind, expected: &Type) -> Type {
        match kind {
            ExprKind::Literal(literal) => literal_type(literal, expected.value()),
            ExprKind::Local(var) | ExprKind::Identity(var) => self.function.var(*var).ty.clone(),
            ExprKind::Const(path) => const_type(path, expected),
            ExprKind::Unary(_, a) => self.expr(a, expected).value().clone(),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expected),
            ExprKind::Cast(a, ty) => {
                let hint = match number_under_cast(a) {
                    Some(literal) if ty.scalar().is_some() && takes_cast(literal, ty) => ty.clone(),
                    _ => Type::Unknown,
                };
                self.expr(a, &hint);
                ty.clone()
            }
            ExprKind::Field(base, name) => {
                self.expr(base, &Type::Unknown).value().field(&name.to_string())
            }
            ExprKind::Index(base, at) => {
                let base = self.expr(base, &Type::Unknown);
                self.expr(at, &Type::U32);
                base.element()
            }
            ExprKind::Array(items) => {
                let wanted = expected.element();
                let found: Vec<_> = items.iter_mut().map(|item| self.expr(item, &wanted)).collect();
                let element = found.into_iter().find(Type::is_known).unwrap_or(wanted);
                Type::Array(Box::new(element.value().clone()), format!("{}", items.len()))
            }
            ExprKind::Repeat(item, length) => {
                let element = self.expr(item, &expected.element()).value().clone();
                Type::Array(Box::new(element), length.clone())
            }
            ExprKind::Tuple(items) => self.tuple(items, expected),
            ExprKind::Struct { path, ty, fields } => {
                self.struct_literal(path, ty, fields, expected)
            }
            ExprKind::Intrinsic { intrinsic, args, .. } => {
                let types: Vec<_> =
                    args.iter_mut().map(|arg| self.expr(arg, &Type::Unknown)).collect();
                intrinsic.result_type(&types)
            }
            ExprKind::Shared { element, .. } => {
                Type::Slice(Access::Read, Box::new(Type::Atomic(Box::new(element.clone()))))
            }
            ExprKind::Call { args, .. } => {
                args.iter_mut().for_each(|arg| {
                    self.expr(arg, &Type::Unknown);
                });
                expected.clone()
            }
            ExprKind::Method { receiver, method, args, of, .. } => {
                self.method(receiver, method, args, *of)
            }
            ExprKind::Assert(condition) => {
                self.expr(condition, &Type::BOOL);
                Type::Unit
            }
            _ => self.control_flow(kind, expected),
        }
    }

    fn method(
        &mut self,
        receiver: &mut Expr,
        method: &Method,
        args: &mut [Expr],
        of: Option<Scalar>,
    ) -> Type {
        let wanted = match (method.name, of) {
            ("f32_from_bits", _) => Type::U32,
            ("f64_from_bits", _) => Type::Scalar(Scalar::U64),
            (_, Some(scalar)) => Type::Scalar(scalar),
            (_, None) => Type::Unknown,
        };
        let receiver = self.expr(receiver, &wanted).value().clone();
        let counted = matches!(method.name, "pow" | "rotate_left" | "rotate_right");
        let wanted = if counted { &Type::U32 } else { &receiver };
        for arg in args {
            self.expr(arg, wanted);
        }
        match method.result {
            // As wide as what it is of, which only rustc may know.
            MethodResult::Is(_) if method.name == "to_bits" && receiver.scalar().is_none() => {
                Type::Unknown
            }
            MethodResult::Is(_) if method.name == "to_bits" && receiver == F64 => {
                Type::Scalar(Scalar::U64)
            }
            MethodResult::Is(scalar) => Type::Scalar(scalar),
            // That of signed integers is unsigned.
            MethodResult::Receiver if method.name == "abs_diff" && !is_unsigned(&receiver) => {
                Type::Unknown
            }
            MethodResult::Receiver => receiver,
            MethodResult::Unit => Type::Unit,
            MethodResult::Quad => Type::Array(Box::new(Type::U32), "4".to_owned()),
            MethodResult::Duo => Type::Array(Box::new(Type::U32), "2".to_owned()),
            MethodResult::AtomicU32 => Type::Atomic(Box::new(Type::U32)),
            MethodResult::AtomicU64 => Type::Atomic(Box::new(Type::Scalar(Scalar::U64))),
        }
    }

    fn control_flow(&mut self, kind: &mut ExprKind, expected: &Type) -> Type {
        match kind {
            ExprKind::Assign(place, value) => {
                let is_unsure = self.may_be_struct(place);
                let place_type = self.expr(place, &Type::Unknown);
                let wanted = if is_unsure { &Type::Unknown } else { place_type.value() };
                let found = self.expr(value, wanted);
                // A variable declared ahead of its guard learns its type here.
                if let ExprKind::Local(var) = place.kind
                    && self.function.var(var).ty == Type::Unknown
                {
                    self.learn(var, &found);
                    self.function.vars[var.0].unsure = self.may_be_struct(value);
                }
                Type::Unit
            }
            ExprKind::AssignOp(op, place, value) => {
                let place = self.expr(place, &Type::Unknown).value().clone();
                match op {
                    BinaryOp::Shl | BinaryOp::Shr => self.distance(value),
                    _ => self.expr(value, &place),
                };
                Type::Unit
            }
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition, &Type::BOOL);
                let is_unsure = visit::any_in_block(then, &|inner| self.is_unsure(inner));
                let then = self.block(then, expected);
                match otherwise {
                    Some(otherwise) => {
                        let expected = match expected.is_known() || is_unsure {
                            true => expected,
                            false => &then,
                        };
                        let found = self.expr(otherwise, expected);
                        if then.is_known() { then } else { found }
                    }
                    None => Type::Unit,
                }
            }
            ExprKind::While { condition, body, .. } => {
                self.expr(condition, &Type::BOOL);
                self.block(body, &Type::Unknown);
                Type::Unit
            }
            ExprKind::Loop { body, .. } => {
                self.block(body, &Type::Unknown);
                Type::Unit
            }
            ExprKind::For { var, from, to, body, .. } => {
                let low = self.expr(from, &Type::Unknown);
                let high = self.expr(to, &low);
                let known = if low.is_known() { low } else { self.expr(from, &high) };
                self.learn(*var, &known);
                self.block(body, &Type::Unknown);
                Type::Unit
            }
            ExprKind::Return(value) => {
                let ret = self.function.ret.clone();
                if let Some(value) = value {
                    self.expr(value, &ret);
                }
                Type::Unknown
            }
            ExprKind::Block(body) | ExprKind::Unsafe(body) => self.block(body, expected),
            ExprKind::ForEachNeighbor(each) => self.neighbor_loop(each),
            _ => Type::Unknown,
        }
    }

    fn neighbor_loop(&mut self, each: &mut crate::ir::ForEachNeighbor) -> Type {
        let graph = self.expr(&mut each.graph, &Type::Unknown).value().clone();
        self.expr(&mut each.vertex, &Type::U32);
        if let crate::ir::Lists::One(bucket) = &mut each.lists {
            self.expr(bucket, &Type::U32);
        }
        self.expr(&mut each.predicate, &Type::BOOL);
        // Of an alias only rustc knows what its edges carry.
        if let (Some(weight), Type::Named { name, args, .. }) = (each.weight, graph)
            && name == "Graph"
        {
            self.learn(weight, args.first().unwrap_or(&Type::Unit));
        }
        self.block(&mut each.body, &Type::Unknown);
        Type::Unit
    }

    fn binary(&mut self, op: BinaryOp, a: &mut Expr, b: &mut Expr, expected: &Type) -> Type {
        if op.is_logical() {
            self.expr(a, &Type::BOOL);
            self.expr(b, &Type::BOOL);
            return Type::BOOL;
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            self.distance(b);
            return self.expr(a, expected).value().clone();
        }
        let wanted = if op.is_comparison() { &Type::Unknown } else { expected };
        let mut left = self.expr(a, wanted).value().clone();
        let known = if left.is_known() { left.clone() } else { wanted.clone() };
        let right = self.expr(b, &known).value().clone();
        if !left.is_known() && right.is_known() {
            left = self.expr(a, &right).value().clone();
        }
        if op.is_comparison() {
            return Type::BOOL;
        }
        if left.is_known() { left } else { right }
    }

    /// How far to shift: any integer, so what is made of literals alone is an `i32`. A
    /// single one is as far as a `u32`.
    fn distance(&mut self, distance: &mut Expr) -> Type {
        let wanted = match distance.kind {
            ExprKind::Literal(_) => Type::U32,
            _ if is_bare_number(distance) => Type::Scalar(Scalar::I32),
            _ => Type::Unknown,
        };
        self.expr(distance, &wanted)
    }

    fn tuple(&mut self, items: &mut [Expr], expected: &Type) -> Type {
        if items.is_empty() {
            return Type::Unit;
        }
        let wanted = |at: usize| match expected {
            Type::Tuple(parts) => parts.get(at).cloned().unwrap_or(Type::Unknown),
            _ => Type::Unknown,
        };
        let mut parts = Vec::new();
        for (at, item) in items.iter_mut().enumerate() {
            let wanted = wanted(at);
            let found = self.expr(item, &wanted);
            parts.push(if found.is_known() { found.value().clone() } else { wanted });
        }
        Type::Tuple(parts)
    }

    /// A struct literal has the type arguments it names, or those of its place.
    fn struct_literal(
        &mut self,
        path: &syn::Path,
        named: &Type,
        fields: &mut [(proc_macro2::Ident, Expr)],
        expected: &Type,
    ) -> Type {
        let Type::Named { name, args, .. } = named else { return Type::Unknown };
        let is_edge = name == "Edge";
        let mut args = args.clone();
        if let Type::Named { name: place, args: of_place, .. } = expected
            && args.is_empty()
            && place == name
        {
            args.clone_from(of_place);
        }
        for (field, value) in fields {
            let wanted = match args.first() {
                Some(weight) if is_edge && field == "weight" => weight.clone(),
                _ if is_edge && field != "weight" => Type::U32,
                _ => Type::Unknown,
            };
            let found = self.expr(value, &wanted);
            if is_edge && field == "weight" && args.is_empty() && found.is_known() {
                args.push(found.value().clone());
            }
        }
        let path = syn::TypePath { qself: None, path: path.clone() };
        Type::Named { path, name: name.clone(), args }
    }
}

/// Whether the type of an expression comes from literals without suffix alone.
pub(super) fn is_bare_number(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(
            Literal::Int { suffix: None, .. } | Literal::Float { suffix: None, .. },
        ) => true,
        ExprKind::Unary(_, a) => is_bare_number(a),
        ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, a, _) => is_bare_number(a),
        ExprKind::Binary(op, a, b) if !op.is_comparison() && !op.is_logical() => {
            is_bare_number(a) && is_bare_number(b)
        }
        _ => crate::ir::select::as_select(expr)
            .is_some_and(|(_, then, otherwise)| is_bare_number(then) && is_bare_number(otherwise)),
    }
}

/// The number without suffix that takes its type from the cast around it, if it is
/// one of its kind: signs and braces pass that on, other operators do not.
pub(crate) fn number_under_cast(expr: &Expr) -> Option<&Literal> {
    match &expr.kind {
        ExprKind::Literal(
            literal @ (Literal::Int { suffix: None, .. } | Literal::Float { suffix: None, .. }),
        ) => Some(literal),
        ExprKind::Unary(_, a) => number_under_cast(a),
        ExprKind::Block(Block { stmts, tail: Some(tail) }) if stmts.is_empty() => {
            number_under_cast(tail)
        }
        _ => None,
    }
}

fn is_unsigned(ty: &Type) -> bool {
    matches!(ty.scalar(), Some(Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64))
}

/// Whether a number under a cast has the type of the cast; of an alias the macro
/// cannot say, and the table of the program goes by what rustc says.
pub(crate) fn takes_cast(literal: &Literal, ty: &Type) -> bool {
    let is_float = matches!(literal, Literal::Float { .. });
    let Some(scalar) = ty.scalar() else { return true };
    scalar != Scalar::Bool && scalar.is_float() == is_float
}

fn literal_type(literal: &Literal, expected: &Type) -> Type {
    match literal {
        Literal::Bool(_) => Type::BOOL,
        Literal::Int { suffix: Some(scalar), .. } | Literal::Float { suffix: Some(scalar), .. } => {
            Type::Scalar(*scalar)
        }
        Literal::Int { .. } if expected.scalar().is_some_and(|s| s != Scalar::Bool) => {
            expected.clone()
        }
        Literal::Float { .. } if expected.scalar().is_some_and(Scalar::is_float) => {
            expected.clone()
        }
        _ => Type::Unknown,
    }
}

/// `u32::MAX` is a `u32`; a user's constant has the type of its place.
pub(crate) fn const_type(path: &syn::ExprPath, expected: &Type) -> Type {
    let segments: Vec<_> = path.path.segments.iter().map(|part| part.ident.to_string()).collect();
    match &segments[..] {
        // A device trait may give a number constants of its own.
        [owner, name] => match Scalar::from_name(owner) {
            Some(scalar) if is_of_number(scalar, name) => Type::Scalar(scalar),
            _ => expected.clone(),
        },
        _ => expected.clone(),
    }
}

/// Whether Rust has a constant for a number type, of that type.
pub(crate) fn is_of_number(scalar: Scalar, name: &str) -> bool {
    match scalar {
        Scalar::Bool => false,
        _ if matches!(name, "MAX" | "MIN") => true,
        scalar if scalar.is_float() => {
            matches!(name, "EPSILON" | "MIN_POSITIVE" | "NAN" | "INFINITY" | "NEG_INFINITY")
        }
        _ => false,
    }
}
