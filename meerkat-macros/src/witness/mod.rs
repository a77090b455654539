//! Types from rustc: whatever the macro does not know for sure is tied to a witness,
//! `PhantomData<T>`, in a copy of the function that rustc checks and nobody runs.
//!
//! ```text
//! let x = y.level + 1;       let mut x = y.level + __is(__w0, 1);  __tie(__w1, &x);
//! ```
//!
//! `__w0` and `__w1` then have the types that rustc inferred, and the CUDA text has
//! marks in their place. What the macro does know is written into the copy, so that
//! rustc refuses the function where the macro is wrong.

mod copy;

use crate::diagnostics::Errors;
use crate::forms;
use crate::infer;
use crate::ir::{Expr, ExprKind, Function, Lists, Scalar, Slot, Type, Var, visit};
use proc_macro2::{Ident, TokenStream};
use quote::format_ident;

/// The copy of a function that its witnesses are tied in: parameters and body of a
/// closure.
#[derive(Clone, Default)]
pub(crate) struct Witnessed {
    pub(crate) closure: TokenStream,
    pub(crate) slots: usize,
    /// The number types that the CUDA text names.
    pub(crate) scalars: Vec<Scalar>,
}

/// Infers the types of a function, resolves its methods, and ties to witnesses what
/// only rustc knows.
pub(crate) fn tie(mut function: Function, errors: &Errors) -> (Function, Witnessed) {
    infer::infer(&mut function);
    infer::methods::check(&function, errors);
    allot(&mut function);
    let closure = if forms::has_cuda() { copy::closure(&function) } else { TokenStream::new() };
    let (slots, scalars) = (function.slots, scalars(&function));
    (function, Witnessed { closure, slots, scalars })
}

/// The name of a witness.
pub(crate) fn ident(Slot(number): Slot) -> Ident {
    format_ident!("__w{number}")
}

/// Gives a witness to each variable, number and value of unknown type, and to each
/// choice of type arguments that rustc makes.
fn allot(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    for var in visit::declared(&body) {
        let Var { ty, unsure, .. } = function.var(var);
        if !ty.is_whole() || *unsure && !ty.is_sure() {
            let guess = ty.clone();
            function.vars[var.0].ty = Type::Rustc(function.slot(), Box::new(guess));
        }
    }
    visit::rewrite_block(&mut body, &mut |expr| allot_expr(expr, function));
    function.body = body;
}

fn rustc(function: &mut Function) -> Type {
    Type::Rustc(function.slot(), Box::new(Type::Unknown))
}

fn allot_expr(expr: &mut Expr, function: &mut Function) {
    match &mut expr.kind {
        ExprKind::Literal(_) if !expr.ty.is_whole() => expr.ty = rustc(function),
        // Fields of parameters are read where they lie; others, and an item's, may be handed
        // to lanes.
        ExprKind::Field(base, _) if !expr.ty.is_whole() && is_own(base, function) => {
            expr.ty = rustc(function);
        }
        ExprKind::Local(var) => expr.ty = function.var(*var).ty.clone(),
        // The cast's own type says what the number under it is; there is no witness.
        ExprKind::Cast(value, ty)
            if ty.scalar().is_none() && infer::number_under_cast(value).is_some() =>
        {
            visit::rewrite(value, &mut |inner| {
                if let ExprKind::Literal(_) = inner.kind {
                    inner.ty = Type::Hint(Box::new(ty.clone()));
                }
            });
        }
        ExprKind::Struct { .. }
        | ExprKind::Array(_)
        | ExprKind::Repeat(..)
        | ExprKind::Call { .. } => {
            expr.slot = Some(function.slot());
        }
        ExprKind::Intrinsic { intrinsic, .. } if intrinsic.is_library() => {
            expr.slot = Some(function.slot());
        }
        ExprKind::ForEachNeighbor(each) => {
            each.graph.slot = Some(function.slot());
            each.types.lists = Some(function.slot());
            each.types.chunk = Some(function.slot());
            if let Lists::Updated = each.lists {
                each.types.updated = [Some(function.slot()), Some(function.slot())];
            }
        }
        _ => {}
    }
}

fn is_own(place: &Expr, function: &Function) -> bool {
    let is_own = |var: &Var| var.own_item || !var.parameter;
    visit::root(place).is_none_or(|root| is_own(function.var(root)))
}

/// The number types that the user names: in CUDA text they go by those names.
fn scalars(function: &Function) -> Vec<Scalar> {
    let mut found = Vec::new();
    let mut see = |ty: &Type| {
        let mut ty = ty;
        while let Type::Slice(_, inner)
        | Type::Atomic(inner)
        | Type::Array(inner, _)
        | Type::Ref(inner) = ty
        {
            ty = inner;
        }
        found.extend(ty.scalar());
    };
    function.vars.iter().for_each(|var| see(&var.ty));
    see(&function.ret);
    let mut casts = Vec::new();
    visit::block(&function.body, &mut |expr| casts_of(expr, &mut casts));
    casts.iter().for_each(|ty| see(ty));
    found.sort_by_key(|scalar| scalar.name());
    found.dedup();
    found
}

fn casts_of<'a>(expr: &'a Expr, found: &mut Vec<&'a Type>) {
    if let ExprKind::Cast(_, ty) = &expr.kind {
        found.push(ty);
    }
    visit::children(expr, &mut |child| casts_of(child, found));
}
