//! Walks over neighbours, whose order is nobody's business: what they leave outside is
//! put together by operations that commute, and read when all is there.

use super::Writer;
use super::expr::{boxed, lit, masked};
use super::number::signless;
use super::scope::Level;
use crate::fuzz::language::{
    Block, Carried, Expr, Kind, Lists, Method, Op, Scalar, Slice, Stmt, Ty, VERTICES, Var, VarId,
    Walk, Word,
};

/// How a variable outside a walk takes in what the walk finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Op(Op),
    Method(Method),
}

/// A variable that a walk puts together, in one way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accumulator {
    var: VarId,
    way: Way,
}

impl Writer<'_> {
    /// A walk, with what it needs in front of it.
    pub(super) fn walk(&mut self, stmts: &mut Vec<Stmt>, depth: usize) {
        let of_group = self.is_operator && self.is_kernel && self.walks == 0;
        let is_apart = of_group && self.scope.frames.len() > 1;
        if self.plain || is_apart || self.walks > 1 || self.scope.loops() > 1 {
            return;
        }
        if self.random.percent(20) {
            return self.search(stmts);
        }
        let graph = self.any_graph();
        let outer = self.accumulators.len();
        for _ in 0..1 + self.random.below(3) {
            self.accumulator(stmts, of_group);
        }
        let lists = match self.random.below(10) {
            0 | 1 => Lists::Common(self.settled_vertex(stmts)),
            2 if !of_group => Lists::Buckets,
            3 if !of_group => Lists::Places,
            _ => Lists::All,
        };
        // Behind what is declared above, whose names might be theirs.
        let vertex = self.vertex();
        let is_repeated = matches!(lists, Lists::Buckets);
        let predicate = self.predicate(is_repeated);
        self.enter_walk();
        let (dst, weight) = self.neighbor(graph, !matches!(lists, Lists::Common(_)), "");
        let mut body = Block { stmts: self.statements(depth.saturating_sub(1)), tail: None };
        for _ in 0..1 + self.random.below(2) {
            body.stmts.extend(self.accumulation());
        }
        self.leave_walk(outer);
        let walk = Walk { graph, lists, vertex, predicate, dst, weight, body, found: None };
        stmts.push(Stmt::Walk(Box::new(walk)));
    }

    pub(super) fn enter_walk(&mut self) {
        self.walks += 1;
        self.scope.push_walk();
    }

    pub(super) fn leave_walk(&mut self, outer: usize) {
        self.scope.pop_walk();
        self.walks -= 1;
        self.accumulators.truncate(outer);
        self.scope.unreadable = self.hidden_vars();
    }

    /// What no expression may read now.
    fn hidden_vars(&self) -> Vec<VarId> {
        let accumulated = self.accumulators.iter().map(|accumulator| accumulator.var);
        accumulated.chain(self.uncertain.iter().copied()).collect()
    }

    pub(super) fn any_graph(&mut self) -> Carried {
        let graph = self.random.pick(&Carried::ALL);
        self.slices.insert(Slice::Graph(graph));
        graph
    }

    /// The parameters of a closure.
    pub(super) fn neighbor(
        &mut self,
        graph: Carried,
        weighs: bool,
        taken: &str,
    ) -> (VarId, Option<VarId>) {
        let param = |this: &mut Self, scalar, taken: &[&str]| {
            let mut name = this.name();
            while taken.contains(&name.as_str()) {
                name = this.name();
            }
            this.scope.declare(Var::fixed(name, Ty::Scalar(scalar)), Level::Lane)
        };
        let dst = param(self, Scalar::U32, &[taken]);
        self.vertices.push(dst);
        let first = self.scope.vars[dst].name.clone();
        let weight = graph.scalar().filter(|_| weighs && self.random.percent(75));
        (dst, weight.map(|scalar| param(self, scalar, &[taken, &first])))
    }

    /// A variable that a walk will put together.
    fn accumulator(&mut self, stmts: &mut Vec<Stmt>, of_group: bool) {
        let scalar = self.any_scalar();
        let known = self.scope.assignable(|ty| ty == Ty::Scalar(scalar));
        let taken = |var: &VarId| self.accumulators.iter().any(|known| known.var == *var);
        let known: Vec<_> = known.into_iter().filter(|var| !taken(var)).collect();
        let lanes = |var: &VarId| self.scope.level(*var) == Level::Lane;
        let known: Vec<_> = known.into_iter().filter(lanes).collect();
        let var = match self.random.percent(40) && !of_group && !scalar.is_float() {
            true if !known.is_empty() => self.random.pick(&known),
            _ => self.new_accumulator(scalar, stmts, of_group),
        };
        let way = self.way(scalar, of_group);
        self.accumulators.push(Accumulator { var, way });
        self.scope.unreadable.push(var);
    }

    fn new_accumulator(&mut self, scalar: Scalar, stmts: &mut Vec<Stmt>, of_group: bool) -> VarId {
        // A NaN is lost where a group begins with infinity.
        let init = match scalar.is_float() || self.random.percent(50) {
            true => lit(scalar, self.literal(scalar)),
            false => self.number(scalar, Level::Lane, 1),
        };
        let init = if scalar.is_float() { signless(init) } else { init };
        let name = self.name();
        // What a walk puts together must go by its name for as long as the walk.
        let name = format!("{}_all{}", name.trim_start_matches("r#"), self.scope.vars.len());
        let ty = Ty::Scalar(scalar);
        let var = Var {
            name,
            ty,
            mutable: true,
            shared_by: None,
            annotated: of_group,
            accumulates: of_group,
        };
        let var = self.scope.declare(var, Level::Lane);
        stmts.push(Stmt::Let { var, annotated: of_group, init });
        var
    }

    fn way(&mut self, scalar: Scalar, of_group: bool) -> Way {
        let extremes = [Way::Method(Method::Min), Way::Method(Method::Max)];
        let mut ways = match scalar {
            Scalar::Bool => vec![Way::Op(Op::Or)],
            Scalar::F32 | Scalar::F64 => extremes.to_vec(),
            _ => {
                vec![Way::Op(Op::Add), Way::Op(Op::Add), extremes[0], extremes[1], Way::Op(Op::Or)]
            }
        };
        if !of_group && !scalar.is_float() {
            ways.extend([Way::Op(Op::And), Way::Op(Op::Xor)]);
            if scalar != Scalar::Bool {
                ways.extend([Way::Op(Op::Sub), Way::Op(Op::Mul)]);
            }
        }
        // What `-=` leaves goes with `+=`, but with that alone.
        self.random.pick(&ways)
    }

    /// `sum += value;`, `best = best.min(value);` for some variable of the walks around.
    pub(super) fn accumulation(&mut self) -> Option<Stmt> {
        let fits: Vec<_> = self
            .accumulators
            .iter()
            .copied()
            .filter(|known| self.scope.is_named(known.var))
            .collect();
        if fits.is_empty() {
            return None;
        }
        let Accumulator { var, way } = self.random.pick(&fits);
        let ty = self.scope.vars[var].ty;
        let scalar = ty.scalar();
        let mut value = self.number(scalar, Level::Lane, 2);
        if scalar.is_float() {
            value = signless(value);
        }
        let place = Expr { ty, kind: Kind::Var(var) };
        let stmt = match way {
            Way::Op(op) => Stmt::AssignOp(op, place, value),
            Way::Method(method) => {
                let kind = Kind::Method(method, boxed(place.clone()), vec![value]);
                Stmt::Assign(place, Expr { ty, kind })
            }
        };
        if self.random.percent(70) {
            return Some(stmt);
        }
        let condition = boxed(self.condition(Level::Lane, 2));
        let then = Block { stmts: vec![stmt], tail: None };
        Some(Stmt::Expr(Expr { ty: Ty::Unit, kind: Kind::If(condition, then, None) }))
    }

    /// Which lanes walk; where it is asked again and again, without effects.
    pub(super) fn predicate(&mut self, is_repeated: bool) -> Expr {
        let always = Expr { ty: Ty::Scalar(Scalar::Bool), kind: Kind::Named("true", 1) };
        if self.random.percent(50) {
            return always;
        }
        self.scope.push(Level::Lane);
        self.pure += usize::from(is_repeated);
        let predicate = self.condition(Level::Lane, 2);
        self.pure -= usize::from(is_repeated);
        self.scope.pop();
        predicate
    }

    /// A vertex, without effects.
    pub(super) fn vertex(&mut self) -> Expr {
        let u32 = Ty::Scalar(Scalar::U32);
        let known = self.scope.readable(|ty| ty == u32, Level::Lane);
        let known: Vec<_> = known.into_iter().filter(|var| self.vertices.contains(var)).collect();
        if !known.is_empty() && self.random.percent(60) {
            return Expr { ty: u32, kind: Kind::Var(self.random.pick(&known)) };
        }
        let last = VERTICES as u64 - 1;
        if !self.plain && self.random.percent(40) {
            return masked(Expr { ty: u32, kind: Kind::Word(Word::Me) }, last);
        }
        self.scope.push(Level::Lane);
        let number = self.purely(|this| this.number(Scalar::U32, Level::Lane, 1));
        self.scope.pop();
        masked(number, last)
    }

    /// A vertex in a variable.
    pub(super) fn settled_vertex(&mut self, stmts: &mut Vec<Stmt>) -> Expr {
        let (init, ty) = (self.vertex(), Ty::Scalar(Scalar::U32));
        let name = self.name();
        let var = self.scope.declare(Var::fixed(name, ty), Level::Lane);
        self.vertices.push(var);
        stmts.push(Stmt::Let { var, annotated: true, init });
        Expr { ty, kind: Kind::Var(var) }
    }
}
