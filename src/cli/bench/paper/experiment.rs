//! What an experiment is: a table or a figure of a paper, as data.

use std::fmt;

use serde::Serialize;

use super::graphs::{Dataset, PaperGraph};
use super::lab::Lab;
use crate::cli::failure::Failure;

/// A paper whose evaluation is measured.
pub(super) struct Paper {
    /// As the command line has it.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// What its figures were measured on.
    pub(super) machine: &'static str,
    pub(super) experiments: &'static [Experiment],
    pub(super) not_run: &'static [NotRun],
}

/// A table or a figure: what is measured, on which graphs, and what the paper found.
pub(super) struct Experiment {
    pub(super) part: Part,
    pub(super) title: &'static str,
    pub(super) unit: &'static str,
    pub(super) form: Form,
    /// Whether there is a mean over the graphs, and which.
    pub(super) mean: Option<Mean>,
    pub(super) graphs: &'static [PaperGraph],
    /// Measures on one graph.
    pub(super) measure: fn(&mut Lab<'_>, &Dataset) -> Result<Vec<Value>, Failure>,
    /// A series over another one: also shown as a ratio, which machines differ in less.
    pub(super) ratio: Option<(&'static str, &'static str)>,
    /// The paper's figures, point by point.
    pub(super) theirs: &'static [Theirs],
    /// The paper's figures that are ranges or means.
    pub(super) stated: &'static [Stated],
    /// What differs from the paper's experiment.
    pub(super) note: &'static str,
}

/// A table or a figure by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Table(&'static str),
    Figure(&'static str),
}

/// How an experiment is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Groups of bars, one for each graph.
    Bars,
    /// Lines over `x`.
    Lines { x: &'static str, scale: Scale, by: By },
}

/// Which lines share a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// The series of a graph.
    Series,
    /// The graphs.
    Graph,
}

/// How the horizontal axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    Linear,
    Logarithmic,
}

/// Which mean is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mean {
    Arithmetic,
    Geometric,
}

/// A series of the paper's figures; the graph `mean` is that of its graphs.
#[derive(Debug)]
pub(super) struct Theirs {
    pub(super) graph: &'static str,
    pub(super) series: &'static str,
    /// Pairs of `x`, 0 if there is none, and the figure.
    pub(super) points: &'static [(f64, f64)],
}

/// A figure of the paper that belongs to no single point.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Stated {
    pub(super) what: &'static str,
    pub(super) least: f64,
    pub(super) most: f64,
}

/// A table or a figure that is left out, and what it needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotRun {
    pub(super) what: &'static str,
    pub(super) needs: &'static str,
}

/// Something measured.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// Which part of the figure it belongs to; empty if the figure has only one.
    pub(super) panel: String,
    pub(super) series: String,
    pub(super) x: Option<f64>,
    /// The paper's `x` that this one stands for.
    pub(super) of: Option<f64>,
    pub(super) value: f64,
}

impl Value {
    /// A value without `x`.
    pub(super) fn new(series: impl Into<String>, value: f64) -> Self {
        Self { panel: String::new(), series: series.into(), x: None, of: None, value }
    }

    /// The same at `x`, which stands for the paper's `of`.
    pub(super) fn at(self, x: f64, of: f64) -> Self {
        Self { x: Some(x), of: Some(of), ..self }
    }

    /// The same in a part of the figure.
    pub(super) fn within(self, panel: impl Into<String>) -> Self {
        Self { panel: panel.into(), ..self }
    }
}

impl Part {
    fn number(self) -> &'static str {
        match self {
            Self::Table(number) | Self::Figure(number) => number,
        }
    }

    /// Whether it is the table of this number, or a part of it: `8` is `8a`, too.
    pub(super) fn is_table(self, number: &str) -> bool {
        matches!(self, Self::Table(_)) && self.is_of(number)
    }

    /// The same of a figure.
    pub(super) fn is_figure(self, number: &str) -> bool {
        matches!(self, Self::Figure(_)) && self.is_of(number)
    }

    fn is_of(self, number: &str) -> bool {
        let own = self.number();
        let whole = own.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
        own.eq_ignore_ascii_case(number) || whole.eq_ignore_ascii_case(number)
    }

    /// As a part of a file's name.
    pub(super) fn slug(self) -> String {
        self.to_string().to_lowercase().replace(' ', "-")
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(number) => write!(f, "Table {number}"),
            Self::Figure(number) => write!(f, "Figure {number}"),
        }
    }
}

impl Mean {
    pub(super) fn of(self, values: &[f64]) -> f64 {
        let count = values.len().max(1) as f64;
        match self {
            Self::Arithmetic => values.iter().sum::<f64>() / count,
            Self::Geometric => {
                let logarithms = values.iter().map(|value| value.max(f64::MIN_POSITIVE).ln());
                (logarithms.sum::<f64>() / count).exp()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_names_a_figure_and_all_its_parts() {
        assert!(Part::Figure("8a").is_figure("8") && Part::Figure("8a").is_figure("8a"));
        assert!(!Part::Figure("8a").is_figure("8b") && !Part::Figure("8a").is_table("8"));
        assert!(Part::Table("VI").is_table("vi") && !Part::Table("V").is_table("VI"));
        assert_eq!(Part::Figure("8a").slug(), "figure-8a");
    }

    #[test]
    fn means_are_those_of_the_school() {
        assert_eq!(Mean::Arithmetic.of(&[1.0, 4.0]), 2.5);
        assert!((Mean::Geometric.of(&[1.0, 4.0]) - 2.0).abs() < 1e-12);
    }
}
