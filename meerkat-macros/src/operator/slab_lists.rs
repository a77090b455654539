//! A slab list to each tile (Meerkat, iteration scheme 2): the block's tiles of 8
//! share out the slab lists of all its threads' vertices, so that a hub keeps no
//! one waiting. Lists are numbered through; a prefix sum says where a thread's own
//! begin, and a binary search whose list a tile has got.

use super::Lowering;
use super::accumulate::{self, Accumulator, Reduction};
use super::lists::{Params, Walk};
use super::neighbors::{OwnerValue, path_name};
use crate::ir::{Access, Block, Expr, ForEachNeighbor, Stmt, Type, VarId};
use crate::parse::{expression, program};
use proc_macro2::Span;

/// The parts of the program that depend on what the closure reads and gathers.
#[derive(Default)]
struct Parts {
    /// In front of all lists: what owners share, and where their results are gathered.
    share: Vec<Stmt>,
    /// Of each list, in front of its slabs.
    receive: Vec<Stmt>,
    /// Of each list, after its slabs.
    gather: Vec<Stmt>,
    /// After all lists, of the lanes that own them.
    collect: Vec<Stmt>,
    /// If the closure only looks for something: a tile's part of it, and whether the owner has none
    /// yet.
    found: Option<(VarId, Expr)>,
}

/// The lane in its block, the one whose list a tile has got, and whether a lane has an item.
#[derive(Clone, Copy)]
struct Lanes {
    me: VarId,
    owner: VarId,
    guard: VarId,
}

impl Lowering<'_> {
    pub(super) fn by_slab_list(
        &mut self,
        each: ForEachNeighbor,
        guard: VarId,
        span: Span,
    ) -> Vec<Stmt> {
        let mut params = Params::of(&each);
        let ForEachNeighbor { graph, vertex, lists: which, predicate, mut body, .. } = each;
        self.narrow_collectives(&mut body);
        let (vertex, before) = self.read_guarded(vertex, guard, "visited", span);
        let takes_part = self.and_guard(predicate, guard);
        let [me, owner, source, bucket] = ["me", "owner", "source", "bucket"]
            .map(|name| self.function.fresh_var(name, Type::U32, false, span));
        self.name_source(&mut body, &vertex, source);
        let [count, list] =
            ["list_count", "list"].map(|name| self.function.fresh_var(name, Type::U32, true, span));
        let starts = self.memory_of_block("starts", Type::U32, span);
        let sources = self.memory_of_block("sources", Type::U32, span);

        let parts = self.parts(&mut body, (source, params), Lanes { me, owner, guard }, span);
        let Parts { share, mut receive, gather, collect, found } = parts;
        let seeks = found.map(|(partial, not_yet)| {
            params.sought = Some(partial);
            let seeks = self.function.fresh_var("seeks", Type::BOOL, true, span);
            // Another tile may have found it in another list.
            receive.extend(program!(self, span, [seeks, not_yet] {
                let seeks = group_broadcast(not_yet, 0);
            }));
            seeks
        });
        let walk = Walk { graph: &graph, lists: which, params, body };
        let walk = self.own_list((source, bucket), walk, seeks, span);
        let (tile, tiles) = self.tiles_of_block(span);
        program!(self, span, [
            graph, vertex, before, takes_part, me, owner, source, bucket, count, starts, sources,
            list, tile, tiles, share, receive, walk, gather, collect,
        ] {
            before;
            let me = block_thread_id();
            let count = 0;
            if takes_part {
                count = ::meerkat_runtime::Neighbors::count_lists(
                    graph,
                    ::meerkat_runtime::Neighbors::lists_of(graph, vertex)
                );
            }
            let start: u32 = block_scan_sum(count);
            let total: u32 = block_reduce_sum(count);
            let starts = block_memory::<u32, ::meerkat_runtime::launch::BLOCK_THREADS>();
            starts[me].store(start);
            let sources = block_memory::<u32, ::meerkat_runtime::launch::BLOCK_THREADS>();
            sources[me].store(vertex);
            share;
            block_barrier();
            let list = tile;
            while list < total {
                let owner = ::meerkat_runtime::launch::slab_list_owner(starts, list);
                receive;
                let source = group_broadcast(sources[owner].load_shared(), 0);
                let bucket = group_broadcast(list - starts[owner].load_shared(), 0);
                walk;
                gather;
                list = list + tiles;
            }
            // Below, each lane reads what is its own, and so it does before it writes that again.
            block_barrier();
            collect;
        })
    }

    fn parts(
        &mut self,
        body: &mut Block,
        (source, params): (VarId, Params),
        lanes: Lanes,
        span: Span,
    ) -> Parts {
        let mut parts = Parts::default();
        let only_looks = accumulate::only_looks(body);
        let (accumulators, begin) = self.accumulators(body);
        let mut own: Vec<_> = accumulators.iter().map(|found| found.partial).collect();
        own.extend([source, params.dst]);
        own.extend(params.weight);
        for OwnerValue { value, var } in self.owner_values(body, own) {
            self.share(&value, var, lanes, &mut parts);
        }
        parts.receive.extend(begin);
        for accumulator in &accumulators {
            let memory = self.gather(accumulator, lanes, span, &mut parts);
            let sought = self.sought(&accumulators, only_looks, params.finds);
            if let (Some(one), Some(memory)) = (sought, memory) {
                let (partial, owner) = (one.partial, lanes.owner);
                let held = expression!(self, span, [memory, owner] memory[owner].load_shared());
                let not_yet = match self.function.var(partial).ty == Type::BOOL {
                    true => expression!(self, span, [held] held == 0),
                    false => expression!(self, span, [held] held == u32::MAX),
                };
                parts.found = Some((partial, not_yet));
            }
        }
        parts
    }

    /// A variable for memory of the block: an element for each of its threads.
    fn memory_of_block(&mut self, name: &str, element: Type, span: Span) -> VarId {
        let slice = Type::Slice(Access::Read, Box::new(Type::Atomic(Box::new(element))));
        self.function.fresh_var(name, slice, false, span)
    }

    /// A value of the owner's, through memory of the block, to the tile that has
    /// one of its lists.
    fn share(&mut self, value: &Expr, var: VarId, lanes: Lanes, parts: &mut Parts) {
        let Lanes { me, owner, guard } = lanes;
        let span = value.span;
        let ty = self.function.var(var).ty.clone();
        let name = self.function.var(var).name.to_string();
        let shown = path_name(value, &self.function).unwrap_or_else(|| name.clone());
        let is_flag = ty == Type::BOOL;
        let wide = ty.scalar().is_some_and(|scalar| scalar.bits() >= 32);
        if !wide && !is_flag {
            self.errors.report(
                value.place(),
                format!("`{shown}` is passed to other warps, so it must be a `bool` or a number of 32 or 64 bits"),
                "bind it with its type, `let x: u32 = ..` or `for x in 0u32..n`, or launch it with \
                 another schedule",
            );
            return;
        }
        let held = if is_flag { Type::U32 } else { ty };
        let memory = self.memory_of_block(&format!("{name}_of"), held.clone(), span);
        let (value, read) = match is_flag {
            true => (
                expression!(self, span, [value] value as u32),
                expression!(self, span, [memory, owner] memory[owner].load_shared() != 0),
            ),
            false => (
                value.clone(),
                expression!(self, span, [memory, owner] memory[owner].load_shared()),
            ),
        };
        parts.share.extend(program!(self, span, [memory, held, me, guard, value] {
            let memory = block_memory::<held, ::meerkat_runtime::launch::BLOCK_THREADS>();
            if guard { memory[me].store(value); }
        }));
        parts.receive.extend(program!(self, span, [var, read] {
            let var = group_broadcast(read, 0);
        }));
    }

    /// What a tile accumulated over a list, into the owner's in memory of the
    /// block, which is returned.
    fn gather(
        &mut self,
        accumulator: &Accumulator,
        lanes: Lanes,
        span: Span,
        parts: &mut Parts,
    ) -> Option<VarId> {
        let Lanes { me, owner, guard } = lanes;
        let Accumulator { var, partial, reduction } = *accumulator;
        if let Reduction::Join(_) = reduction {
            let name = &self.function.var(var).name;
            self.errors.report(
                name.span(),
                format!("`{name}` would be joined by tiles of several warps at once"),
                "launch it with another schedule: `Schedule::Hybrid` has a list to each tile, too",
            );
            return None;
        }
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
        let nothing = self.identity(accumulator, span);
        let held = if is_flag { Type::U32 } else { ty.clone() };
        let memory = self.memory_of_block(&format!("{name}_of"), held.clone(), span);
        let total = self.function.fresh_var(&format!("{name}_all"), ty, false, span);
        let (nothing, part, all) = match is_flag {
            true => (
                expression!(self, span, [nothing] nothing as u32),
                expression!(self, span, [total] total as u32),
                expression!(self, span, [memory, me] memory[me].load_shared() != 0),
            ),
            false => (
                nothing,
                self.function.local(total, span),
                expression!(self, span, [memory, me] memory[me].load_shared()),
            ),
        };
        parts.share.extend(program!(self, span, [memory, held, me, nothing] {
            let memory = block_memory::<held, ::meerkat_runtime::launch::BLOCK_THREADS>();
            memory[me].store(nothing);
        }));
        let join = match reduction {
            Reduction::Sum => "fetch_add",
            Reduction::Or => "fetch_or",
            Reduction::Min => "fetch_min",
            Reduction::Max => "fetch_max",
            Reduction::Join(_) => return None,
        };
        let reduce = reduction.word();
        parts.gather.extend(program!(self, span, [
            memory, owner, total, reduce, partial, join, part,
        ] {
            let total = reduce(partial);
            if group_lane_id() == 0 { memory[owner].join(part); }
        }));
        let join = self.join(accumulator, all, span);
        parts.collect.extend(program!(self, span, [guard, join] {
            if guard { join; }
        }));
        Some(memory)
    }
}
