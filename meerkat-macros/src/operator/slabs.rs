//! Walking slab lists: how many words of a slab a lane reads, and the closure's
//! body for each.

use super::Lowering;
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, ForEachNeighbor, Level, Lists, Stmt, Type, VarId,
};
use proc_macro2::{Ident, Span};
use syn::parse_quote;

/// The closure's parameters: the neighbour, and the weight if it asks for it.
#[derive(Clone, Copy)]
pub(super) struct Params {
    pub(super) dst: VarId,
    pub(super) weight: Option<VarId>,
    /// Where the updates of the slab list begin, if only they are visited.
    pub(super) first: Option<VarId>,
}

impl Params {
    pub(super) fn of(each: &ForEachNeighbor) -> Self {
        Params { dst: each.dst, weight: each.weight, first: None }
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

    // expands to:
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
        let first = self.intrinsic("block_warp_id", vec![], span);
        out.push(Stmt::Let { var: bucket, init: Some(first), span });
        let (now, step) =
            (self.function.local(bucket, span), self.intrinsic("block_warp_count", vec![], span));
        let next = self.binary(BinaryOp::Add, now, step, span);
        stmts.push(self.assign(bucket, next, span));
        let now = self.function.local(bucket, span);
        let condition = Box::new(self.binary(BinaryOp::Lt, now, buckets, span));
        let body = Block { stmts, tail: None };
        let kind = ExprKind::While { label: None, condition, body };
        out.push(Stmt::Expr(self.function.expr(kind, span)));
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
        let condition = Box::new(self.binary(BinaryOp::Ne, now, null, span));
        let visit = self.visit_slab(graph, slab, params, body, span);
        let visit = Block { stmts: visit, tail: None };
        let walk = ExprKind::While { label: None, condition, body: visit };
        vec![
            Stmt::Let { var: slab, init: Some(head), span },
            Stmt::Expr(self.function.expr(walk, span)),
        ]
    }

    fn visit_slab(
        &mut self,
        graph: &Expr,
        slab: VarId,
        params: Params,
        body: Block,
        span: Span,
    ) -> Vec<Stmt> {
        let mut inner = body.stmts;
        inner.extend(body.tail.map(|tail| Stmt::Expr(*tail)));
        match self.group {
            32 => self.one_word(graph, slab, params, inner, span),
            16 => {
                let lane = self.group_intrinsic("tile_lane_id", vec![], span);
                self.words(graph, slab, ("duo", 2, lane), params, inner, span)
            }
            8 => {
                let lane = self.group_intrinsic("tile_lane_id", vec![], span);
                self.words(graph, slab, ("quad", 4, lane), params, inner, span)
            }
            _ => self.in_passes(graph, slab, params, inner, span),
        }
    }

    // expands to:
    //   let word = graph.slabs[slab].word(lane_id()).load();
    //   let dst = word;
    //   let valid = is_neighbor(graph, lane_id(), dst);
    //   <body, guarded by `valid`>
    //   slab = warp_broadcast(word, NEXT_LANE);
    fn one_word(
        &mut self,
        graph: &Expr,
        slab: VarId,
        params: Params,
        body: Vec<Stmt>,
        span: Span,
    ) -> Vec<Stmt> {
        self.function.vars[slab.0].declared = Some(Level::Warp);
        let Params { dst, weight, .. } = params;
        let word = self.function.fresh_var("word", Type::U32, false, span);
        let lane = self.intrinsic("lane_id", vec![], span);
        let place = self.slab_method(graph, slab, "word", lane, span);
        let read = self.method(place, "load", vec![], span);
        let key = self.function.local(word, span);
        let mut stmts = vec![
            Stmt::Let { var: word, init: Some(read), span },
            Stmt::Let { var: dst, init: Some(key), span },
        ];
        let lane = self.intrinsic("lane_id", vec![], span);
        let valid = self.neighbor_test(graph, (slab, lane), params, span, &mut stmts);
        if let Some(weight) = weight {
            let (word, one) = (self.function.local(word, span), self.int(1, span));
            let beside = self.intrinsic("warp_shuffle_down", vec![word, one], span);
            stmts.push(self.weight(graph, weight, beside, span));
        }
        stmts.extend(self.guard(body, valid));
        let next = ExprKind::Const(parse_quote!(::meerkat_runtime::graph::NEXT_LANE));
        let (word, lane) = (self.function.local(word, span), self.function.expr(next, span));
        let next = self.intrinsic("warp_broadcast", vec![word, lane], span);
        stmts.push(self.assign(slab, next, span));
        stmts
    }

    // expands to:
    //   let part = tile_lane_id::<8>();
    //   let words = graph.slabs[slab].quad(part);
    //   for k in 0..4 { let dst = words[k]; <body> }    // unrolled
    //   slab = tile_broadcast::<8>(words[3], 7);
    fn words(
        &mut self,
        graph: &Expr,
        slab: VarId,
        (read, count, lane): (&str, u128, Expr),
        params: Params,
        body: Vec<Stmt>,
        span: Span,
    ) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        let words = self.read_words(graph, slab, (read, count, lane), params, body, &mut stmts);
        let link = self.word_at(words, count - 1, span);
        let last = self.int(u128::from(self.group) - 1, span);
        let next = self.group_intrinsic("warp_broadcast", vec![link, last], span);
        stmts.push(self.assign(slab, next, span));
        stmts
    }

    // expands to:
    //   let mut link = NULL_SLAB;
    //   for pass in 0..2 {
    //       let part = pass * 4 + tile_lane_id::<4>();
    //       <the words of `graph.slabs[slab].quad(part)`>
    //       link = words[3];
    //   }
    //   slab = tile_broadcast::<4>(link, 3);
    fn in_passes(
        &mut self,
        graph: &Expr,
        slab: VarId,
        params: Params,
        body: Vec<Stmt>,
        span: Span,
    ) -> Vec<Stmt> {
        let lanes = self.group;
        let pass = self.function.fresh_var("pass", Type::U32, false, span);
        let link = self.function.fresh_var("link", Type::U32, true, span);
        let part = self.function.local(pass, span);
        let part = if lanes == 1 {
            part
        } else {
            let each = self.int(lanes.into(), span);
            let first = self.binary(BinaryOp::Mul, part, each, span);
            let lane = self.group_intrinsic("tile_lane_id", vec![], span);
            self.binary(BinaryOp::Add, first, lane, span)
        };
        let mut stmts = Vec::new();
        let words = self.read_words(graph, slab, ("quad", 4, part), params, body, &mut stmts);
        let last = self.word_at(words, 3, span);
        stmts.push(self.assign(link, last, span));

        let zero = self.int(0, span);
        let (from, to) = (self.int(0, span), self.int(8 / u128::from(lanes), span));
        let passes = self.counted(pass, (from, to), false, stmts, span);
        let found = self.function.local(link, span);
        let next = if lanes == 1 {
            found
        } else {
            let last = self.int(u128::from(lanes) - 1, span);
            self.group_intrinsic("warp_broadcast", vec![found, last], span)
        };
        let advance = self.assign(slab, next, span);
        vec![Stmt::Let { var: link, init: Some(zero), span }, passes, advance]
    }

    /// Reads several words of a slab and runs the body for each key among them.
    fn read_words(
        &mut self,
        graph: &Expr,
        slab: VarId,
        (read, count, part): (&str, u128, Expr),
        params: Params,
        body: Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> VarId {
        let span = part.span;
        let at = self.function.fresh_var("part", Type::U32, false, span);
        out.push(Stmt::Let { var: at, init: Some(part), span });
        let array = Type::Array(Box::new(Type::U32), count.to_string());
        let words = self.function.fresh_var("words", array, false, span);
        let part = self.function.local(at, span);
        let init = self.slab_method(graph, slab, read, part, span);
        out.push(Stmt::Let { var: words, init: Some(init), span });

        let Params { dst, weight, .. } = params;
        let k = self.function.fresh_var("k", Type::U32, false, span);
        let at_k = self.function.local(k, span);
        let key = self.index(words, at_k, span);
        let mut stmts = vec![Stmt::Let { var: dst, init: Some(key), span }];
        let (part, each) = (self.function.local(at, span), self.int(count, span));
        let first = self.binary(BinaryOp::Mul, part, each, span);
        let at_k = self.function.local(k, span);
        let place = self.binary(BinaryOp::Add, first, at_k, span);
        let valid = self.neighbor_test(graph, (slab, place), params, span, &mut stmts);
        if let Some(weight) = weight {
            // A weight follows its key; the mask only keeps the index in range.
            let (k, one) = (self.function.local(k, span), self.int(1, span));
            let beside = self.binary(BinaryOp::Or, k, one, span);
            let bits = self.index(words, beside, span);
            stmts.push(self.weight(graph, weight, bits, span));
        }
        stmts.extend(self.guard(body, valid));
        let (from, to) = (self.int(0, span), self.int(count, span));
        out.push(self.counted(k, (from, to), true, stmts, span));
        words
    }

    /// `let valid = is_neighbor(graph, place, dst);`
    fn neighbor_test(
        &mut self,
        graph: &Expr,
        (slab, place): (VarId, Expr),
        Params { dst, first, .. }: Params,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> VarId {
        let valid = self.function.fresh_var("valid", Type::BOOL, false, span);
        self.function.vars[valid.0].described = Some("whether a lane has found a neighbour");
        let key = self.function.local(dst, span);
        let test = if let Some(first) = first {
            let (first, slab) = (self.function.local(first, span), self.function.local(slab, span));
            let args = vec![graph.clone(), first, slab, place, key];
            self.call(parse_quote!(::meerkat_runtime::graph::is_updated_neighbor), args, span)
        } else {
            let args = vec![graph.clone(), place, key];
            self.call(parse_quote!(::meerkat_runtime::graph::is_neighbor), args, span)
        };
        out.push(Stmt::Let { var: valid, init: Some(test), span });
        valid
    }

    /// `let weight = edge_weight(graph, bits);`
    fn weight(&mut self, graph: &Expr, weight: VarId, bits: Expr, span: Span) -> Stmt {
        let args = vec![graph.clone(), bits];
        let read = self.call(parse_quote!(::meerkat_runtime::graph::edge_weight), args, span);
        Stmt::Let { var: weight, init: Some(read), span }
    }

    fn slab_method(
        &mut self,
        graph: &Expr,
        slab: VarId,
        method: &str,
        arg: Expr,
        span: Span,
    ) -> Expr {
        let slabs = self.field(graph.clone(), "slabs", span);
        let at = self.function.local(slab, span);
        let place = self.function.expr(ExprKind::Index(Box::new(slabs), Box::new(at)), span);
        self.method(place, method, vec![arg], span)
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

    fn word_at(&mut self, words: VarId, at: u128, span: Span) -> Expr {
        let at = self.int(at, span);
        self.index(words, at, span)
    }

    /// `for var in from..to { stmts }`
    fn counted(
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
