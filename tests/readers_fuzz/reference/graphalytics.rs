//! LDBC Graphalytics: `G.e` beside `G.v` and perhaps `G.properties`.

use std::collections::BTreeSet;

use meerkat_runtime::read::{Column, MAX_VERTICES};

use super::text::{Line, id, lines, weight};
use super::{Id, Record, Refusal, Table, Vertices};
use crate::readers_fuzz::case::Case;

pub(crate) fn read(case: &Case, edges: &[Line]) -> Result<Table, Refusal> {
    let name = case.file.name.strip_suffix(".gz").unwrap_or(&case.file.name);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let beside = |ending: &str| {
        let name = format!("{stem}.{ending}");
        case.beside.iter().find(|file| file.name == name).map(|file| lines(&file.bytes))
    };
    let vertices = beside("v").ok_or("no vertex file")?;
    let mut ids = BTreeSet::new();
    for line in vertices.iter().filter(|line| !line.is_blank()) {
        if !ids.insert(Id::Number(id(line.text())?)) {
            return Err("a vertex twice");
        }
    }
    let directed = directed(beside("properties").unwrap_or_default())?;

    let edges: Vec<_> = edges.iter().filter(|line| !line.is_blank()).map(Line::words).collect();
    let columns = match edges.first().map_or(2, Vec::len) {
        2 => vec![Column::Source, Column::Target],
        3 => vec![Column::Source, Column::Target, Column::Weight],
        _ => return Err("an edge has two or three numbers"),
    };
    let mut records = Vec::new();
    for edge in edges {
        if edge.len() != columns.len() {
            return Err("an edge of another length");
        }
        let [source, target] = [id(edge[0])?, id(edge[1])?].map(Id::Number);
        if !ids.contains(&source) || !ids.contains(&target) {
            return Err("an end that is no vertex");
        }
        let weight = edge.get(2).map(|field| weight(field)).transpose()?;
        records.push(Record { source, target, weight, time: None });
    }
    if ids.is_empty() || ids.len() as u64 > MAX_VERTICES {
        return Err("no vertices, or too many");
    }
    let vertices = Vertices::Listed(ids.into_iter().collect());
    Ok(Table { vertices, records, columns, directed, target_offset: None })
}

/// The value of `graph.NAME.directed`, in a file of Java properties.
fn directed(lines: Vec<Line>) -> Result<Option<bool>, Refusal> {
    let mut directed = None;
    for line in &lines {
        let text = line.text();
        if matches!(text.first(), None | Some(b'#' | b'!')) {
            continue;
        }
        let Some(at) = text.iter().position(|byte| b"=:".contains(byte)) else { continue };
        let (key, value) = (text[..at].trim_ascii(), text[at + 1..].trim_ascii());
        if !(key.starts_with(b"graph.") && key.ends_with(b".directed")) {
            continue;
        }
        let value = match &value.to_ascii_lowercase()[..] {
            b"true" => true,
            b"false" => false,
            _ => return Err("neither true nor false"),
        };
        if directed.is_some_and(|earlier| earlier != value) {
            return Err("true and false");
        }
        directed = Some(value);
    }
    Ok(directed)
}
