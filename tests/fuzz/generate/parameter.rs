//! Values whose type is a parameter, and what is known of them.

use super::Writer;
use super::expr::{binary, boxed, lit};
use super::scope::Level;
use crate::fuzz::language::{Bound, Expr, Kind, Method, Op, Scalar, Ty};

impl Writer<'_> {
    /// A value of a type parameter.
    pub(super) fn of_parameter(&mut self, at: usize, level: Level, depth: usize) -> Expr {
        let ty = Ty::Param(at);
        if depth == 0 || self.random.percent(15) {
            return self.parameter_leaf(at, level);
        }
        let found = match self.random.below(8) {
            0 => self.part(ty, level, depth - 1),
            1 | 2 if level == Level::Lane => self.call(ty, depth),
            3 => Some(self.select(ty, level, depth)),
            _ => None,
        };
        if let Some(found) = found {
            return found;
        }
        if self.generics[at].bound.number {
            return self.arithmetic(at, level, depth - 1);
        }
        let call = if level == Level::Lane { self.generic_call(ty, depth) } else { None };
        call.unwrap_or_else(|| self.parameter_leaf(at, level))
    }

    fn parameter_leaf(&mut self, at: usize, level: Level) -> Expr {
        let ty = Ty::Param(at);
        if self.random.percent(75)
            && let Some(var) = self.variable(ty, level)
        {
            return var;
        }
        if self.is_code(at) {
            let small = lit(Scalar::U32, self.random.below(100) as u64);
            return Expr { ty, kind: Kind::Cast(boxed(small)) };
        }
        let bound = self.generics[at].bound;
        let kind = if bound.number && (!bound.family || self.random.percent(50)) {
            Kind::NumberConstant(self.random.pick(&[0, 1, 1, 2, 3]))
        } else {
            Kind::FamilyConstant(0, ty, self.random.percent(30))
        };
        Expr { ty, kind }
    }

    /// Whether it is the type of another, `T::Code`: rustc finds neither its constants nor
    /// its `min`, and what stands for them, a call, differs from lane to lane.
    pub(super) fn is_code(&self, at: usize) -> bool {
        self.generics[at].of.is_some()
    }

    fn zero(&self, at: usize) -> Expr {
        let kind = match self.is_code(at) {
            true => Kind::Cast(boxed(lit(Scalar::U32, 0))),
            false => Kind::NumberConstant(0),
        };
        Expr { ty: Ty::Param(at), kind }
    }

    fn arithmetic(&mut self, at: usize, level: Level, depth: usize) -> Expr {
        let ty = Ty::Param(at);
        let bound = self.generics[at].bound;
        let of = |kind| Expr { ty, kind };
        let two = |op, a, b| of(Kind::Binary(op, boxed(a), boxed(b)));
        match self.random.below(12) {
            5 => self.division(at, level, depth),
            6 if !self.is_code(at) => {
                let method = self.random.pick(&[Method::Min, Method::Max]);
                let a = boxed(self.of_parameter(at, level, depth));
                let b = self.of_parameter(at, level, depth);
                // Of zeros of both signs it may be either.
                two(Op::Add, of(Kind::Method(method, a, vec![b])), of(Kind::NumberConstant(0)))
            }
            // What a function gives differs from lane to lane.
            7 if level == Level::Lane => {
                of(Kind::Cast(boxed(self.number(Scalar::U32, level, depth))))
            }
            8 | 9 if bound.float => {
                let value = boxed(self.of_parameter(at, level, depth));
                of(match self.random.below(4) {
                    0 => Kind::Neg(value),
                    1 if level == Level::Lane => {
                        Kind::Cast(boxed(self.number(Scalar::F64, level, depth)))
                    }
                    2 => Kind::Method(Method::Abs, value, vec![]),
                    _ => Kind::Method(Method::Sqrt, value, vec![]),
                })
            }
            _ => {
                let op = self.random.pick(&[Op::Add, Op::Sub, Op::Mul]);
                let a = self.of_parameter(at, level, depth);
                let b = self.of_parameter(at, level, depth);
                two(op, a, b)
            }
        }
    }

    /// A quotient, if there is one.
    fn division(&mut self, at: usize, level: Level, depth: usize) -> Expr {
        let ty = Ty::Param(at);
        let whole = self.generics[at].bound.whole;
        let divisor = self.parameter_leaf(at, level);
        self.scope.push(level);
        let dividend = self.of_parameter(at, level, depth);
        let otherwise = self.of_parameter(at, level, depth);
        self.scope.pop();
        let op = if whole { self.random.pick(&[Op::Div, Op::Rem]) } else { Op::Div };
        let zero = self.zero(at);
        let test = binary(Op::Ne, Scalar::Bool, divisor.clone(), zero);
        let then = Expr { ty, kind: Kind::Binary(op, boxed(dividend), boxed(divisor)) };
        Expr { ty, kind: Kind::Select(boxed(test), boxed(then), boxed(otherwise)) }
    }

    /// A known number that comes from what is generic.
    pub(super) fn generic_number(
        &mut self,
        scalar: Scalar,
        level: Level,
        depth: usize,
    ) -> Option<Expr> {
        let ty = Ty::Scalar(scalar);
        let number = Bound { number: true, ..Bound::default() };
        let is_number = |at: &usize| {
            self.generics[*at].bound.implies(number) && (level == Level::Lane || !self.is_code(*at))
        };
        let numbers: Vec<_> = (0..self.generics.len()).filter(is_number).collect();
        match (scalar, self.random.below(3)) {
            (Scalar::F64, 0 | 1) if !numbers.is_empty() && level == Level::Lane => {
                let at = self.random.pick(&numbers);
                let value = self.of_parameter(at, level, depth - 1);
                Some(Expr { ty, kind: Kind::Cast(boxed(value)) })
            }
            (Scalar::Bool, 0 | 1) if !numbers.is_empty() => {
                let at = self.random.pick(&numbers);
                let op = self.random.pick(&[Op::Lt, Op::Gt, Op::Le, Op::Ge, Op::Eq, Op::Ne]);
                let a = self.of_parameter(at, level, depth - 1);
                let b = self.of_parameter(at, level, depth - 1);
                Some(binary(op, scalar, a, b))
            }
            (Scalar::U32, 0) if self.constant.is_some() => Some(Expr { ty, kind: Kind::Constant }),
            (_, 0 | 1) => self.family_constant(scalar),
            _ if level == Level::Lane => self.generic_call(ty, depth),
            _ => None,
        }
    }

    /// A constant of the trait: of this type, or a number that each type has its own of.
    pub(super) fn family_constant(&mut self, scalar: Scalar) -> Option<Expr> {
        let family = self.family?;
        let ty = Ty::Scalar(scalar);
        let any = Bound { family: true, ..Bound::default() };
        let fits: Vec<_> =
            (0..family.constants.len()).filter(|&at| family.constants[at].ty == ty).collect();
        let (at, of) = if family.types.contains(&ty) && (fits.is_empty() || self.random.percent(50))
        {
            (0, ty)
        } else if fits.is_empty() {
            return None;
        } else {
            (self.random.pick(&fits), self.type_of(any)?)
        };
        Some(Expr { ty, kind: Kind::FamilyConstant(at, of, self.random.percent(30)) })
    }

    /// `[T; N]`
    pub(super) fn row(&mut self, ty: Ty, level: Level, depth: usize) -> Expr {
        if self.random.percent(60)
            && let Some(var) = self.variable(ty, level)
        {
            return var;
        }
        if level == Level::Lane
            && self.random.percent(20)
            && let Some(call) = self.generic_call(ty, depth)
        {
            return call;
        }
        let item = self.expr(ty.pieces()[0], level, 0);
        let length = crate::fuzz::language::Given::Own;
        Expr { ty, kind: Kind::Repeat(boxed(item), length) }
    }

    /// An index into `[T; N]`.
    pub(super) fn index_below_own(&mut self, level: Level, depth: usize) -> Expr {
        let u32 = Ty::Scalar(Scalar::U32);
        let length = Expr { ty: u32, kind: Kind::Constant };
        if self.random.percent(30) {
            return binary(Op::Sub, Scalar::U32, length, lit(Scalar::U32, 1));
        }
        let at = self.number(Scalar::U32, level, depth.min(1));
        binary(Op::Rem, Scalar::U32, at, length)
    }
}
