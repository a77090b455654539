//! Schedules of the block: its threads' vertices one after another, a slab list
//! to each warp; all of them, or only those of many lists.

use super::Lowering;
use super::slabs::{Params, Walk};
use crate::ir::{BinaryOp, Block, Expr, ExprKind, ForEachNeighbor, Stmt, Type, UnaryOp, VarId};
use proc_macro2::Span;
use syn::parse_quote;

impl Lowering<'_> {
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
    //   if takes_part { waiting = graph.vertices[vertex].buckets >= HUB_LISTS; }
    //   let is_small = takes_part && !waiting;
    //   <the block's turns, while some thread is waiting>
    //   <turns of tiles of 8, for `is_small`>
    /// Vertices of many slab lists by the block, the rest by tiles (a split by
    /// degree in one launch, after Merrill et al., Scalable GPU graph traversal).
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
        let look = self.assign(waiting, is_hub, span);
        let condition = self.function.local(takes_part, span);
        out.push(self.if_then(condition, vec![look], span));

        let small = self.function.fresh_var("is_small", Type::BOOL, false, span);
        let (part, hub) =
            (self.function.local(takes_part, span), self.function.local(waiting, span));
        let not_hub = self.function.expr(ExprKind::Unary(UnaryOp::Not, Box::new(hub)), span);
        let rest = self.binary(BinaryOp::LogicalAnd, part, not_hub, span);
        out.push(Stmt::Let { var: small, init: Some(rest), span });

        let copy = ForEachNeighbor { body: self.function.copy_of(&each.body), ..each.clone() };
        self.block_turns(copy, waiting, guard, span, out);
        let small = self.function.local(small, span);
        self.in_turns(each, small, guard, span, out);
    }

    // expands to:
    //   let mut owner = <the first thread that is waiting>;
    //   while owner != u32::MAX {
    //       let source = block_broadcast(vertex, owner);
    //       <its slab lists, one to each warp>
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
        let (group, turns) = (std::mem::replace(&mut self.group, 32), true);
        self.block_turns = turns;
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
        (self.group, self.block_turns) = (group, false);
    }

    /// `block_reduce_min(select(waiting, block_thread_id(), u32::MAX))`
    fn first_waiting(&mut self, waiting: VarId, span: Span) -> Expr {
        let test = self.function.local(waiting, span);
        let me = self.intrinsic("block_thread_id", vec![], span);
        let nobody = self.nobody(span);
        let bid = self.intrinsic("select", vec![test, me, nobody], span);
        self.intrinsic("block_reduce_min", vec![bid], span)
    }

    fn nobody(&mut self, span: Span) -> Expr {
        self.function.expr(ExprKind::Const(parse_quote!(u32::MAX)), span)
    }

    pub(super) fn bool(&mut self, value: bool, span: Span) -> Expr {
        self.function.expr(ExprKind::Literal(crate::ir::Literal::Bool(value)), span)
    }
}
