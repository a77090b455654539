//! Names of variables: Rust lets a `let` shadow another in its own block and C++ does not. The
//! first variable of a name keeps it, later ones get a number.

use super::visit::children;
use super::{Block, Expr, ExprKind, Function, Stmt, VarId};
use std::collections::{HashMap, HashSet};

/// Names by variable: one for each.
pub(crate) fn unique_names(function: &Function) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let names = function.vars.iter().map(|var| {
        let plain = plain(var.name.to_string());
        numbered(&plain, |name| !taken.contains(name)).inspect(|name| {
            taken.insert(name.clone());
        })
    });
    names.map(Option::unwrap_or_default).collect()
}

/// Names by variable: blocks of which none is in the other have the same ones.
pub(crate) fn scoped_names(function: &Function) -> Vec<String> {
    let mut scopes = Scopes { of: vec![Vec::new(); function.vars.len()], path: vec![], count: 0 };
    scopes.block(&function.body);
    let mut taken: HashMap<String, Vec<&[usize]>> = HashMap::new();
    let names = function.vars.iter().zip(&scopes.of).map(|(var, own)| {
        let is_free = |name: &str| {
            let others = taken.get(name).into_iter().flatten();
            !others.into_iter().any(|other| own.starts_with(other) || other.starts_with(own))
        };
        let name = numbered(&plain(var.name.to_string()), is_free).unwrap_or_default();
        taken.entry(name.clone()).or_default().push(own);
        name
    });
    names.collect()
}

fn plain(name: String) -> String {
    name.trim_start_matches("r#").to_owned()
}

/// The name, or the first number after it, that is free.
fn numbered(plain: &str, is_free: impl Fn(&str) -> bool) -> Option<String> {
    let numbers = (2..).map(|number| format!("{plain}_{number}"));
    std::iter::once(plain.to_owned()).chain(numbers).find(|name| is_free(name))
}

/// The blocks that a variable is declared in, outermost first.
struct Scopes {
    of: Vec<Vec<usize>>,
    path: Vec<usize>,
    count: usize,
}

impl Scopes {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { var, init, .. } => {
                    self.declare(*var);
                    init.iter().for_each(|init| self.expr(init));
                }
                Stmt::Expr(expr) => self.expr(expr),
            }
        }
        block.tail.iter().for_each(|tail| self.expr(tail));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.inner(None, then);
                otherwise.iter().for_each(|otherwise| self.expr(otherwise));
            }
            ExprKind::While { condition, body, .. } => {
                self.expr(condition);
                self.inner(None, body);
            }
            ExprKind::For { var, from, to, body, .. } => {
                self.expr(from);
                self.expr(to);
                self.inner(Some(*var), body);
            }
            ExprKind::Loop { body, .. } | ExprKind::Block(body) => self.inner(None, body),
            // Its braces are not written.
            ExprKind::Unsafe(body) => self.block(body),
            ExprKind::ForEachNeighbor(each) => self.inner(Some(each.dst), &each.body),
            _ => children(expr, &mut |child| self.expr(child)),
        }
    }

    fn inner(&mut self, var: Option<VarId>, block: &Block) {
        self.count += 1;
        self.path.push(self.count);
        var.into_iter().for_each(|var| self.declare(var));
        self.block(block);
        self.path.pop();
    }

    fn declare(&mut self, var: VarId) {
        self.of[var.0].clone_from(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{checked, text};
    use quote::quote;

    #[test]
    fn blocks_beside_each_other_have_the_same_names_and_one_in_another_has_not() {
        let (kernel, errors) = checked(
            crate::ir::FunctionKind::Kernel,
            crate::operator::Schedule::Warp,
            quote! {
                fn f(n: u32, c: &[Atomic<u32>]) {
                    for i in 0..n {
                        let x = i + 1;
                        c[x].store(i);
                    }
                    for i in 0..n {
                        let x = i + 1;
                        for i in 0..x {
                            c[x].store(i);
                        }
                    }
                }
            },
        );
        assert_eq!(errors, Vec::<String>::new());
        let text = text(&kernel);
        assert_eq!(text.matches("u32 i = 0u").count(), 2, "{text}");
        assert_eq!(text.matches("u32 i_2 = 0u").count(), 1, "{text}");
        assert_eq!(text.matches("const u32 x = i + 1u;").count(), 2, "{text}");
    }
}
