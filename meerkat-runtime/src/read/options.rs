//! How a file is to be read, where its content does not say.

use std::io::Read;
use std::path::Path;

use super::column::Columns;
use super::contents::{Contents, Loader, Progress};
use super::error::{Place, ReadError};
use super::fields::Separator;
use super::format::{self, Format};
use super::graph_file::GraphFile;
use super::label::IdKind;
use super::time::TimeUnit;
use super::{dimacs, edge_list, graphalytics, matrix_market, metis};

/// How a graph file is to be read. What is not given is recognised.
///
/// ```no_run
/// use meerkat_runtime::read::{Format, ReadOptions};
///
/// let options = ReadOptions {
///     format: Some(Format::EdgeList),
///     columns: Some("source,target,-,time".parse()?),
///     ..ReadOptions::default()
/// };
/// let graph = options.read("messages.txt".as_ref(), &mut |_| {})?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format, in place of the one that content and name tell.
    pub format: Option<Format>,
    /// The meaning of the columns of an edge list or CSV file, in place of what its
    /// header or its format says.
    pub columns: Option<Columns>,
    /// What separates the columns of an edge list or CSV file; recognised by its first
    /// record if not given.
    pub separator: Option<Separator>,
    /// Whether the first line of an edge list or CSV file that is no comment names the
    /// columns. If not given, a line does that has several fields, none of them a number
    /// or a date; where ids may be text, only if all names are known or it cannot be a
    /// record.
    pub header: Option<bool>,
    /// What the ids of an edge list or CSV file are. If not given, they are numbers,
    /// unless both ids of the first record are other words: then all ids of the file are
    /// text.
    pub ids: Option<IdKind>,
    /// The unit of a column of times; seconds if not given.
    pub time_unit: Option<TimeUnit>,
    /// Do not read times: whatever a time column holds, it refuses no file.
    pub skip_times: bool,
}

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

impl ReadOptions {
    /// Reads the graph file at `path`, plain or gzip; `progress` is as in
    /// [`read`](super::read()).
    ///
    /// # Errors
    ///
    /// A [`ReadError`] when the file cannot be read, breaks a rule of its format, or
    /// contradicts these options.
    pub fn read(
        &self,
        path: &Path,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<GraphFile, ReadError> {
        let companions = graphalytics::Companions::beside(path, self.format);
        let mut loader = Loader::new(progress);
        loader.expect(path);
        companions.paths().for_each(|companion| loader.expect(companion));

        let contents = loader.load(path)?;
        let format = match self.format {
            Some(format) => format,
            None => format::recognise(&contents, self.ids)?,
        };
        match format {
            Format::Graphalytics => {
                self.refuse_fixed(&contents, format)?;
                graphalytics::parse(&contents, &companions, &mut loader)
            }
            _ => self.parse(contents, format),
        }
    }

    /// Reads a graph from a stream, plain or gzip, which errors call `name`.
    ///
    /// # Errors
    ///
    /// As [`ReadOptions::read`]; also when the content alone does not tell the format,
    /// or the format needs a second file.
    pub fn read_stream(
        &self,
        stream: &mut dyn Read,
        name: &str,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<GraphFile, ReadError> {
        let contents = Loader::new(progress).load_stream(stream, Path::new(name))?;
        let format = match self.format {
            Some(format) => format,
            None => format::recognise_by_content(&contents)?,
        };
        match format {
            Format::Graphalytics => Err(ReadError::Unsupported {
                place: Place::file(&contents.path),
                found: format.name().to_owned(),
                help: "its vertices are in a second file, so give the path of the edge file",
            }),
            _ => self.parse(contents, format),
        }
    }

    fn parse(&self, contents: Contents, format: Format) -> Result<GraphFile, ReadError> {
        if !matches!(format, Format::EdgeList | Format::Csv) {
            self.refuse_fixed(&contents, format)?;
        }
        match format {
            Format::MatrixMarket => matrix_market::parse(&contents),
            Format::Dimacs => dimacs::parse(&contents),
            Format::Metis => metis::parse(&contents),
            _ => edge_list::parse(contents, format, self),
        }
    }

    /// Refuses options about columns and ids, which other formats than edge lists fix.
    fn refuse_fixed(&self, contents: &Contents, format: Format) -> Result<(), ReadError> {
        let place = Place::file(&contents.path);
        if self.columns.is_some() {
            return Err(ReadError::FixedColumns { place, format });
        }
        let options = [
            ("--separator", self.separator.is_some()),
            ("--header", self.header.is_some()),
            ("--ids text", self.ids == Some(IdKind::Text)),
        ];
        match options.into_iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((option, _)) => Err(ReadError::FixedByFormat { place, format, option }),
        }
    }
}
