//! `meerkat show`: the built-in kernels and what they become.

use meerkat::algos::kernels;
use meerkat::runtime::program::KernelInfo;

use super::failure::Failure;
use super::plan::{KernelForm, ShowPlan};

/// Names less similar than this (0 to 1) are no suggestion.
const SIMILAR: f64 = 0.8;
/// Most suggestions at once.
const SUGGESTIONS: usize = 3;

/// The text that `plan` asks for.
pub(super) fn run(plan: &ShowPlan) -> Result<String, Failure> {
    match plan {
        ShowPlan::List => Ok(list(&kernels())),
        ShowPlan::Kernel { name, form } => show(&kernels(), name, *form),
    }
}

/// A line a kernel: its name and the Rust module it was written in.
fn list(kernels: &[KernelInfo]) -> String {
    let width = kernels.iter().map(|kernel| kernel.name().len()).max().unwrap_or(0);
    let line = |kernel: &KernelInfo| format!("{:<width$}  {}\n", kernel.name(), kernel.module());
    kernels.iter().map(line).collect()
}

fn show(kernels: &[KernelInfo], name: &str, form: KernelForm) -> Result<String, Failure> {
    let kernel = kernels.iter().find(|kernel| kernel.name() == name).ok_or_else(|| {
        let names = kernels.iter().map(KernelInfo::name);
        Failure::UnknownKernel { name: name.to_owned(), hint: hint(name, names) }
    })?;
    let text = match form {
        KernelForm::Cuda => kernel.cuda_program(),
        KernelForm::Native => formatted(kernel.native()),
        KernelForm::Ptx => kernel.ptx()?,
    };
    Ok(with_line_end(text))
}

/// The tokens of a Rust item, laid out as Rust is written.
fn formatted(tokens: String) -> String {
    match syn::parse_file(&tokens) {
        Ok(file) => prettyplease::unparse(&file),
        Err(_) => tokens,
    }
}

/// What the user may have meant by `name`.
fn hint<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let mut similar: Vec<(f64, &str)> = names
        .map(|known| (similarity(name, known), known))
        .filter(|(similarity, _)| *similarity > SIMILAR)
        .collect();
    similar.sort_by(|a, b| b.0.total_cmp(&a.0));
    let similar: Vec<String> =
        similar.iter().take(SUGGESTIONS).map(|(_, known)| format!("`{known}`")).collect();
    match similar.as_slice() {
        [] => "`meerkat show --list` names them all".to_owned(),
        names => format!("did you mean {}?", names.join(" or ")),
    }
}

/// 1 for equal names or a part of the other, towards 0 the less they share.
fn similarity(typed: &str, known: &str) -> f64 {
    let (typed, known) = (typed.to_lowercase(), known.to_lowercase());
    if typed.len() >= 3 && known.contains(&typed) {
        return 1.0;
    }
    strsim::jaro_winkler(&typed, &known)
}

fn with_line_end(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["bfs_expand", "bfs_tree_expand", "insert_edges", "search_edges"];

    fn hint_for(name: &str) -> String {
        hint(name, NAMES.into_iter())
    }

    #[test]
    fn a_slip_of_the_finger_is_answered_with_the_name() {
        assert!(hint_for("bsf_expand").starts_with("did you mean `bfs_expand`"));
        assert!(hint_for("INSERT_EDGE").starts_with("did you mean `insert_edges`"));
    }

    #[test]
    fn part_of_a_name_is_answered_with_the_names_that_have_it() {
        assert_eq!(hint_for("tree"), "did you mean `bfs_tree_expand`?");
    }

    #[test]
    fn tokens_of_an_item_become_lines() {
        assert_eq!(
            formatted("fn f (x : u32) { g (x) ; }".into()),
            "fn f(x: u32) {\n    g(x);\n}\n"
        );
        assert_eq!(formatted("not Rust".into()), "not Rust");
    }

    #[test]
    fn nothing_similar_is_answered_with_the_list() {
        for name in ["", "zzz", "pagerank"] {
            assert_eq!(hint_for(name), "`meerkat show --list` names them all", "{name}");
        }
    }
}
