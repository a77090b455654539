//! The launcher: exactly the kernel's parameters, so a wrong argument does not
//! compile.

use super::lanes::ScalarErrors;
use super::{Variant, text_ident};
use crate::forms;
use crate::ir::names::unique_names;
use crate::ir::{Access, Function, FunctionKind, Type, Var, VarId};
use crate::operator::Schedule;
use crate::tokens::{ident, type_tokens};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The parameters of a launched function, as the launcher needs them.
struct Launcher {
    names: Vec<Ident>,
    inputs: Vec<TokenStream>,
    passes: Vec<TokenStream>,
    /// The parameter that says how many threads, for kernels.
    threads: TokenStream,
    count: TokenStream,
}

impl Launcher {
    fn new(function: &Function) -> Self {
        let all = unique_names(function);
        let names: Vec<_> =
            function.params.iter().map(|var| shown(&all[var.0], function.var(*var))).collect();
        let mut inputs = Vec::new();
        let mut passes = Vec::new();
        for (var, name) in function.params.iter().zip(&names) {
            let declared = &function.var(*var).ty;
            let ty = type_tokens(declared);
            let accepts = match declared {
                Type::Slice(Access::OwnItem, _) => quote!(HostArgMut),
                _ => quote!(HostArg),
            };
            inputs.push(quote!(#name: impl ::meerkat_runtime::launch::#accepts<#ty>));
            passes.push(quote! {
                let mut #name: #ty = unsafe {
                    ::meerkat_runtime::launch::#accepts::to_device_arg(#name, __device)
                }?;
            });
        }
        let (threads, count) = match (function.kind, names.first()) {
            (FunctionKind::Kernel, _) | (_, None) => (
                quote!(__threads: u32,),
                quote!(::meerkat_runtime::launch::whole_blocks(__threads)),
            ),
            (_, Some(items)) => {
                (quote!(), quote!(::meerkat_runtime::launch::Items::count(&#items)))
            }
        };
        Launcher { names, inputs, passes, threads, count }
    }
}

/// The name of a parameter as people see it.
fn shown(name: &str, var: &Var) -> Ident {
    if var.made { Ident::new(name, var.name.span()) } else { ident(name, var) }
}

/// `launch` and `info`; with `refused`, only their signatures, so that callers
/// of a function with errors have none of their own.
pub(super) fn functions(
    function: &Function,
    others: &[Variant],
    item: &syn::ItemFn,
    refused: bool,
) -> TokenStream {
    let (generics, arguments, bounds) = item.sig.generics.split_for_impl();
    let turbofish = arguments.as_turbofish();
    let Launcher { names, inputs, passes, threads, count } = Launcher::new(function);
    let thread_argument = (function.kind == FunctionKind::Kernel).then(|| quote!(__threads,));
    let generic_types = super::instance::types(&item.sig.generics);
    let is_vertex_operator = function.kind == FunctionKind::VertexOperator;
    // What a walk's graph is not, rustc tells where it is walked.
    let errors = ScalarErrors::of(item);
    let typed = |var: VarId| errors.around(&type_tokens(&function.var(var).ty));
    let shape = shape(function, &names, &typed);
    let run = |schedule: Schedule| {
        let lowered = others.iter().find(|one| one.schedule == schedule);
        let shares_hubs = lowered
            .and_then(|one| one.checked.as_ref().ok())
            .is_some_and(|checked| checked.function.shares_hubs);
        let lanes = format_ident!("run{}", schedule.suffix());
        let variant = format_ident!("{}", schedule.variant());
        let native = quote! {
            Self::#lanes #turbofish (__warp, ::meerkat_runtime::lanes::FULL, #(#names),*)
        };
        let native = match schedule.is_native() {
            _ if !forms::has_native() => quote!(::core::unreachable!()),
            true => native,
            // `schedule_for` chooses none that is not compiled.
            false => quote! {
                ::meerkat_runtime::with_all_schedules! { { #native } { ::core::unreachable!() } }
            },
        };
        let launched = quote! {
            unsafe { ::meerkat_runtime::launch::run(
                __device,
                (
                    ::core::any::TypeId::of::<(Self, #(#generic_types,)*)>(),
                    ::meerkat_runtime::launch::Schedule::#variant,
                    __options.code(),
                ),
                &|| Self::info_with #turbofish (::meerkat_runtime::launch::Schedule::#variant),
                __threads,
                &mut [#(::meerkat_runtime::launch::argument(&mut #names)),*],
                &|__warp: &::meerkat_runtime::lanes::Warp| { #native },
            ) }
        };
        match names.first() {
            Some(items) if shares_hubs => quote! {{
                let mut __sharing = unsafe { ::meerkat_runtime::launch::Sharing::new(
                    &#items, __device, __schedule, #shape, __options.shared_from(),
                ) }?;
                while let ::core::option::Option::Some(__threads) =
                    unsafe { __sharing.next(&mut #items) }
                {
                    #launched?;
                }
                ::core::result::Result::Ok(())
            }},
            Some(items) if is_vertex_operator && others.len() > 1 => quote! {{
                let __threads = ::meerkat_runtime::launch::Items::spread(
                    &mut #items, __device, __schedule,
                );
                #launched
            }},
            _ => launched,
        }
    };
    let name = item.sig.ident.to_string();
    let arms = others.iter().map(|variant| {
        let schedule = format_ident!("{}", variant.schedule.variant());
        let arm = match &variant.checked {
            Ok(_) => run(variant.schedule),
            Err(error) => {
                let why = reasons(error);
                quote!(::meerkat_runtime::launch::unsupported(#name, __schedule, #why))
            }
        };
        quote!(::meerkat_runtime::launch::Schedule::#schedule => #arm,)
    });
    let arms: Vec<_> = arms.collect();
    let thread = others.iter().find(|one| one.schedule == Schedule::Thread);
    let thread = thread.and_then(|one| one.checked.as_ref().ok());
    let walks_alone = thread.is_some_and(crate::native::loops_alone);
    let fitting = others.iter().filter(|variant| variant.checked.is_ok()).map(|variant| {
        let schedule = format_ident!("{}", variant.schedule.variant());
        quote!(::meerkat_runtime::launch::Schedule::#schedule)
    });
    let tracked: Vec<_> = function
        .params
        .iter()
        .zip(&names)
        .filter(|(var, _)| function.tracked.contains(var))
        .map(|(var, name)| {
            let ty = typed(*var);
            quote!(::meerkat_runtime::launch::tracked::<#ty>(&#name)?;)
        })
        .collect();
    let warp = run(Schedule::Warp);
    let check = check(function, &names, &typed);
    let launch = quote! {
        #(#passes)*
        #check
        #(#tracked)*
        let __threads: u32 = #count;
        let __options: ::meerkat_runtime::launch::LaunchOptions =
            ::core::convert::Into::into(__options);
        let __fitting = [#(#fitting),*];
        ::meerkat_runtime::launch::record(
            __device,
            __options,
            &__fitting,
            ::core::any::TypeId::of::<(Self, #(#generic_types,)*)>(),
            &|__schedule| Self::info_with #turbofish (__schedule),
        );
        let __load = ::meerkat_runtime::launch::Load {
            shape: #shape,
            items: __threads,
            walks_alone: #walks_alone,
        };
        let __schedule = __options.schedule_for(__device, __load, &__fitting);
        match __schedule {
            #(#arms)*
            _ => #warp,
        }
    };
    let info = info_body(others, &generic_types, &turbofish);
    let stub = quote!(::core::unreachable!());
    let (launch, info) = if refused { (stub.clone(), stub) } else { (launch, info) };
    quote! {
        /// Launches it; returns when it has been queued (CUDA) or has run (CPU).
        ///
        /// # Errors
        /// An argument of another device, a program that does not compile or
        /// launch, a trap (CPU).
        pub fn launch #generics (
            __device: &::meerkat_runtime::Device,
            #threads
            #(#inputs),*
        ) -> ::core::result::Result<(), ::meerkat_runtime::Error> #bounds {
            Self::launch_with #turbofish (
                ::meerkat_runtime::launch::Schedule::Auto, __device, #thread_argument #(#names),*
            )
        }

        /// Launches it under a schedule of the caller's, or with other code:
        /// `Schedule::Warp.fast_math()`, `Schedule::Auto.registers(32)`.
        ///
        /// # Errors
        /// As `launch`; a schedule that the operator cannot be served by.
        pub fn launch_with #generics (
            __options: impl ::core::convert::Into<::meerkat_runtime::launch::LaunchOptions>,
            __device: &::meerkat_runtime::Device,
            #threads
            #(#inputs),*
        ) -> ::core::result::Result<(), ::meerkat_runtime::Error> #bounds {
            #launch
        }

        /// What it becomes, under the schedule of the warp.
        pub fn info #generics () -> ::meerkat_runtime::program::KernelInfo #bounds {
            Self::info_with #turbofish (::meerkat_runtime::launch::Schedule::Warp)
        }

        /// What it becomes under a schedule: its name, its whole CUDA program,
        /// its native form. Where schedules make no difference, and for those
        /// that do not fit, it is the warp's.
        pub fn info_with #generics (
            __schedule: ::meerkat_runtime::launch::Schedule,
        ) -> ::meerkat_runtime::program::KernelInfo #bounds {
            #info
        }
    }
}

/// Why a schedule does not fit: the first reason with its way out, and the other reasons.
fn reasons(error: &syn::Error) -> String {
    let mut all = error.clone().into_iter().map(|one| one.to_string());
    let mut why = all.next().unwrap_or_default().replace("\nhelp: ", "; ");
    for other in all {
        let (message, _) = other.split_once("\nhelp: ").unwrap_or((&other, ""));
        why += &format!("; {message}, too");
    }
    why
}

/// What launches find of a function whose head is refused, so that they report nothing more.
pub(super) fn any_arguments(kind: FunctionKind, item: &syn::ItemFn) -> TokenStream {
    let count = item.sig.inputs.len() + usize::from(kind == FunctionKind::Kernel);
    let types: Vec<_> = (0..count).map(|at| format_ident!("__{at}")).collect();
    let result = quote!(::core::result::Result<(), ::meerkat_runtime::Error>);
    let info = quote!(::meerkat_runtime::program::KernelInfo { ::core::unreachable!() });
    quote! {
        pub fn launch<#(#types),*>(_: &::meerkat_runtime::Device, #(_: #types),*) -> #result {
            ::core::unreachable!()
        }
        pub fn launch_with<__O, #(#types),*>(
            _: __O, _: &::meerkat_runtime::Device, #(_: #types),*
        ) -> #result {
            ::core::unreachable!()
        }
        pub fn info() -> #info
        pub fn info_with(_: ::meerkat_runtime::launch::Schedule) -> #info
    }
}

// expands to:
//   Items::check(&v, __device, &[("graph", shape(&graph).vertices)], &[("out", out.len())])?;
/// Has an operator's items compared with the arguments that have an element for each.
fn check(
    function: &Function,
    names: &[Ident],
    typed: &dyn Fn(VarId) -> TokenStream,
) -> TokenStream {
    let Some(items) = names.first().filter(|_| function.kind.is_operator()) else {
        return quote!();
    };
    let arguments = || function.params.iter().zip(names);
    let graphs = arguments().filter(|(var, _)| function.walked.contains(var)).map(|(var, name)| {
        let (shown, ty) = (name.to_string(), typed(*var));
        let shape = shape_of(&ty, name);
        quote!((#shown, #shape.vertices))
    });
    let is_own = |var: VarId| matches!(function.var(var).ty, Type::Slice(Access::OwnItem, _));
    let own = arguments().filter(|(var, _)| is_own(**var));
    let own = own.map(|(_, name)| {
        let shown = name.to_string();
        quote!((#shown, #name.len()))
    });
    quote! {
        ::meerkat_runtime::launch::Items::check(&#items, __device, &[#(#graphs),*], &[#(#own),*])?;
    }
}

/// The shape of a graph, by host code of its container, which is shown no memory: it could keep it.
fn shape_of(ty: &TokenStream, graph: &Ident) -> TokenStream {
    quote!(<#ty as ::meerkat_runtime::Neighbors>::shape(
        &::meerkat_runtime::DeviceType::detached(#graph)
    ))
}

/// The shape of the graph that an operator walks, if it is an argument.
fn shape(
    function: &Function,
    names: &[Ident],
    typed: &dyn Fn(VarId) -> TokenStream,
) -> TokenStream {
    let graph = function.params.iter().position(|var| function.graphs.first() == Some(var));
    match graph.and_then(|at| Some((names.get(at)?, typed(*function.params.get(at)?)))) {
        Some((graph, ty)) => {
            let shape = shape_of(&ty, graph);
            quote!(::core::option::Option::Some(#shape))
        }
        None => quote!(::core::option::Option::None),
    }
}

fn info_body(
    others: &[Variant],
    generic_types: &[TokenStream],
    turbofish: &syn::Turbofish<'_>,
) -> TokenStream {
    let ready = others.iter().filter(|variant| variant.checked.is_ok()).map(|variant| {
        let name = format_ident!("{}", variant.schedule.variant());
        let text = text_ident(variant.schedule);
        quote!(::meerkat_runtime::launch::Schedule::#name => &Self::#text)
    });
    let warp = text_ident(Schedule::Warp);
    let table = match forms::has_cuda() {
        true => quote!(Self::__table #turbofish ()),
        false => quote!(::std::vec::Vec::new()),
    };
    quote! {
        let __text = match __schedule {
            #(#ready,)*
            _ => &Self::#warp,
        };
        let mut __program = ::meerkat_runtime::program::Program::new();
        let __entry = __program.kernel(
            __text,
            &[#(<#generic_types as ::meerkat_runtime::program::Argument>::name),*],
            #table,
        );
        ::meerkat_runtime::program::KernelInfo::new(__entry, __text, __program)
    }
}
