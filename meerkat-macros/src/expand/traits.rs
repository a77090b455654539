//! `#[device] trait Distance { .. }`: the trait as it was written, with hidden members
//! that say for each type which device function a call means.
//!
//! ```text
//! D::lengthen_emit(program)    puts the function of the type into a program
//! D::lengthen_lanes(..)        its lock-step form
//! D::lengthen_lane(..)         its form for one lane
//! struct __Distance_lengthen   stands for the function of whatever type: DeviceFn<(D,)>
//! ```

use super::associated::{self, Member, assert_alone, joined, over_views};
use super::impls::{Outcome, emit, refuse_cfg, take_host, takes_self};
use super::self_types::SelfTypes;
use super::{instance, refused, unbound};
use crate::diagnostics::{Errors, Place};
use crate::forms;
use crate::ir::callee::{associated as member_name, method_name};
use crate::ir::{Function, FunctionKind};
use crate::parse::signature::check_bounds;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit::Visit as _;
use syn::visit_mut::VisitMut;

/// Expands the trait; `compile` runs the stages of a default function.
pub(crate) fn expand(
    item: &syn::ItemTrait,
    compile: impl Fn(&syn::ItemFn) -> Outcome,
) -> (TokenStream, syn::Result<()>) {
    let errors = Errors::new();
    for param in &item.generics.params {
        if !matches!(param, syn::GenericParam::Type(_)) {
            let help = "a device trait has type parameters: `trait Scale<T: Number>`";
            errors.report(Place::of(param), "a lifetime or const parameter of a trait", help);
        }
    }
    if let Some(word) = item.unsafety {
        errors.report(word.span, "an `unsafe` trait for devices", "leave the word out");
    }
    let attributes = item.items.iter().map(|inner| match inner {
        syn::TraitItem::Fn(inner) => &inner.attrs[..],
        syn::TraitItem::Const(inner) => &inner.attrs[..],
        syn::TraitItem::Type(inner) => &inner.attrs[..],
        _ => &[],
    });
    attributes.for_each(|attributes| refuse_cfg(attributes, &errors));
    if let Err(error) = errors.check_so_far() {
        return (quote!(#item), Err(error));
    }
    check_bounds(&item.generics, &errors);
    let mut bounded = item.clone();
    unbound::give_bounds(&mut bounded.generics, |uses| uses.visit_item_trait(item));
    let item = &bounded;
    let (mut inside, mut beside, mut stand_in) = (Vec::new(), Vec::new(), Vec::new());
    for inner in &item.items {
        match inner {
            syn::TraitItem::Fn(method) => {
                let mut plain = method.clone();
                let is_host = take_host(&mut plain.attrs);
                stand_in.extend(stand_in_of(&plain, is_host));
                if is_host {
                    inside.push(quote!(#plain));
                    continue;
                }
                if !crate::run_time::is_compiled() {
                    associated::takes_name_of_reduce(&method.sig, &errors);
                }
                let (own, free) = function(item, method, &compile, &errors);
                inside.push(own);
                beside.push(free);
            }
            syn::TraitItem::Const(constant) => {
                let (name, ty) = (&constant.ident, &constant.ty);
                let value = quote!(const #name: #ty = ::core::unreachable!(););
                stand_in.extend(constant.default.is_none().then_some(value));
                inside.push(quote!(#inner));
            }
            syn::TraitItem::Type(ty) => {
                let name = &ty.ident;
                stand_in.push(quote!(type #name = ::meerkat_runtime::typed::AnyDeviceType;));
                inside.push(quote!(#inner));
            }
            other => inside.push(quote!(#other)),
        }
    }
    let stand_in = stand_in_impl(item, &stand_in);
    let (attributes, visibility, name) = (&item.attrs, &item.vis, &item.ident);
    let supers = &item.supertraits;
    let (generics, _, bounds) = item.generics.split_for_impl();
    let plus = (!supers.is_empty() && !supers.trailing_punct()).then(|| quote!(+));
    let expansion = quote! {
        #(#attributes)*
        #[allow(non_upper_case_globals, non_snake_case, private_interfaces)]
        #visibility trait #name #generics: #supers #plus ::meerkat_runtime::DeviceType #bounds {
            #[doc(hidden)]
            #[allow(missing_docs)]
            const NEEDS_DEVICE_ABOVE_TRAIT_AND_IMPL: ();
            #(#inside)*
        }
        #stand_in
        #(#beside)*
    };
    (expansion, errors.check())
}

/// A required function of the type that stands for any.
fn stand_in_of(method: &syn::TraitItemFn, is_host: bool) -> Option<TokenStream> {
    let signature = if is_host { method.sig.clone() } else { over_views(&method.sig) };
    method.default.is_none().then(|| quote!(#signature { ::core::unreachable!() }))
}

// The type that stands for any has every device trait, so that the errors of a generic
// function can be asked for.
fn stand_in_impl(item: &syn::ItemTrait, inside: &[TokenStream]) -> TokenStream {
    let name = &item.ident;
    let (generics, arguments, bounds) = item.generics.split_for_impl();
    quote! {
        #[doc(hidden)]
        #[allow(warnings, clippy::all, clippy::pedantic)]
        impl #generics #name #arguments for ::meerkat_runtime::typed::AnyDeviceType #bounds {
            const NEEDS_DEVICE_ABOVE_TRAIT_AND_IMPL: () = ();
            #(#inside)*
        }
    }
}

/// The members of one function, and what stands beside the trait for it.
fn function(
    item: &syn::ItemTrait,
    method: &syn::TraitItemFn,
    compile: &impl Fn(&syn::ItemFn) -> Outcome,
    errors: &Errors,
) -> (TokenStream, TokenStream) {
    let (name, own) = (&method.sig.ident, &method.sig.generics);
    // In the trait `Self` is a type parameter like any other.
    let this: Ident = Ident::new("Self_", proc_macro2::Span::call_site());
    let (trait_name, (_, trait_arguments, _)) = (&item.ident, item.generics.split_for_impl());
    let of_self: syn::Generics = syn::parse_quote!(<#this: #trait_name #trait_arguments>);
    let outer = joined(&of_self, &item.generics);
    let mut self_types = SelfTypes { ty: syn::parse_quote!(#this), of_trait: None };
    let default = method.default.as_ref();
    let block = default.cloned().unwrap_or_else(|| syn::parse_quote!({ ::core::unreachable!() }));
    let free_ident = method_name(&trait_name.to_string(), name);
    let (signature, outer) = (&method.sig, &outer);
    let free =
        associated::free_function(free_ident, signature, &block, outer, &mut self_types, errors);
    let Some(function) = readable(&free, errors) else {
        return (quote!(#method), quote!());
    };
    let stands_for = stands_for(item, name, &free);
    let mut in_self = function.clone();
    name_self(&mut in_self, &this);
    let marker = format_ident!("__{}_{}", trait_name, name);
    let outer_names = instance::names(&item.generics);
    let arguments = instance::arguments_after(&quote!(Self, #(#outer_names,)*), own);
    let member = Member {
        name,
        function: &in_self,
        takes_self: takes_self(&free),
        generics: own,
        instance: quote!((#marker, #arguments)),
        visibility: quote!(),
    };
    let (ways, attributes) = (member.ways(), &method.attrs);
    let never = quote!(::core::unreachable!());
    let Some(_) = default else {
        let signature = over_views(&method.sig);
        let (lanes, emit) = (member.forms(None), emit(name, own, &never));
        return (quote!(#(#attributes)* #signature; #ways #lanes #emit), stands_for);
    };
    let target = &free.sig.ident;
    let own_names = instance::names(own);
    let arguments_of_call = quote!(::<Self, #(#outer_names,)* #(#own_names,)*>);
    let lanes = member.forms(Some((target, &arguments_of_call)));
    let emit = emit(
        name,
        own,
        &quote! {
            <#target as ::meerkat_runtime::program::DeviceFn<#arguments>>::emit(__program)
        },
    );
    let beside = match compile(&free) {
        Ok(compiled) => {
            let alone = assert_alone(name, target);
            let expanded = super::expand(&compiled, &free);
            quote!(#expanded #alone)
        }
        Err(error) => refused(FunctionKind::Device, Some(&function), &free, &error),
    };
    let whole = quote!(#target::<Self, #(#outer_names,)* #(#own_names,)*>);
    let ordinary = associated::ordinary(&method.sig, &whole);
    (quote!(#(#attributes)* #ordinary #ways #lanes #emit), quote!(#stands_for #beside))
}

/// The signature, if it is one that every type can have.
fn readable(free: &syn::ItemFn, errors: &Errors) -> Option<Function> {
    let function = match crate::parse::signature_or(FunctionKind::Device, free) {
        Ok(function) => function,
        Err(error) => {
            errors.push(error);
            return None;
        }
    };
    associated::is_for_one_lane(&function, free.sig.ident.span(), errors).then_some(function)
}

/// The type that stands for the function, whichever type it is of.
fn stands_for(item: &syn::ItemTrait, name: &Ident, free: &syn::ItemFn) -> TokenStream {
    if !forms::has_cuda() {
        return quote!();
    }
    let (visibility, trait_name) = (&item.vis, &item.ident);
    let marker = format_ident!("__{}_{}", trait_name, name);
    let generics = instance::nameable(&free.sig.generics);
    let arguments = instance::arguments(&free.sig.generics);
    let names = instance::names(&free.sig.generics);
    let outer = 1 + item.generics.params.len();
    let (this, outer_names, own_names) = (&names[0], &names[1..outer], &names[outer..]);
    let emit = member_name(name, "emit");
    let (generics, _, bounds) = generics.split_for_impl();
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs, unreachable_pub, missing_debug_implementations)]
        #visibility struct #marker {}

        #[doc(hidden)]
        #[allow(warnings, clippy::all)]
        impl #generics ::meerkat_runtime::program::DeviceFn<#arguments> for #marker #bounds {
            fn emit(__program: &mut ::meerkat_runtime::program::Program) -> ::std::string::String {
                <#this as #trait_name<#(#outer_names),*>>::#emit::<#(#own_names),*>(__program)
            }
        }
    }
}

/// `Self_` is `Self` where the trait itself speaks.
fn name_self(function: &mut Function, this: &Ident) {
    struct Named<'a>(&'a Ident);
    impl VisitMut for Named<'_> {
        fn visit_path_mut(&mut self, path: &mut syn::Path) {
            syn::visit_mut::visit_path_mut(self, path);
            if let Some(first) = path.segments.first_mut()
                && first.ident == *self.0
            {
                first.ident = Ident::new("Self", first.ident.span());
            }
        }
    }
    let rename = |ty: &mut crate::ir::Type| {
        ty.each_part(&mut |part| match part {
            crate::ir::Type::Param(name) if name == this => {
                *part = crate::ir::Type::Named {
                    path: syn::parse_quote!(Self),
                    name: "Self".to_owned(),
                    args: Vec::new(),
                };
            }
            crate::ir::Type::Named { path, .. } => Named(this).visit_type_path_mut(path),
            _ => {}
        })
    };
    function.vars.iter_mut().for_each(|var| rename(&mut var.ty));
    rename(&mut function.ret);
}
