//! The reviewed CUDA of `tests/snapshots` without rustc: what the writer makes of
//! each function is in the snapshot of its kernel, line by line. (`cargo test --test
//! language snapshots` has whole programs of the built crates.)

use crate::check::CheckedKernel;
use crate::cuda;
use crate::expand::Compiled;
use crate::ir::FunctionKind;
use crate::operator::Schedule;
use regex::{Regex, RegexBuilder};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use syn::visit::Visit;

/// What the run time does with branches.
#[path = "../../meerkat-runtime/src/program/fold.rs"]
mod fold;
#[path = "../../meerkat-runtime/src/program/setters.rs"]
mod setters;
#[path = "../../meerkat-runtime/src/program/unbounded.rs"]
mod unbounded;

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
    let read = || crate::checked(kind, &quote::quote!(), item);
    let Compiled { checked, others, .. } = crate::run_time::compile(read).expect("no errors");
    let other = others.into_iter().find(|other| other.schedule == schedule);
    other.map_or(checked, |other| other.checked.expect("no errors"))
}

/// Whether the CUDA text of a function under a schedule is in a snapshot. What rustc finds may decide
/// a branch, which has one arm there, then.
fn assert_is_in(
    reviewed: &str,
    (kind, item, schedule): (FunctionKind, &syn::ItemFn, Schedule),
    name: &str,
) {
    let checked = checked(kind, item, schedule);
    let lines = cuda::write(&checked, &cuda::Table::default()).into_iter();
    let lines: Vec<_> = (0..).zip(lines.map(|line| line.text)).collect();
    let condition = Regex::new(r"^ *(?:if \(!?|return )(«\d+»)").expect("a pattern");
    let number = Regex::new(r"\d+").expect("a pattern");
    // Conditions that are spelled alike ask one container the same.
    let mut marks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, line) in &lines {
        if let Some(found) = condition.captures(line) {
            let spelled = number.replace_all(line.trim(), "").into_owned();
            marks.entry(spelled).or_default().push(found[1].to_owned());
        }
    }
    let mut answers = vec![HashMap::new()];
    for marks in marks.into_values() {
        let with = |answer| {
            let alike = || marks.iter().map(|mark| (mark.clone(), answer));
            let more =
                |known: &HashMap<String, bool>| known.clone().into_iter().chain(alike()).collect();
            answers.iter().map(more).collect::<Vec<_>>()
        };
        let more = [with(true), with(false)].concat();
        answers.extend(more);
    }
    let lines = on_one_line(lines);
    let counted = Regex::new(r"^ *u32 ‹left[^›]*› = («\d+»)").expect("a pattern");
    let counted = lines.iter().filter_map(|(_, line)| Some(counted.captures(line)?[1].to_owned()));
    let counted: Vec<_> = counted.collect();
    // Some containers do not know how many neighbours are left: of no walk, of one, or of all.
    let mut sets = vec![HashSet::new()];
    sets.extend(counted.iter().map(|one| HashSet::from([one.clone()])));
    sets.push(counted.into_iter().collect());
    let folded = |(known, unbounded)| {
        let lines = fold::choices(fold::branches(lines.clone(), known), known);
        let lines = unbounded::without_bounds(fold::returned(lines), unbounded);
        fold::merged(fold::without_unused(lines))
    };
    let each = |unbounded| answers.iter().map(move |known| (known, unbounded));
    let texts = sets.iter().flat_map(each).map(folded);
    let found = texts.map(|lines| pattern(&lines)).any(|text| text.is_match(reviewed));
    assert!(found, "{name} is not\n{}", pattern(&lines));
}

/// The lines, where a literal of many fields has none for each.
fn on_one_line(lines: Vec<(u32, String)>) -> Vec<(u32, String)> {
    let mut whole: Vec<(u32, String)> = Vec::new();
    for (number, line) in lines {
        match whole.last_mut() {
            Some((_, last)) if line.trim().starts_with(".with_") => last.push_str(line.trim()),
            _ => whole.push((number, line)),
        }
    }
    whole
}

/// A line with `{⟪a⟫x⟪b⟫y⟪⟫` for `{}.with_a(x).with_b(y)`.
fn with_either_literal(line: &str) -> String {
    let mut line = line.to_owned();
    while let Some(at) = line.rfind("{}.with_") {
        let (values, rest) = setters::setters(&line[at + 2..]).expect("calls");
        let values: String =
            values.iter().map(|(field, value)| format!("⟪{field}⟫{value}")).collect();
        line = format!("{}{{{values}⟪⟫{rest}", &line[..at]);
    }
    line
}

/// Lines of CUDA as a pattern: a mark is any name, a variable its own, which the run time may
/// number. Classes of ASCII: CUDA has no other letters, and those of Unicode take longer to compile.
fn pattern(lines: &[(u32, String)]) -> Regex {
    let text = lines.iter().map(|(_, line)| with_either_literal(line) + "\n").collect::<String>();
    let text = regex::escape(&text.replace('⟦', "[").replace('⟧', "]"));
    let marks = Regex::new("«[^»]*»").expect("a pattern");
    let text = marks.replace_all(&text, r"[0-9A-Za-z_<>(), .-]+?");
    let fields = Regex::new(r"‹\\\.([^›]*)›").expect("a pattern");
    let text = fields.replace_all(&text, r"\.${1}_?");
    // A struct literal has setters, or braces alone: see `literals.rs` of the run time.
    let first = Regex::new(r"\\\{⟪([^⟫]+)⟫").expect("a pattern");
    let text = first.replace_all(&text, r"\{(?:\}\s*\.with_${1}\()?");
    let others = Regex::new("⟪([^⟫]+)⟫").expect("a pattern");
    let text = others.replace_all(&text, r"(?:\)\s*\.with_${1}\(|, )");
    let text = text.replace("⟪⟫", r"[)}]");
    let setters = Regex::new("‹=([^›]*)›").expect("a pattern");
    let text = setters.replace_all(&text, "$1");
    let variables = Regex::new("‹([^›]*)›").expect("a pattern");
    let text = variables.replace_all(&text, r"$1(?:_[0-9]+)?");
    // Letters that C++ has no room for are spelled out.
    let spelled = Regex::new(r"[^\x00-\x7f]").expect("a pattern");
    let text = spelled.replace_all(&text, "[0-9A-Za-z_]+?");
    RegexBuilder::new(&text).size_limit(1 << 28).build().expect("a pattern")
}

/// Compares the functions of a file with their snapshots; how many have one.
fn compare(path: &Path) -> usize {
    let mut compared = 0;
    for (module, kind, item) in functions(path) {
        let schedules = if kind.is_operator() { &Schedule::ALL[..] } else { &Schedule::ALL[..1] };
        for schedule in schedules {
            let name = item.sig.ident.to_string();
            let folder = root().join("tests/snapshots/cuda").join(&module).join(&name);
            for weight in ["", "_Unit", "_f32", "_u32"] {
                let form = format!("{}{weight}", schedule.suffix());
                let form = if form.is_empty() { &name } else { form.trim_start_matches('_') };
                let snapshot = folder.join(format!("{form}.snap"));
                let Ok(reviewed) = std::fs::read_to_string(snapshot) else { continue };
                assert_is_in(&reviewed, (kind, &item, *schedule), &format!("{name} {form}"));
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

/// The reviewed pages of a topic of constructs, as one text.
fn pages(topic: &str) -> String {
    let folder = root().join("tests/snapshots/cuda/constructs");
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let (page, parts) = (format!("{topic}.snap"), format!("{topic}_"));
    let is_page = |name: &str| name == page || name.starts_with(&parts);
    let pages = paths.filter(|path| is_page(&path.file_name().expect("a name").to_string_lossy()));
    pages.map(|path| std::fs::read_to_string(path).expect("a snapshot")).collect()
}

/// Whether a line heads an instance of the function: its type arguments follow its name.
fn is_headed(line: &str, name: &str) -> bool {
    let arguments = line.strip_prefix("// ==== ").and_then(|head| head.strip_prefix(name));
    let is_argument = |word: &str| {
        let types = [
            "",
            "Unit",
            "f32",
            "u32",
            "i32",
            "u64",
            "u16",
            "i64",
            "f64",
            "Tropical",
            "Two",
            "ArgMax",
            "Graph",
            "Compact",
            "Blocks",
            "Rows",
            "BitMatrix",
        ];
        types.contains(&word) || word.parse::<u32>().is_ok()
    };
    arguments.is_some_and(|arguments| arguments.split('_').all(is_argument))
}

/// Compares the functions of a topic with its pages; how many lowerings were.
fn compare_with_pages(path: &Path) -> usize {
    let topic = path.file_stem().map_or_else(String::new, |stem| stem.display().to_string());
    let (pages, mut compared) = (pages(&topic), 0);
    for (module, kind, item) in functions(path) {
        let before = compared;
        let schedules = if kind.is_operator() { &Schedule::ALL[..] } else { &Schedule::ALL[..1] };
        for schedule in schedules {
            let inner = if module == topic { String::new() } else { format!("{module}::") };
            let name = format!("{inner}{}{}", item.sig.ident, schedule.suffix());
            let headed = pages.lines().filter(|line| is_headed(line, &name)).count();
            if headed > 0 {
                assert_is_in(&pages, (kind, &item, *schedule), &format!("{topic}: {name}"));
                compared += headed;
            }
        }
        if kind == FunctionKind::Device {
            let name = format!("{topic}: {}", item.sig.ident);
            assert_is_in(&pages, (kind, &item, Schedule::Warp), &name);
            compared += 1;
        }
        assert!(compared > before, "{topic}: {} is on no page", item.sig.ident);
    }
    compared
}

/// The topics of constructs, each a file of kernels.
fn topics() -> Vec<PathBuf> {
    let mut topics = sources(&root().join("tests/language/constructs/kernels"));
    topics.retain(|path| !path.ends_with("mod.rs"));
    topics
}

#[test]
fn the_text_of_every_construct_is_on_its_page() {
    let compared: usize = topics().iter().map(|path| compare_with_pages(path)).sum();
    assert!(compared >= 100, "{compared}");
}

#[test]
fn the_text_of_30_built_in_kernels_is_in_their_snapshots() {
    let compared: usize = ["meerkat-algos/src", "meerkat-runtime/src/graph"]
        .iter()
        .flat_map(|folder| sources(&root().join(folder)))
        .map(|file| compare(&file))
        .sum();
    assert!(compared >= 30, "{compared}");
}

/// The lock-step body of a function, formatted.
fn native_text(kind: FunctionKind, item: &syn::ItemFn) -> String {
    let body = crate::native::body(&checked(kind, item, Schedule::Warp));
    let name = &item.sig.ident;
    let body = crate::ir::callee::readable(body).to_string();
    let body = body.replace(":: meerkat_runtime :: lanes :: ", "");
    let file = syn::parse_str(&format!("fn {name}() {{ {body} }}")).expect("Rust");
    prettyplease::unparse(&file)
}

/// Kernels that the fuzzer found, whose order of evaluation is worth reading.
const FOUND: [&str; 13] = [
    "calls_not_always",
    "call_in_a_condition_of_a_loop",
    "effects_in_broadcast",
    "effects_in_shuffle",
    "effects_in_place",
    "turns_until",
    "own_element_as_index",
    "unused_choice",
    "typed_by_the_left_side",
    "chosen_broadcast",
    "typed_by_an_index",
    "typed_by_a_walk",
    "typed_in_a_closure",
];

#[test]
fn lock_step_form_of_every_construct_is_as_reviewed() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/snapshots/native"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for path in topics() {
            let topic =
                path.file_stem().map_or_else(String::new, |stem| stem.display().to_string());
            let page: Vec<_> =
                functions(&path).iter().map(|(_, kind, item)| native_text(*kind, item)).collect();
            // Those of casts are all made by a macro.
            if !page.is_empty() {
                insta::assert_snapshot!(topic, page.join("\n"));
            }
        }
        let mut found = functions(&root().join("tests/language/fuzz_regressions.rs"));
        found.retain(|(.., item)| FOUND.iter().any(|name| item.sig.ident == name));
        assert_eq!(found.len(), FOUND.len());
        let page: Vec<_> = found.iter().map(|(_, kind, item)| native_text(*kind, item)).collect();
        insta::assert_snapshot!("fuzz_regressions", page.join("\n"));
    });
}
