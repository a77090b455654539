//! Graphs in files.
//!
//! A snapshot holds what a graph is, not where its slabs lie: the options, the
//! vertices and the arcs, ascending, as little-endian numbers.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `MEERKAT` and a zero |
//! | 4 | version, 1 |
//! | 4 | what edges carry: 0 nothing, 1 `u32`, 2 `i32`, 3 `f32` |
//! | 4 x 4 | load factor, flags, `max_slabs`, number of vertex ids |
//! | 8 + 8 | number of deleted ids, number of arcs |
//! | 4 each | deleted ids; sources; destinations; weights, if there are any |
//! | 32 | SHA-256 of everything before |

use super::convert::ARCS_AT_ONCE;
use super::dynamic_graph::DynamicGraph;
use super::layout::Edge;
use super::lists::EdgeLists;
use super::options::{BlockOptions, Compaction, Orientation, SlabOptions};
use crate::Direction;
use crate::error::SnapshotFault;
use crate::{Device, DeviceBuffer, Error, ErrorKind, Weight};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

const MAGIC: &[u8; 8] = b"MEERKAT\0";
const VERSION: u32 = SnapshotFault::VERSION;
/// Bytes before the lists.
const HEADER: u64 = 8 + 4 * 6 + 8 * 2;
const CHECKSUM: u64 = 32;

impl<L: EdgeLists> DynamicGraph<L> {
    /// Writes the graph to a file, which appears whole or not at all.
    /// Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`] if the file cannot be written; as
    /// [`to_edges`](Self::to_edges).
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        self.save_in_parts(path, ARCS_AT_ONCE)
    }

    /// Reads a graph from a file. Its slabs are laid out as after a build.
    /// Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`] says what is wrong with the file; as
    /// [`from_parts`](Self::from_parts).
    pub fn load(device: &Device, path: &Path) -> Result<Self, Error> {
        Self::load_in_parts(device, path, ARCS_AT_ONCE)
    }

    /// [`save`](Self::save) by way of lists of `most` arcs, each of which is made once for
    /// every column.
    fn save_in_parts(&self, path: &Path, most: u64) -> Result<(), Error> {
        let failed = |error: io::Error| fault(path, error.into());
        // Beside the file, and then renamed.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")));
        let mut file = file.map_err(failed)?;
        let mut to = Checksummed { to: BufWriter::new(&mut file), checksum: Sha256::new() };
        to.words(self.header()?).map_err(failed)?;
        to.words(self.deleted_vertices()).map_err(failed)?;
        let columns: &[Column<L::Carried>] =
            &[|edge| edge.src, |edge| edge.dst, |edge| edge.weight.to_bits()];
        for column in &columns[..columns_of::<L::Carried>()] {
            let append =
                |edges: &[Edge<L::Carried>]| to.words(edges.iter().map(column)).map_err(failed);
            self.for_each_part(most, append)?;
        }
        to.finish().map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        file.persist(path).map(drop).map_err(|error| failed(error.error))
    }

    fn header(&self) -> Result<Vec<u32>, Error> {
        let options = self.options();
        let halves = |count: u64| [count as u32, (count >> 32) as u32];
        let mut words: Vec<u32> = MAGIC.chunks_exact(4).map(word).collect();
        words.extend([
            VERSION,
            weight_tag::<L::Carried>(),
            options.load_factor.to_bits(),
            flags_of(options),
            options.max_slabs,
            self.vertex_count(),
        ]);
        words.extend(halves(self.deleted_vertices().len() as u64));
        words.extend(halves(self.edge_count()?));
        Ok(words)
    }

    fn load_in_parts(device: &Device, path: &Path, most: u64) -> Result<Self, Error> {
        let failed = |cause: SnapshotFault| fault(path, cause);
        let mut file = File::open(path).map_err(|error| failed(error.into()))?;
        let header = Header::read::<L::Carried>(&mut file).map_err(failed)?;
        let parts = header.arcs.div_ceil(most) as usize;
        let part = |at: usize| {
            let from = at as u64 * most;
            let edges = header.edges::<L::Carried>(&mut file, from..header.arcs.min(from + most));
            DeviceBuffer::from_slice(device, &edges.map_err(failed)?)
        };
        let built = Self::from_parts(device, header.vertices, parts, part, &header.options);
        let mut graph = built?;
        if graph.edge_count()? != header.arcs {
            return Err(failed(SnapshotFault::Damaged));
        }
        let deleted = words_of(&mut file, HEADER, header.deleted).map_err(failed)?;
        graph.delete_vertices(&deleted)?;
        Ok(graph)
    }
}

/// A word of an edge.
type Column<W> = fn(&Edge<W>) -> u32;

/// What is written, and its checksum so far.
struct Checksummed<T> {
    to: T,
    checksum: Sha256,
}

impl<T: Write> Checksummed<T> {
    fn words(&mut self, words: impl IntoIterator<Item = u32>) -> io::Result<()> {
        for word in words {
            let bytes = word.to_le_bytes();
            self.checksum.update(bytes);
            self.to.write_all(&bytes)?;
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.to.write_all(&self.checksum.finalize())?;
        self.to.flush()
    }
}

fn fault(path: &Path, cause: SnapshotFault) -> Error {
    ErrorKind::Snapshot { path: path.to_owned(), cause }.into()
}

/// What a snapshot says before its lists.
struct Header {
    options: SlabOptions,
    vertices: u32,
    deleted: u64,
    arcs: u64,
}

impl Header {
    /// Reads all of the file, to compare its checksum.
    fn read<W: Weight>(file: &mut File) -> Result<Self, SnapshotFault> {
        let mut start = Vec::new();
        Read::by_ref(file).take(HEADER).read_to_end(&mut start)?;
        if !start.starts_with(MAGIC) {
            return Err(SnapshotFault::NoSnapshot);
        }
        let words: Vec<u32> = start.chunks_exact(4).map(word).collect();
        let version = *words.get(2).ok_or(SnapshotFault::Damaged)?;
        // A version may have another header.
        if version != VERSION && words.len() > 7 {
            return Err(SnapshotFault::Version(version));
        }
        let body = check_whole(file)?;
        let [_, _, _, tag, load_factor, flags, max_slabs, vertices, low, high, arcs_low, arcs_high] =
            words[..]
        else {
            return Err(SnapshotFault::Damaged);
        };
        if tag != weight_tag::<W>() {
            let (found, wanted) = (weight_name(tag), weight_name(weight_tag::<W>()));
            return Err(SnapshotFault::Weight { found, wanted });
        }
        let (deleted, arcs) = (length(low, high), length(arcs_low, arcs_high));
        let words = arcs.checked_mul(columns_of::<W>() as u64);
        let words = words.and_then(|words| words.checked_add(deleted));
        if words.and_then(|words| words.checked_mul(4)) != Some(body) {
            return Err(SnapshotFault::Damaged);
        }
        let options = options_of(f32::from_bits(load_factor), flags, max_slabs);
        Ok(Header { options, vertices, deleted, arcs })
    }

    /// Some of the edges; an undirected one at the arc that does not descend.
    fn edges<W: Weight>(
        &self,
        file: &mut File,
        arcs: Range<u64>,
    ) -> Result<Vec<Edge<W>>, SnapshotFault> {
        let count = arcs.end - arcs.start;
        let mut column = |number: u64| {
            let before = self.deleted + number * self.arcs + arcs.start;
            words_of(file, HEADER + 4 * before, count)
        };
        let (sources, destinations) = (column(0)?, column(1)?);
        let weights = if W::IS_WEIGHTED { column(2)? } else { Vec::new() };
        let directed = self.options.direction == Direction::Directed;
        let ends = sources.into_iter().zip(destinations).enumerate();
        let kept = ends.filter(|(_, (src, dst))| directed || src <= dst);
        let edge = |(at, (src, dst))| {
            let bits: u32 = weights.get(at).copied().unwrap_or(0);
            Edge { src, dst, weight: W::from_bits(bits) }
        };
        Ok(kept.map(edge).collect())
    }
}

/// How many bytes lie between header and checksum, if the checksum is right.
fn check_whole(file: &mut File) -> Result<u64, SnapshotFault> {
    let end = file.metadata()?.len().checked_sub(CHECKSUM).filter(|end| *end >= HEADER);
    let end = end.ok_or(SnapshotFault::Damaged)?;
    file.seek(SeekFrom::Start(0))?;
    let mut checksum = Sha256::new();
    io::copy(&mut BufReader::with_capacity(1 << 20, Read::by_ref(file).take(end)), &mut checksum)?;
    let mut wanted = Vec::new();
    file.read_to_end(&mut wanted)?;
    if checksum.finalize().as_slice() != wanted {
        return Err(SnapshotFault::Damaged);
    }
    Ok(end - HEADER)
}

/// Numbers from a byte of the file on.
fn words_of(file: &mut File, at: u64, count: u64) -> Result<Vec<u32>, SnapshotFault> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = vec![0; usize::try_from(4 * count).map_err(|_| SnapshotFault::Damaged)?];
    file.read_exact(&mut bytes)?;
    Ok(bytes.chunks_exact(4).map(word).collect())
}

/// Sources, destinations and, if there are any, weights.
fn columns_of<W: Weight>() -> usize {
    if W::IS_WEIGHTED { 3 } else { 2 }
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
}

fn length(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn weight_tag<W: Weight>() -> u32 {
    let names = ["Unit", "u32", "i32", "f32"];
    let own = W::cuda_name(&mut crate::program::Program::new());
    (0..).zip(names).find(|(_, name)| *name == own).map_or(u32::MAX, |(tag, _)| tag)
}

fn weight_name(tag: u32) -> String {
    let names = ["()", "u32", "i32", "f32"];
    names.get(tag as usize).map_or_else(|| format!("weight {tag}"), |name| (*name).to_owned())
}

fn flags_of(options: &SlabOptions) -> u32 {
    let orientation = match options.orientation {
        Orientation::Out => 0,
        Orientation::In => 1,
        Orientation::Both => 2,
    };
    u32::from(options.hashing)
        | u32::from(options.direction == Direction::Undirected) << 1
        | u32::from(options.track_updates) << 2
        | u32::from(options.compaction == Compaction::Automatic) << 3
        | orientation << 4
        | block_flags(&options.block) << 8
}

/// The sizes of blocks, where they are not usual: the exponents of the least block, and of an array
/// that is a power of two.
fn block_flags(block: &BlockOptions) -> u32 {
    if *block == BlockOptions::DEFAULT {
        return 0;
    }
    block.least.ilog2() | block.array.max(1).ilog2() << 8
}

fn block_of(flags: u32) -> BlockOptions {
    match (flags & 31, flags >> 8 & 31) {
        (0, _) => BlockOptions::DEFAULT,
        (least, array) => BlockOptions { least: 1 << least, array: 1 << array },
    }
}

fn options_of(load_factor: f32, flags: u32, max_slabs: u32) -> SlabOptions {
    let is_set = |bit: u32| flags >> bit & 1 == 1;
    SlabOptions {
        load_factor,
        hashing: is_set(0),
        direction: if is_set(1) { Direction::Undirected } else { Direction::Directed },
        track_updates: is_set(2),
        compaction: if is_set(3) { Compaction::Automatic } else { Compaction::OnDemand },
        orientation: match flags >> 4 & 3 {
            0 => Orientation::Out,
            1 => Orientation::In,
            _ => Orientation::Both,
        },
        max_slabs,
        block: block_of(flags >> 8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::SlabGraph;

    fn scattered(device: &Device, options: &SlabOptions) -> SlabGraph<u32> {
        let edge = |i: u32| {
            let (src, dst) = (i * i % 97, (i * 31 + i / 97) % 2100);
            Edge { src, dst, weight: src.min(dst) * 3000 + src.max(dst) }
        };
        let edges: Vec<_> = (0..3000).map(edge).collect();
        SlabGraph::from_edges(device, 2100, &edges, options).expect("a graph")
    }

    #[test]
    fn a_graph_of_3000_edges_is_the_same_in_parts_of_64_arcs() {
        let device = Device::cpu();
        let folder = tempfile::tempdir().expect("a folder");
        let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
        let base = SlabOptions::DEFAULT;
        let others = [Orientation::Out, Orientation::In, Orientation::Both];
        for options in others.map(|way| base.oriented(way)).into_iter().chain([base.undirected()]) {
            let mut graph = scattered(&device, &options);
            graph.delete_vertices(&[3, 2000]).expect("vertices");
            let edges = graph.to_edges().expect("edges");
            assert_eq!(graph.to_edges_in_parts(64).expect("edges"), edges);
            graph.save(&whole).expect("a snapshot");
            graph.save_in_parts(&parts, 64).expect("a snapshot");
            let bytes = |path: &Path| std::fs::read(path).expect("bytes");
            assert_eq!(bytes(&whole), bytes(&parts), "{options:?}");
            let loaded = SlabGraph::<u32>::load_in_parts(&device, &parts, 64).expect("a graph");
            loaded.check_invariants().expect("invariants");
            assert_eq!(loaded.to_edges().expect("edges"), edges);
            assert_eq!(loaded.deleted_vertices(), [3, 2000]);
            graph.compact_in_parts(64).expect("compaction");
            graph.check_invariants().expect("invariants");
            assert_eq!(graph.to_edges().expect("edges"), edges);
            assert_eq!(graph.edge_count().expect("arcs"), edges.len() as u64);
        }
    }

    #[test]
    fn parts_that_change_between_the_passes_are_refused() {
        let device = Device::cpu();
        let mut asked = 0;
        let part = |_| {
            asked += 1;
            DeviceBuffer::from_slice(&device, &[Edge { src: asked / 3, dst: 1, weight: () }])
        };
        let built = SlabGraph::from_parts(&device, 9, 2, part, &SlabOptions::DEFAULT);
        let error = built.expect_err("other edges");
        assert!(matches!(error.kind(), ErrorKind::PartsDiffer), "{error}");
    }
}
