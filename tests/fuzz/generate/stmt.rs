//! Statements.

use super::Writer;
use super::scope::Level;
use crate::fuzz::language::{Block, Expr, Kind, OWN, Op, Scalar, Slice, Stmt, Ty, Var};

impl Writer<'_> {
    /// A block of its own scope, `depth` blocks deep at most.
    pub(super) fn block(&mut self, depth: usize) -> Block {
        let mark = self.scope.mark();
        let stmts = self.statements(depth);
        self.scope.reset(mark);
        Block { stmts, tail: None }
    }

    pub(super) fn statements(&mut self, depth: usize) -> Vec<Stmt> {
        let most = if self.scope.frames.len() <= usize::from(self.is_operator) {
            self.budget
        } else {
            1 + self.random.below(4)
        };
        let mut stmts = Vec::new();
        for _ in 0..most {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            self.statement(&mut stmts, depth);
        }
        stmts
    }

    fn statement(&mut self, stmts: &mut Vec<Stmt>, depth: usize) {
        match self.random.below(31) {
            0..=6 => stmts.push(self.declaration()),
            7..=9 => stmts.extend(self.assignment()),
            10 | 11 => stmts.extend(self.compound()),
            12 if !self.plain => stmts.push(self.atomic_statement()),
            13 | 24..=26 if self.walks > 0 => stmts.extend(self.accumulation()),
            13 if self.is_kernel => stmts.push(self.output()),
            13 => stmts.extend(self.leaving_function()),
            14..=16 if depth > 0 => stmts.push(Stmt::Expr(self.branch(depth))),
            17 if depth > 0 => stmts.push(Stmt::Expr(self.choice(depth))),
            18..=20 if depth > 0 => self.looped(stmts, depth),
            21 if depth > 0 => self.work_list(stmts, depth),
            22 => stmts.extend(self.leaving_loop(depth)),
            23 => stmts.extend(self.call_statement()),
            24 => stmts.push(self.parts_declared()),
            25 => stmts.extend(self.parts_assigned()),
            26 => stmts.extend(self.block_statement()),
            27..=29 if depth > 0 => self.walk(stmts, depth),
            _ => stmts.push(self.declaration()),
        }
    }

    pub(super) fn any_level(&mut self) -> Level {
        self.random.pick(&[
            Level::Warp,
            Level::Warp,
            Level::Lane,
            Level::Lane,
            Level::Lane,
            Level::Tile8,
            Level::Tile4,
            Level::Tile16,
        ])
    }

    fn declaration(&mut self) -> Stmt {
        let (ty, mut level) = (self.any_type(), self.any_level());
        if ty.param().is_some_and(|at| self.is_code(at)) {
            level = Level::Lane;
        }
        let mutable = self.random.percent(60);
        let promised = level != Level::Lane && !self.is_operator && self.random.percent(25);
        let shared_by = promised.then(|| level.group());
        // A call there is taken at its word.
        let called = if promised { self.promised_call(ty, level.group()) } else { None };
        let (init, rich) = match called {
            Some(call) => (call, false),
            None if level == Level::Lane && self.random.percent(8) => match ty {
                Ty::Scalar(scalar) => match self.private(scalar, 2) {
                    Some(operation) => (operation, false),
                    None => (self.expr(ty, level, 3), false),
                },
                _ => (self.expr(ty, level, 3), false),
            },
            None if self.random.percent(25) => (self.rich(ty, level, 2), true),
            None => (self.expr(ty, level, 3), false),
        };
        let name = self.name();
        let guess = matches!(init.kind, Kind::Call(..)) || matches!(ty, Ty::Array(..));
        let annotated = rich || guess || self.random.percent(40);
        let typed = annotated || promised;
        let var = Var { name, ty, mutable, shared_by, annotated: typed, accumulates: false };
        let var = self.scope.declare(var, level);
        Stmt::Let { var, annotated, init }
    }

    fn promised_call(&mut self, ty: Ty, group: u32) -> Option<Expr> {
        let functions = self.functions;
        let promises = functions.iter().any(|function| function.ret_shared_by == Some(group));
        if !promises {
            return None;
        }
        let call = self.call(ty, 2)?;
        let Kind::Call(at, _) = call.kind else { return None };
        (functions[at].ret_shared_by == Some(group)).then_some(call)
    }

    /// A tuple taken apart.
    fn parts_declared(&mut self) -> Stmt {
        let (ty, level) = (self.any_tuple(), self.any_level());
        let init =
            if self.random.percent(25) { self.rich(ty, level, 2) } else { self.expr(ty, level, 3) };
        let is_value = matches!(init.kind, Kind::Tuple(_) | Kind::Var(_));
        let annotated = !is_value || self.random.percent(40);
        let mut names: Vec<String> = Vec::new();
        let mut vars = Vec::new();
        for scalar in ty.parts() {
            let name = self.name();
            // Two of one name would be an error of rustc's.
            if self.random.percent(15) || names.contains(&name) {
                vars.push(None);
                continue;
            }
            names.push(name.clone());
            let (ty, mutable) = (Ty::Scalar(scalar), self.random.percent(50));
            let var = Var { name, ty, mutable, shared_by: None, annotated, accumulates: false };
            vars.push(Some(self.scope.hidden(var, level)));
        }
        vars.iter().flatten().for_each(|&var| self.scope.show(var));
        Stmt::LetParts { vars, annotated, init }
    }

    /// A tuple assigned to places, each as uniform as the least uniform of them.
    fn parts_assigned(&mut self) -> Option<Stmt> {
        let ty = self.any_tuple();
        let mut places = Vec::new();
        let mut level = Level::Lane;
        for scalar in ty.parts() {
            let piece = Ty::Scalar(scalar);
            let fits = |found: Ty| found == piece || found.pieces().contains(&piece);
            let vars = self.scope.assignable(fits);
            if vars.is_empty() {
                return None;
            }
            let var = self.random.pick(&vars);
            let of = self.scope.level(var);
            level = level.min(of);
            places.push(match self.scope.vars[var].ty {
                ty @ Ty::Scalar(_) => Expr { ty, kind: Kind::Var(var) },
                _ => self.part_of(var, piece, of, 0),
            });
        }
        let value = if self.random.percent(70) {
            self.parts(ty, level, 2)
        } else {
            self.expr(ty, level, 3)
        };
        Some(Stmt::AssignParts(places, value))
    }

    /// A place that may be assigned here, and how uniform the value must be.
    fn place(&mut self, ty: impl Fn(Ty) -> bool) -> Option<(Expr, Level)> {
        let vars = self.scope.assignable(ty);
        if vars.is_empty() {
            return None;
        }
        let var = self.random.pick(&vars);
        let (ty, level) = (self.scope.vars[var].ty, self.scope.level(var));
        let pieces = ty.pieces();
        if !pieces.is_empty() && self.random.percent(70) {
            let piece = self.random.pick(&pieces);
            return Some((self.part_of(var, piece, level, 1), level));
        }
        Some((Expr { ty, kind: Kind::Var(var) }, level))
    }

    fn assignment(&mut self) -> Option<Stmt> {
        let (place, level) = self.place(|_| true)?;
        let value = if self.random.percent(25) {
            self.rich(place.ty, level, 2)
        } else {
            self.expr(place.ty, level, 3)
        };
        Some(Stmt::Assign(place, value))
    }

    fn compound(&mut self) -> Option<Stmt> {
        if self.is_kernel && self.walks == 0 && self.random.percent(15) {
            let scalar = self.any_scalar();
            let ty = Ty::Scalar(scalar);
            self.slices.insert(Slice::Output(ty));
            return Some(self.compound_on(Expr { ty, kind: Kind::Output }, Level::Lane));
        }
        let (place, level) = self.place(|_| true)?;
        match place.ty {
            Ty::Scalar(_) => Some(self.compound_on(place, level)),
            Ty::Param(at) if self.generics[at].bound.number => {
                let op = self.random.pick(&[Op::Add, Op::Sub, Op::Mul]);
                let value = self.of_parameter(at, level, 2);
                Some(Stmt::AssignOp(op, place, value))
            }
            _ => None,
        }
    }

    fn compound_on(&mut self, place: Expr, level: Level) -> Stmt {
        let scalar = place.ty.scalar();
        let op = match scalar {
            Scalar::Bool => self.random.pick(&[Op::And, Op::Or, Op::Xor]),
            Scalar::F32 | Scalar::F64 => self.random.pick(&[Op::Add, Op::Sub, Op::Mul, Op::Div]),
            _ => self.random.pick(&[
                Op::Add,
                Op::Add,
                Op::Sub,
                Op::Mul,
                Op::And,
                Op::Or,
                Op::Xor,
                Op::Shl,
                Op::Shr,
            ]),
        };
        let shift = matches!(op, Op::Shl | Op::Shr);
        let value = if shift { self.distance(level, 2) } else { self.number(scalar, level, 2) };
        Stmt::AssignOp(op, place, value)
    }

    /// A write to the own item of an output.
    pub(super) fn output(&mut self) -> Stmt {
        let ty = match self.random.below(8) {
            0 => Ty::Struct(self.random.below(OWN)),
            _ => Ty::Scalar(self.any_scalar()),
        };
        self.slices.insert(Slice::Output(ty));
        // A select could get statements of its own.
        let value = self.expr(ty, Level::Lane, 3);
        let place = Expr { ty, kind: Kind::Output };
        Stmt::Assign(place, value)
    }

    /// What a call of something generic gives, for the own item of an output.
    pub(super) fn generic_output(&mut self) -> Option<Stmt> {
        let ty = Ty::Scalar(self.any_scalar());
        let value = self.generic_call(ty, 2)?;
        self.slices.insert(Slice::Output(ty));
        Some(Stmt::Assign(Expr { ty, kind: Kind::Output }, value))
    }

    fn call_statement(&mut self) -> Option<Stmt> {
        let functions = self.functions;
        if functions.is_empty() {
            return None;
        }
        let at = self.random.below(functions.len());
        let ret = match functions[at].ret {
            ret if ret.param().is_some() || matches!(ret, Ty::Row(_)) => {
                Ty::Scalar(self.any_scalar())
            }
            known => known,
        };
        Some(Stmt::Expr(self.call(ret, 2)?))
    }
}
