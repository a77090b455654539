//! The records of a graph file, as the file has them.

use super::format::Format;
use super::record::Records;
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
    /// Whether the file says that it is directed: MatrixMarket `general` and
    /// DIMACS are, MatrixMarket `symmetric` is not, LDBC says it in the
    /// `.properties` file where there is one. Edge lists do not say.
    pub declared_directed: Option<bool>,
    /// The vertices: dense index to id of the file and back.
    pub ids: VertexIds,
    /// Source vertex of each record.
    pub sources: Vec<u32>,
    /// Destination vertex of each record.
    pub destinations: Vec<u32>,
    /// Weight of each record, where the format has weights. All are finite.
    pub weights: Option<Vec<f64>>,
    /// Time of each record in the unit of the file (mostly seconds), where the
    /// format has times. They need not ascend.
    pub times: Option<Vec<i64>>,
}

impl GraphFile {
    /// Joins records whose endpoints are dense already with their vertices.
    pub(super) fn new(
        format: Format,
        declared_directed: Option<bool>,
        ids: VertexIds,
        records: Records<u32>,
    ) -> Self {
        Self {
            format,
            declared_directed,
            ids,
            sources: records.sources,
            destinations: records.destinations,
            weights: records.weights,
            times: records.times,
        }
    }
}
