//! Words of Rust's library, of CUDA and of the host that kernels do not have, and what stands for each.

use super::Parser;
use crate::diagnostics::Place;
use crate::ir::{Expr, ExprKind};

impl Parser<'_> {
    /// One error for the whole chain.
    pub(super) fn refuse_iterator(&self, source: &syn::ExprMethodCall) -> Option<ExprKind> {
        let help = match &*source.receiver {
            syn::Expr::Path(path) if path.path.get_ident().is_some() => {
                let name = &path.path.segments[0].ident;
                format!("loop over a range: `for j in 0..{name}.len()`, and read `{name}[j]`")
            }
            _ => "loop over a range: `for i in 0..n`, and index with `i`".to_owned(),
        };
        self.unsupported(source.method.span(), "an iterator", &help);
        None
    }

    pub(super) fn is_refused(&self, value: &Expr) -> bool {
        matches!(value.kind, ExprKind::Local(var) if self.refused.contains(&var))
    }

    /// Names of Rust's library and of CUDA.
    pub(super) fn check_foreign(&self, path: &syn::Path) -> Option<()> {
        let first = &path.segments.first()?.ident;
        let name = first.to_string();
        if path.segments.len() == 1
            && let Some(help) = of_cuda(&name)
        {
            self.errors.report(first.span(), format!("`{name}` is a name of CUDA"), help);
            return None;
        }
        if let Some(help) = of_std(&name) {
            self.unsupported(first.span(), &format!("`{name}`"), help);
            return None;
        }
        Some(())
    }

    /// `Color::Red`: what is written like a variant is one, for constants are `Color::RED`.
    pub(super) fn check_variant(&self, path: &syn::Path) -> Option<()> {
        let Some(last) = path.segments.last().filter(|_| path.segments.len() > 1) else {
            return Some(());
        };
        let last = last.ident.to_string();
        let owner = path.segments.iter().rev().nth(1);
        let orderings = ["Relaxed", "Acquire", "Release", "AcqRel", "SeqCst"];
        if owner.is_some_and(|owner| owner.ident == "Ordering")
            && orderings.contains(&last.as_str())
        {
            self.errors.report(
                Place::of(path),
                "atomics of a kernel take no ordering",
                "leave it out: `x[i].fetch_add(1)` is relaxed; `load_acquire`, `store_release` and \
                 `memory_fence` order",
            );
            return None;
        }
        let mut letters = last.trim_start_matches("r#").chars();
        let is_variant = letters.next().is_some_and(char::is_uppercase)
            && letters.clone().any(char::is_lowercase)
            && !letters.any(|letter| letter == '_');
        if is_variant {
            self.errors.report(
                Place::of(path),
                format!("`{last}` reads as a variant of an enum, which has no layout on a GPU"),
                "number the choices: `const RED: u32 = 0;`, `const BLUE: u32 = 1;`, and a `u32`",
            );
            return None;
        }
        Some(())
    }
}

/// The expression that a chain of methods iterates over: `x` in `x.iter().map(..)`.
pub(super) fn iterated(chain: &syn::Expr) -> Option<&syn::ExprMethodCall> {
    let syn::Expr::MethodCall(call) = chain else { return None };
    let begins = ["iter", "iter_mut", "into_iter"].iter().any(|name| call.method == name);
    if begins { Some(call) } else { iterated(&call.receiver) }
}

/// What a kernel says instead of a name of CUDA.
fn of_cuda(name: &str) -> Option<&'static str> {
    Some(match name {
        "threadIdx" => {
            "`thread_id()` is the thread's number in the launch, `block_thread_id()` in \
                        its block"
        }
        "blockIdx" => "`block_id()` is the number of the block",
        "blockDim" => "`block_size()` is the number of threads of a block",
        "gridDim" => "`block_count()` is the number of blocks",
        "warpSize" => "a warp has 32 lanes",
        "__syncthreads" => "wait with `block_barrier()`",
        "__syncwarp" => "wait with `warp_barrier()`",
        "__ballot_sync" => "vote with `warp_ballot(p)`",
        "atomicAdd" => "take `x: &[Atomic<T>]`, and write `x[i].fetch_add(value)`",
        "atomicMin" => "take `x: &[Atomic<T>]`, and write `x[i].fetch_min(value)`",
        "atomicMax" => "take `x: &[Atomic<T>]`, and write `x[i].fetch_max(value)`",
        "atomicExch" => "take `x: &[Atomic<T>]`, and write `x[i].swap(value)`",
        "atomicCAS" => "take `x: &[Atomic<T>]`, and write `x[i].compare_and_swap(current, new)`",
        _ => return None,
    })
}

/// What a kernel does instead of with a type or variant of Rust's library.
pub(super) fn of_std(name: &str) -> Option<&'static str> {
    Some(match name {
        "Vec" | "Box" | "HashMap" | "HashSet" | "BTreeMap" | "VecDeque" | "Rc" | "Arc" => {
            "a kernel has no heap: use an array, `[0u32; 8]`, or a slice that the host made"
        }
        "String" => "device code knows numbers and `bool`",
        "Option" | "Some" | "None" | "Result" | "Ok" | "Err" => {
            "a sentinel value stands for `None`, as `u32::MAX`"
        }
        _ => return None,
    })
}

/// What a kernel takes instead of a type of the host's.
pub(super) fn of_host(name: &str) -> Option<&'static str> {
    Some(match name {
        "SlabGraph" => "a kernel takes `&Graph<W>`, and the launch `&graph`",
        "DeviceBuffer" => {
            "a kernel takes `&[T]`, `&mut [T]` or `&[Atomic<T>]`, and the launch the buffer"
        }
        "Frontiers" => "a kernel takes `&Frontier<T>`, and the launch `frontiers.next()`",
        _ => return None,
    })
}

/// What a kernel does instead of calling a macro.
pub(super) fn of_macro(call: &syn::Macro) -> &'static str {
    let name = call.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    match name.as_str() {
        "vec" => "a kernel has no heap: use an array, `[0u32; 8]`, or a slice that the host made",
        "print" | "println" | "eprint" | "eprintln" | "dbg" | "format" | "write" | "writeln"
        | "panic" | "todo" | "unimplemented" | "unreachable" => {
            "a kernel cannot print or panic: write what there is to tell into a slice"
        }
        _ => "write out what it expands to",
    }
}

/// What stands for a method of Rust's library, if kernels surely lack it.
pub(crate) fn of_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "compare_exchange" | "compare_exchange_weak" => {
            "`compare_and_swap(current, new)` returns the value before"
        }
        "iter" | "iter_mut" | "into_iter" | "neighbors" => {
            "loop over a range and index, or visit neighbours with `for_each_neighbor`"
        }
        "get" => "index it, `x[i]`, after a test of `i < x.len()`",
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" => {
            "device code has no `Option`: a sentinel value stands for `None`"
        }
        "clone" => "numbers and device structs are copied: write the value itself",
        "push" | "pop" | "insert" => {
            "a kernel has no heap: write into a slice, or append with `warp_enqueue_frontier`"
        }
        "fetch_update" | "fetch_nand" => {
            "loop with `compare_and_swap(current, new)`, which returns the value before"
        }
        "contains" | "map" => "loop over a range and index",
        _ => return None,
    })
}
