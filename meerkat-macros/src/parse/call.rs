//! Calls: words of the language, device functions, methods.

use super::expr::strip_reference;
use super::foreign::iterated;
use super::walk::meant_loop;
use super::{Parser, foreign};
use crate::diagnostics::Place;
use crate::ir::intrinsics::{self, intrinsic};
use crate::ir::{Callee, Expr, ExprKind, Scalar, Type};
use proc_macro2::Span;
use syn::spanned::Spanned;

impl Parser<'_> {
    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Option<ExprKind> {
        let syn::Expr::Path(function) = &*call.func else {
            self.unsupported(call.func.span(), "a computed function", "call it by its name");
            return None;
        };
        let whole = self.plain_path(function)?;
        let path = &whole.path;
        let last = path.segments.last()?.ident.clone();
        self.check_foreign(path)?;
        let callee = Callee::of_path(whole.clone());
        // A function of a type may have the name of a word.
        let is_word = matches!(callee, Callee::Function(_));
        if is_word && self.refuse_namesake_of_word(path, &last) {
            return None;
        }
        if last == "find_neighbor" && is_word {
            let help = "bind it: `let found = find_neighbor(..);`";
            self.errors.report(Place::of(call), "a search in the middle of an expression", help);
            return None;
        }
        if is_word && super::NEIGHBOR_LOOPS.iter().any(|word| last == word) {
            return self.neighbor_loop(call, &last.to_string());
        }
        if is_word && path.segments.len() == 1 && reads_as_struct(&last.to_string()) {
            self.errors.report(
                Place::of(call),
                format!("`{last}(..)` reads as a struct without names for its fields"),
                format!("a device struct has names: `{last} {{ a: .., b: .. }}`"),
            );
            return None;
        }
        if is_word && last == "tile" && path.segments.len() == 1 {
            let form = "name it where it acts: `tile::<8>().any(p)`, `tile::<8>().broadcast(x, 0)`";
            self.errors.report(Place::of(call), "a tile is no value", form);
            return None;
        }
        if is_word && last == "block_shared" {
            return self.block_shared(call, path, true);
        }
        if self.program.is_some() && last == "block_memory" {
            return self.block_shared(call, path, false);
        }
        if let Some(syn::Expr::Closure(_)) = call.args.last()
            && let Some(word) = meant_loop(&last.to_string())
        {
            self.errors.report(
                last.span(),
                format!("`{last}` is no word of the language"),
                format!("did you mean `{word}`?"),
            );
            return None;
        }
        let args: Vec<_> = call.args.iter().map(|arg| self.expr(strip_reference(arg))).collect();
        let args = args.into_iter().collect::<Option<Vec<_>>>()?;
        if let Some((intrinsic, group)) = self.group_word(&last.to_string()) {
            return Some(ExprKind::Intrinsic { intrinsic, group, args });
        }
        let word = intrinsic(&last.to_string()).filter(|word| is_word && !word.shape.is_tiled());
        if let Some(intrinsic) = word {
            self.check_block_word(call, intrinsic.name);
            self.check_count(call.span(), intrinsic.name, intrinsic.args.len(), args.len())?;
            let group = intrinsic.group();
            return Some(ExprKind::Intrinsic { intrinsic, group, args });
        }
        let here = path.segments.iter().rev().skip(1).all(|segment| segment.ident == "self");
        if last == self.function.in_rust && here && whole.qself.is_none() {
            self.errors.report(
                Place::of(call),
                format!("`{last}` calls itself: a GPU lane has no stack to recurse on"),
                "write it as a loop",
            );
            return None;
        }
        let owner = path.segments.iter().rev().nth(1).map(|owner| owner.ident.to_string());
        if let Some(scalar) = owner.as_deref().and_then(Scalar::from_name)
            && let Some(method) = method_of_number(scalar, &last.to_string())
        {
            return self.method_by_path(scalar, method, &last, args, call);
        }
        if owner.as_deref().and_then(Scalar::from_name).is_some()
            && crate::infer::methods::is_of_numbers(&last.to_string())
        {
            let help = "docs/LANGUAGE.md lists the methods of numbers";
            self.unsupported(last.span(), &format!("the method `{last}`"), help);
            return None;
        }
        let first = path.segments.first()?.ident.to_string();
        if matches!(first.as_str(), "std" | "core" | "alloc") {
            self.errors.report(
                Place::of(path),
                format!("`{first}` is not on the device"),
                "call a `#[device]` function, or a method of numbers: `a.min(b)`, `x.abs()`, ..",
            );
            return None;
        }
        Some(ExprKind::Call { callee, args })
    }

    /// Words are known by their name alone, so a function of that name elsewhere would be
    /// taken for the word.
    fn refuse_namesake_of_word(&self, path: &syn::Path, last: &proc_macro2::Ident) -> bool {
        let first = path.segments.first().filter(|_| path.segments.len() > 1);
        let is_other =
            first.is_some_and(|first| first.ident != "meerkat" && first.ident != "meerkat_runtime");
        let is_word = is_word(&last.to_string());
        if is_other && is_word {
            self.errors.report(
                Place::of(path),
                format!("`{last}` is a word of the language, whatever its path"),
                format!("give your own function another name; the word is called as `{last}(..)`"),
            );
        }
        is_other && is_word
    }

    fn refuse_walk_as_method(&self, call: &syn::ExprMethodCall, name: &str) -> Option<ExprKind> {
        let graph = &call.receiver;
        let graph = quote::quote!(#graph).to_string();
        self.errors.report(
            call.method.span(),
            format!("`{name}` is a function, not a method"),
            format!("the graph comes first: `{name}({graph}, ..)`"),
        );
        None
    }

    /// How many items a block has is the schedule's choice, and each back end's.
    fn check_block_word(&self, call: &syn::ExprCall, name: &str) {
        if name.starts_with("block_") && self.function.kind.is_operator() && self.program.is_none()
        {
            self.errors.report(
                Place::of(call),
                format!("`{name}` in an operator, whose blocks differ between schedules"),
                "accumulate in the closure of `for_each_neighbor`, use a word of the warp, or \
                 write a `#[kernel]`",
            );
        }
    }

    /// `f32::min(a, b)` is `a.min(b)`.
    fn method_by_path(
        &mut self,
        scalar: Scalar,
        method: &'static intrinsics::Method,
        name: &proc_macro2::Ident,
        mut args: Vec<Expr>,
        call: &syn::ExprCall,
    ) -> Option<ExprKind> {
        self.check_count(call.span(), method.name, method.args + 1, args.len())?;
        let receiver = Box::new(args.remove(0));
        Some(ExprKind::Method { receiver, method, name: name.clone(), args, of: Some(scalar) })
    }

    /// `block_shared::<u32, 64>()`: memory of the block, declared in its kernel. Programs of the
    /// macro's own may say `block_memory`, which is not cleared.
    fn block_shared(
        &mut self,
        call: &syn::ExprCall,
        path: &syn::Path,
        cleared: bool,
    ) -> Option<ExprKind> {
        let form = "its form is `let bins = block_shared::<u32, 64>();`: 64 atomics, all zero";
        if self.function.kind != crate::ir::FunctionKind::Kernel && self.program.is_none() {
            self.errors.report(
                Place::of(call),
                "memory of the block belongs to a `#[kernel]`",
                "declare it there; a device function takes it as `&[Atomic<T>]`",
            );
            return None;
        }
        let arguments = path.segments.last().map(|last| &last.arguments);
        let Some(syn::PathArguments::AngleBracketed(arguments)) = arguments else {
            self.errors.report(Place::of(call), "its type and length are missing", form);
            return None;
        };
        let mut arguments = arguments.args.iter();
        let element = match arguments.next() {
            Some(syn::GenericArgument::Type(ty)) => self.ty(ty),
            _ => Type::Unknown,
        };
        let length = match arguments.next() {
            Some(syn::GenericArgument::Const(length)) => quote::quote!(#length).to_string(),
            Some(syn::GenericArgument::Type(length)) => quote::quote!(#length).to_string(),
            _ => String::new(),
        };
        let wide = element.scalar().is_some_and(|scalar| scalar.bits() >= 32);
        if length.is_empty() || !(wide || matches!(element, Type::Named { .. })) {
            let message = "memory of the block holds numbers of 32 or 64 bits, or device structs";
            self.errors.report(Place::of(call), message, form);
            return None;
        }
        Some(ExprKind::Shared { element, length, cleared })
    }

    fn check_count(&self, span: Span, name: &str, expected: usize, found: usize) -> Option<()> {
        if expected == found {
            return Some(());
        }
        let letters = ["a", "b", "c", "d"];
        let names = |count: usize| letters[..count.min(letters.len())].join(", ");
        let form = match name.strip_prefix("tile_") {
            Some(word) => format!("tile::<8>().{word}({})", names(expected)),
            None if intrinsics::method(name).is_some() => {
                let is_path = found.max(expected) > 0 && method_args(name) != expected;
                let others = if is_path { expected - 1 } else { expected };
                format!("a.{name}({})", letters[1..=others.min(3)].join(", "))
            }
            None => format!("{name}({})", names(expected)),
        };
        let plural = if expected == 1 { "" } else { "s" };
        self.errors.report(
            span,
            format!("`{name}` takes {expected} argument{plural}, found {found}"),
            format!("its form is `{form}`"),
        );
        None
    }

    /// `tile::<8>().ballot(p)`: a word of the language for the lanes of a tile.
    fn tile_call(&mut self, call: &syn::ExprMethodCall) -> Option<Option<ExprKind>> {
        let syn::Expr::Call(tile) = &*call.receiver else { return None };
        let syn::Expr::Path(path) = &*tile.func else { return None };
        let last = path.path.segments.last().filter(|last| last.ident == "tile")?;
        let name = format!("tile_{}", call.method);
        let Some(intrinsic) = intrinsic(&name) else {
            self.unsupported(
                call.method.span(),
                &format!("`{}` of a tile", call.method),
                "docs/LANGUAGE.md lists the words of tiles: `tile::<8>().ballot(p)`, ..",
            );
            return Some(None);
        };
        let group = self.group(&last.arguments);
        let args: Vec<_> = call.args.iter().map(|arg| self.expr(strip_reference(arg))).collect();
        let count = args.len();
        let args = args.into_iter().collect::<Option<Vec<_>>>();
        let checked = self.check_count(call.span(), &name, intrinsic.args.len(), count);
        let (Some(group), Some(args), Some(())) = (group, args, checked) else {
            return Some(None);
        };
        Some(Some(ExprKind::Intrinsic { intrinsic, group, args }))
    }

    pub(super) fn method_call(&mut self, call: &syn::ExprMethodCall) -> Option<ExprKind> {
        if let Some(tile) = self.tile_call(call) {
            return tile;
        }
        if let Some(source) = iterated(&call.receiver) {
            return self.refuse_iterator(source);
        }
        let name = call.method.to_string();
        if let Some(syn::Expr::Closure(_)) = call.args.last()
            && super::NEIGHBOR_LOOPS.contains(&name.as_str())
        {
            return self.refuse_walk_as_method(call, &name);
        }
        if let (Some(syn::Expr::Closure(_)), Some(help)) =
            (call.args.last(), foreign::of_method(&name))
        {
            self.unsupported(call.method.span(), &format!("the method `{name}`"), help);
            return None;
        }
        let receiver = self.expr(&call.receiver);
        let method = intrinsics::method(&name);
        let args = call.args.iter().map(|arg| match method {
            Some(_) => self.expr(arg),
            None => self.expr(strip_reference(arg)),
        });
        let args: Vec<_> = args.collect();
        let Some(method) = method else {
            let receiver = receiver?;
            let Some(help) = foreign::of_method(&name) else {
                let mut all = vec![receiver];
                all.extend(args.into_iter().collect::<Option<Vec<_>>>()?);
                let callee = Callee::Method(call.method.clone());
                return Some(ExprKind::Call { callee, args: all });
            };
            if !self.is_refused(&receiver) {
                self.unsupported(call.method.span(), &format!("the method `{name}`"), help);
            }
            return None;
        };
        if method.name == "swap" && args.len() == 2 {
            let help = "exchange them by hand: `let kept = x[i]; x[i] = x[j]; x[j] = kept;`";
            self.unsupported(call.method.span(), "`swap` of two elements", help);
            return None;
        }
        let args = args.into_iter().collect::<Option<Vec<_>>>()?;
        self.check_count(call.span(), method.name, method.args, args.len())?;
        Some(ExprKind::Method {
            receiver: Box::new(receiver?),
            method,
            name: call.method.clone(),
            args,
            of: None,
        })
    }
}

/// `Pair`, and not `PAIR` or `pair`.
fn reads_as_struct(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase) && !name.contains('_')
}

/// Whether a function of this name is the language's own.
pub(crate) fn is_word(name: &str) -> bool {
    let is_plain = intrinsic(name).is_some_and(|word| !word.shape.is_tiled());
    is_plain || super::NEIGHBOR_LOOPS.contains(&name) || name == "block_shared"
}

/// What `f32::min(a, b)` names, if Rust has it.
fn method_of_number(scalar: Scalar, name: &str) -> Option<&'static intrinsics::Method> {
    intrinsics::method_of(scalar, name)
        .filter(|method| method.effect == intrinsics::Effect::Pure && method.name != "len")
}

fn method_args(name: &str) -> usize {
    intrinsics::method(name).map_or(0, |method| method.args)
}
