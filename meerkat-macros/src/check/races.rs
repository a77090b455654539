//! Races: `&[T]` is read-only, `&mut [T]` belongs to the operator's own item,
//! and all other sharing goes through `&[Atomic<T>]`.

mod graph;

use crate::diagnostics::Errors;
use crate::ir::intrinsics::Effect;
use crate::ir::visit::{self, root};
use crate::ir::{Access, BinaryOp, Block, Expr, ExprKind, Function, Stmt, Type, VarId};

struct Races<'a> {
    function: &'a Function,
    errors: &'a Errors,
    /// Variables bound to `thread_id()`: no other lane has the same value.
    own: Vec<VarId>,
    in_unsafe: bool,
}

pub(super) fn check(function: &Function, errors: &Errors) {
    let own = (0..function.vars.len()).map(VarId).filter(|var| function.var(*var).own_item);
    let mut races = Races { function, errors, own: own.collect(), in_unsafe: false };
    races.block(&function.body);
}

impl Races<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.note_own_item(stmt);
            visit::stmt_exprs(stmt, &mut |expr| self.expr(expr));
        }
        if let Some(tail) = &block.tail {
            self.expr(tail);
        }
    }

    fn note_own_item(&mut self, stmt: &Stmt) {
        let Stmt::Let { var, init: Some(init), .. } = stmt else { return };
        let is_thread = matches!(
            &init.kind,
            ExprKind::Intrinsic { intrinsic, .. } if intrinsic.name == "thread_id"
        );
        // In an operator only the item is the lane's own.
        let operator = self.function.kind.is_operator();
        if is_thread && !operator && !self.function.var(*var).mutable {
            self.own.push(*var);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Assign(place, value) => {
                self.expr(value);
                self.place(place, "=", "store");
                return;
            }
            ExprKind::AssignOp(op, place, value) => {
                self.expr(value);
                self.place(place, &format!("{}=", op.symbol()), atomic_of(*op));
                return;
            }
            ExprKind::Call { args, .. } => {
                let help = "pass the element, and assign what the function returns";
                args.iter().for_each(|arg| self.value(arg, Some(help)));
                return;
            }
            ExprKind::Local(_) => {
                return self.value(expr, None);
            }
            ExprKind::Struct { fields, .. } => {
                for (_, value) in fields {
                    self.field_of_literal(value);
                }
                return;
            }
            ExprKind::Field(base, name) if graph::is_shared_memory(self.function, base, name) => {
                return self.graph_memory(expr.place(), "can only be indexed");
            }
            ExprKind::Index(base, at) => {
                self.read(expr, base, at);
                self.base(base);
                self.expr(at);
                return;
            }
            ExprKind::Method { receiver, method, name, args, .. } => {
                self.method(receiver, method.effect, name);
                // An atomic is read by its methods.
                if method.effect == Effect::Pure {
                    self.base(receiver);
                } else if let ExprKind::Index(base, at) = &receiver.kind {
                    self.base(base);
                    self.expr(at);
                } else if !matches!(receiver.kind, ExprKind::Local(_)) {
                    visit::children(receiver, &mut |part| self.expr(part));
                }
                args.iter().for_each(|arg| self.expr(arg));
                return;
            }
            ExprKind::Unsafe(body) => {
                let outer = std::mem::replace(&mut self.in_unsafe, true);
                self.block(body);
                self.in_unsafe = outer;
                return;
            }
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.block(then);
                otherwise.iter().for_each(|otherwise| self.expr(otherwise));
                return;
            }
            ExprKind::While { condition, body, .. } => {
                self.expr(condition);
                self.block(body);
                return;
            }
            ExprKind::Loop { body, .. } | ExprKind::Block(body) => return self.block(body),
            ExprKind::For { from, to, body, .. } => {
                self.expr(from);
                self.expr(to);
                self.block(body);
                return;
            }
            _ => {}
        }
        visit::children(expr, &mut |child| self.expr(child));
    }

    /// Something assigned to: a variable, or memory.
    fn place(&mut self, place: &Expr, symbol: &str, atomic: &str) {
        let Some(var) = root(place) else {
            self.errors.report(
                place.place(),
                "this is a value, not a place to assign to",
                "assign to a variable, a field of one, or `slice[i]`",
            );
            return;
        };
        let owner = self.function.var(var);
        match &owner.ty {
            Type::Slice(Access::Read, element) if matches!(**element, Type::Atomic(_)) => {
                self.errors.report(
                    place.place(),
                    format!("`{}` holds atomics: a plain `{symbol}` would be a race", owner.name),
                    format!("write `{}[i].{atomic}(value)`", owner.name),
                );
            }
            Type::Slice(Access::Read, _) => self.errors.report(
                place.place(),
                format!("`{}` is read-only", owner.name),
                "take it as `&mut [T]` to write the own item, or as `&[Atomic<T>]` to share it",
            ),
            Type::Slice(Access::OwnItem, _) => self.own_item(place, var),
            Type::Ref(_) => self.errors.report(
                place.place(),
                format!("`{}` is shared by all lanes and cannot be assigned", owner.name),
                "write through its atomics: `.store(..)`, `.fetch_add(..)`",
            ),
            _ if indexes(place) && !self.in_unsafe && !self.is_own_array(place) => {
                self.errors.report(
                    place.place(),
                    format!("`{}` may be memory, which two lanes may write at once", owner.name),
                    "a lane's own array says so: `let mut a: [u32; 4] = s.path;`, `let mut a = \
                     [0u32; 4];`; memory is written through `&mut [T]` or `&[Atomic<T>]` parameters",
                );
            }
            _ if owner.parameter && self.function.kind.is_launched() => self.errors.report(
                place.place(),
                format!("`{}` is a parameter of the launch, shared by all lanes", owner.name),
                "copy it into a `let mut` of its own",
            ),
            _ if !owner.mutable && owner.name == "self_" => {
                let help = match indexes(place) {
                    true => {
                        "to write a slice, declare it `&[Atomic<T>]` and use `self.x[i].store(..)`; \
                         to change an array field, take `mut self` and return it"
                    }
                    false => "take `mut self`: a copy, which the function returns",
                };
                self.errors.report(place.place(), "`self` is not mutable", help);
            }
            _ if !owner.mutable && !owner.deferred => self.errors.report(
                place.place(),
                format!("`{}` is not mutable", owner.name),
                format!("declare it `let mut {}`", owner.name),
            ),
            _ => {}
        }
        self.parts_of_place(place);
    }

    /// What a place is chosen by.
    fn parts_of_place(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Field(base, _) => self.parts_of_place(base),
            ExprKind::Index(base, at) => {
                self.parts_of_place(base);
                self.expr(at);
            }
            _ => {}
        }
    }

    /// A slice that is indexed or asked for its length, or what makes one.
    fn base(&mut self, base: &Expr) {
        match &base.kind {
            ExprKind::Local(_) => {}
            ExprKind::Field(inner, _) => self.base(inner),
            _ => self.expr(base),
        }
    }

    /// A slice in a struct would be written as an array of the lane's own.
    fn field_of_literal(&mut self, value: &Expr) {
        let is_slice = matches!(value.kind, ExprKind::Local(var)
            if matches!(self.function.var(var).ty, Type::Slice(..)));
        if !is_slice {
            return self.expr(value);
        }
        self.errors.report(
            value.place(),
            "a struct that a kernel makes cannot hold a slice",
            "pass the slice beside the struct",
        );
    }

    /// `&mut [T]` as a value: what it is bound to, or handed to, would use it at items of
    /// its own choice.
    fn value(&mut self, expr: &Expr, help: Option<&str>) {
        let ExprKind::Local(var) = expr.kind else { return self.expr(expr) };
        let owner = self.function.var(var);
        // What was made of a parameter was refused where it was made.
        if owner.parameter && matches!(owner.ty, Type::Slice(Access::OwnItem, _)) {
            let index = format!("write `{}[i]` where the element is wanted", owner.name);
            self.errors.report(
                expr.place(),
                format!(
                    "`{}` is a `&mut [T]`: it can be indexed, not passed or copied",
                    owner.name
                ),
                help.unwrap_or(&index),
            );
        }
    }

    fn read(&mut self, whole: &Expr, base: &Expr, at: &Expr) {
        let ExprKind::Local(var) = base.kind else { return };
        let owner = self.function.var(var);
        if let Type::Slice(Access::Read, element) = &owner.ty
            && matches!(**element, Type::Atomic(_))
        {
            self.errors.report(
                whole.place(),
                format!("`{}` holds atomics: this is no value yet", owner.name),
                format!("read it with `{}[i].load()`", owner.name),
            );
        }
        if matches!(owner.ty, Type::Slice(Access::OwnItem, _)) && !self.is_own(at) {
            self.errors.report(
                whole.place(),
                format!(
                    "another lane may be writing this element of `{}`",
                    self.function.var(var).name
                ),
                self.own_item_help(var, at),
            );
        }
    }

    fn own_item(&mut self, place: &Expr, var: VarId) {
        let Some(index) = index_of_slice(place) else { return };
        if self.is_own(index) || self.in_unsafe {
            if !ends_in_slice(place) {
                let name = &self.function.var(var).name;
                self.errors.report(
                    place.place(),
                    format!("an array inside an element of `{name}` cannot be written in place"),
                    format!(
                        "change a copy and write that back: `let mut copy = {name}[i]; ..; \
                         {name}[i] = copy;`"
                    ),
                );
            }
            return;
        }
        self.errors.report(
            place.place(),
            format!("two lanes may write the same element of `{}`", self.function.var(var).name),
            self.own_item_help(var, index),
        );
    }

    fn own_item_help(&self, var: VarId, index: &Expr) -> String {
        let name = &self.function.var(var).name;
        if let ExprKind::Local(at) = index.kind {
            let at = self.function.var(at);
            let namesake = self.own.iter().any(|own| self.function.var(*own).name == at.name);
            if namesake && at.made {
                return format!(
                    "in a walk the lanes are at other items: read it in front, `let before = \
                     {name}[{}];`",
                    at.name
                );
            }
            if namesake {
                return format!(
                    "this `{0}` hides the own item: give it another name, and index with `{0}`",
                    at.name
                );
            }
            if at.mutable && self.own.is_empty() {
                return format!(
                    "`{}` may change, and then it is nobody's own: write one element a lane, at \
                     `let i = thread_id();`, or take `{name}: &[Atomic<T>]`",
                    at.name
                );
            }
        }
        let index = |var: &&VarId| self.function.var(**var).ty == Type::U32;
        let own = self.own.iter().find(index);
        let own = own.map(|var| self.function.var(*var).name.to_string());
        match own {
            None if self.function.kind.is_operator() => format!(
                "edges share vertices: take `{name}: &[Atomic<T>]`; an element to each edge is \
                 that of its place: `fn f(edge: Edge<W>, at: Place, ..)`"
            ),
            Some(own) => format!(
                "`&mut [T]` belongs to the own item: index it with `{own}`, or take \
                 `{name}: &[Atomic<T>]`"
            ),
            None => format!(
                "`&mut [T]` belongs to the own item: index it with `let i = thread_id();`, or \
                 take `{name}: &[Atomic<T>]`"
            ),
        }
    }

    /// Whether the place is an element of an array in the lane's registers: a variable's, or
    /// that of a field.
    fn is_own_array(&self, place: &Expr) -> bool {
        let ExprKind::Index(base, _) = &place.kind else {
            return matches!(&place.kind, ExprKind::Field(base, _) if self.is_own_array(base));
        };
        match &base.kind {
            ExprKind::Local(var) => match &self.function.var(*var).ty {
                // Only its items' type is rustc's: they are numbers without suffix.
                Type::Rustc(_, guess) => matches!(**guess, Type::Array(..)),
                ty => matches!(ty, Type::Array(..)),
            },
            ExprKind::Index(..) => self.is_own_array(base),
            // rustc sees to it that the field is an array: the copy of the function asks.
            ExprKind::Field(..) => root(base).is_some_and(|var| {
                let var = self.function.var(var);
                !(var.parameter && self.function.kind.is_launched())
            }),
            _ => false,
        }
    }

    fn is_own(&self, index: &Expr) -> bool {
        matches!(index.kind, ExprKind::Local(var) if self.own.contains(&var))
    }

    fn method(&mut self, receiver: &Expr, effect: Effect, name: &proc_macro2::Ident) {
        if effect == Effect::UncheckedWrite && !self.in_unsafe {
            self.errors.report(
                name.span(),
                format!("`{name}` is a plain write that two lanes may aim at one element"),
                "prove that they cannot and say so with `unsafe { .. }`, or use `Atomic<T>`",
            );
        }
        if effect == Effect::UncheckedWrite
            && let ExprKind::Local(var) = receiver.kind
            && matches!(self.function.var(var).ty, Type::Slice(Access::Read, _))
        {
            self.errors.report(
                name.span(),
                format!("`{}` is read-only", self.function.var(var).name),
                "take it as `&mut [T]`, or as `&[Atomic<T>]` to share it",
            );
        }
        if effect == Effect::AtomicUpdate && graph::is_graph(self.function, receiver) {
            self.graph_memory(name.span().into(), "is only read");
        }
        let atomic = matches!(effect, Effect::AtomicLoad | Effect::AtomicUpdate);
        let ExprKind::Index(base, _) = &receiver.kind else { return };
        let ExprKind::Local(var) = base.kind else { return };
        let owner = self.function.var(var);
        if let Type::Slice(_, element) = &owner.ty
            && atomic
            && !matches!(**element, Type::Atomic(_) | Type::Unknown)
        {
            self.errors.report(
                name.span(),
                format!("`{}` is not atomic, so `{name}` on it would race", owner.name),
                format!("take it as `{}: &[Atomic<T>]`", owner.name),
            );
        }
    }
}

/// The index of the slice itself: `i` in `x[i].path[2]`.
fn index_of_slice(place: &Expr) -> Option<&Expr> {
    match &place.kind {
        ExprKind::Index(base, at) if matches!(base.kind, ExprKind::Local(_)) => Some(at),
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => index_of_slice(base),
        _ => None,
    }
}

/// Whether the slice's own index is the only one of a place.
fn ends_in_slice(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Index(base, _) => matches!(base.kind, ExprKind::Local(_)),
        ExprKind::Field(base, _) => ends_in_slice(base),
        _ => false,
    }
}

fn indexes(place: &Expr) -> bool {
    visit::any(place, &|inner| matches!(inner.kind, ExprKind::Index(..)))
}

/// The atomic that means what an assignment with an operator means.
fn atomic_of(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "fetch_add",
        BinaryOp::Sub => "fetch_sub",
        BinaryOp::And => "fetch_and",
        BinaryOp::Or => "fetch_or",
        BinaryOp::Xor => "fetch_xor",
        _ => "store",
    }
}
