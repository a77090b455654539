//! Random sequences of operations.

use meerkat::prelude::*;
use meerkat::runtime::graph::Compaction;
use proptest::collection::vec;
use proptest::prelude::*;

/// An insertion or a deletion; endpoints are taken modulo the live vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) inserts: bool,
    pub(crate) src: u32,
    pub(crate) dst: u32,
    pub(crate) weight: u32,
}

/// An operation of the graph.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    /// A batch, applied at once.
    Apply(Vec<Step>),
    /// A batch that is on the device already.
    ApplyOnDevice(Vec<Step>),
    /// A batch that is uploaded out of pinned memory.
    ApplyPinned(Vec<Step>),
    /// Batches of the same edges, there and gone, this often: lists are swept after some.
    Churn(Vec<Step>, u8),
    /// A batch whose halves are applied one after the other.
    ApplyHalves(Vec<Step>),
    /// A batch whose deletions are done and taken back.
    Undo(Vec<Step>),
    /// A batch of one edge, there and gone and there again, this often.
    Alternate(Step, u8),
    /// Insertions from the device, in place.
    InsertBuffer(Vec<Step>),
    /// Deletions from the device, in place.
    DeleteBuffer(Vec<Step>),
    InsertVertices(u32),
    DeleteVertices(Vec<u32>),
    Compact,
    ReserveSlabs(u32),
    UpdatePointers,
    /// To a file and back.
    Reopen,
}

impl Operation {
    /// Whether the graph is as it was if it fails: all but those of several steps, and
    /// insertions without a record of what they changed.
    pub(crate) fn is_all_or_nothing(&self) -> bool {
        match self {
            Operation::Apply(_)
            | Operation::ApplyOnDevice(_)
            | Operation::ApplyPinned(_)
            | Operation::InsertVertices(_)
            | Operation::DeleteVertices(_)
            | Operation::Compact
            | Operation::ReserveSlabs(_)
            | Operation::Reopen => true,
            Operation::ApplyHalves(_)
            | Operation::Undo(_)
            | Operation::Alternate(..)
            | Operation::Churn(..)
            | Operation::InsertBuffer(_)
            | Operation::DeleteBuffer(_)
            | Operation::UpdatePointers => false,
        }
    }
}

/// A graph and what happens to it.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    pub(crate) options: SlabOptions,
    pub(crate) vertices: u32,
    pub(crate) base: Vec<Step>,
    pub(crate) operations: Vec<Operation>,
}

/// Every second endpoint is the hub.
fn endpoint() -> impl Strategy<Value = u32> {
    prop_oneof![1 => Just(0u32), 1 => 0..60u32]
}

fn step() -> impl Strategy<Value = Step> {
    // Few weights, so that some are kept; and the bits of the slabs' marks.
    let weight = prop_oneof![4 => 0..4u32, 1 => u32::MAX - 1..=u32::MAX];
    (prop::bool::weighted(0.65), endpoint(), endpoint(), weight)
        .prop_map(|(inserts, src, dst, weight)| Step { inserts, src, dst, weight })
}

/// An insertion between any vertices.
fn spread_step() -> impl Strategy<Value = Step> {
    let step = |(src, dst, weight)| Step { inserts: true, src, dst, weight };
    (0..60u32, 0..60u32, 0..4u32).prop_map(step)
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop_oneof![
        4 => vec(step(), 0..20),
        2 => vec(step(), 20..250),
        // One edge again and again.
        1 => (step(), 1..80usize).prop_map(|(step, count)| vec![step; count]),
        // A star: the hub grows in the middle of the batch.
        1 => (0..30u32).prop_map(|from| {
            (from..from + 40).map(|dst| Step { inserts: true, src: 0, dst, weight: dst }).collect()
        }),
    ]
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        8 => steps().prop_map(Operation::Apply),
        2 => steps().prop_map(Operation::ApplyOnDevice),
        2 => steps().prop_map(Operation::ApplyPinned),
        1 => (vec(spread_step(), 150..250), 5..9u8)
            .prop_map(|(steps, times)| Operation::Churn(steps, times)),
        4 => steps().prop_map(Operation::ApplyHalves),
        1 => steps().prop_map(Operation::Undo),
        1 => (step(), 1..8u8).prop_map(|(step, times)| Operation::Alternate(step, times)),
        2 => steps().prop_map(Operation::InsertBuffer),
        1 => steps().prop_map(Operation::DeleteBuffer),
        1 => (0..70u32).prop_map(Operation::InsertVertices),
        2 => vec(endpoint(), 0..6).prop_map(Operation::DeleteVertices),
        1 => Just(Operation::Compact),
        1 => (0..50u32).prop_map(Operation::ReserveSlabs),
        2 => Just(Operation::UpdatePointers),
        1 => Just(Operation::Reopen),
    ]
}

fn options() -> impl Strategy<Value = SlabOptions> {
    let kinds = prop_oneof![
        Just((Direction::Directed, Orientation::Out)),
        Just((Direction::Directed, Orientation::In)),
        Just((Direction::Directed, Orientation::Both)),
        Just((Direction::Undirected, Orientation::Out)),
    ];
    let load_factor = prop_oneof![Just(0.05f32), Just(0.7), Just(1.0)];
    let compaction = prop_oneof![Just(Compaction::Automatic), Just(Compaction::OnDemand)];
    (kinds, load_factor, any::<bool>(), any::<bool>(), compaction).prop_map(
        |((direction, orientation), load_factor, hashing, track_updates, compaction)| SlabOptions {
            load_factor,
            hashing,
            direction,
            orientation,
            track_updates,
            compaction,
            ..SlabOptions::DEFAULT
        },
    )
}

/// Graphs of 0 to 60 vertices, one-vertex graphs among them, and up to 14
/// operations.
pub(crate) fn sequences() -> impl Strategy<Value = Sequence> {
    let vertices = prop_oneof![1 => Just(1u32), 1 => Just(2u32), 6 => 0..60u32];
    (options(), vertices, steps(), vec(operation(), 1..14)).prop_map(
        |(options, vertices, base, operations)| Sequence { options, vertices, base, operations },
    )
}
