//! What was read of a graph file, as JSON and as text: the same for every command.

use std::fmt;

use meerkat::runtime::graph::Direction;
use meerkat::runtime::read::{Column, GraphFile, IdKind, Origin, SimpleGraph, TimeUnit};
use serde::Serialize;

use crate::cli::output::counted;

/// What was read, and who said how. The fields of the JSON object are a promise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(in crate::cli) struct InputReport {
    file: String,
    format: &'static str,
    direction: &'static str,
    /// `option`, `header`, `format` or `default`.
    direction_origin: &'static str,
    /// The meaning of each column, `-` where it was skipped.
    columns: Vec<&'static str>,
    columns_origin: &'static str,
    /// `numbers` or `text`.
    ids: &'static str,
    /// Of a stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_unit: Option<&'static str>,
    /// What was added to the ids of targets, in a bipartite file.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_offset: Option<u64>,
    weights: WeightSource,
    #[serde(skip)]
    weights_note: Option<&'static str>,
    /// Records of the file, and those that make no arc of their own.
    records: u64,
    loops: u64,
    duplicates: u64,
    vertices: u32,
    arcs: u64,
}

/// Where the weights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::cli) enum WeightSource {
    /// A column of the file.
    Column,
    /// The ids.
    Synthetic,
    /// 1 each.
    Unit,
    /// There are none.
    None,
}

impl InputReport {
    /// What was read of `file`, where `graph` was made of it.
    pub(in crate::cli) fn new(
        name: String,
        file: &GraphFile,
        graph: &SimpleGraph,
        direction: (Direction, Origin),
    ) -> Self {
        let records = file.sources.len() as u64;
        let ends = file.sources.iter().zip(&file.destinations);
        let loops = ends.filter(|(source, target)| source == target).count() as u64;
        let (direction, direction_origin) = direction;
        let (direction, distinct) = match direction {
            Direction::Directed => ("directed", graph.m_arcs()),
            Direction::Undirected => ("undirected", graph.m_undirected),
        };
        Self {
            file: name,
            format: file.format.name(),
            direction,
            direction_origin: direction_origin.name(),
            columns: file.columns.as_slice().iter().map(|column| column.name()).collect(),
            columns_origin: file.columns_origin.name(),
            ids: if file.ids.is_text() { IdKind::Text.name() } else { IdKind::Numbers.name() },
            time_unit: None,
            target_offset: file.target_offset,
            weights: WeightSource::None,
            weights_note: None,
            records,
            loops,
            duplicates: records - loops - distinct,
            vertices: graph.n,
            arcs: graph.m_arcs(),
        }
    }

    /// The same, where weights matter; `note` is for readers of the text.
    pub(in crate::cli) fn with_weights(self, weights: WeightSource, note: &'static str) -> Self {
        Self { weights, weights_note: Some(note), ..self }
    }

    /// Records from a vertex to itself.
    pub(in crate::cli) fn loops(&self) -> u64 {
        self.loops
    }

    /// Records that repeat another.
    pub(in crate::cli) fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Whether its records have times, read or not.
    pub(in crate::cli) fn has_times(&self) -> bool {
        self.columns.contains(&Column::Time.name())
    }

    /// The same, where times matter.
    pub(in crate::cli) fn with_times(self, unit: TimeUnit) -> Self {
        Self { time_unit: Some(unit.symbol()), ..self }
    }

    fn columns_text(&self) -> String {
        let origin = match self.columns_origin {
            "option" => "as asked",
            "header" => "as the file says",
            "format" => "as the format has them",
            _ => "the usual ones: --columns says it otherwise",
        };
        format!("columns {} ({origin})", self.columns.join(","))
    }

    fn direction_text(&self) -> String {
        let origin = match self.direction_origin {
            "option" => "as asked",
            "header" => "as the file says",
            "format" => "as the format has it",
            _ => "the file does not say; see --undirected",
        };
        format!("{} ({origin})", self.direction)
    }
}

impl fmt::Display for InputReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, format, records, loops, duplicates, vertices, arcs, .. } = self;
        let (vertices, arcs) = (counted(*vertices, "vertices"), counted(*arcs, "arcs"));
        let direction = self.direction_text();
        writeln!(f, "graph    {file}")?;
        writeln!(f, "         format {format}, {}", self.columns_text())?;
        writeln!(f, "         {vertices}, {arcs}, {direction}")?;
        let (records, loops) = (counted(*records, "records"), counted(*loops, "loops"));
        let duplicates = counted(*duplicates, "duplicates");
        writeln!(f, "         of {records}, {loops} dropped, {duplicates} merged")?;
        if self.ids == IdKind::Text.name() {
            writeln!(f, "         ids are text")?;
        }
        if let Some(offset) = self.target_offset {
            writeln!(f, "         bipartite: {offset} is added to the ids of targets")?;
        }
        if let Some(unit) = self.time_unit.filter(|_| self.has_times()) {
            writeln!(f, "         times in {unit}, unless they are dates")?;
        }
        match self.weights_note {
            Some(note) => writeln!(f, "         weights {note}"),
            None => Ok(()),
        }
    }
}
