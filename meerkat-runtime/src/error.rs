//! What can go wrong, with where it happened and the way out.

mod arrow;
mod snapshot;

use crate::cuda::CudaError;
use crate::read::ReadError;
use crate::schedule::Schedule;
pub use arrow::ColumnFault;
pub use snapshot::SnapshotFault;
use std::fmt;

/// An error of the run time; [`Error::kind`] tells which. As `Debug` it is the message,
/// too, for a `main` that returns it shows that.
pub struct Error(Box<ErrorKind>);

/// The kinds of [`Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The CUDA back end failed: a library, the driver, NVRTC or the cache.
    #[error(transparent)]
    Cuda(#[from] CudaError),
    /// A graph file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// NVRTC refused a kernel's CUDA text.
    #[error("kernel `{kernel}` does not compile as CUDA:\n{diagnostics}")]
    KernelCompile {
        /// The kernel's name.
        kernel: String,
        /// NVRTC's messages, at the lines of the Rust source.
        diagnostics: String,
    },
    /// A device function that calls itself by way of functions of types.
    #[error(
        "kernel `{kernel}`: `{function}` calls itself, by way of others; a GPU lane has no stack \
         to recurse on: write it as a loop"
    )]
    Recursion {
        /// The kernel's name.
        kernel: String,
        /// The function's name.
        function: String,
    },
    /// A lane did what a GPU gets wrong silently: found on the CPU, and on CUDA
    /// in the checked mode.
    #[error("kernel `{kernel}` at {file}:{line}: {what}")]
    Trap {
        /// The kernel's name.
        kernel: String,
        /// The source file, as rustc names it.
        file: &'static str,
        /// The line in it, from 1.
        line: u32,
        /// What happened, and the way out.
        what: String,
    },
    /// An environment variable asks for what there is not.
    #[error("the environment variable `{variable}`: {reason}; correct or unset it")]
    Environment {
        /// Its name.
        variable: &'static str,
        /// What is wrong with its value.
        reason: String,
    },
    /// The user has ended the work: see [`Device::with_interrupt`](crate::Device::with_interrupt).
    #[error("the work was interrupted; what it was to change is as it was")]
    Interrupted,
    /// An argument of a launch lives on another device.
    #[error("an argument lives on {argument} and the launch is on {launch}; copy it there first")]
    WrongDevice {
        /// Where the argument lives.
        argument: String,
        /// Where the launch is.
        launch: String,
    },
    /// An operator that a schedule cannot serve.
    #[error("`{kernel}` cannot run under `Schedule::{schedule:?}`: {why}")]
    UnsupportedSchedule {
        /// The operator.
        kernel: String,
        /// The schedule.
        schedule: Schedule,
        /// What it does that does not fit, and the way out.
        why: String,
    },
    /// An edge names a vertex that the graph does not have.
    #[error(
        "edge {index} is {src} -> {dst}, but the graph has {vertices}; correct it or insert vertices"
    )]
    VertexOutOfRange {
        /// The edge's place in the list, from 0.
        index: usize,
        /// Its source.
        src: u32,
        /// Its destination.
        dst: u32,
        /// Which vertices there are, in words.
        vertices: String,
    },
    /// An inserted edge names a vertex that was deleted.
    #[error("edge {index} is {src} -> {dst}, but vertex {vertex} was deleted; insert it first")]
    VertexDeleted {
        /// The edge's place in the list, from 0.
        index: usize,
        /// Its source.
        src: u32,
        /// Its destination.
        dst: u32,
        /// The one that was deleted.
        vertex: u32,
    },
    /// A weight without an order.
    #[error("edge {index}, {src} -> {dst}, weighs NaN; give it a number")]
    NanWeight {
        /// The edge's place in the list, from 0.
        index: usize,
        /// Its source.
        src: u32,
        /// Its destination.
        dst: u32,
    },
    /// More updates than kernels can number.
    #[error("{updates} updates are too many for one batch; split it, below 2^31 each")]
    BatchTooLong {
        /// How many there are.
        updates: usize,
    },
    /// The pool of slabs has the size that the options allow.
    #[error("the graph needs {slabs} slabs and its options allow {limit}; raise `max_slabs`")]
    SlabLimit {
        /// How many it needs at least.
        slabs: u64,
        /// How many it may have.
        limit: u32,
    },
    /// A snapshot or a checkpoint cannot be written or read.
    #[error("{}: {cause}", .path.display())]
    Snapshot {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong.
        cause: SnapshotFault,
    },
    /// No family of synthetic graphs has such a name.
    #[error(
        "`{text}` names no synthetic graph; write `uniform:VERTICES:EDGES`, \
         `rmat:SCALE[:EDGES]` or `grid:WIDTHxHEIGHT[:DROPPED:DIAGONALS]` \
         (in thousandths), with at most 2^35 edges"
    )]
    NoGenerator {
        /// What was asked for.
        text: String,
    },
    /// A graph is built from parts, each made twice.
    #[error("a part of the graph had other edges the second time; make the same ones each time")]
    PartsDiffer,
    /// A slab graph contradicts itself: a bug of this crate.
    #[error("the slab graph is broken: {what}; please report it")]
    BrokenInvariant {
        /// What does not hold.
        what: String,
    },
    /// The graph does not keep track of updates.
    #[error("the graph does not track updates; build it with `track_updates: true`")]
    UpdatesNotTracked,
    /// The graph does not keep the edges that way round.
    #[error("the graph keeps no {wanted}-edges; build it with `Orientation::Both`")]
    OrientationMissing {
        /// `out` or `in`.
        wanted: &'static str,
    },
    /// Device memory for views: see [`DeviceType::IS_VIEW`](crate::DeviceType::IS_VIEW).
    #[error(
        "device memory cannot hold `{view}`, which would outlive the memory that it sees; store \
         numbers, and pass graphs and buffers to each launch"
    )]
    ViewStored {
        /// The type.
        view: &'static str,
    },
    /// Compressed sparse rows that contradict themselves.
    #[error("the {what} of the compressed rows do not fit their neighbours")]
    BrokenCsr {
        /// `offsets`, `neighbors` or `weights`.
        what: &'static str,
    },
    /// A vertex that the graph does not have.
    #[error("vertex {vertex} is not in the graph, which has {count} vertices numbered from 0")]
    NoSuchVertex {
        /// The vertex.
        vertex: u32,
        /// How many there are.
        count: u32,
    },
    /// A weight that cannot be the length of an edge.
    #[error(
        "the weight of edge {src} -> {dst} is negative or NaN, and shortest paths need lengths; \
         shift or replace the weights"
    )]
    NegativeWeight {
        /// Where the edge starts.
        src: u32,
        /// Where it ends.
        dst: u32,
    },
    /// A link of compact slabs has 28 bits.
    #[error(
        "compact slabs would take {bytes} bytes, where numbers end: those of 16 bytes lie in the \
         first 4 GiB, of 128 in the first 32; take a SlabGraph"
    )]
    TooManyCompactSlabs {
        /// How many bytes one orientation would take.
        bytes: u64,
    },
    /// Block arrays whose blocks have no number left.
    #[error("block arrays would take {bytes} bytes, and 2^36 have numbers; take a SlabGraph")]
    TooManyBlocks {
        /// How many bytes one orientation would take.
        bytes: u64,
    },
    /// Blocks or block arrays of no such size.
    #[error(
        "blocks of {least} neighbours in arrays of {array}: each must be a power of two, and the \
         block 4 to 65536"
    )]
    BlockSizes {
        /// How many neighbours the least block was to have.
        least: u32,
        /// How many an array of blocks was to have.
        array: u32,
    },
    /// In compact slabs and block arrays, words from 2^31 on are links and marks.
    #[error(
        "{count} vertices are too many for compact slabs and block arrays: 2^31 - 4 at most; take \
         a SlabGraph"
    )]
    TooManyCompactVertices {
        /// How many were asked for.
        count: u64,
    },
    /// Keys at the top of `u32` mark empty and deleted places.
    #[error("{count} vertices are too many: 2^32 - 4 at most, the keys above are marks")]
    TooManyVertices {
        /// How many were asked for.
        count: u64,
    },
    /// Slabs are numbered by `u32`.
    #[error("the graph needs {slabs} slabs and at most 2^32 - 4 can be numbered; split it")]
    TooManySlabs {
        /// How many it needs.
        slabs: u64,
    },
    /// A load factor outside (0, 1].
    #[error("the load factor {load_factor} is not in (0, 1]; 0.7 is usual")]
    LoadFactor {
        /// What was asked for.
        load_factor: f32,
    },
    /// A batch was refused after an algorithm had begun to follow it, and the state before
    /// could not be computed again.
    #[error("an earlier batch was refused half-way and its state is lost; `recompute` it")]
    OutOfStep,
    /// An algorithm was given the state of another graph.
    #[error(
        "the state is that of a graph of {vertices} vertices, and this one has {of_graph}; `compute` one for it"
    )]
    StateOfAnotherGraph {
        /// For how many vertices the state has something.
        vertices: usize,
        /// How many the graph has.
        of_graph: u32,
    },
    /// Edges that arrive before others that are in the window already.
    #[error("edges arrive at {time}, after those of {last}; a window's times never go back")]
    TimeGoesBack {
        /// When they arrive.
        time: i64,
        /// When the last ones arrived.
        last: i64,
    },
    /// A batch on the device whose flags are not one for each edge.
    #[error("the batch has {edges} edges and {flags} flags; pass one flag for each edge")]
    FlagsOfBatch {
        /// How many edges.
        edges: usize,
        /// How many flags.
        flags: usize,
    },
    /// A change was to be applied to a graph that it was not found in, or that has changed
    /// since, or a half of it out of order.
    #[error(
        "the change does not fit the graph: it is another's, or edges have changed since; find \
         it anew with `change_of`"
    )]
    StaleChange,
    /// An operator was launched for vertices that an argument does not have.
    #[error(
        "the operator was launched for vertices up to {last}, and {argument} has {length}; \
         launch it for fewer, or pass a longer one"
    )]
    ItemsOutOfRange {
        /// The argument.
        argument: &'static str,
        /// The last vertex.
        last: u64,
        /// How many vertices or elements the argument has.
        length: u64,
    },
    /// An operator that writes the element of its own item in a `&mut [T]` was launched for
    /// a list that has an item twice.
    #[error(
        "item {item} is in the list twice, and both would write its element of a `&mut [T]`; \
         list it once, or make the slice `&[Atomic<T>]`"
    )]
    RepeatedItem {
        /// The item.
        item: u32,
    },
    /// An algorithm for undirected graphs was to track a directed one.
    #[error("{algorithm} needs an undirected graph; build it with `SlabOptions::undirected`")]
    NeedsUndirected {
        /// The algorithm.
        algorithm: &'static str,
    },
    /// More items were enqueued than the frontier can hold.
    #[error("{enqueued} items were enqueued on a frontier for {capacity}; create it larger")]
    FrontierOverflow {
        /// How many were enqueued.
        enqueued: u32,
        /// How many fit.
        capacity: u32,
    },
    /// A damping factor outside [0, 1).
    #[error("the damping factor {damping} is not in [0, 1); 0.85 is usual")]
    Damping {
        /// What was asked for.
        damping: f64,
    },
    /// An iteration that does not get within its tolerance.
    #[error(
        "after {iterations} steps the change is {change:e} and not below {tolerance:e}; ask for a \
         larger tolerance, more steps or double precision"
    )]
    NotConverged {
        /// How many steps were allowed.
        iterations: u32,
        /// The change of the last.
        change: f64,
        /// What it was to be below.
        tolerance: f64,
    },
    /// A buffer longer than kernels can index.
    #[error("{length} elements are too many for one buffer: kernels index by `u32`")]
    BufferTooLong {
        /// How many were asked for.
        length: usize,
    },
    /// The host has no memory left; a GPU says so as [`CudaError`].
    #[error("no memory for {bytes} bytes; use a smaller graph or a larger machine")]
    OutOfMemory {
        /// How many bytes were asked for.
        bytes: u64,
    },
    /// A vector that has not one element for each vertex.
    #[error(
        "the vector `{vector}` has {length} elements and the graph {vertices} vertices; pass one \
         element for each"
    )]
    VectorLength {
        /// The parameter.
        vector: &'static str,
        /// How many elements it has.
        length: usize,
        /// How many vertices there are.
        vertices: u32,
    },
    /// A column of a graph with properties is to have the name of another.
    #[error("there is a column `{column}` already; give the new one another name")]
    ColumnExists {
        /// The name.
        column: String,
    },
    /// A column that a graph does not have.
    #[error("there is no column {column}; add it, or use one of this graph")]
    NoSuchColumn {
        /// What was asked for: a name, or a number.
        column: String,
    },
    /// A column has values of another type.
    #[error("the column `{column}` has `{found}`, and `{expected}` is asked for; use its own type")]
    ColumnType {
        /// The column.
        column: String,
        /// What it has.
        found: String,
        /// What was asked for.
        expected: &'static str,
    },
    /// A batch has not one value for each of its updates.
    #[error(
        "the batch has {updates} updates and {values} values for the column `{column}`; pass one \
         for each"
    )]
    ColumnLength {
        /// The column.
        column: String,
        /// How many values.
        values: usize,
        /// How many updates.
        updates: usize,
    },
    /// A column of an Arrow record batch cannot be taken.
    #[error("the column `{column}`: {fault}")]
    ArrowColumn {
        /// The column.
        column: String,
        /// What is wrong with it.
        fault: ColumnFault,
    },
    /// A rank has ended, or failed, while others wait for it.
    #[error(
        "rank {rank} has ended while others wait for it; its own error says why, and the ranks must \
         be started again"
    )]
    RankLost {
        /// The rank.
        rank: usize,
    },
    /// A rank did not come to a collective call in time.
    #[error(
        "waited {seconds} s for {missing}, in vain; it hangs, or needs longer: raise the timeout. The \
         ranks must be started again"
    )]
    RankTimeout {
        /// How long the caller waited.
        seconds: f64,
        /// Who did not come, in words.
        missing: String,
    },
    /// Ranks have made different calls.
    #[error("ranks are out of step: {what}; make the same calls in the same order on every rank")]
    RanksOutOfStep {
        /// What differs.
        what: String,
    },
    /// Another rank could not do its part, so none did.
    #[error("rank {rank} refused, and so all ranks did: {reason}")]
    RefusedByRank {
        /// The rank.
        rank: usize,
        /// Its own error, in words.
        reason: String,
    },
    /// Ranks that are processes cannot meet.
    #[error("this process cannot meet the other ranks: {what}")]
    Rendezvous {
        /// What is wrong, and the way out.
        what: String,
    },
    /// A rank panicked.
    #[error("rank {rank} panicked: {message}")]
    RankPanicked {
        /// The rank.
        rank: usize,
        /// What it said.
        message: String,
    },
    /// The thread of a rank cannot be started.
    #[error("the thread of rank {rank} does not start: {reason}; take fewer ranks")]
    RankNotStarted {
        /// The rank.
        rank: usize,
        /// The system's words.
        reason: String,
    },
    /// Ranks that exchange through NCCL need a GPU each.
    #[error("{device} is no GPU, and NCCL needs one for each rank; let CPU ranks be threads")]
    NeedsGpu {
        /// The device.
        device: String,
    },
    /// Two ranks have one GPU.
    #[error("two ranks are on {device}, and NCCL takes one a GPU; name each GPU once")]
    SharedGpu {
        /// The device.
        device: String,
    },
    /// A number of ranks that there cannot be.
    #[error("{ranks} ranks are not possible: 1 to {most}")]
    RankCount {
        /// What was asked for.
        ranks: usize,
        /// The most there can be.
        most: usize,
    },
    /// An index past the end of a buffer.
    #[error("element {index} of a buffer of {length}")]
    OutOfBounds {
        /// The index.
        index: usize,
        /// The buffer's length.
        length: usize,
    },
}

impl Error {
    /// Whether memory ran out, on the host or on a device.
    pub fn is_out_of_memory(&self) -> bool {
        let kind = self.kind();
        matches!(
            kind,
            ErrorKind::OutOfMemory { .. } | ErrorKind::Cuda(CudaError::OutOfMemory { .. })
        )
    }

    /// Whether a graph found no room, on the device or by its options.
    pub fn is_about_room(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::SlabLimit { .. }
                | ErrorKind::TooManySlabs { .. }
                | ErrorKind::TooManyCompactSlabs { .. }
                | ErrorKind::TooManyBlocks { .. }
        ) || self.is_out_of_memory()
    }

    /// Which error it is.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }
}

impl<K: Into<ErrorKind>> From<K> for Error {
    fn from(kind: K) -> Self {
        Error(Box::new(kind.into()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}
