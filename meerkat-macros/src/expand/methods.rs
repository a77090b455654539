//! `#[device] impl Node { .. }`: each function of the type becomes a device
//! function `Node_name`, and members of the type lead to it, so that whoever can
//! name the type can call it.

use super::{Compiled, refused, scalar};
use crate::diagnostics::{Errors, Place};
use crate::ir::callee::associated;
use crate::ir::{Function, FunctionKind};
use crate::native;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit_mut::VisitMut;

/// What the stages make of one function.
type Outcome = syn::Result<Compiled>;

/// Expands the whole `impl`; `compile` runs the stages of one function. Errors of
/// the `impl` itself come beside it.
pub(crate) fn expand(
    item: &syn::ItemImpl,
    compile: impl Fn(&syn::ItemFn) -> Outcome,
) -> (TokenStream, syn::Result<()>) {
    let errors = Errors::new();
    let Some(owner) = owner(item, &errors) else {
        return (quote!(#item), errors.check());
    };
    let mut methods = Vec::new();
    let mut companions = Vec::new();
    let mut others = Vec::new();
    for inner in &item.items {
        let syn::ImplItem::Fn(method) = inner else {
            others.push(inner);
            continue;
        };
        let function = free_function(method, item, &owner, &errors);
        let (beside, signature) = match compile(&function) {
            Ok(compiled) => (super::expand(&compiled, &function), Some(compiled.checked.function)),
            Err(error) => {
                let signature = crate::parse::signature(FunctionKind::Device, &function);
                (refused(signature.as_ref(), &function, &error), signature)
            }
        };
        let leads = signature.map(|found| members(&found, &method.sig.ident, &function));
        let ordinary = ordinary(method, &function);
        methods.push(quote!(#ordinary #leads));
        companions.push(beside);
    }
    let (attributes, ty) = (&item.attrs, &item.self_ty);
    let expansion = quote! {
        #(#attributes)*
        #[allow(non_upper_case_globals, non_snake_case)]
        impl #ty { #(#others)* #(#methods)* }
        #(#companions)*
    };
    (expansion, errors.check())
}

/// The name of the type, if it is a plain one.
fn owner(item: &syn::ItemImpl, errors: &Errors) -> Option<Ident> {
    if let Some((_, of, _)) = &item.trait_ {
        let help = "write them in an `impl` of the type itself";
        errors.report(Place::of(of), "functions of a trait are not for devices", help);
        return None;
    }
    let name = match &*item.self_ty {
        syn::Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    match name {
        Some(name) if name.arguments.is_empty() && item.generics.params.is_empty() => {
            Some(name.ident.clone())
        }
        _ => {
            errors.report(
                Place::of(&item.self_ty),
                "functions of a generic type are not for devices",
                "write a generic `#[device]` function that takes the value",
            );
            None
        }
    }
}

/// The method as a function that takes its `self` by name.
fn free_function(
    method: &syn::ImplItemFn,
    item: &syn::ItemImpl,
    owner: &Ident,
    errors: &Errors,
) -> syn::ItemFn {
    let mut function = syn::ItemFn {
        attrs: vec![
            syn::parse_quote!(#[doc(hidden)]),
            syn::parse_quote!(#[allow(non_snake_case, missing_docs)]),
        ],
        vis: syn::parse_quote!(pub),
        sig: method.sig.clone(),
        block: Box::new(method.block.clone()),
    };
    let name = &method.sig.ident;
    if crate::ir::intrinsics::method(&name.to_string()).is_some() {
        errors.report(
            name.span(),
            format!("`{name}` is a method of the language"),
            "give the function a name of its own",
        );
    }
    let ty = &item.self_ty;
    for input in &mut function.sig.inputs {
        let syn::FnArg::Receiver(receiver) = input else { continue };
        if receiver.reference.is_some() && receiver.mutability.is_some() {
            errors.report(
                Place::of(receiver),
                "`&mut self` of a value in registers",
                "take `self` and return the new value",
            );
        }
        let this = Ident::new("self_", receiver.self_token.span);
        let mutable = receiver.mutability;
        *input = syn::parse_quote!(#mutable #this: #ty);
    }
    Selves { ty }.visit_item_fn_mut(&mut function);
    function.sig.ident = format_ident!("{owner}_{name}", span = name.span());
    function
}

/// `self` and `Self` by their names.
struct Selves<'a> {
    ty: &'a syn::Type,
}

impl VisitMut for Selves<'_> {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        syn::visit_mut::visit_path_mut(self, path);
        let alone = path.segments.len() == 1;
        let Some(first) = path.segments.first_mut() else { return };
        if first.ident == "self" && alone {
            first.ident = Ident::new("self_", first.ident.span());
        } else if first.ident == "Self"
            && let syn::Type::Path(ty) = self.ty
        {
            let rest: Vec<_> = path.segments.iter().skip(1).cloned().collect();
            *path = ty.path.clone();
            path.segments.extend(rest);
        }
    }
}

/// The method that Rust calls: its parameters are names, its slices views as those of
/// the function.
fn ordinary(method: &syn::ImplItemFn, free: &syn::ItemFn) -> TokenStream {
    let (attributes, visibility) = (&method.attrs, &method.vis);
    let mut signature = method.sig.clone();
    let names = signature.inputs.iter_mut().map(|input| match input {
        syn::FnArg::Receiver(receiver) => {
            let this = receiver.self_token;
            // `&self` is taken by value on a device.
            if receiver.reference.is_some() {
                return quote!(*#this);
            }
            receiver.mutability = None;
            quote!(#this)
        }
        syn::FnArg::Typed(input) => {
            let name = scalar::parameter_name(&input.pat);
            *input.pat = syn::parse_quote!(#name);
            scalar::as_view(&mut input.ty);
            quote!(#name)
        }
    });
    let names: Vec<_> = names.collect();
    let target = &free.sig.ident;
    quote! {
        #(#attributes)*
        #[allow(dead_code)]
        #visibility #signature { #target(#(#names),*) }
    }
}

/// Members of the type that stand for the function wherever the type is known.
fn members(function: &Function, method: &Ident, free: &syn::ItemFn) -> TokenStream {
    let name = |member: &str| associated(method, member);
    let (group, launched) = (name("group"), name("IS_LAUNCHED"));
    let (witness, instance, lanes) = (name("witness"), name("instance"), name("lanes"));
    let params = free.sig.generics.type_params().map(|param| &param.ident);
    let plain = function.params.iter().map(|var| native::type_tokens(&function.var(*var).ty));
    let ret = native::type_tokens(&function.ret);
    let target = &free.sig.ident;
    let (names, types) = native::params(function, &Clone::clone);
    let result = native::result(function);
    let (generics, turbofish, bounds) = free.sig.generics.split_for_impl();
    let turbofish = turbofish.as_turbofish();
    quote! {
        #[doc(hidden)]
        pub const fn #group(__depth: u32) -> u32 {
            #target::group(__depth)
        }
        #[doc(hidden)]
        pub const #launched: bool = false;
        #[doc(hidden)]
        pub fn #witness #generics (
            __witness: ::core::marker::PhantomData<(#(#params,)*)>,
        ) -> fn(#(#plain),*) -> #ret #bounds {
            #target::witness #turbofish (__witness)
        }
        #[doc(hidden)]
        pub fn #instance<__A>(
            __witness: ::core::marker::PhantomData<__A>,
        ) -> ::meerkat_runtime::program::Entry
        where
            #target: ::meerkat_runtime::program::DeviceFn<__A>,
        {
            #target::instance(__witness)
        }
        #[doc(hidden)]
        #[inline]
        pub fn #lanes #generics (
            __warp: &::meerkat_runtime::lanes::Warp,
            __mask: u32,
            (#(#names,)*): (#(#types,)*),
        ) -> #result #bounds {
            #target::lanes #turbofish (__warp, __mask, (#(#names,)*))
        }
    }
}
