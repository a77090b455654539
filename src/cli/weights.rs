//! The weights of a run: the file's, synthetic, or 1.

use meerkat::runtime::Edge;

use super::args::WeightsArg;
use super::failure::Failure;
use super::input::Input;
use super::plan::WeightsPlan;

/// The arcs with weights of the type that holds them all.
pub(super) enum WeightedEdges {
    Integers(Vec<Edge<u32>>),
    Floats(Vec<Edge<f32>>),
}

/// The arcs of a graph with the weights asked for.
pub(super) fn weighted(input: &Input, plan: WeightsPlan) -> Result<WeightedEdges, Failure> {
    let kind = plan.kind.unwrap_or(match input.graph.weights {
        Some(_) => WeightsArg::Native,
        None => WeightsArg::Unit,
    });
    match kind {
        WeightsArg::Unit => Ok(WeightedEdges::Integers(input.edges(|_| 1))),
        WeightsArg::Synthetic => {
            let id = |vertex: u32| input.ids.id_of(vertex);
            let (sources, destinations) = (&input.graph.sources, &input.graph.destinations);
            let weight = |arc: usize| synthetic(id(sources[arc]), id(destinations[arc]));
            Ok(WeightedEdges::Integers(input.edges(weight)))
        }
        WeightsArg::Native => native(input, plan.shift),
    }
}

/// The weight of the arc u -> v of the file's ids, from 1 to 64.
pub(super) fn synthetic(u: u64, v: u64) -> u32 {
    1 + (u.wrapping_mul(31).wrapping_add(v.wrapping_mul(17)) % 64) as u32
}

fn native(input: &Input, shift: f64) -> Result<WeightedEdges, Failure> {
    let Some(weights) = &input.graph.weights else {
        return Err(Failure::NoWeights { graph: input.path.clone() });
    };
    let weight = |arc: usize| weights[arc] + shift;
    let all = || (0..weights.len()).map(weight);
    let refused = |fits: &dyn Fn(f64) -> bool| all().position(|weight| !fits(weight));
    let bad_weight = |arc: usize| Failure::BadWeight {
        graph: input.path.clone(),
        src: input.ids.id_of(input.graph.sources[arc]),
        dst: input.ids.id_of(input.graph.destinations[arc]),
        weight: weight(arc),
    };
    if all().all(|weight| weight.fract() == 0.0) {
        let fits = |weight| (0.0..=f64::from(u32::MAX)).contains(&weight);
        match refused(&fits) {
            None => Ok(WeightedEdges::Integers(input.edges(|arc| weight(arc) as u32))),
            Some(arc) => Err(bad_weight(arc)),
        }
    } else {
        match refused(&|weight| (0.0..=f64::from(f32::MAX)).contains(&weight)) {
            None => Ok(WeightedEdges::Floats(input.edges(|arc| weight(arc) as f32))),
            Some(arc) => Err(bad_weight(arc)),
        }
    }
}
