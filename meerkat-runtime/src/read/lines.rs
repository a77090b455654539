//! Lines of a file and the fields of a line, without copying.

use std::path::Path;

use super::error::{Place, quote};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines that hold more than blanks, with their numbers.
pub(super) struct Lines<'a> {
    path: &'a Path,
    rest: &'a [u8],
    number: u64,
}

/// One line: blanks at both ends and the line end are taken off; never empty.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub path: &'a Path,
    /// Counted from 1, blank lines included.
    pub number: u64,
    pub text: &'a [u8],
}

impl<'a> Lines<'a> {
    pub(super) fn new(path: &'a Path, bytes: &'a [u8]) -> Self {
        let rest = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        Self { path, rest, number: 0 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        while !self.rest.is_empty() {
            let end = self.rest.iter().position(|&byte| byte == b'\n');
            let (line, rest) = match end {
                Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
                None => (self.rest, &[][..]),
            };
            self.rest = rest;
            self.number += 1;
            let text = line.trim_ascii();
            if !text.is_empty() {
                return Some(Line { path: self.path, number: self.number, text });
            }
        }
        None
    }
}

impl<'a> Line<'a> {
    /// Whether the line starts with one of `marks`.
    #[inline]
    pub(super) fn starts_with_any(&self, marks: &[u8]) -> bool {
        self.text.first().is_some_and(|first| marks.contains(first))
    }

    pub(super) fn fields(&self, separator: Separator) -> Fields<'a> {
        Fields { rest: self.text, separator, done: self.text.is_empty() }
    }

    /// The line without its first word.
    pub(super) fn after_first_word(&self) -> Line<'a> {
        let word = self.text.iter().position(u8::is_ascii_whitespace).unwrap_or(self.text.len());
        Line { text: self.text[word..].trim_ascii_start(), ..*self }
    }

    pub(super) fn place(&self) -> Place {
        Place::line(self.path, self.number)
    }

    /// The text for a message.
    pub(super) fn quote(&self) -> String {
        quote(self.text)
    }
}

/// What separates the columns of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    /// Any number of spaces and tabs.
    Blank,
    /// One comma, perhaps with blanks around it.
    Comma,
}

impl Separator {
    /// The separator of a line whose format allows both.
    pub(super) fn of(line: &Line<'_>) -> Self {
        if line.text.contains(&b',') { Self::Comma } else { Self::Blank }
    }
}

/// The fields of a line. Between two commas there may be an empty one.
#[derive(Clone)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
    separator: Separator,
    done: bool,
}

impl<'a> Fields<'a> {
    #[inline]
    fn next_word(&mut self) -> &'a [u8] {
        let end = self.rest.iter().position(u8::is_ascii_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_ascii_start();
        self.done = self.rest.is_empty();
        word
    }

    #[inline]
    fn next_cell(&mut self) -> &'a [u8] {
        let comma = self.rest.iter().position(|&byte| byte == b',');
        let cell = &self.rest[..comma.unwrap_or(self.rest.len())];
        match comma {
            // A comma promises one more field, even if nothing follows.
            Some(comma) => self.rest = &self.rest[comma + 1..],
            None => self.done = true,
        }
        cell.trim_ascii()
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.done {
            return None;
        }
        Some(match self.separator {
            Separator::Blank => self.next_word(),
            Separator::Comma => self.next_cell(),
        })
    }
}
