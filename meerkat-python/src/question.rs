//! What is asked of an algorithm, by its name and its parameters.

use meerkat_algos::catalog::{self, Algorithm, Default, ParameterKind};
use meerkat_algos::pagerank::{DeadEnds, Method, Norm, Options, Stop};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::Failure;

/// An algorithm with all that is asked.
#[derive(Clone, Debug)]
pub(crate) enum Question {
    Bfs { source: u32 },
    Sssp { source: u32 },
    Wcc,
    Triangles,
    PageRank { options: Options, method: Method, is_single: bool },
    KTruss { k: Option<u32> },
    Spmv { is_single: bool },
}

/// The algorithm that somebody calls so.
pub(crate) fn named(name: &str) -> Result<&'static Algorithm, Failure> {
    catalog::named(name).ok_or_else(|| {
        let names: Vec<_> = catalog::ALL.iter().map(|algorithm| algorithm.name).collect();
        Failure::value(format!("there is no algorithm '{name}'; there are {}", names.join(", ")))
    })
}

impl Question {
    /// Reads what is asked.
    pub(crate) fn read(name: &str, parameters: &Bound<'_, PyDict>) -> Result<Question, Failure> {
        let algorithm = named(name)?;
        let asked = Asked { algorithm, parameters };
        asked.refuse_unknown()?;
        Ok(match algorithm.name {
            "bfs" => Question::Bfs { source: asked.vertex("source")? },
            "sssp" => Question::Sssp { source: asked.vertex("source")? },
            "wcc" => Question::Wcc,
            "triangles" => Question::Triangles,
            "pagerank" => page_rank(&asked)?,
            "ktruss" => Question::KTruss { k: asked.integer("k")?.map(most) },
            _ => Question::Spmv { is_single: asked.word("precision")? == "f32" },
        })
    }

    /// The name of its algorithm.
    pub(crate) fn name(&self) -> &'static str {
        let algorithm = match self {
            Question::Bfs { .. } => &catalog::BFS,
            Question::Sssp { .. } => &catalog::SSSP,
            Question::Wcc => &catalog::WCC,
            Question::Triangles => &catalog::TRIANGLES,
            Question::PageRank { .. } => &catalog::PAGERANK,
            Question::KTruss { .. } => &catalog::KTRUSS,
            Question::Spmv { .. } => &catalog::SPMV,
        };
        algorithm.name
    }
}

/// Numbers beyond are as good as the last that there is.
fn most(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn page_rank(asked: &Asked<'_, '_>) -> Result<Question, Failure> {
    let is_single = asked.word("precision")? == "f32";
    let usual = if is_single { 1e-6 } else { 1e-12 };
    let stop = match asked.integer("iterations")? {
        Some(steps) => {
            for other in ["tolerance", "norm", "max_iterations"] {
                if asked.given(other)?.is_some() {
                    let message = format!("`iterations` and `{other}` exclude each other");
                    return Err(Failure::value(message));
                }
            }
            Stop::Steps(most(steps))
        }
        None => Stop::Change {
            tolerance: asked.number("tolerance")?.unwrap_or(usual),
            norm: if asked.word("norm")? == "l1" { Norm::L1 } else { Norm::LInfinity },
            max_iterations: asked.integer("max_iterations")?.map_or(u32::MAX, most),
        },
    };
    let dead_ends = match &*asked.word("dead_ends")? {
        "teleport" => DeadEnds::Teleport,
        _ => DeadEnds::SelfLoops,
    };
    let damping = asked.number("damping")?.unwrap_or_default();
    let frontier_tolerance = asked.number("frontier_tolerance")?.unwrap_or_default();
    let prune_tolerance = asked.number("prune_tolerance")?.unwrap_or_default();
    let method = match &*asked.word("method")? {
        "static" => Method::Static,
        "nd" => Method::NaiveDynamic,
        "dt" => Method::DynamicTraversal,
        "df" => Method::DynamicFrontier { frontier_tolerance },
        _ => Method::DynamicFrontierPruning { frontier_tolerance, prune_tolerance },
    };
    let options = Options { damping, dead_ends, stop };
    Ok(Question::PageRank { options, method, is_single })
}

/// The parameters that were given, and those of the algorithm.
struct Asked<'a, 'py> {
    algorithm: &'static Algorithm,
    parameters: &'a Bound<'py, PyDict>,
}

impl<'py> Asked<'_, 'py> {
    fn refuse_unknown(&self) -> Result<(), Failure> {
        let Algorithm { name, parameters, .. } = self.algorithm;
        for key in self.parameters.keys() {
            let key: String = key.extract().map_err(Failure::Python)?;
            if parameters.iter().all(|parameter| parameter.name != key) {
                let names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
                let takes = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                return Err(Failure::kind(format!(
                    "`{name}` has no parameter `{key}`; it has {takes}"
                )));
            }
        }
        Ok(())
    }

    /// What was given; `None` is as if it was not.
    fn given(&self, name: &str) -> Result<Option<Bound<'py, PyAny>>, Failure> {
        let value = self.parameters.get_item(name).map_err(Failure::Python)?;
        Ok(value.filter(|value| !value.is_none()))
    }

    fn parameter(&self, name: &str) -> (ParameterKind, Default) {
        let found = self.algorithm.parameters.iter().find(|parameter| parameter.name == name);
        found
            .map_or((ParameterKind::Integer(0), Default::Open), |found| (found.kind, found.default))
    }

    fn wrong(&self, name: &str, wanted: &str, value: &Bound<'_, PyAny>) -> Failure {
        let algorithm = self.algorithm.name;
        Failure::value(format!("`{name}` of `{algorithm}` is to be {wanted}, and not {value}"))
    }

    fn vertex(&self, name: &str) -> Result<u32, Failure> {
        let Some(value) = self.given(name)? else {
            let algorithm = self.algorithm.name;
            return Err(Failure::kind(format!("`{algorithm}` needs the parameter `{name}`")));
        };
        value.extract().map_err(|_| self.wrong(name, "a vertex", &value))
    }

    fn integer(&self, name: &str) -> Result<Option<u64>, Failure> {
        let (kind, default) = self.parameter(name);
        let ParameterKind::Integer(least) = kind else { return Ok(None) };
        let Some(value) = self.given(name)? else {
            return Ok(if let Default::Integer(usual) = default { Some(usual) } else { None });
        };
        match value.extract::<u64>() {
            Ok(number) if number >= least => Ok(Some(number)),
            _ => Err(self.wrong(name, &format!("a whole number from {least}"), &value)),
        }
    }

    fn number(&self, name: &str) -> Result<Option<f64>, Failure> {
        let (kind, default) = self.parameter(name);
        let ParameterKind::Number(least, end) = kind else { return Ok(None) };
        let Some(value) = self.given(name)? else {
            return Ok(if let Default::Number(usual) = default { Some(usual) } else { None });
        };
        match value.extract::<f64>() {
            Ok(number) if number >= least && number < end => Ok(Some(number)),
            _ if end.is_infinite() && least > 0.0 => {
                Err(self.wrong(name, "a number above 0", &value))
            }
            _ if end.is_infinite() => Err(self.wrong(name, "a number from 0", &value)),
            _ => Err(self.wrong(name, &format!("from {least} to below {end}"), &value)),
        }
    }

    fn word(&self, name: &str) -> Result<String, Failure> {
        let (kind, default) = self.parameter(name);
        let ParameterKind::Word(words) = kind else { return Ok(String::new()) };
        let Some(value) = self.given(name)? else {
            return Ok(if let Default::Word(usual) = default {
                usual.to_owned()
            } else {
                String::new()
            });
        };
        match value.extract::<String>() {
            Ok(word) if words.contains(&&*word) => Ok(word),
            _ => Err(self.wrong(name, &format!("one of {}", words.join(", ")), &value)),
        }
    }
}
