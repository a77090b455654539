//! Distributed graphs in folders: a file of each rank, and one that says which belong together.
//!
//! | file | what |
//! | --- | --- |
//! | `manifest` | number of the snapshot, of the ranks and vertices; ownership, direction, orientation; version of the hash |
//! | `NUMBER-RANK-out`, `NUMBER-RANK-in` | the own edges of a rank, as a [`DynamicGraph`] saves them |
//!
//! The manifest is replaced when all files of its snapshot are there, and those of the snapshot before
//! go after that. So whenever a process ends, the folder has one snapshot, whole.

use super::graph::{DistributedGraph, sides_of};
use super::own_vertices::OwnVertices;
use super::partition::{Ownership, Partition};
use crate::communicator::{Communicator, agree};
use crate::device::Device;
use crate::graph::{DynamicGraph, Edge, EdgeLists, Orientation, SlabOptions};
use crate::saved::{StateReader, write_file};
use crate::{Direction, Error};
use std::path::{Path, PathBuf};
use std::rc::Rc;

const MANIFEST: &str = "manifest";

/// Of the hash that divides vertices: files of another have edges of other owners, which are divided anew.
const HASH_VERSION: u32 = 2;

/// What the manifest says.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Manifest {
    number: u32,
    ranks: u32,
    vertices: u32,
    ownership: Ownership,
    direction: Direction,
    orientation: Orientation,
    /// Whether ranks own now what they owned when it was written.
    has_own_hash: bool,
}

impl Manifest {
    fn of<L: EdgeLists>(graph: &DistributedGraph<L>, number: u32) -> Self {
        Manifest {
            number,
            ranks: graph.partition.ranks() as u32,
            vertices: graph.vertex_count(),
            ownership: graph.partition.ownership(),
            direction: graph.options.direction,
            orientation: graph.options.orientation,
            has_own_hash: true,
        }
    }

    fn to_words(self) -> [u32; 7] {
        let Manifest { number, ranks, vertices, ownership, direction, orientation, .. } = self;
        let orientation = match orientation {
            Orientation::Out => 0,
            Orientation::In => 1,
            Orientation::Both => 2,
        };
        let (by_range, undirected) =
            (ownership == Ownership::Range, direction == Direction::Undirected);
        [number, ranks, vertices, by_range.into(), undirected.into(), orientation, HASH_VERSION]
    }

    fn read(folder: &Path) -> Result<Self, Error> {
        let mut from = StateReader::open(&folder.join(MANIFEST))?;
        let words = from.array::<u32>("distributed", 7)?;
        let orientation = match words[5] {
            0 => Orientation::Out,
            1 => Orientation::In,
            2 => Orientation::Both,
            _ => return Err(from.refuse("no such orientation")),
        };
        let (by_range, undirected) = (words[3] != 0, words[4] != 0);
        if words[1] == 0 {
            return Err(from.refuse("a graph of no ranks"));
        }
        Ok(Manifest {
            number: words[0],
            ranks: words[1],
            vertices: words[2],
            ownership: if by_range { Ownership::Range } else { Ownership::Hash },
            direction: if undirected { Direction::Undirected } else { Direction::Directed },
            orientation,
            has_own_hash: by_range || words[6] == HASH_VERSION,
        })
    }

    /// The file of a rank.
    fn file(&self, folder: &Path, rank: usize, is_in: bool) -> PathBuf {
        let side = if is_in { "in" } else { "out" };
        folder.join(format!("{}-{rank}-{side}", self.number))
    }

    /// In which lists edges lie: whether those are lists of in-edges.
    fn sides(&self) -> Vec<bool> {
        let options = SlabOptions {
            direction: self.direction,
            orientation: self.orientation,
            ..SlabOptions::DEFAULT
        };
        let partition = Partition::new(self.ownership, self.vertices, self.ranks);
        sides_of(&options, partition).into_iter().map(|side| side.by_destination).collect()
    }
}

impl<L: EdgeLists> DistributedGraph<L> {
    /// Writes a snapshot into a folder that all ranks see: each rank its own edges. It takes the place
    /// of the snapshot that is there, once it is whole. Collective; synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`](crate::ErrorKind::Snapshot) on the rank whose file cannot be written;
    /// the folder has the snapshot that it had. As [`Communicator`].
    pub fn save(&self, folder: &Path) -> Result<(), Error> {
        let before = Manifest::read(folder).ok();
        let numbers = self.communicator.all_gather(&[before.map_or(0, |m| m.number.into())])?;
        let latest = numbers.into_iter().max().unwrap_or(0) as u32;
        let manifest = Manifest::of(self, latest.wrapping_add(1));
        agree(&*self.communicator, self.save_own(folder, &manifest))?;
        let written = match self.rank() {
            0 => write_file(&folder.join(MANIFEST), |to| {
                to.array("distributed", &manifest.to_words())
            }),
            _ => Ok(()),
        };
        agree(&*self.communicator, written)?;
        if let Some(before) = before.filter(|_| self.rank() == 0) {
            remove(folder, &before);
        }
        Ok(())
    }

    fn save_own(&self, folder: &Path, manifest: &Manifest) -> Result<(), Error> {
        if let Some(out) = &self.out {
            out.save(&manifest.file(folder, self.rank(), false))?;
        }
        if let Some(into) = &self.into {
            into.save(&manifest.file(folder, self.rank(), true))?;
        }
        Ok(())
    }

    /// Reads the snapshot of a folder. Where it was written by as many ranks, each reads its own edges;
    /// by more or fewer, or by a version with another hash, the edges are divided anew. Collective; synchronises.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`](crate::ErrorKind::Snapshot) says what is wrong with a file; no memory,
    /// on any rank. As [`Communicator`].
    pub fn load(
        communicator: Rc<dyn Communicator>,
        device: &Device,
        folder: &Path,
    ) -> Result<Self, Error> {
        let manifest = agree(&*communicator, Manifest::read(folder))?;
        if manifest.ranks as usize == communicator.size() && manifest.has_own_hash {
            let own = Self::load_own(&*communicator, device, folder, &manifest);
            let ([out, into], own, options) = agree(&*communicator, own)?;
            let partition = Partition::new(manifest.ownership, manifest.vertices, manifest.ranks);
            return Ok(DistributedGraph { communicator, partition, own, options, out, into });
        }
        let read = Self::read_some(&*communicator, device, folder, &manifest);
        let (edges, options) = agree(&*communicator, read)?;
        let options = options_of(&manifest, &options.unwrap_or_default());
        let (n, ownership) = (manifest.vertices, manifest.ownership);
        Self::from_edges(communicator, device, n, &edges, &options, ownership)
    }

    #[allow(clippy::type_complexity)] // What makes a graph.
    fn load_own(
        communicator: &dyn Communicator,
        device: &Device,
        folder: &Path,
        manifest: &Manifest,
    ) -> Result<([Option<DynamicGraph<L>>; 2], OwnVertices, SlabOptions), Error> {
        let (mut sides, mut options) = ([None, None], SlabOptions::DEFAULT);
        let partition = Partition::new(manifest.ownership, manifest.vertices, manifest.ranks);
        for is_in in manifest.sides() {
            let path = manifest.file(folder, communicator.rank(), is_in);
            let graph = DynamicGraph::<L>::load(device, &path)?;
            if graph.vertex_count() != manifest.vertices {
                let what = "a rank's file has another number of vertices";
                return Err(StateReader::open(&path)?.refuse(what));
            }
            let degrees = if is_in { graph.in_degrees()? } else { graph.out_degrees()? };
            let is_stray = |&(v, &degree): &(u32, &u32)| {
                degree > 0 && partition.owner(v) != communicator.rank()
            };
            if let Some((v, _)) = (0..).zip(&degrees).find(is_stray) {
                let owner = partition.owner(v);
                let what = format!("it has edges of vertex {v}, which belongs to rank {owner}");
                return Err(StateReader::open(&path)?.refuse(what));
            }
            options = options_of(manifest, graph.options());
            sides[usize::from(is_in)] = Some(graph);
        }
        let own = OwnVertices::new(device, partition, communicator.rank(), manifest.vertices)?;
        Ok((sides, own, options))
    }

    /// The edges of some of the ranks that wrote them: each is read by one rank.
    fn read_some(
        communicator: &dyn Communicator,
        device: &Device,
        folder: &Path,
        manifest: &Manifest,
    ) -> Result<PartRead<L::Carried>, Error> {
        let is_in = manifest.sides().first().copied().unwrap_or(false);
        let (mut edges, mut options) = (Vec::new(), None);
        let ranks = (communicator.rank()..manifest.ranks as usize).step_by(communicator.size());
        for rank in ranks {
            let graph = DynamicGraph::<L>::load(device, &manifest.file(folder, rank, is_in))?;
            edges.extend(graph.to_edges()?);
            options = Some(*graph.options());
        }
        if options.is_none() {
            // More ranks than wrote it: the options alone.
            let rank = communicator.rank() % manifest.ranks as usize;
            let graph = DynamicGraph::<L>::load(device, &manifest.file(folder, rank, is_in))?;
            options = Some(*graph.options());
        }
        Ok((edges, options))
    }
}

/// The edges that a rank read, and the options of the lists that had them.
type PartRead<W> = (Vec<Edge<W>>, Option<SlabOptions>);

/// The options of the whole graph, by those of lists.
fn options_of(manifest: &Manifest, lists: &SlabOptions) -> SlabOptions {
    let (direction, orientation) = (manifest.direction, manifest.orientation);
    SlabOptions { direction, orientation, ..*lists }
}

/// Takes the files of a snapshot away that another has replaced. What cannot go stays.
fn remove(folder: &Path, manifest: &Manifest) {
    for rank in 0..manifest.ranks as usize {
        for is_in in [false, true] {
            let _ = std::fs::remove_file(manifest.file(folder, rank, is_in));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::communicator::{first_cause, run_ranks};
    use crate::graph::Adjacency;
    use std::time::Duration;

    #[test]
    fn a_snapshot_by_another_hash_is_divided_anew_and_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let edges: Vec<_> = (0..99).map(|v| Edge { src: v, dst: v + 1, weight: () }).collect();
        let found = run_ranks(2, Duration::from_secs(60), |communicator| {
            let communicator: Rc<dyn Communicator> = Rc::new(communicator);
            let (device, options) = (Device::cpu(), SlabOptions::DEFAULT);
            let own = if communicator.rank() == 0 { &edges[..] } else { &[] };
            let graph = DistributedGraph::<Adjacency>::from_edges(
                Rc::clone(&communicator),
                &device,
                100,
                own,
                &options,
                Ownership::Hash,
            )?;
            graph.save(folder.path())?;
            if communicator.rank() == 0 {
                let mut words = Manifest::read(folder.path())?.to_words();
                words[6] = HASH_VERSION - 1;
                write_file(&folder.path().join(MANIFEST), |to| to.array("distributed", &words))?;
            }
            communicator.barrier()?;
            let older = Manifest::read(folder.path())?;
            let loaded = DistributedGraph::<Adjacency>::load(communicator, &device, folder.path())?;
            loaded.save(folder.path())?;
            let newer = Manifest::read(folder.path())?;
            let is_whole = loaded.to_edges()? == graph.to_edges()?;
            Ok((is_whole, older.has_own_hash, newer.has_own_hash, newer.number - older.number))
        });
        assert_eq!(first_cause(found).expect("ranks"), [(true, false, true, 1); 2]);
        let files = std::fs::read_dir(folder.path()).expect("the folder").count();
        assert_eq!(files, 1 + 2, "the older one is gone");
    }
}
