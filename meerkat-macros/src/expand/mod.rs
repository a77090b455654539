//! What the attribute leaves behind: the user's function as a typed scalar
//! form, and a type of the same name that carries both programs.

mod associated;
pub(crate) mod calls;
mod dependencies;
pub(crate) mod impls;
pub(crate) mod instance;
mod launch;
mod scalar;
pub(crate) mod traits;
pub(crate) mod unbound;
mod words;

use crate::check::CheckedKernel;
use crate::diagnostics::{self, Place};
use crate::forms;
use crate::ir::{Function, FunctionKind, Type, callee};
use crate::operator::Schedule;
use crate::tokens::type_tokens;
use crate::witness::Witnessed;
use crate::{cuda, native};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::visit::Visit as _;
use syn::visit_mut::VisitMut;

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
    let gate = ScalarErrors::of(item);
    let table = instance::table(witnessed, &table, item, &gate);
    let (instance, stands_for) = match launched {
        true => (quote!(), quote!()),
        false => instance::members(&checked.function, item),
    };
    let function = &checked.function;
    let uncallable = (launched && forms::all()).then(|| uncallable(item));
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
    let lanes = lanes(checked, schedule, item);
    // A launch on the CPU asks for the kernel's, which names it.
    let has_text = forms::has_cuda() || checked.function.kind.is_launched();
    let text = has_text.then(|| text(checked, schedule, &lanes, table));
    let lane = (!checked.function.kind.is_launched()).then(|| lane(checked, item));
    quote!(#lanes #lane #text)
}

/// What the attribute cannot read as a function.
pub(crate) fn no_function(kind: FunctionKind, item: TokenStream, error: syn::Error) -> TokenStream {
    let Ok(other) = syn::parse2::<syn::Item>(item) else { return error.into_compile_error() };
    let error = not_a_function(kind, &other).into_compile_error();
    quote!(#other #error)
}

/// The error of an attribute on anything but a function.
pub(crate) fn not_a_function(kind: FunctionKind, item: &syn::Item) -> syn::Error {
    let place = match item {
        syn::Item::Struct(item) => Place::of(&item.ident),
        other => Place::of(other),
    };
    diagnostics::error(
        place,
        format!("`#[{}]` goes on a function", kind.attribute()),
        "a struct that kernels use has `#[derive(DeviceStruct)]`",
    )
}

/// The item without its body, so that names resolve and callers of a function
/// with errors have none of their own.
pub(crate) fn refused(
    kind: FunctionKind,
    function: Option<&Function>,
    item: &syn::ItemFn,
    error: &syn::Error,
) -> TokenStream {
    let errors = error.to_compile_error();
    let mut bare = item.clone();
    bare.block = syn::parse_quote!({ ::core::unreachable!() });
    bare.sig.inputs.iter_mut().for_each(|input| AnyForDyn.visit_fn_arg_mut(input));
    unbound::give_bounds(&mut bare.sig.generics, |uses| uses.visit_signature(&item.sig));
    let item = &bare;
    if item.sig.receiver().is_some() {
        // In an `impl` no type can stand beside it.
        return quote!(#[allow(unused_variables)] #bare #errors);
    }
    let (vis, name) = (&item.vis, &item.sig.ident);
    let text = name.to_string();
    let scalar = scalar::typed(&bare);
    let mut stands_for = None;
    let members = function.map(|function| {
        let stub = quote!(::core::unreachable!());
        let open = ScalarErrors::open();
        let lanes = lanes_with(function, Schedule::Warp, item, &stub, &open);
        let lane = (!function.kind.is_launched()).then(|| lane_with(function, item, &stub, &open));
        let launched = function.kind.is_launched();
        let uncallable = launched.then(|| uncallable(item));
        let launch = launched.then(|| launch::functions(function, &[], item, true));
        let instance = (!launched).then(|| {
            let (members, implementation) = instance::refused(function, item);
            stands_for = Some(implementation);
            members
        });
        quote! {
            #lanes
            #lane
            #uncallable
            #launch
            #instance
        }
    });
    let members = members.or_else(|| match kind.is_launched() {
        true => Some(launch::any_arguments(kind, item)),
        false => any_arguments(item),
    });
    quote! {
        #errors

        #[allow(unused_variables, unused_mut)]
        #scalar

        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs, dead_code)]
        #vis struct #name {}

        #[allow(warnings, missing_docs, dead_code, unused_variables)]
        impl #name {
            #[doc(hidden)]
            pub const fn group(_: u32) -> u32 { 0 }
            #[doc(hidden)]
            pub const IS_LAUNCHED: bool = false;
            #[doc(hidden)]
            pub const AGREED_PARAMS: &[u32] = &[];
            #[doc(hidden)]
            pub const AGREED_RESULT: u32 = u32::MAX;
            #[doc(hidden)]
            pub const TEXT: ::meerkat_runtime::program::FunctionText =
                ::meerkat_runtime::program::FunctionText {
                    name: #text,
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    lines: &[],
                    groups: 0,
                    native: "",
                };
            #members
        }

        #stands_for
    }
}

/// Of a trait behind a reference, which is refused, rustc would tell that a device trait
/// has none.
struct AnyForDyn;

impl VisitMut for AnyForDyn {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        syn::visit_mut::visit_type_mut(self, ty);
        if let syn::Type::TraitObject(_) = ty {
            *ty = syn::parse_quote!(impl ::core::marker::Sized);
        }
    }
}

/// The lock-step function.
fn lanes(checked: &CheckedKernel, schedule: Schedule, item: &syn::ItemFn) -> TokenStream {
    if !forms::has_native() {
        return quote!();
    }
    let body = native::body(checked);
    let gate = ScalarErrors::of(item);
    let alias = gate.around(&quote!(__T));
    let body = quote! {
        type __Typed<__T> = #alias;
        #body
    };
    lanes_with(&checked.function, schedule, item, &body, &gate)
}

fn lanes_with(
    function: &Function,
    schedule: Schedule,
    item: &syn::ItemFn,
    body: &TokenStream,
    gate: &ScalarErrors,
) -> TokenStream {
    let launched = function.kind.is_launched();
    let name = if launched { "run" } else { "lanes" };
    let name = format_ident!("{name}{}", schedule.suffix());
    let (names, types) = native::params(function, &|ty| gate.around(ty));
    // The arguments of a call are one tuple: where the scalar form has told of one
    // too few, they have no type and rustc does not count again.
    let params = match launched {
        true => quote!(#(#names: #types),*),
        false => quote!((#(#names,)*): (#(#types,)*)),
    };
    let result = native::result(function);
    let result = if launched { result } else { gate.around(&result) };
    let (warp, mask) =
        (gate.around(&quote!(::meerkat_runtime::lanes::Warp)), gate.around(&quote!(u32)));
    let (generics, _, bounds) = item.sig.generics.split_for_impl();
    let lanes = quote! {
        #[doc(hidden)]
        #[inline]
        pub fn #name #generics (
            __warp: &#warp,
            __mask: #mask,
            #params
        ) -> #result #bounds {
            #body
        }
    };
    match schedule.is_native() {
        true => lanes,
        false => quote!(::meerkat_runtime::with_all_schedules! { { #lanes } {} }),
    }
}

// expands to:
//   pub fn alone(__warp: &Warp, __l: usize, (graph, v): (Graph, u32)) -> u32 { .. }
/// The function for one lane, which calls it where it runs by itself. One that only lanes
/// together can run does so with a mask of that lane.
fn lane(checked: &CheckedKernel, item: &syn::ItemFn) -> TokenStream {
    if !forms::has_native() {
        return quote!();
    }
    let function = &checked.function;
    let gate = ScalarErrors::of(item);
    let alias = gate.around(&quote!(__T));
    let body = native::lane_body(checked).unwrap_or_else(|| {
        let (names, _) = native::lane_params(function, &Clone::clone);
        let generics = instance::names(&item.sig.generics);
        let all = quote!(Self::lanes::<#(#generics),*>(__warp, 1u32 << __l, (#(#names,)*)));
        match function.ret {
            Type::Unit => all,
            _ => quote!(::meerkat_runtime::lanes::LaneValue::lanes(#all)[__l]),
        }
    });
    let body = quote! {
        type __Typed<__T> = #alias;
        #body
    };
    lane_with(function, item, &body, &gate)
}

fn lane_with(
    function: &Function,
    item: &syn::ItemFn,
    body: &TokenStream,
    gate: &ScalarErrors,
) -> TokenStream {
    let (names, types) = native::lane_params(function, &|ty| gate.around(ty));
    let result = gate.around(&type_tokens(&function.ret));
    let warp = gate.around(&quote!(::meerkat_runtime::lanes::Warp));
    let (generics, _, bounds) = item.sig.generics.split_for_impl();
    quote! {
        #[doc(hidden)]
        #[inline]
        pub fn alone #generics (
            __warp: &#warp,
            __l: usize,
            (#(#names,)*): (#(#types,)*)
        ) -> #result #bounds {
            #body
        }
    }
}

/// What calls of a device function find of which a parameter is refused, so that they are
/// not reported, too; none if its result is refused, or may be of a type parameter.
fn any_arguments(item: &syn::ItemFn) -> Option<TokenStream> {
    if !item.sig.generics.params.is_empty() {
        return None;
    }
    let mut without = item.clone();
    without.sig.inputs.clear();
    let function = crate::parse::signature(FunctionKind::Device, &without)?;
    let result = native::result(&function);
    let ret = type_tokens(&function.ret);
    let types: Vec<_> = (0..item.sig.inputs.len()).map(|at| format_ident!("__{at}")).collect();
    Some(quote! {
        #[doc(hidden)]
        pub fn lanes<__A>(
            _: &::meerkat_runtime::lanes::Warp,
            _: u32,
            _: __A,
        ) -> #result {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn alone<__A>(_: &::meerkat_runtime::lanes::Warp, _: usize, _: __A) -> #ret {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn witness<__W, #(#types),*>(
            _: ::core::marker::PhantomData<__W>,
        ) -> fn(#(#types),*) -> #ret {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn instance<__W>(
            _: ::core::marker::PhantomData<__W>,
        ) -> ::meerkat_runtime::program::Entry {
            ::core::unreachable!()
        }
    })
}

/// What the types of the generated forms wait for, so that rustc tells a type
/// error once: the scalar form's having none.
struct ScalarErrors(Option<TokenStream>);

impl ScalarErrors {
    fn of(item: &syn::ItemFn) -> ScalarErrors {
        ScalarErrors(scalar::errors(item))
    }

    fn open() -> ScalarErrors {
        ScalarErrors(None)
    }

    /// The type, behind the gate.
    fn around(&self, ty: &TokenStream) -> TokenStream {
        match &self.0 {
            Some(errors) => quote! {
                <::meerkat_runtime::typed::Typed as
                    ::meerkat_runtime::typed::Checked<#errors>>::Of<#ty>
            },
            None => ty.clone(),
        }
    }
}

/// What a call of a launched function finds, so that the assertion at the call
/// is the only error.
fn uncallable(item: &syn::ItemFn) -> TokenStream {
    let (generics, _, bounds) = item.sig.generics.split_for_impl();
    let typed = scalar::typed(item);
    let types = typed.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(input) => Some(match &*input.ty {
            syn::Type::Reference(reference) => &*reference.elem,
            other => other,
        }),
        syn::FnArg::Receiver(_) => None,
    });
    quote! {
        #[doc(hidden)]
        pub fn lanes #generics (_: &::meerkat_runtime::lanes::Warp, _: u32, _: impl ::core::marker::Sized) #bounds {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn alone #generics (_: &::meerkat_runtime::lanes::Warp, _: usize, _: impl ::core::marker::Sized) #bounds {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn witness #generics (_: ::core::marker::PhantomData<()>) -> fn(#(#types),*) #bounds {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn instance(_: ::core::marker::PhantomData<()>) -> ::meerkat_runtime::program::Entry {
            ::core::unreachable!()
        }
    }
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
