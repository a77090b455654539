//! The lowerings of operators on their own: what is shared, staged, spread, ended early.

use super::Schedule;
use crate::diagnostics::Errors;
use crate::ir::{ExprKind, FunctionKind, Stmt, Type, visit};
use crate::tests::{checked, parsed, text, texts};
use crate::{operator, order, witness};
use proc_macro2::TokenStream;
use quote::quote;

fn visit_operator() -> proc_macro2::TokenStream {
    quote! {
        fn visit(v: Vertex, graph: &Graph, seen: &[Atomic<u32>], next: &Frontier<Vertex>) {
            for_each_neighbor(graph, v, true, |dst| {
                let new = seen[dst].swap(1) == 0;
                warp_enqueue_frontier(next, dst, new);
            });
        }
    }
}

/// The CUDA text of an operator under a schedule.
fn cuda(kind: FunctionKind, schedule: Schedule, item: TokenStream) -> String {
    let said = item.to_string();
    let (checked, errors) = checked(kind, schedule, item);
    assert_eq!(errors, Vec::<String>::new(), "{said}");
    text(&checked)
}

#[test]
fn operators_become_kernels_that_guard_the_item() {
    let (function, _) = parsed(FunctionKind::VertexOperator, visit_operator());
    let errors = Errors::new();
    let lowered = operator::lower(function, Schedule::Warp, &errors);
    assert_eq!(texts(errors), Vec::<String>::new());
    assert_eq!(lowered.var(lowered.params[0]).name, "vertices");
    let left = visit::any_in_block(&lowered.body, &|expr| {
        matches!(expr.kind, ExprKind::ForEachNeighbor(_))
    });
    assert!(!left, "a neighbour loop is left");
    let guards = lowered.body.stmts.iter().filter(
        |stmt| matches!(stmt, Stmt::Expr(expr) if matches!(expr.kind, ExprKind::If { .. })),
    );
    assert_eq!(guards.count(), 1);
}

#[test]
fn blocks_share_hubs_where_all_of_them_see_and_do_the_same() {
    let push = quote! {
        for_each_neighbor(graph, v, share != 0, |dst| {
            seen[dst].fetch_add(share);
        });
    };
    let sum = quote! {
        let mut share = 0u32;
        for_each_neighbor(graph, v, true, |dst| share += dst);
    };
    let cases = [
        (Schedule::Hybrid, quote!(let share = v + given[v]; #push), true),
        (Schedule::Warp, quote!(let share = v + given[v]; #push), false),
        (Schedule::Hybrid, quote!(let share = seen[v].load(); #push), false),
        (Schedule::Hybrid, quote!(let share = own[v]; #push), false),
        // Who a thread is differs from block to block.
        (Schedule::Hybrid, quote!(let share = given[thread_id()]; #push), false),
        (Schedule::Hybrid, quote!(let share = warp_count(); #push), false),
        (Schedule::Hybrid, quote!(let share = select(v > 3, 1, 2); #push), true),
        (
            Schedule::Hybrid,
            quote! { for_each_neighbor(graph, v, lane_id() < 8, |dst| {
                seen[dst].store(1);
            }); },
            false,
        ),
        (
            Schedule::Hybrid,
            quote!(for_each_neighbor(graph, v, true, |dst| { seen[dst].store(lane_id()); });),
            true,
        ),
        (Schedule::Hybrid, quote!(let share = seen[v].swap(0); #push), false),
        (Schedule::Hybrid, quote!(let share = v; seen[v].store(1); #push), false),
        (Schedule::Hybrid, quote!(let share = v; #push seen[v].store(1);), false),
        (Schedule::Hybrid, quote!(#sum), false),
        (Schedule::Hybrid, quote!(#sum #push), false),
        (Schedule::Hybrid, quote!(let mut share = v; if v > 3 { share = 7; } #push), false),
        (
            Schedule::Hybrid,
            quote! { for_each_neighbor(graph, v, seen[v].load() == 0, |dst| {
                seen[dst].store(1);
            }); },
            false,
        ),
        (
            Schedule::Hybrid,
            quote!(for_each_neighbor(graph, given[v], true, |dst| { seen[dst].store(1); });),
            true,
        ),
        // The vertex itself is asked for by every block that shares it.
        (
            Schedule::Hybrid,
            quote! { for_each_neighbor(graph, seen[v].load(), true, |dst| {
                seen[dst].store(1);
            }); },
            false,
        ),
    ];
    for (schedule, body, is_shared) in cases {
        let item = quote! {
            fn f(v: Vertex, graph: &Graph, given: &[u32], seen: &[Atomic<u32>], own: &mut [u32]) {
                #body
            }
        };
        let (checked, errors) = checked(FunctionKind::VertexOperator, schedule, item);
        assert_eq!(errors, Vec::<String>::new(), "{body}");
        assert_eq!(checked.function.shares_hubs, is_shared, "{schedule:?}: {body}");
    }
}

#[test]
fn all_8_schedules_of_an_operator_pass_the_checker() {
    for schedule in Schedule::ALL {
        let (checked, errors) = checked(FunctionKind::VertexOperator, schedule, visit_operator());
        assert_eq!(errors, Vec::<String>::new(), "{schedule:?}");
        let group = match schedule {
            Schedule::Thread => 0,
            Schedule::Block | Schedule::Hybrid | Schedule::SlabList => crate::ir::BLOCK,
            by_group => by_group.group(),
        };
        assert_eq!(checked.group(), group, "{schedule:?}");
    }
}

/// rustc says the type of what the lanes of a walk share.
#[test]
fn a_field_of_an_item_has_a_witness() {
    let item = quote! {
        fn f(path: Path, graph: &Graph, seen: &[Atomic<u32>]) {
            for_each_neighbor(graph, path.from, true, |dst| { seen[dst].store(path.length); });
        }
    };
    let (checked, errors) = checked(FunctionKind::EdgeOperator, Schedule::Warp, item);
    assert_eq!(errors, Vec::<String>::new());
    let vars = &checked.function.vars;
    let shared = vars.iter().find(|var| var.name == "path_length").expect("it is handed round");
    assert!(matches!(shared.ty, Type::Rustc(..)), "{:?}", shared.ty);
}

#[test]
fn edge_operators_do_not_share_hubs() {
    let item = quote! {
        fn f(edge: Edge, graph: &Graph, seen: &[Atomic<u32>]) {
            for_each_neighbor(graph, edge.dst, true, |dst| { seen[dst].store(1); });
        }
    };
    let (checked, errors) = checked(FunctionKind::EdgeOperator, Schedule::Hybrid, item);
    assert_eq!(errors, Vec::<String>::new());
    assert!(!checked.function.shares_hubs);
}

#[test]
fn a_launch_spreads_the_items_of_vertex_operators_that_walk() {
    let walk = quote!(for_each_neighbor(graph, v, true, |dst| { seen[dst].store(1); }););
    let cases = [
        (FunctionKind::VertexOperator, quote!(v: Vertex), quote!(#walk), 7, 1),
        (FunctionKind::VertexOperator, quote!(v: Vertex), quote!(seen[v].store(1);), 0, 0),
        (FunctionKind::EdgeOperator, quote!(edge: Edge), quote!(let v = edge.dst; #walk), 0, 0),
    ];
    for (kind, item, body, spread, sharing) in cases {
        let item: syn::ItemFn =
            syn::parse_quote! { fn f(#item, graph: &Graph, seen: &[Atomic<u32>]) { #body } };
        let compiled = crate::checked(kind, &quote!(), &item).expect("no errors");
        let expansion = crate::expand::expand(&compiled, &item).to_string();
        let count = |call: &str| expansion.matches(call).count();
        let found = (count("Items :: spread ("), count("Sharing :: new ("));
        assert_eq!(found, (spread, sharing), "{kind:?} {body}");
    }
}

#[test]
fn vertices_that_tiles_enqueue_are_staged_once_a_frontier() {
    let staged = |schedule, body: TokenStream| {
        let item = quote! {
            fn f(v: Vertex, graph: &Graph, next: &Frontier<Vertex>, arcs: &Frontier<Edge>) {
                for_each_neighbor(graph, v, true, |dst| { #body });
            }
        };
        let text = cuda(FunctionKind::VertexOperator, schedule, item);
        let count = |word: &str| text.matches(word).count();
        // Memories, enqueues (the walk stands there twice), and flushes.
        let flushed = count("block_flush_frontier(next, next_staged);");
        (count("= block_memory("), count("_stage_frontier(next, next_staged, "), flushed)
    };
    let push = quote!(warp_enqueue_frontier(next, dst, true););
    let arc = quote!(warp_enqueue_frontier(arcs, Edge { src: v, dst, weight: () }, true););
    let lane = quote!(lane_enqueue_frontier(next, dst, true););
    assert_eq!(staged(Schedule::Hybrid, quote!(#push)), (1, 2, 1));
    assert_eq!(staged(Schedule::Hybrid, quote!(#push #push)), (1, 4, 1));
    assert_eq!(staged(Schedule::Hybrid, quote!(#push #lane)), (1, 2, 1));
    assert_eq!(staged(Schedule::Hybrid, lane), (0, 0, 0));
    assert_eq!(staged(Schedule::Hybrid, arc), (0, 0, 0));
    assert_eq!(staged(Schedule::Tile8, push), (0, 0, 0));
}

#[test]
fn a_walk_ends_with_what_it_looks_for_where_it_does_nothing_else() {
    let ends = |before: TokenStream, body: TokenStream| {
        let item = quote! {
            fn f(
                v: Vertex, graph: &Graph, x: &[u32], seen: &[Atomic<u32>], next: &Frontier<Vertex>,
                out: &mut [u32],
            ) {
                #before
                for_each_neighbor(graph, v, true, |dst| { #body });
            }
        };
        let text = cuda(FunctionKind::VertexOperator, Schedule::Warp, item);
        text.contains("seeks = !warp_any(found_part)")
    };
    let flag = || quote!(let mut found = false;);
    let look = quote!(found |= x[dst] == 3;);
    assert!(ends(flag(), quote!(#look)));
    assert!(ends(flag(), quote!(let mut y = x[dst]; y += 1; found |= y == 4;)));
    assert!(ends(flag(), quote!(found |= seen[dst].load() == 3;)));
    for acts in [
        quote!(seen[dst].store(1);),
        quote!(mark(seen, dst);),
        quote!(assert!(x[dst] < 9);),
        quote!(let some = warp_any(x[dst] == 1);),
        quote!(warp_enqueue_frontier(next, dst, true);),
        quote!(lane_enqueue_frontier(next, dst, true);),
        quote!(unsafe {
            out[dst] = 1;
        }),
        quote!(unsafe { out.write(dst, 1) };),
    ] {
        assert!(!ends(flag(), quote!(#look #acts)), "{acts}");
    }
    assert!(!ends(quote!(let mut found = 0u32;), quote!(found |= x[dst];)));
    assert!(!ends(quote!(let mut found = 0u32;), quote!(found += x[dst];)));
    let both = quote!(let mut found = false; let mut sum = 0u32;);
    assert!(!ends(both, quote!(#look sum += dst;)));
}

/// The errors of an operator under a schedule that it does not fit.
fn unsupported(schedule: Schedule, tokens: proc_macro2::TokenStream) -> Vec<String> {
    let (function, _) = parsed(FunctionKind::VertexOperator, tokens);
    let errors = Errors::new();
    let (function, _) = witness::tie(order::sequence_operands(function), &errors);
    let lowered = operator::lower(function, schedule, &errors);
    drop(lowered);
    texts(errors)
}

#[test]
fn blocks_do_not_share_out_one_slab_list() {
    let walk = || {
        quote! {
            fn walk(v: Vertex, graph: &Graph, out: &mut [u32]) {
                let mut sum = 0u32;
                for_each_bucket(graph, v, 0, true, |dst| sum += dst);
                out[v] = sum;
            }
        }
    };
    for schedule in [Schedule::Block, Schedule::Hybrid, Schedule::SlabList] {
        let errors = unsupported(schedule, walk());
        assert!(errors[0].contains("not by the block"), "{schedule:?}: {errors:?}");
    }
    assert_eq!(unsupported(Schedule::Tile8, walk()), Vec::<String>::new());
}

#[test]
fn narrow_values_do_not_go_through_memory_of_the_block() {
    let passed = quote! {
        fn pass(v: Vertex, graph: &Graph, small: &[u8], out: &[Atomic<u32>]) {
            let own = small[v];
            for_each_neighbor(graph, v, true, |dst| {
                out[dst].fetch_add(own as u32);
            });
        }
    };
    let errors = unsupported(Schedule::SlabList, passed);
    assert!(errors.len() == 1 && errors[0].contains("`own` is passed to"), "{errors:?}");
    let gathered = quote! {
        fn gather(v: Vertex, graph: &Graph, out: &mut [u32]) {
            let mut count = 0u8;
            for_each_neighbor(graph, v, true, |dst| count += 1);
            out[v] = count as u32;
        }
    };
    let errors = unsupported(Schedule::SlabList, gathered);
    assert!(errors.len() == 1 && errors[0].contains("`count` is gathered"), "{errors:?}");
    let joined = quote! {
        fn join(v: Vertex, graph: &Graph, out: &mut [Most]) {
            let mut most = Most::of(v);
            for_each_neighbor(graph, v, true, |dst| most = most.join(Most::of(dst)));
            out[v] = most;
        }
    };
    let errors = unsupported(Schedule::SlabList, joined);
    assert!(errors.len() == 1 && errors[0].contains("`most` would be joined"), "{errors:?}");
}
