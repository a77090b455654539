//! The id of a vertex, as reports and files of results have it.

use std::borrow::Cow;
use std::fmt;

use meerkat::runtime::read::{Label, VertexIds};
use serde::{Serialize, Serializer};

/// The id of a vertex in its file: a number or text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) enum VertexId<'a> {
    Number(u64),
    Text(Cow<'a, str>),
}

impl<'a> VertexId<'a> {
    /// The id of a vertex.
    pub(in crate::cli) fn of(ids: &'a VertexIds, vertex: u32) -> Self {
        match ids.label(vertex) {
            Label::Number(id) => Self::Number(id),
            Label::Text(id) => Self::Text(id.into()),
        }
    }

    /// The same, to be kept.
    pub(in crate::cli) fn into_owned(self) -> VertexId<'static> {
        match self {
            Self::Number(id) => VertexId::Number(id),
            Self::Text(id) => VertexId::Text(id.into_owned().into()),
        }
    }

    /// The id in a line of fields: in quotes where it would be taken for something else.
    pub(in crate::cli) fn field(&self) -> Cow<'_, str> {
        match self {
            Self::Number(id) => id.to_string().into(),
            Self::Text(id) if id.chars().all(is_plain) => id.as_ref().into(),
            Self::Text(id) => format!("\"{}\"", id.replace('"', "\"\"")).into(),
        }
    }
}

fn is_plain(letter: char) -> bool {
    letter.is_alphanumeric() || "_-.:/@+".contains(letter)
}

impl fmt::Display for VertexId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(id) => f.pad(&id.to_string()),
            Self::Text(id) => f.pad(id),
        }
    }
}

/// A JSON number or a string.
impl Serialize for VertexId<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(id) => serializer.serialize_u64(*id),
            Self::Text(id) => serializer.serialize_str(id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_quoted_where_it_would_be_several_fields() {
        let field = |text: &'static str| VertexId::Text(text.into()).field().into_owned();
        assert_eq!(field("alice"), "alice");
        assert_eq!(field("a@b.example"), "a@b.example");
        assert_eq!(field("New York"), "\"New York\"");
        assert_eq!(field("5\" pipe, long"), "\"5\"\" pipe, long\"");
        assert_eq!(VertexId::Number(7).field(), "7");
    }
}
