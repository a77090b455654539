//! The native writer: a checked kernel to Rust that runs a warp in lock step.
//!
//! A value that is the same in all lanes is a plain `T`; one that varies is a
//! `Lanes<T>`. Uniform control flow is plain control flow; where lanes part,
//! the mask of active lanes (`__m0`, `__m1`, .. by depth) shrinks.

mod alone;
mod call;
mod control;
mod expr;
mod stmt;
mod typing;

use crate::check::CheckedKernel;
use crate::ir::names::unique_names;
use crate::ir::{Function, FunctionKind, Level, LoopId, Type, VarId, receiver};
use crate::tokens::{ident, type_tokens};
pub(crate) use expr::needs_warp;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// A loop around the statement being written.
struct OpenLoop {
    label: Option<LoopId>,
    number: usize,
    diverges: bool,
}

pub(crate) struct Native<'a> {
    checked: &'a CheckedKernel,
    /// Statements that must run before the expression being written.
    before: Vec<TokenStream>,
    /// The variables that begin as numbers without a type.
    bare: Vec<VarId>,
    /// Whether calls stand where the user wrote them: code that never runs.
    in_place: bool,
    /// Whether the code is for one lane, `__l`, whose values are plain.
    alone: bool,
    /// How many statements lanes run alone, and how many loops they leave apart in lock step.
    run_alone: usize,
    left_apart: usize,
    temporaries: usize,
    /// Which mask is current, and how many masks have been named.
    mask: usize,
    masks: usize,
    loops: Vec<OpenLoop>,
    loop_count: usize,
}

/// The body of the lock-step function.
pub(crate) fn body(checked: &CheckedKernel) -> TokenStream {
    Native::new(checked).function_body()
}

/// The body of the function for one lane, if such a lane can run it.
pub(crate) fn lane_body(checked: &CheckedKernel) -> Option<TokenStream> {
    alone::can_run(&checked.function).then(|| Native::new(checked).lane_body())
}

/// Whether lanes part in loops, and run alone in all of these.
pub(crate) fn loops_alone(checked: &CheckedKernel) -> bool {
    let mut native = Native::new(checked);
    native.function_body();
    native.run_alone > 0 && native.left_apart == 0
}

/// The parameters of the lock-step function, after the warp and the mask, with
/// their types, each as `typed` has it.
pub(crate) fn params(
    function: &Function,
    typed: &dyn Fn(&TokenStream) -> TokenStream,
) -> (Vec<Ident>, Vec<TokenStream>) {
    let names = unique_names(function);
    let params = function.params.iter().map(|&var| {
        let declared = function.var(var);
        let name = ident(&names[var.0], declared);
        let ty = typed(&type_tokens(&declared.ty));
        if function.kind.is_launched() || declared.ty.is_view() {
            (name, ty)
        } else {
            (name, quote!(impl ::meerkat_runtime::lanes::LaneValue<Item = #ty>))
        }
    });
    params.unzip()
}

/// The parameters of the function for one lane, after the warp and the lane, with their types.
pub(crate) fn lane_params(
    function: &Function,
    typed: &dyn Fn(&TokenStream) -> TokenStream,
) -> (Vec<Ident>, Vec<TokenStream>) {
    let names = unique_names(function);
    let params = function.params.iter().map(|&var| {
        let declared = function.var(var);
        (ident(&names[var.0], declared), typed(&type_tokens(&declared.ty)))
    });
    params.unzip()
}

/// How many lanes must agree on each argument of a call, and agree on its result: for the
/// assertions of callers.
pub(crate) fn agreements(function: &Function) -> (Vec<u32>, u32) {
    let launched = function.kind.is_launched();
    let params = function.params.iter().map(|&var| {
        let declared = function.var(var);
        let by_value = !launched && !declared.ty.is_view();
        declared.declared.filter(|_| by_value).map_or(0, Level::group)
    });
    let result = if launched { Some(Level::Warp) } else { function.ret_level };
    (params.collect(), result.map_or(0, Level::group))
}

/// What the lock-step function returns.
pub(crate) fn result(function: &Function) -> TokenStream {
    let ty = type_tokens(&function.ret);
    match (function.kind, &function.ret) {
        (FunctionKind::Device, Type::Unit) => quote!(()),
        (FunctionKind::Device, _) if function.ret_level == Some(Level::Warp) => {
            quote!(::meerkat_runtime::lanes::WarpValue<#ty>)
        }
        (FunctionKind::Device, _) => quote!(::meerkat_runtime::lanes::Lanes<#ty>),
        _ => quote!(()),
    }
}

impl<'a> Native<'a> {
    fn new(checked: &'a CheckedKernel) -> Self {
        Native {
            checked,
            before: Vec::new(),
            bare: receiver::bare(&checked.function.body),
            in_place: false,
            alone: false,
            run_alone: 0,
            left_apart: 0,
            temporaries: 0,
            mask: 0,
            masks: 0,
            loops: Vec::new(),
            loop_count: 0,
        }
    }
}

impl Native<'_> {
    fn function_body(&mut self) -> TokenStream {
        let function = &self.checked.function;
        let unpack = self.unpack_params();
        let returns = self.returns_diverge().then(|| {
            let zero = if function.ret == Type::Unit {
                quote!(::meerkat_runtime::lanes::Lanes::<()>::zeroed())
            } else {
                quote!(::meerkat_runtime::lanes::Lanes::zeroed())
            };
            quote! { let mut __ret = #zero; let mut __returned = 0u32; }
        });
        let body = self.block_as_result(&function.body);
        let imports = imports();
        quote! {
            #imports
            let mut __m0: u32 = __mask;
            #(#unpack)*
            #returns
            #body
        }
    }

    /// A device function takes uniform or varying arguments alike and decides
    /// here what each is.
    fn unpack_params(&self) -> Vec<TokenStream> {
        let function = &self.checked.function;
        if function.kind.is_launched() {
            return Vec::new();
        }
        let mut unpack = Vec::new();
        for &var in &function.params {
            let declared = function.var(var);
            let name = self.var(var);
            if declared.ty.is_view() {
                continue;
            }
            unpack.push(match declared.declared {
                Some(Level::Warp) => quote! {
                    let mut #name = ::meerkat_runtime::lanes::LaneValue::sample(&#name);
                },
                _ => quote! {
                    let mut #name = ::meerkat_runtime::lanes::LaneValue::lanes(#name);
                },
            });
        }
        unpack
    }

    fn var(&self, var: VarId) -> Ident {
        ident(self.checked.name(var), self.checked.function.var(var))
    }

    /// The variable, where the user reads it.
    fn var_at(&self, var: VarId, place: Span) -> Ident {
        let mut name = self.var(var);
        name.set_span(name.span().located_at(place));
        name
    }

    fn current_mask(&self) -> Ident {
        mask_ident(self.mask)
    }

    fn temporary(&mut self) -> Ident {
        self.temporaries += 1;
        format_ident!("__t{}", self.temporaries)
    }

    /// Takes the statements that have gathered in front of an expression.
    fn take_before(&mut self) -> TokenStream {
        let before = std::mem::take(&mut self.before);
        quote!(#(#before)*)
    }
}

fn imports() -> TokenStream {
    quote! {
        #[allow(unused_imports)]
        use ::meerkat_runtime::lanes::ops as __ops;
        #[allow(unused_imports)]
        use ::meerkat_runtime::Weight as _;
        #[allow(unused_imports)]
        use ::meerkat_runtime::lanes::ArrayAt as _;
    }
}

fn mask_ident(number: usize) -> Ident {
    format_ident!("__m{number}")
}
