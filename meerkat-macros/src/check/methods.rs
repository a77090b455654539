//! Methods of users' types: the receiver's type says which function is called.

use crate::diagnostics::Errors;
use crate::ir::{Expr, ExprKind, Function, Type, visit};

/// Makes `Node::through(node, weight)` of `node.through(weight)`.
pub(crate) fn resolve(function: &mut Function, errors: &Errors) {
    let mut body = std::mem::take(&mut function.body);
    visit::rewrite_block(&mut body, &mut |expr| {
        let ExprKind::MethodCall { name, args } = &mut expr.kind else { return };
        let Some(receiver) = args.first() else { return };
        match receiver.ty.value() {
            Type::Named { path, args: generics, .. } if generics.is_empty() => {
                let mut path = path.clone();
                path.segments.push(name.clone().into());
                expr.kind = ExprKind::Call { path, args: std::mem::take(args) };
            }
            known => refuse(receiver, name, known, errors),
        }
    });
    function.body = body;
}

fn refuse(receiver: &Expr, name: &proc_macro2::Ident, known: &Type, errors: &Errors) {
    match known {
        Type::Unknown | Type::Rustc(..) => errors.report(
            receiver.place(),
            format!("the macro cannot see the type that `{name}` is a function of"),
            "annotate it: `let node: Node = ..;`",
        ),
        _ => errors.report(
            name.span(),
            format!("the method `{name}` is not supported in a kernel"),
            "docs/LANGUAGE.md lists the methods of numbers, slices and atomics; those of your own \
             structs stand in a `#[device] impl`",
        ),
    }
}
