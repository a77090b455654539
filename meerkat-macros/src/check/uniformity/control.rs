//! Where lanes part: branches, loops that they leave at different times, returns.

use super::{Analysis, Cause, Frame, Scope};
use crate::ir::{Expr, ExprId, ExprKind, Level, LoopId, Type};
use proc_macro2::Span;

impl Analysis<'_> {
    pub(super) fn control_flow(&mut self, expr: &Expr) -> Level {
        match &expr.kind {
            ExprKind::Assign(place, value) => {
                let declared = match place.kind {
                    ExprKind::Local(var) => self.function.var(var).declared,
                    _ => None,
                };
                let level = self.value(value, declared);
                self.assign(place, level, value);
                Level::Grid
            }
            ExprKind::AssignOp(_, place, value) => {
                let level = self.expr(value).max(self.expr(place));
                self.assign(place, level, value);
                Level::Grid
            }
            ExprKind::If { condition, then, otherwise } => {
                let level = self.expr(condition);
                let then = self.within(level, condition, |this| this.block(then, None));
                let otherwise = match otherwise {
                    Some(otherwise) => self.within(level, condition, |this| this.expr(otherwise)),
                    None => Level::Grid,
                };
                level.max(then).max(otherwise)
            }
            ExprKind::While { label, condition, body } => {
                self.looped(expr.id, label, expr.span, |this| {
                    let level = this.expr(condition);
                    let cause = this.cause(condition);
                    this.raise_loop(expr.id, level, cause);
                    this.block(body, None);
                });
                Level::Grid
            }
            ExprKind::Loop { label, body } => {
                self.looped(expr.id, label, expr.span, |this| {
                    this.block(body, None);
                });
                Level::Grid
            }
            ExprKind::For { label, var, from, to, body, .. } => {
                let level = self.expr(from).max(self.expr(to));
                let first = self.levels.expr(from.id) >= self.levels.expr(to.id);
                let why = if first { from } else { to };
                let cause = self.cause(why);
                self.raise_loop(expr.id, level, cause);
                self.looped(expr.id, label, expr.span, |this| {
                    this.depth[var.0] = this.frames.len();
                    this.raise_var(*var, level, from);
                    this.block(body, None);
                });
                Level::Grid
            }
            ExprKind::Break(label) | ExprKind::Continue(label) => {
                self.leave_loop(label.as_ref());
                Level::Grid
            }
            ExprKind::Return(value) => {
                self.leave_function(value.as_deref());
                Level::Grid
            }
            ExprKind::Block(body) => self.block(body, None),
            ExprKind::Unsafe(body) => {
                let outer = std::mem::replace(&mut self.in_unsafe, true);
                let level = self.block(body, None);
                self.in_unsafe = outer;
                level
            }
            _ => Level::Grid,
        }
    }

    fn assign(&mut self, place: &Expr, value: Level, why: &Expr) {
        // A place in an array is chosen by its index.
        let chosen = self.expr(place);
        if let Some(var) = crate::ir::visit::root(place)
            && !matches!(self.function.var(var).ty, Type::Slice(..) | Type::Ref(_))
            && !(self.function.var(var).parameter && self.function.kind.is_launched())
        {
            let apart = self.control_from(self.depth[var.0]);
            let whole = matches!(place.kind, ExprKind::Local(_));
            let chosen = if whole { Level::Grid } else { chosen };
            self.raise_var(var, value.max(apart).max(chosen), why);
        }
    }

    pub(super) fn within<R>(
        &mut self,
        level: Level,
        condition: &Expr,
        body: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let cause = self.cause(condition);
        self.frames.push(Frame { level, cause, scope: Scope::Branch });
        let result = body(self);
        self.frames.pop();
        result
    }

    fn looped(
        &mut self,
        id: ExprId,
        label: &Option<LoopId>,
        span: Span,
        body: impl FnOnce(&mut Self),
    ) {
        let unknown = || Cause {
            place: span.into(),
            text: "lanes leave this loop at different times".into(),
            is_loop: true,
        };
        let cause = self.loop_causes.get(&id.0).cloned().unwrap_or_else(unknown);
        let level = self.levels.loop_level(id);
        self.frames.push(Frame { level, cause, scope: Scope::Loop { id, label: label.clone() } });
        body(self);
        self.frames.pop();
    }

    fn raise_loop(&mut self, id: ExprId, level: Level, cause: Cause) {
        if self.levels.loop_level(id) < level {
            let cause = Cause { is_loop: true, ..cause };
            self.levels.loops.insert(id.0, level);
            self.loop_causes.insert(id.0, cause);
            self.changed = true;
        }
    }

    /// Lanes that may be apart here leave the loop, and those it is in, apart.
    fn leave_loop(&mut self, label: Option<&LoopId>) {
        let is_target = |frame: &Frame| match &frame.scope {
            Scope::Loop { label: found, .. } => label.is_none() || found.as_ref() == label,
            Scope::Branch => false,
        };
        let Some(target) = self.frames.iter().rposition(is_target) else { return };
        self.part_loops(target, target);
    }

    fn part_loops(&mut self, outermost: usize, target: usize) {
        for at in (outermost..self.frames.len()).rev() {
            let Scope::Loop { id, .. } = &self.frames[at].scope else { continue };
            let id = *id;
            let apart = self.frames[at + 1..].iter().max_by_key(|frame| frame.level);
            if let Some((level, cause)) = apart.map(|frame| (frame.level, frame.cause.clone())) {
                self.raise_loop(id, level, cause);
            }
            // A loop inside the one that is left goes by the same mask.
            if at != target && self.control_from(outermost) > Level::Warp {
                self.changed |= self.levels.left_apart.insert(id.0);
            }
        }
    }

    fn leave_function(&mut self, value: Option<&Expr>) {
        let level = match value {
            Some(value) => self.value(value, self.function.ret_level),
            None => Level::Grid,
        };
        if let Some(value) = value {
            self.check_result(value, level);
        }
        let level = self.here();
        if let Some(cause) = self.divergence(Level::Block) {
            self.part_loops(0, usize::MAX);
            self.gone = Some((level, cause));
            self.levels.returns_diverge |= level > Level::Warp;
        }
    }
}
