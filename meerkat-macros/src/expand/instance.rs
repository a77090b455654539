//! Instances: a generic device function becomes a CUDA function for each choice of
//! type arguments that rustc makes. A tuple of them stands for the choice.

use super::lanes::ScalarErrors;
use crate::cuda::Table;
use crate::forms;
use crate::ir::Function;
use crate::parse::signature::marker_of_const;
use crate::tokens::type_tokens;
use crate::witness::{self, Witnessed};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// The arguments of an instance as a tuple: `(W, ConstUsize<N>,)`.
pub(super) fn arguments(generics: &syn::Generics) -> TokenStream {
    arguments_after(&quote!(), generics)
}

/// [`arguments`] with others in front, each with its comma.
pub(super) fn arguments_after(first: &TokenStream, generics: &syn::Generics) -> TokenStream {
    let each = types(generics);
    quote!((#first #(#each,)*))
}

/// A type for each parameter: itself, or what stands for a value.
pub(crate) fn types(generics: &syn::Generics) -> Vec<TokenStream> {
    let each = generics.params.iter().filter_map(|param| match param {
        syn::GenericParam::Type(param) => Some(param.ident.to_token_stream()),
        syn::GenericParam::Const(param) => {
            let marker = format_ident!("{}", marker_of_const(&param.ty)?);
            let name = &param.ident;
            Some(quote!(::meerkat_runtime::typed::#marker<#name>))
        }
        syn::GenericParam::Lifetime(_) => None,
    });
    each.collect()
}

/// The names of the type and const parameters, as a call lists them.
pub(super) fn names(generics: &syn::Generics) -> Vec<Ident> {
    let each = generics.params.iter().filter_map(|param| match param {
        syn::GenericParam::Type(param) => Some(param.ident.clone()),
        syn::GenericParam::Const(param) => Some(param.ident.clone()),
        syn::GenericParam::Lifetime(_) => None,
    });
    each.collect()
}

/// Generics whose type parameters all have CUDA names.
pub(super) fn nameable(generics: &syn::Generics) -> syn::Generics {
    let mut generics = generics.clone();
    for param in generics.type_params_mut() {
        param.bounds.push(syn::parse_quote!(::meerkat_runtime::DeviceType));
    }
    generics
}

// expands to:
//   fn __table<W: Weight>() -> Vec<Entry> {
//       let __w0 = PhantomData;
//       drop(|graph: Graph<W>, v: u32| { let mut x = __is(__w0, 1); .. });
//       vec![type_of(__w0), ..]
//   }
// The closure is made and dropped: nobody runs what the user wrote.
/// What the marks of the function's texts stand for.
pub(super) fn table(
    witnessed: &Witnessed,
    table: &Table,
    item: &syn::ItemFn,
    errors: &ScalarErrors,
) -> TokenStream {
    let Witnessed { closure, slots, scalars } = witnessed;
    if !forms::has_cuda() {
        return quote!();
    }
    let generics = nameable(&item.sig.generics);
    let (generics, _, bounds) = generics.split_for_impl();
    let typed = errors.around(&quote!(__T));
    let witnesses = (0..*slots).map(|slot| witness::ident(crate::ir::Slot(slot)));
    let entries = table.entries();
    let scalars = scalars.iter().map(|scalar| {
        let name = proc_macro2::Ident::new(scalar.name(), proc_macro2::Span::call_site());
        quote!(::meerkat_runtime::typed::primitive::<::core::primitive::#name, #name>();)
    });
    quote! {
        #[doc(hidden)]
        pub fn __table #generics () -> ::std::vec::Vec<::meerkat_runtime::program::Entry> #bounds {
            type __G<__T> = #typed;
            fn __if_typed<__T>(_: __T) -> __G<__T> { ::core::unreachable!() }
            fn __same<__T>(_: __T) -> __T { ::core::unreachable!() }
            fn __is<__T>(_: ::core::marker::PhantomData<__T>, _: __T) -> __G<__T> {
                ::core::unreachable!()
            }
            fn __tie<__T>(_: ::core::marker::PhantomData<__T>, _: &__T) {}
            fn __tied<__T>(_: ::core::marker::PhantomData<__T>, value: &__T) -> &__T { value }
            fn __alike<__T>(_: &__T, _: &__T) {}
            fn __read<__T>(_: &__T) -> __T { ::core::unreachable!() }
            fn __any<__T>() -> __T { ::core::unreachable!() }
            #(#scalars)*
            #(let #witnesses = ::core::marker::PhantomData;)*
            ::core::mem::drop(#closure);
            ::std::vec![#(#entries),*]
        }
    }
}

/// What a call of a device function finds: the witness of its instance, and the way
/// from that to the instance; and the implementation that puts it into a program.
pub(super) fn members(function: &Function, item: &syn::ItemFn) -> (TokenStream, TokenStream) {
    if !forms::has_cuda() {
        return (quote!(), quote!());
    }
    let name = &item.sig.ident;
    let of = &item.sig.generics;
    let (arguments, generics, params) = (arguments(of), nameable(of), names(of));
    let witness = witness(function, item);
    let (generics, _, bounds) = generics.split_for_impl();
    let members = quote! {
        #witness
        #[doc(hidden)]
        pub fn instance<__A>(
            __witness: ::core::marker::PhantomData<__A>,
        ) -> ::meerkat_runtime::program::Entry
        where
            #name: ::meerkat_runtime::program::DeviceFn<__A>,
        {
            ::meerkat_runtime::program::instance_of::<#name, __A>(__witness)
        }
    };
    let stands_for = quote! {
        #[doc(hidden)]
        #[allow(warnings, clippy::all)]
        impl #generics ::meerkat_runtime::program::DeviceFn<#arguments> for #name #bounds {
            fn emit(__program: &mut ::meerkat_runtime::program::Program) -> ::std::string::String {
                __program.device_function::<(#name, #arguments)>(
                    &#name::TEXT,
                    &|| #name::__table::<#(#params),*>(),
                )
            }
        }
    };
    (members, stands_for)
}

/// [`members`] of a function that could not be read: it still has callers, which have no
/// errors of their own.
pub(super) fn refused(function: &Function, item: &syn::ItemFn) -> (TokenStream, TokenStream) {
    let (name, witness) = (&item.sig.ident, witness(function, item));
    let (arguments, generics) = (arguments(&item.sig.generics), nameable(&item.sig.generics));
    let (generics, _, bounds) = generics.split_for_impl();
    let members = quote! {
        #witness
        #[doc(hidden)]
        pub fn instance<__A>(
            _: ::core::marker::PhantomData<__A>,
        ) -> ::meerkat_runtime::program::Entry {
            ::core::unreachable!()
        }
    };
    let stands_for = quote! {
        #[doc(hidden)]
        #[allow(warnings, clippy::all)]
        impl #generics ::meerkat_runtime::program::DeviceFn<#arguments> for #name #bounds {
            fn emit(_: &mut ::meerkat_runtime::program::Program) -> ::std::string::String {
                ::core::unreachable!()
            }
        }
    };
    (members, stands_for)
}

fn witness(function: &Function, item: &syn::ItemFn) -> TokenStream {
    let arguments = arguments(&item.sig.generics);
    let (generics, _, bounds) = item.sig.generics.split_for_impl();
    let types = function.params.iter().map(|var| type_tokens(&function.var(*var).ty));
    let ret = type_tokens(&function.ret);
    quote! {
        #[doc(hidden)]
        pub fn witness #generics (
            _: ::core::marker::PhantomData<#arguments>,
        ) -> fn(#(#types),*) -> #ret #bounds {
            ::core::unreachable!()
        }
    }
}
