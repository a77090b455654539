//! The macros of Meerkat: a graph operator written as a Rust function becomes
//! CUDA C++ text and native Rust that runs the same warps in lock step.
//!
//! ```text
//! syn::ItemFn --parse--> ir::Function --order, witness, operator--> a plain kernel
//!             --check--> CheckedKernel --cuda--> lines of CUDA, with marks
//!                                      --native--> lock-step Rust
//!             --expand--> the item, re-emitted, with both beside it
//! ```
//!
//! Use them through `meerkat_runtime` (or `meerkat`), which re-exports them and
//! holds everything that expansions refer to.

mod check;
mod cuda;
mod device_struct;
mod device_view;
mod diagnostics;
mod expand;
mod forms;
mod infer;
mod ir;
#[cfg(test)]
mod lowerings;
mod native;
mod operator;
mod order;
mod parse;
#[cfg(test)]
mod refusals;
mod run_time;
mod run_time_path;
#[cfg(test)]
mod tables;
#[cfg(test)]
mod tests;
mod tokens;
mod witness;

use diagnostics::Errors;
use ir::FunctionKind;
use operator::Schedule;
use parse::fragments::Fragments;
use proc_macro::TokenStream;
use syn::visit_mut::VisitMut;

/// A kernel: launched over a number of threads, every lane runs it to its end.
///
/// The manual: [the language](../meerkat/manual/language/index.html), [a crate of your
/// own](../meerkat/manual/your_crate/index.html).
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    compile(FunctionKind::Kernel, attribute, item)
}

/// A function that kernels and other device functions call. Above an `impl`, the
/// functions of a type: `node.through(weight)`; above a `trait`, functions and constants
/// that each type has its own of: `D::UNREACHED`.
///
/// The manual: [the language](../meerkat/manual/language/index.html), [a crate of your
/// own](../meerkat/manual/your_crate/index.html).
#[proc_macro_attribute]
pub fn device(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let tokens = proc_macro2::TokenStream::from(attribute.clone());
    let compiled = |function: &syn::ItemFn| checked(FunctionKind::Device, &tokens, function);
    let (mut expansion, result) = if let Ok(mut item) = syn::parse::<syn::ItemImpl>(item.clone()) {
        Fragments.visit_item_impl_mut(&mut item);
        expand::impls::expand(&item, compiled)
    } else if let Ok(mut item) = syn::parse::<syn::ItemTrait>(item.clone()) {
        Fragments.visit_item_trait_mut(&mut item);
        expand::traits::expand(&item, compiled)
    } else {
        return compile(FunctionKind::Device, attribute, item);
    };
    expansion.extend(result.err().map(syn::Error::into_compile_error));
    run_time_path::resolve(expansion).into()
}

/// What to do for one vertex; launched over a frontier or a range of vertices.
///
/// The manual: [the language](../meerkat/manual/language/index.html), [a crate of your
/// own](../meerkat/manual/your_crate/index.html).
#[proc_macro_attribute]
pub fn vertex_operator(attribute: TokenStream, item: TokenStream) -> TokenStream {
    compile(FunctionKind::VertexOperator, attribute, item)
}

/// What to do for one edge, or for one item of any device struct; launched over a list of
/// them.
///
/// The manual: [the language](../meerkat/manual/language/index.html), [a crate of your
/// own](../meerkat/manual/your_crate/index.html).
#[proc_macro_attribute]
pub fn edge_operator(attribute: TokenStream, item: TokenStream) -> TokenStream {
    compile(FunctionKind::EdgeOperator, attribute, item)
}

/// A plain struct that kernels pass, load and store.
///
/// The manual: [the language](../meerkat/manual/language/index.html), [a crate of your
/// own](../meerkat/manual/your_crate/index.html).
#[proc_macro_derive(DeviceStruct)]
pub fn device_struct(item: TokenStream) -> TokenStream {
    let mut input = syn::parse_macro_input!(item as syn::DeriveInput);
    Fragments.visit_derive_input_mut(&mut input);
    let derived = device_struct::derive(&input).unwrap_or_else(|(error, instead)| {
        let error = error.into_compile_error();
        quote::quote!(#error #instead)
    });
    run_time_path::resolve(derived).into()
}

/// Slices that operators take together, as one parameter `tree: &TreeView`. The attribute
/// names the struct that the host makes of its buffers and launches with. A view holds at
/// least one slice.
///
/// ```ignore
/// #[device_view(TreeBuffers)]
/// struct TreeView {
///     distances: &[Atomic<u32>],
///     round: u32,
/// }
/// // reach::launch(&device, 0..n, TreeBuffers { distances: &distances, round: 1 })?;
/// ```
///
/// The manual: [the language](../meerkat/manual/language/index.html), [a crate of your
/// own](../meerkat/manual/your_crate/index.html).
#[proc_macro_attribute]
pub fn device_view(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let expanded = device_view::expand(attribute.into(), item.into());
    run_time_path::resolve(expanded.unwrap_or_else(syn::Error::into_compile_error)).into()
}

fn compile(kind: FunctionKind, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut function = match syn::parse::<syn::ItemFn>(item.clone()) {
        Ok(function) => function,
        Err(error) => return expand::no_function(kind, item.into(), error).into(),
    };
    Fragments.visit_item_fn_mut(&mut function);
    let attribute = proc_macro2::TokenStream::from(attribute);
    let checked = checked(kind, &attribute, &function);
    parse::attributes::take_others(&mut function);
    let expansion = match checked {
        Ok(compiled) => expand::expand(&compiled, &function),
        Err(error) => {
            let signature = parse::signature_for_callers(kind, &function);
            let signature = signature.map(operator::lower_signature);
            expand::refused(kind, signature.as_ref(), &function, &error)
        }
    };
    run_time_path::resolve(expansion).into()
}

/// parse, order, witness; lower and check: once for each schedule.
fn checked(
    kind: FunctionKind,
    attribute: &proc_macro2::TokenStream,
    item: &syn::ItemFn,
) -> syn::Result<expand::Compiled> {
    let errors = Errors::new();
    if !attribute.is_empty() {
        let name = kind.attribute();
        let place = diagnostics::Place::of(attribute);
        errors.report(
            place,
            format!("`#[{name}]` takes no arguments"),
            format!("write `#[{name}]`; a schedule is chosen at launch, with `launch_with`"),
        );
    }
    let function = parse::parse(kind, item, &errors);
    // A later stage would only repeat, in other words, what is already wrong.
    errors.check_so_far()?;
    let (function, witnessed) = witness::tie(order::sequence_operands(function), &errors);
    errors.check_so_far()?;
    let schedules = operator::schedules(&function);
    let lowered = operator::lower(function.clone(), Schedule::Warp, &errors);
    errors.check_so_far()?;
    let checked = check::check(lowered, &errors);
    errors.check()?;
    let others = schedules[1..].iter().map(|schedule| variant(&function, *schedule));
    Ok(expand::Compiled { checked, others: others.collect(), witnessed })
}

/// The same operator under another schedule, or why it cannot be.
fn variant(function: &ir::Function, schedule: Schedule) -> expand::Variant {
    let errors = Errors::new();
    let lowered = operator::lower(function.clone(), schedule, &errors);
    let checked = check::check(lowered, &errors);
    expand::Variant { schedule, checked: errors.check().map(|()| checked) }
}
