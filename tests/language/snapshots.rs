//! The CUDA text of every built-in kernel and of every construct of
//! docs/LANGUAGE.md, as code to review. Bless with `INSTA_UPDATE=always`, never edit.

use crate::constructs::kernels;
use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

/// Compares with a file of a folder of `tests/snapshots/cuda`.
fn bound(folder: &str, check: impl FnOnce()) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(crate::support::root().join("tests/snapshots/cuda").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(check);
}

/// The last part of the module's path; of an algorithm's folder, the algorithm.
fn module(kernel: &KernelInfo) -> &str {
    let path = kernel.module();
    match path.strip_prefix("meerkat_algos::") {
        Some(path) => path.split("::").next().unwrap_or_default(),
        None => path.rsplit("::").next().unwrap_or_default(),
    }
}

/// The function that a kernel is made of, and what the kernel's name has besides: the
/// schedule, but for `Warp`, and the type arguments.
fn function_and_form(name: &str) -> (&str, &str) {
    let is_type = |word: &str| {
        let numbers = ["i32", "u32", "f32", "f64"];
        numbers.contains(&word) || word.starts_with(|first: char| first.is_ascii_uppercase())
    };
    let types = name.match_indices('_').find(|(at, _)| {
        let after = name[at + 1..].split('_').next();
        after.is_some_and(is_type)
    });
    let without_types = types.map_or(name, |(at, _)| &name[..at]);
    let suffixes = Schedule::ALL.map(|schedule| format!("_{}", schedule.name()));
    let function = suffixes.iter().find_map(|suffix| without_types.strip_suffix(suffix.as_str()));
    let function = function.unwrap_or(without_types);
    match name[function.len()..].trim_start_matches('_') {
        "" => (function, function),
        form => (function, form),
    }
}

#[test]
fn cuda_of_every_built_in_kernel_is_as_reviewed() {
    for kernel in meerkat::algos::kernels() {
        let (function, form) = function_and_form(kernel.name());
        let folder = format!("{}/{function}", module(&kernel));
        bound(&folder, || insta::assert_snapshot!(form, kernel.cuda_body()));
    }
}

/// The operator of the README, word for word.
mod readme {
    use meerkat::prelude::*;

    const UNREACHED: u32 = u32::MAX;

    /// Gives the neighbours of `v` that have no level yet the next one.
    #[rustfmt::skip]
    #[vertex_operator]
    fn visit(v: Vertex, graph: &Graph, level: u32, levels: &[Atomic<u32>], next: &Frontier<Vertex>) {
        for_each_neighbor(graph, v, true, |dst| {
            let discovered = levels[dst].load() == UNREACHED
                && levels[dst].fetch_min(level) == UNREACHED;
            warp_enqueue_frontier(next, dst, discovered);
        });
    }

    pub(super) fn shown() -> String {
        visit::info().cuda_body()
    }
}

#[test]
fn the_operator_of_the_readme_becomes_what_it_says() {
    let readme = std::fs::read_to_string(crate::support::root().join("README.md")).unwrap();
    let block = |kind: &str| {
        let (_, rest) = readme.split_once(kind).unwrap();
        rest.split_once("```").unwrap().0.trim_end().to_owned()
    };
    let words = |text: &str| {
        let text = text.replace("#[rustfmt::skip]", "");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (_, operator) = block("```rust\n")
        .split_once("prelude::*;")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    assert!(words(include_str!("snapshots.rs")).contains(&words(&operator)));
    let body = readme::shown();
    assert_eq!(body.split_at(body.find("extern").unwrap()).1.trim_end(), block("```cuda\n"));
}

/// What a snapshot of constructs is called: a topic, and of schedules, which have many
/// lowerings each, an operator. An operator under one schedule stands on one page for all containers.
fn topic(kernel: &KernelInfo) -> String {
    let (topic, _) = within_constructs(kernel);
    match (topic.as_str(), kernel.name().split('_').next()) {
        ("schedules", Some(operator)) => format!("schedules_{operator}"),
        (CONTAINERS, _) => {
            let (function, form) = function_and_form(kernel.name());
            let schedules = Schedule::ALL.map(|schedule| schedule.name());
            let schedule = schedules.iter().find(|name| form.starts_with(**name));
            format!("{topic}_{function}_{}", schedule.unwrap_or(&Schedule::Warp.name()))
        }
        _ => topic,
    }
}

/// The topic whose pages have the functions of the containers, too: they are what differs.
const CONTAINERS: &str = "containers";

/// The topic's module, and the kernel's path in there.
fn within_constructs(kernel: &KernelInfo) -> (String, String) {
    let path = kernel.module().split("constructs::kernels::").last().unwrap_or_default();
    let (topic, inner) = path.split_once("::").unwrap_or((path, ""));
    let separator = if inner.is_empty() { "" } else { "::" };
    (topic.to_owned(), format!("{inner}{separator}{}", kernel.name()))
}

/// The kernels of a topic one after another. What several of them need is there once,
/// and the run time's own functions, which the built-in kernels show, but for containers not at all.
fn page(kernels: &[&KernelInfo]) -> String {
    let mut page = String::new();
    let mut seen = HashSet::new();
    for kernel in kernels {
        let _ = writeln!(page, "// ==== {}", within_constructs(kernel).1);
        for part in kernel.cuda_body().split("\n\n") {
            let items = if part.starts_with("// ") { vec![part] } else { declarations(part) };
            for item in items {
                let is_new = seen.insert(item.trim_end().to_owned());
                let is_own = !item.starts_with("// meerkat_runtime::");
                if is_new && (is_own || within_constructs(kernel).0 == CONTAINERS) {
                    if !is_own {
                        page.push('\n');
                    }
                    let _ = writeln!(page, "{}", item.trim_end());
                }
            }
        }
        page.push('\n');
    }
    page
}

/// Constants and structs, each for itself: what ends with `;` at the left edge.
fn declarations(text: &str) -> Vec<&str> {
    let (mut items, mut from, mut end) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        end += line.len();
        if !line.starts_with(' ') && line.trim_end().ends_with(';') {
            items.push(&text[from..end]);
            from = end;
        }
    }
    items
}

#[test]
fn cuda_of_every_construct_is_as_reviewed() {
    let kernels = kernels::all();
    let topics: BTreeSet<_> = kernels.iter().map(topic).collect();
    for name in topics {
        let of_topic: Vec<_> = kernels.iter().filter(|kernel| topic(kernel) == name).collect();
        bound("constructs", || insta::assert_snapshot!(name, page(&of_topic)));
    }
}

/// The names after the attributes that launch, those that a macro makes up left out.
fn launched(source: &str) -> Vec<&str> {
    let attributes = ["#[kernel]", "#[vertex_operator]", "#[edge_operator]"];
    let pairs = source.lines().zip(source.lines().skip(1));
    let launched = pairs.filter(|(line, _)| attributes.contains(&line.trim()));
    let names = launched.map(|(_, line)| line.trim().trim_start_matches("pub fn "));
    names
        .filter(|name| !name.starts_with('$'))
        .filter_map(|name| name.split(['(', '<']).next())
        .collect()
}

#[test]
fn no_kernel_of_the_constructs_is_left_out() {
    let kernels = kernels::all();
    let mut missing = Vec::new();
    let mut count = 0;
    for entry in
        std::fs::read_dir(crate::support::root().join("tests/language/constructs/kernels")).unwrap()
    {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().display().to_string();
        let source = std::fs::read_to_string(&path).unwrap();
        for name in launched(&source) {
            count += 1;
            let is_it = |kernel: &KernelInfo| {
                let rest = kernel.name().strip_prefix(name);
                within_constructs(kernel).0 == module
                    && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
            };
            if !kernels.iter().any(is_it) {
                missing.push(format!("{module}::{name}"));
            }
        }
    }
    assert!(missing.is_empty(), "not in `kernels()`: {missing:?}");
    assert!(count > 100, "{count} kernels");
}

#[test]
fn no_reviewed_kernel_is_one_that_no_longer_exists() {
    let root = crate::support::root().join("tests/snapshots/cuda");
    let mut left: BTreeSet<_> = files(&root).into_iter().collect();
    for kernel in meerkat::algos::kernels() {
        let (function, form) = function_and_form(kernel.name());
        left.remove(&root.join(module(&kernel)).join(function).join(format!("{form}.snap")));
    }
    for kernel in kernels::all() {
        left.remove(&root.join("constructs").join(format!("{}.snap", topic(&kernel))));
    }
    assert_eq!(left, BTreeSet::new(), "delete these");
}

fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let (folders, files): (Vec<_>, Vec<_>) =
        entries.map(|entry| entry.path()).partition(|path| path.is_dir());
    folders.iter().flat_map(|folder| self::files(folder)).chain(files).collect()
}
