//! The scalar form: the user's own tokens over typed stubs, so that rustc
//! checks every type on the user's span and completion works. It runs one item
//! as a warp of one lane would.

use crate::ir::FunctionKind;
use crate::parse::choice::is_constant;
use crate::parse::signature::marker_of_const;
use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{parse_quote, spanned::Spanned};

/// The function, and the constant that rustc checks its body in.
pub(super) struct Scalar {
    pub(super) function: TokenStream,
    /// Members of the type of the function's name.
    pub(super) members: TokenStream,
}

// expands to:
//   fn f(v: u32, x: &DeviceSlice<f32>) -> f32 { (f::SCALAR)(v, x) }
//   const SCALAR: fn(u32, &DeviceSlice<f32>) -> f32 = |v: u32, x: &DeviceSlice<f32>| { body };
//   const ERRORS: usize = { let _ = Self::SCALAR; 0 };
// The constants of a generic function are those of a type `__f_scalar<W>`.
// A closure is checked with the constant it is in, so a body with errors leaves
// `ERRORS` without a value.
pub(super) fn form(item: &syn::ItemFn, kind: FunctionKind) -> Scalar {
    let original = item;
    let mut item = typed(item);
    if !crate::forms::all() {
        item.block = parse_quote!({ ::core::unreachable!() });
    }
    let allowed = quote! {
        #[allow(
            dead_code,
            non_snake_case,
            unused_unsafe,
            arithmetic_overflow,
            clippy::all,
            clippy::pedantic
        )]
    };
    if !waits_for_types(&item) {
        return Scalar { function: quote!(#allowed #item), members: quote!() };
    }
    let (attrs, vis, sig, body) = (&item.attrs, &item.vis, &item.sig, &item.block);
    let (inputs, result) = (&sig.inputs, &sig.output);
    let (_, arguments, _) = sig.generics.split_for_impl();
    let owner = owner(&item);
    let typed = inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(input) => Some(input),
        syn::FnArg::Receiver(_) => None,
    });
    let (names, types): (Vec<_>, Vec<_>) =
        typed.map(|input| (parameter_name(&input.pat), &input.ty)).unzip();
    let mut plain = sig.clone();
    for (input, name) in plain.inputs.iter_mut().zip(&names) {
        if let syn::FnArg::Typed(input) = input {
            *input.pat = parse_quote!(#name);
        }
    }
    // An item without a layout is reported here, and not at each use of the list.
    let item = types.first().filter(|_| kind == FunctionKind::EdgeOperator);
    let item_check = item.map(|ty| {
        let layout = quote::quote_spanned!(ty.span()=> <#ty as ::meerkat_runtime::DeviceType>);
        quote!(let _ = #layout::cuda_name;)
    });
    let words = super::words::confirmed(original);
    let closure_result = match result {
        syn::ReturnType::Default => quote!(-> ()),
        result => quote!(#result),
    };
    let function = quote! {
        #(#attrs)*
        #allowed
        #vis #plain { (<#owner #arguments>::SCALAR)(#(#names),*) }
    };
    let members = quote! {
        #[doc(hidden)]
        #[deny(unused_must_use)]
        const SCALAR: fn(#(#types),*) #result = |#inputs| #closure_result { #item_check #words #body };
        #[doc(hidden)]
        const ERRORS: usize = {
            let _ = Self::SCALAR;
            0
        };
    };
    if sig.generics.params.is_empty() {
        return Scalar { function, members };
    }
    let (generics, arguments, bounds) = sig.generics.split_for_impl();
    let params = sig.generics.type_params().map(|param| &param.ident);
    let function = quote! {
        #function

        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs, dead_code)]
        #vis struct #owner #generics (::core::marker::PhantomData<(#(#params,)*)>) #bounds;

        #[allow(warnings, clippy::all, clippy::pedantic)]
        impl #generics #owner #arguments #bounds { #members }
    };
    Scalar { function, members: quote!() }
}

/// The type whose constants hold the checked body.
fn owner(item: &syn::ItemFn) -> syn::Ident {
    let name = &item.sig.ident;
    if item.sig.generics.params.is_empty() {
        return name.clone();
    }
    quote::format_ident!("__{}_scalar", name, span = name.span())
}

/// The constant that has a value if the body has no errors. It cannot depend on type
/// parameters, so that of generic functions is asked for a type that stands for any.
pub(super) fn errors(item: &syn::ItemFn) -> Option<TokenStream> {
    let owner = owner(item);
    let arguments = item.sig.generics.params.iter().filter_map(|param| match param {
        syn::GenericParam::Type(_) => Some(quote!(::meerkat_runtime::typed::AnyDeviceType)),
        syn::GenericParam::Const(param) => match marker_of_const(&param.ty)? {
            "ConstBool" => Some(quote!(true)),
            _ => Some(quote!(1)),
        },
        syn::GenericParam::Lifetime(_) => None,
    });
    let arguments: Vec<_> = arguments.collect();
    let arguments = (!arguments.is_empty()).then(|| quote!(::<#(#arguments),*>));
    waits_for_types(item).then(|| quote!({ #owner #arguments::ERRORS }))
}

/// Whether the lock-step form waits for the scalar form: the type that stands for any
/// must be what its type parameters ask for, and it has every device trait.
fn waits_for_types(item: &syn::ItemFn) -> bool {
    if !crate::forms::all() {
        return false;
    }
    let is_met = |bound: &syn::TypeParamBound| match bound {
        syn::TypeParamBound::Trait(of) => {
            of.lifetimes.is_none()
                && of.path.segments.iter().all(|part| match &part.arguments {
                    syn::PathArguments::None => true,
                    syn::PathArguments::AngleBracketed(arguments) => arguments
                        .args
                        .iter()
                        .all(|argument| matches!(argument, syn::GenericArgument::Type(_))),
                    syn::PathArguments::Parenthesized(_) => false,
                })
        }
        _ => true,
    };
    let generics = &item.sig.generics;
    let conditions = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let are_met = conditions.into_iter().all(|predicate| match predicate {
        syn::WherePredicate::Type(predicate) => predicate.bounds.iter().all(is_met),
        _ => false,
    });
    are_met
        && generics.params.iter().all(|param| match param {
            syn::GenericParam::Type(param) => param.bounds.iter().all(is_met),
            syn::GenericParam::Const(_) => true,
            syn::GenericParam::Lifetime(_) => false,
        })
}

/// The item over views and stubs, which index by `u32`.
pub(super) fn typed(item: &syn::ItemFn) -> syn::ItemFn {
    let mut item = item.clone();
    for input in &mut item.sig.inputs {
        if let syn::FnArg::Typed(input) = input {
            as_view(&mut input.ty);
        }
    }
    Closures.visit_block_mut(&mut item.block);
    Arms.visit_block_mut(&mut item.block);
    Indices.visit_block_mut(&mut item.block);
    item
}

pub(super) fn parameter_name(pat: &syn::Pat) -> syn::Ident {
    match pat {
        syn::Pat::Ident(binding) => binding.ident.clone(),
        other => syn::Ident::new("__ignored", other.span()),
    }
}

/// Slices of device memory are views that index by `u32`.
pub(super) fn as_view(ty: &mut syn::Type) {
    let syn::Type::Reference(reference) = ty else { return };
    if let syn::Type::Slice(slice) = &*reference.elem {
        let element = &slice.elem;
        let view = quote::quote_spanned!(slice.span()=> ::meerkat_runtime::DeviceSlice<#element>);
        *reference.elem = parse_quote!(#view);
    }
}

/// Slices and small arrays index by `u32` in a kernel.
struct Indices;

impl VisitMut for Indices {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        syn::visit_mut::visit_expr_mut(self, expr);
        let (place, value) = match expr {
            syn::Expr::Assign(assign) => (&mut assign.left, &mut assign.right),
            syn::Expr::Binary(binary) if is_assignment(&binary.op) => {
                (&mut binary.left, &mut binary.right)
            }
            _ => return,
        };
        // expands to: { let __value = value; let __at = at(index); x[__at] = __value; }
        // for an index that reads what the place borrows.
        let Some(index) = place_index(place).filter(|index| reads_element(index)) else { return };
        let name = syn::Ident::new("__value", value.span());
        let value = std::mem::replace(&mut **value, parse_quote!(#name));
        let at = std::mem::replace(index, parse_quote!(__at));
        *expr = parse_quote!({
            let #name = #value;
            let __at = #at;
            #expr;
        });
    }

    fn visit_expr_index_mut(&mut self, index: &mut syn::ExprIndex) {
        syn::visit_mut::visit_expr_index_mut(self, index);
        // A literal without a suffix is any integer.
        if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(literal), .. }) = &*index.index
            && literal.suffix().is_empty()
        {
            return;
        }
        let at = &index.index;
        let function = quote::quote_spanned!(at.span()=> ::meerkat_runtime::typed::at);
        *index.index = parse_quote!(#function(#at));
    }
}

fn is_assignment(op: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

/// The index of the element that is assigned to, or whose field is.
fn place_index(place: &mut syn::Expr) -> Option<&mut syn::Expr> {
    match place {
        syn::Expr::Index(index) => Some(&mut index.index),
        syn::Expr::Field(field) => place_index(&mut field.base),
        syn::Expr::Paren(inner) => place_index(&mut inner.expr),
        _ => None,
    }
}

fn reads_element(index: &syn::Expr) -> bool {
    struct Reads(bool);
    impl<'a> syn::visit::Visit<'a> for Reads {
        fn visit_expr_index(&mut self, _: &'a syn::ExprIndex) {
            self.0 = true;
        }
    }
    let mut reads = Reads(false);
    syn::visit::Visit::visit_expr(&mut reads, index);
    reads.0
}

/// A name in an arm to `name @ _`: the macro takes it for a new one, and so must rustc, which
/// refuses it where it is a constant.
struct Arms;

impl VisitMut for Arms {
    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        bind_names(&mut arm.pat);
        syn::visit_mut::visit_arm_mut(self, arm);
    }
}

fn bind_names(pattern: &mut syn::Pat) {
    match pattern {
        syn::Pat::Ident(binding) if binding.subpat.is_none() && !is_constant(&binding.ident) => {
            let span = binding.ident.span();
            let any = syn::PatWild { attrs: Vec::new(), underscore_token: syn::Token![_](span) };
            binding.subpat = Some((syn::Token![@](span), Box::new(syn::Pat::Wild(any))));
        }
        syn::Pat::Paren(inner) => bind_names(&mut inner.pat),
        syn::Pat::Or(either) => either.cases.iter_mut().for_each(bind_names),
        _ => {}
    }
}

/// `|dst| ..` to `|dst, _| ..`: the stub's closure always takes the weight. The `&` of `&graph` is
/// one too many where `graph` is a reference.
struct Closures;

impl VisitMut for Closures {
    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        syn::visit_mut::visit_expr_call_mut(self, call);
        let syn::Expr::Path(path) = &*call.func else { return };
        let is_loop =
            path.path.segments.last().is_some_and(|last| {
                crate::parse::NEIGHBOR_LOOPS.iter().any(|word| last.ident == word)
            });
        if is_loop && let Some(syn::Expr::Reference(graph)) = call.args.first_mut() {
            let graph: syn::Expr = parse_quote! {
                { use ::meerkat_runtime::typed::AsGraph as _; (#graph).as_graph() }
            };
            call.args[0] = graph;
        }
        if is_loop
            && let Some(syn::Expr::Closure(closure)) = call.args.last_mut()
            && closure.inputs.len() == 1
        {
            closure.inputs.push(parse_quote!(_));
        }
    }
}
