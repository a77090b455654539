//! Shortest paths over the ranks of a distributed graph.

use super::{PathWeight, ShortestPaths, Sssp, check_inserted, check_weights};
use crate::tree::RankTree;
use meerkat_runtime::distributed::{DistributedAlgorithm, Part, PendingChange};
use meerkat_runtime::graph::EdgeLists;
use meerkat_runtime::prelude::*;

impl<W: PathWeight, L: EdgeLists<Carried = W>> DistributedAlgorithm<L> for Sssp {
    type State = RankTree;
    type Output = ShortestPaths<W::Distance>;

    fn compute(&self, part: &Part<'_, L>) -> Result<RankTree, Error> {
        part.agree(check_weights(part.edges()))?;
        RankTree::compute::<W, W, L>(part, self.source)
    }

    fn follow(
        &self,
        tree: &mut RankTree,
        part: &Part<'_, L>,
        change: PendingChange<'_, W>,
    ) -> Result<(), Error> {
        part.agree(change.out.map_or(Ok(()), check_inserted))?;
        tree.follow::<W, W, L>(part, change)
    }

    fn output(&self, tree: &RankTree, part: &Part<'_, L>) -> Result<Self::Output, Error> {
        Ok(ShortestPaths::of::<W>(&tree.of_all(part)?))
    }
}
