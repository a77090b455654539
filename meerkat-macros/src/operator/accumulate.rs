//! What a neighbour loop accumulates: partial results of lanes, reduced over the
//! group and handed back to the lane whose turn it is.

use super::Lowering;
use crate::ir::effects::Effects;
use crate::ir::visit::{self, declared, rewrite_block};
use crate::ir::{
    BinaryOp, Block, Callee, Expr, ExprKind, Function, Literal, Scalar, Slot, Stmt, Type, UnaryOp,
    VarId,
};
use crate::parse::program;
use proc_macro2::{Ident, Span};
use quote::{quote, quote_spanned};
use std::cell::Cell;
use syn::parse_quote;

/// An outer variable that the closure accumulates into.
pub(super) struct Accumulator {
    pub(super) var: VarId,
    pub(super) partial: VarId,
    pub(super) reduction: Reduction,
}

/// How the owner gets what was accumulated: it is reduced, and it takes it.
pub(super) struct HandedBack {
    pub(super) reduce: Vec<Stmt>,
    pub(super) give: Vec<Stmt>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reduction {
    Sum,
    Or,
    Min,
    Max,
    /// By a function of the type's own, which rustc finds: `Reduce::join`.
    Join(Slot),
}

impl Reduction {
    /// Whether two accumulations go together: every call of a function has a slot of its own.
    fn is_like(self, other: Reduction) -> bool {
        self == other || matches!((self, other), (Reduction::Join(_), Reduction::Join(_)))
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Reduction::Sum => "step_reduce_sum",
            Reduction::Or => "step_reduce_or",
            Reduction::Min => "step_reduce_min",
            Reduction::Max => "step_reduce_max",
            Reduction::Join(_) => unreachable!("joined by a function, not by a word"),
        }
    }
}

/// Whether an expression may change something that others see; an assertion may end
/// the lane.
pub(super) fn acts(expr: &Expr) -> bool {
    Effects::of(expr).acts() || matches!(expr.kind, ExprKind::Assert(_))
}

/// Whether a closure does nothing but look: then, once what it looks for is found,
/// the other neighbours make no difference.
pub(super) fn only_looks(body: &Block) -> bool {
    !visit::any_in_block(body, &acts)
}

/// The one flag that a closure raises which does nothing else: once it is up, the other neighbours make no
/// difference to a lane by itself.
pub(super) fn only_flag(function: &Function, body: &Block) -> Option<VarId> {
    if !only_looks(body) {
        return None;
    }
    let (inner, flag) = (declared(body), Cell::new(None));
    let is_other = |expr: &Expr| {
        let (ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _)) = &expr.kind else {
            return false;
        };
        if visit::root(place).is_some_and(|var| inner.contains(&var)) {
            return false;
        }
        match accumulation(expr, &inner) {
            Some((var, Reduction::Or)) if function.var(var).ty == Type::BOOL => {
                flag.replace(Some(var)).is_some_and(|before| before != var)
            }
            _ => true,
        }
    };
    if visit::any_in_block(body, &is_other) { None } else { flag.get() }
}

impl Lowering<'_> {
    /// What a walk may end with once a lane has found it: a flag of a closure that does nothing but look, or
    /// the variable of a search.
    pub(super) fn sought<'a>(
        &self,
        accumulators: &'a [Accumulator],
        only_looks: bool,
        finds: Option<VarId>,
    ) -> Option<&'a Accumulator> {
        match accumulators {
            // A flag is accumulated with `|=` and no other way.
            [one] if only_looks && self.function.var(one.var).ty == Type::BOOL => Some(one),
            [one] if finds == Some(one.var) => Some(one),
            _ => None,
        }
    }

    /// Finds `sum += ..` and its kin in the closure and turns each into a
    /// partial result of the lane, which begins as what changes nothing.
    pub(super) fn accumulators(&mut self, body: &mut Block) -> (Vec<Accumulator>, Vec<Stmt>) {
        let inner = declared(body);
        let mut found: Vec<Accumulator> = Vec::new();
        let (function, errors) = (&mut self.function, self.errors);
        rewrite_block(body, &mut |expr| {
            let Some((var, reduction)) = accumulation(expr, &inner) else { return };
            let known = found.iter().find(|accumulator| accumulator.var == var);
            let partial = match known {
                Some(known) => {
                    if !known.reduction.is_like(reduction) {
                        errors.report(
                            expr.place(),
                            format!(
                                "`{}` is accumulated in two different ways",
                                function.var(var).name
                            ),
                            "use one variable for the sum and another for the minimum",
                        );
                    }
                    known.partial
                }
                None => {
                    if !function.var(var).mutable {
                        let name = &function.var(var).name;
                        errors.report(
                            expr.place(),
                            format!("`{name}` is not mutable"),
                            format!("declare it `let mut {name}`"),
                        );
                        // Reported here; not again where the loop hands it back.
                        function.vars[var.0].mutable = true;
                    }
                    let name = format!("{}_part", function.var(var).name);
                    let ty = function.var(var).ty.clone();
                    let partial = function.fresh_var(&name, ty, true, expr.span);
                    found.push(Accumulator { var, partial, reduction });
                    partial
                }
            };
            replace_var(expr, var, partial);
        });
        self.refuse_reads(body, &found);
        let mut begin = Vec::new();
        for accumulator in &found {
            let span = self.function.var(accumulator.partial).name.span();
            let init = Some(self.identity(accumulator, span));
            begin.push(Stmt::Let { var: accumulator.partial, init, span });
        }
        (found, begin)
    }

    /// A lane sees only its own part of a sum until the loop is over.
    fn refuse_reads(&self, body: &Block, found: &[Accumulator]) {
        visit::block(body, &mut |expr| {
            visit::any(expr, &|inner| {
                let ExprKind::Local(var) = inner.kind else { return false };
                if found.iter().any(|accumulator| accumulator.var == var) {
                    let name = &self.function.var(var).name;
                    self.errors.report(
                        inner.place(),
                        format!("`{name}` is complete only after the neighbour loop"),
                        "read it after the loop; the closure can only accumulate into it",
                    );
                }
                false
            });
        });
    }

    /// The value that changes nothing.
    pub(super) fn identity(&mut self, accumulator: &Accumulator, span: Span) -> Expr {
        if let Reduction::Join(_) = accumulator.reduction {
            return self.function.expr(ExprKind::Identity(accumulator.var), span);
        }
        let Some(scalar) = self.scalar_of(accumulator.var) else {
            if let Some(constant) = self.generic_identity(accumulator) {
                return self.function.expr(ExprKind::Const(constant), span);
            }
            self.refuse_accumulator(accumulator);
            let zero = Literal::Int { value: 0, suffix: Some(Scalar::U32) };
            return self.function.expr(ExprKind::Literal(zero), span);
        };
        let name = Ident::new(scalar.name(), span);
        let kind = match accumulator.reduction {
            // `x + 0.0` is `0.0` where `x` is `-0.0`.
            Reduction::Sum if scalar.is_float() => {
                let zero = Literal::Float { digits: "0.0".to_owned(), suffix: Some(scalar) };
                let zero = self.function.expr(ExprKind::Literal(zero), span);
                ExprKind::Unary(UnaryOp::Neg, Box::new(zero))
            }
            Reduction::Or if scalar == Scalar::Bool => ExprKind::Literal(Literal::Bool(false)),
            Reduction::Sum | Reduction::Or => {
                ExprKind::Literal(Literal::Int { value: 0, suffix: Some(scalar) })
            }
            // Of a NaN and a number, both are the number.
            Reduction::Min | Reduction::Max if scalar.is_float() => {
                ExprKind::Const(parse_quote!(#name::NAN))
            }
            Reduction::Min => ExprKind::Const(parse_quote!(#name::MAX)),
            Reduction::Max => ExprKind::Const(parse_quote!(#name::MIN)),
            Reduction::Join(_) => unreachable!("it has no number for identity"),
        };
        self.function.expr(kind, span)
    }

    /// The value that changes nothing, of a number that is a type parameter.
    fn generic_identity(&self, accumulator: &Accumulator) -> Option<syn::ExprPath> {
        let var = self.function.var(accumulator.var);
        let name = match accumulator.reduction {
            Reduction::Sum => quote!(SUM_IDENTITY),
            Reduction::Min => quote!(MIN_IDENTITY),
            Reduction::Max => quote!(MAX_IDENTITY),
            Reduction::Or | Reduction::Join(_) => return None,
        };
        let Type::Param(of) = &var.ty else { return None };
        let span = Span::call_site().located_at(var.name.span());
        let of = Ident::new(&of.to_string(), of.span().located_at(span));
        let path = quote_spanned!(span=> <#of as ::meerkat_runtime::Words>::#name);
        Some(parse_quote!(#path))
    }

    fn refuse_accumulator(&self, accumulator: &Accumulator) {
        let var = self.function.var(accumulator.var);
        let name = &var.name;
        if var.ty.is_known() {
            self.errors.report(
                name.span(),
                format!("`{name}` is accumulated over the neighbours, so it must be a number"),
                "accumulate a number, or a `bool` with `|=`; a struct that is a `Reduce` with \
                 `x = x.join(..)`",
            );
            return;
        }
        let form = |ty: &str| format!("`let mut {name}: {ty} = ..`");
        let others = match accumulator.reduction {
            Reduction::Or => form("bool"),
            _ => format!("{}, or with `T: Number` {}", form("f32"), form("T")),
        };
        self.errors.report(
            name.span(),
            format!("`{name}` is accumulated over the neighbours, so its type must be known"),
            format!(
                "annotate it: {}, {others}; a struct is a `Reduce`, and joined: `{name} = \
                 {name}.join(..)`",
                form("u32")
            ),
        );
    }

    /// The scalar type of a variable: declared, or that of its first value.
    fn scalar_of(&self, var: VarId) -> Option<Scalar> {
        self.function.var(var).ty.scalar()
    }

    /// The variable is joined with what others gathered.
    pub(super) fn join(&mut self, accumulator: &Accumulator, all: Expr, span: Span) -> Vec<Stmt> {
        let Accumulator { var, reduction, .. } = *accumulator;
        match reduction {
            Reduction::Sum => program!(self, span, [var, all] { var = var + all; }),
            Reduction::Or => program!(self, span, [var, all] { var = var | all; }),
            Reduction::Min => program!(self, span, [var, all] { var = var.min(all); }),
            Reduction::Max => program!(self, span, [var, all] { var = var.max(all); }),
            Reduction::Join(slot) => {
                let own = self.function.local(var, span);
                let joined = self.joined(slot, own, all, span);
                program!(self, span, [var, joined] { var = joined; })
            }
        }
    }

    /// What those who share a vertex gathered goes to the lane whose vertex it is.
    pub(super) fn hand_back(
        &mut self,
        accumulator: &Accumulator,
        owner: VarId,
        span: Span,
    ) -> HandedBack {
        let Accumulator { var, partial, reduction } = *accumulator;
        if let Reduction::Join(slot) = reduction {
            let reduce = self.hand_back_joined(accumulator, slot, owner, span);
            return HandedBack { reduce, give: Vec::new() };
        }
        let name = format!("{}_all", self.function.var(var).name);
        let ty = self.function.var(var).ty.clone();
        let total = self.function.fresh_var(&name, ty, false, span);
        let all = self.function.local(total, span);
        let join = self.join(accumulator, all, span);
        let reduce = program!(self, span, [total, reduce = reduction.word(), partial] {
            let total = reduce(partial);
        });
        let give = program!(self, span, [owner, join] {
            if step_lane_id() == owner { join; }
        });
        HandedBack { reduce, give }
    }

    /// `a.join(b)`: the function that rustc found for a call in the closure.
    fn joined(&mut self, slot: Slot, a: Expr, b: Expr, span: Span) -> Expr {
        let callee = Callee::Method(Ident::new(JOIN, span));
        let call = self.function.expr(ExprKind::Call { callee, args: vec![a, b] }, span);
        Expr { slot: Some(slot), ..call }
    }

    /// Lanes join in pairs (a butterfly of shuffles), and the owner takes the result; of a
    /// block, it takes that of each warp.
    fn hand_back_joined(
        &mut self,
        accumulator: &Accumulator,
        slot: Slot,
        owner: VarId,
        span: Span,
    ) -> Vec<Stmt> {
        let Accumulator { var, partial, .. } = *accumulator;
        let name = self.function.var(var).name.to_string();
        let [other, all] = ["other", "all"].map(|part| {
            let ty = self.function.var(var).ty.clone();
            self.function.fresh_var(&format!("{name}_{part}"), ty, false, span)
        });
        let (mine, theirs) = (self.function.local(partial, span), self.function.local(other, span));
        let joined = self.joined(slot, mine, theirs, span);
        let gathered = self.function.local(all, span);
        let take = self.join(accumulator, gathered, span);
        if self.in_block_step {
            return program!(self, span, [partial, other, all, joined, owner, take] {
                #[unroll]
                for step in 0..5 {
                    let other = warp_shuffle(partial, lane_id() ^ (1 << step));
                    partial = joined;
                }
                for warp in 0..block_warp_count() {
                    let all = block_broadcast(partial, warp * 32);
                    if block_thread_id() == owner { take; }
                }
            });
        }
        let steps = self.group.ilog2();
        program!(self, span, [partial, other, all, joined, owner, take, steps] {
            #[unroll]
            for step in 0..steps {
                let other = group_shuffle(partial, group_lane_id() ^ (1 << step));
                partial = joined;
            }
            if group_lane_id() == owner {
                let all = partial;
                take;
            }
        })
    }
}

/// `best.join(other)`, in a walk's closure.
const JOIN: &str = "join";

/// `sum += e`, `flag |= e`, `best = best.min(e)`, `best = best.join(e)`: the variable and how it joins.
pub(super) fn accumulation(expr: &Expr, inner: &[VarId]) -> Option<(VarId, Reduction)> {
    match &expr.kind {
        ExprKind::AssignOp(op, place, _) => {
            let ExprKind::Local(var) = place.kind else { return None };
            let reduction = match op {
                BinaryOp::Add => Reduction::Sum,
                BinaryOp::Or => Reduction::Or,
                _ => return None,
            };
            (!inner.contains(&var)).then_some((var, reduction))
        }
        ExprKind::Assign(place, value) => {
            let ExprKind::Local(var) = place.kind else { return None };
            if let ExprKind::Call { callee: Callee::Method(name), args } = &value.kind {
                let is_joined = name == JOIN
                    && args.len() == 2
                    && matches!(args[0].kind, ExprKind::Local(id) if id == var)
                    && !inner.contains(&var);
                return value.slot.filter(|_| is_joined).map(|slot| (var, Reduction::Join(slot)));
            }
            let ExprKind::Method { receiver, method, .. } = &value.kind else { return None };
            let reduction = match method.name {
                "min" => Reduction::Min,
                "max" => Reduction::Max,
                _ => return None,
            };
            let same = matches!(receiver.kind, ExprKind::Local(id) if id == var);
            (same && !inner.contains(&var)).then_some((var, reduction))
        }
        _ => None,
    }
}

/// Makes an accumulation work on the lane's partial result.
fn replace_var(expr: &mut Expr, var: VarId, partial: VarId) {
    let local = |place: &mut Expr| {
        if matches!(place.kind, ExprKind::Local(id) if id == var) {
            place.kind = ExprKind::Local(partial);
        }
    };
    match &mut expr.kind {
        ExprKind::AssignOp(_, place, _) => local(place),
        ExprKind::Assign(place, value) => {
            local(place);
            match &mut value.kind {
                ExprKind::Method { receiver, .. } => local(receiver),
                ExprKind::Call { args, .. } => local(&mut args[0]),
                _ => {}
            }
        }
        _ => {}
    }
}
