//! `Hybrid`: the block takes vertices of many slab lists, lanes those of few neighbours,
//! tiles of 8 the rest; several blocks share hubs.

use super::{Lowering, Shared, accumulate};
use crate::ir::intrinsics::{Effect, Shape};
use crate::ir::visit::{any, any_in_block, any_in_stmt, declared, is_collective};
use crate::ir::{Access, Block, Expr, ExprKind, ForEachNeighbor, FunctionKind, Level};
use crate::ir::{Stmt, Type, VarId};
use crate::parse::{expression, program};
use proc_macro2::Span;

impl Lowering<'_> {
    /// Vertices of many slab lists by the block, those of few neighbours by their lanes,
    /// the rest by tiles of 8 (a split by degree in one launch, after Merrill et al.,
    /// Scalable GPU graph traversal). A closure that enqueues is left to tiles: a lane would
    /// enqueue by itself.
    pub(super) fn by_degree(
        &mut self,
        mut each: ForEachNeighbor,
        guard: VarId,
        span: Span,
    ) -> Vec<Stmt> {
        let (vertex, before) = self.read_guarded(each.vertex, guard, "visited", span);
        each.vertex = vertex.clone();
        let [waiting, small] = [("waiting", true), ("is_small", false)]
            .map(|(name, mutable)| self.function.fresh_var(name, Type::BOOL, mutable, span));
        let (takes_part, test) = self.takes_part(each.predicate.clone(), guard, span);
        let graph = &each.graph;
        let degree = self.function.fresh_var("few", Type::U32, true, span);
        let hub = match self.spread {
            Some(items) => {
                expression!(self, span, [items] ::meerkat_runtime::launch::hub_lists(items))
            }
            None => expression!(self, span, [] ::meerkat_runtime::graph::HUB_LISTS),
        };
        let looks = program!(self, span, [waiting, degree, graph, hub, vertex = &vertex] {
            waiting = ::meerkat_runtime::Neighbors::count_lists(
                graph,
                ::meerkat_runtime::Neighbors::lists_of(graph, vertex)
            ) >= hub;
            degree = ::meerkat_runtime::Neighbors::few_of(graph, vertex);
        });
        let rest = expression!(self, span, [takes_part, waiting] takes_part && !waiting);
        let rest = self.done_once(rest, span);
        let put_off = self.put_off(waiting, (&each.graph, &vertex), span);
        let copy = self.copy_of(&each);
        let owner_steps = self.block_owner_steps(copy, waiting, guard, span);
        let others = self.by_lanes_or_tiles(each, (small, degree), guard, span);
        program!(self, span, [
            before, takes_part, test, waiting, degree, looks, small, rest, put_off, owner_steps, others,
        ] {
            before;
            test;
            let waiting = false;
            let degree = 0;
            if takes_part { looks; }
            let small = rest;
            put_off;
            owner_steps;
            others;
        })
    }

    /// Whether a lane's vertex is to be visited, in a variable.
    fn takes_part(&mut self, predicate: Expr, guard: VarId, span: Span) -> (VarId, Vec<Stmt>) {
        let test = self.and_guard(predicate, guard);
        if let ExprKind::Local(guard) = test.kind {
            return (guard, Vec::new());
        }
        let takes_part = self.function.fresh_var("takes_part", Type::BOOL, false, span);
        (takes_part, program!(self, span, [takes_part, test] { let takes_part = test; }))
    }

    /// Vertices that are no hubs.
    fn by_lanes_or_tiles(
        &mut self,
        each: ForEachNeighbor,
        (small, degree): (VarId, VarId),
        guard: VarId,
        span: Span,
    ) -> Vec<Stmt> {
        if any_in_block(&each.body, &is_collective) {
            let rest = expression!(self, span, [small, degree] small && degree > 0);
            return self.in_turns(each, rest, guard, span);
        }
        let copy = self.copy_of(&each);
        let few = expression!(self, span, [small, degree]
            small && degree != u32::MAX);
        let group = std::mem::replace(&mut self.group, 1);
        let mut stmts = self.lane_by_lane(copy, few, Some(degree), span);
        self.group = group;
        let rest = expression!(self, span, [small, degree]
            small && degree == u32::MAX);
        stmts.extend(self.in_turns(each, rest, guard, span));
        stmts
    }

    fn copy_of(&mut self, each: &ForEachNeighbor) -> ForEachNeighbor {
        ForEachNeighbor { body: self.function.copy_of(&each.body), ..each.clone() }
    }

    /// Lets several blocks share the slab lists of hubs, where that changes nothing:
    /// they all run what stands before the loop, at different times, so that must not
    /// act nor read what may change meanwhile, and nothing may be handed back.
    pub(super) fn share_hubs(
        &mut self,
        body: &Block,
        (items, place): (VarId, VarId),
        span: Span,
    ) -> Vec<Stmt> {
        let Some((Stmt::Expr(last), before)) = body.stmts.split_last() else { return Vec::new() };
        let ExprKind::ForEachNeighbor(each) = &last.kind else { return Vec::new() };
        let inner = declared(&each.body);
        let hands_back = |expr: &Expr| accumulate::accumulation(expr, &inner).is_some();
        let varies = |expr: &Expr| accumulate::acts(expr) || self.reads_changing(expr);
        let is_once = |stmt: &Stmt| !matches!(stmt, Stmt::Let { .. }) || any_in_stmt(stmt, &varies);
        let is_shared = self.schedule == super::Schedule::Hybrid
            && self.function.kind == FunctionKind::VertexOperator
            && !any(&each.vertex, &varies)
            && !any(&each.predicate, &varies)
            && !before.iter().any(is_once)
            && !any_in_block(&each.body, &hands_back);
        if !is_shared {
            return Vec::new();
        }
        self.function.shares_hubs = true;
        let replica = self.function.fresh_var("replica", Type::U32, false, span);
        self.function.vars[replica.0].declared = Some(Level::Warp);
        self.shared = Some(Shared { replica, items, place });
        program!(self, span, [replica, items] {
            let replica = ::meerkat_runtime::launch::replica(items);
        })
    }

    /// Whether an expression is a value that another block may be changing: an atomic's,
    /// or that of an own item, which a block that shares the item may have written. Or one that another
    /// block has otherwise: who a thread is.
    fn reads_changing(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Intrinsic { intrinsic, .. } => intrinsic.shape != Shape::Pure,
            ExprKind::Method { method, .. } => method.effect == Effect::AtomicLoad,
            ExprKind::Local(var) => {
                matches!(self.function.var(*var).ty, Type::Slice(Access::OwnItem, _))
            }
            _ => false,
        }
    }

    /// Hubs that are shared may be put off, for a launch of their own.
    fn put_off(
        &mut self,
        waiting: VarId,
        (graph, vertex): (&Expr, &Expr),
        span: Span,
    ) -> Vec<Stmt> {
        let Some(Shared { items, place, .. }) = self.shared else { return Vec::new() };
        program!(self, span, [waiting, items, place, graph, vertex] {
            if waiting {
                waiting = ::meerkat_runtime::launch::keeps_hub(
                    items,
                    place,
                    ::meerkat_runtime::Neighbors::count_lists(
                        graph,
                        ::meerkat_runtime::Neighbors::lists_of(graph, vertex)
                    )
                );
            }
        })
    }

    /// What is not shared is done once.
    fn done_once(&mut self, rest: Expr, span: Span) -> Expr {
        let Some(Shared { replica, .. }) = self.shared else { return rest };
        expression!(self, span, [rest, replica] rest && replica == 0)
    }
}
