//! Types, variables and fields as tokens of Rust, for all that is written in Rust.

use crate::ir::{Access, Type, Var};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// A type as Rust writes it; references and slices are views, by value.
pub(crate) fn type_tokens(ty: &Type) -> TokenStream {
    match ty {
        Type::Unknown | Type::Rustc(..) | Type::Hint(_) => quote!(_),
        Type::Unit => quote!(()),
        Type::Scalar(scalar) => {
            let name = Ident::new(scalar.name(), Span::call_site());
            quote!(#name)
        }
        Type::Param(name) => quote!(#name),
        Type::Named { path, .. } => quote!(#path),
        Type::Slice(Access::Read | Access::OwnItem, element) => {
            let element = type_tokens(element);
            quote!(::meerkat_runtime::DeviceSlice<#element>)
        }
        Type::Atomic(inner) => {
            let inner = type_tokens(inner);
            quote!(::meerkat_runtime::Atomic<#inner>)
        }
        Type::Array(element, length) => {
            let element = type_tokens(element);
            let length = length_tokens(length);
            quote!([#element; #length])
        }
        Type::Tuple(parts) => {
            let parts = parts.iter().map(type_tokens);
            quote!((#(#parts),*))
        }
        Type::Ref(inner) => type_tokens(inner),
    }
}

/// The variable's name in generated Rust, raw if the user's was. What no user wrote so must
/// be no constant of theirs.
pub(crate) fn ident(name: &str, var: &Var) -> Ident {
    let (written, span) = (var.name.to_string(), var.name.span());
    let own = written.trim_start_matches("r#");
    if var.made || own != name {
        return Ident::new(&format!("__{name}_"), span);
    }
    if own == written { Ident::new(name, span) } else { Ident::new_raw(name, span) }
}

/// The length of an array as it was written.
pub(crate) fn length_tokens(length: &str) -> TokenStream {
    length.parse().unwrap_or_default()
}

/// `_0` is the first part of a tuple.
pub(crate) fn member(name: &proc_macro2::Ident) -> syn::Member {
    let text = name.to_string();
    match text.strip_prefix('_').and_then(|at| at.parse::<u32>().ok()) {
        Some(index) => syn::Member::Unnamed(syn::Index { index, span: name.span() }),
        None => syn::Member::Named(name.clone()),
    }
}
