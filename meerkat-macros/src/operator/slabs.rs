//! Walking the slab lists of a vertex, slab by slab.

use super::Lowering;
use crate::ir::{Block, Expr, ForEachNeighbor, Lists, Stmt, Type, VarId};
use crate::parse::{expression, program};
use proc_macro2::Span;
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
    /// The slab lists of a vertex, one after another, or those of them that are asked for.
    pub(super) fn slab_lists(
        &mut self,
        source: VarId,
        Walk { graph, lists: which, params, body }: Walk<'_>,
        span: Span,
    ) -> Vec<Stmt> {
        let named = parse_quote!(::meerkat_runtime::graph::SlabLists);
        let named = Type::Named { path: named, name: "SlabLists".to_owned(), args: vec![] };
        let lists = self.function.fresh_var("lists", named, false, span);
        let walk = match which {
            Lists::One(bucket) => {
                let head = expression!(self, span, [lists, bucket = *bucket] lists.first + bucket);
                self.slab_list(graph, head, params, body, span)
            }
            which => {
                let is_updated = matches!(which, Lists::Updated);
                self.each_list(lists, is_updated, graph, params, body, span)
            }
        };
        program!(self, span, [graph, source, lists, walk] {
            let lists = graph.vertices[source];
            walk;
        })
    }

    fn each_list(
        &mut self,
        lists: VarId,
        is_updated: bool,
        graph: &Expr,
        params: Params,
        body: Block,
        span: Span,
    ) -> Vec<Stmt> {
        let bucket = self.function.fresh_var("bucket", Type::U32, self.in_block_step, span);
        let head = expression!(self, span, [lists, bucket] lists.first + bucket);
        let walk = match is_updated {
            true => self.updated_list(graph, head, params, body, span),
            false => self.slab_list(graph, head, params, body, span),
        };
        if self.in_block_step {
            let (first, step) = self.share_of_lists(span);
            return program!(self, span, [lists, bucket, walk, first, step] {
                let bucket = first;
                while bucket < lists.buckets {
                    walk;
                    bucket = bucket + step;
                }
            });
        }
        program!(self, span, [lists, bucket, walk] {
            for bucket in 0..lists.buckets { walk; }
        })
    }

    /// Which lists of a vertex of the block a group takes, the first and the step: a list to
    /// each warp, or to each tile of 8 of all blocks that share the vertex.
    fn share_of_lists(&mut self, span: Span) -> (Expr, Expr) {
        if self.group == 32 {
            let first = expression!(self, span, [] block_warp_id());
            return (first, expression!(self, span, [] block_warp_count()));
        }
        let (tile, tiles) = self.tiles_of_block(span);
        let Some((replica, items)) = self.replica else { return (tile, tiles) };
        let first = expression!(self, span, [tile, tiles = &tiles, replica] tile + replica * tiles);
        (first, expression!(self, span, [tiles, items] tiles * items.replicas))
    }

    /// The number of the tile of 8 in its block, and how many the block has.
    pub(super) fn tiles_of_block(&mut self, span: Span) -> (Expr, Expr) {
        let tile = expression!(self, span, [] group_broadcast(block_thread_id() / 8, 0));
        (tile, expression!(self, span, [] block_size() / 8))
    }

    /// What was inserted into a slab list since the update pointers were moved.
    pub(super) fn updated_list(
        &mut self,
        graph: &Expr,
        head: Expr,
        params: Params,
        body: Block,
        span: Span,
    ) -> Vec<Stmt> {
        let list = self.function.fresh_var("list", Type::U32, false, span);
        let marked = expression!(self, span, [graph, list] ::meerkat_runtime::graph::is_updated(graph, list));
        let marked = match self.group {
            1 => marked,
            _ => expression!(self, span, [marked] group_any(marked)),
        };
        let named = parse_quote!(::meerkat_runtime::graph::UpdatePointer);
        let named = Type::Named { path: named, name: "UpdatePointer".to_owned(), args: vec![] };
        let first = self.function.fresh_var("first_update", named, false, span);
        let start = expression!(self, span, [first] first.slab);
        let params = Params { first: Some(first), ..params };
        let walk = self.slab_list(graph, start, params, body, span);
        program!(self, span, [graph, head, list, marked, first, walk] {
            let list = head;
            if marked {
                let first = graph.updates[list];
                walk;
            }
        })
    }

    /// The slabs from `head` on, until the list ends; or, where a lane knows how many
    /// neighbours are left, until none is; or, where something is sought, until a lane of the
    /// group has found it.
    pub(super) fn slab_list(
        &mut self,
        graph: &Expr,
        head: Expr,
        params: Params,
        body: Block,
        span: Span,
    ) -> Vec<Stmt> {
        let slab = self.function.fresh_var("slab", Type::U32, true, span);
        let more = expression!(self, span, [slab] slab != ::meerkat_runtime::graph::NULL_SLAB);
        let more = self.while_left(more, params, span);
        let visit = self.visit_slab(graph, slab, params, body, span);
        let Some(sought) = params.sought else {
            return program!(self, span, [slab, head, more, visit] {
                let slab = head;
                while more { visit; }
            });
        };
        let found = self.is_found(sought, span);
        program!(self, span, [slab, head, more, visit, found] {
            let slab = select(group_any(found), ::meerkat_runtime::graph::NULL_SLAB, head);
            while more {
                visit;
                slab = select(group_any(found), ::meerkat_runtime::graph::NULL_SLAB, slab);
            }
        })
    }

    /// `condition && left != 0`, where a lane knows how many are left.
    pub(super) fn while_left(&mut self, condition: Expr, params: Params, span: Span) -> Expr {
        let Some(left) = params.left else { return condition };
        expression!(self, span, [condition, left] condition && left != 0)
    }

    /// `found`, or of a search `found != u32::MAX`.
    pub(super) fn is_found(&mut self, sought: VarId, span: Span) -> Expr {
        if self.function.var(sought).ty == Type::BOOL {
            return self.function.local(sought, span);
        }
        expression!(self, span, [sought] sought != u32::MAX)
    }
}
