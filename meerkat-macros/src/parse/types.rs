//! `syn::Type` to [`Type`].

use super::{Parser, foreign};
use crate::ir::{Access, Level, Scalar, Type};
use proc_macro2::Ident;
use syn::spanned::Spanned;

/// The most parts a tuple can have.
pub(super) const MOST_PARTS: usize = 4;

fn last_name(ty: &syn::Type) -> Option<String> {
    let syn::Type::Path(path) = ty else { return None };
    path.path.segments.last().map(|last| last.ident.to_string())
}

impl Parser<'_> {
    /// A type in a signature, a `let` or a cast, and the group that shares the
    /// value if it was wrapped in `Uniform<T>` or `TileUniform<N, T>`.
    pub(super) fn value_type(&self, ty: &syn::Type) -> (Type, Option<Level>) {
        if let syn::Type::Path(path) = ty
            && let Some(last) = path.path.segments.last()
            && (last.ident == "Uniform" || last.ident == "TileUniform")
        {
            let inner = first_argument(last).map_or(Type::Unknown, |ty| self.ty(ty));
            if last.ident == "Uniform" {
                return (inner, Some(Level::Warp));
            }
            let group = self.group(&last.arguments).unwrap_or(4);
            return (inner, Level::of_group(group));
        }
        (self.ty(ty), None)
    }

    /// The size of a tile in `::<8>` or `<8, T>`.
    pub(super) fn group(&self, arguments: &syn::PathArguments) -> Option<u32> {
        let form = "a tile has 4, 8 or 16 lanes, as in `tile::<8>().ballot(p)` and \
                    `TileUniform<8, T>`; 32 lanes are the warp: `warp_ballot(p)`, `Uniform<T>`";
        if let syn::PathArguments::AngleBracketed(arguments) = arguments {
            for argument in &arguments.args {
                if let syn::GenericArgument::Const(syn::Expr::Lit(lit)) = argument
                    && let syn::Lit::Int(size) = &lit.lit
                {
                    let size_value = size.base10_parse().unwrap_or(0);
                    if size_value == 32 || Level::of_group(size_value).is_none() {
                        self.errors.report(size.span(), "not the size of a tile", form);
                        return None;
                    }
                    return Some(size_value);
                }
            }
        }
        self.errors.report(arguments.span(), "the size of the tile is missing", form);
        None
    }

    pub(super) fn ty(&self, ty: &syn::Type) -> Type {
        match ty {
            syn::Type::Paren(inner) => self.ty(&inner.elem),
            syn::Type::Group(inner) => self.ty(&inner.elem),
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => Type::Unit,
            syn::Type::Tuple(tuple) => self.tuple_type(tuple),
            syn::Type::Infer(_) => Type::Unknown,
            syn::Type::Array(array) => {
                let length = &array.len;
                let length = quote::quote!(#length).to_string();
                Type::Array(Box::new(self.ty(&array.elem)), length)
            }
            syn::Type::Reference(reference) => self.reference(reference),
            syn::Type::Path(path) => self.path_type(path),
            syn::Type::Slice(_) => {
                self.unsupported(ty.span(), "a slice by value", "take it as `&[T]`");
                Type::Unknown
            }
            syn::Type::Ptr(_) => {
                self.unsupported(ty.span(), "a raw pointer", "take the memory as a slice: `&[T]`");
                Type::Unknown
            }
            syn::Type::ImplTrait(_) | syn::Type::TraitObject(_) | syn::Type::BareFn(_) => {
                self.unsupported(
                    ty.span(),
                    "a type that is chosen by the caller",
                    "call a `#[device]` function by its name, or take a type parameter: `<W: Weight>`",
                );
                Type::Unknown
            }
            _ => {
                self.unsupported(
                    ty.span(),
                    "this type",
                    "use scalars, device structs (`#[derive(DeviceStruct)]`) and slices",
                );
                Type::Unknown
            }
        }
    }

    fn tuple_type(&self, tuple: &syn::TypeTuple) -> Type {
        if tuple.elems.len() > MOST_PARTS {
            let help = "use a device struct (`#[derive(DeviceStruct)]`), whose fields have names";
            self.unsupported(tuple.span(), "a tuple of more than four parts", help);
        }
        Type::Tuple(tuple.elems.iter().map(|part| self.ty(part)).collect())
    }

    /// A tuple lives in registers: memory needs a layout.
    pub(super) fn refuse_tuple(&self, ty: &Type, span: proc_macro2::Span) {
        if matches!(ty, Type::Tuple(_)) {
            self.errors.report(
                span,
                "a tuple has no fixed layout, so CUDA cannot share it",
                "give its parts names: a `#[repr(C)]` struct with `#[derive(DeviceStruct)]`",
            );
        }
    }

    fn reference(&self, reference: &syn::TypeReference) -> Type {
        let writes = reference.mutability.is_some();
        match &*reference.elem {
            syn::Type::Slice(slice) => {
                let element = self.ty(&slice.elem);
                self.refuse_tuple(&element, slice.elem.span());
                if writes && matches!(element, Type::Atomic(_)) {
                    self.errors.report(
                        reference.span(),
                        "`&mut [Atomic<T>]` says twice that it is written",
                        "atomics are shared: take `&[Atomic<T>]`",
                    );
                }
                let access = if writes { Access::OwnItem } else { Access::Read };
                Type::Slice(access, Box::new(element))
            }
            other => {
                let is_host =
                    last_name(other).is_some_and(|name| foreign::of_host(&name).is_some());
                if writes && !is_host {
                    let help = match last_name(other).as_deref() {
                        Some("Frontier") => "lanes append to it as it is: take `&Frontier<T>`",
                        Some("Graph") => "a kernel reads the graph: take `&Graph<W>`",
                        _ => "return the new value, or take `&[Atomic<T>]` for shared memory",
                    };
                    let message = "`&mut` of a single value is shared by every lane that runs this";
                    self.errors.report(reference.span(), message, help);
                }
                Type::Ref(Box::new(self.ty(other)))
            }
        }
    }

    fn path_type(&self, ty: &syn::TypePath) -> Type {
        let Some(last) = ty.path.segments.last() else { return Type::Unknown };
        if let Some(filled) = self.filled_type(&ty.path) {
            return filled;
        }
        let name = last.ident.to_string();
        if ty.qself.is_some() {
            // An associated type, which only rustc can look up.
            return Type::Named { path: ty.clone(), name, args: self.arguments(last) };
        }
        if let Some(scalar) = Scalar::from_name(&name) {
            return Type::Scalar(scalar);
        }
        let is_alone = ty.path.segments.len() == 1;
        if is_alone && self.function.generics.iter().any(|generic| generic.name == last.ident) {
            return Type::Param(last.ident.clone());
        }
        self.refuse_namesake(&ty.path);
        match name.as_str() {
            "Vertex" | "Place" => Type::U32,
            "Atomic" => {
                let inner = first_argument(last).map_or(Type::Unknown, |t| self.ty(t));
                self.refuse_tuple(&inner, last.arguments.span());
                Type::Atomic(Box::new(inner))
            }
            "usize" | "isize" => {
                self.errors.report(
                    ty.span(),
                    format!("`{name}` has no fixed size in device code"),
                    "use `u32` for indices and counts, `u64` where 32 bits are too few",
                );
                Type::U32
            }
            "u128" | "i128" | "char" | "str" => {
                let help = "use numbers up to 64 bits, `bool`, device structs and slices";
                self.unsupported(ty.span(), &format!("`{name}`"), help);
                Type::Unknown
            }
            _ if foreign::of_host(&name).is_some() => {
                let help = foreign::of_host(&name).unwrap_or_default();
                self.errors.report(ty.span(), format!("`{name}` belongs to the host"), help);
                Type::Unknown
            }
            _ if foreign::of_std(&name).is_some() => {
                let help = foreign::of_std(&name).unwrap_or_default();
                self.unsupported(ty.span(), &format!("`{name}`"), help);
                Type::Unknown
            }
            _ => Type::Named { path: ty.clone(), name, args: self.arguments(last) },
        }
    }

    /// Types of the language are known by their last name.
    fn refuse_namesake(&self, path: &syn::Path) {
        let names = ["Vertex", "Edge", "Graph", "Frontier", "Atomic", "Place"];
        let is_word =
            path.segments.last().is_some_and(|last| names.iter().any(|n| last.ident == n));
        let roots = ["meerkat", "meerkat_runtime", "runtime", "prelude", "graph"];
        let roots = roots.iter().chain(&["crate", "self", "super"]);
        let first = path.segments.first().filter(|_| path.segments.len() > 1);
        let is_other = first.is_some_and(|first| !roots.clone().any(|root| first.ident == root));
        if is_word && is_other {
            let name = &path.segments[path.segments.len() - 1].ident;
            self.errors.report(
                path.span(),
                format!("`{name}` is a type of the language, whatever its path"),
                "give your own type another name",
            );
        }
    }

    /// The fields tell a user's own struct of this name.
    pub(super) fn check_edge_fields<'m>(
        &self,
        path: &syn::Path,
        fields: impl Iterator<Item = &'m syn::Member>,
    ) {
        if path.segments.last().is_none_or(|last| last.ident != "Edge") {
            return;
        }
        let mut others = fields.filter_map(|field| match field {
            syn::Member::Named(name) => Some(name),
            syn::Member::Unnamed(_) => None,
        });
        let is_its_own = |name: &&Ident| !["src", "dst", "weight"].iter().any(|own| *name == own);
        if let Some(field) = others.find(is_its_own) {
            self.errors.report(
                field.span(),
                format!("`Edge` is the graph's, which has no field `{field}`"),
                "its fields are `src`, `dst` and `weight`; a struct of your own needs another name",
            );
        }
    }

    fn arguments(&self, segment: &syn::PathSegment) -> Vec<Type> {
        let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else {
            return Vec::new();
        };
        let types = arguments.args.iter().filter_map(|argument| match argument {
            syn::GenericArgument::Type(ty) => {
                let argument = self.ty(ty);
                self.refuse_tuple(&argument, ty.span());
                Some(argument)
            }
            _ => None,
        });
        types.collect()
    }
}

fn first_argument(segment: &syn::PathSegment) -> Option<&syn::Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
