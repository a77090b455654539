//! Lines of a file and the fields of a line, without copying.

use std::path::Path;

use super::error::{Place, quote};
use super::format::ending;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines that hold more than blanks, with their numbers.
pub(super) struct Lines<'a> {
    path: &'a Path,
    rest: &'a [u8],
    number: u64,
    keeps_blank: bool,
}

/// One line: blanks at both ends and the line end are taken off.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub path: &'a Path,
    /// Counted from 1, blank lines included.
    pub number: u64,
    pub text: &'a [u8],
    /// The text with the blanks at its ends, which separate empty cells where tabs do.
    raw: &'a [u8],
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
            let end = self.rest.iter().position(|&byte| byte == b'\n');
            let (line, rest) = match end {
                Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
                None => (self.rest, &[][..]),
            };
            self.rest = rest;
            self.number += 1;
            let text = line.trim_ascii();
            if !text.is_empty() || self.keeps_blank {
                let raw = line.strip_suffix(b"\r").unwrap_or(line);
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

    pub(super) fn fields(&self, separator: Separator) -> Fields<'a> {
        let rest = if separator == Separator::Tab { self.raw } else { self.text };
        Fields { rest, separator, done: self.text.is_empty() }
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

/// What separates the columns of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    /// Any number of spaces and tabs.
    Blank,
    /// One comma, perhaps with blanks around it.
    Comma,
    /// One semicolon, perhaps with blanks around it.
    Semicolon,
    /// One tab, perhaps with spaces around it.
    Tab,
}

impl Separator {
    /// The separator of a line whose format allows all. Semicolons come first: where
    /// they separate, a comma may be a decimal point. Tabs count as blanks but in a
    /// `.tsv` file, for many edge lists mix tabs with spaces.
    pub(super) fn of(line: &Line<'_>) -> Self {
        let has = |byte| line.text.contains(&byte);
        match ending(line.path).as_str() {
            "tsv" if line.raw.contains(&b'\t') => Self::Tab,
            _ if has(b';') => Self::Semicolon,
            _ if has(b',') => Self::Comma,
            _ => Self::Blank,
        }
    }

    fn byte(self) -> u8 {
        match self {
            Self::Blank => b' ',
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
        }
    }
}

/// The fields of a line. Between two commas, semicolons or tabs there may be an empty
/// one, or one in quotes.
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
        let quoted = quoted_length(self.rest);
        let separator = self.separator.byte();
        let end = self.rest[quoted..].iter().position(|&byte| byte == separator);
        let cell = &self.rest[..end.map_or(self.rest.len(), |end| quoted + end)];
        match end {
            // A separator promises one more field, even if nothing follows.
            Some(_) => self.rest = &self.rest[cell.len() + 1..],
            None => self.done = true,
        }
        let cell = cell.trim_ascii();
        if quoted > 0 {
            cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\"")).unwrap_or(cell)
        } else {
            cell
        }
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
            _ => self.next_cell(),
        })
    }
}

/// The length of the quoted text that `rest` starts with, 0 if it starts with none. What
/// it holds separates nothing.
#[inline]
fn quoted_length(rest: &[u8]) -> usize {
    let start = rest.iter().position(|&byte| byte != b' ').unwrap_or(0);
    match rest.get(start) {
        Some(b'"') => {
            let end = rest[start + 1..].iter().position(|&byte| byte == b'"');
            end.map_or(0, |end| start + end + 2)
        }
        _ => 0,
    }
}
