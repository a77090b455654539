//! The launcher: exactly the kernel's parameters, so a wrong argument does not
//! compile.

use crate::ir::names::unique_names;
use crate::ir::{Access, Function, FunctionKind, Type};
use crate::native::{ident, type_tokens};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

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
            function.params.iter().map(|var| ident(&all[var.0], function.var(*var))).collect();
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
                let mut #name: #ty = ::meerkat_runtime::launch::#accepts::pass(#name, __device)?;
            });
        }
        let (threads, count) = match (function.kind, names.first()) {
            (FunctionKind::Kernel, _) | (_, None) => (quote!(__threads: u32,), quote!(__threads)),
            (_, Some(items)) => {
                (quote!(), quote!(::meerkat_runtime::launch::Items::count(&#items)))
            }
        };
        Launcher { names, inputs, passes, threads, count }
    }
}

/// `launch` and `info`; with `refused`, only their signatures, so that callers
/// of a function with errors have none of their own.
pub(super) fn functions(function: &Function, item: &syn::ItemFn, refused: bool) -> TokenStream {
    let (generics, arguments, bounds) = item.sig.generics.split_for_impl();
    let turbofish = arguments.as_turbofish();
    let Launcher { names, inputs, passes, threads, count } = Launcher::new(function);
    let generic_names: Vec<_> = function.generics.iter().map(|generic| &generic.name).collect();
    let launch = quote! {
        #(#passes)*
        let __threads: u32 = #count;
        ::meerkat_runtime::launch::run(
            __device,
            ::core::any::TypeId::of::<(Self, #(#generic_names,)*)>(),
            &|| Self::info #turbofish (),
            __threads,
            &mut [#(::meerkat_runtime::launch::argument(&mut #names)),*],
            &|__warp: &::meerkat_runtime::lanes::Warp| {
                Self::lanes #turbofish (__warp, ::meerkat_runtime::lanes::FULL, #(#names),*)
            },
        )
    };
    let info = quote! {
        let mut __program = ::meerkat_runtime::program::Program::new();
        Self::declare #turbofish (&mut __program);
        let mut __entry = ::std::string::String::from(Self::TEXT.name);
        #(
            __entry.push('_');
            __entry.push_str(&<#generic_names as ::meerkat_runtime::DeviceType>::cuda_name());
        )*
        ::meerkat_runtime::program::KernelInfo::new(__entry, &Self::TEXT, __program)
    };
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
            #launch
        }

        /// What it becomes: its name, its whole CUDA program, its native form.
        pub fn info #generics () -> ::meerkat_runtime::program::KernelInfo #bounds {
            #info
        }
    }
}
