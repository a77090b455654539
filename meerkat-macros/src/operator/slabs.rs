//! Walking the slab lists of a vertex, slab by slab.

use super::Lowering;
use crate::ir::{BinaryOp, Block, Expr, ExprKind, ForEachNeighbor, Lists, Stmt, Type, VarId};
use proc_macro2::{Ident, Span};
use syn::parse_quote;

/// The closure's parameters: the neighbour, and the weight if it asks for it.
#[derive(Clone, Copy)]
pub(super) struct Params {
    pub(super) dst: VarId,
    pub(super) weight: Option<VarId>,
    /// Where the updates of the slab list begin, if only they are visited.
    pub(super) first: Option<VarId>,
    /// What a lane looks for; once a lane has found it, the group stops.
    pub(super) sought: Option<VarId>,
    /// The variable of a search, before each lane had a part of it.
    pub(super) finds: Option<VarId>,
    /// How many neighbours a lane by itself has yet to find; then it stops.
    pub(super) left: Option<VarId>,
}

impl Params {
    pub(super) fn of(each: &ForEachNeighbor) -> Self {
        let ForEachNeighbor { dst, weight, finds, .. } = *each;
        Params { dst, weight, first: None, sought: None, finds, left: None }
    }
}

/// A neighbour loop without its vertex: who walks what, and what for.
pub(super) struct Walk<'a> {
    pub(super) graph: &'a Expr,
    pub(super) lists: Lists,
    pub(super) params: Params,
    pub(super) body: Block,
}

impl Lowering<'_> {
    // expands to:
    //   let lists = graph.vertices[source];
    //   for bucket in 0..lists.buckets {
    //       let mut slab = lists.first + bucket;
    //       while slab != NULL_SLAB { <body for each neighbour>; slab = <the next> }
    //   }
    pub(super) fn slab_lists(
        &mut self,
        source: VarId,
        Walk { graph, lists: which, params, body }: Walk<'_>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let named = Type::Named {
            path: parse_quote!(::meerkat_runtime::graph::SlabLists),
            name: "SlabLists".to_owned(),
            args: vec![],
        };
        let lists = self.function.fresh_var("lists", named, false, span);
        let vertices = self.field(graph.clone(), "vertices", span);
        let at = self.function.local(source, span);
        let init = self.function.expr(ExprKind::Index(Box::new(vertices), Box::new(at)), span);
        out.push(Stmt::Let { var: lists, init: Some(init), span });

        let first = self.field_of(lists, "first", span);
        if let Lists::One(bucket) = which {
            let head = self.binary(BinaryOp::Add, first, *bucket, span);
            let walk = self.slab_list(graph, head, params, body, span);
            return out.extend(walk);
        }
        let bucket = self.function.fresh_var("bucket", Type::U32, self.block_turns, span);
        let offset = self.function.local(bucket, span);
        let head = self.binary(BinaryOp::Add, first, offset, span);
        let stmts = match which {
            Lists::Updated => self.updated_list(graph, head, params, body, span),
            _ => self.slab_list(graph, head, params, body, span),
        };
        let buckets = self.field_of(lists, "buckets", span);
        if self.block_turns {
            return self.strided(bucket, buckets, stmts, span, out);
        }
        let from = self.int(0, span);
        out.push(self.counted(bucket, (from, buckets), false, stmts, span));
    }

    // expands to, for warps; tiles of 8 are numbered `block_thread_id() / 8`:
    //   let mut bucket = block_warp_id();
    //   while bucket < lists.buckets { <stmts>; bucket = bucket + block_warp_count(); }
    fn strided(
        &mut self,
        bucket: VarId,
        buckets: Expr,
        mut stmts: Vec<Stmt>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let (first, step) = if self.group == 32 {
            let first = self.intrinsic("block_warp_id", vec![], span);
            (first, self.intrinsic("block_warp_count", vec![], span))
        } else {
            let (first, step) = self.tiles_of_block(span);
            self.of_replicas(first, step, span)
        };
        out.push(Stmt::Let { var: bucket, init: Some(first), span });
        let now = self.function.local(bucket, span);
        let next = self.binary(BinaryOp::Add, now, step, span);
        stmts.push(self.assign(bucket, next, span));
        let now = self.function.local(bucket, span);
        let condition = Box::new(self.binary(BinaryOp::Lt, now, buckets, span));
        let body = Block { stmts, tail: None };
        let kind = ExprKind::While { label: None, condition, body };
        out.push(Stmt::Expr(self.function.expr(kind, span)));
    }

    /// The same among all blocks that share the vertex.
    fn of_replicas(&mut self, first: Expr, step: Expr, span: Span) -> (Expr, Expr) {
        let Some((replica, items)) = self.replica else { return (first, step) };
        let which = self.function.local(replica, span);
        let (_, tiles) = self.tiles_of_block(span);
        let before = self.binary(BinaryOp::Mul, which, tiles, span);
        let replicas = self.field_of(items, "replicas", span);
        let first = self.binary(BinaryOp::Add, first, before, span);
        (first, self.binary(BinaryOp::Mul, step, replicas, span))
    }

    /// The number of the tile of 8 in its block, and how many the block has.
    pub(super) fn tiles_of_block(&mut self, span: Span) -> (Expr, Expr) {
        let (thread, lanes) = (self.intrinsic("block_thread_id", vec![], span), self.int(8, span));
        let tile = self.binary(BinaryOp::Div, thread, lanes, span);
        let tile = self.first_lanes(tile, span);
        let (threads, lanes) = (self.intrinsic("block_size", vec![], span), self.int(8, span));
        (tile, self.binary(BinaryOp::Div, threads, lanes, span))
    }

    // expands to:
    //   let list = head;
    //   if warp_any(is_updated(graph, list)) {
    //       let first = graph.updates[list];
    //       <the slabs from `first.slab` on>
    //   }
    pub(super) fn updated_list(
        &mut self,
        graph: &Expr,
        head: Expr,
        params: Params,
        body: Block,
        span: Span,
    ) -> Vec<Stmt> {
        let list = self.function.fresh_var("list", Type::U32, false, span);
        let args = vec![graph.clone(), self.function.local(list, span)];
        let mark = self.call(parse_quote!(::meerkat_runtime::graph::is_updated), args, span);
        let marked = match self.group {
            1 => mark,
            _ => self.group_intrinsic("warp_any", vec![mark], span),
        };
        let named = Type::Named {
            path: parse_quote!(::meerkat_runtime::graph::UpdatePointer),
            name: "UpdatePointer".to_owned(),
            args: vec![],
        };
        let first = self.function.fresh_var("first_update", named, false, span);
        let (pointers, at) =
            (self.field(graph.clone(), "updates", span), self.function.local(list, span));
        let pointer = ExprKind::Index(Box::new(pointers), Box::new(at));
        let init = self.function.expr(pointer, span);
        let mut stmts = vec![Stmt::Let { var: first, init: Some(init), span }];
        let start = self.field_of(first, "slab", span);
        let params = Params { first: Some(first), ..params };
        stmts.extend(self.slab_list(graph, start, params, body, span));
        let walk = self.if_then(marked, stmts, span);
        vec![Stmt::Let { var: list, init: Some(head), span }, walk]
    }

    // expands to:
    //   let mut slab = head;
    //   while slab != NULL_SLAB { <body for each neighbour>; slab = <the next> }
    // where a lane knows how many neighbours are left, to:
    //   while slab != NULL_SLAB && left != 0 { <..> }
    // and where something is sought, to:
    //   let mut slab = select(warp_any(found_part), NULL_SLAB, head);
    //   while slab != NULL_SLAB {
    //       <..>
    //       slab = select(warp_any(found_part), NULL_SLAB, slab);
    //   }
    pub(super) fn slab_list(
        &mut self,
        graph: &Expr,
        head: Expr,
        params: Params,
        body: Block,
        span: Span,
    ) -> Vec<Stmt> {
        let slab = self.function.fresh_var("slab", Type::U32, true, span);
        let null = ExprKind::Const(parse_quote!(::meerkat_runtime::graph::NULL_SLAB));
        let (now, null) = (self.function.local(slab, span), self.function.expr(null, span));
        let more = self.binary(BinaryOp::Ne, now, null, span);
        let condition = Box::new(self.while_left(more, params, span));
        let mut visit = self.visit_slab(graph, slab, params, body, span);
        let mut head = head;
        if let Some(sought) = params.sought {
            head = self.unless_found(sought, head, span);
            let next = self.function.local(slab, span);
            let next = self.unless_found(sought, next, span);
            visit.push(self.assign(slab, next, span));
        }
        let visit = Block { stmts: visit, tail: None };
        let walk = ExprKind::While { label: None, condition, body: visit };
        vec![
            Stmt::Let { var: slab, init: Some(head), span },
            Stmt::Expr(self.function.expr(walk, span)),
        ]
    }

    /// `condition && left != 0`, where a lane knows how many are left.
    pub(super) fn while_left(&mut self, condition: Expr, params: Params, span: Span) -> Expr {
        let Some(left) = params.left else { return condition };
        let (left, zero) = (self.function.local(left, span), self.int(0, span));
        let some = self.binary(BinaryOp::Ne, left, zero, span);
        self.binary(BinaryOp::LogicalAnd, condition, some, span)
    }

    /// `select(warp_any(found_part), NULL_SLAB, slab)`
    fn unless_found(&mut self, sought: VarId, slab: Expr, span: Span) -> Expr {
        let found = self.is_found(sought, span);
        let any = self.group_intrinsic("warp_any", vec![found], span);
        let null = ExprKind::Const(parse_quote!(::meerkat_runtime::graph::NULL_SLAB));
        let null = self.function.expr(null, span);
        self.intrinsic("select", vec![any, null, slab], span)
    }

    /// `found`, or of a search `found != u32::MAX`.
    pub(super) fn is_found(&mut self, sought: VarId, span: Span) -> Expr {
        let found = self.function.local(sought, span);
        if self.function.var(sought).ty == Type::BOOL {
            return found;
        }
        let nobody = self.nobody(span);
        self.binary(BinaryOp::Ne, found, nobody, span)
    }

    pub(super) fn field(&mut self, base: Expr, name: &str, span: Span) -> Expr {
        self.function.expr(ExprKind::Field(Box::new(base), Ident::new(name, span)), span)
    }

    pub(super) fn field_of(&mut self, var: VarId, name: &str, span: Span) -> Expr {
        let base = self.function.local(var, span);
        self.field(base, name, span)
    }

    pub(super) fn index(&mut self, array: VarId, at: Expr, span: Span) -> Expr {
        let base = self.function.local(array, span);
        self.function.expr(ExprKind::Index(Box::new(base), Box::new(at)), span)
    }

    /// `for var in from..to { stmts }`
    pub(super) fn counted(
        &mut self,
        var: VarId,
        (from, to): (Expr, Expr),
        unrolled: bool,
        stmts: Vec<Stmt>,
        span: Span,
    ) -> Stmt {
        let kind = ExprKind::For {
            label: None,
            var,
            from: Box::new(from),
            to: Box::new(to),
            inclusive: false,
            unrolled,
            body: Block { stmts, tail: None },
        };
        Stmt::Expr(self.function.expr(kind, span))
    }
}
