//! What deletions do to a shortest-path tree: who loses its path, and where it hangs
//! until the tree settles.

use super::climb::{Climbs, find_rise, rise};
use super::path_tree::State;
use super::{Length, condemn, cut, detach, invalidate, reattach, rehang, relax_border};
use meerkat_runtime::graph::Adjacency;
use meerkat_runtime::prelude::*;

/// How many levels below a deleted edge are looked at one by one: at least this many,
/// and about as many as cost what some passes over all vertices do.
const LEAST_LEVELS: u32 = 16;
const VERTICES_A_LEVEL: u32 = 1 << 18;

impl State {
    pub(super) fn on_delete<W: Weight, L: Length<W>>(
        &mut self,
        graph: &SlabGraph<W>,
        deleted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        let most = LEAST_LEVELS.max(graph.vertex_count() / VERTICES_A_LEVEL);
        let mut deep = match self.cut_off::<W, L>(graph, deleted, most)? {
            true => Some(self.list_fallen()?),
            false => None,
        };
        if self.cut_off.advance()? == 0 {
            return Ok(());
        }
        match (graph.in_edges(), &mut deep) {
            (Ok(in_edges), Some(climbs)) if L::ADDS_UP => {
                self.rise::<W, L>(in_edges, climbs)?;
            }
            (Ok(in_edges), _) => self.pull_border::<W, L>(in_edges)?,
            (Err(_), _) => self.push_border::<W, L>(graph)?,
        }
        self.climbs = deep.or_else(|| self.climbs.take());
        Ok(())
    }

    /// Marks and lists the vertices whose path is gone, up to so many levels below the
    /// deleted edges; whether there is more below. Where in-edges are kept, a vertex with
    /// another path as short hangs itself below that and stays, with all below it (the
    /// idea of Even and Shiloach, "An on-line edge-deletion problem").
    fn cut_off<W: Weight, L: Length<W>>(
        &mut self,
        graph: &SlabGraph<W>,
        deleted: &DeviceBuffer<Edge<W>>,
        most_levels: u32,
    ) -> Result<bool, Error> {
        self.paths.next_epoch()?;
        self.cut_off.clear()?;
        // Nobody waits between two settlements, so the lists are free.
        let (device, tree, suspects) = (&self.device, self.paths.lend(), &mut self.far);
        cut::launch(device, deleted, tree, suspects.next())?;
        suspects.advance()?;
        let all = self.cut_off.next();
        suspects.repeat(
            |levels, _| levels < most_levels,
            |_, current, next| {
                match graph.in_edges() {
                    Ok(into) => rehang::launch::<W, L>(device, current.clone(), into, tree)?,
                    Err(_) => condemn::launch(device, current.clone(), tree)?,
                }
                invalidate::launch(device, current, graph, tree, next, all)
            },
        )?;
        if suspects.is_empty() {
            return Ok(false);
        }
        condemn::launch(device, suspects.current(), tree)?;
        suspects.restart(&[])?;
        Ok(true)
    }

    /// Lists all invalid vertices and what hangs below them, at any depth. Returns the
    /// memory for climbs.
    fn list_fallen(&mut self) -> Result<Climbs, Error> {
        self.cut_off.clear()?;
        let mut climbs = match self.climbs.take() {
            Some(climbs) => climbs,
            None => Climbs::new(&self.device, self.paths.nodes.len())?,
        };
        climbs.list_fallen(self.paths.lend(), self.cut_off.next())?;
        Ok(climbs)
    }

    /// Every invalid vertex moves as it hangs.
    fn rise<W: Weight, L: Length<W>>(
        &mut self,
        in_edges: &Adjacency<W>,
        climbs: &mut Climbs,
    ) -> Result<(), Error> {
        let (device, tree, all) = (&self.device, self.paths.lend(), self.cut_off.all());
        let Climbs { climbs: from, offers, .. } = &mut *climbs;
        find_rise::launch::<W, L>(device, all.clone(), in_edges, tree, &*from, offers)?;
        climbs.climb(device, all.clone())?;
        let Climbs { climbs: from, offers, .. } = &*climbs;
        rise::launch(device, all, tree, from, offers, self.frontiers.next())
    }

    /// From the invalid vertices back along their in-edges.
    fn pull_border<W: Weight, L: Length<W>>(
        &mut self,
        in_edges: &Adjacency<W>,
    ) -> Result<(), Error> {
        let (items, next) = (self.cut_off.all(), self.frontiers.next());
        reattach::launch::<W, L>(&self.device, items, in_edges, self.paths.lend(), next)
    }

    /// From all valid vertices along their out-edges.
    fn push_border<W: Weight, L: Length<W>>(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        let (device, tree) = (&self.device, self.paths.lend());
        detach::launch(device, self.cut_off.all(), tree)?;
        let (items, next) = (0..graph.vertex_count(), self.frontiers.next());
        relax_border::launch::<W, L>(device, items, graph, tree, next)
    }
}
