//! `for_each_neighbor`: a group of lanes takes its lanes' vertices one after
//! another and walks each one's slab lists together (Meerkat, algorithm 3). The
//! group is the block, the warp, a tile or the lane itself, as the schedule says.

use super::accumulate::{self, HandedBack};
use super::lists::{Params, Walk};
use super::{Lowering, Schedule, schedule};
use crate::ir::visit::{any_in_block, declared, rewrite_block, root};
use crate::ir::{
    Access, Block, Expr, ExprKind, ForEachNeighbor, Lists, Literal, Stmt, Type, VarId,
};
use crate::parse::program;
use proc_macro2::Span;

impl Lowering<'_> {
    pub(super) fn for_each_neighbor(
        &mut self,
        each: ForEachNeighbor,
        guard: VarId,
        span: Span,
    ) -> Vec<Stmt> {
        let shares_blocks =
            matches!(self.schedule, Schedule::Block | Schedule::Hybrid | Schedule::SlabList);
        if shares_blocks && matches!(each.lists, Lists::One(_)) {
            self.errors.report(
                span,
                "one slab list is walked by one group of lanes, not by the block",
                "launch it with `Schedule::Warp`, a tile's or `Schedule::Thread`",
            );
            return Vec::new();
        }
        if let ExprKind::Local(graph) = each.graph.kind {
            self.function.graphs.push(graph);
        }
        match each.lists {
            Lists::Updated => self.by_updates(each, guard, span),
            _ => self.by_schedule(each, guard, span),
        }
    }

    /// A walk over what came lately is one over all of another graph: what says so of this one.
    fn by_updates(&mut self, each: ForEachNeighbor, guard: VarId, span: Span) -> Vec<Stmt> {
        if let ExprKind::Local(graph) = each.graph.kind
            && !self.function.tracked.contains(&graph)
        {
            self.function.tracked.push(graph);
        }
        let [ty, witness] = each.types.updated;
        let updated = self.of_graph("updated", ty, false, span);
        let mut of_updates = self.function.local(updated, span);
        of_updates.slot = witness;
        let graph = each.graph;
        let each = ForEachNeighbor { graph: of_updates, lists: Lists::All, ..each };
        let walk = self.by_schedule(each, guard, span);
        program!(self, span, [updated, graph, walk] {
            let updated = ::meerkat_runtime::UpdatedNeighbors::updated(graph);
            walk;
        })
    }

    fn by_schedule(&mut self, each: ForEachNeighbor, guard: VarId, span: Span) -> Vec<Stmt> {
        match self.schedule {
            Schedule::Thread => {
                let takes_part = self.and_guard(each.predicate.clone(), guard);
                self.lane_by_lane(each, takes_part, None, span)
            }
            Schedule::Block => self.by_block(each, guard, span),
            Schedule::Hybrid => self.by_degree(each, guard, span),
            Schedule::SlabList => self.by_slab_list(each, guard, span),
            _ => {
                let takes_part = self.and_guard(each.predicate.clone(), guard);
                self.in_turns(each, takes_part, guard, span)
            }
        }
    }

    /// Collectives of the closure become those of the group that runs it.
    pub(super) fn narrow_collectives(&mut self, body: &mut Block) {
        let (group, errors) = (self.group, self.errors);
        rewrite_block(body, &mut |expr| {
            if !schedule::narrow(group, expr) {
                errors.report(
                    expr.span,
                    "this collective needs the whole warp at one vertex",
                    "launch it with `Schedule::Warp`",
                );
            }
        });
        if self.schedule == Schedule::Hybrid {
            self.stage_frontiers(body);
        }
    }

    /// A vertex by its lane alone. Where all lists are walked, it stops when it has seen as
    /// many neighbours as the vertex has: those of a low degree fill the first words of a
    /// slab, and the rest stays unread.
    pub(super) fn lane_by_lane(
        &mut self,
        each: ForEachNeighbor,
        takes_part: Expr,
        few: Option<VarId>,
        span: Span,
    ) -> Vec<Stmt> {
        let mut params = Params::of(&each);
        let ForEachNeighbor { graph, vertex, lists, mut body, finds, alone, .. } = each;
        // In the closure of another walk the flag is gathered, and cannot be read.
        let is_own = !alone || !self.function.kind.is_operator();
        let flag = if is_own { accumulate::only_flag(&self.function, &body) } else { None };
        let finds = finds.or(flag);
        params.finds = finds;
        if !alone {
            self.narrow_collectives(&mut body);
        }
        let (source, mut begin) = self.source_of_lane(vertex, span);
        if matches!(lists, Lists::All) {
            let left = self.function.fresh_var("left", Type::U32, true, span);
            begin.extend(match few {
                Some(few) => program!(self, span, [left, graph = &graph, few] {
                    let left = ::meerkat_runtime::Neighbors::bound_of_few(graph, few);
                }),
                None => program!(self, span, [left, graph = &graph, source] {
                    let left = ::meerkat_runtime::Neighbors::bound_of(graph, source);
                }),
            });
            params.left = Some(left);
        }
        let walk = Walk { graph: &graph, lists, params, body };
        begin.extend(self.lists(source, walk, span));
        match takes_part.kind {
            ExprKind::Literal(Literal::Bool(true)) => begin,
            _ => vec![self.if_then(takes_part, begin, span)],
        }
    }

    /// The vertex that a lane walks, in a variable.
    fn source_of_lane(&mut self, vertex: Expr, span: Span) -> (VarId, Vec<Stmt>) {
        match vertex.kind {
            ExprKind::Local(var) if !self.function.var(var).mutable => (var, Vec::new()),
            _ => {
                let source = self.function.fresh_var("source", Type::U32, false, span);
                (source, program!(self, span, [source, vertex] { let source = vertex; }))
            }
        }
    }

    /// Where the closure reads the vertex by its name, it reads what those who visit it share.
    pub(super) fn name_source(&mut self, body: &mut Block, vertex: &Expr, source: VarId) {
        let ExprKind::Local(vertex) = vertex.kind else { return };
        let is_own_item = |expr: &Expr| match &expr.kind {
            ExprKind::Index(base, at) => {
                let slice = root(base).map(|base| &self.function.var(base).ty);
                matches!(slice, Some(Type::Slice(Access::OwnItem, _))) && root(at) == Some(vertex)
            }
            _ => false,
        };
        // That is refused where it is read.
        if self.function.var(vertex).mutable || any_in_block(body, &is_own_item) {
            return;
        }
        rewrite_block(body, &mut |expr| {
            if matches!(expr.kind, ExprKind::Local(var) if var == vertex) {
                expr.kind = ExprKind::Local(source);
            }
        });
    }

    /// The vertices of the lanes that take part, one after another, each by the group.
    pub(super) fn in_turns(
        &mut self,
        each: ForEachNeighbor,
        takes_part: Expr,
        guard: VarId,
        span: Span,
    ) -> Vec<Stmt> {
        let params = Params::of(&each);
        let ForEachNeighbor { graph, vertex, lists, mut body, .. } = each;
        self.narrow_collectives(&mut body);
        let (vertex, mut before) = self.read_guarded(vertex, guard, "visited", span);
        let work = self.function.fresh_var("work", Type::U32, true, span);
        let owner = self.function.fresh_var("owner", Type::U32, false, span);
        let source = self.function.fresh_var("source", Type::U32, false, span);
        self.name_source(&mut body, &vertex, source);
        let (lists, list) = match lists {
            Lists::One(bucket) if self.is_same(&bucket) => (Lists::One(bucket), Vec::new()),
            Lists::One(bucket) => {
                let (chosen, read) = self.read_guarded(*bucket, guard, "chosen", span);
                before.extend(read);
                let list = self.function.fresh_var("list", Type::U32, false, span);
                let share = program!(self, span, [list, chosen, owner] {
                    let list = group_broadcast(chosen, owner);
                });
                (Lists::One(Box::new(self.function.local(list, span))), share)
            }
            all => (all, Vec::new()),
        };
        let walk = Walk { graph: &graph, lists, params, body };
        let owner_step = self.owner_step((source, owner), walk, span);
        program!(self, span, [before, work, takes_part, owner, source, vertex, list, owner_step] {
            before;
            let work = group_ballot(takes_part);
            while work != 0 {
                let owner = group_dequeue(&mut work);
                let source = group_broadcast(vertex, owner);
                list;
                owner_step;
            }
        })
    }

    /// Whether a value is the same for all who walk together: a variable of [`Self::same`].
    fn is_same(&self, value: &Expr) -> bool {
        matches!(value.kind, ExprKind::Local(var) if self.same.contains(&var))
    }

    /// One vertex, by all who share it: its values, its lists, what they gather.
    pub(super) fn owner_step(
        &mut self,
        (source, owner): (VarId, VarId),
        mut walk: Walk<'_>,
        span: Span,
    ) -> Vec<Stmt> {
        let only_looks = accumulate::only_looks(&walk.body);
        let (accumulators, mut stmts) = self.accumulators(&mut walk.body);
        let sought = self.sought(&accumulators, only_looks, walk.params.finds);
        walk.params.sought = sought.map(|one| one.partial);
        let mut own: Vec<_> = accumulators.iter().map(|found| found.partial).collect();
        own.extend([source, walk.params.dst]);
        own.extend(walk.params.weight);
        for OwnerValue { value, var } in self.owner_values(&mut walk.body, own) {
            stmts.extend(program!(self, value.span, [var, value = &value, owner] {
                let var = step_broadcast(value, owner);
            }));
        }
        stmts.extend(self.lists(source, walk, span));
        let mut given = Vec::new();
        for accumulator in accumulators {
            let HandedBack { reduce, give } = self.hand_back(&accumulator, owner, span);
            stmts.extend(reduce);
            given.extend(give);
        }
        // The owner takes all of them in one branch.
        stmts.extend(given);
        stmts
    }

    /// A value that is read from memory is read by the lanes that have an item: it, and the
    /// statements that read it.
    pub(super) fn read_guarded(
        &mut self,
        value: Expr,
        guard: VarId,
        name: &str,
        span: Span,
    ) -> (Expr, Vec<Stmt>) {
        let literal = matches!(value.kind, ExprKind::Literal(_));
        if literal || path_name(&value, &self.function).is_some() {
            return (value, Vec::new());
        }
        let read = self.function.fresh_var(name, Type::U32, false, span);
        self.function.vars[read.0].deferred = true;
        let mut stmts = vec![Stmt::Let { var: read, init: None, span }];
        stmts.extend(program!(self, span, [guard, read, value] {
            if guard { read = value; }
        }));
        (self.function.local(read, span), stmts)
    }

    /// Replaces what the closure reads of the owner's own values by variables,
    /// which are to hold them.
    pub(super) fn owner_values(&mut self, body: &mut Block, own: Vec<VarId>) -> Vec<OwnerValue> {
        let mut inner = declared(body);
        inner.extend(own);
        inner.extend(self.staged.iter().map(|(_, memory)| *memory));
        inner.extend(&self.same);
        let mut known: Vec<((VarId, String), VarId)> = Vec::new();
        let mut wanted = Vec::new();
        let (function, errors) = (&mut self.function, self.errors);
        rewrite_block(body, &mut |expr| {
            refuse_owner_assignment(expr, function, &inner, errors);
            let Some(path) = owner_value(expr, function, &inner) else { return };
            let var = match known.iter().find(|(seen, _)| *seen == path) {
                Some((_, var)) => *var,
                None => {
                    let ty = field_type(expr, function);
                    let name = path.1.replace('.', "_");
                    let var = function.fresh_var(&name, ty, false, expr.span);
                    known.push((path, var));
                    wanted.push(OwnerValue { value: expr.clone(), var });
                    var
                }
            };
            expr.kind = ExprKind::Local(var);
            inner.push(var);
        });
        wanted
    }
}

/// A value of the lane whose vertex it is, and the variable of those who visit it.
pub(super) struct OwnerValue {
    pub(super) value: Expr,
    pub(super) var: VarId,
}

/// The variable and the path of `edge.dst` or `level`, if the expression is a value
/// of the lane whose vertex the step is for.
fn owner_value(
    expr: &Expr,
    function: &crate::ir::Function,
    inner: &[VarId],
) -> Option<(VarId, String)> {
    let var = root(expr)?;
    let outer = function.var(var);
    let shared = outer.parameter || inner.contains(&var);
    (!shared).then(|| path_name(expr, function)).flatten().map(|path| (var, path))
}

/// A lane that visits a neighbour must not overwrite a value of the owner: many
/// lanes would, at once.
fn refuse_owner_assignment(
    expr: &mut Expr,
    function: &crate::ir::Function,
    inner: &[VarId],
    errors: &crate::diagnostics::Errors,
) {
    let (ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _)) = &expr.kind else {
        return;
    };
    let Some(var) = root(place) else { return };
    let owner = function.var(var);
    let own_item = matches!(owner.ty, Type::Slice(Access::OwnItem, _))
        && own_index(place).is_some_and(|index| !inner.contains(&index));
    if own_item {
        errors.report(
            place.place(),
            format!("many lanes would write the item's element of `{}` at once", owner.name),
            "accumulate into a variable outside, `let mut sum = ..;`, and write that after the \
             loop",
        );
    } else if !owner.parameter && !inner.contains(&var) {
        errors.report(
            expr.place(),
            format!(
                "many lanes would assign `{}`, which belongs to the item",
                spelled(place, function)
            ),
            "accumulate a variable with `+=`, `|=`, `x = x.min(..)`, `x = x.max(..)`, or `x = \
             x.join(..)` of a `Reduce`, which are reduced",
        );
    } else {
        return;
    }
    // Reported here; the checker must not report it again.
    let kind = ExprKind::Literal(crate::ir::Literal::Bool(true));
    expr.kind = kind;
}

/// The variable that an element is indexed by, if nothing else.
fn own_index(place: &Expr) -> Option<VarId> {
    match &place.kind {
        ExprKind::Index(_, at) => root(at),
        ExprKind::Field(base, _) => own_index(base),
        _ => None,
    }
}

/// A place as the user wrote it.
fn spelled(place: &Expr, function: &crate::ir::Function) -> String {
    match &place.kind {
        ExprKind::Field(base, name) => format!("{}.{name}", spelled(base, function)),
        ExprKind::Index(base, _) => format!("{}[..]", spelled(base, function)),
        _ => root(place).map_or(String::new(), |var| function.var(var).name.to_string()),
    }
}

pub(super) fn path_name(expr: &Expr, function: &crate::ir::Function) -> Option<String> {
    match &expr.kind {
        ExprKind::Local(var) => Some(format!("{}", function.var(*var).name)),
        ExprKind::Field(base, name) => Some(format!("{}.{name}", path_name(base, function)?)),
        _ => None,
    }
}

fn field_type(expr: &Expr, function: &crate::ir::Function) -> Type {
    match &expr.kind {
        ExprKind::Local(var) => function.var(*var).ty.clone(),
        _ => expr.ty.value().clone(),
    }
}
