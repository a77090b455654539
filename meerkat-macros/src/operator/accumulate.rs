//! What a neighbour loop accumulates: partial results of lanes, reduced over the
//! group and handed back to the lane whose turn it is.

use super::Lowering;
use crate::ir::effects::Effects;
use crate::ir::visit::{self, declared, rewrite_block};
use crate::ir::{BinaryOp, Block, Expr, ExprKind, Literal, Scalar, Stmt, VarId};
use crate::parse::program;
use proc_macro2::{Ident, Span};
use syn::parse_quote;

/// An outer variable that the closure accumulates into.
pub(super) struct Accumulator {
    pub(super) var: VarId,
    pub(super) partial: VarId,
    pub(super) reduction: Reduction,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Reduction {
    Sum,
    Or,
    Min,
    Max,
}

impl Reduction {
    pub(super) fn word(self) -> &'static str {
        match self {
            Reduction::Sum => "turn_reduce_sum",
            Reduction::Or => "turn_reduce_or",
            Reduction::Min => "turn_reduce_min",
            Reduction::Max => "turn_reduce_max",
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

impl Lowering<'_> {
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
                    if known.reduction != reduction {
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
                        // Told; not again where the loop hands it back.
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
            let init = self.identity(accumulator, span);
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
                        "read it behind the loop; in the closure it can only be accumulated",
                    );
                }
                false
            });
        });
    }

    /// The value that changes nothing.
    pub(super) fn identity(&mut self, accumulator: &Accumulator, span: Span) -> Option<Expr> {
        let Some(scalar) = self.scalar_of(accumulator.var) else {
            self.refuse_accumulator(accumulator);
            return Some(self.function.expr(
                ExprKind::Literal(Literal::Int { value: 0, suffix: Some(Scalar::U32) }),
                span,
            ));
        };
        let name = Ident::new(scalar.name(), span);
        let kind = match accumulator.reduction {
            Reduction::Sum if scalar.is_float() => {
                ExprKind::Literal(Literal::Float { digits: "0.0".to_owned(), suffix: Some(scalar) })
            }
            Reduction::Or if scalar == Scalar::Bool => ExprKind::Literal(Literal::Bool(false)),
            Reduction::Sum | Reduction::Or => {
                ExprKind::Literal(Literal::Int { value: 0, suffix: Some(scalar) })
            }
            Reduction::Min if scalar.is_float() => ExprKind::Const(parse_quote!(#name::INFINITY)),
            Reduction::Max if scalar.is_float() => {
                ExprKind::Const(parse_quote!(#name::NEG_INFINITY))
            }
            Reduction::Min => ExprKind::Const(parse_quote!(#name::MAX)),
            Reduction::Max => ExprKind::Const(parse_quote!(#name::MIN)),
        };
        Some(self.function.expr(kind, span))
    }

    fn refuse_accumulator(&self, accumulator: &Accumulator) {
        let var = self.function.var(accumulator.var);
        let name = &var.name;
        if var.ty.is_known() {
            self.errors.report(
                name.span(),
                format!("`{name}` is accumulated over the neighbours, so it must be a number"),
                "accumulate each part in a variable of its own: a number, or a `bool` with `|=`",
            );
            return;
        }
        let other = if accumulator.reduction == Reduction::Or { "bool" } else { "f32" };
        self.errors.report(
            name.span(),
            format!("`{name}` is accumulated over the neighbours, so its type must be known"),
            format!("annotate it: `let mut {name}: u32 = ..`, `let mut {name}: {other} = ..`"),
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
        }
    }

    /// What those who share a vertex gathered goes to the lane whose vertex it is.
    pub(super) fn hand_back(
        &mut self,
        accumulator: &Accumulator,
        owner: VarId,
        span: Span,
    ) -> Vec<Stmt> {
        let Accumulator { var, partial, reduction } = *accumulator;
        let name = format!("{}_all", self.function.var(var).name);
        let ty = self.function.var(var).ty.clone();
        let total = self.function.fresh_var(&name, ty, false, span);
        let all = self.function.local(total, span);
        let join = self.join(accumulator, all, span);
        program!(self, span, [total, reduce = reduction.word(), partial, owner, join] {
            let total = reduce(partial);
            if turn_lane_id() == owner { join; }
        })
    }
}

/// `sum += e`, `flag |= e`, `best = best.min(e)`: the variable and how it joins.
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
            if let ExprKind::Method { receiver, .. } = &mut value.kind {
                local(receiver);
            }
        }
        _ => {}
    }
}
