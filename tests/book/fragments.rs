//! Snippets of Rust are parts of programs that cargo builds and runs.

use std::fs;

use crate::pages::{Block, Note, Page, beside, book, root};

/// The part of a file that is between `ANCHOR: name` and `ANCHOR_END: name`, or all of it, moved
/// to the left margin; lines with anchors are left out.
fn part(path: &str, anchor: Option<&str>) -> Result<String, String> {
    let text = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(name) = anchor {
        let at = |mark: &str| {
            let mark = format!("// {mark}: {name}");
            let found = lines.iter().position(|line| line.trim() == mark);
            found.ok_or_else(|| format!("{path} has no `{mark}`"))
        };
        lines = lines[at("ANCHOR")? + 1..at("ANCHOR_END")?].to_vec();
    }
    lines.retain(|line| !line.trim_start().starts_with("// ANCHOR"));
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let margin = lines.iter().filter(|line| !line.is_empty()).map(indent).min().unwrap_or(0);
    Ok(lines.iter().map(|line| line.get(margin..).unwrap_or("").to_owned() + "\n").collect())
}

/// Of a block that is a part of a file, that part.
fn source(block: &Block) -> Option<Result<String, String>> {
    match &block.note {
        Note::From { path, anchor } => Some(part(path, anchor.as_deref())),
        _ => None,
    }
}

/// Writes the parts of files into the page.
fn bless(page: &Page) {
    let mut text = page.text.clone();
    for block in page.blocks.iter().rev() {
        if let Some(Ok(source)) = source(block) {
            text.replace_range(block.span.clone(), &source);
        }
    }
    fs::write(root().join(&page.path), text).expect("the page is written");
}

#[test]
fn snippets_are_what_the_files_that_they_name_say() {
    let is_blessing = std::env::var_os("MEERKAT_BLESS").is_some_and(|value| value != "0");
    let (mut compared, mut wrong) = (0, Vec::new());
    for page in book().iter().chain(&beside()) {
        if is_blessing {
            bless(page);
        }
        for block in &page.blocks {
            match source(block) {
                Some(Err(error)) => wrong.push(format!("{}: {error}", page.path)),
                Some(Ok(source)) if source != block.code && !is_blessing => {
                    wrong.push(format!("{}: {:?} is now\n{source}", page.path, block.note));
                }
                Some(_) => compared += 1,
                None => {}
            }
        }
    }
    let help = "run scripts/bless, or `MEERKAT_BLESS=1 cargo test --test book`";
    assert!(wrong.is_empty(), "{help}\n\n{}", wrong.join("\n\n"));
    assert!(compared >= 40, "{compared} snippets");
}

/// Whether `cargo test --doc` compiles and runs the page's snippets: src/lib.rs says which.
fn is_doctested(page: &Page, library: &str) -> bool {
    library.contains(&format!("#[doc = include_str!(\"../{}\")]", page.path))
}

#[test]
fn every_snippet_of_rust_is_tested_or_says_why_not() {
    let library = fs::read_to_string(root().join("src/lib.rs")).expect("the library");
    let mut wrong = Vec::new();
    for page in book() {
        let by_rustdoc = is_doctested(&page, &library);
        for block in page.blocks.iter().filter(|block| block.language.starts_with("rust")) {
            let is_tested = match block.note {
                Note::From { .. } | Note::Excused => !by_rustdoc,
                _ => by_rustdoc && block.language == "rust",
            };
            if !is_tested {
                wrong.push(format!("{}:\n{}", page.path, block.code));
            }
        }
    }
    let help = "say `<!-- from PATH: ANCHOR -->` or `<!-- not compiled: WHY -->` in front of these";
    assert!(wrong.is_empty(), "{help}\n\n{}", wrong.join("\n"));
}
