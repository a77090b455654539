//! Types in the user's order. A call runs in front of the expression that it is in, so
//! rustc sees its arguments before what stands on their left, and may be asked for a method
//! of a number whose type only the left side says: `at[x & 15].fetch_or(f(x.leading_zeros()))`.
//! In front of such a statement goes a copy in the user's order, which never runs.

use super::{Native, needs_warp};
use crate::ir::select::as_select;
use crate::ir::{Expr, ExprKind, Stmt, VarId, receiver, visit};
use proc_macro2::TokenStream;
use quote::quote;

impl Native<'_> {
    /// The copy, if the statement needs one.
    pub(super) fn typing_of(&mut self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let { init: Some(init), .. } => self.typing(init),
            Stmt::Let { init: None, .. } => quote!(),
            Stmt::Expr(expr) => self.typing(expr),
        }
    }

    // expands to:
    //   if false { let __l: usize = 0; let _ = at.at(x[__l] & 15).fetch_or({ let __t1 = ..; __t1 }); }
    pub(super) fn typing(&mut self, expr: &Expr) -> TokenStream {
        let values = values(expr);
        if !self.asks_too_early(&values) {
            return quote!();
        }
        self.in_place = true;
        let values: Vec<_> = values.iter().map(|value| self.scalar(value)).collect();
        self.in_place = false;
        quote! { if false { let __l: usize = 0; #(let _ = #values;)* } }
    }

    /// Whether what runs first has a function of a type that something else in the statement
    /// may say.
    fn asks_too_early(&self, values: &[&Expr]) -> bool {
        let mentions = |var| values.iter().map(|value| mentions_in(value, var)).sum::<usize>();
        let is_early = |part: &Expr| {
            let mut asked = receiver::untyped(&self.checked.function, part);
            asked.retain(|var| self.bare.contains(var));
            asked.iter().any(|&var| mentions(var) > mentions_in(part, var))
        };
        values.iter().any(|value| visit::any(value, &|part| needs_warp(part) && is_early(part)))
    }
}

/// The values that a statement has before any block in it, in the user's order.
fn values(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        _ if as_select(expr).is_some() => vec![expr],
        ExprKind::If { condition, otherwise, .. } => {
            let mut all = vec![&**condition];
            all.extend(otherwise.iter().flat_map(|otherwise| values(otherwise)));
            all
        }
        ExprKind::While { condition, .. } => vec![condition],
        ExprKind::For { from, to, .. } => vec![from, to],
        ExprKind::Assign(place, value) | ExprKind::AssignOp(_, place, value) => {
            // What a variable is assigned does not wait for its type.
            let is_local = matches!(place.kind, ExprKind::Local(_));
            let mut all = if is_local { Vec::new() } else { vec![&**place] };
            all.extend(values(value));
            all
        }
        ExprKind::Return(Some(value)) => values(value),
        ExprKind::Block(_)
        | ExprKind::Unsafe(_)
        | ExprKind::Loop { .. }
        | ExprKind::Return(None)
        | ExprKind::Break(_)
        | ExprKind::Continue(_) => Vec::new(),
        ExprKind::Assert(condition) => vec![condition],
        _ => vec![expr],
    }
}

fn mentions_in(expr: &Expr, var: VarId) -> usize {
    let own = matches!(expr.kind, ExprKind::Local(id) if id == var);
    let mut count = usize::from(own);
    visit::children(expr, &mut |child| count += mentions_in(child, var));
    count
}
