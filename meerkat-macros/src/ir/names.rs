//! One name for each variable, the same in CUDA text and native Rust: Rust lets a
//! `let` shadow another in its own block and C++ does not. The first variable of a
//! name keeps it, later ones get a number.

use super::Function;
use std::collections::HashSet;

/// Names by variable.
pub(crate) fn unique_names(function: &Function) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
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
