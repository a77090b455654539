//! Reading a slab: how many words of it a lane reads, and the closure's body for each.

use super::Lowering;
use super::slabs::Params;
use crate::ir::{Block, Expr, Level, Stmt, Type, VarId};
use crate::parse::{expression, program};
use proc_macro2::Span;

/// How many words a lane reads at once, by which method.
#[derive(Clone, Copy)]
struct Read {
    words: u32,
    method: &'static str,
}

const DUO: Read = Read { words: 2, method: "duo" };
const QUAD: Read = Read { words: 4, method: "quad" };

impl Lowering<'_> {
    /// A slab by the lanes that walk the list together; then `slab` is the next.
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
            16 => self.words(graph, slab, DUO, params, inner, span),
            8 => self.words(graph, slab, QUAD, params, inner, span),
            _ => self.in_passes(graph, slab, params, inner, span),
        }
    }

    /// A word to each lane of a warp.
    fn one_word(
        &mut self,
        graph: &Expr,
        slab: VarId,
        params: Params,
        body: Vec<Stmt>,
        span: Span,
    ) -> Vec<Stmt> {
        self.function.vars[slab.0].declared = Some(Level::Warp);
        let dst = params.dst;
        let word = self.function.fresh_var("word", Type::U32, false, span);
        let valid = self.valid(span);
        let place = expression!(self, span, [] lane_id());
        let test = self.neighbor_test(graph, (slab, place), params, span);
        // A weight follows its key.
        let beside = expression!(self, span, [word] warp_shuffle_down(word, 1));
        let weight = self.weight(graph, params, beside, span);
        let visit = self.guard(body, valid);
        program!(self, span, [graph, slab, word, dst, valid, test, weight, visit] {
            let word = graph.slabs[slab].word(lane_id()).load();
            let dst = word;
            let valid = test;
            weight;
            visit;
            slab = warp_broadcast(word, ::meerkat_runtime::graph::NEXT_LANE);
        })
    }

    /// Some words to each lane of a tile that reads a whole slab at once.
    fn words(
        &mut self,
        graph: &Expr,
        slab: VarId,
        read: Read,
        params: Params,
        body: Vec<Stmt>,
        span: Span,
    ) -> Vec<Stmt> {
        let part = expression!(self, span, [] group_lane_id());
        let (words, visit) = self.read_words(graph, slab, (read, part), params, body, span);
        let (last_word, last_lane) = (read.words - 1, self.group - 1);
        program!(self, span, [slab, words, visit, last_word, last_lane] {
            visit;
            slab = group_broadcast(words[last_word], last_lane);
        })
    }

    /// Some words to each lane, again and again: a few lanes, or one, read a slab in passes,
    /// or, where a lane knows how many neighbours are left, as many as it takes.
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
        let part = match lanes {
            1 => self.function.local(pass, span),
            _ => expression!(self, span, [pass, lanes] pass * lanes + group_lane_id()),
        };
        let (words, visit) = self.read_words(graph, slab, (QUAD, part), params, body, span);
        let passes = 8 / lanes;
        let visit = match params.left {
            Some(_) => {
                let more = expression!(self, span, [pass, passes] pass < passes);
                let more = self.while_left(more, params, span);
                program!(self, span, [pass, link, words, visit, more] {
                    let pass = 0;
                    while more {
                        visit;
                        link = words[3];
                        pass = pass + 1;
                    }
                })
            }
            None => program!(self, span, [pass, passes, link, words, visit] {
                for pass in 0..passes {
                    visit;
                    link = words[3];
                }
            }),
        };
        let next = match lanes {
            1 => self.function.local(link, span),
            _ => expression!(self, span, [link, last = lanes - 1] group_broadcast(link, last)),
        };
        program!(self, span, [slab, link, visit, next] {
            let link = 0;
            visit;
            slab = next;
        })
    }

    /// Reads several words of a slab and runs the body for each key among them.
    fn read_words(
        &mut self,
        graph: &Expr,
        slab: VarId,
        (Read { words: count, method }, own_part): (Read, Expr),
        params: Params,
        body: Vec<Stmt>,
        span: Span,
    ) -> (VarId, Vec<Stmt>) {
        let part = self.function.fresh_var("part", Type::U32, false, span);
        let array = Type::Array(Box::new(Type::U32), count.to_string());
        let words = self.function.fresh_var("words", array, false, span);
        let k = self.function.fresh_var("k", Type::U32, false, span);
        let valid = self.valid(span);
        let place = expression!(self, span, [part, count, k] part * count + k);
        let test = self.neighbor_test(graph, (slab, place), params, span);
        // A weight follows its key; the mask only keeps the index in range.
        let beside = expression!(self, span, [words, k] words[k | 1]);
        let weight = self.weight(graph, params, beside, span);
        let mut visit = Vec::new();
        if let Some(left) = params.left {
            visit = program!(self, span, [left] { left = left - 1; });
        }
        visit.extend(body);
        let (dst, visit) = (params.dst, self.guard(visit, valid));
        let stmts = program!(self, span, [
            graph, slab, own_part, method, count, part, words, k, dst, valid, test, weight, visit,
        ] {
            let part = own_part;
            let words = graph.slabs[slab].method(part);
            #[unroll]
            for k in 0..count {
                let dst = words[k];
                let valid = test;
                weight;
                visit;
            }
        });
        (words, stmts)
    }

    fn valid(&mut self, span: Span) -> VarId {
        let valid = self.function.fresh_var("valid", Type::BOOL, false, span);
        self.function.vars[valid.0].described = Some("whether a lane has found a neighbour");
        valid
    }

    /// Whether a word is a neighbour that is visited.
    fn neighbor_test(
        &mut self,
        graph: &Expr,
        (slab, place): (VarId, Expr),
        Params { dst, first, .. }: Params,
        span: Span,
    ) -> Expr {
        match first {
            Some(first) => expression!(self, span, [graph, first, slab, place, dst]
                ::meerkat_runtime::graph::is_updated_neighbor(graph, first, slab, place, dst)),
            None => expression!(self, span, [graph, place, dst]
                ::meerkat_runtime::graph::is_neighbor(graph, place, dst)),
        }
    }

    /// The closure's weight, if it asks for it, from the word beside a key.
    fn weight(&mut self, graph: &Expr, params: Params, beside: Expr, span: Span) -> Vec<Stmt> {
        let Some(weight) = params.weight else { return Vec::new() };
        program!(self, span, [graph, weight, beside] {
            let weight = ::meerkat_runtime::graph::edge_weight(graph, beside);
        })
    }
}
