//! Links lead to files and headings that are there, and the table of contents has every page.

use std::path::{Path, PathBuf};

use crate::pages::{Page, beside, book, root, summary};

/// The path without `.` and `..`, from the root of the repository.
fn resolved(page: &Page, target: &str) -> String {
    let folder = Path::new(&page.path).parent().expect("a folder");
    let mut parts: Vec<&str> = folder.to_str().expect("UTF-8").split('/').collect();
    parts.retain(|part| !part.is_empty());
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn is_elsewhere(link: &str) -> bool {
    ["https://", "http://", "mailto:"].iter().any(|scheme| link.starts_with(scheme))
}

/// What is wrong with a link of a page, if anything.
fn fault(page: &Page, link: &str, pages: &[Page]) -> Option<String> {
    let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
    let path = if target.is_empty() { page.path.clone() } else { resolved(page, target) };
    if page.path.starts_with("docs/") && !path.starts_with("docs/") {
        return Some(format!("{}: `{link}` leads out of the book: name the file", page.path));
    }
    if !root().join(&path).exists() {
        return Some(format!("{}: `{link}`: there is no {path}", page.path));
    }
    let has_anchor =
        |page: &Page| page.path == path && page.anchors().iter().any(|known| known == anchor);
    let is_right = anchor.is_empty() || pages.iter().any(has_anchor);
    (!is_right).then(|| format!("{}: `{link}`: {path} has no such heading", page.path))
}

#[test]
fn links_of_the_book_and_the_readme_lead_to_files_and_headings() {
    let mut pages = book();
    pages.extend(beside());
    pages.push(summary());
    let (mut followed, mut wrong) = (0, Vec::new());
    for page in &pages {
        for link in page.links.iter().filter(|link| !is_elsewhere(link)) {
            followed += 1;
            wrong.extend(fault(page, link, &pages));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(followed > 150, "{followed} links");
}

/// The files and folders of the repository, from its root.
fn tree() -> Vec<String> {
    let top = ["meerkat-macros", "meerkat-runtime", "meerkat-algos", "src", "tests", "docs"];
    let mut folders: Vec<PathBuf> = top
        .into_iter()
        .chain(["benches", "examples", "scripts", "meerkat-python"])
        .map(|f| root().join(f))
        .collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let relative = folder.strip_prefix(root()).expect("in the repository").to_path_buf();
        let inside = format!("/{}/", relative.to_string_lossy().replace('\\', "/"));
        for entry in folder.read_dir().expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(format!("{inside}{name}")),
            }
        }
        found.push(inside);
    }
    found
}

/// Whether a word names a file of sources, or a folder, by the end of its path.
fn is_source(word: &str) -> bool {
    let is_path = word.chars().all(|c| c.is_ascii_lowercase() || "_-./0123456789".contains(c));
    let ends = [".rs", ".cu", ".json", ".stderr", ".snap", "/"];
    is_path && word.contains('/') && ends.iter().any(|end| word.ends_with(end))
}

#[test]
fn files_that_the_architecture_and_decisions_name_are_there() {
    let tree = tree();
    let is_there = |word: &str| tree.iter().any(|path| path.ends_with(&format!("/{word}")));
    let (mut named, mut wrong) = (0, Vec::new());
    let about_code = |page: &Page| page.path.contains("decisions/") || page.path.contains("ARCHI");
    for page in book().iter().filter(|page| about_code(page)) {
        for word in page.words.iter().filter(|word| is_source(word)) {
            named += 1;
            if !is_there(word) {
                wrong.push(format!("{}: there is no `{word}`", page.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(named > 100, "{named} names");
}

#[test]
fn the_table_of_contents_has_every_page_once() {
    let contents = summary();
    let listed: Vec<String> = contents.links.iter().map(|link| resolved(&contents, link)).collect();
    for page in book() {
        let times = listed.iter().filter(|path| **path == page.path).count();
        assert_eq!(times, 1, "{} in docs/SUMMARY.md", page.path);
    }
}

/// rustdoc shows these pages by themselves, so a link to another page would lead nowhere.
#[test]
fn pages_that_rustdoc_shows_link_to_no_other() {
    let library = std::fs::read_to_string(root().join("src/lib.rs")).expect("the library");
    let mut shown = 0;
    for page in book() {
        if library.contains(&format!("doc = include_str!(\"../{}\"))]", page.path)) {
            shown += 1;
            let leaves = |link: &&String| !link.starts_with('#') && !is_elsewhere(link);
            assert_eq!(page.links.iter().find(leaves), None, "{}", page.path);
        }
    }
    assert_eq!(shown, 2, "src/lib.rs, `manual`");
}
