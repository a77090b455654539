//! From a file to the parser of its format.

use std::io::Read;
use std::path::Path;

use super::contents::{Contents, Loader, Progress};
use super::error::{Place, ReadError};
use super::format::Format;
use super::graph_file::GraphFile;
use super::label::IdKind;
use super::options::ReadOptions;
use super::recognise::{recognise, recognise_by_content};
use super::{dimacs, edge_list, graphalytics, matrix_market, metis};

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
            None => recognise(&contents, self.ids)?,
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
            None => recognise_by_content(&contents)?,
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
