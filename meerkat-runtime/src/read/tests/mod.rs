//! Tests of the readers on small files, written to temporary folders.

mod columns;
mod errors;
mod formats;
mod loading;
mod simple;
mod text_ids;
mod times;
mod vertices;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{GraphFile, ReadError, read};

/// A temporary folder for the files of one graph.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// Adds a file and returns its path.
    fn add(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, content).expect("write a temporary file");
        path
    }

    /// A folder with the files `G.v` and `G.e`, and the path of `G.e`.
    fn ldbc(vertices: &str, edges: &str) -> (Self, PathBuf) {
        let folder = Self::new();
        folder.add("G.v", vertices);
        let path = folder.add("G.e", edges);
        (folder, path)
    }
}

fn gzip(content: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content.as_ref()).expect("compress");
    encoder.finish().expect("compress")
}

fn read_path(path: &Path) -> Result<GraphFile, ReadError> {
    read(path, &mut |_| {})
}

/// Reads `content` as a file of this name.
fn read_as(name: &str, content: impl AsRef<[u8]>) -> Result<GraphFile, ReadError> {
    read_path(&Folder::new().add(name, content))
}

/// Reads a file that must be correct.
fn graph(name: &str, content: impl AsRef<[u8]>) -> GraphFile {
    read_as(name, content).unwrap_or_else(|error| panic!("{error}"))
}

/// The records of a graph in the ids of its file.
fn records(graph: &GraphFile) -> Vec<(u64, u64)> {
    let arcs = graph.sources.iter().zip(&graph.destinations);
    arcs.map(|(&u, &v)| (graph.ids.id_of(u), graph.ids.id_of(v))).collect()
}
