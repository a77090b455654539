//! What uniformity refuses, and in which words.

use super::{Analysis, Cause, promise};
use crate::diagnostics::Place;
use crate::ir::intrinsics::{ArgRule, Effect, Intrinsic, Shape};
use crate::ir::{BLOCK, Expr, ExprKind, Level};

impl Analysis<'_> {
    pub(super) fn check_result(&mut self, value: &Expr, level: Level) {
        // An endless loop has no value; it returns from inside.
        let endless = matches!(value.kind, ExprKind::Loop { .. });
        let Some(declared) = self.function.ret_level else { return };
        if !self.last_pass || endless {
            return;
        }
        let help = "take one lane's value with `warp_broadcast(value, lane)`, or return plain `T`";
        if level > declared {
            let text = format!("the result is `{}`, but {}", promise(declared), self.why(value));
            self.errors.report(value.place(), text, help);
        } else if let Some(cause) = self.divergence(declared) {
            let text = format!(
                "the result is `{}`, but lanes may return at different points",
                promise(declared)
            );
            self.errors.report(value.place(), text, help);
            self.report_cause(&cause, "return the value after the `if`");
        }
    }

    pub(super) fn intrinsic(
        &mut self,
        expr: &Expr,
        intrinsic: &'static Intrinsic,
        group: u32,
        args: &[Expr],
    ) -> Level {
        let shared = Level::of_group(group).unwrap_or(Level::Lane);
        let level = self.all(args);
        for (arg, rule) in args.iter().zip(intrinsic.args) {
            self.check_arg(arg, *rule, &intrinsic.spelled(group), shared);
        }
        if intrinsic.shape.is_collective() {
            self.check_converged(expr.place(), &intrinsic.spelled(group), group, shared);
        }
        match intrinsic.shape {
            Shape::PerLane
            | Shape::BlockToLane
            | Shape::WarpToLane
            | Shape::TileToLane
            | Shape::TileLane => Level::Lane,
            Shape::TileToTile => shared,
            Shape::BlockValue | Shape::BlockToBlock => Level::Block,
            Shape::WarpValue | Shape::WarpToWarp => Level::Warp,
            Shape::GridValue => Level::Grid,
            Shape::Pure => level,
        }
    }

    /// Memory of the block is cleared by all its threads.
    pub(super) fn shared_memory(&mut self, expr: &Expr) -> Level {
        self.check_converged(expr.place(), "block_shared", BLOCK, Level::Block);
        Level::Block
    }

    fn check_arg(&mut self, arg: &Expr, rule: ArgRule, name: &str, shared: Level) {
        let varies = self.levels.expr(arg.id) > shared;
        match (rule, &arg.kind) {
            (ArgRule::UniformMut, ExprKind::Local(var)) => {
                let apart = self.control_from(self.depth[var.0]);
                self.raise_var(*var, apart.max(shared), arg);
                if self.last_pass && !self.function.var(*var).mutable {
                    let text = format!("`{name}` changes its argument, which is not mutable");
                    self.errors.report(arg.place(), text, "declare it with `let mut`");
                }
            }
            (ArgRule::UniformMut, _) if self.last_pass => {
                let text = format!("`{name}` takes `&mut` of a variable");
                self.errors.report(
                    arg.place(),
                    text,
                    "bind the ballot first: `let mut work = ...`",
                );
                return;
            }
            _ => {}
        }
        if varies && rule != ArgRule::Lane && self.last_pass {
            let text = format!(
                "this argument of `{name}` must be the same in all {} of the {}, but {}",
                if shared == Level::Block { "threads" } else { "lanes" },
                shared.noun(),
                self.why(arg)
            );
            self.errors.report(
                arg.place(),
                text,
                if shared == Level::Block {
                    "take it from one thread with `block_broadcast`"
                } else {
                    "take it from one lane with `warp_broadcast`, or from a ballot"
                },
            );
        }
    }

    fn check_converged(&mut self, place: Place, name: &str, group: u32, shared: Level) {
        if !self.last_pass || self.in_unsafe {
            return;
        }
        if let Some(cause) = self.divergence(shared) {
            let (whole, who) = match shared {
                Level::Block => ("all threads of its block".to_owned(), "threads"),
                Level::Warp => ("all 32 lanes".to_owned(), "lanes"),
                _ => (format!("all {group} lanes of its tile"), "lanes"),
            };
            self.errors.report(
                place,
                format!("`{name}` needs {whole}, but {who} may diverge here"),
                format!("call `{name}` where all {who} arrive, and pass the condition as a value"),
            );
            let help = if cause.is_loop && self.function.kind.is_operator() {
                crate::diagnostics::LOOP_ALIKE.to_owned()
            } else if cause.is_loop {
                "let all lanes loop together, while `warp_any(..)`, and pass each lane's own \
                 condition as a value"
                    .to_owned()
            } else if name.ends_with("_barrier") {
                "end the branch before the barrier, and begin another after it".to_owned()
            } else if name.contains("enqueue") {
                "pass the condition as the last argument".to_owned()
            } else {
                format!("compute the result of `{name}` before this and use it inside")
            };
            self.report_cause(&cause, &help);
        }
    }

    fn report_cause(&self, cause: &Cause, help: &str) {
        self.errors.report(cause.place, format!("lanes diverge here: {}", cause.text), help);
    }

    /// A call of a device function that may turn out to be collective: only rustc knows, so
    /// `expand/calls.rs` writes the refusal as an assertion.
    pub(super) fn note_call(&mut self, expr: &Expr) {
        if self.in_unsafe {
            return;
        }
        // Lanes that diverge matter more than warps that do.
        let cause = self.divergence(Level::Warp).or_else(|| self.divergence(Level::Block));
        if let Some(cause) = cause {
            let here = (self.here(), cause.text);
            self.levels.divergent_calls.insert(expr.id.0, here);
        }
    }

    /// Arguments that a device function may want to be the same in all lanes.
    pub(super) fn note_arguments(&mut self, args: &[Expr]) {
        for arg in args.iter().filter(|_| self.last_pass) {
            let level = self.levels.expr(arg.id);
            if level > Level::Warp {
                let why = self.why(arg);
                self.levels.disagreements.insert(arg.id.0, (level, why));
            }
        }
    }

    pub(super) fn cause(&self, condition: &Expr) -> Cause {
        Cause { place: condition.place(), text: self.why(condition), is_loop: false }
    }

    /// The first part of an expression that lanes disagree on, in words.
    pub(super) fn why(&self, expr: &Expr) -> String {
        match self.blame(expr) {
            Some(what) => {
                format!("{what} differs from {}", self.levels.expr(expr.id).between())
            }
            None => "lanes may have diverged when it is assigned".to_owned(),
        }
    }

    /// That part, as the user wrote it.
    fn blame(&self, expr: &Expr) -> Option<String> {
        if self.levels.expr(expr.id) <= Level::Block {
            return None;
        }
        match &expr.kind {
            ExprKind::Local(var) => {
                let var = self.function.var(*var);
                Some(var.described.map_or_else(|| format!("`{}`", var.name), str::to_owned))
            }
            ExprKind::Intrinsic { intrinsic, .. } if !intrinsic.shape.is_collective() => {
                let args = if intrinsic.args.is_empty() { "" } else { ".." };
                Some(format!("`{}({args})`", intrinsic.name))
            }
            ExprKind::Call { callee, .. } => callee.name().map(|name| format!("`{name}(..)`")),
            ExprKind::Method { receiver, name, method, .. } => {
                let below = self.blame(receiver);
                let memory = matches!(method.effect, Effect::AtomicLoad | Effect::AtomicUpdate);
                if memory { Some(format!("`.{name}(..)`")) } else { below }
            }
            _ => {
                let (mut found, whole) = (None, self.levels.expr(expr.id));
                crate::ir::visit::children(expr, &mut |child| {
                    // The part that lanes disagree on as much as on the whole.
                    if found.is_none() && self.levels.expr(child.id) == whole {
                        found = self.blame(child);
                    }
                });
                found
            }
        }
    }
}
