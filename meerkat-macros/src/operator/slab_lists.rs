//! A slab list to each tile (Meerkat, iteration scheme 2): the block's tiles of 8
//! share out the slab lists of all its threads' vertices, so that a hub keeps no
//! one waiting. Lists are numbered through; a prefix sum says where a thread's own
//! begin, and a binary search whose list a tile has got.

use super::Lowering;
use super::accumulate::{Accumulator, Reduction};
use super::neighbors::OwnerValue;
use super::slabs::Params;
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, ForEachNeighbor, Lists, Scalar, Stmt, Type, VarId,
};
use proc_macro2::Span;
use syn::parse_quote;

impl Lowering<'_> {
    // expands to:
    //   let me = block_thread_id();
    //   let mut first = 0u32; let mut lists = 0u32;
    //   if active && predicate { <of `graph.vertices[vertex]`> }
    //   let start = block_scan_sum(lists);
    //   let total = block_reduce_sum(lists);
    //   <start, first, vertex and what the closure reads: into memory of the block>
    //   block_barrier();
    //   let mut list = tile_broadcast::<8>(block_thread_id() / 8, 0);
    //   while list < total {
    //       let owner = slab_list_owner(starts, list);
    //       <the owner's values, the walk, what it accumulated into the owner's>
    //       list = list + block_size() / 8;
    //   }
    //   block_barrier();
    //   if active { sum = sum + sums[me].load(); }
    //   block_barrier();
    pub(super) fn by_slab_list(
        &mut self,
        each: ForEachNeighbor,
        guard: VarId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let params = Params::of(&each);
        let ForEachNeighbor { graph, vertex, lists, predicate, mut body, .. } = each;
        self.narrow_collectives(&mut body);
        let vertex = self.read_guarded(vertex, guard, "visited", span, out);
        let me = self.function.fresh_var("me", Type::U32, false, span);
        let id = self.intrinsic("block_thread_id", vec![], span);
        out.push(Stmt::Let { var: me, init: Some(id), span });
        let takes_part = self.and_guard(predicate, guard);
        let (first, count) = self.own_lists(&graph, vertex, takes_part, span, out);

        let start = self.scan("start", "block_scan_sum", count, span, out);
        let total = self.scan("total", "block_reduce_sum", count, span, out);
        let starts = self.publish("starts", start, me, None, span, out);
        let firsts = self.publish("firsts", first, me, None, span, out);

        let mut turn = Vec::new();
        let accumulators = self.accumulators(&mut body, &mut turn);
        let mut own: Vec<_> = accumulators.iter().map(|found| found.partial).collect();
        own.push(params.dst);
        own.extend(params.weight);
        let list = self.function.fresh_var("list", Type::U32, true, span);
        let owner = self.function.fresh_var("owner", Type::U32, false, span);
        let mut stmts = vec![self.find_owner(owner, starts, list, span)];
        for OwnerValue { value, var } in self.owner_values(&mut body, own) {
            self.lend(value, var, (me, owner, guard), &mut stmts, out);
        }
        stmts.extend(turn);
        let head = self.head(firsts, starts, owner, list, span, &mut stmts);
        stmts.extend(match lists {
            Lists::Updated => self.updated_list(&graph, head, params, body, span),
            _ => self.slab_list(&graph, head, params, body, span),
        });
        let results: Vec<_> = accumulators
            .iter()
            .filter_map(|found| self.gather(found, (me, owner), span, &mut stmts, out))
            .collect();
        self.barrier(span, out);
        self.lists_of_block(list, total, stmts, span, out);
        self.barrier(span, out);
        for (accumulator, memory) in accumulators.iter().zip(results) {
            let all = self.read_shared(memory, me, span);
            let is_flag = self.function.var(accumulator.var).ty == Type::BOOL;
            let all = if is_flag { self.is_set(all, span) } else { all };
            let update = self.join(accumulator, all, span);
            let condition = self.function.local(guard, span);
            out.push(self.if_then(condition, vec![update], span));
        }
        self.barrier(span, out);
    }

    /// Where the lane's own slab lists begin, and how many there are.
    fn own_lists(
        &mut self,
        graph: &Expr,
        vertex: Expr,
        takes_part: Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> (VarId, VarId) {
        let first = self.function.fresh_var("first", Type::U32, true, span);
        let count = self.function.fresh_var("lists", Type::U32, true, span);
        for var in [first, count] {
            let zero = self.int(0, span);
            out.push(Stmt::Let { var, init: Some(zero), span });
        }
        let mut stmts = Vec::new();
        for (var, field) in [(first, "first"), (count, "buckets")] {
            let vertices = self.field(graph.clone(), "vertices", span);
            let at = Box::new(vertex.clone());
            let lists = self.function.expr(ExprKind::Index(Box::new(vertices), at), span);
            let value = self.field(lists, field, span);
            stmts.push(self.assign(var, value, span));
        }
        out.push(self.if_then(takes_part, stmts, span));
        (first, count)
    }

    fn scan(
        &mut self,
        name: &str,
        word: &str,
        count: VarId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> VarId {
        let var = self.function.fresh_var(name, Type::U32, false, span);
        let count = self.function.local(count, span);
        let init = self.intrinsic(word, vec![count], span);
        out.push(Stmt::Let { var, init: Some(init), span });
        var
    }

    /// `let starts = block_shared::<u32, 256>(); starts[me].store(start);`
    fn publish(
        &mut self,
        name: &str,
        value: VarId,
        me: VarId,
        guard: Option<VarId>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> VarId {
        let ty = self.function.var(value).ty.clone();
        let memory = self.shared(name, ty, span, out);
        let value = self.function.local(value, span);
        let store = self.store(memory, me, value, span);
        match guard {
            Some(guard) => {
                let condition = self.function.local(guard, span);
                out.push(self.if_then(condition, vec![store], span));
            }
            None => out.push(store),
        }
        memory
    }

    fn shared(&mut self, name: &str, ty: Type, span: Span, out: &mut Vec<Stmt>) -> VarId {
        let slice =
            Type::Slice(crate::ir::Access::Read, Box::new(Type::Atomic(Box::new(ty.clone()))));
        let memory = self.function.fresh_var(name, slice, false, span);
        let length = "::meerkat_runtime::launch::BLOCK_THREADS".to_owned();
        let init = self.function.expr(ExprKind::Shared { element: ty, length }, span);
        out.push(Stmt::Let { var: memory, init: Some(init), span });
        memory
    }

    fn store(&mut self, memory: VarId, at: VarId, value: Expr, span: Span) -> Stmt {
        let at = self.function.local(at, span);
        let place = self.index(memory, at, span);
        Stmt::Expr(self.method(place, "store", vec![value], span))
    }

    fn read_shared(&mut self, memory: VarId, at: VarId, span: Span) -> Expr {
        let at = self.function.local(at, span);
        let place = self.index(memory, at, span);
        self.method(place, "load", vec![], span)
    }

    fn find_owner(&mut self, owner: VarId, starts: VarId, list: VarId, span: Span) -> Stmt {
        let args = vec![self.function.local(starts, span), self.function.local(list, span)];
        let path = parse_quote!(::meerkat_runtime::launch::slab_list_owner);
        let found = self.call(path, args, span);
        Stmt::Let { var: owner, init: Some(found), span }
    }

    /// A value of the owner's, through memory of the block, to the tile that has
    /// one of its lists.
    fn lend(
        &mut self,
        value: Expr,
        var: VarId,
        (me, owner, guard): (VarId, VarId, VarId),
        stmts: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) {
        let span = value.span;
        let ty = self.function.var(var).ty.clone();
        let name = self.function.var(var).name.to_string();
        let is_flag = ty == Type::BOOL;
        let wide = ty.scalar().is_some_and(|scalar| scalar.bits() >= 32);
        if !wide && !is_flag {
            self.errors.report(
                value.place(),
                format!("`{name}` is lent to other warps, which takes a number of 32 or 64 bits"),
                "write its type where it is bound, `let x: u32 = ..` or `for x in 0u32..n`, or launch \
                 it with another schedule",
            );
            return;
        }
        let held = if is_flag { Type::U32 } else { ty };
        let memory = self.shared(&format!("{name}_of"), held.clone(), span, out);
        let value = if is_flag { self.cast(value, held, span) } else { value };
        let store = self.store(memory, me, value, span);
        let condition = self.function.local(guard, span);
        out.push(self.if_then(condition, vec![store], span));
        let read = self.read_shared(memory, owner, span);
        let read = if is_flag { self.is_set(read, span) } else { read };
        let init = self.first_lanes(read, span);
        stmts.push(Stmt::Let { var, init: Some(init), span });
    }

    /// The first slab of the tile's list.
    fn head(
        &mut self,
        firsts: VarId,
        starts: VarId,
        owner: VarId,
        list: VarId,
        span: Span,
        stmts: &mut Vec<Stmt>,
    ) -> Expr {
        let (first, start) =
            (self.read_shared(firsts, owner, span), self.read_shared(starts, owner, span));
        let list = self.function.local(list, span);
        let offset = self.binary(BinaryOp::Sub, list, start, span);
        let head = self.binary(BinaryOp::Add, first, offset, span);
        let var = self.function.fresh_var("head", Type::U32, false, span);
        let init = self.first_lanes(head, span);
        stmts.push(Stmt::Let { var, init: Some(init), span });
        self.function.local(var, span)
    }

    /// What a tile accumulated over a list, into the owner's in memory of the
    /// block.
    fn gather(
        &mut self,
        accumulator: &Accumulator,
        (me, owner): (VarId, VarId),
        span: Span,
        stmts: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> Option<VarId> {
        let Accumulator { var, partial, reduction } = *accumulator;
        let ty = self.function.var(var).ty.clone();
        let name = self.function.var(var).name.to_string();
        let is_flag = ty == Type::BOOL;
        if !is_flag && ty.scalar().is_none_or(|scalar| scalar.bits() < 32) {
            self.errors.report(
                self.function.var(var).name.span(),
                format!("`{name}` is gathered from several warps, which takes 32 or 64 bits"),
                "accumulate a `u32`, or launch it with another schedule",
            );
            return None;
        }
        let held = if is_flag { Type::U32 } else { ty.clone() };
        let memory = self.shared(&format!("{name}_of"), held.clone(), span, out);
        let nothing = self.identity(accumulator, span)?;
        let nothing = if is_flag { self.cast(nothing, held.clone(), span) } else { nothing };
        let store = self.store(memory, me, nothing, span);
        out.push(store);

        let all = self.function.fresh_var(&format!("{name}_all"), ty, false, span);
        let part = self.function.local(partial, span);
        let reduced = self.group_intrinsic(reduction.intrinsic(), vec![part], span);
        stmts.push(Stmt::Let { var: all, init: Some(reduced), span });
        let word = match reduction {
            Reduction::Sum => "fetch_add",
            Reduction::Or => "fetch_or",
            Reduction::Min => "fetch_min",
            Reduction::Max => "fetch_max",
        };
        let total = self.function.local(all, span);
        let total = if is_flag { self.cast(total, held, span) } else { total };
        let at = self.function.local(owner, span);
        let place = self.index(memory, at, span);
        let join = Stmt::Expr(self.method(place, word, vec![total], span));
        let lane = self.group_intrinsic("tile_lane_id", vec![], span);
        let zero = self.int(0, span);
        let is_first = self.binary(BinaryOp::Eq, lane, zero, span);
        stmts.push(self.if_then(is_first, vec![join], span));
        Some(memory)
    }

    fn lists_of_block(
        &mut self,
        list: VarId,
        total: VarId,
        mut stmts: Vec<Stmt>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let (first, tiles) = self.tiles_of_block(span);
        out.push(Stmt::Let { var: list, init: Some(first), span });
        let now = self.function.local(list, span);
        let next = self.binary(BinaryOp::Add, now, tiles, span);
        stmts.push(self.assign(list, next, span));
        let (now, all) = (self.function.local(list, span), self.function.local(total, span));
        let condition = Box::new(self.binary(BinaryOp::Lt, now, all, span));
        let kind = ExprKind::While { label: None, condition, body: Block { stmts, tail: None } };
        out.push(Stmt::Expr(self.function.expr(kind, span)));
    }

    pub(super) fn first_lanes(&mut self, value: Expr, span: Span) -> Expr {
        let zero = self.int(0, span);
        self.group_intrinsic("warp_broadcast", vec![value, zero], span)
    }

    fn barrier(&mut self, span: Span, out: &mut Vec<Stmt>) {
        let barrier = self.intrinsic("block_barrier", vec![], span);
        out.push(Stmt::Expr(barrier));
    }

    fn cast(&mut self, value: Expr, ty: Type, span: Span) -> Expr {
        self.function.expr(ExprKind::Cast(Box::new(value), ty), span)
    }

    fn is_set(&mut self, word: Expr, span: Span) -> Expr {
        let zero =
            ExprKind::Literal(crate::ir::Literal::Int { value: 0, suffix: Some(Scalar::U32) });
        let zero = self.function.expr(zero, span);
        self.binary(BinaryOp::Ne, word, zero, span)
    }
}
