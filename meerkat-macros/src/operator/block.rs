//! Schedules of the block: its threads' vertices one after another, a slab list to
//! each warp; or only those of many lists, a list to each tile of 8.

use super::slabs::{Params, Walk};
use super::{Lowering, accumulate};
use crate::ir::intrinsics::Effect;
use crate::ir::visit::{any, any_in_block, any_in_stmt, declared, is_collective};
use crate::ir::{
    Access, BinaryOp, Block, Expr, ExprKind, ForEachNeighbor, FunctionKind, Level, Lists, Stmt,
    Type, UnaryOp, VarId,
};
use proc_macro2::Span;
use syn::parse_quote;

impl Lowering<'_> {
    /// Lets several blocks share the slab lists of hubs, where that changes nothing:
    /// they all run what stands before the loop, at different times, so that must not
    /// act nor read what may change meanwhile, and nothing may be handed back.
    pub(super) fn share_hubs(&mut self, body: &Block, items: VarId, span: Span) {
        let Some((Stmt::Expr(last), before)) = body.stmts.split_last() else { return };
        let ExprKind::ForEachNeighbor(each) = &last.kind else { return };
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
        if is_shared {
            self.function.shares_hubs = true;
            let replica = self.function.fresh_var("replica", Type::U32, false, span);
            self.function.vars[replica.0].declared = Some(Level::Warp);
            self.replica = Some((replica, items));
        }
    }

    /// Whether an expression is a value that another block may be changing: an atomic's,
    /// or that of an own item, which a block that shares the item may have written.
    fn reads_changing(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Method { method, .. } => method.effect == Effect::AtomicLoad,
            ExprKind::Local(var) => {
                matches!(self.function.var(*var).ty, Type::Slice(Access::OwnItem, _))
            }
            _ => false,
        }
    }

    /// `rest && replica == 0`: what is not shared is done once.
    fn done_once(&mut self, rest: Expr, span: Span) -> Expr {
        let Some((replica, _)) = self.replica else { return rest };
        let (which, first) = (self.function.local(replica, span), self.int(0, span));
        let is_first = self.binary(BinaryOp::Eq, which, first, span);
        self.binary(BinaryOp::LogicalAnd, rest, is_first, span)
    }

    /// Every vertex by the block.
    pub(super) fn by_block(
        &mut self,
        each: ForEachNeighbor,
        guard: VarId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let waiting = self.function.fresh_var("waiting", Type::BOOL, true, span);
        let takes_part = self.and_guard(each.predicate.clone(), guard);
        out.push(Stmt::Let { var: waiting, init: Some(takes_part), span });
        self.block_turns(each, waiting, guard, span, out);
    }

    // expands to:
    //   let takes_part = active && predicate;
    //   let mut waiting = false;
    //   let mut degree = 0u32;
    //   if takes_part {
    //       waiting = graph.vertices[vertex].buckets >= HUB_LISTS;
    //       degree = graph.degrees[vertex].load();
    //   }
    //   let is_small = takes_part && !waiting;     // `&& replica == 0` if hubs are shared
    //   <the block's turns, while some thread is waiting>
    //   <each lane by itself, for `is_small && degree <= FEW_NEIGHBORS`>
    //   <turns of tiles of 8, for `is_small && degree > FEW_NEIGHBORS`>
    // A closure that enqueues is left to tiles, for `is_small && degree > 0`: a lane would
    // enqueue by itself. Where not all lists are walked, degrees say nothing.
    /// Vertices of many slab lists by the block, those of few neighbours by their lanes,
    /// the rest by tiles (a split by degree in one launch, after Merrill et al., Scalable
    /// GPU graph traversal).
    pub(super) fn by_degree(
        &mut self,
        mut each: ForEachNeighbor,
        guard: VarId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        each.vertex = self.read_guarded(each.vertex, guard, "visited", span, out);
        let takes_part = self.function.fresh_var("takes_part", Type::BOOL, false, span);
        let test = self.and_guard(each.predicate.clone(), guard);
        out.push(Stmt::Let { var: takes_part, init: Some(test), span });

        let waiting = self.function.fresh_var("waiting", Type::BOOL, true, span);
        let no = self.bool(false, span);
        out.push(Stmt::Let { var: waiting, init: Some(no), span });
        let vertices = self.field(each.graph.clone(), "vertices", span);
        let at = Box::new(each.vertex.clone());
        let lists = self.function.expr(ExprKind::Index(Box::new(vertices), at), span);
        let buckets = self.field(lists, "buckets", span);
        let many = ExprKind::Const(parse_quote!(::meerkat_runtime::graph::HUB_LISTS));
        let many = self.function.expr(many, span);
        let is_hub = self.binary(BinaryOp::Ge, buckets, many, span);
        let mut looks = vec![self.assign(waiting, is_hub, span)];
        let degree = matches!(each.lists, Lists::All).then(|| {
            let degree = self.function.fresh_var("degree", Type::U32, true, span);
            let zero = self.int(0, span);
            out.push(Stmt::Let { var: degree, init: Some(zero), span });
            let load = self.degree(&each.graph, each.vertex.clone(), span);
            looks.push(self.assign(degree, load, span));
            degree
        });
        let condition = self.function.local(takes_part, span);
        out.push(self.if_then(condition, looks, span));

        let small = self.function.fresh_var("is_small", Type::BOOL, false, span);
        let (part, hub) =
            (self.function.local(takes_part, span), self.function.local(waiting, span));
        let not_hub = self.function.expr(ExprKind::Unary(UnaryOp::Not, Box::new(hub)), span);
        let rest = self.binary(BinaryOp::LogicalAnd, part, not_hub, span);
        let rest = self.done_once(rest, span);
        out.push(Stmt::Let { var: small, init: Some(rest), span });

        let copy = self.copy_of(&each);
        self.block_turns(copy, waiting, guard, span, out);
        let mut rest = self.function.local(small, span);
        if let Some(degree) = degree {
            let mut most = self.int(0, span);
            if !any_in_block(&each.body, &is_collective) {
                most = self.few_neighbors(span);
                let few = self.compared(small, BinaryOp::Le, degree, most.clone(), span);
                let copy = self.copy_of(&each);
                let group = std::mem::replace(&mut self.group, 1);
                self.lane_by_lane(copy, few, Some(degree), span, out);
                self.group = group;
            }
            rest = self.compared(small, BinaryOp::Gt, degree, most, span);
        }
        self.in_turns(each, rest, guard, span, out);
    }

    fn copy_of(&mut self, each: &ForEachNeighbor) -> ForEachNeighbor {
        ForEachNeighbor { body: self.function.copy_of(&each.body), ..each.clone() }
    }

    fn few_neighbors(&mut self, span: Span) -> Expr {
        let few = ExprKind::Const(parse_quote!(::meerkat_runtime::graph::FEW_NEIGHBORS));
        self.function.expr(few, span)
    }

    /// `is_small && degree <= most`
    fn compared(
        &mut self,
        small: VarId,
        how: BinaryOp,
        degree: VarId,
        most: Expr,
        span: Span,
    ) -> Expr {
        let degree = self.function.local(degree, span);
        let test = self.binary(how, degree, most, span);
        let small = self.function.local(small, span);
        self.binary(BinaryOp::LogicalAnd, small, test, span)
    }

    // expands to:
    //   let mut owner = <the first thread that is waiting>;
    //   while owner != u32::MAX {
    //       let source = block_broadcast(vertex, owner);
    //       <its slab lists, one to each warp, or to each tile>
    //       if block_thread_id() == owner { waiting = false; }
    //       owner = <the next>;
    //   }
    fn block_turns(
        &mut self,
        each: ForEachNeighbor,
        waiting: VarId,
        guard: VarId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let params = Params::of(&each);
        let ForEachNeighbor { graph, vertex, lists, mut body, .. } = each;
        self.block_turns = true;
        self.narrow_collectives(&mut body);
        let vertex = self.read_guarded(vertex, guard, "visited", span, out);
        let owner = self.function.fresh_var("owner", Type::U32, true, span);
        let first = self.first_waiting(waiting, span);
        out.push(Stmt::Let { var: owner, init: Some(first), span });

        let mut stmts = Vec::new();
        let source = self.broadcast(vertex, "source", owner, span, &mut stmts);
        let walk = Walk { graph: &graph, lists, params, body };
        self.turn((source, owner), walk, span, &mut stmts);
        let me = self.intrinsic("block_thread_id", vec![], span);
        let now = self.function.local(owner, span);
        let is_mine = self.binary(BinaryOp::Eq, me, now, span);
        let no = self.bool(false, span);
        let done = self.assign(waiting, no, span);
        stmts.push(self.if_then(is_mine, vec![done], span));
        let next = self.first_waiting(waiting, span);
        stmts.push(self.assign(owner, next, span));

        let (now, none) = (self.function.local(owner, span), self.nobody(span));
        let condition = Box::new(self.binary(BinaryOp::Ne, now, none, span));
        let body = Block { stmts, tail: None };
        let kind = ExprKind::While { label: None, condition, body };
        out.push(Stmt::Expr(self.function.expr(kind, span)));
        self.block_turns = false;
    }

    /// `block_reduce_min(select(waiting, block_thread_id(), u32::MAX))`
    fn first_waiting(&mut self, waiting: VarId, span: Span) -> Expr {
        let test = self.function.local(waiting, span);
        let me = self.intrinsic("block_thread_id", vec![], span);
        let nobody = self.nobody(span);
        let bid = self.intrinsic("select", vec![test, me, nobody], span);
        self.intrinsic("block_reduce_min", vec![bid], span)
    }

    pub(super) fn nobody(&mut self, span: Span) -> Expr {
        self.function.nobody(span)
    }

    pub(super) fn bool(&mut self, value: bool, span: Span) -> Expr {
        self.function.expr(ExprKind::Literal(crate::ir::Literal::Bool(value)), span)
    }
}
