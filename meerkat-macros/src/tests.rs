//! Each stage on its own: what goes in, what comes out.

use crate::check::{self, CheckedKernel};
use crate::diagnostics::Errors;
use crate::ir::{ExprKind, Function, FunctionKind, Level, Stmt, Type, VarId};
use crate::operator::{self, Schedule};
use crate::{cuda, native, order, parse, witness};
use quote::quote;

pub(crate) fn parsed(
    kind: FunctionKind,
    tokens: proc_macro2::TokenStream,
) -> (Function, Vec<String>) {
    let item: syn::ItemFn = syn::parse2(tokens).expect("a function");
    let errors = Errors::new();
    let function = parse::parse(kind, &item, &errors);
    (function, texts(errors))
}

pub(crate) fn texts(errors: Errors) -> Vec<String> {
    match errors.check() {
        Ok(()) => Vec::new(),
        Err(error) => error.into_iter().map(|error| error.to_string()).collect(),
    }
}

pub(crate) fn checked(
    kind: FunctionKind,
    schedule: Schedule,
    tokens: proc_macro2::TokenStream,
) -> (CheckedKernel, Vec<String>) {
    let (function, found) = parsed(kind, tokens);
    assert_eq!(found, Vec::<String>::new());
    let errors = Errors::new();
    let (function, _) = witness::tie(order::sequence_operands(function), &errors);
    let function = operator::lower(function, schedule, &errors);
    let checked = check::check(function, &errors);
    (checked, texts(errors))
}

fn kernel(tokens: proc_macro2::TokenStream) -> (CheckedKernel, Vec<String>) {
    checked(FunctionKind::Kernel, Schedule::Warp, tokens)
}

fn var(checked: &CheckedKernel, name: &str) -> VarId {
    let is_it = |var: &crate::ir::Var| var.name == name;
    VarId(checked.function.vars.iter().position(is_it).expect("a variable of this name"))
}

/// The CUDA text with what each mark stands for in its place: `w3` is what rustc finds
/// for witness 3.
pub(crate) fn text(checked: &CheckedKernel) -> String {
    let table = cuda::Table::default();
    let lines = cuda::write(checked, &table).into_iter().map(|line| line.text + "\n");
    let text =
        lines.collect::<String>().replace("«self»", checked.function.name.to_string().as_str());
    let shown = text.split('«').map(|part| match part.split_once('»') {
        Some((mark, rest)) => {
            let (number, digits) = mark.split_once('#').unwrap_or((mark, ""));
            let name = table.shown(number.parse().expect("a number"));
            if digits.is_empty() { name + rest } else { format!("{name}({digits}){rest}") }
        }
        None => part.to_owned(),
    });
    let text = shown.collect::<String>();
    [("‹.", "."), ("‹=", ""), ("‹", ""), ("›", "")]
        .into_iter()
        .fold(text, |text, (mark, name)| text.replace(mark, name))
}

#[test]
fn parse_gives_parameters_their_types_and_keeps_them_in_order() {
    let (function, errors) = parsed(
        FunctionKind::Device,
        quote!(
            fn f(x: u32, y: Uniform<f32>) -> i64 {
                return 0;
            }
        ),
    );
    assert_eq!(errors, Vec::<String>::new());
    let params: Vec<_> = function.params.iter().map(|var| function.var(*var)).collect();
    assert_eq!(params[0].ty, Type::U32);
    assert_eq!(params[0].declared, None);
    assert_eq!(params[1].declared, Some(Level::Warp));
}

#[test]
fn parse_reports_3_unsupported_constructs_at_once() {
    let (_, errors) = parsed(
        FunctionKind::Kernel,
        quote!(
            fn f(x: &[u32]) {
                let s = "text";
                println!("{}", 1);
                let t = (1, 2, 3, 4, 5);
            }
        ),
    );
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(errors.iter().all(|error| error.contains("help: ")), "{errors:?}");
}

#[test]
fn order_binds_what_a_later_call_may_change() {
    let (function, _) = parsed(
        FunctionKind::Kernel,
        quote!(
            fn f(c: &[Atomic<u32>]) {
                let x = c[0].load() * 10 + bump(c);
            }
        ),
    );
    let sequenced = order::sequence_operands(function);
    assert_eq!(sequenced.body.stmts.len(), 2);
}

#[test]
fn order_binds_an_operand_before_the_parts_of_the_next() {
    let (function, _) = parsed(
        FunctionKind::Kernel,
        quote!(
            fn f(c: &[Atomic<u32>]) {
                let x = c[0].load().min(c[0].fetch_and(1) + c[0].fetch_sub(2));
            }
        ),
    );
    let sequenced = order::sequence_operands(function);
    let methods = sequenced.body.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Let { init: Some(init), .. } => match &init.kind {
            ExprKind::Method { method, .. } => Some(method.name),
            _ => None,
        },
        _ => None,
    });
    assert_eq!(methods.collect::<Vec<_>>(), ["load", "fetch_and", "min"]);
}

#[test]
fn the_checker_tells_uniform_from_varying() {
    let (checked, errors) = kernel(quote!(
        fn f(n: u32, x: &[u32]) {
            let lane = lane_id();
            let mine = x[lane];
            let shared = x[n];
            let votes = warp_ballot(mine == 3);
            let part = tile::<8>().broadcast(mine, 0);
        }
    ));
    assert_eq!(errors, Vec::<String>::new());
    for (name, uniform) in
        [("lane", false), ("mine", false), ("shared", true), ("votes", true), ("part", false)]
    {
        assert_eq!(checked.is_uniform_var(var(&checked, name)), uniform, "{name}");
    }
}

#[test]
fn the_checker_names_the_collective_and_the_condition() {
    let (_, errors) = kernel(quote!(
        fn f(x: &[u32]) {
            let degree = x[thread_id()];
            if degree > 3 {
                let sum = warp_reduce_sum(degree);
            }
        }
    ));
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].contains("`warp_reduce_sum` needs all 32 lanes"), "{errors:?}");
    assert!(errors[1].contains("`degree` differs from lane to lane"), "{errors:?}");
}

#[test]
fn the_checker_refuses_a_race_and_accepts_the_own_item() {
    let write = |index: proc_macro2::TokenStream| {
        kernel(quote!(
            fn f(x: &mut [u32], to: &[u32]) {
                let i = thread_id();
                let j = to[i];
                x[#index] = 1;
            }
        ))
        .1
        .len()
    };
    assert_eq!((write(quote!(i)), write(quote!(j))), (0, 1));
}

#[test]
fn cuda_of_a_kernel_is_the_users_code() {
    let (checked, errors) = kernel(quote!(
        fn scale(x: &[f32], y: &mut [f32], factor: f32) {
            let i = thread_id();
            if i < x.len() {
                y[i] = x[i] * factor + 1.0;
            }
        }
    ));
    assert_eq!(errors, Vec::<String>::new());
    let expected = "\
extern \"C\" __global__ void scale(const Slice<const f32> x, const Slice<f32> y, const f32 factor) {
    begin_kernel();
    const u32 i = thread_id();
    if (i < x.len()) {
        y⟦i⟧ = x⟦i⟧ * factor + 1.0f;
    }
}
";
    assert_eq!(text(&checked), expected);
}

/// A long literal has a line for each field, but those of a literal within it stay together.
#[test]
fn cuda_of_a_long_literal_has_a_line_for_each_field() {
    let lines = |literal: proc_macro2::TokenStream| {
        let (checked, errors) = kernel(quote!(
            fn place(nodes: &mut [Node], parent: u32, distance: u32, length: u32) {
                let i = thread_id();
                nodes[i] = #literal;
            }
        ));
        assert_eq!(errors, Vec::<String>::new());
        text(&checked).lines().filter(|line| line.contains(".with_")).count()
    };
    let three = quote!(Node { parent: parent + distance + length, distance: distance, length: i });
    assert_eq!(lines(three), 1);
    let long = quote!(Node {
        parent: parent + 1,
        distance: distance + length,
        length: length + distance + parent,
        within: Pair { first: parent, second: distance, third: length, fourth: parent },
    });
    assert_eq!(lines(long), 4);
}

#[test]
fn cuda_renames_shadowed_variables() {
    let (checked, errors) = kernel(quote!(
        fn f(out: &mut [u32]) {
            let signed = thread_id();
            let signed = signed + 1;
        }
    ));
    assert_eq!(errors, Vec::<String>::new());
    let text = text(&checked);
    assert!(text.contains("const u32 signed = thread_id();"), "{text}");
    assert!(text.contains("const u32 signed_2 = signed + 1u;"), "{text}");
}

#[test]
fn native_keeps_uniform_branches_and_masks_varying_ones() {
    let body = |condition: proc_macro2::TokenStream| {
        let (checked, errors) = kernel(quote!(
            fn f(n: u32, out: &[Atomic<u32>]) {
                if #condition {
                    out[0].fetch_add(1);
                }
            }
        ));
        assert_eq!(errors, Vec::<String>::new());
        native::body(&checked).to_string()
    };
    assert!(!body(quote!(n > 3)).contains("__m1"));
    assert!(body(quote!(lane_id() > 3)).contains("let mut __m1 : u32 = __m0 & __t1"));
}

#[test]
fn what_no_witness_is_tied_to_is_refused() {
    let tokens = quote!(
        fn f(x: &[u32]) {
            let y = half(x[0]);
        }
    );
    let (function, found) = parsed(FunctionKind::Kernel, tokens);
    assert_eq!(found, Vec::<String>::new());
    let errors = Errors::new();
    drop(check::check(function, &errors));
    let errors = texts(errors);
    assert!(errors[0].starts_with("the macro has lost the type of `y`"), "{errors:?}");
}

#[test]
fn calls_assert_what_lanes_agree_on() {
    let function = quote!(
        fn f(v: Vertex, graph: &Graph, n: u32, out: &[Atomic<u32>]) {
            for_each_neighbor(graph, v, true, |dst| {
                out[dst].fetch_add(half(n) + half(v));
            });
        }
    );
    let forms: Vec<_> = [Schedule::Warp, Schedule::Thread]
        .map(|schedule| checked(FunctionKind::VertexOperator, schedule, function.clone()).0)
        .into();
    let asserts: Vec<_> =
        crate::expand::calls::agreed(forms.iter()).iter().map(ToString::to_string).collect();
    // Of a value that lanes share nothing is asserted; of one argument once, where they
    // agree least.
    let of_v: Vec<_> = asserts.iter().filter(|text| text.contains("`half`")).collect();
    assert_eq!(of_v.len(), 1, "{asserts:?}");
    assert!(of_v[0].contains("`v` differs from lane to lane"), "{of_v:?}");
    assert!(of_v[0].contains("wanted <= 0u32"), "{of_v:?}");
}

#[test]
fn results_taken_for_one_value_are_asserted() {
    let (checked, _) = kernel(quote!(
        fn f(n: u32, out: &[Atomic<u32>]) {
            let one: Uniform<u32> = half(n);
            let any: u32 = third(n);
            out[one + any].store(1);
        }
    ));
    let asserts = crate::expand::calls::agreed(std::iter::once(&checked));
    let asserts: Vec<_> = asserts.iter().map(ToString::to_string).collect();
    assert_eq!(asserts.len(), 1, "{asserts:?}");
    assert!(asserts[0].contains("AGREED_RESULT } >= 32u32"), "{asserts:?}");
}
