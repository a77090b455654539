//! Reading a chunk: how many words of it a lane reads, and the closure's body for each.

use super::Lowering;
use super::lists::Params;
use crate::ir::{Block, Expr, Stmt, Type, VarId};
use crate::parse::{expression, program};
use proc_macro2::Span;

/// How many words a lane reads at once, by which function.
#[derive(Clone, Copy)]
struct Read {
    words: u32,
    function: &'static str,
}

const DUO: Read = Read { words: 2, function: "read_duo" };
const QUAD: Read = Read { words: 4, function: "read_quad" };

impl Lowering<'_> {
    /// A chunk by the lanes that walk the list together; then `chunk` is the next.
    pub(super) fn visit_chunk(
        &mut self,
        graph: &Expr,
        chunk: VarId,
        params: Params,
        body: Block,
        span: Span,
    ) -> Vec<Stmt> {
        let mut inner = body.stmts;
        inner.extend(body.tail.map(|tail| Stmt::Expr(*tail)));
        match self.group {
            32 => self.one_word(graph, chunk, params, inner, span),
            16 => self.words(graph, chunk, DUO, params, inner, span),
            8 => self.words(graph, chunk, QUAD, params, inner, span),
            _ => self.in_passes(graph, chunk, params, inner, span),
        }
    }

    /// A word to each lane of a warp.
    fn one_word(
        &mut self,
        graph: &Expr,
        chunk: VarId,
        params: Params,
        body: Vec<Stmt>,
        span: Span,
    ) -> Vec<Stmt> {
        let dst = params.dst;
        let word = self.function.fresh_var("word", Type::U32, false, span);
        let valid = self.valid(span);
        let place = expression!(self, span, [] lane_id());
        let test = self.neighbor_test(graph, (chunk, place), params, span);
        let after = expression!(self, span, [word] warp_shuffle_down(word, 1));
        let place = expression!(self, span, [] lane_id());
        let weight = self.weight(graph, (chunk, place), params, after, span);
        let visit = self.guard(body, valid);
        let last = self.function.fresh_var("last", Type::U32, false, span);
        program!(self, span, [graph, chunk, word, dst, valid, test, weight, visit, last] {
            let word = ::meerkat_runtime::Neighbors::read_word(graph, chunk, lane_id());
            let dst = word;
            let valid = test;
            weight;
            visit;
            let last = warp_broadcast(
                word,
                ::meerkat_runtime::Neighbors::last_reader(graph, chunk, 1, 32)
            );
            chunk = ::meerkat_runtime::Neighbors::next_chunk(graph, chunk, last);
        })
    }

    /// Some words to each lane of a tile that reads a whole chunk at once.
    fn words(
        &mut self,
        graph: &Expr,
        chunk: VarId,
        read: Read,
        params: Params,
        body: Vec<Stmt>,
        span: Span,
    ) -> Vec<Stmt> {
        let part = expression!(self, span, [] group_lane_id());
        let (words, visit) = self.read_words(graph, chunk, (read, part), params, body, span);
        let last = self.function.fresh_var("last", Type::U32, false, span);
        let (last_word, count, lanes) = (read.words - 1, read.words, self.group);
        program!(self, span, [graph, chunk, words, visit, last, last_word, count, lanes] {
            visit;
            let last = group_broadcast(
                words[last_word],
                ::meerkat_runtime::Neighbors::last_reader(graph, chunk, count, lanes)
            );
            chunk = ::meerkat_runtime::Neighbors::next_chunk(graph, chunk, last);
        })
    }

    /// Some words to each lane, again and again: a few lanes, or one, read a chunk in passes,
    /// or, where a lane knows how many neighbours are left, as many as it takes.
    fn in_passes(
        &mut self,
        graph: &Expr,
        chunk: VarId,
        params: Params,
        body: Vec<Stmt>,
        span: Span,
    ) -> Vec<Stmt> {
        let lanes = self.group;
        let pass = self.function.fresh_var("pass", Type::U32, params.left.is_some(), span);
        let last = self.function.fresh_var("last", Type::U32, true, span);
        let part = match lanes {
            1 => self.function.local(pass, span),
            _ => expression!(self, span, [pass, lanes] pass * lanes + group_lane_id()),
        };
        let (words, visit) = self.read_words(graph, chunk, (QUAD, part), params, body, span);
        let passes = expression!(self, span, [graph, chunk, count = 4 * lanes]
            ::meerkat_runtime::Neighbors::passes(graph, chunk, count));
        let visit = match params.left {
            Some(_) => {
                let more = expression!(self, span, [pass, passes] pass < passes);
                let more = self.while_left(more, params, span);
                program!(self, span, [pass, last, words, visit, more] {
                    let pass = 0;
                    while more {
                        visit;
                        last = words[3];
                        pass = pass + 1;
                    }
                })
            }
            None => program!(self, span, [pass, passes, last, words, visit] {
                for pass in 0..passes {
                    visit;
                    last = words[3];
                }
            }),
        };
        let of_last = match lanes {
            1 => self.function.local(last, span),
            _ => expression!(self, span, [graph, chunk, last, lanes] group_broadcast(
                last,
                ::meerkat_runtime::Neighbors::last_reader(graph, chunk, 4, lanes)
            )),
        };
        program!(self, span, [graph, chunk, last, visit, of_last] {
            let last = 0;
            visit;
            chunk = ::meerkat_runtime::Neighbors::next_chunk(graph, chunk, of_last);
        })
    }

    /// Reads several words of a chunk and runs the body for each neighbour among them.
    fn read_words(
        &mut self,
        graph: &Expr,
        chunk: VarId,
        (Read { words: count, function }, own_part): (Read, Expr),
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
        let test = self.neighbor_test(graph, (chunk, place), params, span);
        // The mask only keeps the index in range.
        let after = expression!(self, span, [words, k] words[k | 1]);
        let place = expression!(self, span, [part, count, k] part * count + k);
        let weight = self.weight(graph, (chunk, place), params, after, span);
        let mut visit = Vec::new();
        if let Some(left) = params.left {
            visit = program!(self, span, [left] { left = left - 1; });
        }
        visit.extend(body);
        let (dst, visit) = (params.dst, self.guard(visit, valid));
        let stmts = program!(self, span, [
            graph, chunk, own_part, function, count, part, words, k, dst, valid, test, weight, visit,
        ] {
            let part = own_part;
            let words = ::meerkat_runtime::Neighbors::function(graph, chunk, part);
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
        (chunk, place): (VarId, Expr),
        Params { dst, .. }: Params,
        span: Span,
    ) -> Expr {
        expression!(self, span, [graph, chunk, place, dst]
            ::meerkat_runtime::Neighbors::is_neighbor_at(graph, chunk, place, dst))
    }

    /// The closure's weight, if it asks for it; `after` is the word after the neighbour.
    fn weight(
        &mut self,
        graph: &Expr,
        (chunk, place): (VarId, Expr),
        params: Params,
        after: Expr,
        span: Span,
    ) -> Vec<Stmt> {
        let Some(weight) = params.weight else { return Vec::new() };
        program!(self, span, [graph, chunk, place, weight, after] {
            let weight = ::meerkat_runtime::Neighbors::weight_at(graph, chunk, place, after);
        })
    }
}
