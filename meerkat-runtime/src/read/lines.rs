//! Lines of a file, without copying.

use std::path::Path;

use memchr::memchr2;

use super::error::{Place, quote};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines that hold more than blanks, with their numbers.
#[derive(Clone)]
pub(super) struct Lines<'a> {
    path: &'a Path,
    rest: &'a [u8],
    number: u64,
    keeps_blank: bool,
}

/// One line: blanks at both ends and the line end (of Unix, Windows or an old Mac) are taken off.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub path: &'a Path,
    /// Counted from 1, blank lines included.
    pub number: u64,
    pub text: &'a [u8],
    /// The text with the blanks at its ends, which separate empty cells where tabs do.
    pub raw: &'a [u8],
}

impl<'a> Lines<'a> {
    pub(super) fn new(path: &'a Path, bytes: &'a [u8]) -> Self {
        let rest = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        Self { path, rest, number: 0, keeps_blank: false }
    }

    /// Those that are blank, too.
    pub(super) fn with_blank(self) -> Self {
        Self { keeps_blank: true, ..self }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        while !self.rest.is_empty() {
            let end = memchr2(b'\n', b'\r', self.rest).unwrap_or(self.rest.len());
            let (raw, rest) = self.rest.split_at(end);
            let ends: [&[u8]; 3] = [b"\r\n", b"\n", b"\r"];
            self.rest = ends.iter().find_map(|end| rest.strip_prefix(*end)).unwrap_or(rest);
            self.number += 1;
            let text = raw.trim_ascii();
            if !text.is_empty() || self.keeps_blank {
                return Some(Line { path: self.path, number: self.number, text, raw });
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

    /// The line without its first word.
    pub(super) fn after_first_word(&self) -> Line<'a> {
        let word = self.text.iter().position(u8::is_ascii_whitespace).unwrap_or(self.text.len());
        self.after(word)
    }

    /// The line without its first bytes, at most all of them.
    pub(super) fn after(&self, bytes: usize) -> Line<'a> {
        let text = self.text[bytes..].trim_ascii_start();
        Line { text, raw: text, ..*self }
    }

    pub(super) fn place(&self) -> Place {
        Place::line(self.path, self.number)
    }

    /// The text for a message.
    pub(super) fn quote(&self) -> String {
        quote(self.text)
    }
}
