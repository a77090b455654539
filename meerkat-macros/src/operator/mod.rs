//! Operators to kernels: the framework supplies index, bounds and work
//! distribution, in the language's own terms, so that both back ends and the
//! checker see one plain kernel.
//!
//! An operator is written for one item. Every lane of a warp runs it, lanes
//! beyond the last item too: they stay, inactive. Statements that touch only
//! the lane's own values go into an `if active`; collectives stay outside and
//! join `active` to their predicate.

mod accumulate;
mod alone;
mod block;
mod chunks;
pub(crate) mod guard;
mod hybrid;
mod lists;
mod neighbors;
mod schedule;
mod slab_lists;
mod stage;
#[cfg(test)]
mod tests;

use crate::diagnostics::Errors;
use crate::ir::visit::{self, Start};
use crate::ir::{Access, Block, Expr, ExprKind, Function, FunctionKind, Level, Stmt, Type, VarId};
use crate::parse::{Collectives, Filling, Program, expression, program};
use proc_macro2::{Ident, Span, TokenStream};
pub(crate) use schedule::Schedule;
use syn::parse_quote;

/// The schedules that make a difference to a function, the warp's first.
pub(crate) fn schedules(function: &Function) -> &'static [Schedule] {
    if schedule::matters(&function.body) { &Schedule::ALL } else { &Schedule::ALL[..1] }
}

/// Rewrites an operator into a kernel; in other functions, walks of a lane by itself.
pub(crate) fn lower(mut function: Function, schedule: Schedule, errors: &Errors) -> Function {
    let is_operator = function.kind.is_operator() && !function.params.is_empty();
    if !is_operator {
        let mut lowering = Lowering::new(function, Schedule::Thread, errors);
        lowering.walk_alone();
        return lowering.function;
    }
    let name = format!("{}{}", function.name, schedule.suffix());
    function.name = Ident::new(&name, function.name.span());
    function.walked = walked_at_item(&function);
    let mut lowering = Lowering::new(function, schedule, errors);
    lowering.walk_alone();
    lowering.run();
    lowering.function
}

/// The graphs of which an operator walks the neighbours of its item, and not only if some
/// condition holds: their vertices are what it is launched for.
fn walked_at_item(function: &Function) -> Vec<VarId> {
    let statements = function.body.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Expr(expr) => Some(expr),
        Stmt::Let { .. } => None,
    });
    let walked = statements.chain(function.body.tail.as_deref()).filter_map(|expr| {
        let ExprKind::ForEachNeighbor(each) = &expr.kind else { return None };
        match (&each.graph.kind, &each.vertex.kind) {
            (ExprKind::Local(graph), ExprKind::Local(vertex))
                if function.params.first() == Some(vertex) =>
            {
                Some(*graph)
            }
            _ => None,
        }
    });
    walked.collect()
}

/// The kernel's parameters without its body: an operator's item becomes the
/// list of items.
pub(crate) fn lower_signature(function: Function) -> Function {
    let errors = Errors::new();
    let function = lower(function, Schedule::Warp, &errors);
    drop(errors.check());
    function
}

/// The variables of loops that begin at a number.
fn counted(body: &Block) -> Vec<VarId> {
    let mut counted = Vec::new();
    visit::declarations(body, &mut |var, start| {
        if let Start::Range(Expr { kind: ExprKind::Literal(_), .. }, _) = start {
            counted.push(var);
        }
    });
    counted
}

/// What blocks that share hubs know.
#[derive(Clone, Copy)]
struct Shared {
    /// Which of them this is.
    replica: VarId,
    items: VarId,
    /// Where each lane's own item is.
    place: VarId,
}

struct Lowering<'a> {
    function: Function,
    schedule: Schedule,
    /// How many lanes walk a slab list together.
    group: u32,
    /// The vertex belongs to the block, not to the lanes that walk a list.
    in_block_step: bool,
    /// Frontiers that are enqueued to by way of memory of the block, and that memory.
    staged: Vec<(VarId, VarId)>,
    /// What blocks that share hubs know.
    shared: Option<Shared>,
    /// The items, where few may be spread over many lanes.
    spread: Option<VarId>,
    /// Variables of loops that begin at a number: where lanes walk together in one, all of them are in the
    /// same turn.
    same: Vec<VarId>,
    errors: &'a Errors,
}

impl<'a> Lowering<'a> {
    fn new(function: Function, schedule: Schedule, errors: &'a Errors) -> Self {
        let same = counted(&function.body);
        Lowering {
            function,
            schedule,
            group: schedule.group(),
            in_block_step: false,
            staged: Vec::new(),
            shared: None,
            spread: None,
            same,
            errors,
        }
    }
}

impl Lowering<'_> {
    /// Every lane finds its item, if there is one for it, and does what the operator says.
    fn run(&mut self) {
        // A `macro_rules` may have been given the name; what is made here must
        // resolve where the attribute stands.
        let span = self.function.name.span().resolved_at(Span::call_site());
        let item = self.function.params.remove(0);
        self.function.vars[item.0].parameter = false;
        let items = self.items_parameter(item, span);
        self.function.params.insert(0, items);

        let is_spread = schedule::matters(&self.function.body)
            && self.function.kind == FunctionKind::VertexOperator;
        self.spread = is_spread.then_some(items);
        let name = if is_spread { "place" } else { "thread" };
        let place = self.function.fresh_var(name, Type::U32, false, span);
        let active = self.function.fresh_var("active", Type::BOOL, false, span);
        self.function.vars[active.0].described = Some("whether a lane has an item");
        let mut body = std::mem::take(&mut self.function.body);
        if let Some(tail) = body.tail.take() {
            body.stmts.push(Stmt::Expr(*tail));
        }
        let replica = self.share_hubs(&body, (items, place), span);
        let own_place = match is_spread {
            true if self.function.shares_hubs => {
                expression!(self, span, [items] ::meerkat_runtime::launch::shared_place(items))
            }
            true => expression!(self, span, [items] ::meerkat_runtime::launch::item_place(items)),
            false => expression!(self, span, [] thread_id()),
        };
        let count = self.function.fresh_var("count", Type::U32, false, span);
        self.function.vars[count.0].declared = Some(Level::Warp);
        let (items_count, own_item) = match self.function.kind {
            FunctionKind::EdgeOperator => (
                expression!(self, span, [items] items.len()),
                expression!(self, span, [items, place] items[place]),
            ),
            _ => (
                expression!(self, span, [items] ::meerkat_runtime::item_count(items)),
                expression!(self, span, [items, place]
                    ::meerkat_runtime::vertex_item(items, place)),
            ),
        };
        let mut own = program!(self, span, [item, own_item] { let item = own_item; });
        if let Some(at) = self.function.place {
            own.extend(program!(self, span, [at, place] { let at = place; }));
        }
        body.stmts.splice(0..0, own);
        let body = self.guard(body.stmts, active);
        let (memory, flush) = self.staging(span);
        self.function.body.stmts = program!(self, span, [
            place, active, own_place, count, items_count, replica, body, memory, flush,
        ] {
            memory;
            let place = own_place;
            let count = items_count;
            let active = place < count;
            replica;
            body;
            flush;
        });
    }

    fn items_parameter(&mut self, item: VarId, span: Span) -> VarId {
        let ty = match self.function.kind {
            FunctionKind::VertexOperator => Type::Ref(Box::new(Type::Named {
                path: parse_quote!(::meerkat_runtime::VertexItems),
                name: "VertexItems".to_owned(),
                args: vec![],
            })),
            _ => Type::Slice(Access::Read, Box::new(self.function.var(item).ty.clone())),
        };
        let is_edge = |ty: &Type| matches!(ty, Type::Named { name, .. } if name == "Edge");
        let name = match self.function.kind {
            FunctionKind::VertexOperator => "vertices",
            _ if is_edge(&ty.element()) => "edges",
            _ => "items",
        };
        let items = self.function.fresh_var(name, ty, false, span);
        self.function.vars[items.0].parameter = true;
        self.function.vars[items.0].declared = Some(Level::Warp);
        items
    }

    /// The statements of a program: see [`crate::parse::program!`].
    fn program(
        &mut self,
        names: Vec<(&'static str, Filling)>,
        text: TokenStream,
        span: Span,
    ) -> Vec<Stmt> {
        let program = Program { names, collectives: self.collectives() };
        program.statements(text, span, &mut self.function, self.errors)
    }

    /// The same for one expression.
    fn expression(
        &mut self,
        names: Vec<(&'static str, Filling)>,
        text: TokenStream,
        span: Span,
    ) -> Expr {
        let program = Program { names, collectives: self.collectives() };
        program.expression(text, span, &mut self.function, self.errors)
    }

    fn collectives(&self) -> Collectives {
        Collectives { group: self.group, in_block_step: self.in_block_step }
    }

    fn assign(&mut self, var: VarId, value: Expr, span: Span) -> Stmt {
        let place = self.function.local(var, span);
        let kind = ExprKind::Assign(Box::new(place), Box::new(value));
        Stmt::Expr(self.function.expr(kind, span))
    }

    fn if_then(&mut self, condition: Expr, stmts: Vec<Stmt>, span: Span) -> Stmt {
        self.function.if_then(condition, stmts, span)
    }
}
