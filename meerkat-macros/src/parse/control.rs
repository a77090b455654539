//! Control flow: branches, loops, and what leaves them.

use super::Parser;
use super::pattern::bound_name;
use crate::diagnostics::Place;
use crate::ir::{Block, ExprKind, LoopId, Type};
use proc_macro2::Span;
use syn::spanned::Spanned;

impl Parser<'_> {
    pub(super) fn if_else(&mut self, branch: &syn::ExprIf) -> Option<ExprKind> {
        let condition = self.expr(&branch.cond);
        let then = self.block(&branch.then_branch);
        let otherwise = match &branch.else_branch {
            Some((_, otherwise)) => Some(Box::new(self.expr(otherwise)?)),
            None => None,
        };
        Some(ExprKind::If { condition: Box::new(condition?), then, otherwise })
    }

    pub(super) fn loop_body(&mut self, label: Option<LoopId>, body: &syn::Block) -> Block {
        self.loops.push(label);
        let body = self.block(body);
        self.loops.pop();
        body
    }

    pub(super) fn for_loop(&mut self, each: &syn::ExprForLoop) -> Option<ExprKind> {
        let syn::Expr::Range(range) = strip_parens(&each.expr) else {
            self.refuse_items(&each.expr);
            return None;
        };
        let (Some(from), Some(to)) = (&range.start, &range.end) else {
            self.unsupported(range.span(), "a range without both ends", "write `from..to`");
            return None;
        };
        let Some(name) = bound_name(&each.pat) else {
            let help =
                "bind one name, or `_`; for a variable that changes, `let mut j = i;` inside";
            self.unsupported(each.pat.span(), "this pattern in `for`", help);
            return None;
        };
        let (from, to) = (self.expr(from), self.expr(to));
        let label = label(each.label.as_ref());
        self.scopes.push(Vec::new());
        let counter = self.program.map_or(Type::Unknown, |_| Type::U32);
        let var = self.declare_bound(name, counter);
        let body = self.loop_body(label.clone(), &each.body);
        self.scopes.pop();
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        let (from, to) = (Box::new(from?), Box::new(to?));
        // Of users, attributes were refused.
        let unrolled = self.program.is_some() && !each.attrs.is_empty();
        Some(ExprKind::For { label, var, from, to, inclusive, unrolled, body })
    }

    /// `for x in items`, where `items` is no range.
    fn refuse_items(&self, items: &syn::Expr) {
        let name = match items {
            syn::Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        let method = match items {
            syn::Expr::MethodCall(call) => call.method.to_string(),
            _ => String::new(),
        };
        let help = match name {
            _ if method == "rev" => "count up, and index from the end: `x[n - 1 - i]`".to_owned(),
            _ if method == "step_by" => "write `while i < n { ..; i += step; }`".to_owned(),
            _ if method.contains("neighbo") => {
                "visit them with `for_each_neighbor(graph, v, true, |dst| ..)`".into()
            }
            Some(name) => {
                format!("loop over a range: `for j in 0..{name}.len()`, and read `{name}[j]`")
            }
            None => "loop over a range: `for i in 0..n`, and index with `i`".to_owned(),
        };
        self.unsupported(Place::of(items), "an iterator", &help);
    }

    /// The loop that a `break` or `continue` means.
    pub(super) fn target(
        &self,
        label: Option<&syn::Lifetime>,
        span: Span,
    ) -> Option<Option<LoopId>> {
        let wanted = label.map(|label| LoopId(label.ident.to_string()));
        let known = match &wanted {
            None => !self.loops.is_empty(),
            Some(_) => self.loops.contains(&wanted),
        };
        if known {
            return Some(wanted);
        }
        self.errors.report(
            span,
            "there is no loop here to leave or continue",
            "a closure of `for_each_neighbor` is not a loop: put the rest of it in an `if`",
        );
        None
    }

    pub(super) fn return_(&mut self, back: &syn::ExprReturn) -> Option<ExprKind> {
        if self.function.kind.is_launched() {
            let help = match (self.closures, self.function.kind.is_operator()) {
                (0, false) => "put the rest in an `if`; lanes without work stay, inactive",
                (0, true) => {
                    "put the rest in an `if`, and pass the condition to a neighbour loop as \
                              its predicate"
                }
                _ => "put the rest of the closure in an `if`: it would end only this neighbour",
            };
            self.errors.report(
                Place::of(back),
                "no lane may leave a kernel early: the others would wait for it for ever",
                help,
            );
            return None;
        }
        if self.closures > 0 {
            self.errors.report(
                Place::of(back),
                "a `return` in a closure ends only the look at this neighbour",
                "put the rest of the closure in an `if`; `find_neighbor` ends the walk",
            );
            return None;
        }
        let value = match &back.expr {
            Some(value) => Some(Box::new(self.expr(value)?)),
            None => None,
        };
        Some(ExprKind::Return(value))
    }
}

pub(super) fn label(label: Option<&syn::Label>) -> Option<LoopId> {
    label.map(|label| LoopId(label.name.ident.to_string()))
}

fn strip_parens(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(inner) => strip_parens(&inner.expr),
        syn::Expr::Group(inner) => strip_parens(&inner.expr),
        other => other,
    }
}
