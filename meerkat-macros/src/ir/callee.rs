//! Device functions as calls name them: `module::f`, `Node::f` of a type or a trait,
//! `node.f()`.

use super::Scalar;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

/// What a call names.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    /// `f`, `module::f::<W>`
    Function(syn::Path),
    /// `Node::f`, `D::f` of a type parameter, `<D as Distance>::f`: a function of a type.
    Associated(syn::ExprPath),
    /// `a.f(b)`: a function of the first argument's type, which rustc finds.
    Method(Ident),
}

impl Callee {
    /// What a path names: types are written in upper case, or are numbers.
    pub(crate) fn of_path(path: syn::ExprPath) -> Callee {
        let owner = path.path.segments.iter().rev().nth(1).map(|owner| owner.ident.to_string());
        let is_type = owner.is_some_and(|owner| {
            owner.starts_with(char::is_uppercase) || Scalar::from_name(&owner).is_some()
        });
        match is_type || path.qself.is_some() {
            true => Callee::Associated(path),
            false => Callee::Function(path.path),
        }
    }

    /// The function's own name.
    pub(crate) fn name(&self) -> Option<&Ident> {
        match self {
            Callee::Function(path) => path.segments.last().map(|last| &last.ident),
            Callee::Associated(path) => path.path.segments.last().map(|last| &last.ident),
            Callee::Method(name) => Some(name),
        }
    }

    /// The path of a function that is no type's: only such may wait for other lanes.
    pub(crate) fn function(&self) -> Option<&syn::Path> {
        match self {
            Callee::Function(path) => Some(path),
            _ => None,
        }
    }
}

/// `f::lanes`: what the macro left beside a function.
pub(crate) fn member(path: &syn::Path, member: &str) -> TokenStream {
    let span = path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
    let mut owner = path.clone();
    if let Some(last) = owner.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    let member = Ident::new(member, span);
    quote_spanned!(span=> #owner::#member)
}

/// The name of a member that stands for a function of a type.
pub(crate) fn associated(function: &Ident, member: &str) -> Ident {
    format_ident!("__{}_{}", function, member, span = function.span())
}

/// What a call by a value names first: it reads as its own explanation where there is no
/// such function.
pub(crate) fn probe(function: &Ident) -> Ident {
    format_ident!("{}_needs_device_above_its_impl", function, span = function.span())
}

/// [`member`], or that of a type's function, with the type arguments that the call names:
/// `f::lanes::<W>`, `Node::__f_lanes`.
pub(crate) fn member_of_call(callee: &Callee, name: &str) -> TokenStream {
    let (function, arguments) = match callee {
        Callee::Function(path) => {
            (member(path, name), path.segments.last().map(|last| last.arguments.clone()))
        }
        Callee::Associated(path) => {
            let mut path = path.clone();
            let mut arguments = None;
            if let Some(last) = path.path.segments.last_mut() {
                let of_function = associated(&last.ident, name);
                arguments = Some(std::mem::replace(last, of_function.into()).arguments);
            }
            (path.into_token_stream(), arguments)
        }
        Callee::Method(function) => (associated(function, name).into_token_stream(), None),
    };
    let span = callee.name().map_or_else(Span::call_site, Ident::span);
    match arguments {
        Some(syn::PathArguments::AngleBracketed(arguments)) => {
            let arguments = &arguments.args;
            quote_spanned!(span=> #function::<#arguments>)
        }
        _ => quote!(#function),
    }
}

/// What the name of a method's free function begins with: `__method_of_Node__name`.
const METHOD: &str = "__method_of_";

/// The name in Rust of a method's free function, which no user gives.
pub(crate) fn method_name(owner: &str, method: &Ident) -> Ident {
    format_ident!("{}{}__{}", METHOD, owner, method, span = method.span())
}

/// What it is called in CUDA: `Node_name`.
pub(super) fn shown_name(name: &Ident) -> Ident {
    let text = name.to_string();
    let parts = text.strip_prefix(METHOD).and_then(|parts| parts.rsplit_once("__"));
    let shown = parts.and_then(|(owner, method)| syn::parse_str(&format!("{owner}_{method}")).ok());
    let Some(mut shown): Option<Ident> = shown else { return name.clone() };
    shown.set_span(name.span());
    shown
}
