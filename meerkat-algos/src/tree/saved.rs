//! A shortest-path tree in a checkpoint.

use super::path_tree::PathTree;
use super::paths::Paths;
use super::{TreeNode, UNREACHED};
use meerkat_runtime::prelude::*;
use meerkat_runtime::saved::{StateReader, StateWriter};

impl PathTree {
    /// Writes the place of every vertex. Between batches all lists are empty, and no mark counts.
    pub(crate) fn save(&self, to: &mut StateWriter) -> Result<(), Error> {
        let nodes = self.nodes()?;
        to.array("distances", &nodes.iter().map(|node| node.distance).collect::<Vec<_>>())?;
        to.array("parents", &nodes.iter().map(|node| node.parent).collect::<Vec<_>>())
    }

    /// Reads the tree of a source in a graph.
    pub(crate) fn load<C: Container>(
        graph: &C,
        source: u32,
        from: &mut StateReader,
    ) -> Result<Self, Error> {
        let (device, count) = (graph.device(), graph.vertex_count());
        let distances = from.array::<u32>("distances", count as usize)?;
        let parents = from.array::<u32>("parents", count as usize)?;
        let node = |(distance, parent)| TreeNode { parent, distance };
        let nodes: Vec<_> = distances.into_iter().zip(parents).map(node).collect();
        if !is_tree(&nodes, source) {
            return Err(from.refuse("parents that make no tree of the source"));
        }
        Ok(PathTree {
            device: device.clone(),
            paths: Paths::of_nodes(device, &nodes)?,
            frontiers: Frontiers::new(device, count, &[])?,
            far: Frontiers::new(device, count, &[])?,
            invalid: LevelQueue::new(device, count)?,
            jumps: None,
            is_torn: false,
            extent: None,
        })
    }
}

/// Whether the parents lead to the source, and nobody is nearer than its parent.
fn is_tree(nodes: &[TreeNode], source: u32) -> bool {
    let is_source = |v: usize| v == source as usize;
    let fits = |v: usize| {
        let TreeNode { parent, distance } = nodes[v];
        match nodes.get(parent as usize) {
            Some(_) if is_source(v) => parent == source && distance == 0,
            Some(nearer) => nearer.distance <= distance && distance < UNREACHED,
            None => nodes[v] == TreeNode::OUTSIDE && !is_source(v),
        }
    };
    (0..nodes.len()).all(fits) && !has_cycle(nodes, source)
}

/// Whether somebody is an ancestor of its own, by lengths of zero. Parents are of the graph.
fn has_cycle(nodes: &[TreeNode], source: u32) -> bool {
    // Whose walk came by; those of walks that ended are known not to be on a cycle.
    let mut walk_of = vec![UNREACHED; nodes.len()];
    for start in 0..nodes.len() as u32 {
        let mut v = start;
        while v != source && v != UNREACHED {
            match walk_of[v as usize] {
                UNREACHED => walk_of[v as usize] = start,
                walk => {
                    if walk == start {
                        return true;
                    }
                    break;
                }
            }
            v = nodes[v as usize].parent;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_tree_of_0(nodes: &[(u32, u32)]) -> bool {
        let node = |&(parent, distance)| TreeNode { parent, distance };
        is_tree(&nodes.iter().map(node).collect::<Vec<_>>(), 0)
    }

    #[test]
    fn only_parents_that_lead_to_the_source_make_a_tree() {
        let outside = (UNREACHED, UNREACHED);
        assert!(is_tree_of_0(&[(0, 0), (0, 3), (1, 3), outside]));
        // A cycle of zero lengths, a parent that is not there, one that is farther.
        assert!(!is_tree_of_0(&[(0, 0), (2, 3), (1, 3)]));
        assert!(!is_tree_of_0(&[(0, 0), (1, 3)]));
        assert!(!is_tree_of_0(&[(0, 0), (9, 3)]));
        assert!(!is_tree_of_0(&[(0, 0), (2, 3), (0, 4)]));
        assert!(!is_tree_of_0(&[(0, 0), outside, (1, 4)]));
        // A source that is not its own parent, or not reached.
        assert!(!is_tree_of_0(&[(1, 0), (0, 1)]));
        assert!(!is_tree_of_0(&[outside, outside]));
        assert!(!is_tree_of_0(&[(0, 0), (UNREACHED, 5)]));
    }
}
