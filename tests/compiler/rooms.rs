//! Rooms import along the tables of docs/ARCHITECTURE.md alone.
//!
//! A room is a folder or a file at the top of a crate's sources. The last column of its row says
//! what it may import: `nothing`, names of rooms, or `all above`, perhaps `but` some. Only rooms
//! in rows above may be named, so there is no circle. Unit tests and `lib.rs`, which has the
//! prelude, may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Names = BTreeSet<String>;

/// The crates, and the room that every other below it may import.
const CRATES: [(&str, Option<&str>); 3] = [
    ("meerkat-macros", Some("diagnostics")),
    ("meerkat-runtime", Some("error")),
    ("meerkat-algos", None),
];

/// Crates in which no two files of a room may import each other either.
const WITHOUT_CIRCLES: [&str; 2] = ["meerkat-runtime", "meerkat-algos"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// What each room may import, by the table under a crate's heading.
fn table(name: &str, of_all: Option<&str>) -> BTreeMap<String, Names> {
    let page = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("the page");
    let heading = format!("### {name}/src");
    let (_, section) = page.split_once(&heading).unwrap_or_else(|| panic!("no `{heading}`"));
    let rows = section.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let (mut allowed, mut above) = (BTreeMap::new(), Names::new());
    for row in rows {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let (rooms, last) = (quoted(cells[0]), cells[cells.len() - 1]);
        let named = quoted(last);
        let unknown: Vec<_> = named.difference(&above).collect();
        assert!(unknown.is_empty(), "{name}, {rooms:?}: {unknown:?} is in no row above");
        let mut may = match last.strip_prefix("all above") {
            Some(_) => above.difference(&named).cloned().collect(),
            None => named,
        };
        may.extend(of_all.filter(|room| above.contains(*room)).map(str::to_owned));
        above.extend(rooms.iter().cloned());
        allowed.extend(rooms.into_iter().map(|room| (room, may.clone())));
    }
    allowed
}

/// The names between backticks, without the slash of a folder.
fn quoted(cell: &str) -> Names {
    let names = cell.split('`').skip(1).step_by(2);
    names.map(|name| name.trim_end_matches('/').trim_end_matches(".rs").to_owned()).collect()
}

/// The files under a folder, but for unit tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if ["tests", "test_support"].contains(&&*stem) {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The code of a file, without comments and unit tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a file");
    let (text, _) = text.split_once("#[cfg(test)]\nmod tests {").unwrap_or((&text, ""));
    let lines = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

/// The first names of the paths that begin with `prefix`, groups in braces included.
fn first_names(code: &str, prefix: &str) -> Names {
    let mut names = Names::new();
    for (at, _) in code.match_indices(prefix) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|letter| letter.is_alphanumeric() || "_$:".contains(letter)) {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            None => names.extend(first_word(rest)),
            Some(group) => names.extend(members(group).into_iter().filter_map(first_word)),
        }
    }
    names
}

fn first_word(text: &str) -> Option<String> {
    let text = text.trim_start();
    let end = text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let word = &text[..end.unwrap_or(text.len())];
    (!word.is_empty()).then(|| word.to_owned())
}

/// The members of a group whose opening brace has been read.
fn members(group: &str) -> Vec<&str> {
    let (mut members, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                members.push(&group[from..at]);
                from = at + 1;
                if letter == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    members
}

/// The rooms that the names at the top of a crate come from: `pub use room::Name` in `lib.rs`.
fn origins(lib: &str) -> BTreeMap<String, String> {
    let mut origins = BTreeMap::new();
    // At the left edge: the prelude has its own.
    for item in lib.split("\npub use ").skip(1) {
        let Some((room, names)) = item.split(';').next().and_then(|item| item.split_once("::"))
        else {
            continue;
        };
        let names = match names.strip_prefix('{') {
            Some(group) => members(group),
            None => vec![names],
        };
        let names = names.into_iter().filter_map(first_word);
        origins.extend(names.map(|name| (name, room.trim().to_owned())));
    }
    origins
}

/// The room of a file: the first part of its path.
fn room(folder: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(folder).expect("a file of the crate");
    let first = inside.components().next().expect("a name").as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

#[test]
fn every_import_from_room_to_room_is_in_the_table() {
    let mut wrong = Vec::new();
    for (name, of_all) in CRATES {
        let (folder, allowed) = (root().join(name).join("src"), table(name, of_all));
        let lib = fs::read_to_string(folder.join("lib.rs")).expect("lib.rs");
        let (origins, mut arrows) = (origins(&lib), 0);
        for file in sources(&folder) {
            let (from, shown) = (room(&folder, &file), file.display().to_string());
            let Some(may) = allowed.get(&from) else {
                if from != "lib" && !lib.contains(&format!("#[cfg(test)]\nmod {from};")) {
                    wrong.push(format!("{shown}: the room `{from}` has no row"));
                }
                continue;
            };
            for to in first_names(&code(&file), "crate::") {
                let to = origins.get(&to).unwrap_or(&to);
                arrows += 1;
                if *to != from && to != "meerkat_macros" && !may.contains(to) {
                    wrong.push(format!("{shown}: `{from}` may not import `{to}`"));
                }
            }
        }
        assert!(arrows > 2, "{name}: {arrows} arrows found");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The siblings that each file or folder of a room imports.
fn siblings(folder: &Path) -> BTreeMap<String, Names> {
    let mut arrows = BTreeMap::<String, Names>::new();
    for file in sources(folder) {
        let from = room(folder, &file);
        let depth = file.strip_prefix(folder).expect("a file of it").components().count();
        if from != "mod" {
            let names = first_names(&code(&file), &"super::".repeat(depth));
            arrows.entry(from).or_default().extend(names);
        }
    }
    let all: Names = arrows.keys().cloned().collect();
    for (from, names) in &mut arrows {
        names.retain(|name| all.contains(name) && name != from);
    }
    arrows
}

#[test]
fn no_two_files_of_a_room_import_each_other() {
    for name in WITHOUT_CIRCLES {
        let folder = root().join(name).join("src");
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if !path.is_dir() {
                continue;
            }
            let mut left = siblings(&path);
            // Takes away the files that import none of those that are left.
            loop {
                let count = left.len();
                let there: Names = left.keys().cloned().collect();
                left.retain(|_, names| !names.is_disjoint(&there));
                if left.len() == count {
                    break;
                }
            }
            assert!(left.is_empty(), "circles in {}: {left:#?}", path.display());
        }
    }
}
