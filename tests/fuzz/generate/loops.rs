//! Loops, each with an end in sight, and ways out of them.

use super::Writer;
use super::expr::{binary, lit};
use super::scope::Level;
use crate::fuzz::language::{Block, Collective, Expr, Kind, Op, Scalar, Stmt, Ty, Var};

const LABELS: [&str; 3] = ["outer", "rows", "next"];

impl Writer<'_> {
    fn label(&mut self) -> Option<&'static str> {
        self.random.percent(40).then(|| self.random.pick(&LABELS))
    }

    fn fresh(&mut self, scalar: Scalar, mutable: bool, level: Level) -> usize {
        let name = self.name();
        let ty = Ty::Scalar(scalar);
        let var = Var { name, ty, mutable, shared_by: None, annotated: false, accumulates: false };
        self.scope.hidden(var, level)
    }

    pub(super) fn looped(&mut self, stmts: &mut Vec<Stmt>, depth: usize) {
        if self.scope.loops() > 2 {
            return;
        }
        let level = self.any_level();
        match self.random.below(5) {
            0 | 1 => self.counted(stmts, level, depth),
            _ => self.for_loop(stmts, level, depth),
        }
    }

    /// `while n < limit && condition { n += 1; .. }`, or the same as a `loop`.
    fn counted(&mut self, stmts: &mut Vec<Stmt>, level: Level, depth: usize) {
        let scalar = self.random.pick(&[Scalar::U32, Scalar::U8, Scalar::I32, Scalar::I64]);
        // The counter's name must mean the counter for as long as the loop.
        let counter = self.fresh(scalar, true, level);
        self.scope.vars[counter].name = format!("turn_{counter}");
        self.scope.show(counter);
        self.scope.protect(counter);
        stmts.push(Stmt::Let { var: counter, annotated: false, init: lit(scalar, 0) });
        let value = || Expr { ty: Ty::Scalar(scalar), kind: Kind::Var(counter) };
        let limit = lit(scalar, 1 + self.random.below(5) as u64);
        let label = self.label();
        self.scope.push_loop(level, label);
        let more = self.condition(level, 2);
        let step = Stmt::AssignOp(Op::Add, value(), lit(scalar, 1));
        let stmt = if self.random.percent(50) {
            let short = binary(Op::Lt, Scalar::Bool, value(), limit);
            let condition = if self.random.percent(50) {
                binary(Op::LogicalAnd, Scalar::Bool, short, more)
            } else {
                short
            };
            let mut body = self.block(depth - 1);
            body.stmts.insert(0, step);
            Stmt::While { label, condition, body }
        } else {
            let long = binary(Op::Gt, Scalar::Bool, value(), limit);
            let leave = if self.random.percent(50) {
                binary(Op::LogicalOr, Scalar::Bool, long, more)
            } else {
                long
            };
            let target = self.scope.loops() - 1;
            let exit = Block { stmts: vec![Stmt::Break(target, None)], tail: None };
            let kind = Kind::If(Box::new(leave), exit, None);
            let mut body = self.block(depth - 1);
            let exit = Stmt::Expr(Expr { ty: Ty::Unit, kind });
            let at = usize::from(self.random.percent(50));
            body.stmts.splice(0..0, [step, exit]);
            if at == 1 {
                body.stmts.swap(0, 1);
            }
            Stmt::Loop { label, body }
        };
        self.scope.pop();
        stmts.push(stmt);
    }

    fn for_loop(&mut self, stmts: &mut Vec<Stmt>, level: Level, depth: usize) {
        let scalar = self.any_of(&Scalar::INTEGERS);
        let inclusive = self.random.percent(30);
        let limit = self.small(scalar, level, 7);
        let to = match self.random.below(4) {
            0 => lit(scalar, 1 + self.random.below(5) as u64),
            1 => {
                // A variable that the body assigns: the range is evaluated before.
                let var = self.fresh(scalar, true, level);
                self.scope.show(var);
                stmts.push(Stmt::Let { var, annotated: true, init: limit });
                self.scope.protect(var);
                Expr { ty: Ty::Scalar(scalar), kind: Kind::Var(var) }
            }
            _ => limit,
        };
        let from = match self.random.below(3) {
            0 => self.small(scalar, level, 3),
            1 if scalar.is_signed() => lit(scalar, scalar.wrap(-2)),
            _ => lit(scalar, 0),
        };
        let label = self.label();
        self.scope.push_loop(level, label);
        let mark = self.scope.mark();
        let var = self.fresh(scalar, false, level);
        self.scope.show(var);
        let mut body = self.block(depth - 1);
        if let Kind::Var(bound) = to.kind
            && self.random.percent(70)
            && self.scope.vars[var].name != self.scope.vars[bound].name
        {
            let value = self.small_again(scalar, bound);
            body.stmts.insert(0, Stmt::Assign(to.clone(), value));
        }
        self.scope.reset(mark);
        self.scope.pop();
        stmts.push(Stmt::For { label, var, from, to, inclusive, body });
    }

    fn small_again(&self, scalar: Scalar, bound: usize) -> Expr {
        let value = Expr { ty: Ty::Scalar(scalar), kind: Kind::Var(bound) };
        let more = binary(Op::Add, scalar, value, lit(scalar, 3));
        super::expr::masked(more, 7)
    }

    /// The lanes of a ballot, one after another.
    pub(super) fn work_list(&mut self, stmts: &mut Vec<Stmt>, depth: usize) {
        if self.scope.loops() > 1 {
            return;
        }
        let group = self.random.pick(&[32, 32, 8, 4, 16]);
        let level = Level::of_group(group);
        if self.scope.here() > level {
            return;
        }
        self.group = self.group.max(group);
        let votes = self.condition(Level::Lane, 2);
        let ballot = Kind::Collective(Collective::Ballot, group, vec![votes]);
        let u32 = Ty::Scalar(Scalar::U32);
        let work = self.fresh(Scalar::U32, true, level);
        self.scope.vars[work].name = format!("work_{work}");
        self.scope.show(work);
        self.scope.protect(work);
        let init = Expr { ty: u32, kind: ballot };
        stmts.push(Stmt::Let { var: work, annotated: false, init });
        let value = Expr { ty: u32, kind: Kind::Var(work) };
        let condition = binary(Op::Ne, Scalar::Bool, value, lit(Scalar::U32, 0));
        let label = self.label();
        self.scope.push_loop(level, label);
        let mark = self.scope.mark();
        let lane = self.fresh(Scalar::U32, false, level);
        let init = Expr { ty: u32, kind: Kind::Dequeue(group, work) };
        self.scope.show(lane);
        let mut body = self.block(depth - 1);
        body.stmts.insert(0, Stmt::Let { var: lane, annotated: false, init });
        self.scope.reset(mark);
        self.scope.pop();
        stmts.push(Stmt::While { label, condition, body });
    }

    /// `if condition { break }` or `continue`, of a loop that may be left so.
    pub(super) fn leaving_loop(&mut self, depth: usize) -> Option<Stmt> {
        if self.scope.loops() == 0 {
            return None;
        }
        let mut level = self.any_level();
        self.scope.push(level);
        if self.scope.targets().is_empty() {
            self.scope.pop();
            level = Level::Warp;
            self.scope.push(level);
        }
        let targets = self.scope.targets();
        self.scope.pop();
        if targets.is_empty() {
            return None;
        }
        let (target, label, innermost) = self.random.pick(&targets);
        let label = if innermost && self.random.percent(70) { None } else { label };
        let condition = Box::new(self.condition(level, 2));
        self.scope.push(level);
        let mut then = if depth > 0 { self.block(depth - 1) } else { Default::default() };
        self.scope.pop();
        let leave = if self.random.percent(50) {
            Stmt::Break(target, label)
        } else {
            Stmt::Continue(target, label)
        };
        then.stmts.push(leave);
        let kind = Kind::If(condition, then, None);
        Some(Stmt::Expr(Expr { ty: Ty::Unit, kind }))
    }
}
