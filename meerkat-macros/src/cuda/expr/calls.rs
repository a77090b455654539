//! Calls: of the language's words, of functions, of methods.

use super::{Precedence, Writer};
use crate::ir::intrinsics::{Effect, Intrinsic, Method};
use crate::ir::{Expr, Scalar, Type};

impl Writer<'_> {
    pub(super) fn intrinsic(&self, intrinsic: &Intrinsic, group: u32, args: &[Expr]) -> String {
        if intrinsic.is_library() {
            return format!("{}({})", intrinsic.library_name(group), self.list(args));
        }
        if let ("select", [condition, then, otherwise]) = (intrinsic.name, args) {
            let (condition, then, otherwise) = (
                self.expr(condition),
                self.operand(then, otherwise, Precedence::Any),
                self.expr(otherwise),
            );
            return format!("select({condition}, {then}, {otherwise})");
        }
        let group = if intrinsic.shape.is_tiled() { format!("<{group}>") } else { String::new() };
        format!("{}{group}({})", intrinsic.name, self.list(args))
    }

    /// The name the function was written with, which may not be the one it is
    /// imported by: the marks are replaced when the program is put together.
    pub(super) fn function_name(&self, path: &syn::Path) -> String {
        format!("{}{}", crate::ir::callee::mark(path), self.type_arguments(path))
    }

    /// `<u32>` of `f::<u32>(..)`: nothing where C++ is to infer them too.
    fn type_arguments(&self, path: &syn::Path) -> String {
        let Some(last) = path.segments.last() else { return String::new() };
        let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return String::new();
        };
        let names: Option<Vec<_>> = arguments
            .args
            .iter()
            .map(|argument| match argument {
                syn::GenericArgument::Type(syn::Type::Tuple(unit)) if unit.elems.is_empty() => {
                    Some("Unit".to_owned())
                }
                syn::GenericArgument::Type(syn::Type::Path(path)) => {
                    let name = &path.path.segments.last()?.ident;
                    let generics = &self.checked.function.generics;
                    match generics.iter().find(|generic| generic.name == *name) {
                        Some(generic) => Some(self.ty(&Type::Param(generic.name.clone()))),
                        None => Scalar::from_name(&name.to_string()).map(|_| name.to_string()),
                    }
                }
                _ => None,
            })
            .collect();
        names.map_or(String::new(), |names| format!("<{}>", names.join(", ")))
    }

    /// Methods of memory stay methods; those of numbers are functions.
    pub(super) fn method(&self, receiver: &Expr, method: &Method, args: &[Expr]) -> String {
        if method.effect != Effect::Pure || method.name == "len" {
            let receiver = self.at(receiver, Precedence::Postfix);
            return format!("{receiver}.{}({})", method.name, self.list(args));
        }
        let first = match args.first() {
            Some(arg) => self.operand(receiver, arg, Precedence::Any),
            None => self.expr(receiver),
        };
        let mut all = vec![first];
        all.extend(args.iter().map(|arg| self.expr(arg)));
        format!("{}({})", method.name, all.join(", "))
    }
}
