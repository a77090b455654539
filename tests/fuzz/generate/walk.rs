//! Walks over neighbours, whose order is nobody's business: what they leave outside is
//! put together by operations that commute, and read when all is there.

use super::Writer;
use super::expr::{binary, boxed, lit, masked};
use super::number::signless;
use super::scope::Level;
use crate::fuzz::language::{
    Block, Carried, Expr, Kind, Lists, Method, Op, Query, Scalar, Slice, Stmt, Ty, VERTICES, Var,
    VarId, Walk, Word,
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

    fn enter_walk(&mut self) {
        self.walks += 1;
        self.scope.push_walk();
    }

    fn leave_walk(&mut self, outer: usize) {
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

    fn any_graph(&mut self) -> Carried {
        let graph = self.random.pick(&Carried::ALL);
        self.slices.insert(Slice::Graph(graph));
        graph
    }

    /// The parameters of a closure.
    fn neighbor(&mut self, graph: Carried, weighs: bool, taken: &str) -> (VarId, Option<VarId>) {
        let param = |this: &mut Self, scalar, taken: &[&str]| {
            let mut name = this.name();
            while taken.contains(&name.as_str()) {
                name = this.name();
            }
            let (ty, mutable) = (Ty::Scalar(scalar), false);
            let var =
                Var { name, ty, mutable, shared_by: None, annotated: true, accumulates: false };
            this.scope.declare(var, Level::Lane)
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

    /// `let found = find_neighbor(..);` Which neighbour it is, is certain only if there
    /// is no other; else only whether there is one.
    fn search(&mut self, stmts: &mut Vec<Stmt>) {
        let graph = self.any_graph();
        let goal = if self.random.percent(40) { Some(self.settled_vertex(stmts)) } else { None };
        let goal_name = match &goal {
            Some(Expr { kind: Kind::Var(var), .. }) => self.scope.vars[*var].name.clone(),
            _ => String::new(),
        };
        let (vertex, predicate) = (self.vertex(), self.predicate(false));
        let outer = self.accumulators.len();
        self.pure += 1;
        self.enter_walk();
        let (dst, weight) = self.neighbor(graph, true, &goal_name);
        let mut body = Block::default();
        for _ in 0..self.random.below(3) {
            let name = self.name();
            if goal.is_some() {
                break;
            }
            let scalar = self.any_scalar();
            let init = self.number(scalar, Level::Lane, 2);
            let ty = Ty::Scalar(scalar);
            let var = Var {
                name,
                ty,
                mutable: false,
                shared_by: None,
                annotated: true,
                accumulates: false,
            };
            let var = self.scope.declare(var, Level::Lane);
            body.stmts.push(Stmt::Let { var, annotated: true, init });
        }
        let is_certain = goal.is_some();
        let test = match goal {
            None => self.condition(Level::Lane, 2),
            Some(goal) => {
                let u32 = Ty::Scalar(Scalar::U32);
                let it = Expr { ty: u32, kind: Kind::Var(dst) };
                let test = binary(Op::Eq, Scalar::Bool, it, goal);
                let more = self.condition(Level::Lane, 1);
                binary(Op::LogicalAnd, Scalar::Bool, test, more)
            }
        };
        body.tail = Some(boxed(test));
        self.leave_walk(outer);
        self.pure -= 1;
        let (name, ty) = (self.name(), Ty::Scalar(Scalar::U32));
        let mutable = is_certain && self.random.percent(30);
        let annotated = self.random.percent(20);
        let var = Var { name, ty, mutable, shared_by: None, annotated, accumulates: false };
        let found = self.scope.declare(var, Level::Lane);
        let lists = Lists::All;
        let walk = Walk { graph, lists, vertex, predicate, dst, weight, body, found: Some(found) };
        stmts.push(Stmt::Walk(Box::new(walk)));
        if is_certain {
            return;
        }
        self.uncertain.push(found);
        self.scope.unreadable.push(found);
        let found = Expr { ty, kind: Kind::Var(found) };
        let op = self.random.pick(&[Op::Eq, Op::Ne]);
        let init = binary(op, Scalar::Bool, found, lit(Scalar::U32, u32::MAX.into()));
        let name = format!("{}_any", self.name().trim_start_matches("r#"));
        let ty = Ty::Scalar(Scalar::Bool);
        let var =
            Var { name, ty, mutable: true, shared_by: None, annotated: false, accumulates: false };
        let var = self.scope.declare(var, Level::Lane);
        stmts.push(Stmt::Let { var, annotated: false, init });
    }

    /// Which lanes walk; where it is asked again and again, without effects.
    fn predicate(&mut self, is_repeated: bool) -> Expr {
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
    fn vertex(&mut self) -> Expr {
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
    fn settled_vertex(&mut self, stmts: &mut Vec<Stmt>) -> Expr {
        let (init, ty) = (self.vertex(), Ty::Scalar(Scalar::U32));
        let name = self.name();
        let var =
            Var { name, ty, mutable: false, shared_by: None, annotated: true, accumulates: false };
        let var = self.scope.declare(var, Level::Lane);
        self.vertices.push(var);
        stmts.push(Stmt::Let { var, annotated: true, init });
        Expr { ty, kind: Kind::Var(var) }
    }

    /// Something asked of a graph.
    pub(super) fn query(&mut self, scalar: Scalar, level: Level) -> Option<Expr> {
        if level != Level::Lane || self.plain {
            return None;
        }
        let graph = self.any_graph();
        let query = match scalar {
            Scalar::U32 if self.random.percent(60) => Query::OutDegree,
            Scalar::U64 => Query::FindEdge,
            Scalar::Bool => {
                self.random.pick(&[Query::HasEdge, Query::HasEdge, Query::NoNth, Query::HasRandom])
            }
            _ if graph.scalar() == Some(scalar) => Query::EdgeWeight,
            _ => return None,
        };
        let mut args = Vec::new();
        if query != Query::EdgeWeight {
            args.push(self.vertex());
        }
        args.extend(match query {
            Query::OutDegree => None,
            Query::HasEdge | Query::FindEdge => Some(self.vertex()),
            Query::NoNth => Some(self.small(Scalar::U32, level, 7)),
            Query::EdgeWeight => Some(self.number(Scalar::U32, level, 1)),
            // It stands behind `&&`.
            Query::HasRandom => {
                self.scope.push(Level::Lane);
                let random = self.purely(|this| this.number(Scalar::U32, level, 1));
                self.scope.pop();
                Some(random)
            }
        });
        Some(Expr { ty: Ty::Scalar(scalar), kind: Kind::Query(query, graph, args) })
    }
}
