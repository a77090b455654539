//! The reviewed CUDA of `tests/snapshots` without rustc: what the writer makes of
//! each function is in the snapshot of its kernel, line by line. (`cargo test --test
//! snapshots` has whole programs of the built crates.)

use crate::check::CheckedKernel;
use crate::cuda;
use crate::ir::FunctionKind;
use crate::operator::Schedule;
use std::path::{Path, PathBuf};
use syn::visit::Visit;

/// The functions of a file that the macros read, with the module each is in.
struct Functions {
    module: String,
    found: Vec<(String, FunctionKind, syn::ItemFn)>,
}

impl<'a> Visit<'a> for Functions {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        let outer = std::mem::replace(&mut self.module, item.ident.to_string());
        syn::visit::visit_item_mod(self, item);
        self.module = outer;
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        let kinds = [
            FunctionKind::Kernel,
            FunctionKind::Device,
            FunctionKind::VertexOperator,
            FunctionKind::EdgeOperator,
        ];
        for kind in kinds {
            if item.attrs.iter().any(|attribute| attribute.path().is_ident(kind.attribute())) {
                let mut item = item.clone();
                item.attrs.clear();
                self.found.push((self.module.clone(), kind, item));
            }
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn functions(path: &Path) -> Vec<(String, FunctionKind, syn::ItemFn)> {
    let text = std::fs::read_to_string(path).expect("a source file");
    let module = path.file_stem().map_or_else(String::new, |stem| stem.display().to_string());
    let mut functions = Functions { module, found: Vec::new() };
    functions.visit_file(&syn::parse_file(&text).expect("Rust"));
    functions.found
}

fn checked(kind: FunctionKind, item: &syn::ItemFn, schedule: Schedule) -> CheckedKernel {
    let (checked, others) = crate::checked(kind, &quote::quote!(), item).expect("no errors");
    let other = others.into_iter().find(|other| other.schedule == schedule);
    other.map_or(checked, |other| other.checked.expect("no errors"))
}

/// The CUDA text of a function under a schedule, its marks as names.
fn text(kind: FunctionKind, item: &syn::ItemFn, schedule: Schedule, weight: &str) -> String {
    let checked = checked(kind, item, schedule);
    let lines = cuda::write(&checked).into_iter().map(|line| line.text + "\n");
    let mut text = lines.collect::<String>();
    for generic in item.sig.generics.type_params() {
        text = text.replace(&format!("«{}»", generic.ident), weight);
    }
    // A function of a type is named after both.
    let text = text.split('‹').map(|part| match part.split_once('›') {
        Some((name, rest)) => name.replace("::", "_") + rest,
        None => part.to_owned(),
    });
    let text = text.collect::<String>();
    let names = [("⟦", "["), ("⟧", "]"), ("«", ""), ("»", "")];
    names.into_iter().fold(text, |text, (mark, name)| text.replace(mark, name))
}

/// Compares the functions of a file with their snapshots; how many have one.
fn compare(prefix: &str, path: &Path) -> usize {
    let mut compared = 0;
    for (module, kind, item) in functions(path) {
        let schedules = if kind.is_operator() { &Schedule::ALL[..] } else { &Schedule::ALL[..1] };
        for schedule in schedules {
            let name = format!("{prefix}_{module}_{}{}", item.sig.ident, schedule.suffix());
            for weight in ["", "Unit", "f32", "u32"] {
                let suffix = if weight.is_empty() { String::new() } else { format!("_{weight}") };
                let snapshot = root().join(format!("tests/snapshots/{name}{suffix}.snap"));
                let Ok(reviewed) = std::fs::read_to_string(snapshot) else { continue };
                let text = text(kind, &item, *schedule, weight);
                assert!(reviewed.contains(&text), "{name}{suffix} is not\n{text}");
                compared += 1;
            }
        }
    }
    compared
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of sources");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = paths.partition(|path| path.is_dir());
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let below = folders.iter().flat_map(|folder| sources(folder));
    below.chain(files.into_iter().filter(is_rust)).collect()
}

#[test]
fn the_text_of_20_constructs_is_in_their_snapshots() {
    let files = sources(&root().join("tests/constructs/kernels"));
    let compared: usize = files.iter().map(|file| compare("construct", file)).sum();
    assert!(compared >= 20, "{compared}");
}

#[test]
fn the_text_of_30_built_in_kernels_is_in_their_snapshots() {
    let compared: usize = ["meerkat-algos/src", "meerkat-runtime/src/graph"]
        .iter()
        .flat_map(|folder| sources(&root().join(folder)))
        .map(|file| compare("built_in", &file))
        .sum();
    assert!(compared >= 30, "{compared}");
}

/// The lock-step body of a function, formatted.
fn native_text(kind: FunctionKind, item: &syn::ItemFn) -> String {
    let (body, _) = crate::native::body(&checked(kind, item, Schedule::Warp));
    let name = &item.sig.ident;
    let body = body.to_string().replace(":: meerkat_runtime :: lanes :: ", "");
    let file = syn::parse_str(&format!("fn {name}() {{ {body} }}")).expect("Rust");
    prettyplease::unparse(&file)
}

#[test]
fn lock_step_form_of_23_constructs_is_as_reviewed() {
    let chosen = [
        ("tests/constructs/kernels/accumulations.rs", &["sums"][..]),
        ("tests/constructs/kernels/branches.rs", &["short_circuits", "guarded_read", "values"]),
        (
            "tests/constructs/kernels/functions.rs",
            &["classify", "smallest_divisor", "votes_above", "uniforms"],
        ),
        ("tests/constructs/kernels/operators.rs", &["filter"]),
        ("tests/constructs/kernels/loops.rs", &["ranges", "parted_labels", "mixed"]),
        ("tests/constructs/kernels/structs.rs", &["fields"]),
        ("tests/constructs/kernels/warp.rs", &["votes", "work_list", "vouched"]),
        (
            "tests/fuzz_regressions.rs",
            &[
                "calls_not_always",
                "call_in_a_condition_of_a_loop",
                "effects_in_broadcast",
                "effects_in_shuffle",
                "effects_in_place",
                "turns_until",
                "own_element_as_index",
            ],
        ),
    ];
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (path, names) in chosen {
            let functions = functions(&root().join(path));
            for name in names {
                let found = functions.iter().find(|(.., item)| item.sig.ident == name);
                let (module, kind, item) = found.expect("a construct of this name");
                insta::assert_snapshot!(
                    format!("native_{module}_{name}"),
                    native_text(*kind, item)
                );
            }
        }
    });
}
