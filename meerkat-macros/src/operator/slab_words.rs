//! Reading a slab: how many words of it a lane reads, and the closure's body for each.

use super::Lowering;
use super::slabs::Params;
use crate::ir::{BinaryOp, Block, Expr, ExprKind, Level, Stmt, Type, VarId};
use proc_macro2::Span;
use syn::parse_quote;

impl Lowering<'_> {
    pub(super) fn visit_slab(
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
    // and where a lane knows how many neighbours are left, to:
    //   let mut pass = 0;
    //   while pass < 8 && left != 0 { <..>; pass = pass + 1; }
    fn in_passes(
        &mut self,
        graph: &Expr,
        slab: VarId,
        params: Params,
        body: Vec<Stmt>,
        span: Span,
    ) -> Vec<Stmt> {
        let lanes = self.group;
        let pass = self.function.fresh_var("pass", Type::U32, params.left.is_some(), span);
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
        let passes = match params.left {
            Some(_) => self.passes_while_left(pass, to, params, stmts, span),
            None => vec![self.counted(pass, (from, to), false, stmts, span)],
        };
        let found = self.function.local(link, span);
        let next = if lanes == 1 {
            found
        } else {
            let last = self.int(u128::from(lanes) - 1, span);
            self.group_intrinsic("warp_broadcast", vec![found, last], span)
        };
        let advance = self.assign(slab, next, span);
        let mut all = vec![Stmt::Let { var: link, init: Some(zero), span }];
        all.extend(passes);
        all.push(advance);
        all
    }

    fn passes_while_left(
        &mut self,
        pass: VarId,
        to: Expr,
        params: Params,
        mut stmts: Vec<Stmt>,
        span: Span,
    ) -> Vec<Stmt> {
        let (now, one) = (self.function.local(pass, span), self.int(1, span));
        let next = self.binary(BinaryOp::Add, now, one, span);
        stmts.push(self.assign(pass, next, span));
        let now = self.function.local(pass, span);
        let more = self.binary(BinaryOp::Lt, now, to, span);
        let condition = Box::new(self.while_left(more, params, span));
        let body = Block { stmts, tail: None };
        let kind = ExprKind::While { label: None, condition, body };
        let zero = self.int(0, span);
        let passes = Stmt::Expr(self.function.expr(kind, span));
        vec![Stmt::Let { var: pass, init: Some(zero), span }, passes]
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
        let mut visit = body;
        if let Some(left) = params.left {
            let (now, one) = (self.function.local(left, span), self.int(1, span));
            let fewer = self.binary(BinaryOp::Sub, now, one, span);
            visit.insert(0, self.assign(left, fewer, span));
        }
        stmts.extend(self.guard(visit, valid));
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

    fn word_at(&mut self, words: VarId, at: u128, span: Span) -> Expr {
        let at = self.int(at, span);
        self.index(words, at, span)
    }
}
