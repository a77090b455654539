//! One name for each variable, the same in CUDA text and native Rust.
//!
//! Rust lets a `let` shadow another in its own block and C++ does not; C++ has
//! keywords and prelude names that are fine in Rust. The first variable of a
//! name keeps it, later ones get a number.

use super::Function;
use std::collections::HashSet;

/// Words a C++ identifier cannot be, and names the prelude defines.
const TAKEN: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "case",
    "catch",
    "char",
    "class",
    "compl",
    "concept",
    "const_cast",
    "co_await",
    "co_return",
    "co_yield",
    "default",
    "delete",
    "double",
    "dynamic_cast",
    "explicit",
    "export",
    "float",
    "friend",
    "goto",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "nullptr",
    "operator",
    "or",
    "private",
    "protected",
    "public",
    "register",
    "requires",
    "short",
    "signed",
    "sizeof",
    "static_assert",
    "switch",
    "template",
    "this",
    "throw",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "void",
    "volatile",
    "wchar_t",
    "xor",
    "min",
    "max",
    "abs",
    "sqrt",
    "cast",
    "saturating_cast",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "wrapping_neg",
    "wrapping_shl",
    "wrapping_shr",
    "bit_not",
    "count_ones",
    "leading_zeros",
    "trailing_zeros",
    "is_nan",
    "to_bits",
    "saturating_add",
    "value_of",
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "assert",
    "lower_bits",
    "device",
    "divide",
    "remainder",
];

/// Names by variable.
pub(crate) fn unique_names(function: &Function) -> Vec<String> {
    let mut taken: HashSet<String> = TAKEN.iter().map(|&word| word.to_owned()).collect();
    taken.insert(function.name.to_string());
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
