//! The lock-step forms of a function: for all lanes, and of a device function for one.

use super::{instance, scalar};
use crate::check::CheckedKernel;
use crate::ir::{Function, Type};
use crate::operator::Schedule;
use crate::tokens::type_tokens;
use crate::{forms, native};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The lock-step function.
pub(super) fn lanes(
    checked: &CheckedKernel,
    schedule: Schedule,
    item: &syn::ItemFn,
) -> TokenStream {
    if !forms::has_native() {
        return quote!();
    }
    let body = native::body(checked);
    let errors = ScalarErrors::of(item);
    let alias = errors.around(&quote!(__T));
    let body = quote! {
        type __Typed<__T> = #alias;
        #body
    };
    lanes_with(&checked.function, schedule, item, &body, &errors)
}

pub(super) fn lanes_with(
    function: &Function,
    schedule: Schedule,
    item: &syn::ItemFn,
    body: &TokenStream,
    errors: &ScalarErrors,
) -> TokenStream {
    let launched = function.kind.is_launched();
    let name = if launched { "run" } else { "lanes" };
    let name = format_ident!("{name}{}", schedule.suffix());
    let (names, types) = native::params(function, &|ty| errors.around(ty));
    // The arguments of a call are one tuple: where the scalar form has reported one
    // too few, they have no type and rustc does not count again.
    let params = match launched {
        true => quote!(#(#names: #types),*),
        false => quote!((#(#names,)*): (#(#types,)*)),
    };
    let result = native::result(function);
    let result = if launched { result } else { errors.around(&result) };
    let (warp, mask) =
        (errors.around(&quote!(::meerkat_runtime::lanes::Warp)), errors.around(&quote!(u32)));
    let (generics, _, bounds) = item.sig.generics.split_for_impl();
    let lanes = quote! {
        #[doc(hidden)]
        #[inline]
        pub fn #name #generics (
            __warp: &#warp,
            __mask: #mask,
            #params
        ) -> #result #bounds {
            #body
        }
    };
    match schedule.is_native() {
        true => lanes,
        false => quote!(::meerkat_runtime::with_all_schedules! { { #lanes } {} }),
    }
}

// expands to:
//   pub fn alone(__warp: &Warp, __l: usize, (graph, v): (Graph, u32)) -> u32 { .. }
/// The function for one lane, which calls it where it runs by itself. One that only lanes
/// together can run does so with a mask of that lane.
pub(super) fn alone(checked: &CheckedKernel, item: &syn::ItemFn) -> TokenStream {
    if !forms::has_native() {
        return quote!();
    }
    let function = &checked.function;
    let errors = ScalarErrors::of(item);
    let alias = errors.around(&quote!(__T));
    let body = native::lane_body(checked).unwrap_or_else(|| {
        let (names, _) = native::lane_params(function, &Clone::clone);
        let generics = instance::names(&item.sig.generics);
        let all = quote!(Self::lanes::<#(#generics),*>(__warp, 1u32 << __l, (#(#names,)*)));
        match function.ret {
            Type::Unit => all,
            _ => quote!(::meerkat_runtime::lanes::LaneValue::lanes(#all)[__l]),
        }
    });
    let body = quote! {
        type __Typed<__T> = #alias;
        #body
    };
    alone_with(function, item, &body, &errors)
}

pub(super) fn alone_with(
    function: &Function,
    item: &syn::ItemFn,
    body: &TokenStream,
    errors: &ScalarErrors,
) -> TokenStream {
    let (names, types) = native::lane_params(function, &|ty| errors.around(ty));
    let result = errors.around(&type_tokens(&function.ret));
    let warp = errors.around(&quote!(::meerkat_runtime::lanes::Warp));
    let (generics, _, bounds) = item.sig.generics.split_for_impl();
    quote! {
        #[doc(hidden)]
        #[inline]
        pub fn alone #generics (
            __warp: &#warp,
            __l: usize,
            (#(#names,)*): (#(#types,)*)
        ) -> #result #bounds {
            #body
        }
    }
}

/// What the types of the generated forms wait for, so that rustc tells a type
/// error once: the scalar form's having none.
pub(super) struct ScalarErrors(Option<TokenStream>);

impl ScalarErrors {
    pub(super) fn of(item: &syn::ItemFn) -> ScalarErrors {
        ScalarErrors(scalar::errors(item))
    }

    pub(super) fn open() -> ScalarErrors {
        ScalarErrors(None)
    }

    /// The type, once the scalar form has no errors.
    pub(super) fn around(&self, ty: &TokenStream) -> TokenStream {
        match &self.0 {
            Some(errors) => quote! {
                <::meerkat_runtime::typed::Typed as
                    ::meerkat_runtime::typed::Checked<#errors>>::Of<#ty>
            },
            None => ty.clone(),
        }
    }
}
