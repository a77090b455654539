//! Reading a distributed graph back: counts, degrees, edges; how even the ranks are.

use super::delivery::{gather_lists, imbalance};
use super::graph::DistributedGraph;
use crate::communicator::Reduction;
use crate::device::DeviceBuffer;
use crate::graph::{Edge, EdgeLists};
use crate::{Error, ErrorKind};

/// How the work of a graph is divided among its ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankStatistics {
    /// How many vertices each rank owns.
    pub vertices: Vec<u64>,
    /// How many arcs each rank keeps; those of both orientations, where there are two.
    pub arcs: Vec<u64>,
    /// Bytes of device memory of each rank's lists.
    pub bytes: Vec<u64>,
}

impl RankStatistics {
    /// The most arcs of a rank by their mean: 1 where ranks are even.
    pub fn imbalance(&self) -> f64 {
        imbalance(&self.arcs)
    }
}

impl<L: EdgeLists> DistributedGraph<L> {
    /// How many edges the whole graph has; an undirected one counts as two arcs, a loop as one.
    /// Collective; synchronises.
    ///
    /// # Errors
    /// The device fails, as [`Communicator`](crate::communicator::Communicator).
    pub fn edge_count(&self) -> Result<u64, Error> {
        let own = self.any_side().and_then(|side| side.edge_count());
        let mut words = [self.part()?.agree(own)?];
        self.communicator.all_reduce(&mut words, Reduction::Sum)?;
        Ok(words[0])
    }

    /// The out-degree of each vertex of the whole graph, on every rank. Collective; synchronises.
    ///
    /// Cost: a pass over the own lists, and 4 bytes a vertex from the owners to all ranks.
    ///
    /// # Errors
    /// [`ErrorKind::OrientationMissing`](crate::ErrorKind::OrientationMissing) if the graph keeps
    /// in-edges only; no memory; as [`Communicator`](crate::communicator::Communicator).
    pub fn out_degrees(&self) -> Result<Vec<u32>, Error> {
        let own = self.out.as_ref().ok_or_else(|| missing("out")).and_then(|out| out.out_degrees());
        self.part()?.host_values_of_all(own)
    }

    /// The in-degree of each vertex of the whole graph, on every rank. Collective; synchronises.
    ///
    /// Cost: as [`out_degrees`](Self::out_degrees).
    ///
    /// # Errors
    /// As [`out_degrees`](Self::out_degrees), if the graph keeps out-edges only.
    pub fn in_degrees(&self) -> Result<Vec<u32>, Error> {
        if self.is_undirected() {
            return self.out_degrees();
        }
        let own =
            self.into.as_ref().ok_or_else(|| missing("in")).and_then(|into| into.in_degrees());
        self.part()?.host_values_of_all(own)
    }

    /// All edges of the whole graph, ascending by (source, destination), on every rank; of an
    /// undirected graph both arcs of each. For graphs that fit one device. Collective; synchronises.
    ///
    /// # Errors
    /// No memory on any rank; as [`Communicator`](crate::communicator::Communicator).
    pub fn to_edges(&self) -> Result<Vec<Edge<L::Carried>>, Error> {
        let device = self.device();
        let own = self
            .own_edges()
            .and_then(|edges| DeviceBuffer::<Edge<L::Carried>>::from_slice(device, &edges));
        let mut edges = gather_lists(&*self.communicator, device, own)?.to_vec()?;
        edges.sort_unstable_by_key(|edge| (edge.src, edge.dst));
        Ok(edges)
    }

    /// The edges that this rank keeps: those that begin at its own vertices, or of a graph of in-edges
    /// alone those that end there. Not collective; synchronises.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn own_edges(&self) -> Result<Vec<Edge<L::Carried>>, Error> {
        self.any_side()?.to_edges()
    }

    /// How even the ranks are. Collective; synchronises.
    ///
    /// # Errors
    /// The device fails; as [`Communicator`](crate::communicator::Communicator).
    pub fn rank_statistics(&self) -> Result<RankStatistics, Error> {
        let arcs: Result<u64, Error> = self.sides().map(|side| side.edge_count()).sum();
        let arcs = self.part()?.agree(arcs)?;
        let bytes = self.sides().map(|side| side.bytes()).sum();
        let own = [self.own.count() as u64, arcs, bytes];
        let all = self.communicator.all_gather(&own)?;
        let column = |at| all.iter().skip(at).step_by(own.len()).copied().collect();
        Ok(RankStatistics { vertices: column(0), arcs: column(1), bytes: column(2) })
    }
}

fn missing(wanted: &'static str) -> Error {
    ErrorKind::OrientationMissing { wanted }.into()
}
