//! Statements.

use super::{Frame, Lanes, Loop, TooLong, Value, Warp, holds, index, lanes_of};
use crate::fuzz::language::{Block, Expr, Kind, Op, Pattern, Scalar, Slice, Stmt, numbers};

impl<'k> Warp<'k, '_> {
    /// Runs a block; its value, and in `mask` the lanes that go on after it.
    pub(super) fn block(
        &mut self,
        f: &mut Frame<'k>,
        block: &'k Block,
        mask: &mut u32,
    ) -> Result<Lanes, TooLong> {
        for stmt in &block.stmts {
            if *mask == 0 {
                break;
            }
            *mask = self.stmt(f, stmt, *mask)?;
        }
        match &block.tail {
            Some(tail) if *mask != 0 => self.value(f, tail, mask),
            _ => Ok(super::splat(0)),
        }
    }

    /// A value that may have statements inside.
    pub(super) fn value(
        &mut self,
        f: &mut Frame<'k>,
        expr: &'k Expr,
        mask: &mut u32,
    ) -> Result<Lanes, TooLong> {
        match &expr.kind {
            Kind::If(condition, then, otherwise) => {
                let taken = holds(&self.expr(f, condition, *mask)?, *mask);
                let (mut yes, mut no) = (taken, *mask & !taken);
                let mut result = super::splat(0);
                if yes != 0 {
                    result = self.block(f, then, &mut yes)?;
                }
                if let Some(otherwise) = otherwise
                    && no != 0
                {
                    let values = self.block(f, otherwise, &mut no)?;
                    merge(&mut result, values, no);
                }
                *mask = yes | no;
                Ok(result)
            }
            Kind::Match(matched, arms) => {
                let scalar = matched.ty.scalar();
                let values = self.expr(f, matched, *mask)?;
                let mut undecided = *mask;
                let mut after = 0;
                let mut result = super::splat(0);
                for arm in arms {
                    for pattern in &arm.patterns {
                        if let Pattern::Bind(var) = pattern {
                            f.vars[*var].clone_from(&values);
                        }
                    }
                    let fits = |bits: u64| arm.patterns.iter().any(|p| matches(p, scalar, bits));
                    let mut taken = 0;
                    for lane in lanes_of(undecided) {
                        taken |= u32::from(fits(values[lane].bits())) << lane;
                    }
                    if let Some(guard) = &arm.guard
                        && taken != 0
                    {
                        taken = holds(&self.expr(f, guard, taken)?, taken);
                    }
                    undecided &= !taken;
                    if taken != 0 {
                        let found = self.block(f, &arm.body, &mut taken)?;
                        merge(&mut result, found, taken);
                    }
                    after |= taken;
                }
                assert_eq!(undecided, 0, "a match leaves nothing out");
                *mask = after;
                Ok(result)
            }
            Kind::Block(block) => self.block(f, block, mask),
            _ => self.expr(f, expr, *mask),
        }
    }

    fn stmt(&mut self, f: &mut Frame<'k>, stmt: &'k Stmt, mask: u32) -> Result<u32, TooLong> {
        self.step()?;
        let mut after = mask;
        match stmt {
            Stmt::Let { var, init, .. } => {
                let values = self.value(f, init, &mut after)?;
                f.vars[*var] = values;
            }
            Stmt::LetParts { vars, init, .. } => {
                let values = self.value(f, init, &mut after)?;
                for (at, var) in vars.iter().enumerate() {
                    if let Some(var) = var {
                        f.vars[*var] =
                            super::each(after, |lane| Value::One(values[lane].parts()[at]));
                    }
                }
            }
            Stmt::AssignParts(places, value) => {
                let values = self.value(f, value, &mut after)?;
                for (at, place) in places.iter().enumerate() {
                    let part = |lane: usize, _| Value::One(values[lane].parts()[at]);
                    self.assign(f, place, after, &part)?;
                }
            }
            Stmt::BlockReduce { .. } | Stmt::BlockShared { .. } => self.of_block(f, stmt, mask)?,
            // As in Rust: the value first, then the place.
            Stmt::Assign(place, value) => {
                let values = self.value(f, value, &mut after)?;
                self.assign(f, place, after, &|lane, _| values[lane].clone())?;
            }
            Stmt::AssignOp(op, place, value) => {
                let values = self.expr(f, value, mask)?;
                let (left, right) = (f.scalar(place.ty), f.scalar(value.ty));
                self.assign(f, place, mask, &|lane, before| {
                    let b = values[lane].bits();
                    Value::One(numbers::binary(*op, left, before.bits(), right, b))
                })?;
            }
            Stmt::Expr(value) => {
                self.value(f, value, &mut after)?;
            }
            Stmt::Walk(walk) => self.walk(f, walk, mask)?,
            Stmt::While { condition, body, .. } => {
                return self.looped(f, mask, body, |this, f, live| {
                    Ok(holds(&this.expr(f, condition, live)?, live))
                });
            }
            Stmt::Loop { body, .. } => return self.looped(f, mask, body, |_, _, live| Ok(live)),
            Stmt::For { var, from, to, inclusive, body, .. } => {
                let ty = from.ty.scalar();
                let (from, to) = (self.expr(f, from, mask)?, self.expr(f, to, mask)?);
                let mut turn = 0i128;
                return self.looped(f, mask, body, |_, f, live| {
                    let at = |lane: usize| ty.integer(from[lane].bits()) + turn;
                    let last = i128::from(*inclusive);
                    let mut inside = 0;
                    for lane in lanes_of(live) {
                        let end = ty.integer(to[lane].bits()) + last;
                        inside |= u32::from(at(lane) < end) << lane;
                    }
                    f.vars[*var] = super::each(live, |lane| Value::One(ty.wrap(at(lane))));
                    turn += 1;
                    Ok(inside)
                });
            }
            Stmt::Break(target, _) => {
                f.loops[*target].broken |= mask;
                return Ok(0);
            }
            Stmt::Continue(target, _) => {
                f.loops[*target].continued |= mask;
                return Ok(0);
            }
            Stmt::Return(value) => {
                let values = self.value(f, value, &mut after)?;
                f.returned |= after;
                merge(&mut f.result, values, after);
                return Ok(0);
            }
        }
        Ok(after)
    }

    /// Turns of a loop while some lanes want another; the lanes after it.
    fn looped(
        &mut self,
        f: &mut Frame<'k>,
        mask: u32,
        body: &'k Block,
        mut head: impl FnMut(&mut Self, &mut Frame<'k>, u32) -> Result<u32, TooLong>,
    ) -> Result<u32, TooLong> {
        let (mut live, mut after) = (mask, 0);
        f.loops.push(Loop::default());
        while live != 0 {
            self.step()?;
            let mut inside = head(self, f, live)?;
            after |= live & !inside;
            if inside != 0 {
                self.block(f, body, &mut inside)?;
            }
            let turn = f.loops.last_mut().expect("it was pushed above");
            live = inside | std::mem::take(&mut turn.continued);
            after |= std::mem::take(&mut turn.broken);
        }
        f.loops.pop();
        Ok(after)
    }

    /// Replaces what is at a place, in every lane of the mask.
    fn assign(
        &mut self,
        f: &mut Frame<'k>,
        place: &'k Expr,
        mask: u32,
        new: &dyn Fn(usize, Value) -> Value,
    ) -> Result<(), TooLong> {
        match &place.kind {
            Kind::Var(var) => {
                for lane in lanes_of(mask) {
                    let before = f.vars[*var][lane].clone();
                    f.vars[*var][lane] = new(lane, before);
                }
            }
            Kind::Output => {
                for lane in lanes_of(mask) {
                    let slice = Slice::Output(place.ty);
                    let at = self.thread(lane);
                    let before = Value::of(place.ty, self.element(slice, at));
                    *self.element(slice, at) = new(lane, before).parts();
                }
            }
            Kind::Field(base, at) => {
                self.assign(f, base, mask, &|lane, whole| {
                    let mut parts = whole.parts();
                    parts[*at] = new(lane, Value::One(parts[*at])).bits();
                    Value::Many(parts)
                })?;
            }
            Kind::Elem(base, at) => {
                let at = self.expr(f, at, mask)?;
                self.assign(f, base, mask, &|lane, whole| {
                    let mut parts = whole.parts();
                    let part = &mut parts[index(&at[lane])];
                    *part = new(lane, Value::One(*part)).bits();
                    Value::Many(parts)
                })?;
            }
            other => panic!("{other:?} is no place"),
        }
        Ok(())
    }
}

fn merge(result: &mut Lanes, values: Lanes, mask: u32) {
    for lane in lanes_of(mask) {
        result[lane] = values[lane].clone();
    }
}

fn matches(pattern: &Pattern, scalar: Scalar, bits: u64) -> bool {
    let less = |op, a, b| numbers::binary(op, scalar, a, scalar, b) == 1;
    match *pattern {
        Pattern::Any | Pattern::Bind(_) => true,
        Pattern::Is(wanted) | Pattern::Named(_, wanted) => bits == wanted,
        Pattern::Range(from, to) => less(Op::Le, from, bits) && less(Op::Le, bits, to),
        Pattern::Until(from, to) => less(Op::Le, from, bits) && less(Op::Lt, bits, to),
    }
}
