//! `#[device] impl Node { .. }` and `#[device] impl Distance for u32 { .. }`: each
//! function becomes a free device function, called `Node_through`, `Distance_u32_lengthen`
//! in programs.

use super::associated::{self, Member, assert_alone, joined, word_of};
use super::self_types::SelfTypes;
use super::{Compiled, instance, refused, unbound};
use crate::diagnostics::{Errors, Place};
use crate::forms;
use crate::ir::callee::method_name;
use crate::ir::{Function, FunctionKind};
use crate::parse::signature::check_bounds;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::visit::Visit as _;

/// What the stages make of one function.
pub(super) type Outcome = syn::Result<Compiled>;

/// Expands the whole `impl`; `compile` runs the stages of one function. Errors of
/// the `impl` itself come beside it.
pub(crate) fn expand(
    item: &syn::ItemImpl,
    compile: impl Fn(&syn::ItemFn) -> Outcome,
) -> (TokenStream, syn::Result<()>) {
    let mut item = item.clone();
    // What a `macro_rules!` was given lies in a group that nobody sees.
    while let syn::Type::Group(syn::TypeGroup { elem, .. })
    | syn::Type::Paren(syn::TypeParen { elem, .. }) = *item.self_ty
    {
        item.self_ty = elem;
    }
    let errors = Errors::new();
    check(&item, &errors);
    if let Err(error) = errors.check_so_far() {
        return (quote!(), Err(error));
    }
    check_bounds(&item.generics, &errors);
    let whole = item.clone();
    unbound::give_bounds(&mut item.generics, |uses| uses.visit_item_impl(&whole));
    let item = &item;
    let of_trait = item.trait_.as_ref().map(|(_, path, _)| path);
    let (mut inside, mut beside) = (Vec::new(), Vec::new());
    for inner in &item.items {
        let syn::ImplItem::Fn(method) = inner else {
            inside.push(quote!(#inner));
            continue;
        };
        let mut plain = method.clone();
        if take_host(&mut plain.attrs) {
            inside.push(quote!(#plain));
            continue;
        }
        if of_trait.is_none() && associated::takes_name_of_reduce(&method.sig, &errors) {
            continue;
        }
        let (own, free) = function(item, method, &compile, &errors);
        inside.push(own);
        beside.push(free);
    }
    let marker = of_trait.map(|_| {
        quote!(
            #[doc(hidden)]
            const NEEDS_DEVICE_ABOVE_TRAIT_AND_IMPL: () = ();
        )
    });
    let (attributes, ty) = (&item.attrs, &item.self_ty);
    let (generics, _, bounds) = item.generics.split_for_impl();
    let of_trait = of_trait.map(|path| quote!(#path for));
    let expansion = quote! {
        #(#attributes)*
        #[allow(non_upper_case_globals, non_snake_case, private_interfaces)]
        impl #generics #of_trait #ty #bounds { #marker #(#inside)* }
        #(#beside)*
    };
    (expansion, errors.check())
}

/// Takes `#[host]` off, which keeps a function off the device; whether it was there.
pub(super) fn take_host(attributes: &mut Vec<syn::Attribute>) -> bool {
    let before = attributes.len();
    attributes.retain(|attribute| !attribute.path().is_ident("host"));
    attributes.len() < before
}

/// What is generated beside a function would be there without it.
pub(super) fn refuse_cfg(attributes: &[syn::Attribute], errors: &Errors) {
    for attribute in attributes {
        if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
            let help = "put it on the whole `impl` or `trait`";
            errors.report(Place::of(attribute), "`#[cfg]` on one of its items", help);
        }
    }
}

fn check(item: &syn::ItemImpl, errors: &Errors) {
    let is_parameter = match &*item.self_ty {
        syn::Type::Path(path) => path
            .path
            .get_ident()
            .is_some_and(|name| item.generics.type_params().any(|param| param.ident == *name)),
        _ => false,
    };
    if is_parameter {
        errors.report(
            Place::of(&item.self_ty),
            "a device trait is implemented for one type at a time",
            "write an `impl` for each type; a `macro_rules!` saves the writing",
        );
    }
    let word = item.unsafety.map(|word| word.span).or(item.defaultness.map(|word| word.span));
    let negative = item.trait_.as_ref().and_then(|(not, ..)| not.map(|word| word.span));
    if let Some(span) = word.or(negative) {
        errors.report(span, "functions for devices have a plain `impl`", "leave the word out");
    }
    let attributes = item.items.iter().map(|inner| match inner {
        syn::ImplItem::Fn(inner) => &inner.attrs[..],
        syn::ImplItem::Const(inner) => &inner.attrs[..],
        syn::ImplItem::Type(inner) => &inner.attrs[..],
        _ => &[],
    });
    attributes.for_each(|attributes| refuse_cfg(attributes, errors));
    let is_value = matches!(*item.self_ty, syn::Type::Path(_) | syn::Type::Array(_))
        || matches!(&*item.self_ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty());
    if !is_value {
        errors.report(
            Place::of(&item.self_ty),
            "functions of this type are not for devices",
            "write the `impl` for a number, an array or a device struct",
        );
    }
    let kinds = ["Default", "Clone", "PartialEq", "PartialOrd", "Ord", "Eq", "Add", "Sub", "Mul"];
    let kinds =
        kinds.iter().chain(&["Div", "Rem", "Neg", "Not", "From", "Into", "Iterator", "Index"]);
    if let Some((_, of, _)) = &item.trait_
        && of.segments.last().is_some_and(|last| kinds.clone().any(|kind| last.ident == kind))
    {
        errors.report(
            Place::of(of),
            "functions of this trait are not for devices",
            "write them in a `#[device] impl` of the type itself, or in a `#[device] trait` of your own",
        );
    }
}

/// The members of one function, and its free function.
fn function(
    item: &syn::ItemImpl,
    method: &syn::ImplItemFn,
    compile: &impl Fn(&syn::ItemFn) -> Outcome,
    errors: &Errors,
) -> (TokenStream, TokenStream) {
    let (name, generics) = (&method.sig.ident, &method.sig.generics);
    let free = free_function(item, method, errors);
    let target = &free.sig.ident;
    let (beside, signature) = match compile(&free) {
        Ok(compiled) => {
            associated::is_for_one_lane(&compiled.checked.function, name.span(), errors);
            let alone = assert_alone(name, target);
            let expanded = super::expand(&compiled, &free);
            (quote!(#expanded #alone), Some(compiled.checked.function))
        }
        Err(error) => {
            let signature = crate::parse::signature_for_callers(FunctionKind::Device, &free);
            (refused(FunctionKind::Device, signature.as_ref(), &free, &error), signature)
        }
    };
    let leads = signature.map(|found| members(item, &found, &free, name, generics));
    let names = instance::names(&free.sig.generics);
    let ordinary = associated::ordinary(&method.sig, &quote!(#target::<#(#names),*>));
    let (attributes, visibility) = (&method.attrs, &method.vis);
    let own = quote!(#(#attributes)* #[allow(dead_code)] #visibility #ordinary #leads);
    (own, beside)
}

fn free_function(item: &syn::ItemImpl, method: &syn::ImplItemFn, errors: &Errors) -> syn::ItemFn {
    let of_trait = item.trait_.as_ref().map(|(_, path, _)| path);
    let mut prefix = word_of(&item.self_ty, &item.generics);
    if let Some(path) = of_trait {
        prefix = format!("{}_{prefix}", word_of(path, &item.generics));
    }
    let names = item.items.iter().filter_map(|inner| match inner {
        syn::ImplItem::Fn(inner) => Some(inner.sig.ident.clone()),
        syn::ImplItem::Const(inner) => Some(inner.ident.clone()),
        syn::ImplItem::Type(inner) => Some(inner.ident.clone()),
        _ => None,
    });
    let mut self_types = SelfTypes {
        ty: (*item.self_ty).clone(),
        of_trait: of_trait.map(|path| (path, names.collect())),
    };
    let name = method_name(&prefix, &method.sig.ident);
    let (signature, block) = (&method.sig, &method.block);
    associated::free_function(name, signature, block, &item.generics, &mut self_types, errors)
}

fn members(
    item: &syn::ItemImpl,
    function: &Function,
    free: &syn::ItemFn,
    name: &Ident,
    generics: &syn::Generics,
) -> TokenStream {
    let target = &free.sig.ident;
    let arguments = instance::arguments(&joined(&item.generics, generics));
    let is_of_trait = item.trait_.is_some();
    let member = Member {
        name,
        function,
        takes_self: takes_self(free),
        generics,
        instance: quote!((#target, #arguments)),
        visibility: if is_of_trait { quote!() } else { quote!(pub) },
    };
    let names = instance::names(&free.sig.generics);
    let lanes = member.forms(Some((target, &quote!(::<#(#names),*>))));
    if !is_of_trait {
        let ways = member.ways();
        return quote!(#lanes #ways);
    }
    let emit = emit(
        name,
        generics,
        &quote! {
            <#target as ::meerkat_runtime::program::DeviceFn<#arguments>>::emit(__program)
        },
    );
    quote!(#lanes #emit)
}

/// The member of a trait that puts the function of a type into a program.
pub(super) fn emit(name: &Ident, generics: &syn::Generics, body: &TokenStream) -> TokenStream {
    if !forms::has_cuda() {
        return quote!();
    }
    let name = crate::ir::callee::associated(name, "emit");
    let generics = instance::nameable(generics);
    let (generics, _, bounds) = generics.split_for_impl();
    quote! {
        #[doc(hidden)]
        #[allow(warnings, clippy::all, clippy::pedantic)]
        fn #name #generics (
            __program: &mut ::meerkat_runtime::program::Program,
        ) -> ::std::string::String #bounds {
            #body
        }
    }
}

/// Whether the first parameter was `self`.
pub(super) fn takes_self(free: &syn::ItemFn) -> bool {
    free.sig.inputs.first().is_some_and(|input| match input {
        syn::FnArg::Typed(input) => {
            matches!(&*input.pat, syn::Pat::Ident(name) if name.ident == "self_")
        }
        syn::FnArg::Receiver(_) => true,
    })
}
