//! How a file is to be read, where its content does not say.

use std::io::Read;
use std::path::Path;

use super::column::Columns;
use super::contents::{Contents, Loader, Progress};
use super::error::{Place, ReadError};
use super::format::{self, Format};
use super::graph_file::GraphFile;
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
    /// The file: a header, a comment or a file beside it.
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
            None => format::recognise(&contents)?,
        };
        match format {
            Format::Graphalytics => {
                self.refuse_columns(&contents, format)?;
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
            self.refuse_columns(&contents, format)?;
        }
        match format {
            Format::MatrixMarket => matrix_market::parse(&contents),
            Format::Dimacs => dimacs::parse(&contents),
            Format::Metis => metis::parse(&contents),
            _ => edge_list::parse(contents, format, self),
        }
    }

    fn refuse_columns(&self, contents: &Contents, format: Format) -> Result<(), ReadError> {
        match self.columns {
            None => Ok(()),
            Some(_) => Err(ReadError::FixedColumns { place: Place::file(&contents.path), format }),
        }
    }
}
