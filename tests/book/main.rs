//! The book, `docs/`: its snippets are programs that run, its commands work, its links lead
//! somewhere. How a page says what a snippet is: CONTRIBUTING.md, *The book*.

mod commands;
mod fragments;
mod links;
mod pages;

/// The programs that snippets are parts of.
mod programs {
    mod containers;
    mod language;
    mod ranks;
    mod readme;
    mod schedules;
    mod stream;
    mod walks;
}
