//! Expressions.

use super::Parser;
use super::control::label;
use crate::diagnostics::Place;
use crate::ir::{BinaryOp, Expr, ExprKind, Literal, Scalar, UnaryOp};
use proc_macro2::Span;
use syn::spanned::Spanned;

impl Parser<'_> {
    /// Reads an expression; `None` if it was refused, which is then reported.
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> Option<Expr> {
        if let Some(filled) = self.filled_expr(expr) {
            return Some(filled);
        }
        let span = expr.span();
        let kind = match expr {
            syn::Expr::Paren(inner) => return self.expr(&inner.expr),
            syn::Expr::Group(inner) => return self.expr(&inner.expr),
            syn::Expr::Lit(lit) => self.number(&lit.lit)?,
            syn::Expr::Path(path) => {
                let path = self.plain_path(path)?;
                self.path(&path)?
            }
            syn::Expr::Unary(unary) => self.unary(unary)?,
            syn::Expr::Binary(binary) => self.binary(binary)?,
            syn::Expr::Cast(cast) => {
                let value = self.expr(&cast.expr);
                let ty = self.ty(&cast.ty);
                ExprKind::Cast(Box::new(value?), ty)
            }
            syn::Expr::Field(field) => self.field(field)?,
            syn::Expr::Index(index) if matches!(&*index.index, syn::Expr::Range(_)) => {
                self.refuse_part(index);
                return None;
            }
            syn::Expr::Index(index) => {
                let base = self.expr(&index.expr);
                let at = self.expr(&index.index);
                ExprKind::Index(Box::new(base?), Box::new(at?))
            }
            syn::Expr::Struct(literal) => self.struct_literal(literal)?,
            syn::Expr::Call(call) => self.call(call)?,
            syn::Expr::MethodCall(call) => self.method_call(call)?,
            syn::Expr::Assign(assign) if matches!(&*assign.left, syn::Expr::Tuple(_)) => {
                self.assign_parts(assign)?
            }
            syn::Expr::Assign(assign) => {
                let place = self.expr(&assign.left);
                let value = self.expr(&assign.right);
                ExprKind::Assign(Box::new(place?), Box::new(value?))
            }
            syn::Expr::If(branch) => self.if_else(branch)?,
            syn::Expr::Match(choice) => self.match_(choice)?,
            syn::Expr::Tuple(tuple) if tuple.elems.len() != 1 => self.tuple(tuple)?,
            syn::Expr::Array(array) => {
                let items: Vec<_> = array.elems.iter().map(|item| self.expr(item)).collect();
                ExprKind::Array(items.into_iter().collect::<Option<_>>()?)
            }
            syn::Expr::Repeat(repeat) => self.repeat(repeat)?,
            syn::Expr::While(each) => {
                let label = label(each.label.as_ref());
                let condition = self.expr(&each.cond);
                let body = self.loop_body(label.clone(), &each.body);
                ExprKind::While { label, condition: Box::new(condition?), body }
            }
            syn::Expr::Loop(each) => {
                let label = label(each.label.as_ref());
                let body = self.loop_body(label.clone(), &each.body);
                ExprKind::Loop { label, body }
            }
            syn::Expr::ForLoop(each) => self.for_loop(each)?,
            syn::Expr::Break(leave) => {
                if let Some(value) = &leave.expr {
                    self.unsupported(
                        value.span(),
                        "a `break` with a value",
                        "assign the value to a variable before the `break`",
                    );
                }
                ExprKind::Break(self.target(leave.label.as_ref(), span)?)
            }
            syn::Expr::Continue(next) => {
                ExprKind::Continue(self.target(next.label.as_ref(), span)?)
            }
            syn::Expr::Return(back) => self.return_(back)?,
            syn::Expr::Block(inner) if inner.label.is_none() => {
                ExprKind::Block(self.block(&inner.block))
            }
            syn::Expr::Unsafe(inner) => ExprKind::Unsafe(self.block(&inner.block)),
            _ => {
                self.refuse(expr);
                return None;
            }
        };
        let mut whole = self.function.expr(kind, span);
        whole.end = Place::of(expr).end;
        if let (Some(_), ExprKind::Call { args, .. }) = (self.program, &whole.kind) {
            // A function of the run time's that takes the graph is an instance for it.
            whole.slot = args.first().and_then(|first| first.slot);
        }
        Some(whole)
    }

    fn refuse_part(&self, index: &syn::ExprIndex) {
        let help = "pass the whole slice and where the part begins: `x[first + i]`";
        self.unsupported(Place::of(index), "a part of a slice", help);
    }

    fn refuse(&self, expr: &syn::Expr) {
        if let syn::Expr::Reference(reference) = expr
            && let syn::Expr::Index(index) = &*reference.expr
            && matches!(&*index.index, syn::Expr::Range(_))
        {
            return self.refuse_part(index);
        }
        let (what, help) = match expr {
            syn::Expr::Closure(_) => (
                "a closure here",
                "closures are only the last argument of `for_each_neighbor`; make it a `#[device]` \
                 function",
            ),
            syn::Expr::Tuple(_) => ("a tuple of one part", "write the value itself"),
            syn::Expr::Macro(call) => ("a macro call", super::foreign::of_macro(&call.mac)),
            syn::Expr::Reference(reference) if reference.mutability.is_some() => (
                "a reference",
                "name the variable itself where it changes; a function returns the new value",
            ),
            syn::Expr::Block(_) => ("a block with a label", "put it into an `if`, or into a loop"),
            syn::Expr::Const(_) => ("a `const` block", "declare a `const` beside the kernel"),
            syn::Expr::Reference(_) => {
                ("a reference", "pass values; graphs and slices are passed by their names")
            }
            syn::Expr::Range(_) => ("a range here", "ranges only head a `for`: `for i in 0..n`"),
            syn::Expr::Try(_) => ("`?`", "device code has no errors to pass on; test the value"),
            syn::Expr::Await(_) | syn::Expr::Async(_) => {
                ("async code", "a kernel has nothing to wait for: write what it awaits")
            }
            syn::Expr::Let(_) => ("`let` in a condition", "compare with `==` instead"),
            _ => ("this expression", "see docs/LANGUAGE.md for what is supported"),
        };
        self.unsupported(Place::of(expr), what, help);
    }

    /// A literal; in a pattern its sign is part of it.
    fn number(&mut self, lit: &syn::Lit) -> Option<ExprKind> {
        let positive = match lit {
            syn::Lit::Int(int) => int.to_string().strip_prefix('-').map(str::to_owned),
            syn::Lit::Float(float) => float.to_string().strip_prefix('-').map(str::to_owned),
            _ => None,
        };
        let Some(positive) = positive else { return Some(ExprKind::Literal(self.literal(lit)?)) };
        let span = lit.span();
        let lit = match lit {
            syn::Lit::Float(_) => syn::Lit::Float(syn::LitFloat::new(&positive, span)),
            _ => syn::Lit::Int(syn::LitInt::new(&positive, span)),
        };
        let literal = self.literal(&lit)?;
        let literal = self.function.expr(ExprKind::Literal(literal), span);
        Some(ExprKind::Unary(UnaryOp::Neg, Box::new(literal)))
    }

    fn literal(&self, lit: &syn::Lit) -> Option<Literal> {
        match lit {
            syn::Lit::Bool(value) => Some(Literal::Bool(value.value)),
            syn::Lit::Int(int) => {
                let suffix = self.suffix(int.suffix(), int.span())?;
                let suffix = suffix.or(self.program.map(|_| Scalar::U32));
                if let Some(scalar) = suffix.filter(|scalar| scalar.is_float()) {
                    let digits = int.base10_digits().to_owned();
                    return Some(Literal::Float { digits, suffix: Some(scalar) });
                }
                match int.base10_parse::<u128>() {
                    Ok(value) => Some(Literal::Int { value, suffix }),
                    Err(error) => {
                        self.errors.push(error);
                        None
                    }
                }
            }
            syn::Lit::Float(float) => {
                let suffix = self.suffix(float.suffix(), float.span())?;
                let digits = float.base10_digits();
                // `2.f32` is not Rust.
                let zero = if digits.ends_with('.') { "0" } else { "" };
                Some(Literal::Float { digits: format!("{digits}{zero}"), suffix })
            }
            other => {
                self.unsupported(other.span(), "text", "device code knows numbers and `bool`");
                None
            }
        }
    }

    /// `Some(None)` for no suffix; `None` for one that device code lacks.
    fn suffix(&self, suffix: &str, span: Span) -> Option<Option<Scalar>> {
        if suffix.is_empty() {
            return Some(None);
        }
        match Scalar::from_name(suffix) {
            Some(scalar) => Some(Some(scalar)),
            None => {
                self.errors.report(
                    span,
                    format!("`{suffix}` has no fixed size in device code"),
                    "use `u32` for indices and counts, `u64` where 32 bits are too few",
                );
                None
            }
        }
    }

    /// `<u32>::MAX` is `u32::MAX`; `<D as Distance>::f` stays as it is.
    pub(super) fn plain_path(&self, path: &syn::ExprPath) -> Option<syn::ExprPath> {
        let mut whole = path.clone();
        whole.attrs.clear();
        if let Some(owner) = &path.qself
            && let syn::Type::Path(ty) = &*owner.ty
            && owner.position == 0
            && ty
                .path
                .get_ident()
                .is_some_and(|name| Scalar::from_name(&name.to_string()).is_some())
        {
            whole.qself = None;
            whole.path = ty.path.clone();
            whole.path.segments.extend(path.path.segments.iter().cloned());
        }
        Some(whole)
    }

    fn path(&self, whole: &syn::ExprPath) -> Option<ExprKind> {
        let path = &whole.path;
        if let Some(var) = path.get_ident().and_then(|name| self.lookup(name)) {
            return Some(ExprKind::Local(var));
        }
        self.check_foreign(path)?;
        self.check_variant(path)?;
        let owner = path.segments.first().filter(|_| path.segments.len() == 2);
        let scalar = owner.and_then(|owner| Scalar::from_name(&owner.ident.to_string()));
        match scalar.filter(|scalar| scalar.is_integer()) {
            // It is a `u32` whatever it is the width of.
            Some(scalar) if path.segments[1].ident == "BITS" => {
                let (value, suffix) = (u128::from(scalar.bits()), Some(Scalar::U32));
                Some(ExprKind::Literal(Literal::Int { value, suffix }))
            }
            _ => Some(ExprKind::Const(whole.clone())),
        }
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Option<ExprKind> {
        let value = self.expr(&unary.expr);
        let op = match unary.op {
            syn::UnOp::Not(_) => UnaryOp::Not,
            syn::UnOp::Neg(_) => UnaryOp::Neg,
            _ => {
                if value.is_some_and(|value| !self.is_refused(&value)) {
                    self.unsupported(unary.span(), "a dereference", "read the value by its name");
                }
                return None;
            }
        };
        Some(ExprKind::Unary(op, Box::new(value?)))
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> Option<ExprKind> {
        let (left, right) = (self.expr(&binary.left), self.expr(&binary.right));
        let (op, assigns) = binary_op(&binary.op)?;
        let (left, right) = (Box::new(left?), Box::new(right?));
        Some(if assigns {
            ExprKind::AssignOp(op, left, right)
        } else {
            ExprKind::Binary(op, left, right)
        })
    }

    fn field(&mut self, field: &syn::ExprField) -> Option<ExprKind> {
        let base = self.expr(&field.base)?;
        match &field.member {
            syn::Member::Named(name) => Some(ExprKind::Field(Box::new(base), name.clone())),
            syn::Member::Unnamed(index) => {
                let name = proc_macro2::Ident::new(&format!("_{}", index.index), index.span);
                Some(ExprKind::Field(Box::new(base), name))
            }
        }
    }

    fn struct_literal(&mut self, literal: &syn::ExprStruct) -> Option<ExprKind> {
        if let Some(rest) = &literal.rest {
            self.unsupported(
                rest.span(),
                "`..` in a struct literal",
                "name every field, or change a copy: `let mut new = old; new.x = 1;`",
            );
        }
        self.check_edge_fields(&literal.path, literal.fields.iter().map(|field| &field.member));
        let mut fields = Vec::new();
        for field in &literal.fields {
            let syn::Member::Named(name) = &field.member else { continue };
            fields.push((name.clone(), self.expr(&field.expr)?));
        }
        let path = literal.path.clone();
        let ty = self.ty(&syn::Type::Path(syn::TypePath { qself: None, path: path.clone() }));
        Some(ExprKind::Struct { path, ty, fields })
    }
}

/// `&graph` and `graph` both name the graph: references are not values here.
pub(super) fn strip_reference(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Reference(reference) => strip_reference(&reference.expr),
        other => other,
    }
}

/// The operator, and whether it assigns.
fn binary_op(op: &syn::BinOp) -> Option<(BinaryOp, bool)> {
    use syn::BinOp as S;
    Some(match op {
        S::Add(_) => (BinaryOp::Add, false),
        S::Sub(_) => (BinaryOp::Sub, false),
        S::Mul(_) => (BinaryOp::Mul, false),
        S::Div(_) => (BinaryOp::Div, false),
        S::Rem(_) => (BinaryOp::Rem, false),
        S::BitAnd(_) => (BinaryOp::And, false),
        S::BitOr(_) => (BinaryOp::Or, false),
        S::BitXor(_) => (BinaryOp::Xor, false),
        S::Shl(_) => (BinaryOp::Shl, false),
        S::Shr(_) => (BinaryOp::Shr, false),
        S::Eq(_) => (BinaryOp::Eq, false),
        S::Ne(_) => (BinaryOp::Ne, false),
        S::Lt(_) => (BinaryOp::Lt, false),
        S::Le(_) => (BinaryOp::Le, false),
        S::Gt(_) => (BinaryOp::Gt, false),
        S::Ge(_) => (BinaryOp::Ge, false),
        S::And(_) => (BinaryOp::LogicalAnd, false),
        S::Or(_) => (BinaryOp::LogicalOr, false),
        S::AddAssign(_) => (BinaryOp::Add, true),
        S::SubAssign(_) => (BinaryOp::Sub, true),
        S::MulAssign(_) => (BinaryOp::Mul, true),
        S::DivAssign(_) => (BinaryOp::Div, true),
        S::RemAssign(_) => (BinaryOp::Rem, true),
        S::BitAndAssign(_) => (BinaryOp::And, true),
        S::BitOrAssign(_) => (BinaryOp::Or, true),
        S::BitXorAssign(_) => (BinaryOp::Xor, true),
        S::ShlAssign(_) => (BinaryOp::Shl, true),
        S::ShrAssign(_) => (BinaryOp::Shr, true),
        _ => return None,
    })
}
