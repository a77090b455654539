//! What an experiment found: the rows of its table, beside the paper's.

use serde::Serialize;

use super::experiment::{Experiment, Mean, Paper, Stated, Value};
use super::graphs::{Dataset, Origin};

/// The name of a row that is a mean over the graphs.
pub(super) const MEAN: &str = "mean";

/// What an experiment found.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    pub(super) paper: &'static str,
    pub(super) experiment: String,
    pub(super) title: &'static str,
    pub(super) unit: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) note: &'static str,
    /// What the paper's figures were measured on.
    pub(super) machine: &'static str,
    pub(super) graphs: Vec<GraphUsed>,
    pub(super) rows: Vec<Row>,
    /// One series over another one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) ratios: Vec<Row>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) stated: &'static [Stated],
    /// Files beside this object.
    pub(super) json_file: String,
    pub(super) svg_file: String,
}

/// A graph of an experiment.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GraphUsed {
    pub(super) name: String,
    pub(super) used: String,
    pub(super) origin: Origin,
    /// Where the paper's graph can be had, if another one stands in for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<&'static str>,
    /// How much memory was missing, if the graph was too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) does_not_fit_bytes: Option<u64>,
}

/// A figure of ours, and the paper's if it has one.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub(super) graph: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) panel: String,
    pub(super) series: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) x: Option<f64>,
    #[serde(skip)]
    of: Option<f64>,
    pub(super) value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) paper: Option<f64>,
}

impl Outcome {
    /// The table of what was measured on each graph.
    pub(super) fn new(
        paper: &Paper,
        experiment: &Experiment,
        graphs: Vec<GraphUsed>,
        values: Vec<(String, Value)>,
    ) -> Self {
        let row = |(graph, value)| Row::new(graph, value, experiment);
        let mut rows: Vec<_> = values.into_iter().map(row).collect();
        if let Some(mean) = experiment.mean {
            rows.extend(means(&rows, mean, experiment));
        }
        let ratios = experiment.ratio.map_or_else(Vec::new, |ratio| ratios(&rows, ratio));
        let file = format!("{}-{}", paper.name, experiment.part.slug());
        Self {
            paper: paper.name,
            experiment: experiment.part.to_string(),
            title: experiment.title,
            unit: experiment.unit,
            note: experiment.note,
            machine: paper.machine,
            graphs,
            rows,
            ratios,
            stated: experiment.stated,
            json_file: format!("{file}.json"),
            svg_file: format!("{file}.svg"),
        }
    }
}

impl GraphUsed {
    pub(super) fn of(dataset: &Dataset, experiment: &Experiment) -> Self {
        let graph = experiment.graphs.iter().find(|graph| graph.name == dataset.name);
        let is_stand_in = dataset.origin == Origin::StandIn;
        Self {
            name: dataset.name.clone(),
            used: dataset.used(),
            origin: dataset.origin,
            from: graph.filter(|_| is_stand_in).map(|graph| graph.from),
            does_not_fit_bytes: None,
        }
    }
}

impl Row {
    fn new(graph: String, value: Value, experiment: &Experiment) -> Self {
        let Value { panel, series, x, of, value } = value;
        let theirs = experiment.theirs.iter();
        let mut theirs = theirs.filter(|theirs| theirs.graph == graph && theirs.series == series);
        let at = of.unwrap_or(0.0);
        let paper = theirs.find_map(|theirs| {
            theirs.points.iter().find(|(x, _)| *x == at).map(|(_, figure)| *figure)
        });
        Self { graph, panel, series, x, of, value, paper }
    }

    fn is_beside(&self, other: &Self) -> bool {
        self.panel == other.panel && self.of == other.of
    }
}

/// The means over the graphs.
fn means(rows: &[Row], mean: Mean, experiment: &Experiment) -> Vec<Row> {
    let mut found: Vec<Row> = Vec::new();
    for row in rows {
        if found.iter().any(|mean| mean.is_beside(row) && mean.series == row.series) {
            continue;
        }
        let same = rows.iter().filter(|other| other.is_beside(row) && other.series == row.series);
        let values: Vec<_> = same.map(|row| row.value).collect();
        let Row { panel, series, x, of, .. } = row.clone();
        let value = Value { panel, series, x, of, value: mean.of(&values) };
        found.push(Row::new(MEAN.to_owned(), value, experiment));
    }
    found
}

/// A series over another, of ours and of the paper's.
fn ratios(rows: &[Row], (above, below): (&str, &str)) -> Vec<Row> {
    let mut found = Vec::new();
    for row in rows.iter().filter(|row| row.series == above) {
        let is_below = |other: &&Row| {
            other.series == below && other.graph == row.graph && other.is_beside(row)
        };
        let Some(other) = rows.iter().find(is_below) else { continue };
        let paper = row.paper.zip(other.paper).map(|(above, below)| above / below);
        let (series, value) = (format!("{above} / {below}"), row.value / other.value);
        found.push(Row { series, value, paper, ..row.clone() });
    }
    found
}
