//! Errors for the user: all of them at once, each on its cause, each with a way
//! out.

use proc_macro2::{Ident, Span};
use std::cell::RefCell;

/// From the first token to the last: what an error underlines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) start: Span,
    pub(crate) end: Span,
}

impl Place {
    pub(crate) fn of(tokens: &impl quote::ToTokens) -> Place {
        let mut tokens = tokens.to_token_stream().into_iter();
        let start = tokens.next().map_or(Span::call_site(), |token| token.span());
        Place { start, end: tokens.last().map_or(start, |token| token.span()) }
    }
}

impl From<Span> for Place {
    fn from(span: Span) -> Place {
        Place { start: span, end: span }
    }
}

/// Collects errors; dropping it unchecked while it holds some is a bug.
pub(crate) struct Errors {
    found: RefCell<Option<Vec<syn::Error>>>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Errors { found: RefCell::new(Some(Vec::new())) }
    }

    /// `help` is the way out; it starts a line of its own.
    pub(crate) fn report(
        &self,
        place: impl Into<Place>,
        message: impl AsRef<str>,
        help: impl AsRef<str>,
    ) {
        self.push(error(place.into(), message, help));
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

    /// All errors as one, or `Ok` if there is none.
    pub(crate) fn check(self) -> syn::Result<()> {
        self.check_so_far()
    }

    /// [`check`](Self::check) between stages.
    pub(crate) fn check_so_far(&self) -> syn::Result<()> {
        let mut found = self.found.take().unwrap_or_default().into_iter();
        self.found.replace(Some(Vec::new()));
        match found.next() {
            None => Ok(()),
            Some(mut first) => {
                found.for_each(|error| first.combine(error));
                Err(first)
            }
        }
    }
}

/// One error.
pub(crate) fn error(place: Place, message: impl AsRef<str>, help: impl AsRef<str>) -> syn::Error {
    let Place { start, end } = place;
    let text = format!("{}\nhelp: {}", message.as_ref(), help.as_ref());
    // An error of two tokens underlines all that lies between them.
    let (first, last) = (Ident::new("first", start), Ident::new("last", end));
    syn::Error::new_spanned(quote::quote!(#first #last), text)
}

impl Drop for Errors {
    fn drop(&mut self) {
        let unchecked = self.found.borrow().as_ref().is_some_and(|found| !found.is_empty());
        if unchecked && !std::thread::panicking() {
            panic!("errors were collected and never checked");
        }
    }
}

/// The way out of a loop around a collective that lanes leave apart, or by a vote.
pub(crate) const LOOP_ALIKE: &str = "loop as often in all lanes, `for round in 0..rounds` with a parameter `rounds: u32`, and pass \
     whether a lane still takes part as predicate: the third argument of `for_each_neighbor`";
