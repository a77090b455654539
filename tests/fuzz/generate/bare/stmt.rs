//! Statements, and values with statements inside, in the order rustc looks at them.

use super::{Node, Site, Walk, known};
use crate::fuzz::language::{Arm, Block, Expr, Kind, Lists, Op, Pattern, Stmt, Ty};

impl Walk<'_> {
    pub(super) fn function(&mut self, body: &mut Block) {
        let result = self.block(body);
        self.resolve(&result);
        // What is open now is an `i32` or an `f64`.
        let mistaken = |node: &Node| !self.open[self.root(*node)].falls_back;
        let open: Vec<_> = (1..self.joined.len()).filter(mistaken).collect();
        self.demand(&open);
    }

    fn block(&mut self, block: &mut Block) -> Vec<Node> {
        block.stmts.iter_mut().for_each(|stmt| self.stmt(stmt));
        block.tail.as_mut().map_or(Vec::new(), |tail| self.expr(tail))
    }

    /// A value with statements inside.
    pub(super) fn rich(&mut self, value: &mut Expr) -> Vec<Node> {
        match &mut value.kind {
            Kind::If(condition, then, otherwise) => {
                self.resolved(condition);
                let nodes = self.block(then);
                if let Some(otherwise) = otherwise {
                    let others = self.block(otherwise);
                    self.join(&nodes, &others);
                }
                nodes
            }
            Kind::Match(matched, arms) => {
                let matched = self.expr(matched);
                arms.iter_mut().for_each(|arm| self.patterns(arm, &matched));
                let mut nodes = Vec::new();
                for (at, arm) in arms.iter_mut().enumerate() {
                    if let Some(guard) = &mut arm.guard {
                        self.resolved(guard);
                    }
                    let found = self.block(&mut arm.body);
                    self.join(&nodes, &found);
                    if at == 0 {
                        nodes = found;
                    }
                }
                nodes
            }
            Kind::Block(block) => self.block(block),
            _ => unreachable!("no statements inside"),
        }
    }

    fn patterns(&mut self, arm: &mut Arm, matched: &[Node]) {
        let (mut has_number, mut has_constant) = (false, false);
        for pattern in &arm.patterns {
            match pattern {
                Pattern::Any => {}
                Pattern::Bind(var) => self.nodes[*var] = matched.to_vec(),
                Pattern::Named(..) => has_constant = true,
                Pattern::Is(_) | Pattern::Range(..) | Pattern::Until(..) => has_number = true,
            }
        }
        // In the lock-step form, a chain of branches, arms in front of this one come first.
        if has_constant {
            self.demand(matched);
            self.resolve(matched);
        }
        if has_number {
            let (site, written) = self.site();
            arm.bare = !written;
            if written {
                self.demand(matched);
                self.resolve(matched);
            } else {
                self.could_be_written(matched, site);
            }
        }
    }

    fn could_be_written(&mut self, nodes: &[Node], site: Site) {
        for &node in nodes {
            let root = self.root(node);
            self.open[root].sites.push(site);
        }
    }

    /// The nodes of a variable, and whether its type is written.
    fn declared(&mut self, ty: Ty, init: &mut Expr) -> (Vec<Node>, bool) {
        let (site, written) = self.site();
        let found = self.expr(init);
        if written {
            self.resolve(&found);
            return (known(ty), true);
        }
        self.could_be_written(&found, site);
        (found, false)
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Let { var, init, .. } if self.vars[*var].shared_by.is_some() => {
                self.resolved(init);
                self.nodes[*var] = known(init.ty);
            }
            // The macro must see that it is an array, or its items may not be assigned.
            Stmt::Let { var, annotated, init }
                if matches!(init.ty, Ty::Array(..) | Ty::Row(_))
                    && self.vars[*var].mutable
                    && !matches!(init.kind, Kind::Array(_) | Kind::Repeat(..)) =>
            {
                self.resolved(init);
                self.nodes[*var] = known(init.ty);
                *annotated = true;
            }
            // What a group accumulates has a type in sight.
            Stmt::Let { var, annotated, init } if self.vars[*var].accumulates => {
                self.resolved(init);
                *annotated = true;
            }
            Stmt::Let { var, annotated, init } => {
                let (nodes, written) = self.declared(init.ty, init);
                self.nodes[*var] = nodes;
                *annotated = written;
                self.vars[*var].annotated = written;
            }
            Stmt::LetParts { vars, annotated, init } => {
                let (nodes, written) = self.declared(init.ty, init);
                *annotated = written;
                for (var, node) in vars.iter().zip(nodes) {
                    if let Some(var) = *var {
                        self.nodes[var] = vec![node];
                        self.vars[var].annotated = written;
                    }
                }
            }
            Stmt::Assign(place, value) => {
                let (place, value) = (self.expr(place), self.expr(value));
                self.join(&place, &value);
            }
            Stmt::AssignParts(places, value) => {
                let values = self.expr(value);
                let places: Vec<_> = places.iter_mut().flat_map(|place| self.expr(place)).collect();
                self.join(&values, &places);
            }
            Stmt::AssignOp(op, place, value) => {
                let (place, value) = (self.expr(place), self.expr(value));
                if !matches!(op, Op::Shl | Op::Shr) {
                    self.join(&place, &value);
                }
            }
            Stmt::Walk(walk) => {
                self.resolved(&mut walk.vertex);
                if let Lists::Common(other) = &mut walk.lists {
                    self.resolved(other);
                }
                self.resolved(&mut walk.predicate);
                let test = self.block(&mut walk.body);
                self.resolve(&test);
            }
            Stmt::BlockReduce { value, .. } => self.resolved(value),
            Stmt::BlockShared { condition, at, value, .. } => {
                [condition, at, value].into_iter().for_each(|value| self.resolved(value));
            }
            Stmt::Expr(value) => {
                self.expr(value);
            }
            Stmt::While { condition, body, .. } => {
                self.resolved(condition);
                self.block(body);
            }
            Stmt::Loop { body, .. } => {
                self.block(body);
            }
            Stmt::For { var, from, to, body, .. } => {
                let (from, to) = (self.expr(from), self.expr(to));
                self.join(&from, &to);
                self.nodes[*var] = from;
                self.block(body);
            }
            Stmt::Return(value) => self.resolved(value),
            Stmt::Break(..) | Stmt::Continue(..) => {}
        }
    }
}
