//! The table of a function: what the marks of its CUDA text stand for, as
//! expressions that rustc knows the types of. All schedules share one.

use crate::ir::types::computed_length;
use crate::ir::{Callee, Slot, Type, callee};
use crate::tokens::type_tokens;
use crate::witness;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::cell::RefCell;
use syn::spanned::Spanned;

#[derive(Default)]
pub(crate) struct Table {
    entries: RefCell<Vec<(String, TokenStream)>>,
}

impl Table {
    /// Its entries in the order of their numbers.
    pub(crate) fn entries(&self) -> Vec<TokenStream> {
        self.entries.borrow().iter().map(|(_, entry)| entry.clone()).collect()
    }

    /// The number of an entry, which is made if there is none like it.
    fn number(&self, entry: TokenStream) -> usize {
        let text = entry.to_string();
        let mut entries = self.entries.borrow_mut();
        let known = entries.iter().position(|(known, _)| *known == text);
        known.unwrap_or_else(|| {
            entries.push((text, entry));
            entries.len() - 1
        })
    }

    fn mark(&self, entry: TokenStream) -> String {
        format!("«{}»", self.number(entry))
    }

    fn named(&self, name: &TokenStream) -> String {
        self.mark(quote!(::meerkat_runtime::program::named(#name)))
    }

    /// What rustc found for a witness.
    pub(crate) fn slot(&self, slot: Slot) -> String {
        let witness = witness::ident(slot);
        self.mark(quote!(::meerkat_runtime::typed::type_of(#witness)))
    }

    /// A type by its path.
    pub(crate) fn ty(&self, ty: &Type) -> String {
        let ty = type_tokens(ty);
        self.named(&quote!(<#ty as ::meerkat_runtime::DeviceType>::cuda_name))
    }

    /// A type whose values lie in memory.
    pub(crate) fn in_memory(&self, ty: &Type) -> String {
        let ty = type_tokens(ty);
        self.named(&quote!(<#ty as ::meerkat_runtime::DeviceType>::cuda_name_in_memory))
    }

    /// A number without suffix, of the type that rustc finds.
    pub(crate) fn number_of(&self, digits: &str, ty: &Type) -> String {
        let entry = match ty {
            Type::Rustc(slot, _) => {
                let witness = witness::ident(*slot);
                quote!(::meerkat_runtime::typed::type_of(#witness))
            }
            Type::Hint(ty) => {
                let ty = type_tokens(ty);
                quote!(::meerkat_runtime::typed::hint_of::<#ty>())
            }
            _ => unreachable!("the checker leaves no number without a type"),
        };
        format!("«{}#{digits}»", self.number(entry))
    }

    /// A constant of the user's.
    pub(crate) fn constant(&self, path: &syn::ExprPath) -> String {
        let name = path.path.segments.last().map_or(String::new(), |last| last.ident.to_string());
        let name = quote_spanned! {path.span()=>
            |__program: &mut ::meerkat_runtime::program::Program| {
                __program.constant(#name, #path)
            }
        };
        self.named(&name)
    }

    /// What changes nothing when it is joined with a value of this type.
    pub(crate) fn identity(&self, ty: &Type, span: proc_macro2::Span) -> String {
        // As the lock-step form says it: rustc then tells once what is wrong with it.
        let span = span.resolved_at(proc_macro2::Span::call_site());
        let of = match ty {
            Type::Rustc(slot, _) => {
                let mut witness = witness::ident(*slot);
                witness.set_span(span);
                quote!(#witness)
            }
            known => {
                let ty = type_tokens(known);
                quote_spanned!(span=> ::core::marker::PhantomData::<#ty>)
            }
        };
        self.mark(quote_spanned!(span=> ::meerkat_runtime::reduce::identity(#of).entry))
    }

    /// The length of an array: a number, or what a constant is.
    pub(crate) fn length(&self, length: &str) -> String {
        match computed_length(length) {
            None => length.to_owned(),
            Some(length) => self.named(&quote! {
                |_: &mut ::meerkat_runtime::program::Program| {
                    ::std::string::ToString::to_string(&((#length) as usize))
                }
            }),
        }
    }

    /// The instance of a function that a call means.
    pub(crate) fn function(&self, callee: &Callee, slot: Option<Slot>) -> String {
        let witness = slot.map(witness::ident);
        if let Some(function) = callee.reads_graph() {
            // Its witness is that of the graph.
            let function = quote!(::meerkat_runtime::neighbors::#function);
            return self.mark(quote! {
                ::meerkat_runtime::program::instance_of::<#function, _>(#witness)
            });
        }
        let Callee::Function(path) = callee else {
            return self.mark(quote!(::meerkat_runtime::program::function_of(#witness)));
        };
        let instance = callee::member(path, "instance");
        let witness = witness
            .map_or_else(|| quote!(::core::marker::PhantomData::<()>), |witness| quote!(#witness));
        self.mark(quote!(#instance(#witness)))
    }
}

#[cfg(test)]
impl Table {
    /// What a mark stands for, as a test shows it: a path, or the number of a witness.
    pub(crate) fn shown(&self, number: usize) -> String {
        let text = callee::readable(self.entries.borrow()[number].1.clone());
        let text = text.to_string().replace(' ', "");
        let named = text.strip_prefix("::meerkat_runtime::program::named(").unwrap_or(&text);
        if let Some((_, constant)) = named.rsplit_once("constant(") {
            return constant.split('"').nth(1).unwrap_or_default().to_owned();
        }
        if let Some((function, _)) = named.split_once("::instance(") {
            return function.rsplit("::").next().unwrap_or(function).to_owned();
        }
        if let Some(ty) = named.strip_prefix('<') {
            return ty.split("as::").next().unwrap_or(ty).to_owned();
        }
        let witness = named.split("__").nth(1).unwrap_or(named);
        witness.trim_end_matches(')').to_owned()
    }
}
