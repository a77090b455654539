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
pub(crate) mod guard;
mod neighbors;
mod schedule;
mod slab_lists;
mod slab_words;
mod slabs;
mod stage;
#[cfg(test)]
mod tests;

use crate::diagnostics::Errors;
use crate::ir::{
    Access, BinaryOp, Block, Callee, Expr, ExprKind, Function, FunctionKind, Level, Literal,
    Scalar, Stmt, Type, VarId,
};
use proc_macro2::{Ident, Span};
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
    let mut lowering = Lowering::new(function, schedule, errors);
    lowering.walk_alone();
    lowering.run();
    lowering.function
}

/// The kernel's parameters without its body: an operator's item becomes the
/// list of items.
pub(crate) fn lower_signature(function: Function) -> Function {
    let errors = Errors::new();
    let function = lower(function, Schedule::Warp, &errors);
    drop(errors.check());
    function
}

struct Lowering<'a> {
    function: Function,
    schedule: Schedule,
    /// How many lanes walk a slab list together.
    group: u32,
    /// The vertex belongs to the block, not to the lanes that walk a list.
    block_turns: bool,
    /// Frontiers that are enqueued to by way of memory of the block, and that memory.
    staged: Vec<(VarId, VarId)>,
    /// Which of the blocks that share the hubs this is, and the items that know.
    replica: Option<(VarId, VarId)>,
    errors: &'a Errors,
}

impl<'a> Lowering<'a> {
    fn new(function: Function, schedule: Schedule, errors: &'a Errors) -> Self {
        Lowering {
            function,
            schedule,
            group: schedule.group(),
            block_turns: false,
            staged: Vec::new(),
            replica: None,
            errors,
        }
    }
}

impl Lowering<'_> {
    // expands to:
    //   let place = item_place(items);
    //   let count = item_count(items);
    //   let active = place < count;
    //   let item; if active { item = item(items, place); }
    //   <body, guarded by `active`>
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
        let name = if is_spread { "place" } else { "thread" };
        let thread = self.function.fresh_var(name, Type::U32, false, span);
        let active = self.function.fresh_var("active", Type::BOOL, false, span);
        self.function.vars[active.0].described = Some("whether a lane has an item");
        let id = if is_spread {
            let list = self.function.local(items, span);
            self.call(parse_quote!(::meerkat_runtime::launch::item_place), vec![list], span)
        } else {
            self.intrinsic("thread_id", vec![], span)
        };
        let (count, fetch) = self.item_access(items, thread, span);
        let items_left = self.function.fresh_var("count", Type::U32, false, span);
        self.function.vars[items_left.0].declared = Some(Level::Warp);
        let left = self.function.local(thread, span);
        let right = self.function.local(items_left, span);
        let in_range = self.binary(BinaryOp::Lt, left, right, span);

        let mut body = std::mem::take(&mut self.function.body);
        if let Some(tail) = body.tail.take() {
            body.stmts.push(Stmt::Expr(*tail));
        }
        self.share_hubs(&body, items, span);
        body.stmts.insert(0, Stmt::Let { var: item, init: Some(fetch), span });
        let mut stmts = vec![
            Stmt::Let { var: thread, init: Some(id), span },
            Stmt::Let { var: items_left, init: Some(count), span },
            Stmt::Let { var: active, init: Some(in_range), span },
        ];
        if let Some((replica, items)) = self.replica {
            let list = self.function.local(items, span);
            let path = parse_quote!(::meerkat_runtime::launch::replica);
            let init = self.call(path, vec![list], span);
            stmts.push(Stmt::Let { var: replica, init: Some(init), span });
        }
        stmts.extend(self.guard(body.stmts, active));
        let stmts = self.flushed(stmts, span);
        self.function.body = Block { stmts, tail: None };
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
        let name = if ty.element().is_known() { "edges" } else { "vertices" };
        let items = self.function.fresh_var(name, ty, false, span);
        self.function.vars[items.0].parameter = true;
        self.function.vars[items.0].declared = Some(Level::Warp);
        items
    }

    /// How many items there are, and the lane's own.
    fn item_access(&mut self, items: VarId, thread: VarId, span: Span) -> (Expr, Expr) {
        let (list, for_item) = (self.function.local(items, span), self.function.local(items, span));
        let at = self.function.local(thread, span);
        if self.function.kind == FunctionKind::EdgeOperator {
            let item = ExprKind::Index(Box::new(for_item), Box::new(at));
            return (self.method(list, "len", vec![], span), self.function.expr(item, span));
        }
        let count = self.call(parse_quote!(::meerkat_runtime::item_count), vec![list], span);
        (count, self.call(parse_quote!(::meerkat_runtime::vertex_item), vec![for_item, at], span))
    }

    fn intrinsic(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Expr {
        let intrinsic = crate::ir::intrinsics::intrinsic(name).expect("a name from the table");
        let group = intrinsic.group();
        self.function.expr(ExprKind::Intrinsic { intrinsic, group, args }, span)
    }

    /// The warp's word `warp_..`, or the tile's `tile_..` under a schedule of
    /// tiles.
    fn group_intrinsic(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Expr {
        let group = self.group;
        let name = if group == 32 { name.to_owned() } else { name.replace("warp_", "tile_") };
        let intrinsic = crate::ir::intrinsics::intrinsic(&name).expect("a name from the table");
        self.function.expr(ExprKind::Intrinsic { intrinsic, group, args }, span)
    }

    /// The word of those who share the vertex: the block's, or the group's.
    fn turn_intrinsic(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Expr {
        if self.block_turns {
            return self.intrinsic(&name.replace("warp_", "block_"), args, span);
        }
        self.group_intrinsic(name, args, span)
    }

    fn int(&mut self, value: u128, span: Span) -> Expr {
        let literal = Literal::Int { value, suffix: Some(Scalar::U32) };
        self.function.expr(ExprKind::Literal(literal), span)
    }

    fn method(&mut self, receiver: Expr, name: &str, args: Vec<Expr>, span: Span) -> Expr {
        let method = crate::ir::intrinsics::method(name).expect("a name from the table");
        let (receiver, name) = (Box::new(receiver), Ident::new(name, span));
        self.function.expr(ExprKind::Method { receiver, method, name, args, of: None }, span)
    }

    /// A function of the run time's; one that takes the graph is an instance for it.
    fn call(&mut self, path: syn::Path, args: Vec<Expr>, span: Span) -> Expr {
        let slot = args.first().and_then(|first| first.slot);
        let callee = Callee::Function(path);
        Expr { slot, ..self.function.expr(ExprKind::Call { callee, args }, span) }
    }

    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        self.function.expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), span)
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
