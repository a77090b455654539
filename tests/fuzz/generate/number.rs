//! Numbers: arithmetic, casts, comparisons, methods.

use super::expr::{as_type, binary, boxed, lit, masked};
use super::scope::Level;
use super::{Scale, Writer};
use crate::fuzz::language::{Expr, Kind, Method, Op, Scalar, Ty, Word};
use crate::fuzz::memory::{self, INPUTS};
use crate::fuzz::print::named;

impl Writer<'_> {
    pub(super) fn number(&mut self, scalar: Scalar, level: Level, mut depth: usize) -> Expr {
        if self.scale == Scale::Small && depth > 1 && self.random.percent(50) {
            depth -= 1;
        }
        if depth == 0 {
            return self.leaf(scalar, level);
        }
        let found = match self.random.below(22) {
            0 | 1 => return self.leaf(scalar, level),
            2 => self.part(Ty::Scalar(scalar), level, depth - 1),
            3 if level == Level::Lane => self.call(Ty::Scalar(scalar), depth),
            4 => Some(self.select(Ty::Scalar(scalar), level, depth)),
            5 | 6 => self.exchange(Ty::Scalar(scalar), level, depth),
            7 if level == Level::Lane => self.private(scalar, depth),
            8 => self.silent_effect(scalar, level, depth),
            9 => self.guarded(scalar, level, depth),
            14 | 15 => self.query(scalar, level),
            10..=13 if self.plain => self.generic_number(scalar, level, depth),
            10 | 11 => self.generic_number(scalar, level, depth),
            _ => None,
        };
        if let Some(found) = found {
            return found;
        }
        match scalar {
            Scalar::Bool => self.boolean(level, depth),
            Scalar::F32 | Scalar::F64 => self.float(scalar, level, depth),
            _ => self.integer(scalar, level, depth),
        }
    }

    pub(super) fn leaf(&mut self, scalar: Scalar, level: Level) -> Expr {
        let ty = Ty::Scalar(scalar);
        match self.random.below(10) {
            0..=4 => {
                if let Some(var) = self.variable(ty, level) {
                    return var;
                }
                if let Some(cast) = self.cast_variable(scalar, level) {
                    return cast;
                }
                return self.own_input(ty, level);
            }
            5 if self.plain => {
                if let Some(cast) = self.cast_variable(scalar, level) {
                    return cast;
                }
            }
            5 | 6 => return self.own_input(ty, level),
            7 if self.constant.is_some() && scalar != Scalar::Bool => {
                let constant = Expr { ty: Ty::Scalar(Scalar::U32), kind: Kind::Constant };
                return match scalar {
                    Scalar::U32 => constant,
                    _ => Expr { ty, kind: Kind::Cast(boxed(constant)) },
                };
            }
            7 if scalar == Scalar::U32 => return self.word(level),
            8 => {
                if self.random.percent(50)
                    && let Some(constant) = self.family_constant(scalar)
                {
                    return constant;
                }
                let (text, bits) = self.random.pick(named(scalar));
                return Expr { ty, kind: Kind::Named(text, bits) };
            }
            // In the closure of a group's walk the own item is another lane's.
            9 if self.is_kernel
                && level == Level::Lane
                && !(self.is_operator && self.walks > 0) =>
            {
                self.slices.insert(crate::fuzz::language::Slice::Output(ty));
                return Expr { ty, kind: Kind::Output };
            }
            _ => {}
        }
        lit(scalar, self.literal(scalar))
    }

    /// A variable of another type.
    fn cast_variable(&mut self, scalar: Scalar, level: Level) -> Option<Expr> {
        let castable = |from: Scalar| match scalar {
            Scalar::Bool => false,
            _ => scalar.is_integer() || from != Scalar::Bool,
        };
        let vars =
            self.scope.readable(|ty| matches!(ty, Ty::Scalar(from) if castable(from)), level);
        if vars.is_empty() || !self.plain && self.random.percent(50) {
            return None;
        }
        let var = self.random.pick(&vars);
        let value = Expr { ty: self.scope.vars[var].ty, kind: Kind::Var(var) };
        Some(Expr { ty: Ty::Scalar(scalar), kind: Kind::Cast(boxed(value)) })
    }

    /// The lane's element of an input, if lanes may differ.
    fn own_input(&mut self, ty: Ty, level: Level) -> Expr {
        if level != Level::Lane || self.plain {
            return self.input(ty, level, 0);
        }
        let of = self.taken_input(ty);
        let words: &[Word] = match self.is_operator {
            true => &[Word::Me],
            false => &[Word::ThreadId, Word::LaneId, Word::Me],
        };
        let word = self.random.pick(words);
        let lane = Expr { ty: Ty::Scalar(Scalar::U32), kind: Kind::Word(word) };
        let input = Kind::Input(boxed(masked(lane, INPUTS as u64 - 1)));
        as_type(Expr { ty: of, kind: input }, ty)
    }

    pub(super) fn literal(&mut self, scalar: Scalar) -> u64 {
        let bits = memory::value(self.random, scalar);
        if scalar.is_float() && scalar.float(bits).is_nan() { 0 } else { bits }
    }

    fn word(&mut self, level: Level) -> Expr {
        let u32 = Ty::Scalar(Scalar::U32);
        if self.is_operator {
            let is_told = level == Level::Lane && !self.plain;
            let kind = if is_told { Kind::Word(Word::Me) } else { Kind::Lit(5) };
            return Expr { ty: u32, kind };
        }
        let mut words = vec![Word::GlobalWarpId, Word::WarpCount];
        if level == Level::Lane {
            words.extend([Word::LaneId, Word::LaneId, Word::ThreadId, Word::LanesBelow]);
            for group in [4, 8, 16] {
                if self.scope.here() <= Level::of_group(group) {
                    words.push(Word::TileLaneId(group));
                }
            }
        }
        let word = self.random.pick(&words);
        if let Word::TileLaneId(group) = word {
            self.group = self.group.max(group);
        }
        Expr { ty: Ty::Scalar(Scalar::U32), kind: Kind::Word(word) }
    }

    fn integer(&mut self, scalar: Scalar, level: Level, depth: usize) -> Expr {
        let ty = Ty::Scalar(scalar);
        let next = depth - 1;
        let of = |kind| Expr { ty, kind };
        match self.random.below(16) {
            0..=4 => {
                let op = self.random.pick(&[Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor]);
                let a = self.number(scalar, level, next);
                let b = self.right(&a, scalar, level, next);
                binary(op, scalar, a, b)
            }
            5 => {
                let op = self.random.pick(&[Op::Div, Op::Rem]);
                let (a, b) = (self.number(scalar, level, next), self.number(scalar, level, next));
                binary(op, scalar, a, binary(Op::Or, scalar, b, lit(scalar, 1)))
            }
            6 | 7 => {
                let op = self.random.pick(&[Op::Shl, Op::Shr]);
                let a = self.number(scalar, level, next);
                let b = self.distance(level, next);
                binary(op, scalar, a, b)
            }
            8 if scalar.is_signed() => of(Kind::Neg(boxed(self.number(scalar, level, next)))),
            8 | 9 => of(Kind::Not(boxed(self.number(scalar, level, next)))),
            10 if scalar == Scalar::U32 => self.count(level, next),
            10 => self.integer_method(scalar, level, next),
            11 => self.integer_method(scalar, level, next),
            12 => self.literal_cast(scalar, level, next),
            13 => self.constant(scalar),
            _ => {
                let from = self.any_of(&Scalar::ALL);
                of(Kind::Cast(boxed(self.number(from, level, next))))
            }
        }
    }

    /// What is shifted by: a number whose type is nobody's business is an `i32`.
    pub(super) fn distance(&mut self, level: Level, depth: usize) -> Expr {
        if self.random.percent(40) {
            return lit(Scalar::I32, self.random.below(70) as u64);
        }
        let scalar = self.any_of(&Scalar::INTEGERS);
        self.number(scalar, level, depth)
    }

    /// A literal under a cast, which has the type of the cast if it is a number of the
    /// same kind, also after a sign; of the other kind, `i32` or `f64`.
    fn literal_cast(&mut self, scalar: Scalar, level: Level, depth: usize) -> Expr {
        let other = if scalar.is_float() { Scalar::I32 } else { Scalar::F64 };
        let of = if self.random.percent(70) { scalar } else { other };
        let (ty, mut value) = (Ty::Scalar(of), lit(of, self.literal(of)));
        if !of.is_float() && self.random.percent(20) {
            value = Expr { ty, kind: Kind::Not(boxed(value)) };
        }
        if (of.is_signed() || of.is_float()) && self.random.percent(30) {
            value = Expr { ty, kind: Kind::Neg(boxed(value)) };
        }
        // A choice hands the cast's type to neither side.
        if self.random.percent(15) {
            let (condition, other) = (self.condition(level, depth), lit(of, self.literal(of)));
            value = Expr { ty, kind: Kind::Select(boxed(condition), boxed(value), boxed(other)) };
        }
        Expr { ty: Ty::Scalar(scalar), kind: Kind::Cast(boxed(value)) }
    }

    /// Literals alone, whose type comes from afar.
    fn constant(&mut self, scalar: Scalar) -> Expr {
        let a = lit(scalar, self.literal(scalar));
        if self.random.percent(40) {
            let op = self.random.pick(&[Op::Shl, Op::Shr]);
            return binary(op, scalar, a, lit(Scalar::I32, self.random.below(70) as u64));
        }
        let op = self.random.pick(&[Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor]);
        binary(op, scalar, a, lit(scalar, self.literal(scalar)))
    }

    /// A right operand, often a literal.
    fn right(&mut self, left: &Expr, scalar: Scalar, level: Level, depth: usize) -> Expr {
        if !matches!(left.kind, Kind::Lit(_)) && self.random.percent(20) {
            let bits = match scalar.is_float() {
                true => crate::fuzz::language::numbers::cast(
                    Scalar::I8,
                    self.random.bits() & 0x7f,
                    scalar,
                ),
                false => self.literal(scalar),
            };
            return lit(scalar, bits);
        }
        self.number(scalar, level, depth)
    }

    fn integer_method(&mut self, scalar: Scalar, level: Level, depth: usize) -> Expr {
        let mut methods = vec![
            Method::Min,
            Method::Max,
            Method::WrappingAdd,
            Method::WrappingSub,
            Method::WrappingMul,
            Method::SaturatingAdd,
        ];
        if scalar.is_signed() {
            methods.extend([Method::Abs, Method::Abs]);
        }
        let method = self.random.pick(&methods);
        let receiver = boxed(self.number(scalar, level, depth));
        let args = match method {
            Method::Abs => vec![],
            _ => vec![self.number(scalar, level, depth)],
        };
        Expr { ty: Ty::Scalar(scalar), kind: Kind::Method(method, receiver, args) }
    }

    /// Bits counted, or a float's own.
    fn count(&mut self, level: Level, depth: usize) -> Expr {
        let ty = Ty::Scalar(Scalar::U32);
        let counts = [Method::CountOnes, Method::LeadingZeros, Method::TrailingZeros];
        let (method, value) = if self.random.percent(20) {
            // The bits of a NaN are not certain.
            let vars = self.scope.readable(|ty| ty == Ty::Scalar(Scalar::F32), level);
            let value = match vars.first() {
                Some(&var) => Expr { ty: Ty::Scalar(Scalar::F32), kind: Kind::Var(var) },
                None => {
                    // It stands in a branch that may part lanes.
                    self.scope.push(level);
                    let value = self.input(Ty::Scalar(Scalar::F32), level, 0);
                    self.scope.pop();
                    value
                }
            };
            let nan = Expr {
                ty: Ty::Scalar(Scalar::Bool),
                kind: Kind::Method(Method::IsNan, boxed(value.clone()), vec![]),
            };
            let kind = Kind::Select(boxed(nan), boxed(lit(Scalar::F32, 0)), boxed(value));
            (Method::ToBits, Expr { ty: Ty::Scalar(Scalar::F32), kind })
        } else {
            let of = self.any_of(&Scalar::INTEGERS);
            (self.random.pick(&counts), self.number(of, level, depth))
        };
        Expr { ty, kind: Kind::Method(method, boxed(value), vec![]) }
    }

    fn float(&mut self, scalar: Scalar, level: Level, depth: usize) -> Expr {
        let ty = Ty::Scalar(scalar);
        let next = depth - 1;
        let of = |kind| Expr { ty, kind };
        match self.random.below(11) {
            0..=4 => {
                let op = self.random.pick(&[Op::Add, Op::Sub, Op::Mul, Op::Div]);
                let a = self.number(scalar, level, next);
                let b = self.right(&a, scalar, level, next);
                binary(op, scalar, a, b)
            }
            5 => of(Kind::Neg(boxed(self.number(scalar, level, next)))),
            6 => {
                let method = self.random.pick(&[Method::Sqrt, Method::Abs]);
                of(Kind::Method(method, boxed(self.number(scalar, level, next)), vec![]))
            }
            7 => {
                let method = self.random.pick(&[Method::Min, Method::Max]);
                let a = boxed(self.number(scalar, level, next));
                let b = self.number(scalar, level, next);
                signless(of(Kind::Method(method, a, vec![b])))
            }
            8 => self.literal_cast(scalar, level, next),
            _ => {
                let from = self.any_of(&Scalar::ALL[1..]);
                of(Kind::Cast(boxed(self.number(from, level, next))))
            }
        }
    }

    fn boolean(&mut self, level: Level, depth: usize) -> Expr {
        let ty = Ty::Scalar(Scalar::Bool);
        let next = depth - 1;
        match self.random.below(12) {
            0..=5 => {
                let of = self.any_scalar();
                let ops: &[Op] = &[Op::Lt, Op::Gt, Op::Le, Op::Ge, Op::Eq, Op::Ne];
                let ops = if of == Scalar::Bool { &ops[4..] } else { ops };
                let op = self.random.pick(ops);
                let a = self.number(of, level, next);
                let b = self.right(&a, of, level, next);
                binary(op, Scalar::Bool, a, b)
            }
            6..=8 => {
                let op = self.random.pick(&[Op::LogicalAnd, Op::LogicalOr]);
                let apart = self.inner_level(level);
                let a = self.number(Scalar::Bool, apart, next);
                self.scope.push(apart);
                let certain = self.pure == 0;
                let effect = level == Level::Lane && certain && self.random.percent(15);
                let b = if effect {
                    self.lone_effect()
                } else {
                    self.number(Scalar::Bool, level, next)
                };
                self.scope.pop();
                binary(op, Scalar::Bool, a, b)
            }
            9 => {
                let op = self.random.pick(&[Op::And, Op::Or, Op::Xor]);
                let a = self.number(Scalar::Bool, level, next);
                let b = self.number(Scalar::Bool, level, next);
                binary(op, Scalar::Bool, a, b)
            }
            10 => {
                let of = self.random.pick(&[Scalar::F32, Scalar::F64]);
                let value = boxed(self.number(of, level, next));
                Expr { ty, kind: Kind::Method(Method::IsNan, value, vec![]) }
            }
            _ => Expr { ty, kind: Kind::Not(boxed(self.number(Scalar::Bool, level, next))) },
        }
    }

    /// What only some lanes may compute: a division, or an element in range.
    fn guarded(&mut self, scalar: Scalar, level: Level, depth: usize) -> Option<Expr> {
        let at = if scalar.is_integer() { scalar } else { Scalar::U32 };
        let vars = self.scope.readable(|ty| ty == Ty::Scalar(at), level);
        if vars.is_empty() {
            return None;
        }
        let var = self.random.pick(&vars);
        let value = || Expr { ty: Ty::Scalar(at), kind: Kind::Var(var) };
        let apart = self.scope.level(var);
        self.scope.push(apart);
        let otherwise = boxed(self.number(scalar, level, depth - 1));
        let dividend = self.number(scalar, level, depth - 1);
        self.scope.pop();
        let (op, limit, then) = if scalar.is_integer() && self.random.percent(60) {
            let op = self.random.pick(&[Op::Div, Op::Rem]);
            (Op::Ne, lit(at, 0), binary(op, scalar, dividend, value()))
        } else if at == Scalar::U32 && !self.plain {
            let ty = Ty::Scalar(scalar);
            let of = self.taken_input(ty);
            let then = as_type(Expr { ty: of, kind: Kind::Input(boxed(value())) }, ty);
            (Op::Lt, lit(at, INPUTS as u64), then)
        } else {
            return None;
        };
        let test = binary(op, Scalar::Bool, value(), limit);
        if scalar == Scalar::Bool {
            return Some(binary(Op::LogicalAnd, Scalar::Bool, test, then));
        }
        let kind = Kind::Select(boxed(test), boxed(then), otherwise);
        Some(Expr { ty: Ty::Scalar(scalar), kind })
    }

    /// A small number that is not negative, for the bounds of loops.
    pub(super) fn small(&mut self, scalar: Scalar, level: Level, mask: u64) -> Expr {
        let value = self.number(scalar, level, 1);
        masked(value, mask)
    }
}

/// Of zeros of both signs `min` and `max` may give either.
pub(super) fn signless(value: Expr) -> Expr {
    let scalar = value.ty.scalar();
    binary(Op::Add, scalar, value, lit(scalar, 0))
}
