//! Errors for the user: all of them at once, each on its cause, each with a way
//! out.

use proc_macro2::Span;
use std::cell::RefCell;

/// Collects errors; dropping it unchecked while it holds some is a bug.
pub(crate) struct Errors {
    found: RefCell<Option<Vec<syn::Error>>>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Errors { found: RefCell::new(Some(Vec::new())) }
    }

    /// `help` is the way out; it starts a line of its own.
    pub(crate) fn report(&self, span: Span, message: impl AsRef<str>, help: impl AsRef<str>) {
        let text = format!("{}\nhelp: {}", message.as_ref(), help.as_ref());
        self.push(syn::Error::new(span, text));
    }

    pub(crate) fn push(&self, error: syn::Error) {
        if let Some(found) = self.found.borrow_mut().as_mut() {
            let text = error.to_string();
            let repeats = found.iter().any(|seen| {
                seen.to_string() == text && seen.span().start() == error.span().start()
            });
            if !repeats {
                found.push(error);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.borrow().as_ref().is_none_or(Vec::is_empty)
    }

    /// All errors as one, or `Ok` if there is none.
    pub(crate) fn check(self) -> syn::Result<()> {
        let mut found = self.found.borrow_mut().take().unwrap_or_default().into_iter();
        match found.next() {
            None => Ok(()),
            Some(mut first) => {
                found.for_each(|error| first.combine(error));
                Err(first)
            }
        }
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        let unchecked = self.found.borrow().as_ref().is_some_and(|found| !found.is_empty());
        if unchecked && !std::thread::panicking() {
            panic!("errors were collected and never checked");
        }
    }
}
