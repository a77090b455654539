//! What the parser says of a statement, and what it makes of it.

use crate::ir::FunctionKind;
use crate::operator::Schedule;
use crate::tests::{checked, parsed, text};

fn kernel(statements: &str) -> proc_macro2::TokenStream {
    let source = format!(
        "fn k(n: u32, x: &[u32], c: &[Atomic<u32>], f: &[f32], graph: &Graph, out: &mut [u32]) \
         {{ let me = thread_id(); {statements} }}"
    );
    source.parse().expect("tokens")
}

/// The CUDA text of a kernel of these statements.
fn cuda(statements: &str) -> String {
    let (checked, errors) = checked(FunctionKind::Kernel, Schedule::Warp, kernel(statements));
    assert_eq!(errors, Vec::<String>::new(), "{statements}");
    text(&checked)
}

/// The first lines of what the parser says.
fn said(statements: &str) -> Vec<String> {
    let (_, errors) = parsed(FunctionKind::Kernel, kernel(statements));
    assert!(errors.iter().all(|error| error.contains("\nhelp: ")), "{errors:#?}");
    errors.iter().map(|error| error.lines().next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_name_before_a_pattern_does_not_make_it_match_everything() {
    let table = [
        ("out[me] = match n { k @ 1..=3 => k, _ => 7 };", "n >= 1u && n <= 3u ? n : 7u"),
        ("out[me] = match n { k @ (1 | 3) => k, _ => 7 };", "n == 1u || n == 3u ? n : 7u"),
        ("out[me] = match n { k @ 1 | k @ 3 => k, k => k + 1 };", "? n : n + 1u"),
        ("out[me] = match n { (k) if k > 3 => k, _ => 7 };", "n > 3u ? n : 7u"),
    ];
    for (source, expected) in table {
        let text = cuda(source);
        assert!(text.contains(expected), "{source}\n{text}");
    }
    for source in ["match n { mut k => { k += 1; } }", "match n { ref k @ 1..=3 => {} _ => {} }"] {
        assert_eq!(said(source), ["`mut` or `ref` in an arm is not supported in a kernel"]);
    }
}

#[test]
fn attributes_that_change_the_meaning_are_refused_wherever_they_stand() {
    let table = [
        "#[cfg(debug_assertions)] let y = 1u32;",
        "#[cfg(debug_assertions)] { out[me] = 1; }",
        "out[me] = #[cfg(debug_assertions)] 1u32;",
        "match n { #[cfg(debug_assertions)] 3 => {} _ => {} }",
        "let e = Edge { src: 1, #[cfg(debug_assertions)] dst: 2, weight: () };",
        "let Edge { #[cfg(debug_assertions)] src, dst, .. } = g(n);",
        "#[cfg(debug_assertions)] assert!(n > 3);",
        "while n > 3 { #![cfg(debug_assertions)] }",
    ];
    for source in table {
        assert_eq!(said(source), ["`#[cfg]` inside a kernel would be ignored"], "{source}");
    }
    let lints = "#[allow(unused)] let y = 1u32; #[rustfmt::skip] let z = 1u32; \
                 /// A comment.
                 let a = 2u32;";
    assert_eq!(said(lints), Vec::<String>::new());
    let function = quote::quote!(
        fn f(#[cfg(debug_assertions)] x: u32) {}
    );
    assert_eq!(parsed(FunctionKind::Device, function).1.len(), 1);
}

#[test]
fn constants_of_numbers_by_every_path() {
    let table = [
        ("out[me] = i64::BITS + <u16>::BITS;", "= 64u + 16u;"),
        ("out[me] = <u32>::MAX;", "= Limits<u32>::MAX;"),
        ("out[me] = <u32>::min(n, me);", "= min(n, me);"),
    ];
    for (source, expected) in table {
        let text = cuda(source);
        assert!(text.contains(expected), "{source}\n{text}");
    }
    assert!(cuda("out[me] = <u32 as Limits>::MAX;").contains("out⟦me⟧ = MAX;"));
}

#[test]
fn a_number_that_ends_in_a_point_is_written_with_a_digit() {
    let text = cuda("let y = f[me] * 2.;");
    assert!(text.contains("f⟦me⟧ * 2.0f;"), "{text}");
}

#[test]
fn what_a_macro_was_given_is_one_operand() {
    use proc_macro2::{Delimiter, Group};
    use quote::quote;
    use syn::visit_mut::VisitMut;

    let given = |tokens| Group::new(Delimiter::None, tokens);
    let (sum, number) = (given(quote!(2 + 3)), given(quote!(7)));
    let mut item: syn::ItemFn = syn::parse_quote! {
        fn f(rows: [u32; #sum * 2]) -> u32 {
            assert!(#sum * 2 == 10 && #number == 7);
            [#sum; #number][#sum * 2] * #number
        }
    };
    super::fragments::Fragments.visit_item_fn_mut(&mut item);
    let expected = quote! {
        fn f(rows: [u32; (2 + 3) * 2]) -> u32 {
            assert!((2 + 3) * 2 == 10 && 7 == 7);
            [(2 + 3); 7][(2 + 3) * 2] * 7
        }
    };
    assert_eq!(quote!(#item).to_string(), expected.to_string());
}
