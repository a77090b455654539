//! Where the run time is to be found: by its own name, or by way of `meerkat`, for
//! crates that depend on that alone. Expansions say `::meerkat_runtime`.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Group, Ident, Spacing, TokenStream, TokenTree};
use quote::quote_spanned;

/// The expansion, with the run time's path as the crate that is compiled has it.
pub(crate) fn resolve(expansion: TokenStream) -> TokenStream {
    match crate_name("meerkat-runtime") {
        Ok(FoundCrate::Name(name)) if name != "meerkat_runtime" => replaced(expansion, &|span| {
            let name = Ident::new(&name, span);
            quote_spanned!(span=> #name)
        }),
        Ok(_) => expansion,
        Err(_) => match crate_name("meerkat") {
            Ok(FoundCrate::Name(name)) => replaced(expansion, &|span| {
                let name = Ident::new(&name, span);
                quote_spanned!(span=> #name::runtime)
            }),
            // rustc says that there is no `meerkat_runtime`.
            Ok(FoundCrate::Itself) | Err(_) => expansion,
        },
    }
}

/// With another path for each `meerkat_runtime` after `::`.
fn replaced(tokens: TokenStream, path: &dyn Fn(proc_macro2::Span) -> TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let (mut behind_colons, mut joint) = (false, false);
    for token in tokens {
        let colon = match &token {
            TokenTree::Punct(punct) if punct.as_char() == ':' => Some(punct.spacing()),
            _ => None,
        };
        match token {
            TokenTree::Ident(name) if behind_colons && name == "meerkat_runtime" => {
                out.extend(path(name.span()));
            }
            TokenTree::Group(group) => {
                let inner = replaced(group.stream(), path);
                let mut new = Group::new(group.delimiter(), inner);
                new.set_span(group.span());
                out.extend([TokenTree::Group(new)]);
            }
            other => out.extend([other]),
        }
        behind_colons = colon.is_some() && joint;
        joint = colon == Some(Spacing::Joint) && !behind_colons;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::replaced;
    use quote::{quote, quote_spanned};

    #[test]
    fn every_path_of_the_run_time_is_replaced_and_nothing_else() {
        let found = replaced(
            quote!(
                fn f(x: ::meerkat_runtime::Graph) {
                    a::meerkat_runtime(meerkat_runtime, [::meerkat_runtime::b!()])
                }
            ),
            &|span| quote_spanned!(span=> meerkat::runtime),
        );
        let expected = quote!(
            fn f(x: ::meerkat::runtime::Graph) {
                a::meerkat::runtime(meerkat_runtime, [::meerkat::runtime::b!()])
            }
        );
        assert_eq!(found.to_string(), expected.to_string());
    }
}
