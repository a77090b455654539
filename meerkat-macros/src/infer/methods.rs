//! Methods of numbers that Rust has and the language has not: a device trait may give a
//! number methods of its own, so any other name is left to rustc.

use crate::diagnostics::Errors;
use crate::ir::{Callee, ExprKind, Function, Type, visit};

pub(crate) fn check(function: &Function, errors: &Errors) {
    visit::any_in_block(&function.body, &|expr| {
        let (name, receiver) = match &expr.kind {
            ExprKind::Call { callee: Callee::Method(name), args } if !args.is_empty() => {
                (name, &args[0])
            }
            _ => return false,
        };
        if matches!(receiver.ty, Type::Atomic(_)) {
            errors.report(
                name.span(),
                format!("atomics have no method `{name}`"),
                "they have `load`, `store`, `swap`, `fetch_add`, `fetch_sub`, `fetch_min`, \
                 `fetch_max`, `fetch_and`, `fetch_or`, `fetch_xor` and `compare_and_swap`",
            );
        } else if is_of_rust(receiver.ty.value(), &name.to_string()) {
            let help = match name.to_string().as_str() {
                "into" | "try_into" => "write the type it becomes: `x as u64`",
                "is_empty" => "compare its length: `x.len() == 0`",
                _ => {
                    "docs/LANGUAGE.md lists the methods of numbers, slices and atomics; one of your \
                     own stands in a `#[device] impl`, or in a `#[device] trait` for numbers"
                }
            };
            errors.report(
                name.span(),
                format!("the method `{name}` is not supported in a kernel"),
                help,
            );
        }
        false
    });
}

fn is_of_rust(receiver: &Type, name: &str) -> bool {
    match receiver {
        Type::Scalar(_) => is_of_numbers(name),
        Type::Slice(..) | Type::Tuple(_) => true,
        _ => false,
    }
}

/// Whether Rust's library has it for numbers or `bool`.
pub(crate) fn is_of_numbers(name: &str) -> bool {
    METHODS.contains(&name)
}

#[rustfmt::skip]
const METHODS: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "bit_width", "borrowing_sub",
    "carrying_add", "carrying_mul", "cast_signed", "cast_unsigned", "cbrt", "ceil",
    "checked_add", "checked_div", "checked_ilog", "checked_ilog10", "checked_ilog2", "checked_mul",
    "checked_neg", "checked_pow", "checked_rem", "checked_shl", "checked_shr", "checked_sub",
    "classify", "clone", "cmp", "copysign", "cos", "cosh", "count_ones", "count_zeros", "div_ceil",
    "div_euclid", "eq", "exp", "exp2", "exp_m1", "floor", "fract", "from_be", "from_le", "hypot",
    "ilog", "ilog10", "ilog2", "into", "is_finite", "is_infinite", "is_multiple_of", "is_nan",
    "is_negative", "is_normal", "is_positive", "is_power_of_two", "is_sign_negative",
    "is_sign_positive", "is_subnormal", "isolate_highest_one", "isolate_lowest_one", "isqrt",
    "leading_ones", "leading_zeros", "ln", "ln_1p", "log", "log10", "log2", "max", "maximum",
    "midpoint", "min", "minimum", "mul_add", "next_down", "next_multiple_of", "next_power_of_two",
    "next_up", "overflowing_add", "overflowing_mul", "overflowing_neg", "overflowing_pow",
    "overflowing_sub", "partial_cmp", "powf", "powi", "recip", "rem_euclid", "reverse_bits", "round",
    "round_ties_even", "saturating_div", "saturating_mul", "saturating_neg", "saturating_pow",
    "saturating_sub", "signum", "sin", "sin_cos", "sinh", "sqrt", "swap_bytes", "tan", "tanh", "then",
    "then_some", "to_be", "to_be_bytes", "to_degrees", "to_int_unchecked", "to_le", "to_le_bytes",
    "to_ne_bytes", "to_radians", "to_string", "total_cmp", "trailing_ones", "trailing_zeros", "trunc",
    "try_into", "unsigned_abs", "widening_mul", "wrapping_add_signed", "wrapping_div", "wrapping_neg",
    "wrapping_pow", "wrapping_rem", "wrapping_shl", "wrapping_shr",
];
