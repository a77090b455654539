//! Expressions of any type, and where their parts come from.

use super::Writer;
use super::scope::Level;
use crate::fuzz::language::{
    Expr, Function, GENERICS, Given, Kind, OWN, Scalar, Slice, TUPLES, Ty,
};
use crate::fuzz::memory::INPUTS;
use crate::fuzz::print::named_struct;

impl Writer<'_> {
    /// An expression at most as apart as `level`.
    pub(super) fn expr(&mut self, ty: Ty, level: Level, depth: usize) -> Expr {
        match ty {
            Ty::Scalar(scalar) => self.number(scalar, level, depth),
            Ty::Array(scalar, length) => self.array(scalar, length, level, depth),
            Ty::Struct(_) | Ty::Tuple(_) | Ty::Couple(_) => self.structure(ty, level, depth),
            Ty::Param(at) => self.of_parameter(at, level, depth),
            Ty::Row(_) => self.row(ty, level, depth),
            Ty::Unit => unreachable!("no expression has no value"),
        }
    }

    pub(super) fn scalar(&mut self, scalar: Scalar, level: Level, depth: usize) -> Expr {
        self.expr(Ty::Scalar(scalar), level, depth)
    }

    pub(super) fn condition(&mut self, level: Level, depth: usize) -> Expr {
        // A constant condition teaches little.
        for _ in 0..4 {
            let condition = self.number(Scalar::Bool, level, depth.max(1));
            if !matches!(condition.kind, Kind::Lit(_) | Kind::Named(..)) {
                return condition;
            }
        }
        self.number(Scalar::Bool, level, depth)
    }

    /// A variable of the type, if there is one.
    pub(super) fn variable(&mut self, ty: Ty, level: Level) -> Option<Expr> {
        let vars = self.scope.readable(|found| found == ty, level);
        (!vars.is_empty()).then(|| Expr { ty, kind: Kind::Var(self.random.pick(&vars)) })
    }

    fn array(&mut self, scalar: Scalar, length: usize, level: Level, depth: usize) -> Expr {
        let ty = Ty::Array(scalar, length);
        if self.random.percent(50)
            && let Some(var) = self.variable(ty, level)
        {
            return var;
        }
        if level == Level::Lane
            && self.random.percent(15)
            && let Some(call) = self.call(ty, depth)
        {
            return call;
        }
        let depth = depth.saturating_sub(1);
        // A repeated expression is written out, so it has no effects.
        if self.random.percent(30) {
            let item = self.leaf(scalar, level);
            return Expr { ty, kind: Kind::Repeat(Box::new(item), Given::Fixed(length)) };
        }
        let items = (0..length).map(|_| self.number(scalar, level, depth.min(2))).collect();
        Expr { ty, kind: Kind::Array(items) }
    }

    fn structure(&mut self, ty: Ty, level: Level, depth: usize) -> Expr {
        match self.random.below(10) {
            0..=3 => {
                if let Some(var) = self.variable(ty, level) {
                    return var;
                }
            }
            4 if level == Level::Lane => {
                if let Some(call) = self.call(ty, depth) {
                    return call;
                }
            }
            5 | 6 if matches!(ty, Ty::Struct(at) if at != OWN) => {
                return self.input(ty, level, depth);
            }
            7 if depth > 0 => {
                if let Some(found) = self.exchange(ty, level, depth) {
                    return found;
                }
            }
            8 if depth > 0 => return self.select(ty, level, depth),
            9 => {
                if let Some((text, bits)) = named_struct(ty) {
                    return Expr { ty, kind: Kind::NamedStruct(text, bits) };
                }
            }
            _ => {}
        }
        self.parts(ty, level, depth.saturating_sub(1))
    }

    /// A struct or a tuple by its parts.
    pub(super) fn parts(&mut self, ty: Ty, level: Level, depth: usize) -> Expr {
        let parts = ty.pieces().iter().map(|&part| self.expr(part, level, depth)).collect();
        let is_tuple = matches!(ty, Ty::Tuple(_));
        Expr { ty, kind: if is_tuple { Kind::Tuple(parts) } else { Kind::Struct(parts) } }
    }

    pub(super) fn any_tuple(&mut self) -> Ty {
        Ty::Tuple(self.random.below(TUPLES.len()))
    }

    /// An element of an input, at an index in range.
    pub(super) fn input(&mut self, ty: Ty, level: Level, depth: usize) -> Expr {
        match ty {
            Ty::Scalar(scalar) if self.plain => return lit(scalar, self.literal(scalar)),
            _ if self.plain => return self.parts(ty, level, 0),
            _ => {}
        }
        let of = self.taken_input(ty);
        let at = self.index(INPUTS, level, depth);
        as_type(Expr { ty: of, kind: Kind::Input(Box::new(at)) }, ty)
    }

    /// An input for a value of the type: that of another number, once the function takes
    /// as many as it likes to.
    pub(super) fn taken_input(&mut self, ty: Ty) -> Ty {
        let inputs = self.slices.iter().filter_map(|slice| match slice {
            Slice::Input(of @ Ty::Scalar(_)) => Some(*of),
            _ => None,
        });
        let inputs: Vec<_> = inputs.collect();
        let castable = |of: &&Ty| match ty {
            Ty::Scalar(Scalar::Bool) => false,
            Ty::Scalar(scalar) => scalar.is_integer() || **of != Ty::Scalar(Scalar::Bool),
            _ => false,
        };
        let others: Vec<_> = inputs.iter().filter(castable).copied().collect();
        let of = match inputs.len() < self.width || inputs.contains(&ty) || others.is_empty() {
            true => ty,
            false => self.random.pick(&others),
        };
        self.slices.insert(Slice::Input(of));
        of
    }

    /// An index below a power of two.
    pub(super) fn index(&mut self, length: usize, level: Level, depth: usize) -> Expr {
        if depth == 0 && self.random.percent(40) || length == 1 {
            return lit(Scalar::U32, self.random.below(length) as u64);
        }
        let at = self.number(Scalar::U32, level, depth.min(1));
        masked(at, length as u64 - 1)
    }

    /// A part of a variable: a field, or an element.
    pub(super) fn part(&mut self, piece: Ty, level: Level, depth: usize) -> Option<Expr> {
        let vars = self.scope.readable(|ty| ty.pieces().contains(&piece), level);
        if vars.is_empty() {
            return None;
        }
        let var = self.random.pick(&vars);
        Some(self.part_of(var, piece, level, depth))
    }

    /// A part of this variable that has this type.
    pub(super) fn part_of(&mut self, var: usize, piece: Ty, level: Level, depth: usize) -> Expr {
        let ty = self.scope.vars[var].ty;
        let base = Box::new(Expr { ty, kind: Kind::Var(var) });
        let kind = match ty {
            Ty::Array(_, length) => {
                let at = self.index(length, level, depth);
                Kind::Elem(base, Box::new(at))
            }
            Ty::Row(_) => {
                let at = self.index_below_own(level, depth);
                Kind::Elem(base, Box::new(at))
            }
            _ => {
                let pieces = ty.pieces();
                let fits: Vec<_> = (0..pieces.len()).filter(|&at| pieces[at] == piece).collect();
                Kind::Field(base, self.random.pick(&fits))
            }
        };
        Expr { ty: piece, kind }
    }

    /// `if c { a } else { b }` or `select(c, a, b)` in an expression.
    pub(super) fn select(&mut self, ty: Ty, level: Level, depth: usize) -> Expr {
        let apart = self.inner_level(level);
        let condition = self.condition(apart, depth - 1);
        if self.random.percent(40) {
            let (a, b) = (self.expr(ty, level, depth - 1), self.expr(ty, level, depth - 1));
            // What a function gives differs from lane to lane.
            if level == Level::Lane && self.random.percent(50) {
                let (name, written) = (self.random.pick(&GENERICS), self.random.percent(30));
                return Expr {
                    ty,
                    kind: Kind::Generic { name, written, args: vec![condition, a, b] },
                };
            }
            return Expr { ty, kind: Kind::SelectBoth(boxed(condition), boxed(a), boxed(b)) };
        }
        self.scope.push(apart);
        let (a, b) = (self.expr(ty, level, depth - 1), self.expr(ty, level, depth - 1));
        self.scope.pop();
        Expr { ty, kind: Kind::Select(boxed(condition), boxed(a), boxed(b)) }
    }

    /// A level for a condition inside something of `level`.
    pub(super) fn inner_level(&mut self, level: Level) -> Level {
        let any = self.random.pick(&[Level::Warp, Level::Lane, Level::Lane, Level::Tile8]);
        any.min(level)
    }

    /// A call of a device function, where its collectives may stand. What it
    /// returns differs from lane to lane unless a `let` says otherwise.
    pub(super) fn call(&mut self, ty: Ty, depth: usize) -> Option<Expr> {
        if self.random.percent(50)
            && let Some(call) = self.generic_call(ty, depth)
        {
            return Some(call);
        }
        let here = self.scope.here();
        let functions = self.functions;
        let fits: Vec<_> = (0..functions.len())
            .filter(|&at| functions[at].generics.is_empty() && functions[at].constant.is_none())
            .filter(|&at| functions[at].ret == ty && !self.plain)
            .filter(|&at| self.may_call(&functions[at]))
            .filter(|&at| functions[at].group == 0 || here <= Level::of_group(functions[at].group))
            .collect();
        if fits.is_empty() {
            return None;
        }
        let at = self.random.pick(&fits);
        let function = &functions[at];
        self.slices.extend(&function.slices);
        self.group = self.group.max(function.group);
        let args = function.params.iter().map(|&param| {
            let var = &function.vars[param];
            let level = var.shared_by.map_or(Level::Lane, Level::of_group);
            self.expr(var.ty, level, depth.saturating_sub(1))
        });
        let args = args.collect();
        Some(Expr { ty, kind: Kind::Call(at, args) })
    }
}

impl Writer<'_> {
    /// Whether what it does may be done here: walks are in no certain order.
    pub(super) fn may_call(&self, function: &Function) -> bool {
        let own = |slice: &Slice| matches!(slice, Slice::Private(_));
        (self.pure == 0 || !has_effects(function))
            && (self.walks == 0 || !function.slices.iter().any(own))
    }
}

fn has_effects(function: &Function) -> bool {
    function.slices.iter().any(|slice| matches!(slice, Slice::Shared(_) | Slice::Private(_)))
}

/// The value, cast if it has another type.
pub(super) fn as_type(value: Expr, ty: Ty) -> Expr {
    if value.ty == ty { value } else { Expr { ty, kind: Kind::Cast(boxed(value)) } }
}

pub(super) fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

pub(super) fn lit(scalar: Scalar, bits: u64) -> Expr {
    Expr { ty: Ty::Scalar(scalar), kind: Kind::Lit(bits) }
}

pub(super) fn binary(op: crate::fuzz::language::Op, ty: Scalar, a: Expr, b: Expr) -> Expr {
    Expr { ty: Ty::Scalar(ty), kind: Kind::Binary(op, boxed(a), boxed(b)) }
}

pub(super) fn masked(value: Expr, mask: u64) -> Expr {
    let scalar = value.ty.scalar();
    binary(crate::fuzz::language::Op::And, scalar, value, lit(scalar, mask))
}
