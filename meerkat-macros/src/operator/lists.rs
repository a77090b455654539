//! Walking the lists of a vertex, chunk by chunk, whatever container has them: the functions
//! that programs call here are of the run time's `Neighbors`.

use super::{Lowering, Shared};
use crate::ir::{Block, Expr, ForEachNeighbor, Lists, Slot, Stmt, Type, VarId, WalkTypes};
use crate::parse::{expression, program};
use proc_macro2::Span;

/// The closure's parameters, and what else a walk goes by.
#[derive(Clone, Copy)]
pub(super) struct Params {
    pub(super) dst: VarId,
    /// The weight, if the closure asks for it.
    pub(super) weight: Option<VarId>,
    /// What a lane looks for; once a lane has found it, the group stops.
    pub(super) sought: Option<VarId>,
    /// The variable of a search, before each lane had a part of it.
    pub(super) finds: Option<VarId>,
    /// How many neighbours a lane by itself has yet to find; then it stops.
    pub(super) left: Option<VarId>,
    /// What the graph's lists and chunks are.
    pub(super) types: WalkTypes,
}

impl Params {
    pub(super) fn of(each: &ForEachNeighbor) -> Self {
        let ForEachNeighbor { dst, weight, finds, types, .. } = *each;
        Params { dst, weight, sought: None, finds, left: None, types }
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
    /// A variable of a type that the graph's own decides.
    pub(super) fn of_graph(
        &mut self,
        name: &str,
        ty: Option<Slot>,
        mutable: bool,
        span: Span,
    ) -> VarId {
        let ty = ty.map_or(Type::Unknown, |slot| Type::Rustc(slot, Box::new(Type::Unknown)));
        self.function.fresh_var(name, ty, mutable, span)
    }

    /// The lists of a vertex, one after another, or those of them that are asked for.
    pub(super) fn lists(
        &mut self,
        source: VarId,
        Walk { graph, lists: which, params, body }: Walk<'_>,
        span: Span,
    ) -> Vec<Stmt> {
        let lists = self.of_graph("lists", params.types.lists, false, span);
        let walk = match which {
            Lists::One(bucket) => {
                let head = expression!(self, span, [graph, lists, bucket = *bucket]
                    ::meerkat_runtime::Neighbors::first_chunk(graph, lists, bucket));
                self.one_list(graph, head, params, body, span)
            }
            _ => self.each_list(lists, graph, params, body, span),
        };
        program!(self, span, [graph, source, lists, walk] {
            let lists = ::meerkat_runtime::Neighbors::lists_of(graph, source);
            walk;
        })
    }

    fn one_list(
        &mut self,
        graph: &Expr,
        head: Expr,
        params: Params,
        body: Block,
        span: Span,
    ) -> Vec<Stmt> {
        let (seeks, mut stmts) = self.seeks(params, span);
        stmts.extend(self.list(graph, head, (params, seeks), body, span));
        stmts
    }

    /// Whether a group of lanes goes on looking, where something is sought.
    fn seeks(&mut self, params: Params, span: Span) -> (Option<VarId>, Vec<Stmt>) {
        if params.sought.is_none() {
            return (None, Vec::new());
        }
        let seeks = self.function.fresh_var("seeks", Type::BOOL, true, span);
        (Some(seeks), program!(self, span, [seeks] { let seeks = true; }))
    }

    fn each_list(
        &mut self,
        lists: VarId,
        graph: &Expr,
        params: Params,
        body: Block,
        span: Span,
    ) -> Vec<Stmt> {
        // A lane by itself that has found what it looks for leaves the other lists.
        let leaves = params.left.is_some() && params.finds.is_some();
        let steps = self.in_block_step || params.sought.is_some() || leaves;
        let bucket = self.function.fresh_var("bucket", Type::U32, steps, span);
        let head = expression!(self, span, [graph, lists, bucket]
            ::meerkat_runtime::Neighbors::first_chunk(graph, lists, bucket));
        let count = expression!(self, span, [graph, lists]
            ::meerkat_runtime::Neighbors::count_lists(graph, lists));
        let (seeks, begin) = self.seeks(params, span);
        let walk = self.list(graph, head, (params, seeks), body, span);
        if !steps {
            return program!(self, span, [bucket, walk, count] {
                for bucket in 0..count { walk; }
            });
        }
        let (first, step) = match self.in_block_step {
            true => self.share_of_lists(span),
            false => (expression!(self, span, [] 0), expression!(self, span, [] 1)),
        };
        let more = expression!(self, span, [bucket, count] bucket < count);
        let more = if leaves { self.while_left(more, params, span) } else { more };
        let more = self.while_seeking(more, seeks, span);
        program!(self, span, [begin, bucket, walk, first, step, more] {
            begin;
            let bucket = first;
            while more {
                walk;
                bucket = bucket + step;
            }
        })
    }

    /// `seeks && condition`, where something is sought.
    fn while_seeking(&mut self, condition: Expr, seeks: Option<VarId>, span: Span) -> Expr {
        let Some(seeks) = seeks else { return condition };
        expression!(self, span, [condition, seeks] seeks && condition)
    }

    /// The lists of a vertex that a tile has one of: that one, if something is sought while `seeks`.
    pub(super) fn own_list(
        &mut self,
        (source, bucket): (VarId, VarId),
        Walk { graph, params, body, .. }: Walk<'_>,
        seeks: Option<VarId>,
        span: Span,
    ) -> Vec<Stmt> {
        let head = expression!(self, span, [graph, source, bucket]
        ::meerkat_runtime::Neighbors::first_chunk(
            graph,
            ::meerkat_runtime::Neighbors::lists_of(graph, source),
            bucket
        ));
        self.list(graph, head, (params, seeks), body, span)
    }

    /// Which lists of a vertex of the block a group takes, the first and the step: a list to
    /// each warp, or to each tile of 8 of all blocks that share the vertex.
    fn share_of_lists(&mut self, span: Span) -> (Expr, Expr) {
        if self.group == 32 {
            let first = expression!(self, span, [] block_warp_id());
            return (first, expression!(self, span, [] block_warp_count()));
        }
        let (tile, tiles) = self.tiles_of_block(span);
        let Some(Shared { replica, items, .. }) = self.shared else { return (tile, tiles) };
        let first = expression!(self, span, [tile, tiles = &tiles, replica] tile + replica * tiles);
        (first, expression!(self, span, [tiles, items] tiles * items.replicas))
    }

    /// The number of the tile of 8 in its block, and how many the block has.
    pub(super) fn tiles_of_block(&mut self, span: Span) -> (Expr, Expr) {
        let tile = expression!(self, span, [] group_broadcast(block_thread_id() / 8, 0));
        (tile, expression!(self, span, [] block_size() / 8))
    }

    /// The chunks from `head` on, until the list ends; or, where a lane knows how many
    /// neighbours are left, until none is; or, where something is sought, until a lane of the
    /// group has found it.
    fn list(
        &mut self,
        graph: &Expr,
        head: Expr,
        (params, seeks): (Params, Option<VarId>),
        body: Block,
        span: Span,
    ) -> Vec<Stmt> {
        let chunk = self.of_graph("chunk", params.types.chunk, true, span);
        let more = expression!(self, span, [graph, chunk]
            ::meerkat_runtime::Neighbors::is_chunk(graph, chunk));
        let more = self.while_left(more, params, span);
        let more = self.while_seeking(more, seeks, span);
        let mut visit = self.visit_chunk(graph, chunk, params, body, span);
        if let (Some(sought), Some(seeks)) = (params.sought, seeks) {
            let found = self.is_found(sought, span);
            visit.extend(program!(self, span, [seeks, found] { seeks = !group_any(found); }));
        }
        program!(self, span, [chunk, head, more, visit] {
            let chunk = head;
            while more { visit; }
        })
    }

    /// `condition && left != 0`, where a lane by itself knows how many are left; and until it has found what
    /// it looks for.
    pub(super) fn while_left(&mut self, condition: Expr, params: Params, span: Span) -> Expr {
        let Some(left) = params.left else { return condition };
        let more = expression!(self, span, [condition, left] condition && left != 0);
        let Some(found) = params.finds else { return more };
        if self.function.var(found).ty == Type::BOOL {
            return expression!(self, span, [more, found] more && !found);
        }
        expression!(self, span, [more, found] more && found == u32::MAX)
    }

    /// `found`, or of a search `found != u32::MAX`.
    pub(super) fn is_found(&mut self, sought: VarId, span: Span) -> Expr {
        if self.function.var(sought).ty == Type::BOOL {
            return self.function.local(sought, span);
        }
        expression!(self, span, [sought] sought != u32::MAX)
    }
}
