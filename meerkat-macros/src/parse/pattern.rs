//! Patterns of `let` and of assignments: tuples and structs are taken apart into
//! one variable a name.

use super::Parser;
use super::types::MOST_PARTS;
use crate::diagnostics::Place;
use crate::ir::{Block, Expr, ExprKind, Level, Stmt, Type, VarId};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;

/// What the head of a `for` or a closure's parameter binds.
#[derive(Clone, Copy)]
pub(super) enum Bound<'a> {
    Name(&'a Ident),
    /// `_`: a variable that no name leads to.
    Ignored(Span),
}

/// The one name that a pattern binds, unless it says more than that.
pub(super) fn bound_name(pattern: &syn::Pat) -> Option<Bound<'_>> {
    match pattern {
        syn::Pat::Ident(binding)
            if binding.subpat.is_none()
                && binding.by_ref.is_none()
                && binding.mutability.is_none() =>
        {
            Some(Bound::Name(&binding.ident))
        }
        syn::Pat::Wild(wild) => Some(Bound::Ignored(wild.underscore_token.span)),
        _ => None,
    }
}

impl Parser<'_> {
    pub(super) fn declare_bound(&mut self, bound: Bound, ty: Type) -> VarId {
        match bound {
            Bound::Name(name) => self.declare(name, false, ty, None),
            Bound::Ignored(span) => self.function.fresh_var("ignored", ty, false, span),
        }
    }

    // expands to: let first = pair._0; let second = pair._1;
    /// Binds what a pattern names to the parts of a value.
    pub(super) fn bind(
        &mut self,
        pattern: &syn::Pat,
        value: Expr,
        (ty, level): (Type, Option<Level>),
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        match pattern {
            syn::Pat::Ident(binding) if binding.subpat.is_none() && binding.by_ref.is_none() => {
                let ty = if ty.is_known() { ty } else { super::literal_type(&value) };
                let var = self.declare(&binding.ident, binding.mutability.is_some(), ty, level);
                out.push(Stmt::Let { var, init: Some(value), span });
            }
            // `let _: u64 = x;` says what `x` is.
            syn::Pat::Wild(wild) if ty.is_known() && ty != Type::Unit => {
                let var = self.declare_bound(Bound::Ignored(wild.underscore_token.span), ty);
                self.function.vars[var.0].declared = level;
                out.push(Stmt::Let { var, init: Some(value), span });
            }
            // `let _ = x.fetch_min(..)` throws the value away.
            syn::Pat::Wild(_) => out.push(Stmt::Expr(value)),
            syn::Pat::Paren(inner) => self.bind(&inner.pat, value, (ty, level), span, out),
            syn::Pat::Tuple(tuple) => self.bind_tuple(tuple, value, (ty, level), span, out),
            syn::Pat::Struct(fields) => self.bind_struct(fields, value, (ty, level), span, out),
            _ => self.unsupported(
                Place::of(pattern),
                "this pattern in a `let`",
                "bind a name, a tuple `(a, b)` or a struct `Edge { src, dst, .. }`",
            ),
        }
    }

    fn bind_tuple(
        &mut self,
        tuple: &syn::PatTuple,
        value: Expr,
        (ty, level): (Type, Option<Level>),
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let part_types = |at: usize| match &ty {
            Type::Tuple(parts) => parts.get(at).cloned().unwrap_or(Type::Unknown),
            _ => Type::Unknown,
        };
        // An alias says the types of the parts to rustc alone.
        let is_aliased = ty.is_known() && !matches!(ty, Type::Tuple(_));
        let parts = match value.kind {
            // `let (a, b) = (x, y);` needs no tuple.
            ExprKind::Tuple(parts) if parts.len() == tuple.elems.len() && !is_aliased => parts,
            _ => self.parts(value, tuple.elems.len(), &ty, level, span, out),
        };
        for (at, (pattern, part)) in tuple.elems.iter().zip(parts).enumerate() {
            self.bind(pattern, part, (part_types(at), level), span, out);
        }
    }

    /// `let parts = value;` and its fields `_0`, `_1`, ..
    fn parts(
        &mut self,
        value: Expr,
        count: usize,
        ty: &Type,
        level: Option<Level>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Vec<Expr> {
        let whole = self.hold(value, ty.clone(), level, span, out);
        let names = (0..count).map(|at| format!("_{at}"));
        names.map(|name| self.part(whole, &Ident::new(&name, span), span)).collect()
    }

    fn bind_struct(
        &mut self,
        pattern: &syn::PatStruct,
        value: Expr,
        (ty, level): (Type, Option<Level>),
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        self.check_edge_fields(&pattern.path, pattern.fields.iter().map(|field| &field.member));
        let path = syn::Type::Path(syn::TypePath { qself: None, path: pattern.path.clone() });
        let ty = if ty.is_known() { ty } else { self.ty(&path) };
        // The path of a pattern may leave type arguments to inference.
        let is_bare = matches!(&ty, Type::Named { args, .. } if args.is_empty());
        let whole = self.hold(value, if is_bare { Type::Unknown } else { ty }, level, span, out);
        for field in &pattern.fields {
            let syn::Member::Named(name) = &field.member else { continue };
            let part = self.part(whole, name, span);
            self.bind(&field.pat, part, (Type::Unknown, level), span, out);
        }
    }

    fn hold(
        &mut self,
        value: Expr,
        ty: Type,
        level: Option<Level>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> VarId {
        let var = self.function.fresh_var("parts", ty, false, span);
        self.function.vars[var.0].declared = level;
        out.push(Stmt::Let { var, init: Some(value), span });
        var
    }

    fn part(&mut self, whole: VarId, name: &Ident, span: Span) -> Expr {
        let base = Box::new(self.function.local(whole, span));
        self.function.expr(ExprKind::Field(base, name.clone()), span)
    }

    pub(super) fn tuple(&mut self, tuple: &syn::ExprTuple) -> Option<ExprKind> {
        if tuple.elems.len() > MOST_PARTS {
            let help = "use a device struct (`#[derive(DeviceStruct)]`), whose fields have names";
            self.unsupported(Place::of(tuple), "a tuple of more than four parts", help);
            return None;
        }
        let parts: Vec<_> = tuple.elems.iter().map(|part| self.expr(part)).collect();
        Some(ExprKind::Tuple(parts.into_iter().collect::<Option<_>>()?))
    }

    // expands to: { let part = b; let part_2 = a; a = part; b = part_2; }
    /// `(a, b) = (b, a);`
    pub(super) fn assign_parts(&mut self, assign: &syn::ExprAssign) -> Option<ExprKind> {
        let syn::Expr::Tuple(places) = &*assign.left else { return None };
        let span = assign.span();
        let value = self.expr(&assign.right)?;
        let mut stmts = Vec::new();
        let parts = match value.kind {
            ExprKind::Tuple(parts) if parts.len() == places.elems.len() => {
                let hold = |part| self.hold(part, Type::Unknown, None, span, &mut stmts);
                let held: Vec<_> = parts.into_iter().map(hold).collect();
                held.into_iter().map(|var| self.function.local(var, span)).collect()
            }
            _ => self.parts(value, places.elems.len(), &Type::Unknown, None, span, &mut stmts),
        };
        for (place, part) in places.elems.iter().zip(parts) {
            if matches!(place, syn::Expr::Infer(_)) {
                continue;
            }
            let place = Box::new(self.expr(place)?);
            let kind = ExprKind::Assign(place, Box::new(part));
            stmts.push(Stmt::Expr(self.function.expr(kind, span)));
        }
        Some(ExprKind::Block(Block { stmts, tail: None }))
    }
}
