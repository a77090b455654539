//! Parameters, results and generics.

use super::Parser;
use crate::diagnostics::{Errors, Place};
use crate::ir::{Access, FunctionKind, Generic, Level, Type};
use proc_macro2::Ident;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

/// What stands for a value of a const parameter among type arguments.
pub(crate) fn marker_of_const(ty: &syn::Type) -> Option<&'static str> {
    let syn::Type::Path(path) = ty else { return None };
    match path.path.get_ident()?.to_string().as_str() {
        "u32" => Some("ConstU32"),
        "usize" => Some("ConstUsize"),
        "bool" => Some("ConstBool"),
        _ => None,
    }
}

/// The type parameters of which nothing is asked.
pub(crate) fn without_bound(generics: &syn::Generics) -> Vec<Ident> {
    let clauses = || generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let is_bounded = |name: &Ident| {
        clauses().any(|predicate| match predicate {
            syn::WherePredicate::Type(predicate) => {
                matches!(&predicate.bounded_ty, syn::Type::Path(ty) if ty.path.is_ident(name))
            }
            _ => false,
        })
    };
    let params = generics.type_params().filter(|param| param.bounds.is_empty());
    params.map(|param| param.ident.clone()).filter(|name| !is_bounded(name)).collect()
}

/// Refuses type parameters of which nothing is asked.
pub(crate) fn check_bounds(generics: &syn::Generics, errors: &Errors) {
    for name in without_bound(generics) {
        errors.report(
            name.span(),
            format!("the type parameter `{name}` has no bound"),
            format!(
                "say what it is: `{name}: Number`, `{name}: Weight` for what edges carry, \
                 `{name}: DeviceType` for any value"
            ),
        );
    }
}

impl Parser<'_> {
    pub(super) fn signature(&mut self, item: &syn::ItemFn) {
        self.modifiers(&item.sig);
        self.generics(&item.sig.generics);
        for (at, input) in item.sig.inputs.iter().enumerate() {
            self.parameter(input, at);
        }
        self.result(&item.sig);
        self.check_items(&item.sig);
    }

    fn modifiers(&self, sig: &syn::Signature) {
        let refused = [
            (sig.asyncness.map(|t| t.span), "an `async` function"),
            (sig.constness.map(|t| t.span), "a `const` function"),
            (sig.abi.as_ref().map(Spanned::span), "an `extern` function"),
            (sig.variadic.as_ref().map(Spanned::span), "a variadic function"),
            (sig.unsafety.map(|t| t.span), "an `unsafe` function"),
        ];
        for (span, what) in refused {
            if let Some(span) = span {
                self.unsupported(span, what, "write a plain `fn`");
            }
        }
    }

    fn generics(&mut self, generics: &syn::Generics) {
        for param in &generics.params {
            match param {
                syn::GenericParam::Type(param) => {
                    self.function.generics.push(Generic { name: param.ident.clone() });
                    self.bounds(&param.bounds);
                }
                syn::GenericParam::Const(param) if marker_of_const(&param.ty).is_some() => {}
                syn::GenericParam::Const(param) => self.unsupported(
                    param.ty.span(),
                    "a const parameter of this type",
                    "lengths and sizes are `usize`, numbers `u32`, choices `bool`: \
                     `fn fold<const N: usize>(...)`",
                ),
                syn::GenericParam::Lifetime(_) => self.unsupported(
                    param.span(),
                    "a lifetime parameter",
                    "leave it out: slices and graphs outlive the launch",
                ),
            }
        }
        for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
            if let syn::WherePredicate::Type(predicate) = predicate {
                self.bounds(&predicate.bounds);
            }
        }
    }

    /// Traits of Rust's library have no functions on the device.
    fn bounds(&self, bounds: &Punctuated<syn::TypeParamBound, syn::Token![+]>) {
        for bound in bounds {
            let syn::TypeParamBound::Trait(of) = bound else { continue };
            let Some(last) = of.path.segments.last() else { continue };
            let help = match last.ident.to_string().as_str() {
                "Fn" | "FnMut" | "FnOnce" => {
                    "declare a `#[device] trait` with the function, and pass the type: \
                     `fn apply<F: Step>(x: u32)` calls `F::step(x)`"
                }
                "Add" | "Sub" | "Mul" | "Div" | "Rem" | "Neg" | "Ord" | "Eq" | "PartialOrd"
                | "PartialEq" => {
                    "bounds of the language say what numbers can do: `Number`, `Float`"
                }
                "Into" | "From" | "TryInto" | "TryFrom" | "AsRef" | "Default" | "Iterator"
                | "IntoIterator" | "Display" | "Debug" | "Hash" | "ToString" => {
                    "declare what it does in a `#[device] trait` of your own"
                }
                _ => continue,
            };
            self.unsupported(Place::of(bound), &format!("the bound `{}`", last.ident), help);
        }
    }

    fn parameter(&mut self, input: &syn::FnArg, at: usize) {
        let syn::FnArg::Typed(input) = input else {
            let (message, help) = match self.function.kind {
                FunctionKind::Device => (
                    "a function with `self` stands in an `impl`",
                    "write `#[device]` above the whole `impl`, or give the parameter a name and a type",
                ),
                _ => (
                    "a kernel is no method: it is launched by its name",
                    "move it out of the `impl` and pass what it needs as parameters",
                ),
            };
            self.errors.report(Place::of(input), message, help);
            return;
        };
        let syn::Pat::Ident(binding) = &*input.pat else {
            self.unsupported(input.pat.span(), "a pattern as parameter", "give it one name");
            return;
        };
        let (ty, level) = self.value_type(&input.ty);
        if is_single_atomic(&ty) {
            self.errors.report(
                Place::of(&input.ty),
                "a single atomic is no parameter",
                format!(
                    "take `{0}: &[Atomic<T>]`, which may have one element: `{0}[0].fetch_add(1)`",
                    binding.ident
                ),
            );
        }
        let launched = self.function.kind.is_launched();
        if launched {
            self.refuse_tuple(&ty, input.ty.span());
        }
        let is_item = self.function.kind.is_operator() && at == 0;
        if launched && is_place(&input.ty) {
            return self.place(binding, at);
        }
        let by_reference = matches!(ty, Type::Slice(..) | Type::Ref(_));
        let level = match level {
            _ if is_item => None,
            _ if launched || by_reference => Some(Level::Warp),
            level => level,
        };
        if !launched && matches!(ty, Type::Slice(Access::OwnItem, _)) {
            self.errors.report(
                Place::of(&input.ty),
                "a function cannot know whose item its index is",
                "return the value and assign it in the kernel, or take `&[Atomic<T>]`",
            );
        }
        let mutable = binding.mutability.is_some();
        if mutable && is_item {
            self.errors.report(
                binding.span(),
                format!("`{}` is the operator's item and does not change", binding.ident),
                format!("copy it: `let mut next = {};`", binding.ident),
            );
        } else if mutable && launched {
            self.errors.report(
                binding.span(),
                format!("the parameter `{}` is shared by all lanes of the launch", binding.ident),
                "copy it into a `let mut` of its own",
            );
        }
        let var = self.declare(&binding.ident, mutable, ty, level);
        self.function.vars[var.0].parameter = true;
        self.function.vars[var.0].own_item = is_item;
        self.function.params.push(var);
    }

    /// `at: Place`: a variable, since no launch passes it.
    fn place(&mut self, binding: &syn::PatIdent, at: usize) {
        if self.function.kind != FunctionKind::EdgeOperator || at != 1 {
            self.errors.report(
                Place::of(binding),
                "`Place` is for an edge operator: the index of its item in the list",
                "make it the second parameter of an `#[edge_operator]`: `fn f(edge: Edge<W>, at: \
                 Place, ..)`; a vertex is its own place, and a kernel has `thread_id()`",
            );
        }
        if binding.mutability.is_some() {
            self.errors.report(
                Place::of(binding),
                format!("`{}` is the item's place and does not change", binding.ident),
                format!("copy it: `let mut next = {};`", binding.ident),
            );
        }
        let var = self.declare(&binding.ident, false, Type::U32, None);
        self.function.vars[var.0].own_item = true;
        self.function.place = Some(var);
    }

    fn result(&mut self, sig: &syn::Signature) {
        let syn::ReturnType::Type(_, ty) = &sig.output else { return };
        if self.function.kind.is_launched() {
            self.errors.report(
                ty.span(),
                "a kernel returns nothing: thousands of lanes run it at once",
                "write results into a `&mut [T]` or a `&[Atomic<T>]` parameter",
            );
            return;
        }
        if let syn::Type::Reference(_) = &**ty {
            let help = "return the value, or its index";
            return self.unsupported(Place::of(ty), "a reference as result", help);
        }
        (self.function.ret, self.function.ret_level) = self.value_type(ty);
    }

    fn check_items(&self, sig: &syn::Signature) {
        let expected = match self.function.kind {
            FunctionKind::VertexOperator => "v: Vertex",
            FunctionKind::EdgeOperator => {
                "edge: Edge<W>`, or an item of a device struct: `path: Path"
            }
            _ => return,
        };
        let first = self.function.params.first().map(|var| self.function.var(*var));
        let fits = match (self.function.kind, first.map(|var| &var.ty)) {
            (FunctionKind::VertexOperator, Some(ty)) => *ty == Type::U32,
            (_, Some(ty)) => matches!(ty, Type::Named { .. } | Type::Param(_)),
            (_, None) => false,
        };
        // Reported already.
        let is_pattern = matches!(sig.inputs.first(), Some(syn::FnArg::Typed(input))
            if !matches!(*input.pat, syn::Pat::Ident(_)));
        if !fits && !is_pattern {
            let span = sig.inputs.first().map_or(sig.ident.span(), Spanned::span);
            self.errors.report(
                span,
                format!("`{}` takes its item as first parameter", sig.ident),
                format!("begin the parameters with `{expected}`"),
            );
        }
    }
}

fn is_single_atomic(ty: &Type) -> bool {
    match ty {
        Type::Atomic(_) => true,
        Type::Ref(inner) => is_single_atomic(inner),
        _ => false,
    }
}

fn is_place(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == "Place"))
}
