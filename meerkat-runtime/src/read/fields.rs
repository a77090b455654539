//! The fields of a line, without copying, and what separates them.

use std::str::FromStr;

use super::error::ReadError;
use super::format::{Format, ending};
use super::lines::Line;

/// What separates the columns of an edge list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Separator {
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
    /// In the order in which a line is searched for them. Semicolons come first: where
    /// they separate, a comma may be a decimal point.
    const ALL: [Self; 4] = [Self::Semicolon, Self::Comma, Self::Tab, Self::Blank];

    /// Its name: `blank`, `comma`, `semicolon` or `tab`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Blank => "blank",
            Self::Comma => "comma",
            Self::Semicolon => "semicolon",
            Self::Tab => "tab",
        }
    }

    /// The separator of a line of numbers or of names of columns. Tabs count as blanks but
    /// in a `.tsv` file, for many edge lists mix tabs with spaces.
    pub(super) fn of(line: &Line<'_>) -> Self {
        if is_tsv(line) {
            return Self::Tab;
        }
        let text = unquoted(line.text);
        let has = |separator: &Self| separator.is_in(&text);
        [Self::Semicolon, Self::Comma].into_iter().find(has).unwrap_or(Self::Blank)
    }

    /// The separator of a line whose ids are text and may hold blanks, commas and
    /// semicolons; `count` is the number of columns, if that is known.
    ///
    /// # Errors
    ///
    /// [`ReadError::SeparatorInDoubt`] if the line can be divided in two ways.
    pub(super) fn of_text(
        line: &Line<'_>,
        format: Format,
        count: Option<usize>,
    ) -> Result<Self, ReadError> {
        if is_tsv(line) {
            return Ok(Self::Tab);
        }
        let text = unquoted(line.text);
        let gives_columns =
            |separator: Self| count.is_none_or(|count| line.fields(separator).count() == count);
        let mut found = Self::ALL.into_iter().filter(|separator| separator.is_in(&text));
        let Some(first) = found.clone().find(|&separator| gives_columns(separator)) else {
            return Ok(Self::of(line));
        };
        // Cells of a CSV file may hold blanks.
        let is_rival = |other: Self| {
            other != first
                && gives_columns(other)
                && !(format == Format::Csv && other == Self::Blank)
                && text
                    .split(|&byte| byte == first.byte())
                    .any(|cell| other.is_in(cell.trim_ascii()))
        };
        match found.find(|&other| is_rival(other)) {
            None => Ok(first),
            Some(other) => Err(ReadError::SeparatorInDoubt {
                place: line.place(),
                found: line.quote(),
                first: first.name(),
                second: other.name(),
            }),
        }
    }

    /// Whether it separates something in `text`.
    fn is_in(self, text: &[u8]) -> bool {
        match self {
            Self::Blank => text.trim_ascii().iter().any(u8::is_ascii_whitespace),
            _ => text.contains(&self.byte()),
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

impl FromStr for Separator {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let separator = Self::ALL.into_iter().find(|separator| separator.name() == text);
        separator.ok_or("give blank, comma, semicolon or tab")
    }
}

impl<'a> Line<'a> {
    /// The fields of a record of an edge list.
    #[inline]
    pub(super) fn fields(&self, separator: Separator) -> Fields<'a> {
        Fields::new(if separator == Separator::Tab { self.raw } else { self.text }, separator)
    }

    /// What stands between blanks.
    #[inline]
    pub(super) fn words(&self) -> Fields<'a> {
        Fields::words(self.text)
    }
}

fn is_tsv(line: &Line<'_>) -> bool {
    line.raw.contains(&b'\t') && ending(line.path) == "tsv"
}

/// The text with a quote in place of each quoted field.
fn unquoted(text: &[u8]) -> Vec<u8> {
    let (mut kept, mut rest, mut starts_field) = (Vec::new(), text, true);
    while let Some((&byte, after)) = rest.split_first() {
        let quoted = if starts_field { Quoted::start_of(rest) } else { None };
        kept.push(byte);
        rest = quoted.map_or(after, |quoted| &rest[quoted.length..]);
        starts_field = b" \t,;".contains(&byte);
    }
    kept
}

/// How a field was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// As it is.
    Plain,
    /// In quotes, which are taken off.
    Quoted,
    /// In quotes, and each quote inside is still written twice.
    Doubled,
}

/// The fields of a line. Between two commas, semicolons or tabs there may be an empty one.
#[derive(Clone)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
    separator: Separator,
    /// Whether quotes protect what they hold.
    has_quotes: bool,
    done: bool,
    quoting: Quoting,
}

impl<'a> Fields<'a> {
    /// The words of a line, where quotes are nothing special.
    pub(super) fn words(text: &'a [u8]) -> Self {
        Self { has_quotes: false, ..Self::new(text, Separator::Blank) }
    }

    /// The fields of a line, some perhaps in quotes.
    pub(super) fn new(rest: &'a [u8], separator: Separator) -> Self {
        let done = rest.trim_ascii().is_empty();
        Self { rest, separator, has_quotes: true, done, quoting: Quoting::Plain }
    }

    /// How the field was written that came last.
    #[inline]
    pub(super) fn quoting(&self) -> Quoting {
        self.quoting
    }

    #[inline]
    fn next_word(&mut self) -> &'a [u8] {
        let quoted = if self.has_quotes { Quoted::start_of(self.rest) } else { None };
        let start = quoted.map_or(0, |quoted| quoted.length);
        let end = self.rest[start..].iter().position(u8::is_ascii_whitespace);
        let (word, rest) = self.rest.split_at(end.map_or(self.rest.len(), |end| start + end));
        self.rest = rest.trim_ascii_start();
        self.done = self.rest.is_empty();
        self.without_quotes(word, quoted)
    }

    #[inline]
    fn next_cell(&mut self) -> &'a [u8] {
        let separator = self.separator.byte();
        let is_blank = |&byte: &u8| byte.is_ascii_whitespace() && byte != separator;
        let blanks = self.rest.iter().take_while(|byte| is_blank(byte)).count();
        let rest = &self.rest[blanks..];
        let quoted = Quoted::start_of(rest);
        let start = quoted.map_or(0, |quoted| quoted.length);
        let end = rest[start..].iter().position(|&byte| byte == separator);
        let cell = &rest[..end.map_or(rest.len(), |end| start + end)];
        match end {
            // A separator promises one more field, even if nothing follows.
            Some(_) => self.rest = &rest[cell.len() + 1..],
            None => self.done = true,
        }
        self.without_quotes(cell.trim_ascii(), quoted)
    }

    #[inline]
    fn without_quotes(&mut self, field: &'a [u8], quoted: Option<Quoted>) -> &'a [u8] {
        match quoted {
            Some(quoted) if quoted.length == field.len() => {
                self.quoting = if quoted.doubled { Quoting::Doubled } else { Quoting::Quoted };
                &field[1..field.len() - 1]
            }
            _ => {
                self.quoting = Quoting::Plain;
                field
            }
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

/// A text in quotes, which are counted; two quotes in it stand for one.
#[derive(Clone, Copy)]
struct Quoted {
    length: usize,
    doubled: bool,
}

impl Quoted {
    /// The one that `text` starts with.
    #[inline]
    fn start_of(text: &[u8]) -> Option<Self> {
        if text.first() == Some(&b'"') { Self::measure(text) } else { None }
    }

    fn measure(text: &[u8]) -> Option<Self> {
        let (mut at, mut doubled) = (1, false);
        loop {
            at += text[at..].iter().position(|&byte| byte == b'"')? + 1;
            if text.get(at) != Some(&b'"') {
                return Some(Self { length: at, doubled });
            }
            (at, doubled) = (at + 1, true);
        }
    }
}
