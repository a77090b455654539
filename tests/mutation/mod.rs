//! Mistakes put into the macros on purpose, to see that a test fails for each:
//! see `tests/mutation/README.md`.

mod checker;
mod lowering;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// One expression of the macros, replaced.
pub(crate) struct Mutant {
    /// Below `meerkat-macros/src`.
    pub(crate) file: &'static str,
    /// Text that is once in the file; what is replaced stands between `⟪` and `⟫`.
    pub(crate) at: &'static str,
    /// What takes its place.
    pub(crate) by: &'static str,
    /// Whether it is in the text of a lowering's program.
    in_program: bool,
}

const fn mutant(file: &'static str, at: &'static str, by: &'static str) -> Mutant {
    Mutant { file, at, by, in_program: false }
}

/// Some words of a lowering's program (`program!`), replaced.
const fn program(file: &'static str, at: &'static str, by: &'static str) -> Mutant {
    Mutant { file, at, by, in_program: true }
}

/// A mutant as it can be turned on, and what to call it.
pub(crate) struct Planted {
    pub(crate) number: usize,
    pub(crate) name: String,
}

/// Every mutant that is written down.
pub(crate) fn listed() -> impl Iterator<Item = &'static Mutant> {
    checker::MUTANTS.iter().chain(lowering::MUTANTS)
}

/// What is wrong with the list: mutants that are not in their file, or not any more
/// once those before them are.
pub(crate) fn problems(macros: &Path) -> Vec<String> {
    let mut texts = HashMap::new();
    let problem = |(number, mutant): (usize, &Mutant)| {
        let read = || fs::read_to_string(macros.join(mutant.file)).unwrap_or_default();
        let text = texts.entry(mutant.file).or_insert_with(read);
        let problem = mutant.problem(text);
        *text = mutant.plant(text, number);
        problem
    };
    listed().enumerate().filter_map(problem).collect()
}

impl Mutant {
    fn parts(&self) -> (&str, &str, &str) {
        let (before, rest) = self.at.split_once('⟪').expect("a mark");
        let (old, after) = rest.split_once('⟫').expect("a mark");
        (before, old, after)
    }

    /// What is wrong with it, if it does not fit its file's text.
    fn problem(&self, text: &str) -> Option<String> {
        let (before, old, after) = self.parts();
        let found = text.matches(&format!("{before}{old}{after}")).count();
        (found != 1).then(|| format!("{}: {found} times {:?}", self.file, self.at))
    }

    fn plant(&self, text: &str, number: usize) -> String {
        let (before, old, after) = self.parts();
        let by = self.by;
        let choice = match self.in_program {
            true => format!("__mutant({number}, {{ {by} }}, {{ {old} }})"),
            false => format!("(if crate::mutant({number}) {{ {by} }} else {{ {old} }})"),
        };
        let (whole, planted) =
            (format!("{before}{old}{after}"), format!("{before}{choice}{after}"));
        text.replacen(&whole, &planted, 1)
    }
}

/// Files whose refusals are not the language's.
const NOT_MUTATED: [&str; 5] =
    ["diagnostics.rs", "lowerings.rs", "refusals.rs", "tables.rs", "tests.rs"];

/// Puts every mutant into a copy of the macros, each turned on by its number in
/// `MEERKAT_MUTANT`: the listed ones, and for each refusal one that keeps silent.
pub(crate) fn plant(macros: &Path) -> io::Result<Vec<Planted>> {
    let mut planted = Vec::new();
    for mutant in listed() {
        let path = macros.join(mutant.file);
        let text = fs::read_to_string(&path)?;
        let mutated = mutant.plant(&text, planted.len());
        assert_ne!(mutated, text, "another mutant is in its place: {}", mutant.at);
        fs::write(&path, mutated)?;
        let name = format!("{}: {} => {}", mutant.file, mutant.at, mutant.by);
        planted.push(Planted { number: planted.len(), name });
    }
    for path in sources(macros)? {
        let name = path.strip_prefix(macros).unwrap_or(&path).display().to_string();
        if !NOT_MUTATED.contains(&name.as_str()) {
            let text = silence(&fs::read_to_string(&path)?, &name, &mut planted);
            fs::write(&path, text)?;
        }
    }
    add(macros, "lib.rs", "fn compile(", SWITCH)?;
    add(macros, "parse/program.rs", "        let each = text.into_iter()", CHOOSE)?;
    add(macros, "diagnostics.rs", "    pub(crate) fn push(", SILENT_REPORT)?;
    add(macros, "parse/mod.rs", "    fn unsupported(", SILENT_UNSUPPORTED)?;
    Ok(planted)
}

/// Makes each refusal one that a mutant can turn off.
fn silence(text: &str, name: &str, planted: &mut Vec<Planted>) -> String {
    let mut out = String::new();
    for (line, code) in text.lines().enumerate() {
        let mut code = code.to_owned();
        for call in ["errors.report(", "self.unsupported("] {
            if code.contains(call) {
                let number = planted.len();
                let silent = call.replace('(', &format!("_unless({number}, "));
                code = code.replacen(call, &silent, 1);
                let name = format!("{name}:{}: a refusal is left out", line + 1);
                planted.push(Planted { number, name });
            }
        }
        out.push_str(&code);
        out.push('\n');
    }
    out
}

fn add(macros: &Path, file: &str, before: &str, code: &str) -> io::Result<()> {
    let path = macros.join(file);
    let text = fs::read_to_string(&path)?;
    assert!(text.contains(before), "{file} has no {before:?}");
    fs::write(path, text.replacen(before, &format!("{code}\n{before}"), 1))
}

fn sources(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

const SWITCH: &str = r#"
pub(crate) fn mutant(number: usize) -> bool {
    static ON: std::sync::OnceLock<Option<usize>> = std::sync::OnceLock::new();
    let read = || std::env::var("MEERKAT_MUTANT").ok().and_then(|on| on.parse().ok());
    *ON.get_or_init(read) == Some(number)
}
"#;

/// `__mutant(number, { by }, { old })` in a program is the one or the other.
const CHOOSE: &str = r#"
        let mut tokens = Vec::from_iter(text);
        while let Some(at) = tokens.iter().position(|token| token.to_string() == "__mutant") {
            let TokenTree::Group(choice) = tokens[at + 1].clone() else { unreachable!() };
            let choice = Vec::from_iter(choice.stream());
            let on = choice[0].to_string().parse().is_ok_and(crate::mutant);
            let TokenTree::Group(chosen) = &choice[if on { 2 } else { 4 }] else { unreachable!() };
            tokens.splice(at..at + 2, chosen.stream());
        }
        let text = TokenStream::from_iter(tokens);
"#;

const SILENT_REPORT: &str = r#"
    pub(crate) fn report_unless(
        &self,
        number: usize,
        place: impl Into<Place>,
        message: impl AsRef<str>,
        help: impl AsRef<str>,
    ) {
        if !crate::mutant(number) {
            self.report(place, message, help);
        }
    }
"#;

const SILENT_UNSUPPORTED: &str = r#"
    fn unsupported_unless(
        &self,
        number: usize,
        place: impl Into<Place>,
        what: &str,
        help: &str,
    ) {
        if !crate::mutant(number) {
            self.unsupported(place, what, help);
        }
    }
"#;
