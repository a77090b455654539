//! A shortest-path tree in device memory, and the marks of its vertices.

use super::{TreeNode, UNREACHED};
use crate::stamps::Stamps;
use meerkat_runtime::prelude::*;

/// A shortest-path tree and the marks of its vertices, as operators see them.
#[device_view(PathTreeBuffers)]
pub struct PathTreeRef {
    /// The place of every vertex.
    pub nodes: &[Atomic<TreeNode>],
    /// The round in which a vertex last joined a frontier.
    pub queued: &[Atomic<u32>],
    /// The split of the far queue in which a vertex last joined it.
    pub in_far: &[Atomic<u32>],
    /// The batch of deletions that last made a vertex invalid.
    pub invalid: &[Atomic<u32>],
    /// The least distance in the far queue; one element.
    pub nearest: &[Atomic<u32>],
    /// The round that fills the next frontier.
    pub round: u32,
    /// The split that fills the next far queue.
    pub split: u32,
    /// The latest batch of deletions.
    pub epoch: u32,
}

#[device]
impl PathTreeRef {
    /// How far `v` is from the source.
    pub fn distance(self, v: u32) -> u32 {
        self.nodes[v].load().distance
    }

    /// Whether `v` lost its path in the latest batch of deletions.
    pub fn is_invalid(self, v: u32) -> bool {
        self.invalid[v].load() == self.epoch
    }

    /// Whether the caller is the first to put `v` into the next frontier.
    pub fn queues(self, v: u32) -> bool {
        self.queued[v].swap(self.round) != self.round
    }
}

/// The memory of a [`PathTreeRef`]: 20 bytes a vertex.
#[derive(Debug)]
pub(super) struct Paths {
    pub(super) nodes: DeviceBuffer<Atomic<TreeNode>>,
    queued: Stamps,
    in_far: Stamps,
    invalid: Stamps,
    nearest: DeviceBuffer<Atomic<u32>>,
}

impl Paths {
    /// The source alone.
    pub(super) fn new(device: &Device, vertices: usize, source: u32) -> Result<Self, Error> {
        let mut paths = Paths {
            nodes: DeviceBuffer::filled(device, vertices, TreeNode::OUTSIDE)?,
            queued: Stamps::new(device, vertices)?,
            in_far: Stamps::new(device, vertices)?,
            invalid: Stamps::new(device, vertices)?,
            nearest: DeviceBuffer::filled(device, 1, UNREACHED)?,
        };
        paths.place(source)?;
        Ok(paths)
    }

    /// These places.
    pub(super) fn of_nodes(device: &Device, nodes: &[TreeNode]) -> Result<Self, Error> {
        let stamps = || Stamps::new(device, nodes.len());
        Ok(Paths {
            nodes: DeviceBuffer::from_slice(device, nodes)?,
            queued: stamps()?,
            in_far: stamps()?,
            invalid: stamps()?,
            nearest: DeviceBuffer::filled(device, 1, UNREACHED)?,
        })
    }

    /// Goes on with vertices outside the tree.
    pub(super) fn grow(&mut self, vertices: usize) -> Result<(), Error> {
        let nodes = self.nodes.extended(vertices, TreeNode::OUTSIDE)?;
        for stamps in [&mut self.queued, &mut self.in_far, &mut self.invalid] {
            stamps.grow(vertices)?;
        }
        self.nodes = nodes;
        Ok(())
    }

    /// As new. A round that failed may have left stamps that later ones would take for their
    /// own, so all marks are cleared.
    pub(super) fn restart(&mut self, source: u32) -> Result<(), Error> {
        self.nodes.fill(TreeNode::OUTSIDE)?;
        for stamps in [&mut self.queued, &mut self.in_far, &mut self.invalid] {
            stamps.restart()?;
        }
        self.place(source)
    }

    fn place(&mut self, source: u32) -> Result<(), Error> {
        self.nodes.write(source as usize, &[TreeNode { parent: source, distance: 0 }])
    }

    /// What operators are launched with.
    pub(super) fn buffers(&self) -> PathTreeBuffers<'_> {
        PathTreeBuffers {
            nodes: &self.nodes,
            queued: self.queued.marks(),
            in_far: self.in_far.marks(),
            invalid: self.invalid.marks(),
            nearest: &self.nearest,
            round: self.queued.current(),
            split: self.in_far.current(),
            epoch: self.invalid.current(),
        }
    }

    /// Another frontier is to be filled.
    pub(super) fn next_round(&mut self) -> Result<(), Error> {
        self.queued.advance()
    }

    /// Makes room for more rounds than any relaxation takes.
    pub(super) fn spare_rounds(&mut self) -> Result<(), Error> {
        self.queued.reserve(u32::MAX / 2)
    }

    /// Rounds that were spared are over.
    pub(super) fn skip_rounds(&mut self, rounds: u32) {
        self.queued.skip(rounds);
    }

    /// Another far queue is to be filled, and its least distance to be found.
    pub(super) fn next_split(&mut self) -> Result<(), Error> {
        self.in_far.advance()?;
        self.nearest.fill(UNREACHED)
    }

    /// The least distance in the far queue. Synchronises.
    pub(super) fn nearest(&self) -> Result<u32, Error> {
        Ok(self.nearest.read(0, 1)?[0])
    }

    /// Another batch of deletions: no vertex is invalid yet.
    pub(super) fn next_epoch(&mut self) -> Result<(), Error> {
        self.invalid.advance()
    }
}
