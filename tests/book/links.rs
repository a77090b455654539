//! Links lead to files and headings that are there, and the table of contents has every page.

use std::path::Path;

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
