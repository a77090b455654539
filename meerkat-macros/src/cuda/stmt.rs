//! Statements and control flow.

use super::Writer;
use crate::ir::select::{as_select, simple_block};
use crate::ir::{BinaryOp, Block, Expr, ExprKind, LoopId, Stmt, Type, VarId, visit};

/// Where the value of an expression goes.
#[derive(Clone)]
pub(super) enum Target {
    Nowhere,
    Variable(String),
    Return,
}

impl Writer<'_> {
    /// Whether its callers may want the value `()`: as the result of a generic call.
    pub(super) fn returns_unit(&self) -> bool {
        let function = &self.checked.function;
        !function.kind.is_launched() && function.ret == Type::Unit
    }

    pub(super) fn result_target(&self) -> Target {
        let function = &self.checked.function;
        if function.ret == Type::Unit { Target::Nowhere } else { Target::Return }
    }

    pub(super) fn body(&mut self, block: &Block, target: &Target) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        if let Some(tail) = &block.tail {
            self.line = tail.span.start().line;
            self.store(tail, target);
        }
    }

    fn indented(&mut self, block: &Block, target: &Target) {
        self.depth += 1;
        self.body(block, target);
        self.depth -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { var, init, span } => {
                self.line = span.start().line;
                self.declaration(*var, init.as_ref());
            }
            Stmt::Expr(expr) => {
                self.line = expr.span.start().line;
                self.store(expr, &Target::Nowhere);
            }
        }
    }

    fn declaration(&mut self, var: VarId, init: Option<&Expr>) {
        let declared = self.checked.function.var(var);
        let (name, ty) = (self.name(var), self.ty(&declared.ty));
        match init.map(simple_block) {
            None => self.put(format!("{ty} {name};")),
            Some(init) if init.kind.is_control_flow() && as_select(init).is_none() => {
                self.put(format!("{ty} {name};"));
                self.store(init, &Target::Variable(name));
            }
            Some(Expr { kind: ExprKind::Shared { element, length, cleared }, .. }) => {
                let (element, length) = (self.ty(element), self.table.length(length));
                let memory = self.unused_name(&format!("{}_memory", self.checked.name(var)));
                self.put(format!("__shared__ Atomic<{element}> {memory}[{length}];"));
                let word = if *cleared { "block_shared" } else { "block_memory" };
                self.put(format!("const {ty} {name} = {word}({memory});"));
            }
            Some(init) => {
                let constant = if declared.mutable { "" } else { "const " };
                let value = self.expr(init);
                self.put(format!("{constant}{ty} {name} = {value};"));
            }
        }
    }

    /// The name, unless a variable has it.
    fn unused_name(&self, name: &str) -> String {
        let taken = |name: &String| !self.checked.is_free_name(name);
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let name = names.find(|name| !taken(name)).unwrap_or_default();
        format!("‹{name}›")
    }

    /// Writes an expression as statements that leave its value in `target`.
    fn store(&mut self, expr: &Expr, target: &Target) {
        match &expr.kind {
            ExprKind::If { condition, then, otherwise } => match (target, as_select(expr)) {
                (Target::Variable(_) | Target::Return, Some(_)) => self.plain(expr, target),
                _ => {
                    self.if_else("", condition, then, otherwise.as_deref(), target);
                }
            },
            ExprKind::While { label, condition, body } => {
                let head = format!("while ({}) {{", self.expr(condition));
                self.looped(&head, label.as_ref(), body);
            }
            ExprKind::Loop { label, body } => self.looped("while (true) {", label.as_ref(), body),
            ExprKind::For { label, var, from, to, inclusive, unrolled, body } => {
                if *unrolled {
                    self.put("#pragma unroll");
                }
                self.for_loop(label.as_ref(), *var, (from, to, *inclusive), body);
            }
            ExprKind::Break(None) => self.put("break;"),
            ExprKind::Continue(None) => self.put("continue;"),
            ExprKind::Break(Some(label)) => self.put(format!("goto break_{};", self.label(label))),
            ExprKind::Continue(Some(label)) => {
                self.put(format!("goto continue_{};", self.label(label)))
            }
            // No lane leaves a kernel early, so this is a function's.
            ExprKind::Return(None) => self.put("return Unit{};"),
            ExprKind::Return(Some(value)) => self.store(value, &Target::Return),
            ExprKind::Block(body) if body.stmts.is_empty() && body.tail.is_some() => {
                self.body(body, target);
            }
            ExprKind::Block(body) => {
                self.put("{");
                self.indented(body, target);
                self.put("}");
            }
            ExprKind::Unsafe(body) => self.body(body, target),
            ExprKind::Assign(place, value) if value.kind.is_control_flow() => {
                let place = self.expr(place);
                self.store(value, &Target::Variable(place));
            }
            ExprKind::Assign(place, value) => {
                // `x = x + y`, but not `x = x == y`.
                if let (ExprKind::Local(to), ExprKind::Binary(op, a, b)) =
                    (&place.kind, &value.kind)
                    && !op.is_logical()
                    && !op.is_comparison()
                    && matches!(a.kind, ExprKind::Local(from) if from == *to)
                {
                    return self.assign_op(*op, place, b);
                }
                let (place, value) = (self.expr(place), self.expr(value));
                self.put(format!("{place} = {value};"));
            }
            ExprKind::AssignOp(op, place, value) => self.assign_op(*op, place, value),
            _ => self.plain(expr, target),
        }
    }

    /// A label as C++ names it, where it may stand once in a function.
    fn label(&self, label: &LoopId) -> String {
        let known = self.labels.iter().rev().find(|(name, _)| *name == label.0);
        known.map_or_else(|| label.0.clone(), |(_, unique)| unique.clone())
    }

    fn plain(&mut self, expr: &Expr, target: &Target) {
        let value = self.expr(expr);
        match target {
            Target::Nowhere if value.is_empty() => {}
            // `u32(x);` would declare an `x`.
            Target::Nowhere if matches!(expr.kind, ExprKind::Cast(..)) => {
                self.put(format!("(void){value};"));
            }
            Target::Nowhere => self.put(format!("{value};")),
            Target::Variable(name) => self.put(format!("{name} = {value};")),
            Target::Return => self.put(format!("return {value};")),
        }
    }

    fn assign_op(&mut self, op: BinaryOp, place: &Expr, value: &Expr) {
        let kind = ExprKind::Binary(op, Box::new(place.clone()), Box::new(value.clone()));
        let whole = Expr { kind, ..place.clone() };
        let (name, whole) = (self.expr(place), self.expr(&whole));
        match whole.starts_with(&format!("{name} {} ", op.symbol())) {
            true => self.put(format!("{name} {}= {};", op.symbol(), self.expr(value))),
            false => self.put(format!("{name} = {whole};")),
        }
    }

    fn if_else(
        &mut self,
        before: &str,
        condition: &Expr,
        then: &Block,
        otherwise: Option<&Expr>,
        target: &Target,
    ) {
        let head = format!("{before}if ({}) {{", self.expr(condition));
        self.put(head);
        self.indented(then, target);
        match otherwise.map(|otherwise| &otherwise.kind) {
            None => self.put("}"),
            Some(ExprKind::If { condition, then, otherwise }) => {
                self.if_else("} else ", condition, then, otherwise.as_deref(), target);
            }
            Some(ExprKind::Block(body)) => {
                self.put("} else {");
                self.indented(body, target);
                self.put("}");
            }
            Some(_) => {
                self.put("} else {");
                self.depth += 1;
                if let Some(otherwise) = otherwise {
                    self.store(otherwise, target);
                }
                self.depth -= 1;
                self.put("}");
            }
        }
    }

    fn looped(&mut self, head: &str, label: Option<&LoopId>, body: &Block) {
        let jumps = |to: fn(&ExprKind) -> Option<&LoopId>| {
            label.filter(|label| visit::any_in_block(body, &|expr| to(&expr.kind) == Some(*label)))
        };
        let unique = label.map(|label| {
            self.label_count += 1;
            let number = self.label_count;
            let name = if number == 1 { label.0.clone() } else { format!("{}_{number}", label.0) };
            (label.0.clone(), name)
        });
        let (continues, breaks) = (jumps(continued).is_some(), jumps(broken).is_some());
        let name = unique.as_ref().map_or(String::new(), |(_, name)| name.clone());
        self.labels.extend(unique);
        self.put(head);
        match continues {
            false => self.indented(body, &Target::Nowhere),
            true => {
                // A jump may not pass a declaration, so the body has a block of
                // its own.
                self.depth += 1;
                self.put("{");
                self.indented(body, &Target::Nowhere);
                self.put("}");
                self.put(format!("continue_{name}:;"));
                self.depth -= 1;
            }
        }
        self.put("}");
        if breaks {
            self.put(format!("break_{name}:;"));
        }
        if label.is_some() {
            self.labels.pop();
        }
    }

    fn for_loop(
        &mut self,
        label: Option<&LoopId>,
        var: VarId,
        (from, to, inclusive): (&Expr, &Expr, bool),
        body: &Block,
    ) {
        let (name, plain) = (self.name(var), self.checked.scoped_name(var));
        let ty = self.ty(&self.checked.function.var(var).ty);
        let (low, high) = (self.expr(from), self.expr(to));
        // The end of a Rust range is evaluated once, and `..=` may end at the
        // largest number there is.
        let fixed = match &to.kind {
            ExprKind::Local(var) => !self.checked.function.var(*var).mutable,
            ExprKind::Literal(_) => true,
            _ => false,
        };
        let end = self.unused_name(&format!("{plain}_end"));
        let more = self.unused_name(&format!("{plain}_more"));
        let head = match (inclusive, fixed) {
            (true, _) => format!(
                "for ({ty} {name} = {low}, {end} = {high}, {more} = {name} <= {end}; \
                 {more}; {more} = {name} != {end}, ++{name}) {{"
            ),
            (false, true) => {
                format!("for ({ty} {name} = {low}; {name} < {high}; ++{name}) {{")
            }
            (false, false) => {
                format!("for ({ty} {name} = {low}, {end} = {high}; {name} < {end}; ++{name}) {{")
            }
        };
        self.looped(&head, label, body);
    }
}

fn continued(kind: &ExprKind) -> Option<&LoopId> {
    match kind {
        ExprKind::Continue(label) => label.as_ref(),
        _ => None,
    }
}

fn broken(kind: &ExprKind) -> Option<&LoopId> {
    match kind {
        ExprKind::Break(label) => label.as_ref(),
        _ => None,
    }
}
