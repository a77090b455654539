//! What the attribute leaves of a function that it refuses: names resolve, and who calls or
//! launches it has no errors of their own.

use super::lanes::{ScalarErrors, alone_with, lanes_with};
use super::{instance, launch, scalar, unbound};
use crate::diagnostics::{self, Place};
use crate::ir::{Function, FunctionKind};
use crate::native;
use crate::operator::Schedule;
use crate::tokens::type_tokens;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::visit::Visit as _;
use syn::visit_mut::VisitMut;

/// What the attribute cannot read as a function.
pub(crate) fn no_function(kind: FunctionKind, item: TokenStream, error: syn::Error) -> TokenStream {
    let Ok(other) = syn::parse2::<syn::Item>(item) else { return error.into_compile_error() };
    let error = not_a_function(kind, &other).into_compile_error();
    quote!(#other #error)
}

/// The error of an attribute on anything but a function.
pub(crate) fn not_a_function(kind: FunctionKind, item: &syn::Item) -> syn::Error {
    let place = match item {
        syn::Item::Struct(item) => Place::of(&item.ident),
        other => Place::of(other),
    };
    diagnostics::error(
        place,
        format!("`#[{}]` goes on a function", kind.attribute()),
        "a struct that kernels use has `#[derive(DeviceStruct)]`",
    )
}

/// The item without its body, so that names resolve and callers of a function
/// with errors have none of their own.
pub(crate) fn refused(
    kind: FunctionKind,
    function: Option<&Function>,
    item: &syn::ItemFn,
    error: &syn::Error,
) -> TokenStream {
    let errors = error.to_compile_error();
    let mut bare = item.clone();
    bare.block = syn::parse_quote!({ ::core::unreachable!() });
    bare.sig.inputs.iter_mut().for_each(|input| AnyForDyn.visit_fn_arg_mut(input));
    unbound::give_bounds(&mut bare.sig.generics, |uses| uses.visit_signature(&item.sig));
    let item = &bare;
    if item.sig.receiver().is_some() {
        // In an `impl` no type can stand beside it.
        return quote!(#[allow(unused_variables)] #bare #errors);
    }
    let (vis, name) = (&item.vis, &item.sig.ident);
    let text = name.to_string();
    let scalar = scalar::typed(&bare);
    let mut stands_for = None;
    let members = function.map(|function| {
        let stub = quote!(::core::unreachable!());
        let open = ScalarErrors::open();
        let lanes = lanes_with(function, Schedule::Warp, item, &stub, &open);
        let alone =
            (!function.kind.is_launched()).then(|| alone_with(function, item, &stub, &open));
        let launched = function.kind.is_launched();
        let uncallable = launched.then(|| uncallable(item));
        let launch = launched.then(|| launch::functions(function, &[], item, true));
        let instance = (!launched).then(|| {
            let (members, implementation) = instance::refused(function, item);
            stands_for = Some(implementation);
            members
        });
        quote! {
            #lanes
            #alone
            #uncallable
            #launch
            #instance
        }
    });
    let members = members.or_else(|| match kind.is_launched() {
        true => Some(launch::any_arguments(kind, item)),
        false => any_arguments(item),
    });
    quote! {
        #errors

        #[allow(unused_variables, unused_mut)]
        #scalar

        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs, dead_code)]
        #vis struct #name {}

        #[allow(warnings, missing_docs, dead_code, unused_variables)]
        impl #name {
            #[doc(hidden)]
            pub const fn group(_: u32) -> u32 { 0 }
            #[doc(hidden)]
            pub const IS_LAUNCHED: bool = false;
            #[doc(hidden)]
            pub const AGREED_PARAMS: &[u32] = &[];
            #[doc(hidden)]
            pub const AGREED_RESULT: u32 = u32::MAX;
            #[doc(hidden)]
            pub const TEXT: ::meerkat_runtime::program::FunctionText =
                ::meerkat_runtime::program::FunctionText {
                    name: #text,
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    lines: &[],
                    groups: 0,
                    native: "",
                };
            #members
        }

        #stands_for
    }
}

/// Of a reference to a trait object, which is refused, rustc would say that a device trait
/// has none.
struct AnyForDyn;

impl VisitMut for AnyForDyn {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        syn::visit_mut::visit_type_mut(self, ty);
        if let syn::Type::TraitObject(_) = ty {
            *ty = syn::parse_quote!(impl ::core::marker::Sized);
        }
    }
}

/// What calls of a device function find of which a parameter is refused, so that they are
/// not reported, too; none if its result is refused, or may be of a type parameter.
fn any_arguments(item: &syn::ItemFn) -> Option<TokenStream> {
    if !item.sig.generics.params.is_empty() {
        return None;
    }
    let mut without = item.clone();
    without.sig.inputs.clear();
    let function = crate::parse::signature(FunctionKind::Device, &without)?;
    let result = native::result(&function);
    let ret = type_tokens(&function.ret);
    let types: Vec<_> = (0..item.sig.inputs.len()).map(|at| format_ident!("__{at}")).collect();
    Some(quote! {
        #[doc(hidden)]
        pub fn lanes<__A>(
            _: &::meerkat_runtime::lanes::Warp,
            _: u32,
            _: __A,
        ) -> #result {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn alone<__A>(_: &::meerkat_runtime::lanes::Warp, _: usize, _: __A) -> #ret {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn witness<__W, #(#types),*>(
            _: ::core::marker::PhantomData<__W>,
        ) -> fn(#(#types),*) -> #ret {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn instance<__W>(
            _: ::core::marker::PhantomData<__W>,
        ) -> ::meerkat_runtime::program::Entry {
            ::core::unreachable!()
        }
    })
}

/// What a call of a launched function finds, so that the assertion at the call
/// is the only error.
pub(super) fn uncallable(item: &syn::ItemFn) -> TokenStream {
    let (generics, _, bounds) = item.sig.generics.split_for_impl();
    let typed = scalar::typed(item);
    let types = typed.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(input) => Some(match &*input.ty {
            syn::Type::Reference(reference) => &*reference.elem,
            other => other,
        }),
        syn::FnArg::Receiver(_) => None,
    });
    quote! {
        #[doc(hidden)]
        pub fn lanes #generics (_: &::meerkat_runtime::lanes::Warp, _: u32, _: impl ::core::marker::Sized) #bounds {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn alone #generics (_: &::meerkat_runtime::lanes::Warp, _: usize, _: impl ::core::marker::Sized) #bounds {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn witness #generics (_: ::core::marker::PhantomData<()>) -> fn(#(#types),*) #bounds {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn instance(_: ::core::marker::PhantomData<()>) -> ::meerkat_runtime::program::Entry {
            ::core::unreachable!()
        }
    }
}
