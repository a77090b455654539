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

use super::layout::Edge;
use super::options::{Compaction, Orientation, SlabOptions};
use super::slab_graph::SlabGraph;
use crate::Direction;
use crate::error::SnapshotFault;
use crate::{Device, Error, ErrorKind, Weight};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

const MAGIC: &[u8; 8] = b"MEERKAT\0";
const VERSION: u32 = SnapshotFault::VERSION;
/// Bytes before the lists.
const HEADER: usize = 8 + 4 * 6 + 8 * 2;
const CHECKSUM: usize = 32;

impl<W: Weight> SlabGraph<W> {
    /// Writes the graph to a file, which appears whole or not at all.
    /// Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`] if the file cannot be written; as
    /// [`to_edges`](Self::to_edges).
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let bytes = self.snapshot()?;
        write_whole(path, &bytes).map_err(|error| fault(path, error.into()))
    }

    /// Reads a graph from a file. Its slabs are laid out as after a build.
    /// Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`] says what is wrong with the file; as
    /// [`from_edges`](Self::from_edges).
    pub fn load(device: &Device, path: &Path) -> Result<Self, Error> {
        let bytes = fs::read(path).map_err(|error| fault(path, error.into()))?;
        let contents = Contents::parse(&bytes).map_err(|cause| fault(path, cause))?;
        contents.build(device)
    }

    fn snapshot(&self) -> Result<Vec<u8>, Error> {
        let (options, deleted, edges) = (self.options(), self.deleted_vertices(), self.to_edges()?);
        let mut bytes = Vec::with_capacity(HEADER + 12 * edges.len() + CHECKSUM);
        bytes.extend(MAGIC);
        let words = [
            VERSION,
            weight_tag::<W>(),
            options.load_factor.to_bits(),
            flags_of(options),
            options.max_slabs,
            self.vertex_count(),
        ];
        words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend((deleted.len() as u64).to_le_bytes());
        bytes.extend((edges.len() as u64).to_le_bytes());
        deleted.iter().for_each(|id| bytes.extend(id.to_le_bytes()));
        edges.iter().for_each(|edge| bytes.extend(edge.src.to_le_bytes()));
        edges.iter().for_each(|edge| bytes.extend(edge.dst.to_le_bytes()));
        if W::IS_WEIGHTED {
            edges.iter().for_each(|edge| bytes.extend(edge.weight.to_bits().to_le_bytes()));
        }
        bytes.extend(Sha256::digest(&bytes));
        Ok(bytes)
    }
}

fn fault(path: &Path, cause: SnapshotFault) -> Error {
    ErrorKind::Snapshot { path: path.to_owned(), cause }.into()
}

/// Writes beside the file and renames.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// What a snapshot says.
struct Contents<W: Weight> {
    options: SlabOptions,
    vertices: u32,
    deleted: Vec<u32>,
    edges: Vec<Edge<W>>,
}

impl<W: Weight> Contents<W> {
    fn parse(bytes: &[u8]) -> Result<Self, SnapshotFault> {
        if !bytes.starts_with(MAGIC) {
            return Err(SnapshotFault::NoSnapshot);
        }
        let [version, tag, load_factor, flags, max_slabs, vertices] = words_at(bytes, 8)?;
        if version != VERSION {
            return Err(SnapshotFault::Version(version));
        }
        let body = checked_body(bytes)?;
        if tag != weight_tag::<W>() {
            let (found, wanted) = (weight_name(tag), weight_name(weight_tag::<W>()));
            return Err(SnapshotFault::Weight { found, wanted });
        }
        let [low, high, arcs_low, arcs_high] = words_at(bytes, 32)?;
        let deleted = length(low, high)?;
        let arcs = length(arcs_low, arcs_high)?;
        let columns = if W::IS_WEIGHTED { 3 } else { 2 };
        let wanted = arcs.checked_mul(columns).and_then(|words| words.checked_add(deleted));
        if wanted.and_then(|words| words.checked_mul(4)) != Some(body.len()) {
            return Err(SnapshotFault::Damaged);
        }
        let words: Vec<u32> = body.chunks_exact(4).map(word).collect();
        let (deleted, lists) = words.split_at(deleted);
        let (sources, lists) = lists.split_at(arcs);
        let (destinations, weights) = lists.split_at(arcs);
        let edge = |at: usize| {
            let weight = W::from_bits(weights.get(at).copied().unwrap_or(0));
            Edge { src: sources[at], dst: destinations[at], weight }
        };
        Ok(Contents {
            options: options_of(f32::from_bits(load_factor), flags, max_slabs),
            vertices,
            deleted: deleted.to_vec(),
            edges: (0..arcs).map(edge).collect(),
        })
    }

    fn build(self, device: &Device) -> Result<SlabGraph<W>, Error> {
        let mut graph = SlabGraph::from_edges(device, self.vertices, &self.edges, &self.options)?;
        graph.delete_vertices(&self.deleted)?;
        Ok(graph)
    }
}

/// What lies between header and checksum, if the checksum is right.
fn checked_body(bytes: &[u8]) -> Result<&[u8], SnapshotFault> {
    let end = bytes.len().checked_sub(CHECKSUM).filter(|end| *end >= HEADER);
    let (content, checksum) = bytes.split_at(end.ok_or(SnapshotFault::Damaged)?);
    if Sha256::digest(content).as_slice() != checksum {
        return Err(SnapshotFault::Damaged);
    }
    Ok(&content[HEADER..])
}

fn words_at<const N: usize>(bytes: &[u8], start: usize) -> Result<[u32; N], SnapshotFault> {
    let words = bytes.get(start..start + 4 * N).ok_or(SnapshotFault::Damaged)?;
    let mut found = [0; N];
    found.iter_mut().zip(words.chunks_exact(4)).for_each(|(to, from)| *to = word(from));
    Ok(found)
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
}

fn length(low: u32, high: u32) -> Result<usize, SnapshotFault> {
    let length = u64::from(high) << 32 | u64::from(low);
    usize::try_from(length).map_err(|_| SnapshotFault::Damaged)
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
    }
}
