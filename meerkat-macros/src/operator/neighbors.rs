//! `for_each_neighbor`: the warp takes its lanes' vertices one after another
//! and walks each one's slab lists with all 32 lanes (Meerkat, algorithm 3).

use super::Lowering;
use crate::ir::visit::{declared, rewrite_block, root};
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, ForEachNeighbor, Literal, Scalar, Stmt, Type, VarId,
};
use proc_macro2::{Ident, Span};
use syn::parse_quote;

/// An outer variable that the closure accumulates into.
struct Accumulator {
    var: VarId,
    partial: VarId,
    reduction: Reduction,
}

#[derive(Clone, Copy, PartialEq)]
enum Reduction {
    Sum,
    Or,
    Min,
    Max,
}

impl Reduction {
    fn intrinsic(self) -> &'static str {
        match self {
            Reduction::Sum => "warp_reduce_sum",
            Reduction::Or => "warp_reduce_or",
            Reduction::Min => "warp_reduce_min",
            Reduction::Max => "warp_reduce_max",
        }
    }
}

impl Lowering<'_> {
    // expands to:
    //   let mut work = warp_ballot(active && predicate);
    //   while work != 0 {
    //       let owner = warp_dequeue(&mut work);
    //       let source = warp_broadcast(vertex, owner);
    //       for bucket in 0..slab_list_count(graph, source) {
    //           let mut slab = slab_list(graph, source, bucket);
    //           while slab != NULL_SLAB {
    //               let word = slab_word(graph, slab);
    //               let dst = word;
    //               let valid = is_valid_vertex(graph, dst);
    //               <body, guarded by `valid`>
    //               slab = next_slab(graph, word);
    //           }
    //       }
    //   }
    pub(super) fn for_each_neighbor(
        &mut self,
        each: ForEachNeighbor,
        guard: VarId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let ForEachNeighbor { graph, vertex, predicate, dst, weight, mut body } = each;
        if let Some(weight) = weight {
            self.function.vars[weight.0].ty = self.weight_type(&graph);
        }
        let work = self.function.fresh_var("work", Type::U32, true, span);
        let takes_part = self.and_guard(predicate, guard);
        let ballot = self.intrinsic("warp_ballot", vec![takes_part], span);
        out.push(Stmt::Let { var: work, init: Some(ballot), span });

        let owner = self.function.fresh_var("owner", Type::U32, false, span);
        let queue = self.function.local(work, span);
        let dequeued = self.intrinsic("warp_dequeue", vec![queue], span);
        let mut turn = vec![Stmt::Let { var: owner, init: Some(dequeued), span }];

        let source = self.broadcast(vertex, "source", owner, span, &mut turn);
        let accumulators = self.accumulators(&mut body, &mut turn);
        self.broadcast_outer(&mut body, (dst, weight), owner, &mut turn);
        let slab = self.function.fresh_var("slab", Type::U32, true, span);
        self.function.vars[slab.0].uniform = true;
        let visit = self.visit_slab(&graph, slab, (dst, weight), body, span);
        turn.push(self.slab_lists(&graph, source, slab, visit, span));
        for accumulator in accumulators {
            self.hand_back(&accumulator, owner, span, &mut turn);
        }

        let (left, zero) = (self.function.local(work, span), self.int(0, span));
        let condition = Box::new(self.binary(BinaryOp::Ne, left, zero, span));
        let body = Block { stmts: turn, tail: None };
        let kind = ExprKind::While { label: None, condition, body };
        out.push(Stmt::Expr(self.function.expr(kind, span)));
    }

    /// `let name = warp_broadcast(value, owner);`
    fn broadcast(
        &mut self,
        value: Expr,
        name: &str,
        owner: VarId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> VarId {
        let ty = self.type_of(&value);
        let var = self.function.fresh_var(name, ty, false, span);
        let lane = self.function.local(owner, span);
        let init = self.intrinsic("warp_broadcast", vec![value, lane], span);
        out.push(Stmt::Let { var, init: Some(init), span });
        var
    }

    /// What the edges of a graph carry.
    fn weight_type(&self, graph: &Expr) -> Type {
        match self.type_of(graph).value() {
            Type::Named { args, .. } => args.first().cloned().unwrap_or(Type::Unit),
            _ => Type::Unknown,
        }
    }

    fn type_of(&self, value: &Expr) -> Type {
        match &value.kind {
            ExprKind::Local(var) => self.function.var(*var).ty.clone(),
            ExprKind::Field(base, name) => self.type_of(base).field(&name.to_string()),
            _ => Type::Unknown,
        }
    }

    /// Replaces what the closure reads of the owner's own values by broadcasts.
    fn broadcast_outer(
        &mut self,
        body: &mut Block,
        own: (VarId, Option<VarId>),
        owner: VarId,
        out: &mut Vec<Stmt>,
    ) {
        let mut inner = declared(body);
        inner.push(own.0);
        inner.extend(own.1);
        let mut known: Vec<(String, VarId)> = Vec::new();
        let mut wanted: Vec<(String, Expr, VarId)> = Vec::new();
        let (function, errors) = (&mut self.function, self.errors);
        rewrite_block(body, &mut |expr| {
            refuse_owner_assignment(expr, function, &inner, errors);
            let Some(name) = owner_value(expr, function, &inner) else { return };
            let var = match known.iter().find(|(seen, _)| *seen == name) {
                Some((_, var)) => *var,
                None => {
                    let ty = field_type(expr, function);
                    let var = function.fresh_var(&name, ty, false, expr.span);
                    known.push((name.clone(), var));
                    wanted.push((name, expr.clone(), var));
                    var
                }
            };
            expr.kind = ExprKind::Local(var);
            inner.push(var);
        });
        for (_, value, var) in wanted {
            let span = value.span;
            let lane = self.function.local(owner, span);
            let init = self.intrinsic("warp_broadcast", vec![value, lane], span);
            out.push(Stmt::Let { var, init: Some(init), span });
        }
    }

    /// Finds `sum += ..` and its kin in the closure and turns each into a
    /// partial result of the lane.
    fn accumulators(&mut self, body: &mut Block, out: &mut Vec<Stmt>) -> Vec<Accumulator> {
        let inner = declared(body);
        let mut found: Vec<Accumulator> = Vec::new();
        let (function, errors) = (&mut self.function, self.errors);
        rewrite_block(body, &mut |expr| {
            let Some((var, reduction)) = accumulation(expr, &inner) else { return };
            let known = found.iter().find(|accumulator| accumulator.var == var);
            let partial = match known {
                Some(known) if known.reduction == reduction => known.partial,
                Some(_) => {
                    errors.report(
                        expr.span,
                        "this variable is accumulated in two different ways",
                        "use one variable for the sum and another for the minimum",
                    );
                    return;
                }
                None => {
                    let name = format!("{}_part", function.var(var).name);
                    let ty = function.var(var).ty.clone();
                    let partial = function.fresh_var(&name, ty, true, expr.span);
                    found.push(Accumulator { var, partial, reduction });
                    partial
                }
            };
            replace_var(expr, var, partial);
        });
        for accumulator in &found {
            let span = self.function.var(accumulator.partial).name.span();
            let init = self.identity(accumulator, span);
            out.push(Stmt::Let { var: accumulator.partial, init, span });
        }
        found
    }

    /// The value that changes nothing.
    fn identity(&mut self, accumulator: &Accumulator, span: Span) -> Option<Expr> {
        let Some(scalar) = self.scalar_of(accumulator.var) else {
            let name = &self.function.var(accumulator.var).name;
            self.errors.report(
                name.span(),
                format!("`{name}` is accumulated over the neighbours, so its type must be known"),
                "annotate it: `let mut sum: f32 = 0.0;`",
            );
            return Some(self.int(0, span));
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

    /// The scalar type of a variable: declared, or that of its first value.
    fn scalar_of(&self, var: VarId) -> Option<Scalar> {
        self.function.var(var).ty.scalar()
    }

    // expands to:
    //   let sum_all = warp_reduce_sum(sum_part);
    //   if lane_id() == owner { sum = sum + sum_all; }
    fn hand_back(
        &mut self,
        accumulator: &Accumulator,
        owner: VarId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let Accumulator { var, partial, reduction } = *accumulator;
        let name = format!("{}_all", self.function.var(var).name);
        let ty = self.function.var(var).ty.clone();
        let total = self.function.fresh_var(&name, ty, false, span);
        let part = self.function.local(partial, span);
        let reduced = self.intrinsic(reduction.intrinsic(), vec![part], span);
        out.push(Stmt::Let { var: total, init: Some(reduced), span });

        let (before, all) = (self.function.local(var, span), self.function.local(total, span));
        let joined = match reduction {
            Reduction::Sum => self.binary(BinaryOp::Add, before, all, span),
            Reduction::Or => self.binary(BinaryOp::Or, before, all, span),
            Reduction::Min => self.method(before, "min", vec![all], span),
            Reduction::Max => self.method(before, "max", vec![all], span),
        };
        let update = self.assign(var, joined, span);
        let (me, lane) =
            (self.intrinsic("lane_id", vec![], span), self.function.local(owner, span));
        let is_owner = self.binary(BinaryOp::Eq, me, lane, span);
        out.push(self.if_then(is_owner, vec![update], span));
    }

    /// One slab: each lane looks at its word, and runs the body if it is a
    /// neighbour.
    fn visit_slab(
        &mut self,
        graph: &Expr,
        slab: VarId,
        (dst, weight): (VarId, Option<VarId>),
        body: Block,
        span: Span,
    ) -> Vec<Stmt> {
        let word = self.function.fresh_var("word", Type::U32, false, span);
        let valid = self.function.fresh_var("valid", Type::BOOL, false, span);
        let slab_now = self.function.local(slab, span);
        let read = self.graph_call(parse_quote!(slab_word), graph, vec![slab_now], span);
        let key = self.function.local(word, span);
        let tested = self.function.local(dst, span);
        let test = self.graph_call(parse_quote!(is_valid_vertex), graph, vec![tested], span);
        let mut stmts = vec![
            Stmt::Let { var: word, init: Some(read), span },
            Stmt::Let { var: dst, init: Some(key), span },
            Stmt::Let { var: valid, init: Some(test), span },
        ];
        if let Some(weight) = weight {
            let word = self.function.local(word, span);
            let read = self.graph_call(parse_quote!(slab_weight), graph, vec![word], span);
            stmts.push(Stmt::Let { var: weight, init: Some(read), span });
        }
        let mut inner = body.stmts;
        inner.extend(body.tail.map(|tail| Stmt::Expr(*tail)));
        stmts.extend(self.guard(inner, valid));
        let word = self.function.local(word, span);
        let next = self.graph_call(parse_quote!(next_slab), graph, vec![word], span);
        stmts.push(self.assign(slab, next, span));
        stmts
    }

    /// `function(graph, args..)` of the graph container.
    fn graph_call(&mut self, function: Ident, graph: &Expr, rest: Vec<Expr>, span: Span) -> Expr {
        let mut args = vec![graph.clone()];
        args.extend(rest);
        self.call(parse_quote!(::meerkat_runtime::graph::#function), args, span)
    }

    fn slab_lists(
        &mut self,
        graph: &Expr,
        source: VarId,
        slab: VarId,
        visit: Vec<Stmt>,
        span: Span,
    ) -> Stmt {
        let bucket = self.function.fresh_var("bucket", Type::U32, false, span);
        let at = vec![self.function.local(source, span), self.function.local(bucket, span)];
        let first = self.graph_call(parse_quote!(slab_list), graph, at, span);
        let null = ExprKind::Const(parse_quote!(::meerkat_runtime::graph::NULL_SLAB));
        let (now, null) = (self.function.local(slab, span), self.function.expr(null, span));
        let condition = Box::new(self.binary(BinaryOp::Ne, now, null, span));
        let visit = Block { stmts: visit, tail: None };
        let walk = ExprKind::While { label: None, condition, body: visit };
        let body = vec![
            Stmt::Let { var: slab, init: Some(first), span },
            Stmt::Expr(self.function.expr(walk, span)),
        ];

        let lists = self.function.fresh_var("lists", Type::U32, false, span);
        self.function.vars[lists.0].uniform = true;
        let of = vec![self.function.local(source, span)];
        let count = self.graph_call(parse_quote!(slab_list_count), graph, of, span);
        let from = Box::new(self.int(0, span));
        let to = Box::new(self.function.local(lists, span));
        let body = Block { stmts: body, tail: None };
        let each = ExprKind::For { label: None, var: bucket, from, to, inclusive: false, body };
        let each = Stmt::Expr(self.function.expr(each, span));
        let stmts = vec![Stmt::Let { var: lists, init: Some(count), span }, each];
        let block = ExprKind::Block(Block { stmts, tail: None });
        Stmt::Expr(self.function.expr(block, span))
    }

    fn int(&mut self, value: u128, span: Span) -> Expr {
        let literal = Literal::Int { value, suffix: Some(Scalar::U32) };
        self.function.expr(ExprKind::Literal(literal), span)
    }
}

/// The name of a broadcast for `edge.dst` or `level`, if the expression is a
/// value of the lane that owns the turn.
fn owner_value(expr: &Expr, function: &crate::ir::Function, inner: &[VarId]) -> Option<String> {
    let var = root(expr)?;
    let outer = function.var(var);
    let shared = outer.parameter || inner.contains(&var);
    (!shared).then(|| path_name(expr, function)).flatten()
}

/// A lane that visits a neighbour must not overwrite a value of the owner: many
/// lanes would, at once.
fn refuse_owner_assignment(
    expr: &Expr,
    function: &crate::ir::Function,
    inner: &[VarId],
    errors: &crate::diagnostics::Errors,
) {
    let (ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _)) = &expr.kind else {
        return;
    };
    if let Some(name) = owner_value(place, function, inner) {
        errors.report(
            expr.span,
            format!("many lanes would assign `{name}`, which belongs to the item"),
            "accumulate with `+=`, `|=`, `x = x.min(..)` or `x = x.max(..)`, which are reduced",
        );
    }
}

fn path_name(expr: &Expr, function: &crate::ir::Function) -> Option<String> {
    match &expr.kind {
        ExprKind::Local(var) => Some(format!("{}", function.var(*var).name)),
        ExprKind::Field(base, name) => Some(format!("{}_{name}", path_name(base, function)?)),
        _ => None,
    }
}

fn field_type(expr: &Expr, function: &crate::ir::Function) -> Type {
    match &expr.kind {
        ExprKind::Local(var) => function.var(*var).ty.clone(),
        ExprKind::Field(base, name) => field_type(base, function).field(&name.to_string()),
        _ => Type::Unknown,
    }
}

/// `sum += e`, `flag |= e`, `best = best.min(e)`: the variable and how it joins.
fn accumulation(expr: &Expr, inner: &[VarId]) -> Option<(VarId, Reduction)> {
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
