//! `#[derive(DeviceStruct)]`: a struct with one layout on both back ends.

use crate::diagnostics::Errors;
use crate::expand::unbound::give_bounds;
use crate::parse::signature::{check_bounds, marker_of_const};
use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

/// What the derive writes; or what is wrong, and what is written all the same, so that uses
/// do not report it, too.
pub(crate) fn derive(input: &syn::DeriveInput) -> Result<TokenStream, (syn::Error, TokenStream)> {
    let errors = Errors::new();
    let fields = fields(input, &errors);
    if matches!(input.data, syn::Data::Struct(_)) {
        check_repr(input, &errors);
    }
    fields.iter().for_each(|field| check_field(field, &errors));
    check_generics(input, &errors);
    errors.check().map_err(|error| (error, TokenStream::new()))?;
    let unbound = Errors::new();
    check_bounds(&input.generics, &unbound);
    let Err(error) = unbound.check() else { return Ok(expand(input, &fields)) };
    let mut bound = input.clone();
    give_bounds(&mut bound.generics, |_| {});
    Err((error, expand(&bound, &fields)))
}

fn fields(input: &syn::DeriveInput, errors: &Errors) -> Vec<syn::Field> {
    match &input.data {
        syn::Data::Struct(data) => match &data.fields {
            syn::Fields::Named(named) => named.named.iter().cloned().collect(),
            other => {
                errors.report(
                    other.span(),
                    "a device struct has named fields",
                    "write `struct Node { distance: u32, parent: u32 }`",
                );
                Vec::new()
            }
        },
        _ => {
            errors.report(
                input.ident.span(),
                "only a struct can be a device struct",
                "an enum becomes a `u32` with constants, a union two structs",
            );
            Vec::new()
        }
    }
}

fn check_repr(input: &syn::DeriveInput, errors: &Errors) {
    let words = |attribute: &syn::Attribute| {
        let list = Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
        attribute.parse_args_with(list).unwrap_or_default()
    };
    let reprs = input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr"));
    let words: Vec<syn::Meta> = reprs.flat_map(words).collect();
    if let Some(packed) = words.iter().find(|word| word.path().is_ident("packed")) {
        errors.report(
            packed.span(),
            "packed fields are not aligned as a GPU loads them",
            "drop `packed`, and order the fields from large to small",
        );
    }
    if let Some(align) = words.iter().find(|word| word.path().is_ident("align")) {
        errors.report(
            align.span(),
            "CUDA aligns a struct as its fields ask",
            "drop `align`, or add fields until it is as large",
        );
    }
    let is_c = words.iter().any(|word| word.path().is_ident("C"));
    if !is_c {
        errors.report(
            input.ident.span(),
            format!("`{}` has no fixed layout, so CUDA cannot share it", input.ident),
            "add `#[repr(C)]` above it",
        );
    }
}

fn check_field(field: &syn::Field, errors: &Errors) {
    if let Some(name) = &field.ident
        && name.to_string().strip_prefix('_').is_some_and(|rest| rest.parse::<u32>().is_ok())
    {
        errors.report(
            name.span(),
            format!("`{name}` is what CUDA calls a part of a tuple"),
            "give the field a name in letters",
        );
    }
    let (message, help) = match &field.ty {
        syn::Type::Reference(_) => (
            "a reference means nothing on a GPU".to_owned(),
            "hold device memory as `DeviceSlice<T>`, or an index into a slice",
        ),
        syn::Type::Ptr(_) => (
            "a raw pointer has no length to check".to_owned(),
            "hold device memory as `DeviceSlice<T>`",
        ),
        syn::Type::Path(path) => {
            let name = path.path.segments.last().map_or(String::new(), |s| s.ident.to_string());
            match name.as_str() {
                "usize" | "isize" => (
                    format!("`{name}` has no fixed size in device code"),
                    "use `u32`, or `u64` where 32 bits are too few",
                ),
                "char" | "String" | "Vec" | "Box" | "Option" => (
                    format!("`{name}` has no layout that CUDA knows"),
                    "use numbers, `bool` and other device structs",
                ),
                _ => return,
            }
        }
        syn::Type::Tuple(tuple) if tuple.elems.is_empty() => return,
        syn::Type::Tuple(_) => (
            "a tuple has no fixed layout".to_owned(),
            "give its parts names: a field each, or a device struct",
        ),
        _ => return,
    };
    errors.report(field.ty.span(), message, help);
}

fn check_generics(input: &syn::DeriveInput, errors: &Errors) {
    for param in &input.generics.params {
        match param {
            syn::GenericParam::Type(_) => {}
            syn::GenericParam::Const(param) if marker_of_const(&param.ty).is_some() => {}
            _ => errors.report(
                param.span(),
                "a device struct has no such parameter",
                "use type parameters, and const parameters of `usize`, `u32` or `bool`: \
                 `struct Row<const N: usize> { .. }`",
            ),
        }
    }
}

/// `PhantomData` marks a type and has no bytes; CUDA needs no such mark.
fn is_phantom(field: &syn::Field) -> bool {
    matches!(&field.ty, syn::Type::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"))
}

fn expand(input: &syn::DeriveInput, fields: &[syn::Field]) -> TokenStream {
    let ident = &input.ident;
    let name = ident.to_string();
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let params = crate::expand::instance::types(&input.generics);
    let named: Vec<_> = fields.iter().filter(|field| !is_phantom(field)).collect();
    let types: Vec<_> = named.iter().map(|field| &field.ty).collect();
    let idents: Vec<_> = named.iter().filter_map(|field| field.ident.as_ref()).collect();
    let phantoms = fields.iter().filter(|field| is_phantom(field));
    let phantoms: Vec<_> = phantoms.filter_map(|field| field.ident.as_ref()).collect();
    let texts: Vec<_> = idents.iter().map(|ident| ident.to_string()).collect();
    quote! {
        // SAFETY: the derive demands `repr(C)` and that every field is a device
        // type, so all-zero bytes are a value and any copy of the bytes is one.
        unsafe impl #generics ::meerkat_runtime::DeviceType for #ident #arguments #bounds {
            const HAS_PADDING: bool =
                ::core::mem::size_of::<Self>() != 0 #(+ ::core::mem::size_of::<#types>())*
                #(|| <#types as ::meerkat_runtime::DeviceType>::HAS_PADDING)*;
            const IS_VIEW: bool =
                false #(|| <#types as ::meerkat_runtime::DeviceType>::IS_VIEW)*;
            const ANY_BYTES: bool =
                true #(&& <#types as ::meerkat_runtime::DeviceType>::ANY_BYTES)*;
            fn detached(self) -> Self {
                Self {
                    #(#idents: <#types as ::meerkat_runtime::DeviceType>::detached(self.#idents),)*
                    #(#phantoms: self.#phantoms,)*
                }
            }
            fn is_detached(&self) -> bool {
                false #(|| <#types as ::meerkat_runtime::DeviceType>::is_detached(&self.#idents))*
            }
            fn cuda_name(
                __program: &mut ::meerkat_runtime::program::Program,
            ) -> ::std::string::String {
                let __text = ::meerkat_runtime::program::StructText {
                    name: #name,
                    place: ::core::concat!(
                        ::core::module_path!(), ":", ::core::line!(), ":", ::core::column!()
                    ),
                    arguments: ::std::vec![
                        #(<#params as ::meerkat_runtime::program::Argument>::name(__program)),*
                    ],
                };
                __program.structure::<Self>(&__text, |__program| ::std::vec![
                    #(::meerkat_runtime::program::FieldText {
                        name: #texts,
                        ty: <#types as ::meerkat_runtime::DeviceType>::cuda_name(__program),
                        offset: ::core::mem::offset_of!(Self, #idents),
                        size: ::core::mem::size_of::<#types>(),
                    }),*
                ])
            }
            fn cuda_parts(
                self,
                __program: &mut ::meerkat_runtime::program::Program,
            ) -> ::std::vec::Vec<::std::string::String> {
                // A field of no bytes is no member.
                let mut __parts = ::std::vec::Vec::new();
                #(if ::core::mem::size_of::<#types>() > 0 {
                    __parts.push(
                        <#types as ::meerkat_runtime::DeviceType>::cuda_value(self.#idents, __program),
                    );
                })*
                __parts
            }
        }
    }
}
