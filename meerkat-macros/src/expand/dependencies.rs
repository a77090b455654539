//! What must hold of a function's callees and parameters, as constants and
//! assertions that rustc evaluates.

use crate::check::CheckedKernel;
use crate::ir::{Expr, ExprKind, Type, callee, visit};
use crate::tokens::type_tokens;
use proc_macro2::TokenStream;
use quote::quote;

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
    let padding = "an `Atomic<T>` holds no padding\nhelp: add a field for the bytes between or after \
                   the others";
    let asserts = shared.map(|(span, value)| {
        quote::quote_spanned! {span=>
            const _: () = ::core::assert!(
                ::core::mem::size_of::<#value>() == 4 || ::core::mem::size_of::<#value>() == 8,
                #message
            );
            const _: () = ::core::assert!(
                !<#value as ::meerkat_runtime::DeviceType>::HAS_PADDING,
                #padding
            );
        }
    });
    asserts.collect()
}

/// The largest group of lanes that the function waits for, callees included.
// expands to:
//   const fn group(depth: u32) -> u32 { <own, or the largest of the callees'> }
// Constants that named each other would be a cycle to rustc; functions run out of
// depth.
pub(super) fn group(checked: &CheckedKernel) -> TokenStream {
    let own = checked.group();
    let mut callees = Unique::default();
    each_expr(checked, &mut |expr| {
        // Functions of types never wait for other lanes.
        if let ExprKind::Call { callee, .. } = &expr.kind
            && let Some(path) = callee.function()
        {
            callees.add(callee::member(path, "group"));
        }
    });
    let callees = callees.tokens;
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
    let name = &checked.function.in_rust;
    let message = format!(
        "`{}` calls itself, by way of others: a GPU lane has no stack to recurse on\nhelp: \
         write it as a loop",
        checked.function.name
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
struct Unique {
    seen: Vec<String>,
    tokens: Vec<TokenStream>,
}

impl Unique {
    fn add(&mut self, tokens: TokenStream) {
        let text = tokens.to_string();
        if !self.seen.contains(&text) {
            self.seen.push(text);
            self.tokens.push(tokens);
        }
    }
}

/// Every expression of the function.
pub(super) fn each_expr(checked: &CheckedKernel, f: &mut dyn FnMut(&Expr)) {
    fn walk(expr: &Expr, f: &mut dyn FnMut(&Expr)) {
        f(expr);
        visit::children(expr, &mut |child| walk(child, f));
    }
    visit::block(&checked.function.body, &mut |expr| walk(expr, f));
}
