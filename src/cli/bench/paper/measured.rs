//! What was measured of an experiment so far, graph by graph.

use super::experiment::{Experiment, Paper, Value};
use super::graphs::Dataset;
use super::lab::Lab;
use super::outcome::{GraphUsed, Outcome};
use crate::cli::failure::Failure;

/// An experiment, its graphs, and what was found on those that were measured.
pub(super) struct Measured {
    pub(super) experiment: &'static Experiment,
    graphs: Vec<(Dataset, Option<Found>)>,
}

#[derive(Clone)]
struct Found {
    graph: GraphUsed,
    values: Vec<Value>,
}

impl Measured {
    /// Before anything was measured.
    pub(super) fn nothing_of(experiment: &'static Experiment, datasets: Vec<Dataset>) -> Self {
        let graphs = datasets.into_iter().map(|dataset| (dataset, None)).collect();
        Self { experiment, graphs }
    }

    /// The files and generators that it runs on.
    pub(super) fn used(&self) -> impl Iterator<Item = String> {
        self.graphs.iter().map(|(dataset, _)| dataset.used())
    }

    /// Measures on a graph, if it is one of the experiment's, and says whether it is. What memory has no room for is
    /// left out.
    pub(super) fn measure(
        &mut self,
        lab: &mut Lab<'_>,
        paper: &Paper,
        used: &str,
    ) -> Result<bool, Failure> {
        let Self { experiment, graphs } = self;
        let mut is_asked = false;
        for (dataset, found) in graphs.iter_mut().filter(|(dataset, _)| dataset.used() == used) {
            is_asked = true;
            let mut graph = GraphUsed::of(dataset, experiment);
            let values = match (experiment.measure)(lab, dataset) {
                Ok(values) => values,
                Err(failure) => match failure.bytes_that_do_not_fit() {
                    Some(bytes) => {
                        graph.does_not_fit_bytes = Some(bytes);
                        Vec::new()
                    }
                    None => {
                        return Err(Failure::Experiment {
                            experiment: format!("{} of `{}`", experiment.part, paper.name),
                            graph: dataset.used(),
                            cause: Box::new(failure),
                        });
                    }
                },
            };
            *found = Some(Found { graph, values });
        }
        Ok(is_asked)
    }

    /// What was found on the graphs so far, in the experiment's order; nothing before the first.
    pub(super) fn outcome(&self, paper: &Paper) -> Option<Outcome> {
        let (mut graphs, mut values) = (Vec::new(), Vec::new());
        for (dataset, found) in &self.graphs {
            let Some(found) = found.clone() else { continue };
            graphs.push(found.graph);
            let named = |value| (dataset.name.clone(), value);
            values.extend(found.values.into_iter().map(named));
        }
        (!graphs.is_empty()).then(|| Outcome::new(paper, self.experiment, graphs, values))
    }
}
