//! What the columns of a file mean, and the names that files give them.

use std::fmt;
use std::str::FromStr;

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// The id of the vertex that a record starts from.
    Source,
    /// The id of the vertex that it goes to.
    Target,
    /// Its weight.
    Weight,
    /// Its time.
    Time,
    /// Something else, which is not read.
    Skipped,
}

/// The columns of a file in their order: a source, a target, and at most one
/// weight and one time.
///
/// As text the names are separated by commas, and `-` is a column to skip:
/// `source,target,-,time`. Usual names are understood in place of these:
/// `from,to,value,timestamp`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Columns(Vec<Column>);

/// Why names are not the columns of a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnsError {
    /// A name that is not known.
    #[error("`{0}` names no column; use source, target, weight, time, and - to skip one")]
    Unknown(String),
    /// Two columns of one meaning.
    #[error("two columns are a {0}; keep one, and give - for the other")]
    Repeated(&'static str),
    /// No source or no target.
    #[error("no column is the {0}; give source and target")]
    Missing(&'static str),
}

const SOURCE_NAMES: &[&str] = &[
    "source",
    "src",
    "from",
    "u",
    "start",
    "node1",
    "nodea",
    "vertex1",
    "sender",
    "sourceid",
    "srcid",
    "fromid",
    "startid",
    "fromnode",
    "fromnodeid",
    "srcnid",
    "sourcenode",
    "id1",
    "nodeid1",
    "numericid1",
    "user1",
    "person1",
    "protein1",
    "origin",
    "citing",
];
const TARGET_NAMES: &[&str] = &[
    "target",
    "tgt",
    "dst",
    "dest",
    "destination",
    "to",
    "v",
    "end",
    "node2",
    "nodeb",
    "vertex2",
    "receiver",
    "recipient",
    "targetid",
    "dstid",
    "toid",
    "endid",
    "tonode",
    "tonodeid",
    "dstnid",
    "targetnode",
    "id2",
    "nodeid2",
    "numericid2",
    "user2",
    "person2",
    "protein2",
    "cited",
];
const WEIGHT_NAMES: &[&str] = &[
    "weight",
    "w",
    "wgt",
    "value",
    "val",
    "rating",
    "sign",
    "cost",
    "distance",
    "length",
    "score",
    "combinedscore",
    "amount",
    "capacity",
    "count",
];
const TIME_NAMES: &[&str] =
    &["time", "timestamp", "t", "ts", "date", "datetime", "unixts", "unixtime", "epoch"];
/// Numbers of records and texts about them.
const SKIPPED_NAMES: &[&str] = &["id", "index", "edgeid", "rowid", "label", "comment", "note"];

impl Column {
    /// The column of a name, written in any case and with any punctuation.
    pub(super) fn of_name(name: &str) -> Option<Column> {
        if name == "-" {
            return Some(Self::Skipped);
        }
        let plain: String =
            name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let names = [
            (Self::Source, SOURCE_NAMES),
            (Self::Target, TARGET_NAMES),
            (Self::Weight, WEIGHT_NAMES),
            (Self::Time, TIME_NAMES),
            (Self::Skipped, SKIPPED_NAMES),
        ];
        names
            .into_iter()
            .find(|(_, names)| names.contains(&plain.as_str()))
            .map(|(column, _)| column)
    }

    /// Its name, or `-` for one that is skipped.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
            Self::Weight => "weight",
            Self::Time => "time",
            Self::Skipped => "-",
        }
    }
}

impl Columns {
    /// The columns in this order.
    ///
    /// # Errors
    ///
    /// [`ColumnsError`] unless each meaning occurs at most once, and a source and a
    /// target are among them.
    pub fn new(columns: Vec<Column>) -> Result<Self, ColumnsError> {
        let count = |column| columns.iter().filter(|&&found| found == column).count();
        for column in [Column::Source, Column::Target, Column::Weight, Column::Time] {
            if count(column) > 1 {
                return Err(ColumnsError::Repeated(column.name()));
            }
        }
        for column in [Column::Source, Column::Target] {
            if count(column) == 0 {
                return Err(ColumnsError::Missing(column.name()));
            }
        }
        Ok(Self(columns))
    }

    /// A source, a target, and what follows them.
    pub(super) fn endpoints_and(further: &[Column]) -> Self {
        Self([&[Column::Source, Column::Target], further].concat())
    }

    /// The columns in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Column] {
        &self.0
    }

    /// Whether one of them is `column`.
    #[must_use]
    pub fn has(&self, column: Column) -> bool {
        self.0.contains(&column)
    }

    /// The same columns, with `column` skipped.
    pub(super) fn without(&self, column: Column) -> Self {
        let skip = |&found: &Column| if found == column { Column::Skipped } else { found };
        Self(self.0.iter().map(skip).collect())
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|column| column.name()).collect();
        f.write_str(&names.join(","))
    }
}

impl FromStr for Columns {
    type Err = ColumnsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let column = |name: &str| {
            let name = name.trim();
            Column::of_name(name).ok_or_else(|| ColumnsError::Unknown(name.to_owned()))
        };
        Self::new(text.split(',').map(column).collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_spelling_give_the_columns_and_print_as_their_own() {
        for (text, printed) in [
            ("source,target", "source,target"),
            ("From , To,Value", "source,target,weight"),
            ("u,v,w,t", "source,target,weight,time"),
            ("-,FromNodeId,ToNodeId,-,Unix_TS", "-,source,target,-,time"),
            (":START_ID,:END_ID", "source,target"),
            ("dst,src", "target,source"),
            ("id_1,id_2", "source,target"),
            ("Origin,Destination,Count", "source,target,weight"),
            ("Id,Source,Target,Label,Weight", "-,source,target,-,weight"),
            ("protein1,protein2,combined_score", "source,target,weight"),
        ] {
            assert_eq!(text.parse::<Columns>().map(|c| c.to_string()), Ok(printed.to_owned()));
        }
    }

    #[test]
    fn columns_without_a_target_with_two_weights_or_unknown_are_refused() {
        let error = |text: &str| text.parse::<Columns>().expect_err(text).to_string();
        assert!(error("source").contains("no column is the target"));
        assert!(error("-,-").contains("no column is the source"));
        assert!(error("source,target,w,weight").contains("two columns are a weight"));
        assert!(error("source,target,colour").contains("`colour` names no column"));
        assert!(error("").contains("`` names no column"));
    }
}
