//! Graphs in files.
//!
//! A snapshot holds what a graph is, not where its slabs lie: the options, the vertices and the
//! arcs, ascending. It is a file of arrays (see [`saved`](crate::saved)):
//!
//! | array | what |
//! | --- | --- |
//! | `graph/options` | what edges carry (0 nothing, 1 `u32`, 2 `i32`, 3 `f32`), load factor, flags, `max_slabs`, number of vertex ids |
//! | `graph/deleted` | deleted ids |
//! | `graph/sources`, `graph/destinations` | of the arcs |
//! | `graph/weights` | their bits, if there are any |

use super::convert::ARCS_AT_ONCE;
use super::dynamic_graph::DynamicGraph;
use super::layout::Edge;
use super::lists::EdgeLists;
use super::options::{BlockOptions, Compaction, Orientation, SlabOptions};
use crate::Direction;
use crate::error::SnapshotFault;
use crate::saved::{StateReader, StateWriter, write_file};
use crate::{Device, DeviceBuffer, Error, ErrorKind, Weight};
use std::ops::Range;
use std::path::Path;

impl<L: EdgeLists> DynamicGraph<L> {
    /// Writes the graph to a file, which appears whole or not at all.
    /// Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`](crate::ErrorKind::Snapshot) if the file cannot be written; as
    /// [`to_edges`](Self::to_edges).
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        self.save_in_parts(path, ARCS_AT_ONCE)
    }

    /// Reads a graph from a file, a snapshot or a checkpoint. Its slabs are laid out as after a
    /// build. Synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`](crate::ErrorKind::Snapshot) says what is wrong with the file; as
    /// [`from_parts`](Self::from_parts).
    pub fn load(device: &Device, path: &Path) -> Result<Self, Error> {
        Self::load_in_parts(device, path, ARCS_AT_ONCE)
    }

    /// [`save`](Self::save) by way of lists of `most` arcs, each of which is made once for
    /// every column.
    fn save_in_parts(&self, path: &Path, most: u64) -> Result<(), Error> {
        write_file(path, |to| self.write_in_parts(to, most))
    }

    fn load_in_parts(device: &Device, path: &Path, most: u64) -> Result<Self, Error> {
        Self::read_in_parts(device, &mut StateReader::open(path)?, most)
    }

    /// Writes the graph to a file that has more.
    pub(crate) fn write_to(&self, to: &mut StateWriter) -> Result<(), Error> {
        self.write_in_parts(to, ARCS_AT_ONCE)
    }

    /// Reads the graph of a file.
    pub(crate) fn read_from(device: &Device, from: &mut StateReader) -> Result<Self, Error> {
        Self::read_in_parts(device, from, ARCS_AT_ONCE)
    }

    fn write_in_parts(&self, to: &mut StateWriter, most: u64) -> Result<(), Error> {
        to.within("graph", |to| {
            let options = self.options();
            let words = [
                weight_tag::<L::Carried>(),
                options.load_factor.to_bits(),
                flags_of(options),
                options.max_slabs,
                self.vertex_count(),
            ];
            to.array("options", &words)?;
            to.array("deleted", &self.deleted_vertices())?;
            let arcs = self.edge_count()?;
            let columns: &[Column<L::Carried>] =
                &[|edge| edge.src, |edge| edge.dst, |edge| edge.weight.to_bits()];
            for (name, column) in columns_of::<L::Carried>().iter().zip(columns) {
                to.begin::<u32>(name, arcs)?;
                let append = |edges: &[Edge<L::Carried>]| {
                    to.append(&edges.iter().map(column).collect::<Vec<u32>>())
                };
                self.for_each_part(most, append)?;
            }
            Ok(())
        })
    }

    fn read_in_parts(device: &Device, from: &mut StateReader, most: u64) -> Result<Self, Error> {
        from.within("graph", |from| {
            let header = Header::read::<L::Carried>(from)?;
            let parts = header.arcs.div_ceil(most) as usize;
            let part = |at: usize| {
                let first = at as u64 * most;
                let arcs = first..header.arcs.min(first + most);
                DeviceBuffer::from_slice(device, &header.edges::<L::Carried>(from, arcs)?)
            };
            let built = Self::from_parts(device, header.vertices, parts, part, &header.options);
            let mut graph = built.map_err(|error| of_file(from, error))?;
            if graph.edge_count()? != header.arcs {
                return Err(from.refuse("an edge is there twice, or one way alone"));
            }
            let deleted = graph.delete_vertices(&from.list("deleted")?);
            deleted.map_err(|error| of_file(from, error))?;
            Ok(graph)
        })
    }
}

/// What a graph cannot have is a fault of its file; the other errors are the device's.
fn of_file(from: &StateReader, error: Error) -> Error {
    match error.kind() {
        ErrorKind::VertexOutOfRange { .. }
        | ErrorKind::VertexDeleted { .. }
        | ErrorKind::NoSuchVertex { .. }
        | ErrorKind::NanWeight { .. }
        | ErrorKind::LoadFactor { .. }
        | ErrorKind::BlockSizes { .. } => from.refuse(error.to_string()),
        _ => error,
    }
}

/// A word of an edge.
type Column<W> = fn(&Edge<W>) -> u32;

/// What a snapshot says before its lists.
struct Header {
    options: SlabOptions,
    vertices: u32,
    arcs: u64,
}

impl Header {
    fn read<W: Weight>(from: &mut StateReader) -> Result<Self, Error> {
        let words = from.array::<u32>("options", 5)?;
        let (tag, vertices) = (words[0], words[4]);
        if tag != weight_tag::<W>() {
            let (found, wanted) = (weight_name(tag), weight_name(weight_tag::<W>()));
            return Err(from.fault(SnapshotFault::Weight { found, wanted }));
        }
        let arcs = from.count::<u32>("sources")?;
        for column in columns_of::<W>() {
            if from.count::<u32>(column)? != arcs {
                return Err(from.refuse("edges without an end or a weight"));
            }
        }
        let options = options_of(f32::from_bits(words[1]), words[2], words[3]);
        Ok(Header { options, vertices, arcs })
    }

    /// Some of the edges; an undirected one at the arc that does not descend.
    fn edges<W: Weight>(
        &self,
        from: &mut StateReader,
        arcs: Range<u64>,
    ) -> Result<Vec<Edge<W>>, Error> {
        let sources = from.part::<u32>("sources", arcs.clone())?;
        let destinations = from.part::<u32>("destinations", arcs.clone())?;
        let weights = if W::IS_WEIGHTED { from.part("weights", arcs)? } else { Vec::new() };
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

/// Sources, destinations and, if there are any, weights.
fn columns_of<W: Weight>() -> &'static [&'static str] {
    let columns = &["sources", "destinations", "weights"];
    if W::IS_WEIGHTED { columns } else { &columns[..2] }
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

/// The sizes of blocks, where they are not usual: the exponents of the least block, and of an array.
fn block_flags(block: &BlockOptions) -> u32 {
    if *block == BlockOptions::DEFAULT {
        return 0;
    }
    block.least.ilog2() | block.array.ilog2() << 8
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

    /// A file whose arrays are whole, with one edge.
    fn written(path: &Path, load_factor: f32, edge: Edge<f32>, deleted: u32) {
        let header = [weight_tag::<f32>(), load_factor.to_bits(), 0, u32::MAX, 10];
        let columns = [edge.src, edge.dst, edge.weight.to_bits()];
        let written = write_file(path, |to| {
            to.within("graph", |to| {
                to.array("options", &header)?;
                to.array("deleted", &[deleted])?;
                let columns = columns_of::<f32>().iter().zip(columns);
                columns.into_iter().try_for_each(|(name, word)| to.array(name, &[word]))
            })
        });
        written.expect("a file");
    }

    #[test]
    fn a_file_with_what_a_graph_cannot_have_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("impossible");
        let edge = |dst, weight| Edge { src: 1, dst, weight };
        let cases = [
            (0.7, edge(10, 1.0), 0, "1 -> 10"),
            (0.7, edge(2, f32::NAN), 0, "NaN"),
            (2.0, edge(2, 1.0), 0, "load factor"),
            (0.7, edge(2, 1.0), 10, "10"),
        ];
        for (load_factor, edge, deleted, part) in cases {
            written(&path, load_factor, edge, deleted);
            let error = SlabGraph::<f32>::load(&Device::cpu(), &path).expect_err("impossible");
            let ErrorKind::Snapshot { path: named, cause } = error.kind() else {
                panic!("{error:?}");
            };
            assert_eq!((named, cause.to_string().contains(part)), (&path, true), "{error}");
        }
        written(&path, 0.7, edge(2, 1.0), 9);
        SlabGraph::<f32>::load(&Device::cpu(), &path).expect("a graph");
    }

    #[test]
    fn sizes_of_blocks_that_no_file_can_say_are_refused_by_every_container() {
        for block in [BlockOptions { least: 4, array: 0 }, BlockOptions { least: 3, array: 1 << 9 }]
        {
            let options = SlabOptions { block, ..SlabOptions::DEFAULT };
            let error = SlabGraph::<()>::from_edges(&Device::cpu(), 4, &[], &options);
            let error = error.expect_err("no such blocks");
            assert!(matches!(error.kind(), ErrorKind::BlockSizes { .. }), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_read_by_those_who_read_any_new_one() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (own, other) = (folder.path().join("graph"), folder.path().join("other"));
        scattered(&Device::cpu(), &SlabOptions::DEFAULT).save(&own).expect("a snapshot");
        std::fs::write(&other, "").expect("a file");
        let mode = |path| std::fs::metadata(path).expect("a file").permissions().mode();
        assert_eq!(mode(&own), mode(&other));
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
