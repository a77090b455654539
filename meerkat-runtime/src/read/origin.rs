//! Who says what a file means.

/// Who says what something means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The caller.
    Option,
    /// The file: a header, a comment, a file beside it, or its first record.
    Header,
    /// The format, for all its files.
    Format,
    /// Nobody; this is what is usual.
    Default,
}

impl Origin {
    /// Its name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Option => "option",
            Self::Header => "header",
            Self::Format => "format",
            Self::Default => "default",
        }
    }
}
