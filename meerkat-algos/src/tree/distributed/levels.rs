//! Breadth-first search from scratch over ranks, level by level: a small level forwards, a large one back
//! along the in-edges of the vertices that are left, whichever are fewer (Beamer, Asanović, Patterson,
//! "Direction-optimizing breadth-first search").
//!
//! ```text
//! own frontier --small: offer--> a place for each vertex, to its owner: accept --> next
//!              --large: mark--> a bit for each vertex, to all ranks: join_marks --> pull own vertices --> next
//! ```
//!
//! Who finds its own parent tells nobody: before the first batch, [`RankTree::tell_parents`] gives the
//! parents' owners what they would have offered.

use super::super::UNREACHED;
use super::{RankTree, TreeNode};
use meerkat_runtime::communicator::{Plan, Transfer, exchange_into};
use meerkat_runtime::distributed::{Delivery, Part, Partition, owner_of};
use meerkat_runtime::graph::{EdgeLists, about_out_degree};
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// From one in so many vertices on, how many edges a level has is looked at, which takes passes and waits.
const FEW: u64 = 512;

/// A vertex that is offered costs so much more than one that is looked at from behind: a compare and swap at a place
/// anywhere, and on its way to another rank four passes. (By 2, as on one device, levels of 50 million edges of a
/// uniform graph went forwards, and took 15 ms and more on two H200s.)
const FORWARD_COST: u64 = 8;

/// Where the sums of [`sum_level`] are: the out-edges of the level, and its in-edges.
const FORWARD: u32 = 0;
const BACK: u32 = 1;

/// Adds up about how many out-edges the vertices of a level have, and in-edges. For as many threads as vertices.
#[kernel]
fn sum_level<G: Neighbors>(out_edges: &G, in_edges: &G, level: &[Vertex], sums: &[Atomic<u64>]) {
    let i = thread_id();
    let mut forward = 0u64;
    let mut back = 0u64;
    if i < level.len() {
        let v = level[i];
        forward = about_out_degree(out_edges, v) as u64;
        back = about_out_degree(in_edges, v) as u64;
    }
    let all_forward = block_reduce_sum(forward);
    let all_back = block_reduce_sum(back);
    if block_thread_id() == 0 {
        sums[FORWARD].fetch_add(all_forward);
        sums[BACK].fetch_add(all_back);
    }
}

/// Adds up about how many in-edges the own vertices have that are not reached. For as many threads as vertices.
#[kernel]
fn sum_unreached<G: Neighbors>(
    in_edges: &G,
    partition: Partition,
    rank: u32,
    nodes: &[Atomic<TreeNode>],
    sum: &[Atomic<u64>],
) {
    let v = thread_id();
    let mut back = 0u64;
    if v < nodes.len() && owner_of(partition, v) == rank {
        if nodes[v].load().distance == UNREACHED {
            back = about_out_degree(in_edges, v) as u64;
        }
    }
    let all_back = block_reduce_sum(back);
    if block_thread_id() == 0 {
        sum[0].fetch_add(all_back);
    }
}

/// Sets the bit of `v`.
#[vertex_operator]
fn mark(v: Vertex, marks: &[Atomic<u32>]) {
    marks[v / 32].fetch_or(1u32 << (v % 32));
}

/// Joins the bits of all ranks, those of rank 0 first.
#[kernel]
fn join_marks(of_ranks: &[Atomic<u32>], marks: &[Atomic<u32>]) {
    let i = thread_id();
    if i < marks.len() {
        let mut joined = 0u32;
        let mut at = i;
        while at < of_ranks.len() {
            joined |= of_ranks[at].load();
            at += marks.len();
        }
        marks[i].store(joined);
    }
}

/// Reaches `v`, if it is unreached, from an in-neighbour that is marked.
#[vertex_operator]
fn pull_marked<G: Neighbors>(
    v: Vertex,
    in_edges: &G,
    distance: u32,
    marks: &[Atomic<u32>],
    nodes: &[Atomic<TreeNode>],
    next: &Frontier<Vertex>,
) {
    let is_unreached = nodes[v].load().distance == UNREACHED;
    let parent = find_neighbor(in_edges, v, is_unreached, |src| {
        marks[src / 32].load() >> (src % 32) & 1 == 1
    });
    if parent != UNREACHED {
        nodes[v].store(TreeNode { parent, distance });
    }
    warp_enqueue_frontier(next, v, parent != UNREACHED);
}

/// Lists `v` if its parent is of another rank, as an edge from there with the distance.
#[vertex_operator]
fn list_untold(
    v: Vertex,
    partition: Partition,
    rank: u32,
    nodes: &[Atomic<TreeNode>],
    untold: &Frontier<Edge<u32>>,
) {
    let node: TreeNode = nodes[v].load();
    let mut is_untold = false;
    if node.distance != UNREACHED {
        is_untold = owner_of(partition, node.parent) != rank;
    }
    let edge = Edge::<u32> { src: node.parent, dst: v, weight: node.distance };
    warp_enqueue_frontier(untold, edge, is_untold);
}

/// Notes who has become a child of an own vertex, as if this rank had offered it that.
#[edge_operator]
fn note_child(edge: Edge<u32>, nodes: &[Atomic<TreeNode>]) {
    if edge.dst < nodes.len() {
        nodes[edge.dst].store(TreeNode { parent: edge.src, distance: edge.weight });
    }
}

/// A level of all ranks.
struct Level {
    vertices: u64,
    /// About how many out-edges they have.
    forward: u64,
    /// About how many in-edges the vertices have that are left.
    back: u64,
}

/// A bit for each vertex: whether it is on the level.
struct Marks {
    all: DeviceBuffer<Atomic<u32>>,
    of_ranks: DeviceBuffer<Atomic<u32>>,
    plan: Plan,
}

impl Marks {
    /// Those that are there or are made now, if every rank has memory for them. Collective.
    fn on_all_ranks<'m, E: EdgeLists>(
        marks: &'m mut Option<Self>,
        part: &Part<'_, E>,
    ) -> Result<Option<&'m mut Self>, Error> {
        if marks.is_none() {
            *marks = part.if_all_have(Marks::new(part).ok())?;
        }
        Ok(marks.as_mut())
    }

    fn new<E: EdgeLists>(part: &Part<'_, E>) -> Result<Self, Error> {
        let (device, communicator) = (part.device(), part.communicator());
        let words = part.vertex_count().div_ceil(32) as usize;
        Ok(Marks {
            all: DeviceBuffer::zeroed(device, words)?,
            of_ranks: DeviceBuffer::zeroed(device, words * communicator.size())?,
            plan: Plan::gather_of(communicator.rank(), vec![words; communicator.size()]),
        })
    }
}

impl RankTree {
    /// The tree from scratch, from the frontier that was `begun`. Collective.
    pub(super) fn search_levels<E: EdgeLists>(
        &mut self,
        part: &Part<'_, E>,
        begun: Result<(), Error>,
    ) -> Result<(), Error> {
        let few = u64::from(part.vertex_count()) / FEW;
        let (mut done, mut distance, mut looks) = (begun, 0, false);
        let (mut marks, mut left) = (None, None);
        loop {
            distance += 1;
            // All ranks look, or none; and all see the same.
            let level = match looks {
                true => Some(self.level(part, &mut left, std::mem::replace(&mut done, Ok(())))?),
                false => {
                    // A hub may be on a level that nobody looks at.
                    left = None;
                    None
                }
            };
            let marks = match level {
                Some(Level { vertices: 0, .. }) => return Ok(()),
                Some(Level { forward, back, .. })
                    if back < forward.saturating_mul(FORWARD_COST) =>
                {
                    Marks::on_all_ranks(&mut marks, part)?
                }
                _ => None,
            };
            done = match marks {
                Some(marks) => self.pull_level(part, marks, distance)?,
                None => {
                    let found = done.and_then(|()| self.offer::<E::Carried, (), E>(part, None));
                    let delivery = Delivery::to_owners(part, found)?;
                    if delivery.total() == 0 {
                        return Ok(());
                    }
                    let (vertices, offered) = delivery.deliver_atomics(&self.nodes)?;
                    looks = delivery.total() >= few;
                    self.accept(&vertices, &offered, &delivery)
                }
            };
        }
    }

    /// How large the level is, or the error that kept this rank from it. `left` is about how many in-edges the own
    /// vertices have that are left, if the level before was asked, too. Collective.
    fn level<E: EdgeLists>(
        &self,
        part: &Part<'_, E>,
        left: &mut Option<u64>,
        done: Result<(), Error>,
    ) -> Result<Level, Error> {
        let own = done.and_then(|()| self.own_level(part, *left));
        *left = own.as_ref().ok().map(|&[_, _, left]| left);
        let [vertices, forward, back] = part.sums(own)?;
        Ok(Level { vertices, forward, back })
    }

    /// The vertices of the own level, their out-edges, and the in-edges that are left.
    fn own_level<E: EdgeLists>(
        &self,
        part: &Part<'_, E>,
        left: Option<u64>,
    ) -> Result<[u64; 3], Error> {
        let (device, edges) = (part.device(), part.edges());
        let (out, into) = (edges.out_edges()?, edges.in_edges()?);
        let (level, count) = (self.frontier.current(), self.frontier.len());
        let sums = DeviceBuffer::zeroed(device, 2)?;
        sum_level::launch(device, count, out, into, level, &sums)?;
        let sums = sums.to_vec()?;
        let left = match left {
            Some(left) => left.saturating_sub(sums[BACK as usize]),
            None => {
                let (n, rank) = (part.vertex_count(), part.communicator().rank() as u32);
                let sum = DeviceBuffer::zeroed(device, 1)?;
                sum_unreached::launch(device, n, into, part.partition(), rank, &self.nodes, &sum)?;
                sum.to_vec()?[0]
            }
        };
        Ok([count.into(), sums[FORWARD as usize], left])
    }

    /// Reaches own vertices from the level of all ranks; whether that went well here. Collective.
    fn pull_level<E: EdgeLists>(
        &mut self,
        part: &Part<'_, E>,
        marks: &mut Marks,
        distance: u32,
    ) -> Result<Result<(), Error>, Error> {
        self.has_untold = true;
        let Marks { all, of_ranks, plan } = marks;
        let mut marked = self.mark_frontier(all).map(|()| (&*all, of_ranks));
        exchange_into(part.communicator(), plan, &mut marked, |(all, of_ranks)| {
            vec![Transfer::new(all, 0, of_ranks)]
        })?;
        Ok(marked.and_then(|(all, of_ranks)| self.pull_marked(part, all, of_ranks, distance)))
    }

    fn mark_frontier(&self, marks: &mut DeviceBuffer<Atomic<u32>>) -> Result<(), Error> {
        let (device, level) = (marks.device().clone(), self.frontier.current());
        marks.fill(0)?;
        mark::launch(&device, level, &*marks)
    }

    fn pull_marked<E: EdgeLists>(
        &mut self,
        part: &Part<'_, E>,
        marks: &DeviceBuffer<Atomic<u32>>,
        of_ranks: &DeviceBuffer<Atomic<u32>>,
        distance: u32,
    ) -> Result<(), Error> {
        let (device, own, in_edges) = (part.device(), part.own(), part.edges().in_edges()?);
        join_marks::launch(device, marks.len() as u32, of_ranks, marks)?;
        let next = self.frontier.next();
        pull_marked::launch(device, own, in_edges, distance, marks, &self.nodes, next)?;
        self.frontier.advance().map(drop)
    }

    /// Tells the owners of parents of their children that found them. Collective.
    ///
    /// Cost: once after a search, 12 bytes for each vertex whose parent is of another rank.
    pub(super) fn tell_parents<E: EdgeLists>(&mut self, part: &Part<'_, E>) -> Result<(), Error> {
        if !self.has_untold {
            return Ok(());
        }
        let (device, communicator) = (part.device(), part.communicator());
        let (untold, plan) = Plan::exchange(communicator, self.untold(part))?;
        let mut told = DeviceBuffer::<Edge<u32>>::zeroed(device, plan.received_in_all());
        exchange_into(communicator, &plan, &mut told, |told| {
            vec![Transfer::new(&untold, 0, told)]
        })?;
        part.agree(told.and_then(|told| note_child::launch(device, &told, &self.nodes)))?;
        self.has_untold = false;
        Ok(())
    }

    /// The edges from other ranks' vertices to their children here, by rank, and how many there are of each.
    fn untold<E: EdgeLists>(
        &self,
        part: &Part<'_, E>,
    ) -> Result<(DeviceBuffer<Edge<u32>>, Vec<usize>), Error> {
        let (device, rank) = (part.device(), part.communicator().rank() as u32);
        let mut untold = LevelQueue::new(device, part.own().count() as u32)?;
        let next = untold.next();
        list_untold::launch(device, part.own(), part.partition(), rank, &self.nodes, next)?;
        untold.advance()?;
        part.sort_by_owner(&untold.into_buffer(), false)
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let mut kernels = vec![
        sum_level::info::<Graph>(),
        sum_unreached::info::<Graph>(),
        mark::info(),
        join_marks::info(),
        list_untold::info(),
        note_child::info(),
    ];
    kernels.extend(Schedule::ALL.map(pull_marked::info_with::<Graph>));
    kernels.push(pull_marked::info_with::<Compact>(Schedule::Hybrid));
    kernels
}

#[cfg(test)]
mod tests {
    use super::*;
    use meerkat_runtime::CompactEdges;
    use meerkat_runtime::communicator::{Communicator, first_cause, run_ranks};
    use meerkat_runtime::distributed::{DistributedGraph, Ownership};
    use std::rc::Rc;
    use std::time::Duration;

    #[test]
    fn a_level_with_most_edges_is_passed_over_backwards_and_parents_are_told() {
        let edge = |src, dst| Edge { src, dst, weight: () };
        // 0 to 40 others, and each of these to 100 more.
        let mut edges: Vec<_> = (1..41).map(|v| edge(0, v)).collect();
        edges.extend((1..41).flat_map(|u| (41..141).map(move |v| edge(u, v))));
        let found = run_ranks(3, Duration::from_secs(60), |communicator| {
            let (device, options) =
                (Device::cpu(), SlabOptions::DEFAULT.oriented(Orientation::Both));
            let own = if communicator.rank() == 0 { &edges[..] } else { &[] };
            let graph = DistributedGraph::<CompactEdges>::from_edges(
                Rc::new(communicator),
                &device,
                141,
                own,
                &options,
                Ownership::Hash,
            )?;
            let part = graph.part()?;
            let mut tree = RankTree::compute::<(), (), _>(&part, 0)?;
            let has_untold = tree.has_untold;
            tree.tell_parents(&part)?;
            // Each rank knows the children of its own vertices.
            let (own, nodes, all) =
                (part.own().to_vec()?, tree.nodes.to_vec()?, tree.of_all(&part)?);
            let is_known = |(node, own_node): (&TreeNode, &TreeNode)| {
                !own.contains(&node.parent) || node == own_node
            };
            Ok((has_untold, tree.has_untold, all.iter().zip(&nodes).all(is_known)))
        });
        assert_eq!(first_cause(found).expect("ranks"), [(true, false, true); 3]);
    }
}
