//! Functions of types and traits: each becomes a free device function, and members
//! beside it lead there, so that whoever can name the type or has a value of it can
//! call it.
//!
//! ```text
//! Node::f_lanes(..)     node.f_lanes_of(..)     the lock-step form
//! Node::f_alone(..)     node.f_alone_of(..)     the form for one lane
//! Node::f_witness(w)    node.f_witness_of(w)    which instance rustc chooses
//! ```
//!
//! Their names end in words that explain an error of rustc which has them.

use super::instance;
use super::self_types::SelfTypes;
use crate::diagnostics::{Errors, Place};
use crate::forms;
use crate::ir::callee::{associated, probe};
use crate::ir::{Function, Type, intrinsics};
use crate::native;
use crate::parse::foreign;
use crate::tokens::type_tokens;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;

/// A function of a type or a trait, as its members see it.
pub(super) struct Member<'a> {
    pub(super) name: &'a Ident,
    pub(super) function: &'a Function,
    pub(super) takes_self: bool,
    /// The function's own generics, beside those of the `impl`.
    pub(super) generics: &'a syn::Generics,
    /// What its witnesses stand for: a device function and its type arguments.
    pub(super) instance: TokenStream,
    pub(super) visibility: TokenStream,
}

impl Member<'_> {
    fn head(&self, member: &str) -> TokenStream {
        let (visibility, name) = (&self.visibility, associated(self.name, member));
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(warnings, clippy::all, clippy::pedantic)]
            #visibility fn #name
        }
    }

    /// The functions that all lanes call together, and one by itself: `target` is the free
    /// function with its type arguments, or none where nobody calls these.
    pub(super) fn forms(&self, target: Option<(&Ident, &TokenStream)>) -> TokenStream {
        let call = |member: TokenStream, who: TokenStream| match target {
            Some((target, arguments)) => quote!(#target::#member #arguments (__warp, #who, __args)),
            None => quote!(::core::unreachable!()),
        };
        let lanes = self.lanes(&call(quote!(lanes), quote!(__mask)));
        let lane = self.lane(&call(quote!(alone), quote!(__l)));
        quote!(#lanes #lane)
    }

    /// The function for one lane.
    fn lane(&self, body: &TokenStream) -> TokenStream {
        if !forms::has_native() {
            return quote!();
        }
        let head = self.head("alone");
        let (_, types) = native::lane_params(self.function, &Clone::clone);
        let result = type_tokens(&self.function.ret);
        let (generics, _, bounds) = self.generics.split_for_impl();
        quote! {
            #head #generics (
                __warp: &::meerkat_runtime::lanes::Warp,
                __l: usize,
                __args: (#(#types,)*),
            ) -> #result #bounds {
                #body
            }
        }
    }

    /// The function that all lanes call together.
    fn lanes(&self, body: &TokenStream) -> TokenStream {
        if !forms::has_native() {
            return quote!();
        }
        let head = self.head("lanes");
        let (_, types) = native::params(self.function, &Clone::clone);
        let result = self.result();
        let body = match self.function.ret {
            // Of a trait it may be whatever `Self` is.
            Type::Unit => quote!({ #body }; ::meerkat_runtime::lanes::Lanes::zeroed()),
            _ => body.clone(),
        };
        let (generics, _, bounds) = self.generics.split_for_impl();
        quote! {
            #head #generics (
                __warp: &::meerkat_runtime::lanes::Warp,
                __mask: u32,
                __args: (#(#types,)*),
            ) -> #result #bounds {
                #body
            }
        }
    }

    /// The ways to it: by path for witnesses, and by a value of the type.
    pub(super) fn ways(&self) -> TokenStream {
        let witnesses = self.witnesses();
        if !self.takes_self {
            return witnesses;
        }
        let (lanes_of, lane_of) = (self.lanes_of(), self.lane_of());
        let (visibility, probe) = (&self.visibility, probe(self.name));
        quote! {
            #witnesses
            #[doc(hidden)]
            #[inline]
            #[allow(warnings, clippy::all, clippy::pedantic)]
            #visibility fn #probe(self) -> Self {
                self
            }
            #lanes_of
            #lane_of
        }
    }

    /// Which instance of a device function a call means.
    fn witnesses(&self) -> TokenStream {
        if !forms::has_cuda() {
            return quote!();
        }
        let generics = instance::nameable(self.generics);
        let (generics, _, bounds) = generics.split_for_impl();
        let (plain, of_value) = (self.head("witness"), self.head("witness_of"));
        let instance = &self.instance;
        let types = self.function.params.iter();
        let types = types.map(|var| type_tokens(&self.function.var(*var).ty));
        let ret = type_tokens(&self.function.ret);
        let pointer = quote!(fn(#(#types),*) -> #ret);
        let of_value = self.takes_self.then(|| {
            quote! {
                #of_value #generics (
                    self,
                    _: ::core::marker::PhantomData<#instance>,
                ) -> #pointer #bounds {
                    ::core::unreachable!()
                }
            }
        });
        quote! {
            #plain #generics (_: ::core::marker::PhantomData<#instance>) -> #pointer #bounds {
                ::core::unreachable!()
            }
            #of_value
        }
    }

    fn result(&self) -> TokenStream {
        match self.function.ret {
            Type::Unit => quote!(::meerkat_runtime::lanes::Lanes<()>),
            _ => native::result(self.function),
        }
    }

    fn lane_of(&self) -> TokenStream {
        if !forms::has_native() {
            return quote!();
        }
        let (head, alone) = (self.head("alone_of"), associated(self.name, "alone"));
        let (_, types) = native::lane_params(self.function, &Clone::clone);
        let result = type_tokens(&self.function.ret);
        let (generics, turbofish, bounds) = self.generics.split_for_impl();
        let turbofish = turbofish.as_turbofish();
        quote! {
            #head #generics (
                self,
                __warp: &::meerkat_runtime::lanes::Warp,
                __l: usize,
                __args: (#(#types,)*),
            ) -> #result #bounds {
                Self::#alone #turbofish (__warp, __l, __args)
            }
        }
    }

    fn lanes_of(&self) -> TokenStream {
        if !forms::has_native() {
            return quote!();
        }
        let (head, lanes) = (self.head("lanes_of"), associated(self.name, "lanes"));
        let (_, types) = native::params(self.function, &Clone::clone);
        let result = self.result();
        let (generics, turbofish, bounds) = self.generics.split_for_impl();
        let turbofish = turbofish.as_turbofish();
        quote! {
            #head #generics (
                self,
                __warp: &::meerkat_runtime::lanes::Warp,
                __mask: u32,
                __args: (#(#types,)*),
            ) -> #result #bounds {
                Self::#lanes #turbofish (__warp, __mask, __args)
            }
        }
    }
}

/// A function of a type as one that takes its `self` by name; `generics` are those in
/// front of its own.
pub(super) fn free_function(
    name: Ident,
    signature: &syn::Signature,
    block: &syn::Block,
    generics: &syn::Generics,
    self_types: &mut SelfTypes<'_>,
    errors: &Errors,
) -> syn::ItemFn {
    let mut function = syn::ItemFn {
        attrs: vec![
            syn::parse_quote!(#[doc(hidden)]),
            syn::parse_quote!(#[allow(non_snake_case, missing_docs, private_interfaces)]),
        ],
        vis: syn::parse_quote!(pub),
        sig: signature.clone(),
        block: Box::new(block.clone()),
    };
    check_signature(signature, errors);
    if mentions_self_(signature.to_token_stream()) || mentions_self_(block.to_token_stream()) {
        errors.report(
            signature.ident.span(),
            "the name `self_` is reserved for generated code",
            "choose another: it is what `self` is called on a device",
        );
    }
    let ty = &self_types.ty;
    for input in &mut function.sig.inputs {
        let syn::FnArg::Receiver(receiver) = input else { continue };
        let this = Ident::new("self_", receiver.self_token.span);
        let mutable = receiver.mutability;
        *input = syn::parse_quote!(#mutable #this: #ty);
    }
    self_types.visit_item_fn_mut(&mut function);
    function.sig.generics = joined(generics, &function.sig.generics);
    function.sig.ident = name;
    function
}

fn mentions_self_(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(word) => word == "self_",
        proc_macro2::TokenTree::Group(group) => mentions_self_(group.stream()),
        _ => false,
    })
}

/// What no function of a type can be.
pub(super) fn check_signature(signature: &syn::Signature, errors: &Errors) {
    let name = &signature.ident;
    let word = intrinsics::method(&name.to_string());
    if word.is_some() && signature.receiver().is_some() {
        errors.report(
            name.span(),
            format!("`{name}` is a method of the language"),
            "give the function a name of its own",
        );
    }
    if foreign::of_method(&name.to_string()).is_some() && signature.receiver().is_some() {
        errors.report(
            name.span(),
            format!("a call of `{name}` would be taken for that of Rust's library"),
            "give the function a name of its own",
        );
    }
    if let Some(receiver) = signature.receiver()
        && receiver.reference.is_some()
        && receiver.mutability.is_some()
    {
        errors.report(
            Place::of(receiver),
            "`&mut self` of a value in registers",
            "take `self` and return the new value",
        );
    }
}

/// Whether a function that is not of `Reduce` has the name of the one by which walks join
/// values, and would be taken for it.
pub(super) fn takes_name_of_reduce(signature: &syn::Signature, errors: &Errors) -> bool {
    let taken = signature.ident == "join" && signature.receiver().is_some();
    if taken {
        errors.report(
            signature.ident.span(),
            "`join` is the function of `Reduce`, by which walks join values",
            "write `#[device] impl Reduce for ..`, with the value that changes nothing, `const \
             IDENTITY`; or give the function another name",
        );
    }
    taken
}

/// Whether a function of a type takes and gives plain values. A caller by a value does not
/// know which function it calls, so it could promise nothing of its lanes.
pub(super) fn is_for_one_lane(function: &Function, place: Span, errors: &Errors) -> bool {
    let (params, result) = native::agreements(function);
    if result > 0 || params.iter().any(|&lanes| lanes > 0) {
        errors.report(
            place,
            "a function of a type is for one lane",
            "take and return plain values, `T` for `Uniform<T>`; or make it a `#[device]` function \
             outside the `impl`",
        );
        return false;
    }
    true
}

/// Both lists of parameters, and what both ask for.
pub(super) fn joined(first: &syn::Generics, second: &syn::Generics) -> syn::Generics {
    let mut all = first.clone();
    all.params.extend(second.params.iter().cloned());
    if let Some(clause) = &second.where_clause {
        all.make_where_clause().predicates.extend(clause.predicates.iter().cloned());
    }
    all
}

/// The function that Rust calls: its parameters are names, its slices views as those of
/// the free function, which it calls.
pub(super) fn ordinary(signature: &syn::Signature, target: &TokenStream) -> TokenStream {
    let mut signature = signature.clone();
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
            let name = super::scalar::parameter_name(&input.pat);
            *input.pat = syn::parse_quote!(#name);
            super::scalar::as_view(&mut input.ty);
            quote!(#name)
        }
    });
    let names: Vec<_> = names.collect();
    quote!(#signature { #target(#(#names),*) })
}

/// The signature over views.
pub(super) fn over_views(signature: &syn::Signature) -> syn::Signature {
    let mut signature = signature.clone();
    for input in &mut signature.inputs {
        if let syn::FnArg::Typed(input) = input {
            super::scalar::as_view(&mut input.ty);
        }
    }
    signature
}

/// Has rustc see to it that a function of a type waits for no other lanes: who calls it
/// by a value does not know which it is.
pub(super) fn assert_alone(method: &Ident, free: &Ident) -> TokenStream {
    if !forms::all() {
        return quote!();
    }
    let message = format!(
        "`{method}` waits for other lanes, which a function of a type cannot\nhelp: make what lanes \
         do together a `#[device]` function outside the `impl`"
    );
    let span = Span::call_site().located_at(method.span());
    quote::quote_spanned! {span=>
        const _: () = ::core::assert!(
            ::meerkat_runtime::typed::fits(#free::group(::meerkat_runtime::typed::DEPTH), 0),
            #message
        );
    }
}

/// The identifiers of a type, one word: `Pair_u32`. Parameters of the `impl` are left out.
pub(super) fn word_of(ty: &impl ToTokens, generics: &syn::Generics) -> String {
    fn collect(tokens: TokenStream, skip: &dyn Fn(&Ident) -> bool, words: &mut Vec<String>) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Ident(word) if !skip(&word) => {
                    words.push(word.to_string().trim_start_matches("r#").to_owned());
                }
                proc_macro2::TokenTree::Literal(number) => words.push(number.to_string()),
                proc_macro2::TokenTree::Group(group) => collect(group.stream(), skip, words),
                _ => {}
            }
        }
    }
    let names = instance::names(generics);
    let mut words = Vec::new();
    collect(ty.to_token_stream(), &|word| names.contains(word), &mut words);
    if words.is_empty() { "unit".to_owned() } else { words.join("_") }
}
