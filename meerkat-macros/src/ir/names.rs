//! One name for each variable, the same in CUDA text and native Rust.
//!
//! Rust lets a `let` shadow another in its own block and C++ does not; C++ has
//! keywords and prelude names that are fine in Rust. The first variable of a
//! name keeps it, later ones get a number.

use super::{Expr, ExprKind, Function, visit};
use std::collections::HashSet;

/// Words a C++ identifier cannot be, and names that the prelude or CUDA defines.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "case", "catch",
    "char", "char8_t", "char16_t", "char32_t", "class", "compl", "concept", "consteval",
    "constexpr", "constinit", "const_cast", "co_await", "co_return", "co_yield", "decltype",
    "default", "delete", "double", "dynamic_cast", "explicit", "export", "float", "friend",
    "goto", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
    "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
    "reinterpret_cast", "requires", "short", "signed", "sizeof", "static_assert", "static_cast",
    "switch", "template", "this", "thread_local", "throw", "typedef", "typeid", "typename",
    "union", "unsigned", "using", "void", "volatile", "wchar_t", "xor", "xor_eq", "virtual", "do",
    "try", "final", "min", "max", "abs", "sqrt", "cast", "saturating_cast", "wrapping_add",
    "wrapping_sub", "wrapping_mul", "wrapping_neg", "narrowed", "wrapping_shl", "wrapping_shr", "bit_not",
    "bit_and", "bit_or", "bit_xor", "count_ones", "leading_zeros", "trailing_zeros", "is_nan",
    "to_bits", "saturating_add", "value_of", "threadIdx", "blockIdx", "blockDim", "gridDim",
    "warpSize", "assert", "device", "divide", "remainder_of", "select", "same", "word", "plain",
    "as_is", "moved", "butterfly", "tile_butterfly", "block_butterfly", "opaque",
     "fail", "DEVICE", "offset_of", "Unit",
    "Limits", "Weight", "Atomic", "Slab", "Slice", "Array", "Tuple", "tuple", "FULL_MASK", "bits_as", "is_float",
    "is_signed", "is_number", "unsigned_of", "remainder", "fmod", "fmodf", "exp", "exp2", "log",
    "log2", "log10", "pow", "sin", "cos", "tan", "floor", "ceil", "round", "trunc", "fabs",
    "fmax", "fmin", "fma", "hypot", "cbrt", "erf", "rsqrt", "norm", "printf", "clock", "div",
    "memcpy", "memset", "malloc", "free", "ln", "powf", "mul_add", "clamp", "copysign", "signum",
    "is_finite", "is_infinite", "saturating_sub", "saturating_mul", "abs_diff", "rotate_left",
    "rotate_right", "swap_bytes", "reverse_bits", "f32_from_bits", "f64_from_bits", "f32_to_bits",
    "f64_to_bits", "meerkat_place", "MEERKAT_HERE",
];

/// A function, field or type as CUDA names it: its own name, unless C++ needs
/// the word for itself.
pub(crate) fn cuda_word(name: &str) -> String {
    let plain = name.trim_start_matches("r#");
    if TAKEN.contains(&plain) { format!("{plain}_") } else { plain.to_owned() }
}

/// Names by variable.
pub(crate) fn unique_names(function: &Function) -> Vec<String> {
    let mut taken: HashSet<String> = TAKEN.iter().map(|&word| word.to_owned()).collect();
    taken.insert(function.name.to_string());
    // A variable would hide the function of its name.
    visit::block(&function.body, &mut |expr| called(expr, &mut taken));
    let names = function.vars.iter().map(|var| {
        let plain = var.name.to_string().trim_start_matches("r#").to_owned();
        let mut name = plain.clone();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{plain}_{number}");
        }
        name
    });
    names.collect()
}

fn called(expr: &Expr, names: &mut HashSet<String>) {
    if let ExprKind::Call { path, .. } = &expr.kind
        && let Some(last) = path.segments.last()
    {
        names.insert(last.ident.to_string());
    }
    visit::children(expr, &mut |child| called(child, names));
}
