//! Deletions in a shortest-path tree: finds the vertices that lose their path, and gives
//! them a path to begin with, which relaxation then shortens.

use super::Length;
use super::extent::{Extent, FEW};
use super::operators::{
    affect_children, cut, detach, find_alternative_parent, invalidate, reattach, relax_border,
};
use super::path_tree::PathTree;
use super::pointer_jumping::{PointerJumping, find_increase, increase_distance};
use meerkat_runtime::launch::HostArg;
use meerkat_runtime::prelude::*;

/// How many levels below a deleted edge are invalidated one by one: at least
/// `LEAST_LEVELS`, and one for each `VERTICES_A_LEVEL` vertices of the graph. Deeper
/// subtrees are found by passes over all vertices, which then cost less.
const LEAST_LEVELS: u32 = 16;
const VERTICES_A_LEVEL: u32 = 1 << 18;

/// Whether lost paths are repaired, or the tree is computed again. (What costs less, one H200, searches on
/// roads, grids, a web graph, RMAT-20 with a source of a million neighbours, and a uniform graph, batches
/// of 1,000 to 100,000: docs/BENCHMARKS.md, "Dynamic algorithms".)
struct Worth {
    vertices: u32,
    /// Of the search that the tree was computed by.
    extent: Option<Extent>,
    /// Where subtrees are shallow, a tree is computed again if so great a part is torn off.
    shallow: u32,
    /// Where they are deep, if such a part is torn off, by cuts at such a part; if at all. Each subtree
    /// moves as one, so few cuts are repaired soon, however much is below.
    deep: Option<[u32; 2]>,
}

impl Worth {
    /// A search in order of distances from scratch costs far more than one by levels.
    fn of<W: Weight, L: Length<W>>(graph: &impl Container, extent: Option<Extent>) -> Self {
        let (vertices, tuning) = (graph.vertex_count(), graph.device().tuning());
        let (shallow, deep) = match L::DIFFERS {
            true => (tuning.torn_distances, None),
            false => (tuning.torn_levels, Some([tuning.torn_deep, tuning.torn_cuts])),
        };
        Worth { vertices, extent, shallow, deep }
    }

    fn is_torn(&self, torn: u32) -> bool {
        torn >= FEW.max(self.vertices / self.shallow)
    }

    fn is_deeply_torn(&self, torn: u32, cuts: u32) -> bool {
        let is_most = |[part, _]: [u32; 2]| torn >= FEW.max(self.vertices / part);
        self.deep.is_some_and(is_most) && self.has_many(cuts)
    }

    /// Whether so many cuts are not repaired where they tear off most of a deep tree.
    fn has_many(&self, cuts: u32) -> bool {
        self.deep.is_some_and(|[_, cut]| cuts >= self.vertices / cut)
    }

    /// The same before anybody has looked below the cuts.
    fn will_be_deeply_torn(&self, cuts: u32) -> bool {
        self.extent.is_some_and(|extent| extent.is_torn_by(cuts)) && self.has_many(cuts)
    }

    /// Whether deep subtrees, which take passes over all vertices, are those of a tree that has few.
    fn has_few_vertices(&self) -> bool {
        self.extent.is_some_and(|extent| extent.is_small_in(self.vertices))
    }
}

impl PathTree {
    /// Invalidates the subtrees below deleted edges, and gives their vertices the best
    /// in-neighbours that are left as parents;
    /// [`relax_until_converged`](Self::relax_until_converged) corrects the rest. If so much is torn
    /// off that it would cost less to begin again, the tree [is torn](Self::is_torn) afterwards, and
    /// stays so until it is computed.
    ///
    /// Cost: where the graph keeps in-edges, these and the out-edges of the vertices
    /// whose distance grows, and the in-edges of their children. Where it does not,
    /// the out-edges of the subtrees below the deleted edges, and one pass over all
    /// edges. Deep subtrees cost some passes over all vertices instead. Synchronises once
    /// in up to 32 levels.
    ///
    /// # Errors
    /// A tree of another graph; the device fails.
    pub fn on_delete<W: Weight, L: Length<W>>(
        &mut self,
        graph: &impl Container<Carried = W>,
        deleted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        self.check_graph(graph)?;
        if self.is_torn {
            return Ok(());
        }
        let most = LEAST_LEVELS.max(graph.vertex_count() / VERTICES_A_LEVEL);
        let worth = Worth::of::<W, L>(graph, self.extent);
        let (cuts, goes_on) = self.invalidate_levels::<W, L>(graph, deleted, most, &worth)?;
        if self.is_torn {
            return Ok(());
        }
        let mut deep = if goes_on { Some(self.list_orphaned()?) } else { None };
        let torn = self.invalid.advance()?;
        self.is_torn = match deep {
            Some(_) => worth.is_deeply_torn(torn, cuts),
            None => worth.is_torn(torn),
        };
        if torn == 0 || self.is_torn {
            self.jumps = deep.or_else(|| self.jumps.take());
            return Ok(());
        }
        match (graph.in_edges(), &mut deep) {
            (Ok(in_edges), Some(jumps)) if L::ADDS_UP => {
                self.increase_distances::<W, L, _>(in_edges, jumps)?;
            }
            (Ok(in_edges), _) => self.pull_border::<W, L, _>(in_edges)?,
            (Err(_), _) => self.push_border::<W, L>(graph)?,
        }
        self.jumps = deep.or_else(|| self.jumps.take());
        Ok(())
    }

    /// Invalidates and lists the vertices that lost their path, up to `most_levels` below
    /// the deleted edges, unless the tree is torn by then; returns how many edges of the tree were
    /// deleted, and whether there are more vertices below. Where in-edges are kept, a
    /// vertex with another path of the same length takes that, and its subtree stays (Even
    /// and Shiloach, "An on-line edge-deletion problem").
    fn invalidate_levels<W: Weight, L: Length<W>>(
        &mut self,
        graph: &impl Container<Carried = W>,
        deleted: &DeviceBuffer<Edge<W>>,
        most_levels: u32,
        worth: &Worth,
    ) -> Result<(u32, bool), Error> {
        self.paths.next_epoch()?;
        self.invalid.clear()?;
        // The far queue is empty between two batches, so its lists are free.
        let (device, tree, affected) = (&self.device, self.paths.buffers(), &mut self.far);
        let out = graph.out_edges()?;
        cut::launch(device, deleted, tree, affected.next())?;
        let cuts = affected.advance()?;
        if worth.will_be_deeply_torn(cuts) {
            self.is_torn = true;
            affected.restart(&[])?;
            return Ok((cuts, true));
        }
        let all = self.invalid.next();
        affected.repeat(
            |levels, length| levels < most_levels && !worth.is_torn(length),
            |_, current, next| {
                match graph.in_edges() {
                    Ok(into) => find_alternative_parent::launch::<W, L, _>(
                        device,
                        current.clone(),
                        into,
                        tree,
                    )?,
                    Err(_) => invalidate::launch(device, current.clone(), tree)?,
                }
                affect_children::launch(device, current, out, tree, next, all)
            },
        )?;
        if affected.is_empty() {
            return Ok((cuts, false));
        }
        self.is_torn = worth.is_torn(affected.len()) || worth.has_few_vertices();
        if !self.is_torn {
            invalidate::launch(device, affected.current(), tree)?;
        }
        affected.restart(&[])?;
        Ok((cuts, true))
    }

    /// Lists all invalid vertices and their subtrees, at any depth. Returns the memory for
    /// pointer jumping.
    fn list_orphaned(&mut self) -> Result<PointerJumping, Error> {
        self.invalid.clear()?;
        let mut jumps = match self.jumps.take() {
            Some(jumps) => jumps,
            None => PointerJumping::new(&self.device, self.paths.nodes.len())?,
        };
        jumps.list_orphaned(self.paths.buffers(), self.invalid.next())?;
        Ok(jumps)
    }

    /// Moves each orphaned subtree as a whole.
    fn increase_distances<W: Weight, L: Length<W>, G: Neighbors<Carried = W>>(
        &mut self,
        in_edges: impl HostArg<G>,
        jumps: &mut PointerJumping,
    ) -> Result<(), Error> {
        let (device, tree, all) = (&self.device, self.paths.buffers(), self.invalid.all());
        let PointerJumping { jumps: from, offers, .. } = &mut *jumps;
        find_increase::launch::<W, L, _>(device, all.clone(), in_edges, tree, &*from, offers)?;
        jumps.jump(device, all.clone())?;
        let PointerJumping { jumps: from, offers, .. } = &*jumps;
        increase_distance::launch(device, all, tree, from, offers, self.frontiers.next())
    }

    /// From the invalid vertices back along their in-edges.
    fn pull_border<W: Weight, L: Length<W>, G: Neighbors<Carried = W>>(
        &mut self,
        in_edges: impl HostArg<G>,
    ) -> Result<(), Error> {
        let (items, next) = (self.invalid.all(), self.frontiers.next());
        reattach::launch::<W, L, _>(&self.device, items, in_edges, self.paths.buffers(), next)
    }

    /// From all valid vertices along their out-edges.
    fn push_border<W: Weight, L: Length<W>>(
        &mut self,
        graph: &impl Container<Carried = W>,
    ) -> Result<(), Error> {
        let (device, tree) = (&self.device, self.paths.buffers());
        detach::launch(device, self.invalid.all(), tree)?;
        let (items, next) = (0..graph.vertex_count(), self.frontiers.next());
        relax_border::launch::<W, L, _>(device, items, graph.out_edges()?, tree, next)
    }
}
