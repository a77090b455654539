//! Graph files, as the command reads them: the simple graph of the records, and the ids of the file.

use std::path::PathBuf;

use meerkat_runtime::read::{Duplicates, GraphFile, Label, ReadOptions};
use meerkat_runtime::{Direction, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::array::{Array, Kind};
use crate::error::Failure;
use crate::work::work;

/// What the user says of a file.
struct Said {
    options: ReadOptions,
    directed: Option<bool>,
    duplicates: Duplicates,
}

/// Something that is said by a word.
fn word<T: std::str::FromStr<Err: std::fmt::Display>>(
    name: &str,
    word: Option<&str>,
) -> Result<Option<T>, Failure> {
    let parsed = word.map(str::parse::<T>).transpose();
    parsed.map_err(|error| Failure::value(format!("`{name}`: {error}")))
}

/// The edges of a file: each arc once, or of an undirected graph each edge once, without loops.
struct Edges {
    file: GraphFile,
    directed: bool,
    sources: Vec<u32>,
    destinations: Vec<u32>,
    weights: Option<Vec<f64>>,
}

fn edges_of(mut file: GraphFile, said: &Said) -> Edges {
    let directed = said.directed.or(file.declared_directed).unwrap_or(true);
    let direction = if directed { Direction::Directed } else { Direction::Undirected };
    let mut simple = file.simple_with(direction, said.duplicates);
    (file.sources, file.destinations) = (Vec::new(), Vec::new());
    (file.weights, file.times) = (None, None);
    if !directed {
        // Both arcs are there, of one weight.
        let ends = simple.sources.iter().zip(&simple.destinations);
        let kept: Vec<bool> = ends.map(|(src, dst)| src < dst).collect();
        keep(&mut simple.sources, &kept);
        keep(&mut simple.destinations, &kept);
        if let Some(weights) = &mut simple.weights {
            keep(weights, &kept);
        }
    }
    let (sources, destinations) = (simple.sources, simple.destinations);
    Edges { file, directed, sources, destinations, weights: simple.weights }
}

fn keep<T>(values: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    values.retain(|_| kept.next().copied().unwrap_or(false));
}

/// Reads a graph file.
#[pyfunction]
#[pyo3(signature = (path, *, format=None, columns=None, separator=None, ids=None, header=None,
                    directed=None, duplicates="min"))]
#[allow(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn read_file<'py>(
    py: Python<'py>,
    path: PathBuf,
    format: Option<&str>,
    columns: Option<&str>,
    separator: Option<&str>,
    ids: Option<&str>,
    header: Option<bool>,
    directed: Option<bool>,
    duplicates: &str,
) -> Result<Bound<'py, PyDict>, Failure> {
    let duplicates = match duplicates {
        "min" => Duplicates::Min,
        "last" => Duplicates::Last,
        _ => return Err(Failure::value("`duplicates` is to be 'min' or 'last'")),
    };
    let options = ReadOptions {
        format: word("format", format)?,
        columns: word("columns", columns)?,
        separator: word("separator", separator)?,
        ids: word("ids", ids)?,
        header,
        time_unit: None,
        skip_times: true,
    };
    let said = Said { options, directed, duplicates };
    let edges = work(py, || {
        let file = said.options.read(&path, &mut |_| ()).map_err(ErrorKind::Read)?;
        Ok(edges_of(file, &said))
    })?;
    shown(py, edges).map_err(Failure::Python)
}

fn shown<'py>(py: Python<'py>, edges: Edges) -> PyResult<Bound<'py, PyDict>> {
    let Edges { file, directed, sources, destinations, weights } = edges;
    let (ids, shown) = (&file.ids, PyDict::new(py));
    shown.set_item("src", Array::of_vec(sources, Kind::U32))?;
    shown.set_item("dst", Array::of_vec(destinations, Kind::U32))?;
    shown.set_item("weight", weights.map(|weights| Array::of_vec(weights, Kind::F64)))?;
    shown.set_item("directed", directed)?;
    shown.set_item("vertices", ids.len())?;
    let texts = PyList::empty(py);
    let mut numbers = Vec::new();
    for vertex in 0..ids.len() {
        match ids.label(vertex) {
            Label::Number(number) => numbers.push(number),
            Label::Text(text) => texts.append(text)?,
        }
    }
    match ids.is_text() {
        true => shown.set_item("labels", texts)?,
        false => shown.set_item("labels", Array::of_vec(numbers, Kind::U64))?,
    }
    Ok(shown)
}
