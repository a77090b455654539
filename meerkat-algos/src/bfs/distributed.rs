//! Breadth-first search over the ranks of a distributed graph.

use super::{Bfs, Tree};
use crate::tree::RankTree;
use meerkat_runtime::distributed::{DistributedAlgorithm, Part, PendingChange};
use meerkat_runtime::graph::EdgeLists;
use meerkat_runtime::prelude::*;

impl<L: EdgeLists> DistributedAlgorithm<L> for Bfs {
    type State = RankTree;
    type Output = Tree;

    fn compute(&self, part: &Part<'_, L>) -> Result<RankTree, Error> {
        RankTree::compute::<_, (), L>(part, self.source)
    }

    fn follow(
        &self,
        tree: &mut RankTree,
        part: &Part<'_, L>,
        change: PendingChange<'_, L::Carried>,
    ) -> Result<(), Error> {
        tree.follow::<_, (), L>(part, change)
    }

    fn output(&self, tree: &RankTree, part: &Part<'_, L>) -> Result<Tree, Error> {
        Ok(Tree::of(&tree.of_all(part)?))
    }
}
