//! Expressions: a uniform one is a scalar; a varying one is the scalar form of
//! lane `__l`, run for every lane by the statement around it.

use super::Native;
use super::alone::is_of_lane;
use crate::ir::effects::Effects;
use crate::ir::select::as_select;
use crate::ir::{BinaryOp, Expr, ExprKind, Literal, UnaryOp, visit};
use crate::tokens::{length_tokens, member, type_tokens};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

impl Native<'_> {
    /// The value as `Lanes<T>`, whatever its uniformity.
    pub(super) fn lanes(&mut self, expr: &Expr) -> TokenStream {
        if let ExprKind::Local(var) = expr.kind
            && !self.is_uniform_var(var)
        {
            let name = self.var_at(var, expr.span);
            return quote!(#name);
        }
        if let Some(row) = self.row(expr) {
            return row;
        }
        let (value, span) = (self.scalar(expr), expr.span);
        if self.is_uniform(expr.id) {
            return quote_spanned!(span=> ::meerkat_runtime::lanes::Lanes::splat(#value));
        }
        let mask = self.current_mask();
        let lane = proc_macro2::Ident::new("__l", Span::call_site());
        if self.is_total(expr) {
            quote_spanned!(span=> ::meerkat_runtime::lanes::Lanes::dense(|#lane: usize| #value))
        } else {
            quote_spanned! {span=>
                ::meerkat_runtime::lanes::Lanes::active(#mask, |#lane: usize| #value)
            }
        }
    }

    // expands to:
    //   Neighbors::row(&graph, chunk, __m0)
    /// `Neighbors::read_word(graph, chunk, lane_id())`: all lanes read a chunk, a word each, which is
    /// one copy of it.
    fn row(&mut self, expr: &Expr) -> Option<TokenStream> {
        let ExprKind::Call { callee, args } = &expr.kind else { return None };
        let [graph, chunk, at] = &args[..] else { return None };
        let own_word = matches!(&at.kind, ExprKind::Intrinsic { intrinsic, .. } if intrinsic.name == "lane_id");
        let reads_word =
            callee.only_reads_graph() && callee.name().is_some_and(|name| name == "read_word");
        if !reads_word || !own_word || !self.is_uniform(chunk.id) {
            return None;
        }
        let (mask, span) = (self.current_mask(), expr.span);
        let (graph, chunk) = (self.place(graph), self.scalar(chunk));
        Some(quote_spanned!(span=> ::meerkat_runtime::Neighbors::row(&#graph, #chunk, #mask)))
    }

    /// A condition as the mask of active lanes where it holds.
    pub(super) fn bits(&mut self, expr: &Expr, mask: &proc_macro2::Ident) -> TokenStream {
        let value = self.scalar(expr);
        if self.is_uniform(expr.id) {
            return quote!((if #value { #mask } else { 0u32 }));
        }
        if self.is_total(expr) {
            quote!((#mask & ::meerkat_runtime::lanes::dense_bits(|__l: usize| #value)))
        } else {
            quote!(::meerkat_runtime::lanes::active_bits(#mask, |__l: usize| #value))
        }
    }

    /// The value of lane `__l`, or of the warp if it is uniform. Code that can
    /// trap carries the user's span, so that the trap names the user's line.
    pub(super) fn scalar(&mut self, expr: &Expr) -> TokenStream {
        if !self.in_place {
            return self.scalar_form(expr);
        }
        let outer = std::mem::take(&mut self.before);
        let value = self.scalar_form(expr);
        let inner = self.take_before();
        self.before = outer;
        if inner.is_empty() { value } else { quote!({ #inner #value }) }
    }

    fn scalar_form(&mut self, expr: &Expr) -> TokenStream {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(literal, expr),
            ExprKind::Local(var) => {
                let name = self.var_at(*var, span);
                if self.is_uniform_var(*var) { quote!(#name) } else { quote!(#name[__l]) }
            }
            ExprKind::Const(path) => quote!(#path),
            ExprKind::Identity(var) => {
                let span = span.resolved_at(Span::call_site());
                let name = self.var_at(*var, span);
                let lane = (!self.is_uniform_var(*var)).then(|| quote!([0usize]));
                let of = quote_spanned!(span=> ::meerkat_runtime::reduce::of(&#name #lane));
                quote_spanned!(span=> ::meerkat_runtime::reduce::identity(#of).value)
            }
            ExprKind::Unary(op, a) => {
                let a = self.scalar(a);
                match op {
                    UnaryOp::Not => quote!((!#a)),
                    UnaryOp::Neg => quote!(__ops::neg(#a)),
                }
            }
            ExprKind::Binary(op, a, b) if op.is_logical() => self.logical(expr, *op, a, b),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.scalar(a), self.scalar(b));
                arithmetic(*op, &a, &b, span)
            }
            ExprKind::Cast(a, ty) => {
                let (a, ty) = (self.scalar(a), type_tokens(ty));
                quote!((#a as #ty))
            }
            ExprKind::Field(base, name) => {
                let (base, name) = (self.place(base), member(name));
                quote!(#base.#name)
            }
            ExprKind::Index(..) => {
                let place = self.place(expr);
                quote!((*#place))
            }
            ExprKind::Struct { path, fields, .. } => self.struct_literal(path, fields),
            ExprKind::Intrinsic { intrinsic, group, args } => {
                self.intrinsic(expr, intrinsic, *group, args)
            }
            ExprKind::Shared { element, length, .. } => self.shared(element, length, span),
            ExprKind::Tuple(items) => {
                let items: Vec<_> = items.iter().map(|item| self.scalar(item)).collect();
                quote!((#(#items),*))
            }
            ExprKind::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| self.scalar(item)).collect();
                quote!([#(#items),*])
            }
            ExprKind::Repeat(item, length) => {
                let (item, length) = (self.scalar(item), length_tokens(length));
                quote!([#item; #length])
            }
            ExprKind::Call { callee, args } => self.call(expr, callee, args),
            ExprKind::Method { receiver, method, args, .. } => {
                self.method(receiver, method, args, span)
            }
            _ => self.select(expr),
        }
    }

    /// Whether computing it for an inactive lane is harmless: no memory, no traps.
    pub(super) fn is_total(&self, expr: &Expr) -> bool {
        !visit::any(expr, &|part| match &part.kind {
            // One of a lane may trap there; any other has run in front of the expression.
            ExprKind::Call { callee, args } => {
                !self.is_uniform(part.id) && is_of_lane(callee, args)
            }
            _ => Effects::of(part).traps,
        })
    }

    /// Something a field is read from or an atomic is called on: not copied.
    pub(super) fn place(&mut self, expr: &Expr) -> TokenStream {
        match &expr.kind {
            ExprKind::Index(base, at) => {
                let span = expr.span;
                let (base, at) = (self.place(base), self.scalar(at));
                quote_spanned!(span=> (#base).at(#at))
            }
            ExprKind::Field(base, name) => {
                let (base, name) = (self.place(base), member(name));
                quote!(#base.#name)
            }
            _ => self.scalar(expr),
        }
    }

    fn literal(&self, literal: &Literal, expr: &Expr) -> TokenStream {
        let scalar = expr.ty.scalar();
        let suffix = scalar.map_or("", |scalar| scalar.name());
        let text = match literal {
            Literal::Bool(value) => return quote!(#value),
            Literal::Int { value, .. } if scalar.is_some_and(crate::ir::Scalar::is_float) => {
                format!("{value}.0{suffix}")
            }
            Literal::Int { value, .. } => format!("{value}{suffix}"),
            Literal::Float { digits, .. } if digits.contains(['.', 'e', 'E']) => {
                format!("{digits}{suffix}")
            }
            Literal::Float { digits, .. } => format!("{digits}.0{suffix}"),
        };
        text.parse().unwrap_or_else(|_| quote!(0))
    }

    /// `&&` and `||` run their right side only for lanes that need it, also
    /// when that side calls a function of the warp.
    fn logical(&mut self, whole: &Expr, op: BinaryOp, a: &Expr, b: &Expr) -> TokenStream {
        let operator = if op == BinaryOp::LogicalAnd { quote!(&&) } else { quote!(||) };
        if self.is_uniform(whole.id) {
            let left = self.scalar(a);
            let outer = std::mem::take(&mut self.before);
            let right = self.scalar(b);
            let inner = self.take_before();
            self.before = outer;
            return quote!((#left #operator { #inner #right }));
        }
        if self.in_place || !visit::any(b, &needs_warp) {
            let (left, right) = (self.scalar(a), self.scalar(b));
            return quote!((#left #operator #right));
        }
        let mask = self.current_mask();
        let left = self.bits(a, &mask);
        let result = self.temporary();
        self.before.push(quote! { let mut #result: u32 = #left; });
        let outer_mask = self.mask;
        let outer = std::mem::take(&mut self.before);
        let inner_mask = self.push_mask();
        let right = self.bits(b, &inner_mask);
        let inner = self.take_before();
        self.pop_mask_to(outer_mask);
        self.before = outer;
        let (who, join) = if op == BinaryOp::LogicalAnd {
            (quote!(#mask & #result), quote!(#result = __right;))
        } else {
            (quote!(#mask & !#result), quote!(#result |= __right;))
        };
        self.before.push(quote! {
            {
                let mut #inner_mask: u32 = #who;
                if #inner_mask != 0 { #inner let __right: u32 = #right; #join }
            }
        });
        quote!((#result >> __l & 1 != 0))
    }

    fn struct_literal(
        &mut self,
        path: &syn::Path,
        fields: &[(proc_macro2::Ident, Expr)],
    ) -> TokenStream {
        let fields = fields.iter().map(|(name, value)| {
            let value = self.scalar(value);
            quote!(#name: #value)
        });
        let fields: Vec<_> = fields.collect();
        quote!(#path { #(#fields),* })
    }

    /// A choice whose sides call functions of the warp: each side runs for its
    /// own lanes only.
    fn branch(
        &mut self,
        whole: &Expr,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
    ) -> TokenStream {
        if self.is_uniform(whole.id) {
            let test = self.scalar(condition);
            let mut side = |expr: &Expr| {
                let outer = std::mem::take(&mut self.before);
                let value = self.scalar(expr);
                let inner = self.take_before();
                self.before = outer;
                quote!({ #inner #value })
            };
            let (then, otherwise) = (side(then), side(otherwise));
            // In front, where it runs once: the expression may run once a lane.
            let result = self.temporary();
            self.before.push(quote! { let #result = if #test #then else #otherwise; });
            return quote!(#result);
        }
        let (outer_mask, mask) = (self.mask, self.current_mask());
        let taken = self.temporary();
        let holds = self.bits(condition, &mask);
        let result = self.temporary();
        self.before.push(quote! {
            let #taken: u32 = #holds;
            let mut #result = ::meerkat_runtime::lanes::Lanes::zeroed();
        });
        for (side, lanes) in [(then, quote!(#mask & #taken)), (otherwise, quote!(#mask & !#taken))]
        {
            let outer = std::mem::take(&mut self.before);
            let inner_mask = self.push_mask();
            let value = self.scalar(side);
            let inner = self.take_before();
            self.pop_mask_to(outer_mask);
            self.before = outer;
            self.before.push(quote! {
                {
                    let mut #inner_mask: u32 = #lanes;
                    if #inner_mask != 0 {
                        #inner
                        for __l in ::meerkat_runtime::lanes::active(#inner_mask) {
                            #result[__l] = #value;
                        }
                    }
                }
            });
        }
        quote!(#result[__l])
    }

    fn select(&mut self, expr: &Expr) -> TokenStream {
        match (as_select(expr), &expr.kind) {
            (Some((condition, then, otherwise)), _)
                if !self.in_place
                    && (visit::any(then, &needs_warp) || visit::any(otherwise, &needs_warp)) =>
            {
                self.branch(expr, condition, then, otherwise)
            }
            (Some((condition, then, otherwise)), _) => {
                let condition = self.scalar(condition);
                let (then, otherwise) = (self.scalar(then), self.scalar(otherwise));
                quote!((if #condition { #then } else { #otherwise }))
            }
            (None, ExprKind::Block(body) | ExprKind::Unsafe(body)) => match &body.tail {
                Some(tail) => self.scalar(tail),
                None => quote!(()),
            },
            _ => quote!(()),
        }
    }
}

fn arithmetic(op: BinaryOp, a: &TokenStream, b: &TokenStream, span: Span) -> TokenStream {
    let function = match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Div => "div",
        BinaryOp::Rem => "rem",
        BinaryOp::Shl => "shl",
        BinaryOp::Shr => "shr",
        other => {
            let symbol: TokenStream = other.symbol().parse().unwrap_or_default();
            return quote!((#a #symbol #b));
        }
    };
    let function = proc_macro2::Ident::new(function, span);
    quote_spanned!(span=> __ops::#function(#a, #b))
}

/// Whether the expression runs once for the warp and so cannot sit in the
/// scalar form of one lane.
pub(crate) fn needs_warp(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Call { .. }) || visit::is_collective(expr)
}
