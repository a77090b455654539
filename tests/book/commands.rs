//! The commands of the book, run as they are written, in a folder where `tests/graphs` is.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::pages::{Note, Page, book, root};

/// The commands of a block, by a shell that stops at the first failure. Returns what they print.
fn run(commands: &str, folder: &Path) -> Result<String, String> {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_meerkat"));
    let mut path = binary.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    let output = shell.args(["-euc", commands]).current_dir(folder).env("PATH", path).output();
    let output = output.expect("a shell");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(printed),
        false => Err(format!("{commands}{printed}{}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Whether a line is one that was promised, in which `…` stands for anything.
fn is_like(line: &str, promised: &str) -> bool {
    let mut pieces = promised.split('…');
    let first = pieces.next().unwrap_or("");
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut last = first;
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        (rest, last) = (&rest[at + piece.len()..], piece);
    }
    rest.is_empty() || promised.ends_with('…') && last.is_empty()
}

/// Runs the commands of a page in order. Returns how many blocks it ran.
fn run_page(page: &Page, wrong: &mut Vec<String>) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let graphs = folder.path().join("tests");
    std::os::unix::fs::symlink(root().join("tests"), graphs).expect("a link");
    let (mut printed, mut ran) = (String::new(), 0);
    for block in &page.blocks {
        match (&block.note, block.language.as_str()) {
            (Note::Run, _) => match run(&block.code, folder.path()) {
                Ok(output) => (printed, ran) = (output, ran + 1),
                Err(error) => wrong.push(format!("{}: {error}", page.path)),
            },
            (Note::Prints, _) => {
                for promised in block.code.lines() {
                    let mut lines = printed.lines().map(str::trim_end);
                    if !lines.any(|line| is_like(line, promised.trim_end())) {
                        wrong.push(format!("{}: no `{promised}` in\n{printed}", page.path));
                    }
                }
            }
            (Note::Excused, _) => {}
            (_, "sh") => wrong.push(format!(
                "{}: say `<!-- run -->` or `<!-- not run: WHY -->` in front of\n{}",
                page.path, block.code
            )),
            _ => {}
        }
    }
    ran
}

#[test]
fn commands_succeed_and_print_what_the_book_says() {
    let mut wrong = Vec::new();
    let ran: usize = book().iter().map(|page| run_page(page, &mut wrong)).sum();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(ran >= 5, "{ran} blocks");
}

#[test]
fn an_ellipsis_stands_for_anything() {
    for (line, promised) in [("run 1.7 ms", "run … ms"), ("a b", "a b"), ("a b c", "a…"), ("", "")]
    {
        assert!(is_like(line, promised), "{line}");
    }
    for (line, promised) in [("run 1.7 s", "run … ms"), ("a b", "a"), ("a b c", "a…b"), ("b", "a…")]
    {
        assert!(!is_like(line, promised), "{line}");
    }
}
