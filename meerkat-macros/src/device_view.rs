//! `#[device_view(TreeBuffers)] struct TreeView { .. }`: slices that operators take
//! together, and the struct that the host launches with.

use crate::diagnostics::{self, Errors, Place};
use crate::parse::fragments::Fragments;
use crate::parse::signature::check_bounds;
use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;

const FORM: &str = "write `struct TreeView { distances: &[Atomic<u32>], .. }`";

/// What the macro derives.
const DERIVED: [&str; 4] = ["Clone", "Copy", "Debug", "DeviceStruct"];

/// One field, as the user wrote it.
struct Field<'a> {
    of: &'a syn::Field,
    name: &'a syn::Ident,
    /// What a slice holds; a plain value's is none.
    element: Option<&'a syn::Type>,
}

pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let mut item: syn::ItemStruct = syn::parse2(item).map_err(|error| {
        diagnostics::error(error.span().into(), "`#[device_view(..)]` goes on a struct", FORM)
    })?;
    Fragments.visit_item_struct_mut(&mut item);
    let errors = Errors::new();
    let host = host_name(attribute, &item, &errors);
    let fields = fields(&item, &errors);
    for param in item.generics.lifetimes() {
        let help = "leave it out: the macro gives one to the host's struct";
        errors.report(Place::of(param), "a device view cannot declare a lifetime", help);
    }
    check_bounds(&item.generics, &errors);
    refuse_duplicates(&item, &errors);
    errors.check_so_far()?;
    if fields.iter().all(|field| field.element.is_none()) {
        let help = "plain values that go together are a `#[derive(DeviceStruct)]`";
        errors.report(item.ident.span(), "this device view has no slice", help);
    }
    errors.check()?;
    Ok(write(&item, &host, &fields))
}

/// The name that the attribute gives to what the host makes.
fn host_name(attribute: TokenStream, item: &syn::ItemStruct, errors: &Errors) -> syn::Ident {
    syn::parse2(attribute).unwrap_or_else(|_| {
        errors.report(
            item.ident.span(),
            "`#[device_view]` needs the name of the struct that the host launches with",
            format!("write `#[device_view({}Buffers)]`", item.ident),
        );
        item.ident.clone()
    })
}

/// What the macro writes itself would be there twice. A `derive` above the macro has been
/// expanded before it; rustc reports that one.
fn refuse_duplicates(item: &syn::ItemStruct, errors: &Errors) {
    for attribute in &item.attrs {
        if attribute.path().is_ident("repr") {
            let help = "leave it out: the macro writes `#[repr(C)]`";
            errors.report(Place::of(attribute), "the layout of a device view is given", help);
        }
        let list = Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
        let derives = match attribute.path().is_ident("derive") {
            true => attribute.parse_args_with(list).unwrap_or_default(),
            false => Punctuated::new(),
        };
        let is_derived = |path: &syn::Path| {
            let last = path.segments.last().map(|last| last.ident.to_string());
            last.is_some_and(|last| DERIVED.contains(&last.as_str()))
        };
        if derives.iter().any(is_derived) {
            let help = "leave out `Clone`, `Copy`, `Debug` and `DeviceStruct`";
            errors.report(Place::of(attribute), "a device view has these derives already", help);
        }
    }
}

fn fields<'a>(item: &'a syn::ItemStruct, errors: &Errors) -> Vec<Field<'a>> {
    let syn::Fields::Named(named) = &item.fields else {
        errors.report(item.ident.span(), "a device view has named fields", FORM);
        return Vec::new();
    };
    let each = named.named.iter().filter_map(|of| {
        let element = match &of.ty {
            syn::Type::Reference(reference) => Some(element(reference, errors)?),
            _ => None,
        };
        Some(Field { of, name: of.ident.as_ref()?, element })
    });
    each.collect()
}

/// What a slice holds.
fn element<'a>(reference: &'a syn::TypeReference, errors: &Errors) -> Option<&'a syn::Type> {
    let help = match (&*reference.elem, reference.mutability, &reference.lifetime) {
        (syn::Type::Slice(slice), None, None) => return Some(&slice.elem),
        (syn::Type::Slice(_), Some(_), _) => {
            "make it a parameter of the operator, where it is known whose item is written"
        }
        (syn::Type::Slice(_), None, Some(_)) => "write `&[T]`, without a lifetime",
        _ => "hold `&[T]`, `&[Atomic<T>]` and plain values; a graph is a parameter by itself",
    };
    errors.report(Place::of(reference), "a device view cannot hold this reference", help);
    None
}

// expands to:
//   #[repr(C)] struct TreeView { distances: DeviceSlice<Atomic<u32>>, round: u32 }
//   struct TreeBuffers<'view> { distances: &'view DeviceBuffer<Atomic<u32>>, round: u32 }
//   impl HostArg<TreeView> for TreeBuffers<'_> { .. }
fn write(item: &syn::ItemStruct, host: &syn::Ident, fields: &[Field<'_>]) -> TokenStream {
    let (attributes, visibility, name) = (&item.attrs, &item.vis, &item.ident);
    let (generics, arguments, bounds) = item.generics.split_for_impl();
    let mut of_host = item.generics.clone();
    of_host.params.insert(0, syn::parse_quote!('view));
    let (host_generics, host_arguments, _) = of_host.split_for_impl();
    let names: Vec<_> = fields.iter().map(|field| field.name).collect();
    let on_device: Vec<_> = fields.iter().map(Field::on_device).collect();
    let heads = fields.iter().map(
        |Field { of: syn::Field { attrs, vis, ident, .. }, .. }| quote!(#(#attrs)* #vis #ident),
    );
    let heads: Vec<_> = heads.collect();
    let on_host = fields.iter().map(Field::on_host);
    let about = format!("What the host launches with for a [`{name}`].");
    quote! {
        #(#attributes)*
        #[derive(Clone, Copy, Debug, ::meerkat_runtime::prelude::DeviceStruct)]
        #[repr(C)]
        #visibility struct #name #generics #bounds { #(#heads: #on_device,)* }

        #[doc = #about]
        #[derive(Clone, Copy, Debug)]
        #visibility struct #host #host_generics #bounds { #(#heads: #on_host,)* }

        impl #host_generics ::meerkat_runtime::launch::HostArg<#name #arguments>
            for #host #host_arguments #bounds
        {
            unsafe fn to_device_arg(
                self,
                __device: &::meerkat_runtime::Device,
            ) -> ::core::result::Result<#name #arguments, ::meerkat_runtime::Error> {
                ::core::result::Result::Ok(#name {
                    #(#names: unsafe {
                        ::meerkat_runtime::launch::HostArg::<#on_device>::to_device_arg(
                            self.#names, __device,
                        )
                    }?,)*
                })
            }
        }
    }
}

impl Field<'_> {
    fn on_device(&self) -> TokenStream {
        let ty = &self.of.ty;
        match self.element {
            Some(element) => quote!(::meerkat_runtime::DeviceSlice<#element>),
            None => quote!(#ty),
        }
    }

    fn on_host(&self) -> TokenStream {
        let ty = &self.of.ty;
        match self.element {
            Some(element) => quote!(&'view ::meerkat_runtime::DeviceBuffer<#element>),
            None => quote!(#ty),
        }
    }
}
