//! What a function's CUDA text refers to: types, functions, constants.

use crate::check::CheckedKernel;
use crate::ir::callee::{self, owner_path};
use crate::ir::types::length_constant;
use crate::ir::{Expr, ExprKind, Scalar, Type, visit};
use crate::native::type_tokens;
use proc_macro2::TokenStream;
use quote::quote;

/// Device types named in the signature and the body.
pub(super) fn types(checked: &CheckedKernel) -> Vec<TokenStream> {
    let mut found = Found::default();
    let function = &checked.function;
    for var in &function.vars {
        collect_type(&var.ty, &mut found);
    }
    collect_type(&function.ret, &mut found);
    each_expr(checked, &mut |expr| match &expr.kind {
        ExprKind::Cast(_, ty) => collect_type(ty, &mut found),
        ExprKind::Struct { path, .. } => {
            let owner = owner_path(path);
            found.add(quote!(#owner));
        }
        _ => {}
    });
    found.tokens
}

/// The declarations of the device functions called.
pub(super) fn functions(checked: &CheckedKernel) -> Vec<TokenStream> {
    let mut found = Found::default();
    each_expr(checked, &mut |expr| match &expr.kind {
        ExprKind::Call { path, .. } => found.add(callee::member(path, "declare")),
        ExprKind::Intrinsic { intrinsic, group, .. } if intrinsic.is_library() => {
            let name = intrinsic.library_name(*group);
            let name = proc_macro2::Ident::new(&name, proc_macro2::Span::call_site());
            found.add(quote!(::meerkat_runtime::frontier::#name::declare));
        }
        _ => {}
    });
    found.tokens
}

/// What the marks around names stand for: `‹f›` is a function, `«T»` a type
/// without arguments, each by the name it was written with.
pub(super) fn name_marks(checked: &CheckedKernel) -> Vec<TokenStream> {
    let mut found = Found::default();
    each_expr(checked, &mut |expr| {
        let mut bare = |path: &syn::Path| {
            let Some(last) = path.segments.last() else { return };
            if last.arguments.is_empty() {
                let mark = format!("«{}»", last.ident);
                let owner = owner_path(path);
                found.add(quote! {
                    (#mark, <#owner as ::meerkat_runtime::DeviceType>::cuda_name())
                });
            }
        };
        match &expr.kind {
            ExprKind::Struct { path, .. } => bare(path),
            ExprKind::Cast(_, Type::Named { path, .. }) => bare(path),
            ExprKind::Call { path, .. } => {
                let (mark, text) = (callee::mark(path), callee::member(path, "TEXT"));
                found.add(quote! {
                    (#mark, ::std::string::String::from(#text.name))
                });
            }
            _ => {}
        }
    });
    let function = &checked.function;
    let declared = function.vars.iter().map(|var| &var.ty);
    declared.chain([&function.ret]).for_each(|ty| type_marks(ty, &mut found));
    found.tokens
}

fn type_marks(ty: &Type, found: &mut Found) {
    match ty {
        Type::Named { path, name, args } if args.is_empty() => {
            let mark = format!("«{name}»");
            found.add(quote!((#mark, <#path as ::meerkat_runtime::DeviceType>::cuda_name())));
        }
        Type::Named { args, .. } => args.iter().for_each(|arg| type_marks(arg, found)),
        Type::Slice(_, inner) | Type::Array(inner, _) | Type::Atomic(inner) | Type::Ref(inner) => {
            type_marks(inner, found)
        }
        Type::Tuple(parts) => parts.iter().for_each(|part| type_marks(part, found)),
        _ => {}
    }
}

/// Assertions that what parameters share atomically can be: checked here, at the
/// parameter, rather than where an atomic is used.
pub(super) fn atomic_widths(checked: &CheckedKernel) -> Vec<TokenStream> {
    let function = &checked.function;
    let shared = function.params.iter().filter_map(|var| {
        let var = function.var(*var);
        let Type::Slice(_, element) = &var.ty else { return None };
        let Type::Atomic(value) = &**element else { return None };
        let fixed = matches!(&**value, Type::Scalar(_))
            || matches!(&**value, Type::Named { args, .. } if args.is_empty());
        fixed.then(|| (var.name.span(), type_tokens(value)))
    });
    let message = "an `Atomic<T>` holds 4 or 8 bytes\nhelp: pack the struct into 8 bytes, or split \
                   it over two slices";
    let asserts = shared.map(|(span, value)| {
        quote::quote_spanned! {span=>
            const _: () = ::core::assert!(
                ::core::mem::size_of::<#value>() == 4 || ::core::mem::size_of::<#value>() == 8,
                #message
            );
        }
    });
    asserts.collect()
}

/// Declarations of the constants read.
pub(super) fn constants(checked: &CheckedKernel) -> Vec<TokenStream> {
    let mut found = Found::default();
    let generics = &checked.function.generics;
    let lengths = checked.function.vars.iter().filter_map(|var| match &var.ty {
        Type::Array(_, length) => length_constant(length),
        _ => None,
    });
    for path in lengths {
        let name = path.segments.last().map_or(String::new(), |last| last.ident.to_string());
        found.add(quote!(__program.constant(#name, #path);));
    }
    each_expr(checked, &mut |expr| {
        let length = match &expr.kind {
            ExprKind::Shared { length, .. } => length_constant(length),
            _ => None,
        };
        let path = match &expr.kind {
            ExprKind::Const(path) => Some(path),
            _ => length.as_ref(),
        };
        let Some(path) = path else { return };
        let first = path.segments[0].ident.to_string();
        let of_type = path.segments.len() == 2
            && (Scalar::from_name(&first).is_some()
                || generics.iter().any(|generic| generic.name == first));
        if !of_type && let Some(last) = path.segments.last() {
            let name = last.ident.to_string();
            found.add(quote!(__program.constant(#name, #path);));
        }
    });
    found.tokens
}

/// The largest group of lanes that the function waits for, callees included.
// expands to:
//   const fn group(depth: u32) -> u32 { <own, or the largest of the callees'> }
// Constants that named each other would be a cycle to rustc; functions run out of
// depth.
pub(super) fn group(checked: &CheckedKernel) -> TokenStream {
    let own = checked.group();
    let mut found = Found::default();
    each_expr(checked, &mut |expr| {
        if let ExprKind::Call { path, .. } = &expr.kind {
            found.add(callee::member(path, "group"));
        }
    });
    let callees = found.tokens;
    quote! {
        /// How many lanes must arrive at a call together: the warp's 32, a
        /// tile's, or 0 for none.
        pub const fn group(__depth: u32) -> u32 {
            if __depth == 0 {
                return ::meerkat_runtime::typed::ENDLESS;
            }
            let mut __group: u32 = #own;
            #(
                let __callee = #callees(__depth - 1);
                if __callee > __group {
                    __group = __callee;
                }
                if __group == ::meerkat_runtime::typed::ENDLESS {
                    return __group;
                }
            )*
            __group
        }
    }
}

/// The assertion that a device function does not call itself by way of others.
pub(super) fn no_recursion(checked: &CheckedKernel) -> Option<TokenStream> {
    let name = &checked.function.name;
    let message = format!(
        "`{name}` calls itself, by way of others: a GPU lane has no stack to recurse on\nhelp: \
         write it as a loop"
    );
    let span = proc_macro2::Span::call_site().located_at(name.span());
    (!checked.function.kind.is_launched()).then(|| {
        quote::quote_spanned! {span=>
            const _: () = ::core::assert!(
                #name::group(::meerkat_runtime::typed::DEPTH) != ::meerkat_runtime::typed::ENDLESS,
                #message
            );
        }
    })
}

/// Token streams in order of first sight, each once.
#[derive(Default)]
struct Found {
    seen: Vec<String>,
    tokens: Vec<TokenStream>,
}

impl Found {
    fn add(&mut self, tokens: TokenStream) {
        let text = tokens.to_string();
        if !self.seen.contains(&text) {
            self.seen.push(text);
            self.tokens.push(tokens);
        }
    }
}

fn collect_type(ty: &Type, found: &mut Found) {
    match ty {
        Type::Named { args, .. } => {
            args.iter().for_each(|arg| collect_type(arg, found));
            found.add(type_tokens(ty));
        }
        Type::Slice(_, inner) | Type::Array(inner, _) | Type::Atomic(inner) | Type::Ref(inner) => {
            collect_type(inner, found);
        }
        Type::Tuple(parts) => parts.iter().for_each(|part| collect_type(part, found)),
        Type::Param(_) => found.add(type_tokens(ty)),
        Type::Unknown | Type::Unit | Type::Scalar(_) => {}
    }
}

fn each_expr(checked: &CheckedKernel, f: &mut dyn FnMut(&Expr)) {
    fn walk(expr: &Expr, f: &mut dyn FnMut(&Expr)) {
        f(expr);
        visit::children(expr, &mut |child| walk(child, f));
    }
    visit::block(&checked.function.body, &mut |expr| walk(expr, f));
}
