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
    quote! {
        #[allow(dead_code, clippy::too_many_arguments, clippy::needless_pass_by_value)]
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
