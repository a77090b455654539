//! LDBC Graphalytics: `G.e` with an edge a line (`u v` or `u v w`), `G.v` with
//! a vertex a line, and perhaps `G.properties`, which says whether the graph
//! is directed. Each may be gzip, with or without `.gz` in its name.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::column::{Column, Columns};
use super::contents::{Contents, Loader};
use super::error::{Place, ReadError};
use super::format::{Format, ending};
use super::graph_file::{Description, GraphFile};
use super::lines::Line;
use super::origin::Origin;
use super::record::{ColumnRule, Layout, column_error, parse_lone_id};
use super::records::Records;
use super::vertex_ids::{Lookup, TooManyVertices, VertexIds};

const EDGE_EXPECTED: &str = "an edge has 2 or 3: source, destination, weight";

/// The files beside an edge file, where they exist.
#[derive(Default)]
pub(super) struct Companions {
    vertices: Option<PathBuf>,
    properties: Option<PathBuf>,
}

impl Companions {
    /// Those of the edge file at `path`; none if it is of another format, or of an
    /// unknown one and has another ending.
    pub(super) fn beside(path: &Path, format: Option<Format>) -> Self {
        if format.map_or(ending(path) != "e", |format| format != Format::Graphalytics) {
            return Self::default();
        }
        let existing = |ending| {
            let plain = beside(path, ending);
            let gzip = beside(path, &format!("{ending}.gz"));
            [plain, gzip].into_iter().find(|path| path.exists())
        };
        Self { vertices: existing("v"), properties: existing("properties") }
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.vertices.iter().chain(&self.properties)
    }
}

/// `G.ending` for the path `G.e` or `G.e.gz`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let is_gzip_name = path.extension().is_some_and(|last| last.eq_ignore_ascii_case("gz"));
    let edge_file = if is_gzip_name { path.with_extension("") } else { path.to_owned() };
    edge_file.with_extension(ending)
}

/// Reads the graph of the edge file in `edges`.
pub(super) fn parse(
    edges: &Contents,
    companions: &Companions,
    loader: &mut Loader<'_>,
) -> Result<GraphFile, ReadError> {
    let path = companions.vertices.as_ref().ok_or_else(|| ReadError::VertexFileMissing {
        place: Place::file(&edges.path),
        expected: beside(&edges.path, "v"),
    })?;
    let ids = parse_vertices(&loader.load(path)?)?;
    let directed = match &companions.properties {
        Some(path) => parse_directed(&loader.load(path)?)?,
        None => None,
    };
    let layout = layout_of(edges)?;
    let records = parse_edges(edges, &layout, &ids, path)?;
    if ids.is_empty() {
        return Err(edges.empty_error());
    }
    let said = Description {
        format: Format::Graphalytics,
        columns: layout.columns,
        columns_origin: Origin::Format,
        ids_origin: Origin::Format,
        declared_directed: directed,
    };
    Ok(GraphFile::new(said, ids, records))
}

fn parse_vertices(contents: &Contents) -> Result<VertexIds, ReadError> {
    let mut ids = Vec::new();
    for line in contents.lines() {
        ids.push(parse_lone_id(&line)?);
    }
    ids.par_sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(duplicate_vertex(contents, pair[0]));
    }
    VertexIds::from_ascending(ids).map_err(|TooManyVertices(vertices)| ReadError::TooManyVertices {
        place: Place::file(&contents.path),
        vertices,
    })
}

/// The error for `id`, at the second line that has it.
fn duplicate_vertex(contents: &Contents, id: u64) -> ReadError {
    let mut lines = contents.lines().filter(|line| parse_lone_id(line).is_ok_and(|v| v == id));
    let place = lines.nth(1).map_or_else(|| Place::file(&contents.path), |line| line.place());
    ReadError::DuplicateVertex { place, id }
}

fn parse_edges(
    contents: &Contents,
    layout: &Layout,
    ids: &VertexIds,
    vertex_file: &Path,
) -> Result<Records<u32>, ReadError> {
    let lookup = ids.lookup(0);
    let mut records = Records::with_capacity(layout, 0);
    for line in contents.lines() {
        let record = layout.parse(&line)?;
        let source = endpoint(&lookup, record.source, &line, vertex_file)?;
        let destination = endpoint(&lookup, record.destination, &line, vertex_file)?;
        records.push(&line, source, destination, &record)?;
    }
    Ok(records)
}

/// The columns of the first edge, which all must have.
fn layout_of(contents: &Contents) -> Result<Layout, ReadError> {
    let Some(first) = contents.lines().next() else {
        return Ok(Layout::of_format(Columns::endpoints_and(&[]), EDGE_EXPECTED));
    };
    let further: &[_] = match first.words().count() {
        2 => &[],
        3 => &[Column::Weight],
        _ => return Err(column_error(&first, first.words(), EDGE_EXPECTED.to_owned())),
    };
    let rule = ColumnRule::FirstRecord(first.number);
    let layout = Layout::of_format(Columns::endpoints_and(further), EDGE_EXPECTED);
    Ok(Layout { rule, ..layout })
}

#[inline]
fn endpoint(
    lookup: &Lookup<'_>,
    id: u64,
    line: &Line<'_>,
    vertex_file: &Path,
) -> Result<u32, ReadError> {
    lookup.vertex_of(id).ok_or_else(|| ReadError::UnknownVertex {
        place: line.place(),
        id,
        vertex_file: vertex_file.to_owned(),
    })
}

/// The value of `graph.<name>.directed`, if the file has it.
fn parse_directed(contents: &Contents) -> Result<Option<bool>, ReadError> {
    let mut directed = None;
    for line in contents.lines().filter(|line| !line.starts_with_any(b"#!")) {
        let Some(value) = directed_value(&line) else { continue };
        let value = parse_truth(&line, value)?;
        if directed.is_some_and(|earlier| earlier != value) {
            return Err(ReadError::HeaderContradictory {
                place: line.place(),
                found: line.quote(),
                reason: "an earlier line says the opposite; keep one of them",
            });
        }
        directed = Some(value);
    }
    Ok(directed)
}

fn directed_value<'a>(line: &Line<'a>) -> Option<&'a [u8]> {
    let equals = line.text.iter().position(|&byte| byte == b'=' || byte == b':')?;
    let (key, value) = line.text.split_at(equals);
    let key = key.trim_ascii();
    let names_direction = key.starts_with(b"graph.") && key.ends_with(b".directed");
    names_direction.then(|| value[1..].trim_ascii())
}

fn parse_truth(line: &Line<'_>, value: &[u8]) -> Result<bool, ReadError> {
    match value.to_ascii_lowercase().as_slice() {
        b"true" => Ok(true),
        b"false" => Ok(false),
        _ => Err(ReadError::HeaderMalformed {
            place: line.place(),
            found: line.quote(),
            expected: "`directed` must be `true` or `false`",
        }),
    }
}
