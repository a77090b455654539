//! Reading a chunk: how many words of it a lane reads, and the closure's body for each.

use super::Lowering;
use super::lists::Params;
use crate::ir::{Block, Expr, ExprKind, Stmt, Type, VarId};
use crate::parse::{expression, program};
use proc_macro2::Span;

/// How many words a lane reads at once, by which function.
#[derive(Clone, Copy)]
struct Read {
    words: u32,
    function: &'static str,
    weights: &'static str,
    link: &'static str,
}

const DUO: Read =
    Read { words: 2, function: "read_duo", weights: "weights_of_duo", link: "link_of_duo" };
const QUAD: Read =
    Read { words: 4, function: "read_quad", weights: "weights_of_quad", link: "link_of_quad" };

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
        let valid = self.valid(span);
        let place = expression!(self, span, [] lane_id());
        let test = self.neighbor_test(graph, (chunk, place), params, span);
        let weight = params.weight.map_or(Vec::new(), |weight| {
            program!(self, span, [graph, chunk, weight] {
                let weight = ::meerkat_runtime::Neighbors::weight_at(graph, chunk, lane_id());
            })
        });
        let visit = self.guard(body, valid);
        let link = expression!(self, span, [graph, chunk, dst] warp_broadcast(
            dst,
            ::meerkat_runtime::Neighbors::link_reader(graph, chunk, 1, 32)
        ));
        let next = self.next_chunk(graph, chunk, link, span);
        program!(self, span, [graph, chunk, dst, valid, test, weight, visit, next] {
            let dst = ::meerkat_runtime::Neighbors::read_word(graph, chunk, lane_id());
            let valid = test;
            weight;
            visit;
            next;
        })
    }

    /// Where the list goes on, as its link says if it has one.
    fn next_chunk(&mut self, graph: &Expr, chunk: VarId, its_link: Expr, span: Span) -> Vec<Stmt> {
        let (link, find_link) = self.in_variable("link", its_link, span);
        program!(self, span, [graph, chunk, link, find_link] {
            if ::meerkat_runtime::Neighbors::has_links(graph) {
                find_link;
                chunk = ::meerkat_runtime::Neighbors::next_chunk(graph, chunk, link);
            } else {
                chunk = ::meerkat_runtime::Neighbors::next_chunk(graph, chunk, 0);
            }
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
        let (count, link, lanes) = (read.words, read.link, self.group);
        let link = expression!(self, span, [graph, chunk, words, count, link, lanes] group_broadcast(
            ::meerkat_runtime::Neighbors::link(graph, words),
            ::meerkat_runtime::Neighbors::link_reader(graph, chunk, count, lanes)
        ));
        let next = self.next_chunk(graph, chunk, link, span);
        program!(self, span, [visit, next] {
            visit;
            next;
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
        let link = self.function.fresh_var("link", Type::U32, true, span);
        let part = match lanes {
            1 => self.function.local(pass, span),
            _ => expression!(self, span, [pass, lanes] pass * lanes + group_lane_id()),
        };
        let (words, visit) = self.read_words(graph, chunk, (QUAD, part), params, body, span);
        let passes = expression!(self, span, [graph, chunk, count = 4 * lanes]
            ::meerkat_runtime::Neighbors::passes(graph, chunk, count));
        let visit = program!(self, span, [graph, link, words, visit] {
            visit;
            if ::meerkat_runtime::Neighbors::has_links(graph) {
                link = ::meerkat_runtime::Neighbors::link_of_quad(graph, words);
            }
        });
        let visit = match params.left {
            Some(_) => {
                let more = expression!(self, span, [pass, passes] pass < passes);
                let more = self.while_left(more, params, span);
                program!(self, span, [pass, visit, more] {
                    let pass = 0;
                    while more {
                        visit;
                        pass = pass + 1;
                    }
                })
            }
            None => program!(self, span, [pass, passes, visit] {
                for pass in 0..passes { visit; }
            }),
        };
        let its_link = match lanes {
            1 => self.function.local(link, span),
            _ => expression!(self, span, [graph, chunk, link, lanes] group_broadcast(
                link,
                ::meerkat_runtime::Neighbors::link_reader(graph, chunk, 4, lanes)
            )),
        };
        let next = self.next_chunk(graph, chunk, its_link, span);
        program!(self, span, [link, visit, next] {
            let link = 0;
            visit;
            next;
        })
    }

    /// Reads several words of a chunk and runs the body for each neighbour among them.
    fn read_words(
        &mut self,
        graph: &Expr,
        chunk: VarId,
        (Read { words: count, function, weights: all_weights, .. }, own_part): (Read, Expr),
        params: Params,
        body: Vec<Stmt>,
        span: Span,
    ) -> (VarId, Vec<Stmt>) {
        let (part, find_part) = self.in_variable("part", own_part, span);
        let array = Type::Array(Box::new(Type::U32), count.to_string());
        let words = self.function.fresh_var("words", array.clone(), false, span);
        let k = self.function.fresh_var("k", Type::U32, false, span);
        let valid = self.valid(span);
        let place = expression!(self, span, [part, count, k] part * count + k);
        let test = self.neighbor_test(graph, (chunk, place), params, span);
        let (mut read_weights, mut own_weight) = (Vec::new(), Vec::new());
        if let Some(weight) = params.weight {
            let weights = self.function.fresh_var("weights", array, false, span);
            read_weights = program!(self, span, [graph, chunk, part, words, weights, all_weights] {
                let weights = ::meerkat_runtime::Neighbors::all_weights(graph, chunk, part, words);
            });
            own_weight = program!(self, span, [graph, weight, weights, k] {
                let weight = ::meerkat_runtime::Neighbors::weight_of(graph, weights[k]);
            });
        }
        let mut visit = Vec::new();
        if let Some(left) = params.left {
            visit = program!(self, span, [left] { left = left - 1; });
        }
        visit.extend(body);
        let (dst, visit) = (params.dst, self.guard(visit, valid));
        let look = program!(self, span, [words, k, dst, valid, test, own_weight, visit] {
            let dst = words[k];
            let valid = test;
            own_weight;
            visit;
        });
        let stmts = program!(self, span, [
            graph, chunk, function, count, find_part, part, words, read_weights, k, look,
        ] {
            find_part;
            let words = ::meerkat_runtime::Neighbors::function(graph, chunk, part);
            read_weights;
            #[unroll]
            for k in 0..count {
                if ::meerkat_runtime::Neighbors::may_be_neighbor(graph, k) { look; }
            }
        });
        (words, stmts)
    }

    /// A number in a variable, which it may be already.
    fn in_variable(&mut self, name: &str, value: Expr, span: Span) -> (VarId, Vec<Stmt>) {
        if let ExprKind::Local(var) = value.kind {
            return (var, Vec::new());
        }
        let var = self.function.fresh_var(name, Type::U32, false, span);
        (var, program!(self, span, [var, value] { let var = value; }))
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
}
