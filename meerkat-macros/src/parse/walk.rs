//! `for_each_neighbor` and the other loops over neighbours, and what is meant for one.

use super::Parser;
use super::expr::strip_reference;
use super::pattern::bound_name;
use super::program::program;
use crate::diagnostics::Place;
use crate::ir::effects::Effects;
use crate::ir::visit::{any, any_in_block, declared, is_collective};
use crate::ir::{
    Block, Callee, Expr, ExprKind, ForEachNeighbor, Lists, Literal, Stmt, Type, VarId, WalkTypes,
    receiver,
};
use proc_macro2::Span;
use syn::spanned::Spanned;

impl Parser<'_> {
    /// `let found = find_neighbor(graph, v, predicate, |dst, weight| test);`: `found` is
    /// `u32::MAX`, and then a walk that ends once it no longer is.
    pub(super) fn bound_search(
        &mut self,
        pattern: &syn::Pat,
        call: &syn::ExprCall,
        local: &syn::Local,
        out: &mut Vec<Stmt>,
    ) {
        let syn::Pat::Ident(syn::PatIdent { ident: name, .. }) = pattern else {
            let help = "bind it: `let found = find_neighbor(..);`";
            return self.errors.report(Place::of(local), "a search has one result", help);
        };
        if let syn::Pat::Type(typed) = &local.pat
            && self.value_type(&typed.ty).1.is_some()
        {
            let help = "drop `Uniform`";
            self.errors.report(
                Place::of(&typed.ty),
                "the result of a search differs from lane to lane",
                help,
            );
        }
        let span = call.span();
        let walk = self.neighbor_loop(call, "find_neighbor");
        let var = self.declare(name, true, Type::U32, None);
        let Some(ExprKind::ForEachNeighbor(mut each)) = walk else { return self.refused.push(var) };
        out.extend(program!(self, span, [var] { let var = u32::MAX; }));
        self.refuse_outer_assignments(&each);
        let Some(test) = each.body.tail.take() else {
            let help = "end the closure with a test: `|dst| marks[dst] == 0`";
            return self.errors.report(
                Place::of(call),
                "the closure of `find_neighbor` must end with a test",
                help,
            );
        };
        if any_in_block(&each.body, &visibly_acts) || any(&test, &visibly_acts) {
            self.errors.report(
                Place::of(call),
                "a search only looks: which neighbours it asks depends on the schedule",
                "act on the result after the search, or visit all with `for_each_neighbor`",
            );
        }
        match each.alone {
            true => self.look_once(&mut each, var, *test, span),
            false => self.look_together(&mut each, var, *test, span),
        }
        each.finds = Some(var);
        out.push(Stmt::Expr(self.function.expr(ExprKind::ForEachNeighbor(each), span)));
    }

    /// The lanes of a group ask a neighbour each, and the least that holds is taken.
    fn look_together(&mut self, each: &mut ForEachNeighbor, found: VarId, test: Expr, span: Span) {
        each.body.stmts.extend(program!(self, span, [dst = each.dst, found, test] {
            let holds: bool = test;
            found = found.min(select(holds, dst, u32::MAX));
        }));
    }

    /// A group asks several neighbours at once, so it would count more than a lane alone does.
    fn refuse_outer_assignments(&self, each: &ForEachNeighbor) {
        let inner = declared(&each.body);
        any_in_block(&each.body, &|part| {
            if let ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) = &part.kind
                && let ExprKind::Local(var) = place.kind
                && !each.alone
                && !inner.contains(&var)
            {
                self.errors.report(
                    part.place(),
                    "a search only looks: how many neighbours it asks depends on the schedule",
                    "accumulate in a walk of its own, with `for_each_neighbor`",
                );
            }
            false
        });
    }

    /// A lane by itself asks one neighbour after another, and nobody after the one it found.
    fn look_once(&mut self, each: &mut ForEachNeighbor, found: VarId, test: Expr, span: Span) {
        let before = std::mem::take(&mut each.body.stmts);
        // A name that says so already needs no other.
        let is_name = matches!(test.kind, ExprKind::Local(var)
            if !self.function.var(var).mutable && self.function.var(var).ty == Type::BOOL);
        let take = match is_name {
            true => program!(self, span, [dst = each.dst, found, test] {
                if test { found = dst; }
            }),
            false => program!(self, span, [dst = each.dst, found, test] {
                let holds: bool = test;
                if holds { found = dst; }
            }),
        };
        each.body.stmts = program!(self, span, [found, before, take] {
            if found == u32::MAX {
                before;
                take;
            }
        });
    }

    /// Of a variable whose type is known the macro can see that it is no graph.
    fn check_graph(&self, graph: Option<&Expr>, form: &str) -> Option<()> {
        let Some(graph) = graph else { return Some(()) };
        let ExprKind::Local(var) = graph.kind else { return Some(()) };
        if matches!(self.function.var(var).ty, Type::Scalar(_) | Type::Slice(..)) {
            self.errors.report(graph.place(), "the graph of a walk comes first", form);
            return None;
        }
        Some(())
    }

    /// A vertex that several lanes need, or none: what it is must not act.
    fn refuse_acting_vertex(&self, vertex: &Expr) {
        if any(vertex, &visibly_acts) {
            let help = "bind it in front of the walk: `let v = ..;`";
            self.errors.report(
                vertex.place(),
                "the vertex of a walk must not change anything",
                help,
            );
        }
    }

    pub(super) fn neighbor_loop(&mut self, call: &syn::ExprCall, word: &str) -> Option<ExprKind> {
        let one_list = word == "for_each_bucket";
        let common = word == "for_each_common_neighbor";
        let form = if word == "find_neighbor" {
            "its form is `let found = find_neighbor(graph, vertex, predicate, |dst, weight| test);`"
        } else if common {
            "its form is `for_each_common_neighbor(graph, u, v, predicate, |w| ...)`"
        } else if one_list {
            "its form is `for_each_bucket(graph, vertex, bucket, predicate, |dst, weight| ...)`"
        } else if word == "for_each_updated_neighbor" {
            "its form is `for_each_updated_neighbor(graph, vertex, predicate, |dst, weight| ...)`"
        } else {
            "its form is `for_each_neighbor(graph, vertex, predicate, |dst, weight| ...)`"
        };
        let mut args: Vec<_> = call.args.iter().collect();
        let wanted = if one_list || common { 5 } else { 4 };
        let extra = (wanted == 5 && args.len() == 5).then(|| args.remove(2));
        let ([graph, vertex, predicate, closure], true) = (&args[..], call.args.len() == wanted)
        else {
            let message = format!("`{word}` takes {wanted} arguments, found {}", call.args.len());
            self.errors.report(Place::of(call), message, form);
            return None;
        };
        let syn::Expr::Closure(closure) = closure else {
            let message = format!("`{word}` ends with a closure");
            self.errors.report(Place::of(closure), message, form);
            return None;
        };
        let alone = !self.function.kind.is_operator() || self.closures > 0;
        if word == "for_each_updated_neighbor" && alone {
            self.errors.report(
                Place::of(call),
                "a walk over updates belongs in a `#[vertex_operator]` or `#[edge_operator]`",
                "make this a `#[vertex_operator]`, `fn f(v: Vertex, graph: &Graph, ..)`, and launch \
                 it over the vertices",
            );
            return None;
        }
        let other = common.then_some((*graph, extra));
        let graph = self.expr(strip_reference(graph));
        self.check_graph(graph.as_ref(), form)?;
        let vertex = self.expr(vertex);
        let lists = match extra {
            Some(bucket) if one_list => Lists::One(Box::new(self.expr(bucket)?)),
            _ if word == "for_each_updated_neighbor" => Lists::Updated,
            _ => Lists::All,
        };
        let predicate = self.expr(predicate);
        self.scopes.push(Vec::new());
        let params = self.closure_params(closure, form);
        let loops = std::mem::take(&mut self.loops);
        self.closures += 1;
        let body = match &*closure.body {
            syn::Expr::Block(body) => self.block(&body.block),
            body if word == "find_neighbor" => {
                Block { stmts: Vec::new(), tail: self.expr(body).map(Box::new) }
            }
            body => Block {
                stmts: self.expr(body).map(crate::ir::Stmt::Expr).into_iter().collect(),
                tail: None,
            },
        };
        self.closures -= 1;
        self.loops = loops;
        self.scopes.pop();
        let (dst, weight) = params?;
        if let Some(vertex) = &vertex {
            self.refuse_acting_vertex(vertex);
        }
        if common && weight.is_some() {
            let help = "ask for them: `find_edge_alone(graph, u, w)`";
            self.errors.report(Place::of(closure), "a common neighbour has two weights", help);
        }
        let (body, second) = match other {
            Some((graph, Some(other))) => {
                if !alone {
                    self.refuse_collectives_in_common(&body);
                }
                self.if_common((graph, other), dst, body, predicate.as_ref(), call.span())?
            }
            _ => (body, Vec::new()),
        };
        let walk = ExprKind::ForEachNeighbor(Box::new(ForEachNeighbor {
            graph: graph?,
            vertex: vertex?,
            lists,
            predicate: predicate?,
            dst,
            weight,
            body,
            alone,
            finds: None,
            types: WalkTypes::default(),
        }));
        if second.is_empty() {
            return Some(walk);
        }
        let mut stmts = second;
        stmts.push(Stmt::Expr(self.function.expr(walk, call.span())));
        Some(ExprKind::Block(Block { stmts, tail: None }))
    }

    /// Not all lanes of a group find a common neighbour at once.
    fn refuse_collectives_in_common(&self, body: &Block) {
        any_in_block(body, &|part| {
            if is_collective(part) {
                self.errors.report(
                    part.place(),
                    "a collective in the closure of `for_each_common_neighbor`, where lanes diverge",
                    "enqueue with `lane_enqueue_frontier(frontier, w)`, which waits for nobody",
                );
            }
            false
        });
    }

    /// The closure's body for those neighbours that the other vertex has too; and what binds
    /// that vertex in front of the walk, unless it is a number or a name that keeps its value.
    fn if_common(
        &mut self,
        (graph, other): (&syn::Expr, &syn::Expr),
        dst: VarId,
        then: Block,
        predicate: Option<&Expr>,
        span: Span,
    ) -> Option<(Block, Vec<Stmt>)> {
        let graph = self.expr(strip_reference(graph))?;
        let other = self.expr(other)?;
        let varies = |part: &Expr| Effects::of(part).looks || Effects::of(part).acts();
        if any(&other, &varies) {
            let help = "bind it in front of the walk: `let v = ..;`";
            self.errors.report(
                other.place(),
                "the second vertex is asked for each neighbour",
                help,
            );
        }
        let mut second = Vec::new();
        // The condition may need its type, which this argument says.
        let untyped =
            predicate.map(|part| receiver::untyped(self.function, part)).unwrap_or_default();
        let keeps = match other.kind {
            ExprKind::Local(var) => !self.function.var(var).mutable && !untyped.contains(&var),
            ExprKind::Literal(Literal::Int { .. }) => true,
            _ => false,
        };
        let asked = match keeps {
            true => other,
            false => {
                let var = self.function.fresh_var("second", Type::U32, false, span);
                second = program!(self, span, [var, other] { let var = other; });
                self.function.local(var, span)
            }
        };
        let mut then = then;
        then.stmts.extend(then.tail.take().map(|tail| Stmt::Expr(*tail)));
        let stmts = program!(self, span, [graph, asked, dst, then = then.stmts] {
            if ::meerkat_runtime::graph::has_edge(graph, asked, dst) { then; }
        });
        Some((Block { stmts, tail: None }, second))
    }

    fn closure_params(
        &mut self,
        closure: &syn::ExprClosure,
        form: &str,
    ) -> Option<(crate::ir::VarId, Option<crate::ir::VarId>)> {
        let mut names = Vec::new();
        for input in &closure.inputs {
            let Some(name) = bound_name(input) else {
                self.refuse_closure_param(input, form);
                return None;
            };
            names.push(name);
        }
        let [dst, weight @ ..] = &names[..] else {
            self.errors.report(Place::of(closure), "the closure takes the neighbour", form);
            return None;
        };
        if weight.len() > 1 {
            self.errors.report(
                Place::of(closure),
                "the closure takes at most two parameters",
                form,
            );
            return None;
        }
        let dst = self.declare_bound(*dst, Type::U32);
        let weight = weight.first().map(|name| self.declare_bound(*name, Type::Unknown));
        Some((dst, weight))
    }

    fn refuse_closure_param(&self, input: &syn::Pat, form: &str) {
        let mut name = input;
        if let syn::Pat::Type(typed) = input {
            name = &typed.pat;
        }
        let (what, help) = match (input, name) {
            (syn::Pat::Type(_), syn::Pat::Ident(binding)) => {
                let help = format!("drop the type, which the graph gives: `|{}|`", binding.ident);
                ("a closure parameter with a type", help)
            }
            (_, syn::Pat::Ident(binding)) if binding.mutability.is_some() => {
                let help = format!("copy it in the closure: `let mut next = {};`", binding.ident);
                ("a closure parameter that changes", help)
            }
            _ => ("a pattern as closure parameter", form.to_owned()),
        };
        self.errors.report(Place::of(input), what, help);
    }
}

/// Whether an expression acts; what a function does the macro cannot see.
fn visibly_acts(part: &Expr) -> bool {
    Effects::of(part).acts() && !matches!(part.kind, ExprKind::Call { .. })
}

/// The call of `find_neighbor` that a variable is bound to.
pub(super) fn search(value: &syn::Expr) -> Option<&syn::ExprCall> {
    let syn::Expr::Call(call) = value else { return None };
    let syn::Expr::Path(path) = &*call.func else { return None };
    match Callee::of_path(path.clone()) {
        Callee::Function(word) if word.segments.last()?.ident == "find_neighbor" => Some(call),
        _ => None,
    }
}

/// The neighbour loop that a call with a closure means.
pub(super) fn meant_loop(name: &str) -> Option<&'static str> {
    let near = super::NEIGHBOR_LOOPS.iter().map(|word| (distance(name, word), *word));
    let (distance, word) = near.min()?;
    if distance <= 3 {
        return Some(word);
    }
    let walks = name.starts_with("for_each") || name.contains("neighbo");
    walks.then_some(super::NEIGHBOR_LOOPS[0])
}

/// How many letters differ: Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let replaced = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = replaced.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
