//! Collectives and atomics.

use super::Writer;
use super::expr::{binary, boxed, lit};
use super::number::signless;
use super::scope::Level;
use crate::fuzz::language::{Collective, Expr, Fetch, Kind, Op, Scalar, Slice, Stmt, Ty};
use crate::fuzz::memory::CELLS;

impl Writer<'_> {
    /// A collective with a result of the type, where its lanes are together.
    pub(super) fn exchange(&mut self, ty: Ty, level: Level, depth: usize) -> Option<Expr> {
        use Collective::*;
        let group = self.random.pick(&[32, 32, 32, 16, 8, 4]);
        let whole = Level::of_group(group);
        if self.scope.here() > whole {
            return None;
        }
        let mut choices = Vec::new();
        if whole <= level {
            choices.push(Broadcast);
            match ty {
                Ty::Scalar(Scalar::Bool) => choices.extend([Any, All, ReduceOr]),
                Ty::Scalar(scalar) => {
                    choices.extend([ReduceSum, ReduceMin, ReduceMax]);
                    if scalar.is_integer() {
                        choices.push(ReduceOr);
                    }
                    if scalar == Scalar::U32 {
                        choices.extend([Ballot, Ballot]);
                    }
                }
                _ => {}
            }
        }
        if level == Level::Lane {
            choices.push(Shuffle);
            if group == 32 {
                choices.extend([ShuffleXor, ShuffleUp, ShuffleDown]);
            }
        }
        if choices.is_empty() {
            return None;
        }
        self.group = self.group.max(group);
        let name = self.random.pick(&choices);
        let next = depth.saturating_sub(1);
        let of = if matches!(name, Ballot | Any | All) { Ty::Scalar(Scalar::Bool) } else { ty };
        let mut args = vec![self.expr(of, Level::Lane, next)];
        let other = match name {
            Broadcast => Some(whole),
            Shuffle => Some(Level::Lane),
            ShuffleXor | ShuffleUp | ShuffleDown => Some(Level::Warp),
            _ => None,
        };
        args.extend(other.map(|level| self.index(group as usize, level, next)));
        let found = Expr { ty, kind: Kind::Collective(name, group, args) };
        let float = matches!(ty, Ty::Scalar(scalar) if scalar.is_float());
        let extreme = matches!(name, ReduceMin | ReduceMax);
        Some(if float && extreme { signless(found) } else { found })
    }

    /// An atomic operation on the lane's own cell, whose result is certain.
    pub(super) fn private(&mut self, scalar: Scalar, depth: usize) -> Option<Expr> {
        if self.pure > 0 || self.walks > 0 || !Scalar::ATOMIC.contains(&scalar) || scalar.is_float()
        {
            return None;
        }
        self.slices.insert(Slice::Private(scalar));
        let fetch = self.random.pick(&[
            Fetch::Load,
            Fetch::Load,
            Fetch::Swap,
            Fetch::CompareAndSwap,
            Fetch::Add,
            Fetch::Sub,
            Fetch::Min,
            Fetch::Max,
            Fetch::And,
            Fetch::Or,
            Fetch::Xor,
        ]);
        let count = match fetch {
            Fetch::Load => 0,
            Fetch::CompareAndSwap => 2,
            _ => 1,
        };
        let args = (0..count).map(|_| self.number(scalar, Level::Lane, depth.saturating_sub(1)));
        let args = args.collect();
        Some(Expr { ty: Ty::Scalar(scalar), kind: Kind::Private(fetch, args) })
    }

    /// The operation on a shared slice: one for the kernel, so that the order
    /// of lanes does not show.
    pub(super) fn shared(&mut self, scalar: Scalar, depth: usize) -> Expr {
        let choices: &[Fetch] = if scalar.is_float() {
            &[Fetch::Min, Fetch::Max]
        } else {
            &[Fetch::Add, Fetch::Add, Fetch::Min, Fetch::Max, Fetch::And, Fetch::Or, Fetch::Xor]
        };
        let chosen = self.random.pick(choices);
        let mut fetch = *self.operations.entry(scalar).or_insert(chosen);
        if fetch == Fetch::Add && self.random.percent(30) {
            fetch = Fetch::Sub;
        }
        self.slices.insert(Slice::Shared(scalar));
        let at = boxed(self.index(CELLS, Level::Lane, depth));
        let mut value = self.number(scalar, Level::Lane, depth);
        if scalar.is_float() {
            value = signless(value);
        }
        Expr { ty: Ty::Scalar(scalar), kind: Kind::Shared(fetch, at, boxed(value)) }
    }

    /// An integer with an effect on shared memory, whose own value is nothing.
    pub(super) fn silent_effect(
        &mut self,
        scalar: Scalar,
        level: Level,
        depth: usize,
    ) -> Option<Expr> {
        if level != Level::Lane || self.pure > 0 {
            return None;
        }
        let integers = [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64];
        if scalar == Scalar::Bool {
            let of = self.any_of(&integers);
            let zero = self.zero_effect(of, depth - 1);
            let op = self.random.pick(&[Op::Eq, Op::Ne]);
            return Some(binary(op, Scalar::Bool, zero, lit(of, 0)));
        }
        if !integers.contains(&scalar) {
            return None;
        }
        let zero = self.zero_effect(scalar, depth - 1);
        let other = self.number(scalar, level, depth - 1);
        Some(binary(Op::Xor, scalar, zero, other))
    }

    /// An effect after `&&` or `||`, in front of which nothing is read.
    pub(super) fn lone_effect(&mut self) -> Expr {
        let of = self.any_of(&[Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64]);
        let zero = self.purely(|this| this.zero_effect(of, 1));
        let op = self.random.pick(&[Op::Eq, Op::Ne]);
        binary(op, Scalar::Bool, zero, lit(of, 0))
    }

    fn zero_effect(&mut self, scalar: Scalar, depth: usize) -> Expr {
        let effect = self.shared(scalar, depth.min(1));
        binary(Op::And, scalar, effect, lit(scalar, 0))
    }

    /// A word of the block, where the whole block is sure to be: what blocks find is put
    /// together so that their size does not show.
    pub(super) fn block_statement(&mut self) -> Option<Stmt> {
        if !self.is_kernel || !self.scope.frames.is_empty() {
            return None;
        }
        let condition = self.condition(Level::Lane, 2);
        let is_filled = self.random.percent(50);
        if is_filled {
            self.scope.push(Level::Lane);
        }
        let scalar = self.any_of(&[Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64]);
        let operation = self.shared(scalar, 2).kind;
        if is_filled {
            self.scope.pop();
        }
        let Kind::Shared(fetch, at, value) = operation else { return None };
        let fetch = if fetch == Fetch::Sub { Fetch::Add } else { fetch };
        if is_filled {
            return Some(Stmt::BlockShared { condition, at: *at, value: *value, fetch });
        }
        let reduce = match fetch {
            Fetch::Add => Collective::ReduceSum,
            Fetch::Min => Collective::ReduceMin,
            Fetch::Max => Collective::ReduceMax,
            Fetch::Or => Collective::ReduceOr,
            _ => return None,
        };
        let cell = self.random.below(CELLS);
        Some(Stmt::BlockReduce { reduce, value: *value, fetch, cell })
    }

    /// An atomic operation as a statement.
    pub(super) fn atomic_statement(&mut self) -> Stmt {
        if self.walks == 0 && self.random.percent(30) {
            let integers = [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64];
            let scalar = self.any_of(&integers);
            self.slices.insert(Slice::Private(scalar));
            let value = self.number(scalar, Level::Lane, 2);
            return Stmt::Expr(Expr {
                ty: Ty::Unit,
                kind: Kind::Private(Fetch::Store, vec![value]),
            });
        }
        let scalar = self.any_of(&Scalar::ATOMIC);
        Stmt::Expr(self.shared(scalar, 2))
    }
}
