//! How vertices are called in a file.

use std::fmt;
use std::str::FromStr;

/// What the ids of a file are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IdKind {
    /// Whole numbers from 0.
    #[default]
    Numbers,
    /// Any text. An id that consists of digits is text, too: `7` and `07` are two.
    Text,
}

impl IdKind {
    /// Its name: `numbers` or `text`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::Text => "text",
        }
    }
}

impl FromStr for IdKind {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "numbers" => Ok(Self::Numbers),
            "text" => Ok(Self::Text),
            _ => Err("give numbers or text"),
        }
    }
}

/// The id of a vertex in its file. Displayed as the file has it, without quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label<'a> {
    /// Of a file whose ids are numbers.
    Number(u64),
    /// Of a file whose ids are text: not empty, and without control characters.
    Text(&'a str),
}

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(id) => id.fmt(f),
            Self::Text(id) => id.fmt(f),
        }
    }
}
