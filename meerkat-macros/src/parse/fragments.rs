//! What a `macro_rules!` puts in for `$e:expr` is one operand, whatever it is made of: with
//! `2 + 3`, `$e * 2` is ten. The tokens say so by a group without a delimiter, which rustc
//! does not see when a macro hands it back; parentheses it sees.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};

/// Puts what stood for a fragment into parentheses, wherever an expression can be: in bodies,
/// constants, lengths of arrays.
pub(crate) struct Fragments;

impl VisitMut for Fragments {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let syn::Expr::Group(group) = expr else { return };
        let inner = std::mem::replace(&mut *group.expr, syn::Expr::Verbatim(TokenStream::new()));
        let is_whole =
            matches!(inner, syn::Expr::Lit(_) | syn::Expr::Path(_) | syn::Expr::Paren(_));
        *expr = if is_whole {
            inner
        } else {
            syn::Expr::Paren(syn::ExprParen {
                attrs: std::mem::take(&mut group.attrs),
                paren_token: syn::token::Paren(group.group_token.span),
                expr: Box::new(inner),
            })
        };
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        call.tokens = in_parentheses(std::mem::take(&mut call.tokens));
    }
}

/// The tokens of a macro's call, of which nobody knows what they are.
fn in_parentheses(tokens: TokenStream) -> TokenStream {
    let trees = tokens.into_iter().map(|tree| {
        let TokenTree::Group(group) = tree else { return tree };
        let inner = in_parentheses(group.stream());
        let is_whole = inner.clone().into_iter().nth(1).is_none();
        let delimiter = match group.delimiter() {
            Delimiter::None if !is_whole => Delimiter::Parenthesis,
            delimiter => delimiter,
        };
        let mut changed = Group::new(delimiter, inner);
        changed.set_span(group.span());
        TokenTree::Group(changed)
    });
    trees.collect()
}
