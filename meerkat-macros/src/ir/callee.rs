//! Device functions by the paths of their calls: `module::f`, or `Node::f` of a
//! type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// Whether a path names a function of a type rather than of a module: types are
/// written in upper case.
fn is_associated(path: &syn::Path) -> bool {
    let owner = path.segments.iter().rev().nth(1);
    owner.is_some_and(|owner| owner.ident.to_string().starts_with(char::is_uppercase))
}

/// The type that stands for a device function, without type arguments.
pub(crate) fn owner_path(path: &syn::Path) -> TokenStream {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    quote!(#path)
}

/// `f::lanes`, or `Node::__f_lanes`: what the macro left beside a function.
pub(crate) fn member(path: &syn::Path, member: &str) -> TokenStream {
    let Some(last) = path.segments.last().filter(|_| is_associated(path)) else {
        let span = path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
        let (owner, member) = (owner_path(path), Ident::new(member, span));
        return quote_spanned!(span=> #owner::#member);
    };
    let mut path = path.clone();
    let name = associated(&last.ident, member);
    if let Some(last) = path.segments.last_mut() {
        *last = name.into();
    }
    quote!(#path)
}

/// The name of a member that stands for a function of a type.
pub(crate) fn associated(function: &Ident, member: &str) -> Ident {
    format_ident!("__{function}_{member}", span = function.span())
}

/// [`member`] with the type arguments that the call names: `f::lanes::<W>`.
pub(crate) fn member_of_call(path: &syn::Path, name: &str) -> TokenStream {
    let member = member(path, name);
    let last = path.segments.last();
    let span = last.map_or_else(Span::call_site, |last| last.ident.span());
    match last.map(|last| &last.arguments) {
        Some(syn::PathArguments::AngleBracketed(arguments)) => {
            let arguments = &arguments.args;
            quote_spanned!(span=> #member::<#arguments>)
        }
        _ => quote_spanned!(span=> #member),
    }
}
