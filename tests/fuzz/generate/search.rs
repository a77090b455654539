//! Searches, and what is asked of a graph.

use super::Writer;
use super::expr::{binary, boxed, lit};
use super::scope::Level;
use crate::fuzz::language::{Block, Expr, Kind, Lists, Op, Query, Scalar, Stmt, Ty, Var, Walk};

impl Writer<'_> {
    /// `let found = find_neighbor(..);` Which neighbour it is, is certain only if there
    /// is no other; else only whether there is one.
    pub(super) fn search(&mut self, stmts: &mut Vec<Stmt>) {
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
            let var = Var::fixed(name, ty);
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
        let name = format!("{}_hit", self.name().trim_start_matches("r#"));
        let ty = Ty::Scalar(Scalar::Bool);
        let var =
            Var { name, ty, mutable: true, shared_by: None, annotated: false, accumulates: false };
        let var = self.scope.declare(var, Level::Lane);
        stmts.push(Stmt::Let { var, annotated: false, init });
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
            // It stands after `&&`.
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
