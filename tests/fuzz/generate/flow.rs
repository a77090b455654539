//! Branches, and values with statements inside.

use super::Writer;
use super::scope::Level;
use crate::fuzz::language::{Arm, Block, Expr, Kind, Pattern, Scalar, Stmt, Ty, Var};
use crate::fuzz::memory;
use crate::fuzz::print::named;

impl Writer<'_> {
    /// A value that may have statements inside.
    pub(super) fn rich(&mut self, ty: Ty, level: Level, depth: usize) -> Expr {
        match self.random.below(8) {
            0..=2 if depth > 0 => {
                let apart = self.inner_level(level);
                let condition = Box::new(self.condition(apart, 2));
                self.scope.push(apart);
                let then = self.value_block(ty, level, depth - 1);
                let otherwise = self.value_block(ty, level, depth - 1);
                self.scope.pop();
                Expr { ty, kind: Kind::If(condition, then, Some(otherwise)) }
            }
            3 | 4 if depth > 0 => {
                self.matching(ty, level, |this, level| this.value_block(ty, level, depth - 1))
            }
            5 if depth > 0 => {
                Expr { ty, kind: Kind::Block(self.value_block(ty, level, depth - 1)) }
            }
            _ => self.expr(ty, level, 2),
        }
    }

    fn value_block(&mut self, ty: Ty, level: Level, depth: usize) -> Block {
        let mark = self.scope.mark();
        let mut block = self.block_here(depth);
        block.tail = Some(Box::new(self.rich(ty, level, depth)));
        self.scope.reset(mark);
        block
    }

    /// A few statements whose variables stay in scope.
    fn block_here(&mut self, depth: usize) -> Block {
        if self.random.percent(60) {
            return Block::default();
        }
        Block { stmts: self.statements(depth), tail: None }
    }

    /// `if` as a statement.
    pub(super) fn branch(&mut self, depth: usize) -> Expr {
        let level = self.any_level();
        let condition = Box::new(self.condition(level, 3));
        self.scope.push(level);
        let then = self.block(depth - 1);
        let otherwise = self.random.percent(50).then(|| self.otherwise(depth - 1));
        self.scope.pop();
        Expr { ty: Ty::Unit, kind: Kind::If(condition, then, otherwise) }
    }

    fn otherwise(&mut self, depth: usize) -> Block {
        if depth > 0 && self.random.percent(30) {
            let tail = Some(Box::new(self.branch(depth)));
            return Block { stmts: Vec::new(), tail };
        }
        self.block(depth)
    }

    /// `match` as a statement.
    pub(super) fn choice(&mut self, depth: usize) -> Expr {
        let level = self.any_level();
        self.matching(Ty::Unit, level, |this, _| this.block(depth - 1))
    }

    /// A `match` on an integer; each arm is apart from the others, and from
    /// those whose guards came before.
    fn matching(
        &mut self,
        ty: Ty,
        level: Level,
        mut body: impl FnMut(&mut Self, Level) -> Block,
    ) -> Expr {
        let scalar = self.any_of(&Scalar::INTEGERS);
        let apart = self.inner_level(level);
        let matched = Box::new(self.number(scalar, apart, 2));
        let mut frames = 1;
        self.scope.push(apart);
        let mut arms = Vec::new();
        for _ in 0..self.random.below(4) {
            let patterns = (0..1 + self.random.below(2)).map(|_| self.pattern(scalar)).collect();
            arms.push(self.arm(patterns, level, 30, &mut frames, &mut body));
        }
        if self.random.percent(25) {
            let mark = self.scope.mark();
            let name = self.name();
            let ty = Ty::Scalar(scalar);
            let var = Var {
                name,
                ty,
                mutable: false,
                shared_by: None,
                annotated: false,
                accumulates: false,
            };
            let var = self.scope.declare(var, apart);
            let patterns = vec![Pattern::Bind(var)];
            arms.push(self.arm(patterns, level, 90, &mut frames, &mut body));
            self.scope.reset(mark);
        }
        arms.push(self.arm(vec![Pattern::Any], level, 0, &mut frames, &mut body));
        for _ in 0..frames {
            self.scope.pop();
        }
        Expr { ty, kind: Kind::Match(matched, arms) }
    }

    fn arm(
        &mut self,
        patterns: Vec<Pattern>,
        level: Level,
        guards: usize,
        frames: &mut usize,
        body: &mut impl FnMut(&mut Self, Level) -> Block,
    ) -> Arm {
        let guard = self.random.percent(guards).then(|| {
            let apart = self.inner_level(level);
            let guard = self.condition(apart, 2);
            self.scope.push(apart);
            *frames += 1;
            guard
        });
        Arm { patterns, guard, bare: false, body: body(self, level) }
    }

    fn pattern(&mut self, scalar: Scalar) -> Pattern {
        let mut bound = || memory::value(self.random, scalar);
        let (a, b) = (bound(), bound());
        let constants: Vec<_> =
            named(scalar).iter().filter(|(name, _)| name.ends_with(is_capital)).collect();
        let (low, high) = if scalar.integer(a) <= scalar.integer(b) { (a, b) } else { (b, a) };
        match self.random.below(4) {
            0 => Pattern::Range(low, high),
            1 if low != high => Pattern::Until(low, high),
            2 if self.random.percent(40) => {
                let &(name, bits) = self.random.pick(&constants);
                Pattern::Named(name, bits)
            }
            _ => Pattern::Is(a),
        }
    }

    /// `return`, in some lanes perhaps.
    pub(super) fn leaving_function(&mut self) -> Option<Stmt> {
        if self.ret == Ty::Unit {
            return None;
        }
        let promised = self.ret_shared_by.map_or(Level::Lane, Level::of_group);
        let level = self.any_level().min(promised);
        let condition = Box::new(self.condition(level, 2));
        self.scope.push(level);
        let allowed = self.scope.may_return() && self.scope.here() <= promised;
        let mark = self.scope.mark();
        let mut then = self.block_here(0);
        if allowed {
            let value = self.rich(self.ret, promised, 1);
            then.stmts.push(Stmt::Return(value));
            self.scope.returned();
        }
        self.scope.reset(mark);
        self.scope.pop();
        let kind = Kind::If(condition, then, None);
        allowed.then_some(Stmt::Expr(Expr { ty: Ty::Unit, kind }))
    }
}

/// Patterns take a name for a constant if it has no small letters.
fn is_capital(letter: char) -> bool {
    letter.is_ascii_uppercase()
}
