//! `syn::Type` to [`Type`].

use super::Parser;
use crate::ir::{Access, Scalar, Type};
use syn::spanned::Spanned;

impl Parser<'_> {
    /// A type in a signature, a `let` or a cast, and whether it was wrapped in
    /// `Uniform<..>`.
    pub(super) fn value_type(&self, ty: &syn::Type) -> (Type, bool) {
        if let syn::Type::Path(path) = ty
            && let Some(last) = path.path.segments.last()
            && last.ident == "Uniform"
        {
            let inner = first_argument(last).map_or(Type::Unknown, |ty| self.ty(ty));
            return (inner, true);
        }
        (self.ty(ty), false)
    }

    pub(super) fn ty(&self, ty: &syn::Type) -> Type {
        match ty {
            syn::Type::Paren(inner) => self.ty(&inner.elem),
            syn::Type::Group(inner) => self.ty(&inner.elem),
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => Type::Unit,
            syn::Type::Infer(_) => Type::Unknown,
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

    fn reference(&self, reference: &syn::TypeReference) -> Type {
        let writes = reference.mutability.is_some();
        match &*reference.elem {
            syn::Type::Slice(slice) => {
                let element = self.ty(&slice.elem);
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
                if writes {
                    self.errors.report(
                        reference.span(),
                        "`&mut` of a single value is shared by every lane that runs this",
                        "return the new value, or take `&[Atomic<T>]` for shared memory",
                    );
                }
                Type::Ref(Box::new(self.ty(other)))
            }
        }
    }

    fn path_type(&self, ty: &syn::TypePath) -> Type {
        let Some(last) = ty.path.segments.last() else { return Type::Unknown };
        let name = last.ident.to_string();
        if let Some(scalar) = Scalar::from_name(&name) {
            return Type::Scalar(scalar);
        }
        if self.function.generics.iter().any(|generic| generic.name == last.ident) {
            return Type::Param(last.ident.clone());
        }
        match name.as_str() {
            "Vertex" => Type::U32,
            "Atomic" => {
                Type::Atomic(Box::new(first_argument(last).map_or(Type::Unknown, |t| self.ty(t))))
            }
            "usize" | "isize" => {
                self.errors.report(
                    ty.span(),
                    format!("`{name}` has no fixed size in device code"),
                    "use `u32` for indices and counts, `u64` where 32 bits are too few",
                );
                Type::U32
            }
            "u128" | "i128" | "char" | "str" | "String" | "Vec" | "Box" | "Option" | "Result" => {
                self.unsupported(
                    ty.span(),
                    &format!("`{name}`"),
                    "use scalars, device structs and slices; a sentinel value stands for `None`",
                );
                Type::Unknown
            }
            _ => Type::Named { path: ty.path.clone(), name, args: self.arguments(last) },
        }
    }

    fn arguments(&self, segment: &syn::PathSegment) -> Vec<Type> {
        let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else {
            return Vec::new();
        };
        let types = arguments.args.iter().filter_map(|argument| match argument {
            syn::GenericArgument::Type(ty) => Some(self.ty(ty)),
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
