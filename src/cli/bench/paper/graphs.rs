//! The graphs of the papers, and what is used for them: files that are given, files that lie in
//! a folder, or generated graphs of the same kind.

use std::path::{Path, PathBuf};

use meerkat::runtime::generate::Generator;
use serde::Serialize;

use crate::cli::input::GraphSource;

/// A graph of a paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct PaperGraph {
    /// As the paper calls it.
    pub(super) name: &'static str,
    /// Names of its file, without the ending.
    pub(super) files: &'static [&'static str],
    /// Where it can be had.
    pub(super) from: &'static str,
    /// A generated graph of its kind and size, but of at most about 2^28 edges.
    pub(super) like: &'static str,
    /// A tiny one for a quick run; empty if another graph there is of its kind.
    pub(super) quick: &'static str,
}

/// A graph that an experiment runs on.
#[derive(Clone, Debug)]
pub(super) struct Dataset {
    /// The paper's name; of a file that is given the file's.
    pub(super) name: String,
    pub(super) source: GraphSource,
    pub(super) origin: Origin,
}

/// Why a graph is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Origin {
    /// The user named it.
    Given,
    /// It lay in the folder, by the paper's name.
    Folder,
    /// It is generated in place of the paper's.
    StandIn,
}

/// What the user says of graphs.
#[derive(Debug)]
pub(super) struct Choice<'a> {
    pub(super) given: &'a [GraphSource],
    pub(super) folder: Option<&'a Path>,
    pub(super) quick: bool,
    /// How many times as small as the paper's graphs their stand-ins are.
    pub(super) shrink: u32,
}

impl Dataset {
    /// The file or the generator.
    pub(super) fn used(&self) -> String {
        match &self.source {
            GraphSource::File(path) => path.display().to_string(),
            GraphSource::Generated(generator) => generator.to_string(),
        }
    }
}

impl Choice<'_> {
    /// What is used for the graphs of an experiment.
    pub(super) fn datasets(&self, graphs: &[PaperGraph]) -> Vec<Dataset> {
        if !self.given.is_empty() {
            return self.given.iter().map(given).collect();
        }
        graphs.iter().filter_map(|graph| self.dataset(graph)).collect()
    }

    fn dataset(&self, graph: &PaperGraph) -> Option<Dataset> {
        let found = self.folder.and_then(|folder| find(folder, graph.files));
        let (source, origin) = match (found, self.quick) {
            (Some(path), _) => (GraphSource::File(path), Origin::Folder),
            (None, true) if graph.quick.is_empty() => return None,
            (None, true) => (generated(graph.quick), Origin::StandIn),
            (None, false) => {
                (GraphSource::Generated(shrunk(parsed(graph.like), self.shrink)), Origin::StandIn)
            }
        };
        Some(Dataset { name: graph.name.to_owned(), source, origin })
    }
}

fn given(source: &GraphSource) -> Dataset {
    let name = match source {
        GraphSource::File(path) => stem(path).unwrap_or_default(),
        GraphSource::Generated(generator) => generator.to_string(),
    };
    Dataset { name, source: source.clone(), origin: Origin::Given }
}

fn generated(name: &str) -> GraphSource {
    GraphSource::Generated(parsed(name))
}

fn parsed(name: &str) -> Generator {
    name.parse().expect("the tables of papers name generators")
}

/// A graph of the same kind and with the same edges a vertex, but `by` times as small. R-MAT graphs have a
/// power of two of vertices: there the largest power of two counts that is not above `by`.
fn shrunk(generator: Generator, by: u32) -> Generator {
    let part = |number: u32| (number / by).max(1);
    let side = |length: u32| ((f64::from(length) / f64::from(by).sqrt()) as u32).max(2);
    match generator {
        Generator::Uniform { vertices, edges } => {
            Generator::Uniform { vertices: part(vertices), edges: edges / u64::from(by) }
        }
        Generator::Rmat { scale, edges } => {
            let halvings = by.ilog2().min(scale - 1);
            Generator::Rmat { scale: scale - halvings, edges: edges >> halvings }
        }
        Generator::Grid { width, height, dropped, diagonals } => {
            Generator::Grid { width: side(width), height: side(height), dropped, diagonals }
        }
        other => other,
    }
}

/// The file of one of these names, whatever its ending.
fn find(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let is_it = |path: &PathBuf| {
        let stem = stem(path).unwrap_or_default();
        path.is_file() && names.iter().any(|name| stem.eq_ignore_ascii_case(name))
    };
    paths.into_iter().find(is_it)
}

/// The name of a graph file without its endings.
fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let endings = [".mtx", ".txt", ".gr", ".csv", ".tsv", ".el", ".wel", ".e", ".graph", ".metis"];
    let ending = endings.iter().find_map(|ending| name.strip_suffix(ending));
    Some(ending.unwrap_or(name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::paper::papers::PAPERS;

    #[test]
    fn every_graph_of_every_paper_has_a_generator_and_says_where_it_is_from() {
        for experiment in PAPERS.iter().flat_map(|paper| paper.experiments) {
            assert!(experiment.graphs.iter().any(|graph| !graph.quick.is_empty()));
            for graph in experiment.graphs {
                assert!(!graph.from.is_empty(), "{}", graph.name);
                let names = [graph.like, graph.quick].into_iter().filter(|name| !name.is_empty());
                names.for_each(|name| drop(generated(name)));
            }
        }
    }

    #[test]
    fn stand_ins_shrink_and_keep_their_edges_a_vertex() {
        for (like, by, expected) in [
            ("uniform:10000000:80000000", 8, "uniform:1250000:10000000"),
            ("rmat:22:69000000", 8, "rmat:19:8625000"),
            ("rmat:22:69000000", 5, "rmat:20:17250000"),
            ("rmat:22:69000000", 15, "rmat:19:8625000"),
            ("grid:4890x4890:400:10", 4, "grid:2445x2445:400:10"),
            ("grid:338x338:475:0", 1, "grid:338x338:475:0"),
            ("uniform:10:80", 1000, "uniform:1:0"),
            ("rmat:3:24", 1000, "rmat:1:6"),
        ] {
            assert_eq!(shrunk(parsed(like), by).to_string(), expected);
        }
    }

    #[test]
    fn a_file_in_the_folder_comes_before_a_stand_in_and_a_given_one_before_both() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("Web-BerkStan.txt.gz"), "").expect("a file");
        let graph = PaperGraph {
            name: "BerkStan",
            files: &["web-BerkStan"],
            from: "SNAP",
            like: "rmat:19",
            quick: "",
        };
        let of = |given: &[GraphSource], folder, quick| {
            let datasets = Choice { given, folder, quick, shrink: 1 }.datasets(&[graph]);
            datasets.into_iter().map(|dataset| (dataset.used(), dataset.origin)).collect::<Vec<_>>()
        };
        let there = folder.path().join("Web-BerkStan.txt.gz").display().to_string();
        assert_eq!(of(&[], Some(folder.path()), true), [(there, Origin::Folder)]);
        assert_eq!(of(&[], None, false), [("rmat:19:8388608".to_owned(), Origin::StandIn)]);
        assert!(of(&[], None, true).is_empty());
        let small = Choice { given: &[], folder: None, quick: false, shrink: 8 };
        assert_eq!(small.datasets(&[graph])[0].used(), "rmat:16:1048576");
        let given = [GraphSource::File("a.mtx".into())];
        assert_eq!(of(&given, Some(folder.path()), true), [("a.mtx".to_owned(), Origin::Given)]);
    }
}
