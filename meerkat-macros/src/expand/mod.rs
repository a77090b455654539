//! What the attribute expands to: the user's function as a typed scalar
//! form, and a type of the same name that carries both programs.

mod associated;
pub(crate) mod calls;
mod dependencies;
pub(crate) mod impls;
pub(crate) mod instance;
mod lanes;
mod launch;
mod refused;
mod scalar;
mod self_types;
pub(crate) mod traits;
pub(crate) mod unbound;
mod words;

use crate::check::CheckedKernel;
use crate::ir::callee;
use crate::operator::Schedule;
use crate::witness::Witnessed;
use crate::{cuda, forms, native};
use lanes::ScalarErrors;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

#[cfg(test)]
pub(crate) use refused::not_a_function;
pub(crate) use refused::{no_function, refused};

/// An operator under one of the other schedules.
pub(crate) struct Variant {
    pub(crate) schedule: Schedule,
    pub(crate) checked: syn::Result<CheckedKernel>,
}

/// What the stages make of a function: its lowering for the warp, those of the other
/// schedules, and the copy that rustc finds its types in.
pub(crate) struct Compiled {
    pub(crate) checked: CheckedKernel,
    pub(crate) others: Vec<Variant>,
    pub(crate) witnessed: Witnessed,
}

/// The item with everything generated beside it.
pub(crate) fn expand(compiled: &Compiled, item: &syn::ItemFn) -> TokenStream {
    let Compiled { checked, others, witnessed } = compiled;
    let scalar::Scalar { function: scalar, members } = scalar::form(item, checked.function.kind);
    let (vis, name) = (&item.vis, &item.sig.ident);
    let group = forms::all().then(|| dependencies::group(checked));
    let table = cuda::Table::default();
    let programs = programs(checked, Schedule::Warp, item, &table);
    let launched = checked.function.kind.is_launched();
    let other_programs = others.iter().filter_map(|variant| {
        let checked = variant.checked.as_ref().ok()?;
        Some(self::programs(checked, variant.schedule, item, &table))
    });
    let other_programs: Vec<_> = other_programs.collect();
    let errors = ScalarErrors::of(item);
    let table = instance::table(witnessed, &table, item, &errors);
    let (instance, stands_for) = match launched {
        true => (quote!(), quote!()),
        false => instance::members(&checked.function, item),
    };
    let function = &checked.function;
    let uncallable = (launched && forms::all()).then(|| refused::uncallable(item));
    let launch =
        function.kind.is_launched().then(|| launch::functions(function, others, item, false));
    let (params, result) = native::agreements(function);
    let asserts = if forms::all() { assertions(compiled) } else { Vec::new() };
    quote! {
        #scalar

        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs, unreachable_pub)]
        #vis struct #name {}

        #[allow(
            warnings,
            unused,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction,
            missing_docs
        )]
        impl #name {
            #group
            /// Whether the host launches it, rather than a kernel calls it.
            pub const IS_LAUNCHED: bool = #launched;
            /// How many lanes must agree on each argument of a call.
            pub const AGREED_PARAMS: &[u32] = &[#(#params),*];
            /// How many lanes are sure to agree on its result.
            pub const AGREED_RESULT: u32 = #result;

            #members
            #uncallable
            #programs
            #(#other_programs)*
            #table
            #instance
            #launch
        }

        #stands_for

        #(#asserts)*
    }
}

/// What rustc must confirm of a function, in assertions beside it.
fn assertions(compiled: &Compiled) -> Vec<TokenStream> {
    let Compiled { checked, others, .. } = compiled;
    let mut asserts = calls::callable(checked);
    let others = others.iter().filter_map(|variant| variant.checked.as_ref().ok());
    asserts.extend(calls::agreed(std::iter::once(checked).chain(others)));
    asserts.extend(dependencies::atomic_widths(checked));
    asserts.extend(dependencies::no_recursion(checked));
    asserts
}

/// Both programs of a function under one schedule.
fn programs(
    checked: &CheckedKernel,
    schedule: Schedule,
    item: &syn::ItemFn,
    table: &cuda::Table,
) -> TokenStream {
    let lanes = lanes::lanes(checked, schedule, item);
    // A launch on the CPU asks for the kernel's, which names it.
    let has_text = forms::has_cuda() || checked.function.kind.is_launched();
    let text = has_text.then(|| text(checked, schedule, &lanes, table));
    let alone = (!checked.function.kind.is_launched()).then(|| lanes::alone(checked, item));
    quote!(#lanes #alone #text)
}

/// The constant that holds the CUDA text, with its marks.
fn text(
    checked: &CheckedKernel,
    schedule: Schedule,
    native: &TokenStream,
    table: &cuda::Table,
) -> TokenStream {
    let name = checked.function.name.to_string();
    let text_name = text_ident(schedule);
    let groups = checked.groups();
    let lines = if forms::has_cuda() { cuda::write(checked, table) } else { Vec::new() };
    let lines = lines.into_iter().map(|line| {
        let (number, text) = (line.rust_line as u32, line.text);
        quote!((#number, #text))
    });
    let native = forms::all().then(|| callee::readable(native.clone()).to_string());
    let native = native.unwrap_or_default();
    quote! {
        #[doc(hidden)]
        pub const #text_name: ::meerkat_runtime::program::FunctionText =
            ::meerkat_runtime::program::FunctionText {
                name: #name,
                module: ::core::module_path!(),
                file: ::core::file!(),
                lines: &[#(#lines),*],
                groups: #groups,
                native: #native,
            };
    }
}

/// The name of the constant that holds a schedule's text.
fn text_ident(schedule: Schedule) -> proc_macro2::Ident {
    format_ident!("TEXT{}", schedule.suffix().to_uppercase())
}
