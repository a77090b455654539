//! Uniformity: which values are the same in all lanes, which lanes may be
//! apart, and why. A collective that not all lanes of its group reach is
//! refused, with the condition that parts them.
//!
//! Levels only ever rise, so the analysis repeats until nothing changes and
//! reports in a last pass.

mod control;
mod refusals;

use crate::diagnostics::{Errors, Place};
use crate::ir::intrinsics::Effect;
use crate::ir::{BLOCK, Block, Expr, ExprId, ExprKind, Function, Level, LoopId, Stmt, VarId};
use std::collections::{HashMap, HashSet};

pub(crate) struct Levels {
    exprs: Vec<Level>,
    vars: Vec<Level>,
    loops: HashMap<usize, Level>,
    /// Loops that lanes leave together, but for one around them that they leave
    /// apart.
    left_apart: HashSet<usize>,
    /// Calls where lanes may be apart: what is whole there, and why.
    pub(crate) divergent_calls: HashMap<usize, (Level, String)>,
    /// Arguments of calls that lanes of a warp may not agree on: how far they do, and why.
    pub(crate) disagreements: HashMap<usize, (Level, String)>,
    pub(crate) returns_diverge: bool,
}

impl Levels {
    pub(crate) fn expr(&self, id: ExprId) -> Level {
        self.exprs.get(id.0).copied().unwrap_or(Level::Lane)
    }

    pub(crate) fn var(&self, id: VarId) -> Level {
        self.vars[id.0]
    }

    /// Whether lanes leave the loop, or one around it from inside, apart.
    pub(crate) fn is_left_apart(&self, id: ExprId) -> bool {
        self.loop_level(id) > Level::Warp || self.left_apart.contains(&id.0)
    }

    pub(crate) fn loop_level(&self, id: ExprId) -> Level {
        self.loops.get(&id.0).copied().unwrap_or(Level::Grid)
    }
}

/// Why lanes part: where, and in words.
#[derive(Clone)]
struct Cause {
    place: Place,
    text: String,
    /// A loop that lanes leave apart, rather than a branch.
    is_loop: bool,
}

enum Scope {
    Branch,
    Loop { id: ExprId, label: Option<LoopId> },
}

struct Frame {
    level: Level,
    cause: Cause,
    scope: Scope,
}

struct Analysis<'a> {
    function: &'a Function,
    errors: &'a Errors,
    levels: Levels,
    frames: Vec<Frame>,
    /// How many frames were open where a variable was declared.
    depth: Vec<usize>,
    /// Some lanes have returned already.
    gone: Option<(Level, Cause)>,
    loop_causes: HashMap<usize, Cause>,
    changed: bool,
    last_pass: bool,
    in_unsafe: bool,
}

pub(super) fn analyse(function: &Function, errors: &Errors) -> Levels {
    let start = |var: &crate::ir::Var| {
        let launched = function.kind.is_launched();
        match var.declared {
            // A kernel's parameters are the same everywhere, a function's only
            // as far as it says.
            Some(level) if var.parameter && !launched && !var.ty.is_view() => level,
            Some(Level::Warp) => Level::Grid,
            None if var.parameter => Level::Lane,
            _ => Level::Grid,
        }
    };
    let mut analysis = Analysis {
        function,
        errors,
        levels: Levels {
            exprs: vec![Level::Grid; function.exprs],
            vars: function.vars.iter().map(start).collect(),
            loops: HashMap::new(),
            left_apart: HashSet::new(),
            divergent_calls: HashMap::new(),
            disagreements: HashMap::new(),
            returns_diverge: false,
        },
        frames: Vec::new(),
        depth: vec![0; function.vars.len()],
        gone: None,
        loop_causes: HashMap::new(),
        changed: true,
        last_pass: false,
        in_unsafe: false,
    };
    while analysis.changed {
        analysis.pass();
    }
    analysis.last_pass = true;
    analysis.pass();
    analysis.levels
}

impl Analysis<'_> {
    fn pass(&mut self) {
        self.changed = false;
        self.gone = None;
        let function = self.function;
        let level = self.block(&function.body, function.ret_level);
        if let Some(tail) = &function.body.tail {
            self.check_result(tail, level);
        }
    }

    fn block(&mut self, block: &Block, wanted: Option<Level>) -> Level {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        match &block.tail {
            Some(tail) => self.value(tail, wanted),
            None => Level::Grid,
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(expr) => {
                self.expr(expr);
            }
            Stmt::Let { var, init, .. } => {
                self.depth[var.0] = self.frames.len();
                if let Some(init) = init {
                    let level = self.value(init, self.function.var(*var).declared);
                    self.raise_var(*var, level, init);
                }
            }
        }
    }

    /// An expression in a place that wants a uniform value: a call there is
    /// taken at its word, and rustc checks that its result is `Uniform`. Functions of types
    /// give plain values.
    fn value(&mut self, expr: &Expr, wanted: Option<Level>) -> Level {
        let level = self.expr(expr);
        match wanted {
            Some(wanted) if is_function_call(expr) => {
                self.set(expr.id, wanted, true);
                wanted
            }
            _ => level,
        }
    }

    fn set(&mut self, id: ExprId, level: Level, exactly: bool) {
        if let Some(slot) = self.levels.exprs.get_mut(id.0)
            && (exactly || *slot < level)
        {
            *slot = level;
        }
    }

    fn raise_var(&mut self, var: VarId, level: Level, why: &Expr) {
        let declared = self.function.var(var).declared.unwrap_or(Level::Lane);
        if level > declared && self.last_pass {
            let name = &self.function.var(var).name;
            self.errors.report(
                why.place(),
                format!("`{name}` is `{}`, but {}", promise(declared), self.why(why)),
                "take one lane's value with `warp_broadcast(value, lane)`, or drop `Uniform`",
            );
        }
        // What was reported is not reported again wherever the variable is read.
        let level = level.min(declared);
        if self.levels.vars[var.0] < level {
            self.levels.vars[var.0] = level;
            self.changed = true;
        }
    }

    /// How far apart lanes may be, counting frames from `from` outwards in.
    fn control_from(&self, from: usize) -> Level {
        self.frames[from..].iter().map(|frame| frame.level).max().unwrap_or(Level::Grid)
    }

    /// Why a group that shares values of `level` may not be whole here.
    fn divergence(&self, level: Level) -> Option<Cause> {
        let frame = self.frames.iter().find(|frame| frame.level > level);
        let gone = self.gone.as_ref().filter(|(gone, _)| *gone > level);
        frame.map(|frame| frame.cause.clone()).or_else(|| gone.map(|(_, cause)| cause.clone()))
    }

    /// The level of control flow here.
    fn here(&self) -> Level {
        let gone = self.gone.as_ref().map_or(Level::Grid, |(level, _)| *level);
        self.control_from(0).max(gone)
    }

    fn expr(&mut self, expr: &Expr) -> Level {
        let level = self.kind(expr);
        self.set(expr.id, level, true);
        level
    }

    fn all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> Level {
        exprs.into_iter().map(|expr| self.expr(expr)).max().unwrap_or(Level::Grid)
    }

    fn kind(&mut self, expr: &Expr) -> Level {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Const(_) | ExprKind::Identity(..) => Level::Grid,
            ExprKind::Local(var) => self.levels.vars[var.0],
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a, _)
            | ExprKind::Field(a, _)
            | ExprKind::Repeat(a, _) => self.expr(a),
            ExprKind::Binary(op, a, b) if op.is_logical() => {
                let left = self.expr(a);
                let right = self.within(left, a, |this| this.expr(b));
                left.max(right)
            }
            ExprKind::Binary(_, a, b) => self.all([&**a, &**b]),
            ExprKind::Index(base, at) => self.all([&**base, &**at]),
            ExprKind::Struct { fields, .. } => self.all(fields.iter().map(|(_, value)| value)),
            ExprKind::Intrinsic { intrinsic, group, args } => {
                self.intrinsic(expr, intrinsic, *group, args)
            }
            ExprKind::Shared { .. } => self.shared_memory(expr),
            ExprKind::Assert(condition) => {
                self.expr(condition);
                Level::Grid
            }
            ExprKind::Array(items) | ExprKind::Tuple(items) => self.all(items),
            // Nothing changes a graph that is walked: lanes that ask the same get the same.
            ExprKind::Call { callee, args } if callee.only_reads_graph() => self.all(args),
            ExprKind::Call { args, .. } => {
                self.all(args);
                self.note_call(expr);
                self.note_arguments(args);
                Level::Lane
            }
            ExprKind::Method { receiver, method, args, .. } => {
                let level = self.expr(receiver).max(self.all(args));
                let memory = matches!(method.effect, Effect::AtomicLoad | Effect::AtomicUpdate);
                if memory { Level::Lane } else { level }
            }
            _ => self.control_flow(expr),
        }
    }
}

fn is_function_call(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call { callee, .. } if callee.function().is_some())
}

/// What a declaration promises, as the user wrote it.
fn promise(level: Level) -> String {
    match level.group() {
        BLOCK | 32 => "Uniform".to_owned(),
        group => format!("TileUniform<{group}, _>"),
    }
}
