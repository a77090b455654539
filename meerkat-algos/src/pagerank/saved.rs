//! Ranks in a checkpoint.
//!
//! Besides the ranks that were propagated, those that are answered and the dead ends' part that is
//! held fixed are kept: what is still to be propagated is their difference, which bounds the
//! error.

use super::dynamic::{PageRank, PageRankState};
use super::iterate::Step;
use super::model::Model;
use meerkat_runtime::dynamic::SavedState;
use meerkat_runtime::prelude::*;
use meerkat_runtime::saved::{SavedElement, StateReader, StateWriter};

impl<R: Float + SavedElement, C: Container> SavedState<C> for PageRank<R> {
    fn description(&self) -> String {
        let (number, options) = (std::any::type_name::<R>(), &self.options);
        let (damping, dead_ends, stop) = (options.damping, options.dead_ends, options.stop);
        let method = self.method;
        format!("pagerank in {number}: damping {damping}, {dead_ends:?}, {stop:?}, {method:?}")
    }

    fn save_state(&self, state: &PageRankState<R>, to: &mut StateWriter) -> Result<(), Error> {
        let PageRankState { iteration, model, last, .. } = state;
        to.array("model", &[model.base, model.dead_weight])?;
        to.array("last_step", &[last.l1, last.l_infinity, last.dead, last.above])?;
        to.array("counts", &[state.iterations, u32::from(state.is_followed)])?;
        to.array("ranks", &iteration.ranks.to_vec()?)?;
        to.array("shares", &iteration.shares.to_vec()?)?;
        to.array("next", &iteration.next.to_vec()?)
    }

    fn load_state(&self, graph: &C, from: &mut StateReader) -> Result<PageRankState<R>, Error> {
        let mut state = PageRankState::new(graph, &self.options)?;
        let count = graph.vertex_count() as usize;
        let (model, last) = (from.array("model", 2)?, from.array("last_step", 4)?);
        let counts = from.array::<u32>("counts", 2)?;
        (state.iterations, state.is_followed) = (counts[0], counts[1] != 0);
        // Of no vertices, each has an infinite part.
        if count > 0 {
            check_finite(&model, from)?;
        }
        state.model = Model { base: model[0], dead_weight: model[1], ..state.model };
        state.last = Step { l1: last[0], l_infinity: last[1], dead: last[2], above: last[3] };
        let iteration = &mut state.iteration;
        let buffers = [
            ("ranks", &mut iteration.ranks),
            ("shares", &mut iteration.shares),
            ("next", &mut iteration.next),
        ];
        for (name, buffer) in buffers {
            let values = from.array::<R>(name, count)?;
            check_finite(&values, from)?;
            buffer.write(0, &values)?;
        }
        iteration.count_out_edges(0..graph.vertex_count(), graph)?;
        Ok(state)
    }
}

fn check_finite<R: Float>(values: &[R], from: &StateReader) -> Result<(), Error> {
    match values.iter().all(|value| value.to_f64().is_finite()) {
        true => Ok(()),
        false => Err(from.refuse("ranks that are no numbers")),
    }
}
