//! The scalar form: the user's own tokens over typed stubs, so that rustc
//! checks every type on the user's span and completion works. It runs one item
//! as a warp of one lane would.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{parse_quote, spanned::Spanned};

pub(super) fn form(item: &syn::ItemFn) -> TokenStream {
    let mut item = item.clone();
    for input in &mut item.sig.inputs {
        if let syn::FnArg::Typed(input) = input {
            as_view(&mut input.ty);
        }
    }
    Closures.visit_block_mut(&mut item.block);
    Arrays::of(&item).visit_block_mut(&mut item.block);
    quote! {
        #[allow(
            dead_code,
            unused_unsafe,
            arithmetic_overflow,
            clippy::all,
            clippy::pedantic
        )]
        #item
    }
}

/// Slices of device memory are views that index by `u32`.
fn as_view(ty: &mut syn::Type) {
    let syn::Type::Reference(reference) = ty else { return };
    if let syn::Type::Slice(slice) = &*reference.elem {
        let element = &slice.elem;
        let view = quote::quote_spanned!(slice.span()=> ::meerkat_runtime::DeviceSlice<#element>);
        *reference.elem = parse_quote!(#view);
    }
}

/// Small arrays index by `u32` in a kernel, and by `usize` in Rust.
struct Arrays {
    names: Vec<syn::Ident>,
}

impl Arrays {
    fn of(item: &syn::ItemFn) -> Self {
        let params = item.sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(input) => Some((&*input.pat, &*input.ty)),
            syn::FnArg::Receiver(_) => None,
        });
        let names = params.filter_map(|(pat, ty)| match (pat, ty) {
            (syn::Pat::Ident(binding), syn::Type::Array(_)) => Some(binding.ident.clone()),
            _ => None,
        });
        Arrays { names: names.collect() }
    }
}

impl VisitMut for Arrays {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        syn::visit_mut::visit_local_mut(self, local);
        let (pat, typed) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, matches!(&*typed.ty, syn::Type::Array(_))),
            pat => (pat, false),
        };
        let written = local
            .init
            .as_ref()
            .is_some_and(|init| matches!(&*init.expr, syn::Expr::Array(_) | syn::Expr::Repeat(_)));
        if let syn::Pat::Ident(binding) = pat {
            self.names.retain(|name| *name != binding.ident);
            if typed || written {
                self.names.push(binding.ident.clone());
            }
        }
    }

    fn visit_expr_index_mut(&mut self, index: &mut syn::ExprIndex) {
        syn::visit_mut::visit_expr_index_mut(self, index);
        let syn::Expr::Path(base) = &*index.expr else { return };
        let is_array = base.path.get_ident().is_some_and(|name| self.names.contains(name));
        if is_array && !matches!(&*index.index, syn::Expr::Lit(_)) {
            let at = &index.index;
            *index.index = parse_quote!((#at) as usize);
        }
    }
}

/// `|dst| ..` to `|dst, _| ..`: the stub's closure always takes the weight.
struct Closures;

impl VisitMut for Closures {
    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        syn::visit_mut::visit_expr_call_mut(self, call);
        let syn::Expr::Path(path) = &*call.func else { return };
        let is_loop =
            path.path.segments.last().is_some_and(|last| last.ident == "for_each_neighbor");
        if is_loop
            && let Some(syn::Expr::Closure(closure)) = call.args.last_mut()
            && closure.inputs.len() == 1
        {
            closure.inputs.push(parse_quote!(_));
        }
    }
}
