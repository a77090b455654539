//! A shortest-path tree in device memory, and the marks of its vertices.

use super::{TreeNode, UNREACHED};
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
    queued: DeviceBuffer<Atomic<u32>>,
    in_far: DeviceBuffer<Atomic<u32>>,
    invalid: DeviceBuffer<Atomic<u32>>,
    nearest: DeviceBuffer<Atomic<u32>>,
    pub(super) round: u32,
    split: u32,
    epoch: u32,
}

impl Paths {
    /// The source alone.
    pub(super) fn new(device: &Device, vertices: usize, source: u32) -> Result<Self, Error> {
        let mut paths = Paths {
            nodes: DeviceBuffer::filled(device, vertices, TreeNode::OUTSIDE)?,
            queued: DeviceBuffer::zeroed(device, vertices)?,
            in_far: DeviceBuffer::zeroed(device, vertices)?,
            invalid: DeviceBuffer::zeroed(device, vertices)?,
            nearest: DeviceBuffer::filled(device, 1, UNREACHED)?,
            round: 1,
            split: 1,
            epoch: 0,
        };
        paths.place(source)?;
        Ok(paths)
    }

    /// As new. A round that failed may have left stamps that later ones would take for their
    /// own, so all marks are cleared.
    pub(super) fn restart(&mut self, source: u32) -> Result<(), Error> {
        self.nodes.fill(TreeNode::OUTSIDE)?;
        for marks in [&mut self.queued, &mut self.in_far, &mut self.invalid] {
            marks.fill(0)?;
        }
        (self.round, self.split, self.epoch) = (1, 1, 0);
        self.place(source)
    }

    fn place(&mut self, source: u32) -> Result<(), Error> {
        self.nodes.write(source as usize, &[TreeNode { parent: source, distance: 0 }])
    }

    /// What operators are launched with.
    pub(super) fn buffers(&self) -> PathTreeBuffers<'_> {
        let Paths { nodes, queued, in_far, invalid, nearest, round, split, epoch } = self;
        let (round, split, epoch) = (*round, *split, *epoch);
        PathTreeBuffers { nodes, queued, in_far, invalid, nearest, round, split, epoch }
    }

    /// Another frontier is to be filled.
    pub(super) fn next_round(&mut self) -> Result<(), Error> {
        next_stamp(&mut self.round, &mut self.queued)
    }

    /// Makes room for more rounds than any relaxation takes.
    pub(super) fn spare_rounds(&mut self) -> Result<(), Error> {
        if self.round > u32::MAX / 2 {
            self.queued.fill(0)?;
            self.round = 1;
        }
        Ok(())
    }

    /// Another far queue is to be filled, and its least distance to be found.
    pub(super) fn next_split(&mut self) -> Result<(), Error> {
        next_stamp(&mut self.split, &mut self.in_far)?;
        self.nearest.fill(UNREACHED)
    }

    /// The least distance in the far queue. Synchronises.
    pub(super) fn nearest(&self) -> Result<u32, Error> {
        Ok(self.nearest.read(0, 1)?[0])
    }

    /// Another batch of deletions: no vertex is invalid yet.
    pub(super) fn next_epoch(&mut self) -> Result<(), Error> {
        next_stamp(&mut self.epoch, &mut self.invalid)
    }
}

/// The next stamp; when they run out, clears all marks and begins again.
fn next_stamp(stamp: &mut u32, marks: &mut DeviceBuffer<Atomic<u32>>) -> Result<(), Error> {
    if *stamp == u32::MAX {
        marks.fill(0)?;
        *stamp = 0;
    }
    *stamp += 1;
    Ok(())
}
