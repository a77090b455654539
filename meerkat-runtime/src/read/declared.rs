//! Records of a file whose header declares the vertices and the number of
//! records.

use super::contents::Contents;
use super::error::{Place, ReadError};
use super::graph_file::{Description, GraphFile};
use super::lines::Line;
use super::record::{Layout, Record};
use super::records::Records;
use super::vertex_ids::{TooManyVertices, VertexIds};

/// The records so far, checked against the header.
pub(super) struct Declared<'a> {
    header: Line<'a>,
    ids: VertexIds,
    entries: u64,
    records: Records<u32>,
}

impl<'a> Declared<'a> {
    /// Starts with a header that declares the ids `1..=n` and the number of entries.
    pub(super) fn new(
        contents: &Contents,
        header: &Line<'a>,
        layout: &Layout,
        n: u64,
        entries: u64,
    ) -> Result<Self, ReadError> {
        let ids = VertexIds::declared(n).map_err(|TooManyVertices(vertices)| {
            ReadError::TooManyVertices { place: header.place(), vertices }
        })?;
        let records = Records::with_capacity(layout, contents.plausible_records(entries));
        Ok(Self { header: *header, ids, entries, records })
    }

    /// Appends the record of `line`.
    #[inline]
    pub(super) fn push(&mut self, line: &Line<'_>, record: &Record) -> Result<(), ReadError> {
        let source = self.vertex(line, record.source)?;
        let destination = self.vertex(line, record.destination)?;
        self.records.push(line, source, destination, record)
    }

    #[inline]
    fn vertex(&self, line: &Line<'_>, id: u64) -> Result<u32, ReadError> {
        self.ids.vertex_of(id).ok_or_else(|| ReadError::IdOutOfRange {
            place: line.place(),
            id,
            last: u64::from(self.ids.len()),
        })
    }

    /// The graph, if it has as many records as declared.
    pub(super) fn finish(self, said: Description) -> Result<GraphFile, ReadError> {
        let (declared, found) = (self.entries, self.records.len());
        if declared != found {
            return Err(ReadError::EntryCount { place: self.header.place(), declared, found });
        }
        if self.ids.is_empty() {
            return Err(ReadError::Empty { place: Place::file(self.header.path) });
        }
        Ok(GraphFile::new(said, self.ids, self.records))
    }
}
