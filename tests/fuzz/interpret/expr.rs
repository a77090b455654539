//! Expressions.

use super::{Frame, Lanes, TooLong, Value, Warp, each, holds, index, lanes_of, splat};
use crate::fuzz::language::{Expr, Fetch, Kind, Op, Slice, Word, numbers};

impl<'k> Warp<'k, '_> {
    pub(super) fn expr(
        &mut self,
        f: &mut Frame<'k>,
        expr: &'k Expr,
        mask: u32,
    ) -> Result<Lanes, TooLong> {
        self.step()?;
        Ok(match &expr.kind {
            Kind::Lit(bits) | Kind::Bare(bits) | Kind::Named(_, bits) => splat(*bits),
            Kind::NamedStruct(_, bits) => each(mask, |_| Value::Many(bits.to_vec())),
            Kind::Var(var) => f.vars[*var].clone(),
            Kind::Field(base, at) => {
                let base = self.expr(f, base, mask)?;
                each(mask, |lane| Value::One(base[lane].parts()[*at]))
            }
            Kind::Elem(base, at) => {
                let (base, at) = (self.expr(f, base, mask)?, self.expr(f, at, mask)?);
                each(mask, |lane| Value::One(base[lane].parts()[index(&at[lane])]))
            }
            Kind::Input(at) => {
                let at = self.expr(f, at, mask)?;
                let slice = Slice::Input(expr.ty);
                each(mask, |lane| Value::of(expr.ty, self.element(slice, index(&at[lane]))))
            }
            Kind::Output => {
                let slice = Slice::Output(expr.ty);
                each(mask, |lane| {
                    let at = self.thread(lane);
                    Value::of(expr.ty, self.element(slice, at))
                })
            }
            Kind::Word(word) => each(mask, |lane| Value::One(self.word(*word, lane))),
            Kind::Neg(a) => {
                let (ty, a) = (f.scalar(a.ty), self.expr(f, a, mask)?);
                each(mask, |lane| Value::One(numbers::neg(ty, a[lane].bits())))
            }
            Kind::Not(a) => {
                let (ty, a) = (a.ty.scalar(), self.expr(f, a, mask)?);
                each(mask, |lane| Value::One(numbers::not(ty, a[lane].bits())))
            }
            Kind::Binary(op @ (Op::LogicalAnd | Op::LogicalOr), a, b) => {
                let left = holds(&self.expr(f, a, mask)?, mask);
                let asked = if *op == Op::LogicalAnd { left } else { mask & !left };
                let right = if asked == 0 { 0 } else { holds(&self.expr(f, b, asked)?, asked) };
                let result = if *op == Op::LogicalAnd { right } else { left | right };
                each(mask, |lane| Value::One(u64::from(result >> lane & 1)))
            }
            Kind::Binary(op, a, b) => {
                let (ty, right) = (f.scalar(a.ty), f.scalar(b.ty));
                let (a, b) = (self.expr(f, a, mask)?, self.expr(f, b, mask)?);
                each(mask, |lane| {
                    Value::One(numbers::binary(*op, ty, a[lane].bits(), right, b[lane].bits()))
                })
            }
            Kind::Cast(a) => {
                let (from, to) = (f.scalar(a.ty), f.scalar(expr.ty));
                let a = self.expr(f, a, mask)?;
                each(mask, |lane| Value::One(numbers::cast(from, a[lane].bits(), to)))
            }
            Kind::Method(method, a, args) => {
                let ty = f.scalar(a.ty);
                let a = self.expr(f, a, mask)?;
                let b = match args.first() {
                    Some(b) => self.expr(f, b, mask)?,
                    None => splat(0),
                };
                each(mask, |lane| {
                    Value::One(numbers::method(*method, ty, a[lane].bits(), b[lane].bits()))
                })
            }
            Kind::Select(c, a, b) => {
                let taken = holds(&self.expr(f, c, mask)?, mask);
                let other = mask & !taken;
                let a = if taken == 0 { splat(0) } else { self.expr(f, a, taken)? };
                let b = if other == 0 { splat(0) } else { self.expr(f, b, other)? };
                each(mask, |lane| if taken >> lane & 1 == 1 { &a } else { &b }[lane].clone())
            }
            Kind::SelectBoth(c, a, b) => {
                let taken = holds(&self.expr(f, c, mask)?, mask);
                let (a, b) = (self.expr(f, a, mask)?, self.expr(f, b, mask)?);
                each(mask, |lane| if taken >> lane & 1 == 1 { &a } else { &b }[lane].clone())
            }
            Kind::Generic { args, .. } => {
                let args = self.all(f, args, mask)?;
                each(mask, |lane| args[if args[0][lane].bits() == 1 { 1 } else { 2 }][lane].clone())
            }
            Kind::Call(at, args) => {
                let inner = Frame::new(&self.kernel.functions[*at]);
                return self.call(f, inner, args, mask);
            }
            Kind::GenericCall(call) => {
                let inner = self.instance(f, call);
                return self.call(f, inner, &call.args, mask);
            }
            Kind::NumberConstant(at) => splat(super::generic::of_number(*at, f.scalar(expr.ty))),
            Kind::FamilyConstant(at, of, _) => {
                let value = self.of_family(*at, f.ty(*of));
                each(mask, |_| value.clone())
            }
            Kind::Constant => splat(f.constant as u64),
            Kind::Array(items) | Kind::Struct(items) | Kind::Tuple(items) => {
                let items = self.all(f, items, mask)?;
                each(mask, |lane| Value::Many(items.iter().map(|i| i[lane].bits()).collect()))
            }
            Kind::Repeat(item, length) => {
                let item = self.expr(f, item, mask)?;
                let length = f.given(*length);
                each(mask, |lane| Value::Many(vec![item[lane].bits(); length]))
            }
            Kind::Collective(name, group, args) => {
                let ty = args[0].ty;
                let args = self.all(f, args, mask)?;
                self.collective(*name, *group, ty, &args, mask)
            }
            Kind::Query(query, graph, args) => self.query(f, *query, *graph, args, mask)?,
            Kind::Dequeue(group, var) => self.dequeue(f, *group, *var, mask),
            Kind::Shared(fetch, at, value) => {
                let slice = Slice::Shared(value.ty.scalar());
                let (at, value) = (self.expr(f, at, mask)?, self.expr(f, value, mask)?);
                let cells: Vec<_> = (0..32).map(|lane| index(&at[lane])).collect();
                self.fetch(*fetch, slice, &cells, &[value], mask)
            }
            Kind::Private(fetch, args) => {
                let scalar = args.first().map_or(expr.ty, |value| value.ty).scalar();
                let args = self.all(f, args, mask)?;
                let cells: Vec<_> = (0..32).map(|lane| self.thread(lane)).collect();
                self.fetch(*fetch, Slice::Private(scalar), &cells, &args, mask)
            }
            Kind::If(..) | Kind::Match(..) | Kind::Block(_) => {
                let mut all = mask;
                let value = self.value(f, expr, &mut all)?;
                assert_eq!(all, mask, "lanes leave in the middle of an expression");
                value
            }
        })
    }

    pub(super) fn all(
        &mut self,
        f: &mut Frame<'k>,
        args: &'k [Expr],
        mask: u32,
    ) -> Result<Vec<Lanes>, TooLong> {
        args.iter().map(|arg| self.expr(f, arg, mask)).collect()
    }

    fn word(&self, word: Word, lane: usize) -> u64 {
        match word {
            Word::LaneId => lane as u64,
            Word::ThreadId | Word::Me => self.thread(lane) as u64,
            Word::LanesBelow => (1 << lane) - 1,
            Word::GlobalWarpId => self.id as u64,
            Word::WarpCount => crate::fuzz::memory::THREADS as u64 / 32,
            Word::TileLaneId(group) => lane as u64 % u64::from(group),
        }
    }

    fn call(
        &mut self,
        f: &mut Frame<'k>,
        mut inner: Frame<'k>,
        args: &'k [Expr],
        mask: u32,
    ) -> Result<Lanes, TooLong> {
        let function = inner.function;
        let args = self.all(f, args, mask)?;
        for (&param, values) in function.params.iter().zip(args) {
            inner.vars[param] = values;
        }
        let mut rest = mask;
        let values = self.block(&mut inner, &function.body, &mut rest)?;
        let mut result = inner.result;
        for lane in lanes_of(rest) {
            result[lane] = values[lane].clone();
        }
        Ok(result)
    }

    /// One atomic operation in every lane, the lowest first.
    pub(super) fn fetch(
        &mut self,
        fetch: Fetch,
        slice: Slice,
        cells: &[usize],
        args: &[Lanes],
        mask: u32,
    ) -> Lanes {
        let (Slice::Shared(ty) | Slice::Private(ty)) = slice else { unreachable!("atomics") };
        each(mask, |lane| {
            let arg = |at: usize| args[at][lane].bits();
            let cell = self.element(slice, cells[lane]);
            let before = cell[0];
            let binary = |op| numbers::binary(op, ty, before, ty, arg(0));
            cell[0] = match fetch {
                Fetch::Load => before,
                Fetch::Store | Fetch::Swap => arg(0),
                Fetch::CompareAndSwap if before == arg(0) => arg(1),
                Fetch::CompareAndSwap => before,
                Fetch::Add => binary(Op::Add),
                Fetch::Sub => binary(Op::Sub),
                Fetch::And => binary(Op::And),
                Fetch::Or => binary(Op::Or),
                Fetch::Xor => binary(Op::Xor),
                Fetch::Min => numbers::extreme(ty, before, arg(0), false),
                Fetch::Max => numbers::extreme(ty, before, arg(0), true),
            };
            Value::One(before)
        })
    }
}
