//! Whether the words in a function are the language's. The macro knows them by their names
//! alone, so rustc must not find a function of the user's there.

use crate::parse::{NEIGHBOR_LOOPS, is_word};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::visit::Visit;

// expands to:
//   word_of_the_language(::meerkat_runtime::scalar::lane_id, lane_id);
// Functions have types of their own, so any other function is a mismatch.
/// Has rustc compare what each word names with the language's function.
pub(super) fn confirmed(item: &syn::ItemFn) -> TokenStream {
    let mut words = Words(Vec::new());
    words.visit_block(&item.block);
    let each = words.0.iter().map(|word| {
        let own = own(word);
        let span = word.span().resolved_at(proc_macro2::Span::call_site());
        let confirm = quote_spanned!(span=> ::meerkat_runtime::typed::word_of_the_language);
        quote!(#confirm(#own, #word);)
    });
    each.collect()
}

struct Words(Vec<Ident>);

impl<'a> Visit<'a> for Words {
    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func
            && let [only] = path.path.segments.iter().collect::<Vec<_>>()[..]
            && is_word(&only.ident.to_string())
            && !self.0.contains(&only.ident)
        {
            self.0.push(only.ident.clone());
        }
        syn::visit::visit_expr_call(self, call);
    }
}

/// The language's function, at types that stand for any.
fn own(word: &Ident) -> TokenStream {
    let name = word.to_string();
    let types = match name.as_str() {
        "for_each_common_neighbor" => quote!(::<::meerkat_runtime::Graph, fn(u32, ())>),
        "find_neighbor" => quote!(::<::meerkat_runtime::Graph, fn(u32, ()) -> bool>),
        walk if NEIGHBOR_LOOPS.contains(&walk) => quote!(::<::meerkat_runtime::Graph, fn(u32, ())>),
        "block_shared" => quote!(::<u32, 1>),
        "select" => quote!(::<u32>),
        other => {
            let generic = ["_broadcast", "_shuffle", "_reduce_", "_scan_", "_enqueue_"];
            match generic.iter().any(|part| other.contains(part)) {
                true => quote!(::<u32>),
                false => quote!(),
            }
        }
    };
    let module = if name.contains("_enqueue_") { quote!(frontier) } else { quote!(scalar) };
    quote!(::meerkat_runtime::#module::#word #types)
}
