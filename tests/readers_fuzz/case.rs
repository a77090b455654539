//! One input: a graph file, those beside it, and how it is to be read.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use fastrand::Rng;
use flate2::Compression;
use flate2::write::GzEncoder;
use meerkat_runtime::graph::Direction;
use meerkat_runtime::read::{Duplicates, GraphFile, ReadError, ReadOptions};

use super::choose;
use super::corpus::Corpus;
use super::mutate;

/// How the graph file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    /// Two gzip members, one after the other.
    TwoMembers,
    /// A gzip file without its end.
    Cut,
    /// A gzip file with a changed byte.
    Damaged,
}

/// A file by its name, unpacked.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// One input.
pub(crate) struct Case {
    pub(crate) file: File,
    /// Those beside it.
    pub(crate) beside: Vec<File>,
    pub(crate) packing: Packing,
    pub(crate) options: ReadOptions,
    pub(crate) direction: Direction,
    pub(crate) duplicates: Duplicates,
    /// The graph file as it is written.
    packed: Vec<u8>,
}

impl Case {
    /// The input number `index` of a seed.
    pub(crate) fn new(corpus: &Corpus, seed: u64, index: u64) -> Self {
        let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ index);
        let (mut file, mut beside) = corpus.pick(&mut rng);
        mutate::mutate(&mut file, &mut beside, corpus, &mut rng);
        let packing = match rng.u8(0..40) {
            0..=31 => Packing::Plain,
            32..=35 => Packing::Gzip,
            36..=37 => Packing::TwoMembers,
            38 => Packing::Cut,
            _ => Packing::Damaged,
        };
        Self {
            packed: pack(&file.bytes, packing, &mut rng),
            options: choose::options(&file.name, width(&file.bytes), &mut rng),
            direction: choose::one(&mut rng, &[Direction::Directed, Direction::Undirected]),
            duplicates: choose::one(&mut rng, &[Duplicates::Min, Duplicates::Last]),
            file,
            beside,
            packing,
        }
    }

    /// Writes the files and returns the path of the graph file.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        for file in &self.beside {
            fs::write(folder.join(&file.name), &file.bytes)?;
        }
        let path = folder.join(&self.file.name);
        fs::write(&path, &self.packed)?;
        Ok(path)
    }

    /// Removes what was written; what is gone already is no error.
    pub(crate) fn remove(&self, folder: &Path) {
        for file in self.beside.iter().chain([&self.file]) {
            let _ = fs::remove_file(folder.join(&file.name));
        }
    }

    /// Reads the graph file with the project's reader.
    pub(crate) fn read(&self, path: &Path) -> Result<GraphFile, ReadError> {
        self.options.read(path, &mut |_| {})
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "file: {} ({:?})", self.file.name, self.packing)?;
        writeln!(f, "simple: {:?}, {:?}", self.direction, self.duplicates)?;
        writeln!(f, "{:#?}", self.options)?;
        for file in [&self.file].into_iter().chain(&self.beside) {
            writeln!(f, "--- {}", file.name)?;
            writeln!(f, "{}", file.bytes.escape_ascii().to_string().replace("\\n", "\\n\n"))?;
        }
        Ok(())
    }
}

/// How many fields the last line has that is not blank, whatever separates them.
fn width(bytes: &[u8]) -> usize {
    let lines = bytes.split(|byte| b"\r\n".contains(byte)).map(<[u8]>::trim_ascii);
    let last = lines.rev().find(|line| !line.is_empty()).unwrap_or_default();
    let fields = last.split(|byte| b" ,;\t".contains(byte)).filter(|field| !field.is_empty());
    fields.count()
}

fn pack(bytes: &[u8], packing: Packing, rng: &mut Rng) -> Vec<u8> {
    match packing {
        Packing::Plain => bytes.to_vec(),
        Packing::Gzip => gzip(bytes),
        Packing::TwoMembers => {
            let (first, second) = bytes.split_at(rng.usize(0..=bytes.len()));
            [gzip(first), gzip(second)].concat()
        }
        Packing::Cut => {
            let mut packed = gzip(bytes);
            packed.truncate(rng.usize(2..packed.len()));
            packed
        }
        Packing::Damaged => {
            let mut packed = gzip(bytes);
            let at = rng.usize(2..packed.len());
            packed[at] ^= rng.u8(1..);
            packed
        }
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("a vector takes all")
}
