//! What must hold at calls of device functions: rules that rustc confirms, since the macro
//! sees a callee's name alone. Functions of types never wait for other lanes, nor are they
//! launched, nor do they take or give what lanes agree on.

use super::dependencies::each_expr;
use crate::check::CheckedKernel;
use crate::ir::{Expr, ExprKind, Level, callee};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// Assertions that callees wait for no more lanes than are at the call, and that none is
/// a kernel.
pub(crate) fn callable(checked: &CheckedKernel) -> Vec<TokenStream> {
    let mut asserts = Vec::new();
    each_call(checked, &mut |whole, path, _| {
        let (span, name) = (whole.span, name_of(path));
        if let Some((level, why)) = checked.divergent_call(whole.id) {
            let (fits, message) = (fits(path, level), collective(checked, &name, why));
            asserts.push(quote_spanned!(span=> const _: () = ::core::assert!(#fits, #message);));
        }
        let message = format!(
            "`{name}` is launched by the host and cannot be called\nhelp: launch it, or make what \
             both need a `#[device]` function"
        );
        let is_launched = callee::member(path, "IS_LAUNCHED");
        asserts.push(quote_spanned! {span=>
            const _: () = ::core::assert!(!#is_launched, #message);
        });
    });
    asserts
}

fn collective(checked: &CheckedKernel, name: &str, why: &str) -> String {
    let help = match checked.function.kind.is_operator() {
        true => "an operator has lanes without an item: write a `#[kernel]`, which all lanes run"
            .to_owned(),
        false => format!("call `{name}` before the lanes diverge and use its result inside"),
    };
    format!("`{name}` is a collective, but lanes may diverge here: {why}\nhelp: {help}")
}

/// Assertions that lanes agree on the arguments that callees declare `Uniform`, and on the
/// results that the function takes for that. Of an operator under each schedule: lanes that
/// share an item under one have their own under another.
pub(crate) fn agreed<'a>(forms: impl Iterator<Item = &'a CheckedKernel>) -> Vec<TokenStream> {
    let mut asserts: Vec<(String, Level, TokenStream)> = Vec::new();
    // Of the same argument under several schedules, that of which lanes agree least.
    let mut add = |place: String, level: Level, assert: TokenStream| match asserts
        .iter_mut()
        .find(|(known, ..)| *known == place)
    {
        Some(known) if known.1 < level => *known = (place, level, assert),
        Some(_) => {}
        None => asserts.push((place, level, assert)),
    };
    for checked in forms {
        each_call(checked, &mut |whole, path, args| {
            let name = name_of(path);
            for (at, arg) in args.iter().enumerate() {
                if let Some(found) = checked.disagreement(arg.id) {
                    let place = format!("{:?} {name} {at}", arg.span);
                    add(place, found.0, argument(checked, (whole, path), (at, arg), found));
                }
            }
            let level = checked.level(whole.id);
            if let Some(assert) = result(level, path, whole) {
                add(format!("{:?} {name} ->", whole.span), level, assert);
            }
        });
    }
    asserts.into_iter().map(|(.., assert)| assert).collect()
}

fn argument(
    checked: &CheckedKernel,
    (whole, path): (&Expr, &syn::Path),
    (at, arg): (usize, &Expr),
    (level, why): (Level, &str),
) -> TokenStream {
    let (group, name) = (level.group(), name_of(path));
    let message = |of: &str, broadcast: &str, declared: &str| {
        format!(
            "this argument of `{name}` must be the same in all lanes of the {of}, but {why}\n\
             help: take one lane's value with `{broadcast}(value, lane)`; declare the result of \
             a function that gives one value `{declared}`"
        )
    };
    let warp = message("warp", "warp_broadcast", "Uniform<T>");
    let tile = message("tile", "tile::<N>().broadcast", "TileUniform<N, T>");
    let params = callee::member(path, "AGREED_PARAMS");
    // A call that is no use here is refused as a whole.
    let refused = checked.divergent_call(whole.id).map(|(level, _)| {
        let fits = fits(path, level);
        quote!(!#fits ||)
    });
    quote_spanned! {arg.span=>
        const _: () = {
            let wanted = ::meerkat_runtime::typed::agreed(#params, #at);
            ::core::assert!(#refused wanted < 32, #warp);
            ::core::assert!(#refused wanted <= #group, #tile);
        };
    }
}

/// Whether the callee waits for no more lanes than are sure to be there.
fn fits(path: &syn::Path, here: Level) -> TokenStream {
    let (group, here) = (callee::member(path, "group"), here.group());
    quote!(::meerkat_runtime::typed::fits(#group(::meerkat_runtime::typed::DEPTH), #here))
}

/// Of a call whose result is taken for one value of the warp or of a tile.
fn result(level: Level, path: &syn::Path, whole: &Expr) -> Option<TokenStream> {
    if level == Level::Lane {
        return None;
    }
    let group = level.group().min(32);
    let (name, result) = (name_of(path), callee::member(path, "AGREED_RESULT"));
    let declared = if group == 32 { "Uniform<T>" } else { "TileUniform<N, T>" };
    let message = format!(
        "what is declared `{declared}` here comes from `{name}`, whose result may differ from \
         lane to lane\nhelp: declare the result of `{name}` `{declared}`, or take one lane's \
         value with `warp_broadcast(value, lane)`"
    );
    Some(quote_spanned! {whole.span=>
        const _: () = ::core::assert!(#result >= #group, #message);
    })
}

fn name_of(path: &syn::Path) -> String {
    path.segments.last().map_or(String::new(), |last| last.ident.to_string())
}

/// Every call of a function that is no type's.
fn each_call(checked: &CheckedKernel, f: &mut dyn FnMut(&Expr, &syn::Path, &[Expr])) {
    each_expr(checked, &mut |expr| {
        if let ExprKind::Call { callee, args, .. } = &expr.kind
            && let Some(path) = callee.function()
        {
            f(expr, path, args);
        }
    });
}
