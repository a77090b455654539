//! The records of a graph file, as the file has them.

use super::column::Columns;
use super::format::Format;
use super::origin::Origin;
use super::records::Records;
use super::time::TimeScale;
use super::vertex_ids::VertexIds;

/// A graph file in memory: its records in file order, nothing dropped and
/// nothing deduplicated.
///
/// Record `i` goes from `sources[i]` to `destinations[i]`; the endpoints are
/// dense vertex indices, which [`GraphFile::ids`] translates to the ids of the
/// file. All present columns have one value per record.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphFile {
    /// How the file was read.
    pub format: Format,
    /// What its columns mean, those that were not read included.
    pub columns: Columns,
    /// Who says so.
    pub columns_origin: Origin,
    /// Whether the file says that it is directed: MatrixMarket `general` and
    /// DIMACS are, MatrixMarket `symmetric` and METIS are not, Graphalytics says it in
    /// the `.properties` file where there is one. An edge list says it in a comment
    /// `# Directed graph` or `# Undirected graph` (SNAP) or `% sym`, `% asym` or `% bip`
    /// (KONECT), or not at all.
    pub declared_directed: Option<bool>,
    /// In a bipartite file of KONECT sources and targets are numbered apart: this was
    /// added to the ids of the targets.
    pub target_offset: Option<u64>,
    /// The vertices: dense index to id of the file and back.
    pub ids: VertexIds,
    /// Who says whether ids are numbers or text: the caller, the file (whose first record
    /// has text), or its format, which has numbers; numbers are usual in edge lists.
    pub ids_origin: Origin,
    /// Source vertex of each record.
    pub sources: Vec<u32>,
    /// Destination vertex of each record.
    pub destinations: Vec<u32>,
    /// Weight of each record, where the format has weights. All are finite.
    pub weights: Option<Vec<f64>>,
    /// Time of each record in ticks of [`time_scale`](Self::time_scale), where the file
    /// has times. They need not ascend.
    pub times: Option<Vec<i64>>,
    /// What a tick of the times is: the unit of the file, or a decimal part of it where
    /// times have fractions.
    pub time_scale: TimeScale,
}

/// What is said of a file besides its records.
pub(super) struct Description {
    pub format: Format,
    pub columns: Columns,
    pub columns_origin: Origin,
    pub ids_origin: Origin,
    pub declared_directed: Option<bool>,
}

impl GraphFile {
    /// Joins records whose endpoints are dense already with their vertices.
    pub(super) fn new(said: Description, ids: VertexIds, records: Records<u32>) -> Self {
        let Description { format, columns, columns_origin, ids_origin, declared_directed } = said;
        let time_scale = records.time_scale();
        let mut records = records;
        let sources = std::mem::take(&mut records.sources);
        let destinations = std::mem::take(&mut records.destinations);
        let weights = records.weights.take();
        Self {
            format,
            columns,
            columns_origin,
            declared_directed,
            target_offset: None,
            ids,
            ids_origin,
            sources,
            destinations,
            weights,
            times: records.times(),
            time_scale,
        }
    }
}
