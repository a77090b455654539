//! `match` on integers, and arrays written as `[value; n]`.

use super::Parser;
use crate::diagnostics::Place;
use crate::ir::{BinaryOp, Block, Expr, ExprKind, Literal, Stmt, Type};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;

impl Parser<'_> {
    /// A `match` is a chain of `if`s; rustc checks that it leaves nothing out,
    /// so the last arm needs no test.
    // expands to: { let matched = value; if matched == 0 { a } else { b } }
    pub(super) fn match_(&mut self, choice: &syn::ExprMatch) -> Option<ExprKind> {
        if let syn::Expr::Tuple(tuple) = &*choice.expr {
            let help = "match one of the values, and compare the others in guards: \
                        `0 if b == 1 => ..`";
            self.unsupported(Place::of(tuple), "a `match` on a tuple", help);
            return None;
        }
        let value = self.expr(&choice.expr)?;
        // A variable that cannot change needs no copy, and errors name it.
        if let ExprKind::Local(var) = value.kind
            && !self.function.var(var).mutable
        {
            let chain = self.arms(var, &choice.arms)?;
            return Some(ExprKind::Block(Block { stmts: Vec::new(), tail: Some(Box::new(chain)) }));
        }
        // Out of every scope: the user's own `matched` is another.
        let span = choice.expr.span();
        let matched = self.function.fresh_var("matched", Type::Unknown, false, span);
        self.function.vars[matched.0].described = Some("the matched value");
        let chain = self.arms(matched, &choice.arms)?;
        let span = choice.match_token.span;
        let stmts = vec![Stmt::Let { var: matched, init: Some(value), span }];
        Some(ExprKind::Block(Block { stmts, tail: Some(Box::new(chain)) }))
    }

    fn arms(&mut self, matched: crate::ir::VarId, arms: &[syn::Arm]) -> Option<Expr> {
        let (arm, rest) = arms.split_first()?;
        self.scopes.push(Vec::new());
        self.bind_arm(matched, &arm.pat);
        let test = self.pattern(matched, &arm.pat);
        let guard = arm.guard.as_ref().map(|(_, guard)| self.expr(guard));
        let body = self.expr(&arm.body);
        self.scopes.pop();
        let (span, body) = (arm.pat.span(), body?);
        if rest.is_empty() {
            return Some(body);
        }
        let mut condition = test?;
        if let Some(guard) = guard {
            let guard = guard?;
            condition = match condition.kind {
                // A name or `_` fits whatever there is.
                ExprKind::Literal(_) => guard,
                _ => {
                    let (test, guard) = (Box::new(condition), Box::new(guard));
                    self.function.expr(ExprKind::Binary(BinaryOp::LogicalAnd, test, guard), span)
                }
            };
        }
        let otherwise = self.arms(matched, rest)?;
        let kind = ExprKind::If {
            condition: Box::new(condition),
            then: as_block(body),
            otherwise: Some(Box::new(otherwise)),
        };
        Some(self.function.expr(kind, span))
    }

    /// `n` and `n @ 1..=3`: the name is another one for the value, in guard and body.
    fn bind_arm(&mut self, matched: crate::ir::VarId, pattern: &syn::Pat) {
        match pattern {
            syn::Pat::Ident(binding) => {
                if binding.subpat.is_none() && is_constant(&binding.ident) {
                    return;
                }
                if binding.by_ref.is_some() || binding.mutability.is_some() {
                    self.unsupported(
                        Place::of(binding),
                        "`mut` or `ref` in an arm",
                        &format!(
                            "bind the name alone, and copy it: `let mut copy = {0};`",
                            binding.ident
                        ),
                    );
                }
                self.check_reserved(&binding.ident);
                if let Some(scope) = self.scopes.last_mut() {
                    scope.push((binding.ident.clone(), matched));
                }
                if let Some((_, inner)) = &binding.subpat {
                    self.bind_arm(matched, inner);
                }
            }
            syn::Pat::Paren(inner) => self.bind_arm(matched, &inner.pat),
            // rustc sees to it that every case binds the same names.
            syn::Pat::Or(either) => {
                either.cases.iter().for_each(|case| self.bind_arm(matched, case));
            }
            _ => {}
        }
    }

    fn pattern(&mut self, matched: crate::ir::VarId, pattern: &syn::Pat) -> Option<Expr> {
        let span = pattern.span();
        match pattern {
            syn::Pat::Ident(syn::PatIdent { subpat: Some((_, inner)), .. }) => {
                self.pattern(matched, inner)
            }
            syn::Pat::Ident(constant) if is_constant(&constant.ident) => {
                let value = ExprKind::Const(plain(constant.ident.clone().into()));
                let value = self.function.expr(value, span);
                Some(self.compare(BinaryOp::Eq, matched, value, span))
            }
            syn::Pat::Wild(_) | syn::Pat::Ident(_) => {
                Some(self.function.expr(ExprKind::Literal(Literal::Bool(true)), span))
            }
            syn::Pat::Paren(inner) => self.pattern(matched, &inner.pat),
            syn::Pat::Lit(literal) => {
                let value = self.expr(&syn::Expr::Lit(literal.clone()))?;
                Some(self.compare(BinaryOp::Eq, matched, value, span))
            }
            syn::Pat::Path(path) => {
                self.check_variant(&path.path)?;
                let value = self.function.expr(ExprKind::Const(path.clone()), span);
                Some(self.compare(BinaryOp::Eq, matched, value, span))
            }
            syn::Pat::Range(range) => self.range_pattern(matched, range),
            syn::Pat::Or(either) => {
                let mut tests = either.cases.iter().map(|case| self.pattern(matched, case));
                let tests: Option<Vec<_>> = tests.by_ref().collect();
                tests?.into_iter().reduce(|left, right| {
                    let kind =
                        ExprKind::Binary(BinaryOp::LogicalOr, Box::new(left), Box::new(right));
                    self.function.expr(kind, span)
                })
            }
            _ => {
                self.unsupported(
                    span,
                    "this pattern",
                    "match numbers, constants, ranges, `|` of those, `name @` one of those and `_`",
                );
                None
            }
        }
    }

    fn range_pattern(&mut self, matched: crate::ir::VarId, range: &syn::PatRange) -> Option<Expr> {
        let span = range.span();
        let until = match range.limits {
            syn::RangeLimits::Closed(_) => BinaryOp::Le,
            syn::RangeLimits::HalfOpen(_) => BinaryOp::Lt,
        };
        let low = match &range.start {
            Some(start) => {
                let start = self.expr(start)?;
                Some(self.compare(BinaryOp::Ge, matched, start, span))
            }
            None => None,
        };
        let high = match &range.end {
            Some(end) => {
                let end = self.expr(end)?;
                Some(self.compare(until, matched, end, span))
            }
            None => None,
        };
        match (low, high) {
            (Some(low), Some(high)) => {
                let kind = ExprKind::Binary(BinaryOp::LogicalAnd, Box::new(low), Box::new(high));
                Some(self.function.expr(kind, span))
            }
            (low, high) => low.or(high),
        }
    }

    fn compare(
        &mut self,
        op: BinaryOp,
        matched: crate::ir::VarId,
        value: Expr,
        span: Span,
    ) -> Expr {
        let left = self.function.local(matched, span);
        self.function.expr(ExprKind::Binary(op, Box::new(left), Box::new(value)), span)
    }

    /// `[value; length]`: a short one of a value that is at hand is written out.
    pub(super) fn repeat(&mut self, repeat: &syn::ExprRepeat) -> Option<ExprKind> {
        let value = self.expr(&repeat.expr)?;
        let length = &repeat.len;
        let text = quote::quote!(#length).to_string();
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(literal), .. }) = &**length else {
            return Some(ExprKind::Repeat(Box::new(value), text));
        };
        let Some(length) = literal.base10_parse().ok().filter(|n| (1..=64).contains(n)) else {
            self.unsupported(
                length.span(),
                "an array of this length",
                "a lane has registers for small arrays: write a number from 1 to 64",
            );
            return None;
        };
        if !matches!(value.kind, ExprKind::Literal(_) | ExprKind::Local(_)) {
            return Some(ExprKind::Repeat(Box::new(value), text));
        }
        let again: Vec<_> = (1..length).map(|_| self.expr(&repeat.expr)).collect();
        let mut items = vec![value];
        items.extend(again.into_iter().collect::<Option<Vec<_>>>()?);
        Some(ExprKind::Array(items))
    }
}

/// A path without a type in front.
fn plain(path: syn::Path) -> syn::ExprPath {
    syn::ExprPath { attrs: Vec::new(), qself: None, path }
}

fn as_block(body: Expr) -> Block {
    match body.kind {
        ExprKind::Block(block) => block,
        _ => Block { stmts: Vec::new(), tail: Some(Box::new(body)) },
    }
}

/// Whether a pattern's name is a constant's: the macro cannot look it up, so it
/// goes by the case that rustc warns to keep.
pub(crate) fn is_constant(name: &Ident) -> bool {
    let name = name.to_string();
    name.contains(|c: char| c.is_uppercase()) && !name.contains(|c: char| c.is_lowercase())
}
