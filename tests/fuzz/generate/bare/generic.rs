//! Calls and literals whose type arguments rustc finds.

use super::{Node, Walk, known};
use crate::fuzz::language::{Callee, Expr, Form, GenericCall, Ty};

impl Walk<'_> {
    /// `Couple { left: a, tag: n, right: b }`
    pub(super) fn couple(&mut self, fields: &mut [Expr]) -> Vec<Node> {
        let [left, tag, right] = fields else { unreachable!("three fields") };
        let left = self.expr(left);
        self.resolved(tag);
        let right = self.expr(right);
        self.join(&left, &right);
        left
    }

    pub(super) fn generic_call(&mut self, call: &mut GenericCall, ty: Ty) -> Vec<Node> {
        match call.form {
            Form::Written | Form::Qualified => {
                self.all_settled(&mut call.args);
                known(ty)
            }
            Form::Method if matches!(call.callee, Callee::Function(_)) => self.inferred(call, ty),
            // rustc looks for the method as soon as it has read the receiver.
            Form::Method => {
                let (receiver, others) = call.args.split_first_mut().expect("a receiver");
                let nodes = self.expr(receiver);
                self.demand(&nodes);
                self.resolve(&nodes);
                self.all_settled(others);
                known(ty)
            }
            Form::Inferred => self.inferred(call, ty),
        }
    }

    /// What is of one type parameter has one type.
    fn inferred(&mut self, call: &mut GenericCall, ty: Ty) -> Vec<Node> {
        let mut types: Vec<Vec<Node>> = vec![Vec::new(); call.types.len()];
        for (arg, param) in call.args.iter_mut().zip(&call.params) {
            let nodes = self.expr(arg);
            match param.param() {
                None => self.resolve(&nodes),
                Some(at) if types[at].is_empty() => types[at] = nodes,
                Some(at) => self.join(&types[at].clone(), &nodes),
            }
        }
        match call.ret.param() {
            Some(at) if !types[at].is_empty() => types[at].clone(),
            _ => known(ty),
        }
    }
}
